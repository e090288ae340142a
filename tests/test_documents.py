"""The documents: every link leads somewhere, and a changed word is not a changed paragraph."""

import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("", ".ci", "bench", "docs", "tests", "txtr")  # where our documents are, "" without its folders
LONGEST_LINE = 120
_LINK = re.compile(r"\]\(<?([^)\s>]+)>?(?: \"[^\"]*\")?\)|^\[[^\]]+\]: (\S+)", re.MULTILINE)
_FENCE = re.compile(r"^ *(```+|~~~+).*?^ *\1 *$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^ {0,3}#{1,6} +(.*?) *#* *$", re.MULTILINE)


def documents():
    for folder in FOLDERS:
        found = (ROOT / folder).rglob("*.md") if folder else ROOT.glob("*.md")
        yield from (str(path.relative_to(ROOT)) for path in sorted(found))


DOCUMENTS = list(documents())
PROSE = [name for name in DOCUMENTS if name.startswith(("docs/", "bench/results/", "CONTRIBUTING", "README"))]


def without_code(text):
    return re.sub(r"`+[^`\n]+`+", "`code`", _FENCE.sub("", text))


def links(text):
    return [one or other for one, other in _LINK.findall(without_code(text))]


@cache
def anchors(path):
    """What a heading is called in links, as GitHub makes it: letters, digits, hyphens for blanks."""
    found = {}
    for heading in _HEADING.findall(_FENCE.sub("", path.read_text("utf-8"))):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found[slug] = found.get(slug, -1) + 1
    return {
        f"{slug}-{number}" if number else slug for slug, most in found.items() for number in range(most + 1)
    }


def trouble(name, link):
    """Why this link of a document leads nowhere; nothing when it leads somewhere, or to another site."""
    if re.match(r"[a-z]+:", link):
        return ""
    place, _, anchor = unquote(link).partition("#")
    target = (ROOT / name).parent / place if place else ROOT / name
    if not target.resolve().is_relative_to(ROOT):
        return "outside the repository"
    if not target.exists():
        return "no such file"
    return "" if not anchor or anchor in anchors(target) else "no such heading"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_link_of_a_document_leads_somewhere(name):
    troubles = {link: trouble(name, link) for link in links((ROOT / name).read_text("utf-8"))}
    assert {link: reason for link, reason in troubles.items() if reason} == {}


@pytest.mark.parametrize("name", PROSE)
def test_the_lines_of_a_document_are_short(name):
    """Style guide 9: they break after sentences. Tables, code and what a link points to may be longer."""
    text = _FENCE.sub(lambda code: "\n" * code[0].count("\n"), (ROOT / name).read_text("utf-8"))
    lines = enumerate(re.sub(r"\]\([^)]*\)", "]()", text).split("\n"), 1)
    long = [
        number for number, line in lines if len(line) > LONGEST_LINE and not line.lstrip().startswith("|")
    ]
    assert long == []


def test_a_broken_link_is_found():
    assert links("[a](b.md) `[c](d)` ![e](f.svg#g)\n```\n[h](i)\n```\n[j]: k.md\n") == [
        "b.md",
        "f.svg#g",
        "k.md",
    ]
    assert trouble("docs/style.md", "glossary.md") == ""
    assert trouble("docs/style.md", "no-such.md") == "no such file"
    assert trouble("docs/style.md", "#no-such") == "no such heading"
    assert (
        trouble("docs/style.md", "#1-decide-without-touching-the-world-touch-the-world-without-deciding")
        == ""
    )
    assert trouble("docs/style.md", "../../elsewhere.md") == "outside the repository"


@pytest.mark.parametrize("name", [name for name in PROSE if not name.endswith(("moved.md", "style.md"))])
def test_a_source_file_that_a_document_names_is_there(name):
    """A module that was merged or renamed leaves its name; the style guide names files of others."""
    missing = {
        cited
        for cited in re.findall(r"`([a-z_]+(?:/[a-z_]+)*\.(?:py|c|h))`", (ROOT / name).read_text("utf-8"))
        if not any((ROOT / folder / cited).exists() for folder in ("", "txtr", "bench"))
        and not ("/" not in cited and any(ROOT.glob(f"t[ex]*/**/{cited}")))
    }
    assert missing == set()
