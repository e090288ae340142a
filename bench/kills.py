"""Does the robot keep its promises when anything is killed at any moment?

    python bench/kills.py [--minutes=5] [--seed=N]

One crawl after the other of a village on this machine by the real programs, in which at random moments the
queuekeeper is killed (kill -9) and started again, or a harvester, or all of them, or the whole machine: then
all are stopped, the state directory is copied as it is, and the crawl goes on with the copy. From the access
log and the corpus it is checked that no rule was broken, no page lost, no text kept twice, and that no page
was fetched again that a living harvester had brought, or one that died later than it takes to report a page
to a queuekeeper that is there.
"""

import argparse
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.crawl.evidence import records  # noqa: E402
from tests.crawl.test_dying_harvesters import doubles, lost_texts  # noqa: E402
from tests.village.run import CONTACT, Crawl, Outcome  # noqa: E402
from tests.village.village import Village, big  # noqa: E402

RULES = {"req_delay": 0.1, "max_hosts": 3, "max_reqs": 20, "general_pause": 1.0}
HARVESTERS = 3
REPORTING = 3.0  # seconds in which a page is cleaned, kept and reported, even on a very busy machine
STARTING = 5.0  # seconds until a queuekeeper that was killed is there again, and its harvesters with it
LONGEST = 300.0  # seconds that one crawl may take


class Slaughter:
    """A crawl, and whom it has lost."""

    def __init__(self, running: Crawl[Village], chance: random.Random) -> None:
        self.running = running
        self.chance = chance
        self.alive: list[str] = []
        self.lost: dict[str, float] = {}  # harvester -> when it was killed
        self.absences: list[float] = []  # when the queuekeeper was killed
        self.kills: Counter[str] = Counter()
        self.number = 0

    def begin(self) -> None:
        self.running.start_queuekeeper()
        while len(self.alive) < HARVESTERS:
            self.number += 1
            name = f"harvester-{self.number}"
            self.alive.append(self.running.add_harvester(name, contact=f"{CONTACT}/{name}"))

    def strike(self) -> None:
        what = self.chance.choices(["queuekeeper", "harvester", "all", "machine"], [5, 3, 1, 1])[0]
        self.kills[what] += 1
        if what != "harvester":
            self.absences.append(time.monotonic())
        if what == "queuekeeper":
            self.running.kill("queuekeeper")
            time.sleep(self.chance.choice([0.0, 0.3, 3.0]))
            self.running.start_queuekeeper()
            return
        if what == "machine":
            self._copy_state()
        if what in ("all", "machine"):
            self.running.kill("queuekeeper")
        for name in self.alive if what in ("all", "machine") else [self.chance.choice(self.alive)]:
            self.running.kill(name)
            self.lost[name] = time.monotonic()
        self.alive = [name for name in self.alive if name not in self.lost]
        if what == "harvester":
            self._replace()
        else:
            self.begin()

    def _replace(self) -> None:
        self.number += 1
        name = f"harvester-{self.number}"
        self.alive.append(self.running.add_harvester(name, contact=f"{CONTACT}/{name}"))

    def _copy_state(self) -> None:
        """What is left of a machine: everything stands still, and the files are as they are."""
        for name in ("queuekeeper", *self.alive):
            self.running.programs[name].send_signal(signal.SIGSTOP)
        state, copy = self.running.directory / "state", self.running.directory / "copy"
        if state.exists():  # else it has died before it began
            shutil.copytree(state, copy)
            shutil.rmtree(state)
            copy.rename(state)

    def is_over(self) -> bool:
        return self.running.programs["queuekeeper"].poll() is not None


def one_crawl(directory: Path, seed: int) -> tuple[Outcome[Village], Slaughter]:
    chance = random.Random(seed)
    with Crawl(
        lambda port: big(port, hosts=80, addresses=30, pages=50, seed=seed), directory, RULES
    ) as running:
        slaughter = Slaughter(running, chance)
        slaughter.begin()
        deadline = time.monotonic() + LONGEST
        while not slaughter.is_over() and time.monotonic() < deadline:
            time.sleep(chance.expovariate(1 / 4.0))
            if not slaughter.is_over():
                slaughter.strike()
        return running.finish(60.0), slaughter


def is_excused(visits: list[tuple[str, float]], slaughter: Slaughter) -> bool:
    """Had everybody but the last who brought it been killed before he could report it?"""
    for name, end in visits[:-1]:
        died = slaughter.lost.get(name)
        if died is None:
            return False
        absent = sum(STARTING for moment in slaughter.absences if end - STARTING < moment < died)
        if died - end > REPORTING + absent:
            return False
    return True


def complaints(outcome: Outcome[Village], slaughter: Slaughter) -> list[str]:
    """Whatever is not as it was promised."""
    urls = Counter(record["url"] for record in records(outcome))
    again = {page: visits for page, visits in doubles(outcome).items() if not is_excused(visits, slaughter)}
    return [
        *(f"rule broken: {found}" for found in outcome.violations() if found.rule != "double-fetch"),
        *(f"never fetched: {url}" for url in sorted(outcome.web.must_fetch - outcome.fetched().keys())),
        *(f"text lost: {marker}" for marker in lost_texts(outcome)),
        *(f"text kept {number} times: {url}" for url, number in urls.items() if number > 1),
        *(f"fetched again: {page} {visits}" for page, visits in again.items()),
    ]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    given = parser.parse_args(argv)
    deadline = time.monotonic() + given.minutes * 60
    kills: Counter[str] = Counter()
    pages, is_sound, seed = 0, True, given.seed
    while time.monotonic() < deadline:
        print(f"seed {seed}", flush=True)
        with tempfile.TemporaryDirectory() as passing:
            outcome, slaughter = one_crawl(Path(passing), seed)
            found = complaints(outcome, slaughter)
        kills += slaughter.kills
        pages += sum(outcome.fetched(200).values())
        for complaint in found[:20]:
            print(f"! {complaint}")
        is_sound &= not found
        seed += 1
    print(f"{pages} pages, {kills.total()} kills: {dict(kills)}; {'nothing amiss' if is_sound else 'AMISS'}")
    return 0 if is_sound else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
