"""Edge: the harvest as a table and a page with plots: `sh texttractor.sh report`, `python -m txtr.report`."""

import os
import sys
from pathlib import Path

from txtr import clock, options
from txtr.errors import TheirMistake, UserMistake
from txtr.report.disk import load_yield, replace
from txtr.report.page import page
from txtr.report.table import ROWS, table

USAGE = """usage: sh texttractor.sh report [--state=DIR] [--limit=N] [--html=FILE]

Prints what a crawl, running or ended, has yielded: per language and per domain.

  --state=DIR   the crawl's state directory (default: as in config.txt, else state)
  --limit=N     show so many domains (default: 20)
  --html=FILE   also write a page with plots; it is one file and needs no other"""
HTML, LIMIT = "--html", "--limit"


def main(argv: list[str]) -> int:
    if "--help" in argv:
        print(USAGE)
        return 0
    try:
        target, rest = _taken(HTML, "FILE", argv)
        limit, rest = _taken(LIMIT, "N", rest)
        rows = _number(limit)
        state = options.load(rest, _read).state
        known = load_yield(Path(state))
        if known is None:
            raise UserMistake(f"--state={state}: no crawl has kept count there")
        print("\n".join(table(known, clock.stamp(known.time), rows)))
        if target:
            _write(target, page(known))
    except (UserMistake, TheirMistake) as error:
        print(f"report: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader has seen enough; nothing is left to be flushed
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


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
    if text and not (text.isascii() and text.isdigit()):
        raise UserMistake(f"{LIMIT}={text[:20]}: expected a number of domains")
    return int(text[:9]) if text else ROWS


def _write(target: str, text: str) -> None:
    try:
        replace(Path(target), text.encode("utf-8", "replace"))
    except OSError as error:
        raise UserMistake(f"--html={target}: {error.strerror}") from error
    print(f"\nwritten: {target}")


def _read(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")
