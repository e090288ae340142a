"""How fast, large and hungry is the frontier on disk when it knows a million links, ten, fifty?

    python bench/frontier.py [--links=50000000] [--quick] [--directory=DIR] [--write]

A state is filled with the links of a made-up web (bigweb.py), of which a tenth is fetched and kept already,
as it is when every page brings ten new links. The filling goes through the engine (DiskLinks), domain by
domain in eight rounds, not page by page: that would take hours. At each size then everything goes through
the real doors, Keeper and Frontier, with the books kept (written, committed, on the disk) as the
queuekeeper does before it says a word:

start    from the start of the process until a first batch of 1 000 rows is dealt; *taken up*: until all
         domains are, which goes on between two answers
batch    one of 1 000 rows within the default rules, up to 20 requests each, is built as Keeper.tick does.
         Between two of them the keeper looks ahead as it does while nobody waits (plans.py); besides, how
         long that takes for as many addresses. And 1 000 rows when it could not look ahead: they are dealt
         a stretch at a time (portions.py); all of them, and the longest stretch
answers  1 000 documents without links are taken in, one column of such a batch: it is acknowledged
         Both are on the disk then, in the journal; besides, how long it takes to work that into the tables,
         which is done once a second for all that has happened since
links    the documents of those batches are taken in, column by column; each has about 45 links, 4 of 5 of
         them known. The books are kept after every 100. They were made before, so only the frontier is
         measured; beside the links per second are those per second of processor time, which does not
         depend on what else the machine is doing

Each step is a process of its own, so that its memory is its own.
"""

import argparse
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from itertools import count, islice, zip_longest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench import bigweb, manual  # noqa: E402
from txtr import clock  # noqa: E402
from txtr.config.options import Options  # noqa: E402
from txtr.frontier.domains import Trial  # noqa: E402
from txtr.frontier.frontier import Frontier  # noqa: E402
from txtr.frontier.records import Entry, Record  # noqa: E402
from txtr.gate import Gate  # noqa: E402
from txtr.manners.rules import Rules  # noqa: E402
from txtr.manners.slowdown import Slowdown  # noqa: E402
from txtr.model import Batch, Document, Purpose, Resolution, RobotsFile  # noqa: E402
from txtr.queuekeeper.books import Books  # noqa: E402
from txtr.queuekeeper.keeper import Keeper  # noqa: E402
from txtr.wire.messages import Ask, Deal  # noqa: E402

SIZES = (1_000_000, 10_000_000, 50_000_000)  # links
ROUNDS = 8  # in which a domain's links are filled in
FETCHED = 10  # one of so many links is settled
FOUND_TOGETHER = 8  # new links of one page to one domain
ROWS = 1000
BATCHES = 3
COMMIT_EVERY = 100  # documents
MOST_DOCUMENTS = 20_000  # with links
FILL_COMMIT = 200_000  # links
# What is to be seen, and what docs/performance.md promises.
ASKED_FOR = {
    "links/s": "≥ 100 000 at 1 M, ≥ 50 000 at 50 M",
    "links per CPU second": "",
    "of them new": "0.2",
    "batch, ms": "< 50",
    "batch, CPU ms": "",
    "looked ahead before, CPU ms": "",
    "batch without that, CPU ms": "",
    "at a stretch, CPU ms": "< 50",
    "requests in it": "",
    "visits in it": "",
    "worked in later, CPU ms": "",
    "1 000 answers, ms": "< 50",
    "1 000 answers, CPU ms": "",
    "these worked in later, CPU ms": "",
    "first batch after a start, s": "< 10",
    "all domains taken up, s": "",
    "resident, MB": "< 1 500",
    "resident at most, MB": "< 1 500",
    "domains in use": "",
    "disk, bytes per link": "< 60",
    "the same after the measuring": "< 60",
    "filling, s": "",
}


