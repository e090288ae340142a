"""The manual is true: its program runs, its tables are those of the code."""

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

from txtr.config.layers import parse
from txtr.corpus.record import encode_record, encode_text
from txtr.fetch.outcome import Page
from txtr.gate import Gate
from txtr.harvester.page import Demands, apply_judgement, process
from txtr.launcher.command import COMMANDS, TOOLS
from txtr.manners.remedies import REMEDIES
from txtr.model import Trouble
from txtr.segment.usability import judge

ROOT = Path(__file__).parents[2]


def page(name):
    return (ROOT / name).read_text("utf-8")


def rows(name):
    table = page("docs/logs.md").split(f"<!-- {name} -->")[1]
    lines = table.split(f"<!-- /{name} -->")[0].strip().splitlines()[2:]
    return [[cell.strip(" `") for cell in line.strip("|").split(" | ")] for line in lines]


def test_the_config_file_that_is_shown_can_be_used():
    """What a new user copies works as it is."""
    shown = page("docs/how-to/long-lists.md").split("A line of `config.txt`")[1].split("```")[1]
    used = parse([], shown)
    assert (used.include, used.req_delay, used.paragraphs) == ("\\.cz$", 60, True)


def test_every_trouble_is_explained_and_its_tries_are_told():
    assert [(word, int(tries)) for word, tries, _ in rows("troubles")] == [
        (trouble.value, REMEDIES[trouble].tries) for trouble in Trouble
    ]


def test_every_reason_is_explained_and_none_is_invented():
    """Reasons that are one word; the others are plain words."""
    explained = {word for word, _, _ in rows("reasons")}
    sources = [path.read_text("utf-8") for path in (ROOT / "txtr").rglob("*.py")]
    used = {reason for source in sources for reason in reasons(source)}
    assert used | set(re.findall('"([a-z-]+)"', inspect.getsource(Gate._judge))) <= explained
    assert all(any(f'"{word}"' in source for source in sources) for word in explained)


def reasons(source):
    """reason="word", {"reason": "word"}, reason = "word"."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.keyword(arg="reason", value=ast.Constant(str(word))):
                yield from [word] if " " not in word else []
            case ast.Dict(keys=[ast.Constant("reason"), *_], values=[ast.Constant(str(word)), *_]):
                yield from [word] if " " not in word else []
            case ast.Assign(targets=[ast.Name("reason")], value=ast.Constant(str(word))):
                yield from [word] if re.fullmatch("[a-z-]+", word) else []


BRNO = """<html lang=cs-CZ><title>Brno</title>
<p>Na trhu se prodávají první jahody. Starostka města otevřela novou čítárnu.
<p>V neděli bude pršet, a tak se slavnost koná v divadle."""


def test_the_record_in_the_manual_is_one_of_ours():
    """Found by a new user: it lacked what was really in one."""
    fetched = Page(200, "text/html; charset=utf-8", {}, BRNO.encode())
    read = process("noviny.priklad.cz", "/brno.html", fetched, 0.1, 0.0, "texttractor")
    made = apply_judgement(
        read, judge(read.question.text, frozenset({"cs"}), read.question.paragraphs), Demands()
    )
    about = {**made.metadata, "fetched": "2026-11-16T05:52:58.169Z", "harvester": "harvester-01"}
    record = encode_record(about, made.text, "utf-8").decode()
    assert f"```\n{record}```" in page("docs/corpus.md")


def test_the_commands_of_the_manual_are_those_of_the_start_script():
    manual = page("docs/commands.md")
    assert {name for name in TOOLS if f"`sh texttractor.sh {name}" in manual} == TOOLS.keys()
    assert [name for name in COMMANDS if f"`sh texttractor.sh {name}" not in manual] == []


def test_the_queue_is_explained_in_one_place_of_the_manual():
    """Found by a new user: it was in three, each with other commands."""
    explained = page("docs/how-to/look-into-the-queue.md")
    assert all(
        f"queue {verb} " in explained for verb in ("domains", "url", "block", "add", "export", "verify")
    )
    elsewhere = [page(name) for name in ("README.md", "docs/commands.md", "docs/how-to/run-a-crawl.md")]
    assert [text.count("sh texttractor.sh queue") for text in elsewhere] == [0, 1, 0]
    assert [text.count("how-to/look-into-the-queue.md") for text in elsewhere[:2]] == [0, 1]


def test_the_readme_fits_the_first_ten_minutes():
    """What a new user needs first stays on it, and it stays short."""
    readme = page("README.md")
    assert len(readme.splitlines()) <= 90
    for command in ("sh texttractor.sh 4 --demo", "--urls=", "sh tests/run.sh", "texttractor.sh stop"):
        assert command in readme


@pytest.mark.web
def test_the_program_in_the_manual_reads_a_corpus_anywhere(tmp_path):
    """-I -S: without us and without any package."""
    (tmp_path / "corpus").mkdir()
    text = "První věta.\nDruhá\n\nvěta."
    record = encode_record({"url": "http://a.cz/", "language": "cs"}, encode_text(text), "utf-8")
    (tmp_path / "corpus/harvester-01-00001.txt").write_bytes(record * 2 + record[:-1])
    program = page("docs/corpus.md").split("```python\n")[1].split("```")[0]
    shown = subprocess.check_output([sys.executable, "-I", "-S", "-c", program], cwd=tmp_path, text=True)
    assert shown == "http://a.cz/ cs 3\n" * 2
