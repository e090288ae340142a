"""Every regular expression of txtr takes time in proportion to what it reads, whatever that is.

An expression that begins again at each letter of a run, or shares a run among two of its parts in every
possible way, holds the event loop for seconds at a page of some kilobytes. So each expression is found in
the source, taken apart, and tried with its own words: what leads to a repetition, the repetition many
times, then something that it does not take.
"""

import ast
import importlib
import re
import re._constants as op
import re._parser as parser
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import txtr
from txtr.clean.dates import LONGEST_DATE as LONGEST_DATE
from txtr.clean.text.split import _LONG as LONGEST_ABBREVIATION

HOME = Path(txtr.__file__).parent
WAYS = {"match", "fullmatch", "search", "findall", "finditer", "sub", "subn", "split"}
ANCHORED = {"match", "fullmatch"}  # they begin at one place only
SMALL_SIZES = [int(8 * 1.2**step) for step in range(23)]  # for what doubles with each letter
SIZES = (*SMALL_SIZES, 512, 2048, 4096, 8192)
HARMLESS = 0.008  # seconds: what takes no longer at the last size cannot be told from noise
MOST_GROWTH = 9.0  # times as long at four times the size: 4 is linear, 16 quadratic
MOST_PROBES = 60  # per expression
USUAL = " a0-_.,;:/<>\"'=(é字\n"  # letters of every kind, for classes

# Expressions that would be slow if what they read were long, and the most that they ever read.
BOUNDS = {
    "txtr.clean.dates:_ENGLISH": LONGEST_DATE,
    "txtr.clean.text.split:_LETTERED": LONGEST_ABBREVIATION,
}

# Calls whose expression depends on what a function was given: why they are harmless.
USERS = "the user's own expression, for links of 2,000 letters and names of 253"
GIVEN = {
    "txtr.clean.charset.normal: f'[{leads}â](?:(?<!â)[{rest}]|(?<=â)[{re": "kept in a table, tried there",
    "txtr.clean.native.links: sign": "one letter at a time, of parameters.txt",
    "txtr.corpus.shards: re.escape(self._instance) + '-(\\\\d{5,9})": "names of files",
    "txtr.alternatives: '|'.join(rest)": USERS,
    "txtr.alternatives: pattern": USERS,
    "txtr.store.inspection: pattern": USERS,
    "txtr.config.options: pattern": "the user's own values",
    "txtr.config.options: value": "compiled only",
    "txtr.config.expressions: line": "compiled only",
    "txtr.admin.answers: pattern": USERS,
    "txtr.queue.command: text": "compiled only",
    "txtr.segment.usability: f\"[{''.join((sign for sign in _MARKED if": "kept as MARKS, tried there",
}


@dataclass(frozen=True, slots=True)
class Expression:
    """One expression of the source, and how it is used."""

    name: str  # module:NAME, or module:line for one without a name
    pattern: re.Pattern[Any]
    ways: frozenset[str]


