"""Edge: the harvest as a table and a page with plots: `sh texttractor.sh report`, `python -m txtr.report`."""

import sys
from pathlib import Path

from txtr import clock, files
from txtr.config.options import MANY
from txtr.config.values import whole_within
from txtr.console.option_files import load
from txtr.console.program import explain, run
from txtr.diary.file import load_yield
from txtr.diary.yields import Yield
from txtr.errors import TheirMistake, UserMistake
from txtr.escapes import escaped
from txtr.report.page import page
from txtr.report.table import ROWS, table

USAGE = """usage: sh texttractor.sh report [--state=DIR] [--limit=N] [--html=FILE]

Prints what a crawl, running or ended, has yielded: per language and per domain.

  --state=DIR   the crawl's state directory (default: as in config.txt, else state)
  --limit=N     show so many domains (default: 20)
  --html=FILE   also write a page with plots; it is one file and needs no other
                (/dev/stdout: only the page, and that on the standard output)"""
NAME = "report"
HTML, LIMIT = "--html", "--limit"


def main(argv: list[str]) -> int:
    """Show what the arguments ask for; the exit code."""
    return run(NAME, lambda: _run(argv))


def _run(argv: list[str]) -> int:
    if explain(argv, USAGE):
        return 0
    target, rest = _taken(HTML, "FILE", argv)
    limit, rest = _taken(LIMIT, "N", rest)
    rows = _number(limit)
    known = _yield(load(rest).state)
    if target and files.is_output(Path(target)):  # a table is no part of a page
        sys.stdout.buffer.write(page(known).encode("utf-8", "replace"))
        return 0
    print("\n".join(map(escaped, table(known, clock.stamp(known.time), rows))))
    if target:
        _write(target, page(known))
    return 0


def _yield(state: str) -> Yield:
    try:
        known = load_yield(Path(state))
    except TheirMistake as error:  # the user can move it away
        raise UserMistake(str(error)) from error
    if known is None:
        raise UserMistake(f"--state={state}: no crawl has kept count there")
    return known


def _taken(option: str, kind: str, argv: list[str]) -> tuple[str, list[str]]:
    """The value of an option that only we have, and the other arguments."""
    found, rest, words = "", [], list(argv)
    while words:
        word = words.pop(0)
        name, equals, value = word.partition("=")
        if name != option:
            rest.append(word)
            continue
        found = value if equals else words.pop(0) if words else ""
        if not found or found.startswith("--"):
            raise UserMistake(f"{option} needs a value: {option}={kind}")
    return found, rest


def _number(text: str) -> int:
    number = whole_within(text, 0, MANY) if text else ROWS
    if number is None:
        raise UserMistake(f"{LIMIT}={text[:20]}: expected a number of domains, 0 to {MANY}")
    return number


def _write(target: str, text: str) -> None:
    try:
        files.remove_leftovers_of(Path(target))
        files.replace(Path(target), text.encode("utf-8", "replace"), as_it_is=files.STREAMS)
    except OSError as error:
        raise UserMistake(f"--html={target}: {error.strerror}") from error
    print(f"\nwritten: {target}")
