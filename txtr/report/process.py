"""Edge: the harvest as a table and a page with plots: `sh texttractor.sh report`, `python -m txtr.report`."""

import os
import sys
from pathlib import Path

from txtr import options
from txtr.errors import TheirMistake, UserMistake
from txtr.report.disk import load_yield, replace
from txtr.report.page import page
from txtr.report.table import table

USAGE = """usage: sh texttractor.sh report [--state=DIR] [--html=FILE]

Prints what a crawl, running or ended, has yielded: per language and per domain.

  --state=DIR   the crawl's state directory (default: as in config.txt, else state)
  --html=FILE   also write a page with plots; it is one file and needs no other"""
HTML = "--html"


def main(argv: list[str]) -> int:
    if "--help" in argv:
        print(USAGE)
        return 0
    try:
        target, rest = _target(argv)
        state = options.load(rest, _read).state
        known = load_yield(Path(state))
        if known is None:
            raise UserMistake(f"--state={state}: no crawl has kept count there")
        print("\n".join(table(known)))
        if target:
            _write(target, page(known))
    except (UserMistake, TheirMistake) as error:
        print(f"report: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader has seen enough; nothing is left to be flushed
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _target(argv: list[str]) -> tuple[str, list[str]]:
    """The file that --html names, and the other arguments."""
    target, rest, words = "", [], list(argv)
    while words:
        word = words.pop(0)
        name, equals, value = word.partition("=")
        if name != HTML:
            rest.append(word)
            continue
        target = value if equals else words.pop(0) if words else ""
        if not target or target.startswith("--"):
            raise UserMistake("--html needs a value: --html=FILE")
    return target, rest


def _write(target: str, text: str) -> None:
    try:
        replace(Path(target), text.encode("utf-8", "replace"))
    except OSError as error:
        raise UserMistake(f"--html={target}: {error.strerror}") from error
    print(f"\nwritten: {target}")


def _read(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")