@dataclass(frozen=True, slots=True)
class Probe:
    """A text of any length: what comes first, what comes again and again, and what comes last."""

    first: str
    often: str  # before the second half
    again: str
    last: str

    def text(self, size: int) -> str:
        halves = [half * (size // (2 * len(half))) for half in (self.often, self.again) if half]
        return self.first + "".join(halves) + self.last


# Finding them


@cache
def trees() -> dict[str, ast.Module]:
    return {_module(path): ast.parse(path.read_text("utf-8")) for path in sorted(HOME.rglob("*.py"))}


def _module(path: Path) -> str:
    return ".".join(path.relative_to(HOME.parent).with_suffix("").parts).removesuffix(".__init__")


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    """Where the source calls a function of `re` that takes an expression."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            whose = node.func.value
            if isinstance(whose, ast.Name) and whose.id == "re" and node.func.attr in WAYS | {"compile"}:
                yield node


def written(module: str, call: ast.Call) -> re.Pattern[Any] | None:
    """The expression of this call; None if it depends on what a function was given."""
    assert isinstance(call.func, ast.Attribute)
    flags = {word.arg: word.value for word in call.keywords}.get("flags")
    if flags is None:
        place = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(call.func.attr, 2)
        flags = call.args[place] if len(call.args) > place else None
    names = vars(importlib.import_module(module))
    try:
        pattern = _value(call.args[0], names)
        return re.compile(pattern, _value(flags, names) if flags else 0)
    except (NameError, re.error):
        return None


def _value(node: ast.expr, names: dict[str, Any]) -> Any:
    return eval(compile(ast.Expression(node), "<expression>", "eval"), dict(names))


@cache
def uses() -> dict[str, frozenset[str]]:
    """module:NAME -> the ways in which an expression of this name is used; a public one by any module."""
    found: dict[str, set[str]] = {}
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in WAYS:
                name = getattr(node.value, "id", getattr(node.value, "attr", ""))
                at_home = f"{module}:{name}" if name.startswith("_") else name
                found.setdefault(at_home, set()).add(node.attr)
    return {name: frozenset(ways) for name, ways in found.items()}


def inline() -> Iterator[Expression]:
    """What functions make, and what is used where it stands."""
    for module, tree in trees().items():
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda)]
        of_functions = {call for function in functions for call in calls(function)}
        for call in calls(tree):
            way = ast.unparse(call.func).removeprefix("re.")
            pattern = written(module, call) if call in of_functions or way != "compile" else None
            if pattern is not None:
                yield Expression(f"{module}:{call.lineno}", pattern, frozenset({way}))


def kept() -> Iterator[Expression]:
    """What modules keep, in a name or deep in a table."""
    for module in trees():
        if module.endswith("__main__"):
            continue
        for name, value in list(vars(importlib.import_module(module)).items()):
            ways = uses().get(f"{module}:{name}" if name.startswith("_") else name, frozenset({"search"}))
            for number, pattern in enumerate(_within(value, 3)):
                yield Expression(f"{module}:{name}" + f"[{number}]" * (number > 0), pattern, ways)


def _within(value: object, depth: int) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, tuple | list | set | frozenset | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _within(part, depth - 1)


@cache
def expressions() -> dict[str, Expression]:
    """Each once, by the name where it is at home."""
    found: dict[Any, Expression] = {}
    for expression in [*kept(), *inline()]:
        found.setdefault((expression.pattern, expression.ways), expression)
    return {expression.name: expression for expression in found.values()}


# Trying them


def probes(pattern: re.Pattern[Any]) -> Iterator[Probe]:
    """Hostile texts, made of the expression itself."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.LOCALE)
    found = {
        Probe(*shape, last)
        for lead, again in _pumps(tree, "", _letters(tree))
        for shape in (("", lead, again), (lead, "", again), ("", lead, ""))
        for last in ("", "\0")
        if any(shape)
    }
    return islice(sorted(found, key=str), MOST_PROBES)


def _letters(tree: Any) -> str:
    """The letters that the expression names, and the usual ones."""
    named = [chr(value) for code, value in _nodes(tree) if code is op.LITERAL]
    return "".join(dict.fromkeys([*named[:12], *USUAL]))


def _nodes(tree: Any) -> Iterator[tuple[Any, Any]]:
    for code, value in tree:
        yield code, value
        for part in _parts(code, value):
            yield from _nodes(part)


def _parts(code: Any, value: Any) -> list[Any]:
    """What an element of an expression consists of."""
    if code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        return [value[2]]
    if code is op.SUBPATTERN:
        return [value[3]]
    if code is op.ATOMIC_GROUP:
        return [value]
    if code is op.BRANCH:
        return list(value[1])
    if code in (op.ASSERT, op.ASSERT_NOT):
        return [value[1]]
    return []


def _pumps(tree: Any, lead: str, letters: str) -> Iterator[tuple[str, str]]:
    """For each repetition what leads to it and what it repeats."""
    for code, value in tree:
        parts = _parts(code, value)
        if code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT) and value[1] > 8:
            yield from ((lead, again) for again in _taken(value[2], letters))
        for part in parts[:8]:
            yield from _pumps(part, lead, letters)
        lead += _example([(code, value)], letters)
    yield lead, lead


def _taken(tree: Any, letters: str) -> Iterator[str]:
    """Some texts that this takes."""
    nodes = list(tree)
    if len(nodes) == 1 and not _parts(*nodes[0]):
        yield from islice((letter for letter in letters if _takes(*nodes[0], letter)), 5)
    else:
        yield _example(tree, letters)


def _example(tree: Any, letters: str) -> str:
    """A short text that this takes, assertions apart."""
    found = ""
    for code, value in tree:
        if code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            found += _example(value[2], letters) * max(value[0], 1)
        elif code is op.BRANCH:
            found += _example(value[1][0], letters)
        elif code not in (op.ASSERT, op.ASSERT_NOT):
            parts = _parts(code, value)
            found += _example(parts[0], letters) if parts else _letter(code, value, letters)
    return found


def _letter(code: Any, value: Any, letters: str) -> str:
    if code in (op.AT, op.GROUPREF):
        return ""
    if code is op.LITERAL:
        return chr(value)
    return next((letter for letter in [*letters, *_members(value)] if _takes(code, value, letter)), "")


def _members(value: Any) -> Iterator[str]:
    """Letters that a class names."""
    for code, what in value if isinstance(value, list) else []:
        if code is op.LITERAL:
            yield chr(what)
        elif code is op.RANGE:
            yield chr(what[0])


CATEGORIES: dict[Any, Callable[[str], bool]] = {
    op.CATEGORY_DIGIT: str.isdigit,
    op.CATEGORY_SPACE: str.isspace,
    op.CATEGORY_WORD: lambda letter: letter.isalnum() or letter == "_",
}


def _takes(code: Any, value: Any, letter: str) -> bool:
    """Does this element take this letter?"""
    if code is op.IN:
        is_taken = any(_takes(*member, letter) for member in value if member[0] is not op.NEGATE)
        return is_taken != (value[0][0] is op.NEGATE)
    if code is op.RANGE:
        return value[0] <= ord(letter) <= value[1]
    if code is op.CATEGORY:
        return _category(value, letter)
    if code is op.LITERAL:
        return ord(letter) == value
    if code is op.NOT_LITERAL:
        return ord(letter) != value
    return code is op.ANY


def _category(category: Any, letter: str) -> bool:
    name = str(category)
    kind = name.removeprefix("CATEGORY_").removeprefix("NOT_")
    return CATEGORIES[getattr(op, f"CATEGORY_{kind}")](letter) != ("NOT_" in name)


def seconds(expression: Expression, way: str, text: str) -> float:
    """Processor time that the expression takes for this text."""
    given: str | bytes = text
    if isinstance(expression.pattern.pattern, bytes):
        given = text.encode("latin-1", "replace")
    use: Callable[[Any], Any] = getattr(expression.pattern, "findall" if way not in ANCHORED else way)
    began = time.thread_time()
    use(given)
    return time.thread_time() - began


def slow(expression: Expression) -> str:
    """A text that takes the expression longer than in proportion to its length; '' if none was found."""
    most = min(BOUNDS.get(expression.name, SIZES[-1]), SIZES[-1])
    sizes = [*(size for size in SIZES if size < most), most]
    ways = {way if way in ANCHORED else "search" for way in expression.ways}
    for probe in probes(expression.pattern):
        for way in ways:
            takes = partial(seconds, expression, way)
            if _grows(lambda size, probe=probe, takes=takes: takes(probe.text(size)), sizes):
                return f"{way} of {probe}"
    return ""


def _grows(takes: Callable[[int], float], sizes: list[int]) -> bool:
    """Is it more than linear, or far too much? What looks like that is measured again: it may be noise."""
    for size in sizes:
        if takes(size) > HARMLESS and min(takes(size) for _ in range(3)) > HARMLESS:
            return size < SIZES[-1] or min(takes(size) for _ in range(3)) > MOST_GROWTH * takes(size // 4)
    return False


# The tests


def test_every_expression_of_the_source_is_known():
    """Whatever is not tried is in a table, with a reason; and the tables name nothing that is gone."""
    given = {
        f"{module}: {ast.unparse(call.args[0])[:40]}"
        for module, tree in trees().items()
        for call in calls(tree)
        if written(module, call) is None
    }
    assert given == set(GIVEN)
    assert set(BOUNDS) <= set(expressions())


def test_nobody_hides_an_expression():
    """`from re import compile`, or another package of expressions, would escape the search."""
    for tree in trees().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                assert node.module not in ("re", "regex")
            elif isinstance(node, ast.Import):
                assert not any(
                    name.name == "regex" or (name.name == "re" and name.asname) for name in node.names
                )


def test_every_expression_of_a_module_is_found_where_the_module_keeps_it():
    """As many in names and tables as the source compiles."""
    kept_patterns = {expression.pattern for expression in expressions().values()}
    for module, tree in trees().items():
        written_here = {written(module, call) for call in calls(tree)} - {None}
        assert written_here <= kept_patterns, module


@pytest.mark.parametrize("name", sorted(expressions()))
def test_an_expression_takes_time_in_proportion_to_its_text(name):
    """A page is written by anybody, and while an expression is at work nobody is listened to."""
    assert slow(expressions()[name]) == ""


@pytest.mark.parametrize(
    "pattern",
    [
        r"charset\s*=\s*[\"']?\s*([^\s\"';,]+)",
        rb"<meta\b[^>]*?\bcharset\s*=\s*[\"']?\s*([^\s\"'/>;]+)",
        rb"(?s)<!--.*?-->",
        r"\s+$",
        r"(?:a|b|ab)*c",
        r"(\w+\s?)+:",
        r"(x+)\1y",
    ],
)
def test_a_slow_expression_is_found(pattern):
    """The first three held harvesters up for seconds."""
    assert slow(Expression("slow", re.compile(pattern), frozenset({"search"})))
