"""Edge: `sh texttractor.sh queue`: looks into the frontier's state, running or stopped, and has it changed.

Looking never holds anybody up and never changes anything. An order is carried out by whoever owns the
state: the queuekeeper if one is at work, else we ourselves, under its lock.
"""

import csv
import os
import shlex
import sqlite3
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from txtr.admin import answers
from txtr.admin.crawl import Crawl, find_crawl
from txtr.config.places import DATABASE_FILE
from txtr.console import table
from txtr.console.program import complain, run
from txtr.errors import Damaged, UserMistake
from txtr.escapes import cell, escaped, json_line
from txtr.queue.command import CSV, parse
from txtr.seeds import startlist
from txtr.store.database import WAY_OUT, explain_trouble
from txtr.store.inspection import Finding

NAME = "queue"
STANDARD_INPUT = "-"
SCRIPT = "TXTR_SCRIPT"  # texttractor.sh says here by which path it was called
EXPORTED = ("url", *answers.ENTRY)


def main(argv: list[str]) -> int:
    """Do what the command line says; the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # titles and paths may hold anything
    return run(NAME, lambda: _run(parse(argv, _program())))


def _program() -> str:
    """How the user called us."""
    return f"{_script()} queue" if SCRIPT in os.environ else "python -m txtr.queue"


def _script() -> str:
    return f"sh {shlex.quote(os.environ.get(SCRIPT, 'texttractor.sh'))}"


def _run(asked: Namespace) -> int:
    given = [
        f"--{name}={value}" for name in ("state", "config") if (value := getattr(asked, name)) is not None
    ]
    crawl = find_crawl(given, asked.port, asked.secret_file)
    query = Query(asked, crawl)
    try:
        return COMMANDS[asked.command](query)
    except sqlite3.Error as error:
        raise UserMistake(explain_trouble(crawl.state / DATABASE_FILE, error)) from error
    except Damaged as error:
        raise UserMistake(f"{crawl.state / DATABASE_FILE}: {error}; {WAY_OUT}") from error


class Query:
    """A command that is being carried out."""

    def __init__(self, asked: Namespace, crawl: Crawl) -> None:
        self.asked = asked
        self.crawl = crawl

    # --- looking

    def totals(self) -> int:
        known = self.crawl.totals()
        if not self.asked.json:
            known["bytes_on_disk"] = table.size(int(str(known["bytes_on_disk"])))
        return self._show(known, self._emptiness(known))

    def _emptiness(self, known: answers.Facts) -> answers.Facts:
        """Numbers that are always said, zero or not."""
        return {name: value for name, value in known.items() if isinstance(value, int)}

    def domains(self) -> int:
        found, count = self.crawl.domains(self.asked.pattern, self.asked.limit)
        if self.asked.json:
            for row in found:
                print(json_line(row))
            return 0
        if not found:
            return self._nothing(
                f"{self.asked.pattern!r}: no domain matches" if self.asked.pattern else "no domain is known"
            )
        print(
            "\n".join(table.rows([*map(_label, answers.DOMAIN_HEADS)], [list(row.values()) for row in found]))
        )
        if count > len(found):
            print(f"({len(found)} of {table.word(count)} domains; --limit=N shows more)")
        return 0

    def domain(self) -> int:
        return self._show(self.crawl.domain(self.asked.domain))

    def url(self) -> int:
        return self._show(self.crawl.url(self.asked.url))

    def export(self) -> int:
        wanted = set(self.asked.fate)
        found = (finding for finding in self.crawl.documents() if finding.fate in wanted)
        if self.asked.format == CSV:
            writer = csv.writer(sys.stdout, lineterminator="\n")
            writer.writerow(EXPORTED)
            writer.writerows(map(cell, _exported(finding).values()) for finding in found)
        else:
            for finding in found:
                print(json_line(_exported(finding)))
        return 0

    def verify(self) -> int:
        count = 0
        with self.crawl.verification(self.asked.repair, f"{_script()} stop") as check:
            for fault in check.faults():
                print(escaped(fault), flush=True)
                count += 1
        verdict = answers.verdict(count, check.countable, self.asked.repair)
        print(verdict, file=sys.stderr if count else sys.stdout)
        return 1 if count else 0

    # --- orders

    def add(self) -> int:
        """Links of the command line are checked first; of a file, what is no URL is left out."""
        urls, rejected = startlist.read("\n".join(u for u in self.asked.urls if u != STANDARD_INPUT))
        if rejected:
            raise UserMistake(f"{rejected[0][:200]!r}: expected an http or https URL; nothing was queued")
        texts = [self.asked.file] if self.asked.file else []
        texts += [STANDARD_INPUT] if STANDARD_INPUT in self.asked.urls else []
        if not urls and not texts:
            raise UserMistake("what is to be added? a URL, --file=PATH, or - for the standard input")
        is_clean = True

        def all_of_them() -> Iterator[str]:
            nonlocal is_clean
            yield from urls
            for text in texts:
                where = "standard input" if text == STANDARD_INPUT else text
                for number, line in enumerate(_lines(text), start=1):
                    found, bad = startlist.read(line)
                    for word in bad:
                        is_clean = False
                        print(
                            f"{NAME}: {where}, line {number}: {word[:200]!r} is no URL; left out",
                            file=sys.stderr,
                        )
                    yield from found

        code = self._order("add", all_of_them(), is_brief=bool(texts))
        return code if is_clean else 1

    def with_domains(self) -> int:
        return self._order(self.asked.command, self.asked.domains)

    def bring_back(self) -> int:
        names = self.crawl.abandoned(self.asked.pattern)
        if not names:
            return self._nothing(f"{self.asked.pattern!r}: no abandoned domain matches")
        return self._order("bring-back", names)

    def retry(self) -> int:
        names = self.crawl.troubled(self.asked.pattern)
        if not names:
            where = f"{self.asked.pattern!r}: " if self.asked.pattern else ""
            matching = " at domains that match" if self.asked.pattern else ""
            return self._nothing(f"{where}nothing has failed or is parked{matching}")
        return self._order("retry", names)

    def _order(self, verb: str, names: Iterable[str], is_brief: bool = False) -> int:
        """Have it done by whoever owns the state; brief: only what did not go well, and the sums."""
        counts: Counter[str] = Counter()
        for done in self.crawl.order(verb, names):
            for whom, what, number in done:
                counts[what] += 1
                self._tell(whom, what, number, is_brief)
        if is_brief or sum(counts.values()) > 1:
            print(
                ", ".join(f"{number} {table.word(what)}" for what, number in counts.items())
                or "nothing to do",
                file=sys.stderr,
            )
        return 0

    def _nothing(self, why: str) -> int:
        """There is nothing to show, or everything is as the user wants it: that is no mistake."""
        return complain(NAME, why, 0)

    def _tell(self, whom: str, what: str, number: int, is_brief: bool) -> None:
        if is_brief and what.startswith("queued"):
            return
        if self.asked.json:
            print(json_line({"whom": whom, "what": what, "requests": number}))
        else:
            print(
                f"{table.word(whom)}: {table.word(what)}"
                + (f", {table.counted(number, 'request')}" if number else "")
            )

    def compact(self) -> int:
        before, after = self.crawl.compact(f"{_script()} stop")
        print(f"{table.size(before)} before, {table.size(after)} now")
        return 0

    # --- inside

    def _show(self, known: answers.Facts, always: answers.Facts | None = None) -> int:
        if self.asked.json:
            print(json_line(known))
        else:
            shown = {name: table.word(value) for name, value in (always or {}).items()}
            labelled = {_label(name): shown.get(name, value) for name, value in known.items()}
            print("\n".join(table.facts(labelled)))
        return 0


COMMANDS = {
    "totals": Query.totals,
    "domains": Query.domains,
    "domain": Query.domain,
    "url": Query.url,
    "add": Query.add,
    "drop": Query.with_domains,
    "block": Query.with_domains,
    "unblock": Query.with_domains,
    "bring-back": Query.bring_back,
    "retry": Query.retry,
    "export": Query.export,
    "compact": Query.compact,
    "verify": Query.verify,
}


def _label(name: str) -> str:
    """The name of a fact as a table has it: an address is no URL. JSON keeps the names it always had."""
    return name.replace("address", "IP address")


def _exported(finding: Finding) -> answers.Facts:
    return {"url": finding.url, **answers.entry(finding)}


def _lines(name: str) -> Iterator[str]:
    """The lines of a file, as they come."""
    if name == STANDARD_INPUT and sys.stdin is None:
        raise UserMistake("standard input: closed, expected links there")
    try:
        if name == STANDARD_INPUT:
            yield from sys.stdin
            return
        with Path(name).open(encoding="utf-8") as file:
            yield from file
    except UnicodeDecodeError as error:
        raise UserMistake(f"--file={name}: not UTF-8") from error
    except OSError as error:
        raise UserMistake(f"--file={name}: {error.strerror}") from error
