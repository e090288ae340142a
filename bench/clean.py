"""How good is the main text, and how fast, beside other extractors?

    python bench/clean.py DATA [--pages=N] [--only=ours,trafilatura]

DATA is the directory that the extraction sets were unpacked into (one directory per set, each with pages/,
gold/ and meta.jsonl). All extractors get the same decoded text. Printed are the mean over pages of word F1
and of 4-gram F1 per set, their mean over the seven sets with gold text, 4-gram F1 by type of page (wcxb), F1
of snippets that must and must not be in the text (trafilatura-eval), and pages per CPU second.

Beware: our trees have learnt from these pages. The honest figures for ours are those that
bench/train_clean.py prints, where every page is judged by trees that have not seen its site.

The others come from bench/requirements-clean.txt, into an environment of their own.
"""

import argparse
import json
import random
import re
import sys
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

GOLD = ("wcxb", "scrapinghub", "cleaneval", "dragnet", "canola", "daniel", "fundus")
SNIPPETS = "trafilatura-eval"
TYPES = ("article", "documentation", "service", "forum", "product", "listing", "collection")

# Han, kana and Thai have no blanks between words: one token per character.
_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0e7f]|[^\W_]+")

Extractor = Callable[[str, dict], str]


@dataclass(slots=True)
class Score:
    """What an extractor has reached so far."""

    words: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))  # set -> F1 per page
    grams: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))  # set or type -> F1
    snippets: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    pages: int = 0


def tokens(text: str) -> list[str]:
    return _TOKEN.findall(unicodedata.normalize("NFKC", text).lower())


def grams(words: list[str]) -> Counter[tuple[str, ...]]:
    """The multiset of 4-grams; a shorter text is one gram."""
    if 0 < len(words) < 4:
        return Counter([tuple(words)])
    return Counter(zip(*(words[start:] for start in range(4)), strict=False))


def f1(gold: Counter, found: Counter) -> float:
    if not gold:
        return float(not found)
    common = (gold & found).total()
    return 2 * common / (gold.total() + found.total())


def pages(data: Path, name: str) -> Iterator[tuple[dict, str, str]]:
    """What is known of each page, its decoded text, its gold text."""
    for line in (data / name / "meta.jsonl").read_text("utf-8").splitlines():
        known = json.loads(line)
        body = (data / name / "pages" / f"{known['id']}.html").read_bytes()
        gold = data / name / "gold" / f"{known['id']}.txt"
        yield (
            known,
            body.decode(known["encoding"], "replace"),
            gold.read_text("utf-8") if gold.exists() else "",
        )


def judge(score: Score, name: str, known: dict, gold: str, text: str) -> None:
    """Enter one page into the score."""
    if known.get("gold_tokens"):
        right, found = tokens(gold), tokens(text)
        score.words[name].append(f1(Counter(right), Counter(found)))
        score.grams[name].append(f1(grams(right), grams(found)))
        if kind := known.get("page_type"):
            score.grams[kind].append(score.grams[name][-1])
    if name == SNIPPETS:
        text = " ".join(text.split())
        for key in ("with", "without"):
            hits = sum(" ".join(snippet.split()) in text for snippet in known.get(key) or [])
            score.snippets[key] += hits
            score.snippets[key + " missed"] += len(known.get(key) or []) - hits


def snippet_f1(counts: Counter[str]) -> float:
    return 2 * counts["with"] / max(1, 2 * counts["with"] + counts["without"] + counts["with missed"])


def run(data: Path, extractors: dict[str, Extractor], most: int) -> dict[str, Score]:
    """All extractors over all sets, page by page, so that all meet the same weather."""
    scores = {name: Score() for name in extractors}
    for name in (*GOLD, SNIPPETS):
        known = list(pages(data, name)) if not most else _sample(pages(data, name), most)
        for about, markup, gold in known:
            for who, extract in extractors.items():
                score, start = scores[who], time.process_time()
                try:
                    text = extract(markup, about)
                except Exception as error:  # other people's bugs are their score, not the bench's end
                    print(f"{who} on {name}/{about['id']}: {error!r}", file=sys.stderr)
                    text = ""
                score.seconds += time.process_time() - start
                score.pages += 1
                judge(score, name, about, gold, text)
    return scores


