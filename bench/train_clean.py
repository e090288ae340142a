"""Teach the cleaner's trees what main content looks like, and say how well they have learnt.

    python bench/train_clean.py DATA [--write] [--folds=4]

DATA is the directory that the extraction sets were unpacked into. Each page becomes blocks with features by
the cleaner's own code; a block's label is the share of its tokens that stand in a 4-gram of the gold text.
Trees are trained on the pages of all sites but a fold's, and judge the pages of that fold: the figures
printed are out of fold, by site, so no page is judged by trees that have seen its site. With --write, trees
trained on everything go to txtr/clean/content/weights.txt.

Needs bench/requirements-clean.txt in an environment of its own. Takes some ten minutes and 4 GB.
"""

import argparse
import hashlib
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import exp
from multiprocessing import Pool
from pathlib import Path
from statistics import mean
from typing import Any

import lightgbm
import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

from clean import GOLD, TYPES, f1, grams, pages, tokens  # noqa: E402

from txtr.clean.content import blocks, features, main, trees, walk  # noqa: E402
from txtr.clean.html.bare import Bare  # noqa: E402

WEIGHTS = ROOT / "txtr" / "clean" / "content" / "weights.txt"
TREES = 200
PARAMETERS = {
    "objective": "cross_entropy",
    "learning_rate": 0.07,
    "num_leaves": 31,
    "min_data_in_leaf": 100,
    "min_sum_hessian_in_leaf": 1.0,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "max_bin": 63,
    "num_threads": 2,
    "seed": 1,
    "verbose": -1,
}
MOST_BLOCKS = 120  # of one page that are learnt from
MOST_WEIGHT = 3.0  # of a page's blocks together, in lengths of its gold text
WEAK, WEAK_WEIGHT = set(TYPES) - {"article", "documentation"}, 2.0  # rare types of pages count more
SET_POWER = -0.6  # small sets count more per page, but not so much that they count as large ones


@dataclass(slots=True)
class Page:
    """A page to learn from or to be judged by."""

    name: str  # of its set
    kind: str  # of page, where known
    site: str
    blocks: blocks.Blocks
    parts: tuple[list[features.Row], features.Part]  # rows of features as the forest wants them
    rows: np.ndarray  # and as the learner does
    right: np.ndarray  # the share of each block that is main text
    sizes: np.ndarray  # tokens of each block
    gold: Counter
    weights: np.ndarray | None = None


def read(data: Path) -> list[Page]:
    jobs = ((name, *page) for name in GOLD for page in pages(data, name))
    with Pool(2) as pool:
        return list(pool.imap(_page, jobs, chunksize=20))


def _page(job: tuple[str, dict[str, Any], str, str]) -> Page:
    name, known, markup, gold = job
    page = walk.read(Bare(markup))
    found, common = features.rows(page)
    parts = list(found)
    rows = [list(_flat(row, common)) for row in parts]
    written, wanted = [tokens(text) for text in page.texts], tokens(gold)
    return Page(
        name=name,
        kind=known.get("page_type", ""),
        site=known.get("domain") or known["id"],
        blocks=page,
        parts=(parts, common),
        rows=np.array(rows, dtype=np.float32).reshape(len(rows), len(features.NAMES)),
        right=np.array(list(_shares(page.texts, written, grams(wanted))), dtype=np.float32),
        sizes=np.array([len(words) for words in written], dtype=np.float32),
        gold=grams(wanted),
    )


def _flat(row: features.Row, common: features.Part) -> Iterator[float]:
    """The columns of features.NAMES."""
    return chain(*row, common)


def _shares(texts: Sequence[str], written: list[list[str]], gold: Counter) -> Iterator[float]:
    """For each block, how much of it is in the gold text; what the page says oftener counts in part.

    Blocks that the page repeats as a whole count in full: the cleaner says them once.
    """
    words = [word for block in written for word in block]
    found = list(zip(*(words[start:] for start in range(4)), strict=False))
    often, repeated = Counter(found), Counter(texts)
    covered = [0.0] * len(words)
    starts = np.cumsum([0, *map(len, written)])
    for block, text in enumerate(texts):
        is_repeated = repeated[text] > 1 and len(text) >= main.SHORTEST_REPEATED
        for place in range(starts[block], min(starts[block + 1], len(found))):
            gram = found[place]
            if gram in gold:
                inside = is_repeated and place + 4 <= starts[block + 1]
                share = 1.0 if inside else min(1.0, gold[gram] / often[gram])
                for word in range(place, place + 4):
                    covered[word] = max(covered[word], share)
    for block, count in enumerate(map(len, written)):
        yield sum(covered[starts[block] : starts[block + 1]]) / count if count else 0.0


