"""The names of the files of a state: spelt in one module."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from txtr.config import places

TXTR = Path(__file__).parents[2] / "txtr"
DISTINCT = {name for name in places.STATE_FILES if "." in name}  # the others are words, too
OTHERS = sorted(path for path in TXTR.rglob("*.py") if path != TXTR / "config" / "places.py")


def literals(tree: ast.AST) -> Iterator[str]:
    """Every text in a module, and whatever a path is joined with, in brackets."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Div)
            and isinstance(node.right, ast.Constant)
        ):
            yield f"[{node.right.value}]"


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: str(path.relative_to(TXTR)))
def test_no_other_module_spells_the_name_of_a_file_of_the_state(path: Path) -> None:
    """status.json was a literal in four programs: whoever renamed it in one would have broken the others."""
    forbidden = DISTINCT | {f"[{name}]" for name in places.STATE_FILES} | {"-wal", "frontier.journal-"}
    assert forbidden.isdisjoint(literals(ast.parse(path.read_text("utf-8"))))


def test_the_names_are_all_in_the_list() -> None:
    """It is what the manual of the state is compared with."""
    spelt = {value for name, value in vars(places).items() if name.isupper() and isinstance(value, str)}
    assert spelt | set(places.JOURNAL_FILES) == set(places.STATE_FILES)
    assert set(places.CRAWL_FILES) <= spelt
