"""Who finds the ends of sentences best, and who fastest?

    python bench/sentences.py [--data=DIR] [--venv=DIR] [--lines=5] [--all-lines]

The gold sentences of the data (Universal Dependencies, one per line) are joined with blanks, so many lines
to a paragraph; ours and the libraries split them, and boundaries inside paragraphs are compared. Lines that
do not end with a stop (headings, items of lists) cannot be told from what follows and are left out, unless
--all-lines asks for them. Speed is that of whole paragraphs, in characters per second of one process, best
of some runs.

The libraries are no dependencies of ours: they are installed into a virtual environment of their own.
"""

import argparse
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import time
import venv
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

LIBRARIES = (
    "sentencex",
    "blingfire",
    "numpy",
    "syntok",
    "sentence-splitter",
    "pysbd",
)  # blingfire wants numpy
GOLD = {"cs": "cs_cac-ud-dev.txt", "sk": "sk_snk-ud-dev.txt", "pl": "pl_pdb-ud-dev.txt"}
ENDS = re.compile(r"[.!?…][\"'”“’»)\]]*$")
RUNS = 5
Split = Callable[[str], list[str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--venv", type=Path, default=Path(tempfile.gettempdir()) / "txtr-bench-sentences")
    parser.add_argument("--lines", type=int, default=5, help="of a paragraph")
    parser.add_argument("--all-lines", action="store_true", help="headings, too")
    arguments = parser.parse_args()
    python = arguments.venv / "bin" / "python"
    if Path(sys.prefix).resolve() != arguments.venv.resolve():
        _provide(arguments.venv, python)
        ours = {**os.environ, "PYTHONPATH": sysconfig.get_path("platlib")}  # where our own dependencies are
        sys.exit(subprocess.call([python, __file__, *sys.argv[1:]], env=ours))
    compare(arguments.data / "sentences", arguments.lines, arguments.all_lines)


def _provide(directory: Path, python: Path) -> None:
    if not python.exists():
        venv.create(directory, with_pip=True)
    subprocess.check_call([python, "-m", "pip", "install", "--quiet", *LIBRARIES])


def compare(directory: Path, lines: int, is_all: bool) -> None:
    print(f"{'':20}{'language':>10}{'F1':>8}{'precision':>11}{'recall':>8}{'M chars/s':>11}")
    for language, name in GOLD.items():
        gold = paragraphs((directory / name).read_text("utf-8"), lines, is_all)
        for splitter, split in splitters(language).items():
            f1, precision, recall = score(gold, split)
            speed = characters_per_second(gold, split) / 1e6
            print(f"{splitter:20}{language:>10}{f1:8.4f}{precision:11.4f}{recall:8.4f}{speed:11.1f}")


def paragraphs(text: str, lines: int, is_all: bool) -> list[list[str]]:
    kept = [
        line.strip() for line in text.splitlines() if line.strip() and (is_all or ENDS.search(line.strip()))
    ]
    return [kept[start : start + lines] for start in range(0, len(kept), lines)]


def splitters(language: str) -> dict[str, Split]:
    """Ours, with and without knowing the language, and the libraries that know it."""
    import blingfire
    import pysbd
    import sentencex
    from sentence_splitter import SentenceSplitter
    from syntok import segmenter

    from txtr.clean.text.split import sentences

    def syntok(text: str) -> list[str]:
        return [
            "".join(token.spacing + token.value for token in sentence)
            for paragraph in segmenter.analyze(text)
            for sentence in paragraph
        ]

    found: dict[str, Split] = {
        "ours": sentences,
        "ours, told": lambda text: sentences(text, language),
        "sentencex": lambda text: list(sentencex.segment(language, text)),
        "blingfire": lambda text: blingfire.text_to_sentences(text).split("\n"),
        "syntok": syntok,
        "sentence-splitter": SentenceSplitter(language=language).split,
    }
    if language in pysbd.languages.LANGUAGE_CODES:
        found["pysbd"] = pysbd.Segmenter(language=language, clean=False).segment
    return found


def score(gold: list[list[str]], split: Split) -> tuple[float, float, float]:
    """F1, precision and recall of the boundaries inside paragraphs."""
    right = wanted = given = 0
    for paragraph in gold:
        inside, found = ends(paragraph), ends(split(" ".join(paragraph)))
        last = max(inside)
        inside.discard(last)
        found.discard(last)
        right, wanted, given = right + len(inside & found), wanted + len(inside), given + len(found)
    precision, recall = right / given, right / wanted
    return 2 * precision * recall / (precision + recall), precision, recall


def ends(lines: list[str]) -> set[int]:
    """Where the lines end, in characters that are not blank."""
    at, found = 0, set()
    for line in filter(str.strip, lines):
        at += len("".join(line.split()))
        found.add(at)
    return found


def characters_per_second(gold: list[list[str]], split: Split) -> float:
    texts = [" ".join(paragraph) for paragraph in gold]
    best = float("inf")
    for _ in range(RUNS):
        began = time.process_time()
        for text in texts:
            split(text)
        best = min(best, time.process_time() - began)
    return sum(map(len, texts)) / best


if __name__ == "__main__":
    main()
