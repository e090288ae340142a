"""Domains that yield nothing are abandoned in a running crawl, listed, and brought back by a file."""

import time

import pytest

from tests.crawl.evidence import failures
from tests.village.run import ROOT, Crawl
from txtr.demo.sites import build

pytestmark = pytest.mark.web

OPTIONS = {"req_delay": 0.05, "max_hosts": 5, "max_reqs": 50, "general_pause": 1.5, "language": "el"}
STRICT = """
import txtr.frontier.domains as trial
trial.FAIR_DOCUMENTS, trial.FAIR_BYTES = 3, 1000
trial.bar = lambda documents: 0.01
"""


def wait_for(is_so, seconds=60):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_an_abandoned_domain_is_brought_back_in_a_running_crawl(tmp_path, monkeypatch):
    """Reported in the log and listed in a file, and can be brought back."""
    (tmp_path / "sitecustomize.py").write_text(STRICT)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{ROOT}")
    with Crawl(build, tmp_path / "crawl", OPTIONS | {"bring_back": "^nobody$"}) as running:
        listed = running.directory / "abandoned.txt"
        wishes = running.directory / "state" / "bring-back.txt"
        log = running.directory / "log" / "queuekeeper.log"
        running.start_queuekeeper()
        running.add_harvester()
        wait_for(lambda: listed.exists() and " documents=" in listed.read_text())
        name = next(line for line in listed.read_text().splitlines() if not line.startswith("#")).split()[0]
        assert "# domains abandoned" in listed.read_text() and "bring-back.txt" in listed.read_text()
        wishes.write_text(f"[\nnobody.example\n{name}\n")
        wait_for(lambda: f" brought-back {name} " in log.read_text())
        outcome = running.finish(120)
    assert failures(outcome) == {}
    assert not wishes.exists()
    assert "WARNING: --bring-back: no abandoned domain matches '^nobody$'" in outcome.output()
    told = log.read_text()
    assert "bad regular expression" in told and "no such domain is abandoned" in told
    assert told.index(f" abandoned {name} ") < told.index(f" brought-back {name} ")