def _sample(known: Iterator[tuple[dict, str, str]], most: int) -> list[tuple[dict, str, str]]:
    every = list(known)
    return random.Random(1).sample(every, min(most, len(every)))


def table(scores: dict[str, Score]) -> Iterator[str]:
    """The figures, as lines of markdown."""
    names = [*GOLD, "mean of 7"]
    for title, column in (("4-gram F1", "grams"), ("word F1", "words")):
        yield f"| {title} | " + " | ".join(names) + " | snippets | pages/s |"
        yield "|---" * (len(names) + 3) + "|"
        for who, score in scores.items():
            means = [mean(getattr(score, column)[name]) for name in GOLD]
            cells = [f"{value:.3f}" for value in (*means, mean(means), snippet_f1(score.snippets))]
            yield f"| {who} | " + " | ".join(cells) + f" | {score.pages / score.seconds:.0f} |"
        yield ""
    yield "| 4-gram F1, wcxb | " + " | ".join(TYPES) + " |"
    yield "|---" * (len(TYPES) + 1) + "|"
    for who, score in scores.items():
        cells = [f"{mean(score.grams[kind] or [0]):.3f}" for kind in TYPES]
        yield f"| {who} | " + " | ".join(cells) + " |"


def ours() -> Extractor:
    from txtr.clean.charset.normal import normalize
    from txtr.clean.content import main

    return lambda markup, about: normalize("\n".join(main.lines(markup)))


def stripped() -> Extractor:
    from lxml import etree

    def extract(markup: str, about: dict) -> str:
        parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True)
        tree = etree.fromstring(markup.encode("utf-8", "replace"), parser)
        etree.strip_elements(tree, "script", "style", "noscript", with_tail=False)
        return "\n".join(tree.itertext())

    return extract


def trafilatura() -> Extractor:
    from trafilatura import extract

    def text(markup: str, about: dict) -> str:
        return extract(markup, include_comments=about["dataset"] != "dragnet") or ""

    return text


def justext() -> Extractor:
    import justext

    languages = {
        "en": "English",
        "de": "German",
        "pl": "Polish",
        "ru": "Russian",
        "el": "Greek",
        "es": "Spanish",
    }
    languages |= {"fr": "French", "cs": "Czech", "sk": "Slovak", "tr": "Turkish", "pt": "Portuguese"}
    lists = {code: justext.get_stoplist(name) for code, name in languages.items()}

    def text(markup: str, about: dict) -> str:
        found = justext.justext(
            markup.encode("utf-8", "replace"), lists.get(about["lang"], lists["en"]), encoding="utf-8"
        )
        return "\n".join(paragraph.text for paragraph in found if not paragraph.is_boilerplate)

    return text


def readability() -> Extractor:
    from lxml import html
    from readability import Document

    return lambda markup, about: "\n".join(html.fromstring(Document(markup).summary()).itertext())


def resiliparse() -> Extractor:
    from resiliparse.extract.html2text import extract_plain_text

    return lambda markup, about: extract_plain_text(markup, main_content=True)


ALL = (ours, trafilatura, justext, readability, resiliparse, stripped)


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("data", type=Path)
    arguments.add_argument("--pages", type=int, default=0, help="of each set, chosen by lot; 0: all")
    arguments.add_argument("--only", default=",".join(maker.__name__ for maker in ALL))
    given = arguments.parse_args()
    extractors = {maker.__name__: maker() for maker in ALL if maker.__name__ in given.only.split(",")}
    for extract in extractors.values():
        extract("<p>A first page, so that nobody is charged for loading.</p>", {"dataset": "", "lang": "en"})
    print("\n".join(table(run(given.data, extractors, given.pages))))


if __name__ == "__main__":
    main()
