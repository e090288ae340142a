"""Evidence: what the server's log and the corpus say about a crawl, against what the village expects.

Everything here returns what is wrong, so that a test asserts that nothing is and a failure shows what.
The robot's own state is never asked.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

from tests.village.auditor import Entry
from tests.village.run import Outcome
from tests.village.village import Village
from txtr.corpus.record import END, read_records
from txtr.corpus.record import digest as digest_of

SUCCEEDED = (200, 301, 302, 303, 307, 308)  # statuses that bring a page, or tell where it is


def fetched_amiss(outcome: Outcome[Village]) -> dict[str, int]:
    """Pages that were to be fetched once, and how often they were."""
    brought = sum((outcome.fetched(status) for status in SUCCEEDED), Counter[str]())
    return {url: brought[url] for url in outcome.web.must_fetch if brought[url] != 1}


def trespasses(outcome: Outcome[Village]) -> list[str]:
    """Pages that were fetched although they never should be."""
    return sorted(outcome.web.never_fetch & outcome.fetched().keys())


def texts_amiss(outcome: Outcome[Village]) -> dict[str, int]:
    """Texts that are not in the corpus as often as they should be: once, or never."""
    found = outcome.markers()
    expected = dict.fromkeys(outcome.web.kept, 1) | dict.fromkeys(outcome.web.not_kept, 0)
    return {marker: found[marker] for marker, times in expected.items() if found[marker] != times}


def records(outcome: Outcome[Village]) -> Iterator[dict[str, object]]:
    """What the corpus says about each document; fails at the first half record."""
    for path in outcome.corpus_files():
        data = path.read_bytes()
        assert not data or data.endswith(END), f"{path.name} ends in half a record"
        for metadata, text in read_records(data.decode().splitlines(keepends=True)):
            assert metadata["digest"] == digest_of(text.encode()), (
                f"{path.name}: {metadata['url']} is not whole"
            )
            yield metadata


def failures(outcome: Outcome[Village]) -> dict[str, object]:
    """The programs that did not end well, and those that stumbled on the way."""
    codes = {name: code for name, code in outcome.codes.items() if code != 0}
    return codes | stumbles(outcome.directory)


def stumbles(directory: Path) -> dict[str, object]:
    """What the programs said of mistakes of their own: a trace where they talk, an error in a diary."""
    found: dict[str, object] = {}
    for path in directory.glob("*.out"):
        text = path.read_text(errors="replace")
        if "Traceback" in text:
            found[path.name] = text[-2000:]
    for path in directory.glob("log/*.log"):
        if errors := list(_errors(path.read_text(errors="replace"))):
            found[path.name] = errors
    return found


def _errors(diary: str) -> Iterator[str]:
    return (line for line in diary.splitlines() if line.split()[2:3] == ["error"])


def between(entries: Iterable[Entry], host: str) -> list[tuple[Entry, Entry]]:
    """Neighbouring requests to a host."""
    return list(pairwise(sorted(entry for entry in entries if entry.host == host)))