class Queuekeeper:
    """The keeper, its frontier and its books, without a port."""

    def __init__(self, directory: Path) -> None:
        chosen = Options()
        self.books = Books(directory)
        rules = Rules(
            req_delay=chosen.req_delay,
            max_hosts=chosen.max_hosts,
            max_reqs=chosen.max_reqs,
            general_pause=chosen.general_pause,
        )
        gate = Gate(chosen.include, chosen.exclude, chosen.depth)
        store = self.books.store
        self.frontier = Frontier(
            rules, gate, chosen.agent, is_judging=False, links=store.links, archive=store
        )
        self.frontier.epoch = clock.wall() - clock.now()
        self.frontier.is_verbose = False
        self.keeper = Keeper(self.frontier, self.books.claims, ROWS)
        self.books.open(self.keeper, clock.now())

    def keep(self) -> None:
        self.books.keep(self.keeper, clock.now())
        self.frontier.events.clear()

    def work_in(self) -> None:
        """What is done once a second."""
        self.books.store.put_down(clock.now(), is_urgent=True)

    def look_ahead(self) -> int:
        """What is done while nobody waits, a little at a time; how many addresses were looked at."""
        before = len(self.frontier.plans.plans)
        while self.frontier.look_ahead(clock.now()):
            pass
        return len(self.frontier.plans.plans) - before

    def take_up(self) -> bool:
        return self.books.take_up(self.keeper, clock.now())

    def ask(self) -> None:
        """A new harvester has room for rows; nobody else has any more."""
        for harvester in self.keeper.harvesters.values():
            harvester.rows = 0
        name = f"bench-{len(self.keeper.harvesters)}"
        self.keeper.join(name, {}, clock.now())
        self.keeper.answer(name, Ask(0, 0, 0.001), clock.now())

    def deal(self) -> Batch | None:
        """What a tick brings for whoever has asked."""
        for harvester in self.keeper.harvesters.values():
            harvester.last_heard = clock.now()  # nobody is given up for silence while we measure
        self.keeper.tick(clock.now())
        self.keep()
        outbox, self.keeper.outbox = self.keeper.outbox, []
        return next((message.batch for _, message in outbox if isinstance(message, Deal)), None)


# --- filling


def fill(directory: Path, first: int, last: int) -> dict[str, float]:
    """Domains from the first to before the last: eight rounds, in each an eighth of every domain's links."""
    keeper = Queuekeeper(directory)
    begun, waiting = time.perf_counter(), 0
    for turn in range(ROUNDS):
        for domain in range(first, last):
            total = bigweb.links(domain)
            some = range(
                (total * turn + domain % ROUNDS) // ROUNDS, (total * (turn + 1) + domain % ROUNDS) // ROUNDS
            )
            waiting += len(some)
            if some:
                _fill_domain(keeper.keeper, domain, some)
            if waiting > FILL_COMMIT:
                keeper.keep()
                waiting = 0
    for domain in range(first, last):
        _introduce(keeper.frontier, domain)
        if domain % 2000 == 0:
            keeper.keep()
    keeper.keep()
    keeper.books.close()
    return {"filling, s": time.perf_counter() - begun}


