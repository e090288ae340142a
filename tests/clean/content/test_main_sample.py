"""A floor that the quality of the main text may not sink below, on a sample of real pages.

The trees have learnt from most of these pages, so the floor tells nothing about pages never
seen (bench/train_clean.py does); it tells when the cleaner has got worse.
"""

import json
import lzma
from collections import defaultdict
from pathlib import Path
from statistics import mean

import pytest

from bench.clean import f1, grams, snippet_f1, tokens
from txtr.clean.charset.normal import normalize
from txtr.clean.content import main

SAMPLE = Path(__file__).parents[2] / "pages" / "sample" / "pages.jsonl.xz"
FLOORS = {"wcxb": 0.89, "fundus": 0.95, "scrapinghub": 0.91}  # mean 4-gram F1; measured .917, .972, .931
SNIPPETS = 0.93  # measured .973


@pytest.fixture(scope="module")
def sample():
    with lzma.open(SAMPLE, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def text_of(page):
    return normalize("\n".join(main.lines(page["html"])))


def test_the_main_text_is_as_good_as_it_was(sample):
    """Mean 4-gram F1 per set."""
    reached = defaultdict(list)
    for page in sample:
        if page["gold"]:
            reached[page["set"]].append(f1(grams(tokens(page["gold"])), grams(tokens(text_of(page)))))
    means = {name: mean(values) for name, values in reached.items()}
    assert {name: value for name, value in means.items() if value < FLOORS[name]} == {}


def test_marked_snippets_are_kept_and_left_out_as_they_were(sample):
    """F1 of snippets that must and must not be in the text."""
    counts = defaultdict(int)
    for page in sample:
        if page["set"] == "trafilatura-eval":
            text = " ".join(text_of(page).split())
            for key in ("with", "without"):
                found = [" ".join(snippet.split()) in text for snippet in page[key]]
                counts[key] += sum(found)
                counts[key + " missed"] += found.count(False)
    assert snippet_f1(counts) >= SNIPPETS
