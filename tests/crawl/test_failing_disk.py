"""The disk fails in the middle of a crawl: a clear message, a clean stop, and the same command goes on."""

import resource
import shutil
import sqlite3
from contextlib import closing

import pytest

from tests.crawl.evidence import fetched_amiss, texts_amiss, trespasses
from tests.little import fill, little_disk
from tests.village.run import Crawl
from tests.village.village import big
from txtr.config.places import DATABASE_FILE

pytestmark = pytest.mark.web

OPTIONS = {"req_delay": 0.1, "max_hosts": 3, "max_reqs": 10, "general_pause": 2.0}


def medium(port):
    return big(port, hosts=30, addresses=20, pages=20, seed=5)


def ended(running, name="queuekeeper", timeout=30):
    """The exit code of a program that ends by itself, and what it said."""
    code = running.programs[name].wait(timeout)
    return code, (running.directory / f"{name}.out").read_text()


def check_goes_on(running):
    """With room again, the same command brings everything, once, and breaks no rule."""
    running.start_queuekeeper()
    outcome = running.finish(timeout=120)
    assert outcome.codes["queuekeeper"] == 0, outcome.output()
    assert fetched_amiss(outcome) == {}
    assert trespasses(outcome) == []
    assert texts_amiss(outcome) == {}
    assert outcome.violations() == []


def check_message(said, *expected):
    last = said.strip().splitlines()[-1]
    assert last.startswith("queuekeeper: "), said
    assert DATABASE_FILE in last
    assert any(words in last for words in expected), last
    assert "the same command goes on" in last
    assert "Traceback" not in said


def test_a_file_that_may_not_grow_stops_the_queuekeeper_and_loses_nothing(tmp_path):
    """As on a full disk, for whoever is not root."""
    with Crawl(medium, tmp_path, OPTIONS) as running:
        running.start_queuekeeper()
        for _ in range(3):
            running.add_harvester()
        running.wait_until(lambda entries: len(entries) > 150)
        resource.prlimit(running.programs["queuekeeper"].pid, resource.RLIMIT_FSIZE, (20_000, -1))
        code, said = ended(running)
        assert code == 2
        check_message(said, "cannot be read or written", "disk is full")
        check_goes_on(running)


def test_a_full_disk_stops_the_queuekeeper_and_loses_nothing(tmp_path):
    """Disk full: a clear message, a clean stop, nothing damaged."""
    with (
        little_disk(tmp_path / "little") as disk,
        Crawl(medium, tmp_path, OPTIONS | {"state": disk / "state"}) as running,
    ):
        running.start_queuekeeper()
        for _ in range(3):
            running.add_harvester()
        running.wait_until(lambda entries: len(entries) > 150)
        fill(disk / "ballast")
        code, said = ended(running)
        assert code == 2
        check_message(said, "the disk is full")
        running.start_queuekeeper("too-early")
        code, said = ended(running, "too-early")
        assert code == 2
        assert "Traceback" not in said
        (disk / "ballast").unlink()
        del running.programs["too-early"]
        check_goes_on(running)


def stopped(running):
    """In the middle."""
    running.start_queuekeeper()
    for _ in range(2):
        running.add_harvester()
    running.wait_until(lambda entries: len(entries) > 100)
    for program in running.programs.values():
        program.terminate()
    for program in running.programs.values():
        program.wait(20)
    return running.directory / "state" / DATABASE_FILE


def spoil_a_page(path):
    """The root of the table of requests."""
    with closing(sqlite3.connect(path)) as connection:
        ((page,),) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'packs'").fetchall()
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xa5" * 4096)


def spoil_a_pack(path):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE packs SET requests = x'2a2a2a'")
        connection.commit()


@pytest.mark.parametrize(
    "spoil, expected", [(spoil_a_page, "damaged"), (spoil_a_pack, "requests in the queue cannot be read")]
)
def test_damage_that_is_met_in_the_middle_of_a_crawl_stops_it(tmp_path, spoil, expected):
    """A corrupt file: a clear message, a clean stop. With a copy of the state it goes on."""
    with Crawl(medium, tmp_path, OPTIONS) as running:
        path = stopped(running)
        shutil.copytree(path.parent, tmp_path / "copy")
        spoil(path)
        running.start_queuekeeper()
        running.add_harvester("harvester-9")
        code, said = ended(running)
        assert code == 2
        check_message(said, expected)
        shutil.rmtree(path.parent)
        shutil.copytree(tmp_path / "copy", path.parent)
        check_goes_on(running)