def _fill_domain(keeper: Keeper, domain: int, some: range) -> None:
    """What was fetched is settled, the rest is queued as it was found: several links on one page."""
    frontier, claims = keeper.frontier, keeper.claims
    links, name, wall = frontier.links, bigweb.name(domain), 1_790_000_000 + some.start
    frontier.domain(name)
    for number in some:
        if (number + domain) % FETCHED == 0:
            entry = Entry("kept", 3, 0.9, wall, wall - 1e6, None, bigweb.title(domain, number),
                          bigweb.url(domain, number // FOUND_TOGETHER))  # fmt: skip
            links.settle(name, bigweb.path(domain, number), entry)
            url = bigweb.url(domain, number)
            claims.texts[f"text of {url}"] = url
    for at in range(some.start, some.stop, FOUND_TOGETHER):
        together = range(at, min(some.stop, at + FOUND_TOGETHER))
        record = Record(4, 0.9, source=bigweb.url(domain, at // FOUND_TOGETHER), since=wall)
        paths = [bigweb.path(domain, n) for n in together if (n + domain) % FETCHED]
        links.enqueue(name, paths, record)


def _introduce(frontier: Frontier, domain: int) -> None:
    """The domain was resolved, and asked for its robots.txt if anything of it was fetched."""
    name, now = bigweb.name(domain), clock.now()
    frontier.domains.new.pop(name)
    frontier.asked_domains[name] = 1
    frontier.resolved(Resolution(name, [bigweb.address(domain)]), now)
    documents = (bigweb.links(domain) + domain % FETCHED) // FETCHED
    if documents:
        behind = bigweb.path(domain, 0).partition("/")[0]
        frontier.permits.ask(name, behind)
        file = RobotsFile(name, f"{behind}/robots.txt", 200, bigweb.robots_txt(domain), 0.1)
        frontier.permits.arrived(file, now)
        known = frontier.domain(name)
        known.slowdown = Slowdown(0.1 + domain % 7 / 10)
        known.trial = Trial(documents, documents, documents * 0.9, documents * 30_000, documents * 3_000)
        frontier.touched_domains.add(name)


# --- measuring


class Stopwatch:
    """Elapsed time and processor time, added up over several laps; of the latter, that of the longest."""

    def __init__(self) -> None:
        self.elapsed = self.processor = self.longest = 0.0

    def __enter__(self) -> None:
        self.begun, self.used = time.perf_counter(), time.process_time()

    def __exit__(self, *_: object) -> None:
        self.elapsed += time.perf_counter() - self.begun
        used = time.process_time() - self.used
        self.processor, self.longest = self.processor + used, max(self.longest, used)


def measure(directory: Path, domains: int, started: float) -> dict[str, float]:
    on_disk = _on_disk(directory)
    keeper = Queuekeeper(directory)
    figures: dict[str, float] = {"disk, bytes per link": on_disk / _known(keeper)}
    figures |= _start(keeper, started) | _unplanned(keeper)
    batches, of_batches = _batches(keeper)
    figures |= of_batches
    columns = _columns(batches)
    figures |= _acknowledge(keeper, islice(columns, ROWS))
    figures |= _admit(keeper, _documents(islice(columns, MOST_DOCUMENTS), domains))
    figures |= {"resident, MB": _memory("VmRSS"), "resident at most, MB": _memory("VmHWM")}
    known = _known(keeper)
    keeper.books.close()
    return figures | {"the same after the measuring": _on_disk(directory) / known}


def _on_disk(directory: Path) -> int:
    return sum(file.stat().st_size for file in directory.iterdir())


def _start(keeper: Queuekeeper, started: float) -> dict[str, float]:
    """Until as many rows are dealt as a harvester wants, and until everybody is there."""
    rows, is_more = 0, True
    keeper.ask()
    while is_more and rows < ROWS:
        is_more = keeper.take_up()
        batch = keeper.deal()
        rows += len(batch.rows) if batch is not None else 0
    first = time.time() - started
    while is_more:
        is_more = keeper.take_up()
        keeper.keep()
    return {
        "first batch after a start, s": first,
        "all domains taken up, s": time.time() - started,
        "domains in use": len(keeper.frontier.domains),
    }


def _unplanned(keeper: Queuekeeper) -> dict[str, float]:
    """As many rows when there was no time to look ahead, and how long others were held up by them."""
    watch, rows = Stopwatch(), 0
    keeper.ask()
    while rows < ROWS:
        keeper.work_in()
        with watch:
            batch = keeper.deal()
        if batch is None:
            break
        rows += len(batch.rows)
    return {
        "batch without that, CPU ms": 1000 * watch.processor,
        "at a stretch, CPU ms": 1000 * watch.longest,
    }


def _known(keeper: Queuekeeper) -> int:
    links = keeper.frontier.links
    return links.queued_count + links.parked_count + links.leased_count + links.fates.total()


def _batches(keeper: Queuekeeper) -> tuple[list[Batch], dict[str, float]]:
    """Several batches, and how long they took to build."""
    batches: list[Batch] = []
    before, watch, later = Stopwatch(), Stopwatch(), Stopwatch()
    seen = 0
    while len(batches) < BATCHES:
        with before:
            seen += keeper.look_ahead()
        keeper.work_in()
        with watch:
            keeper.ask()
            batch = keeper.deal()
        with later:
            keeper.work_in()
        if batch is None or len(batch.rows) < ROWS:
            break
        batches.append(batch)
    return batches, {
        "batch, ms": 1000 * watch.elapsed / BATCHES,
        "batch, CPU ms": 1000 * watch.processor / BATCHES,
        "looked ahead before, CPU ms": 1000 * before.processor / seen * _addresses(batches) / BATCHES,
        "requests in it": sum(map(_requests, batches)) / BATCHES,
        "visits in it": sum(len(row) for batch in batches for row in batch.rows) / BATCHES,
        "worked in later, CPU ms": 1000 * later.processor / BATCHES,
    }


def _addresses(batches: Iterable[Batch]) -> int:
    """How many addresses they go to, each of them counted."""
    return sum(len({visit.address for row in batch.rows for visit in row}) for batch in batches)


def _requests(batch: Batch) -> int:
    return sum(len(visit.requests) for row in batch.rows for visit in row)


def _columns(batches: Iterable[Batch]) -> Iterator[tuple[str, str, int]]:
    """What is asked of whom, with the batch's number, as the harvesters go through it; no robots.txt."""
    for batch in batches:
        rows = [
            [(visit.domain, request) for visit in row for request in visit.requests] for row in batch.rows
        ]
        for column in zip_longest(*rows):
            for domain, request in filter(None, column):
                if request.purpose is Purpose.PAGE:
                    yield domain, request.path, batch.number


def _documents(asked: Iterable[tuple[str, str, int]], domains: int) -> Iterator[tuple[Document, int]]:
    serials = count(os.getpid() * 1000)  # another run's new links are others
    for name, path, batch in asked:
        links = bigweb.page(bigweb.number(name), next(serials), domains)
        yield _document(name, path, links), batch


def _document(name: str, path: str, links: list[str]) -> Document:
    return Document(
        name, path, "kept", 0.9, 200, 30_000, 0.2, "Nejaky nadpis teto stranky", 1.79e9, 1.78e9,
        links=links, text_bytes=3000,
    )  # fmt: skip


def _acknowledge(keeper: Queuekeeper, asked: Iterable[tuple[str, str, int]]) -> dict[str, float]:
    documents = [(_document(name, path, []), batch) for name, path, batch in asked]
    watch, later = Stopwatch(), Stopwatch()
    keeper.work_in()
    with watch:
        for document, batch in documents:
            keeper.frontier.fetched(document, batch, clock.now())
        keeper.keep()
    with later:
        keeper.work_in()
    return {
        "1 000 answers, ms": 1e6 * watch.elapsed / len(documents),
        "1 000 answers, CPU ms": 1e6 * watch.processor / len(documents),
        "these worked in later, CPU ms": 1e6 * later.processor / len(documents),
    }


def _admit(keeper: Queuekeeper, documents: Iterator[tuple[Document, int]]) -> dict[str, float]:
    """Made a few at a time, so that they take no memory to speak of."""
    before, links = keeper.frontier.admitted, 0
    watch = Stopwatch()
    while some := list(islice(documents, COMMIT_EVERY)):
        with watch:
            for document, batch in some:
                keeper.frontier.fetched(document, batch, clock.now())
            keeper.keep()
        links += sum(len(document.links) for document, _ in some)
    return {
        "links/s": links / watch.elapsed,
        "links per CPU second": links / watch.processor,
        "of them new": (keeper.frontier.admitted - before) / links,
    }


def _memory(what: str) -> float:
    status = Path("/proc/self/status").read_text()
    return int(status.partition(what + ":")[2].split()[0]) / 1024


# --- the table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--links", type=int, default=SIZES[-1], help="the largest size")
    parser.add_argument("--quick", action="store_true", help="up to a million only")
    parser.add_argument("--directory", type=Path, help="where the state is built; kept if given")
    parser.add_argument("--write", action="store_true", help="put the table into docs/performance.md")
    parser.add_argument("--step", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.step:
        _step(json.loads(chosen.step))
        return 0
    directory = chosen.directory or Path(tempfile.mkdtemp(prefix="frontier-"))
    directory.mkdir(parents=True, exist_ok=True)
    most = SIZES[0] if chosen.quick else chosen.links
    try:
        table = _table(directory, [size for size in SIZES if size < most] + [most])
    finally:
        if chosen.directory is None:
            shutil.rmtree(directory)
    print(table)
    if chosen.write:
        manual.write("frontier", table)
    return 0


def _step(step: dict[str, object]) -> None:
    """One step, in this process: its figures as JSON."""
    what, directory = str(step.pop("what")), Path(str(step.pop("directory")))
    figures = {"fill": fill, "measure": measure}[what](directory, **step)  # type: ignore[operator]
    print(json.dumps(figures))


def _table(directory: Path, sizes: list[int]) -> str:
    columns = []
    domains = 0
    for size in sizes:
        upto = _domains(size)
        figures = _child(what="fill", directory=str(directory), first=domains, last=upto)
        domains = upto
        figures |= _child(what="measure", directory=str(directory), domains=domains, started=time.time())
        columns.append(figures)
        print(f"{size:,} links: {json.dumps(figures)}", file=sys.stderr, flush=True)
    heads = " | ".join(f"{size // 1_000_000} M links" for size in sizes)
    lines = [f"{manual.machine()}, SQLite {sqlite3.sqlite_version}.", ""]
    lines += [f"| | {heads} | asked for |", "|---|" + "---:|" * len(sizes) + "---|"]
    for what, asked in ASKED_FOR.items():
        values = " | ".join(_written(figures[what]) for figures in columns)
        lines.append(f"| {what} | {values} | {asked} |")
    return "\n".join(lines)


def _domains(size: int) -> int:
    """How many domains have so many links."""
    left = size
    for domain in count():
        if left <= 0:
            return domain
        left -= bigweb.links(domain)
    raise AssertionError


def _child(**step: object) -> dict[str, float]:
    command = [sys.executable, __file__, f"--step={json.dumps(step)}"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return dict(json.loads(done.stdout))


def _written(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


if __name__ == "__main__":
    sys.exit(main())