def weigh(all_pages: list[Page]) -> None:
    """A block weighs what it adds to its page's score; a page, more when its set or type is rare."""
    counts = Counter(page.name for page in all_pages)
    for page in all_pages:
        weights = page.sizes / max(page.gold.total(), 20)
        weights *= min(1.0, MOST_WEIGHT / max(weights.sum(), 1e-9))
        weights += 0.2 / max(1, len(weights))
        page.weights = weights * counts[page.name] ** SET_POWER * (WEAK_WEIGHT if page.kind in WEAK else 1.0)


def train(taught: list[Page]) -> lightgbm.Booster:
    chance = np.random.default_rng(1)
    parts = [_chosen(page, chance) for page in taught if len(page.rows)]
    rows, right, weights = (np.concatenate(column) for column in zip(*parts, strict=True))
    data = lightgbm.Dataset(rows, right, weight=weights / weights.mean(), feature_name=features.NAMES)
    return lightgbm.train(PARAMETERS, data, TREES)


def _chosen(page: Page, chance: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A page's heavy blocks for certain, the light ones by chance, weighing more."""
    assert page.weights is not None
    if len(page.rows) <= MOST_BLOCKS:
        return page.rows, page.right, page.weights
    share = MOST_BLOCKS / 2 / len(page.rows) + MOST_BLOCKS / 2 * page.weights / page.weights.sum()
    share = np.minimum(1.0, share)
    taken = chance.random(len(share)) < share
    return page.rows[taken], page.right[taken], (page.weights / share)[taken]


def written(booster: lightgbm.Booster) -> list[str]:
    """The trees as lines of weights.txt: in prefix order, see txtr/clean/content/trees.py."""
    return [" ".join(_nodes(tree["tree_structure"])) for tree in booster.dump_model()["tree_info"]]


def _nodes(node: dict[str, Any]) -> Iterator[str]:
    if "split_feature" not in node:
        yield f"{node['leaf_value']:.4g}"
        return
    yield f"{node['split_feature']}<{node['threshold']:.6g}"
    yield from _nodes(node["left_child"])
    yield from _nodes(node["right_child"])


def judged(page: Page, scores: trees.Scores) -> float:
    """4-gram F1 of what the cleaner would keep of a page with these trees."""
    probable = [1 / (1 + exp(-score)) for score in scores(*page.parts)]
    kept = main.choose(page.blocks, probable)
    return f1(page.gold, grams([word for number in kept for word in tokens(page.blocks.texts[number])]))


def fold_of(page: Page, folds: int) -> int:
    return int(hashlib.md5(page.site.encode()).hexdigest(), 16) % folds


def out_of_fold(all_pages: list[Page], folds: int) -> dict[str, list[float]]:
    reached: dict[str, list[float]] = defaultdict(list)
    for fold in range(folds):
        booster = train([page for page in all_pages if fold_of(page, folds) != fold])
        scores = trees.compile_forest(
            written(booster), features.PARTS, features.COMMON, main.ROUND, main.SURE
        )
        for page in all_pages:
            if fold_of(page, folds) == fold and page.gold:
                reached[page.name].append(judged(page, scores))
                reached[page.kind].append(reached[page.name][-1])
        print(
            f"fold {fold + 1} of {folds}", {name: round(mean(reached[name]), 3) for name in reached if name}
        )
    return reached


def run() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("data", type=Path)
    arguments.add_argument("--write", action="store_true", help="write txtr/clean/content/weights.txt")
    arguments.add_argument("--folds", type=int, default=4, help="0: no figures")
    given = arguments.parse_args()
    all_pages = read(given.data)
    weigh(all_pages)
    if given.write:
        head = "# Decision trees over the columns of features.NAMES, written by bench/train_clean.py.\n"
        WEIGHTS.write_text(head + "\n".join(written(train(all_pages))) + "\n", "ascii")
    if given.folds:
        reached = out_of_fold(all_pages, given.folds)
        means = [mean(reached[name]) for name in GOLD]
        print("4-gram F1 out of fold, by site")
        print(
            *(f"{name} {value:.3f}" for name, value in zip(GOLD, means, strict=True)),
            f"mean {mean(means):.4f}",
        )
        print("wcxb by type:", *(f"{kind} {mean(reached[kind]):.3f}" for kind in TYPES))


if __name__ == "__main__":
    run()
