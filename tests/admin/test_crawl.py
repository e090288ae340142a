"""The one interface to a crawl: the same questions and orders, whether it runs or not."""

import json
from pathlib import Path

import pytest

from tests.queue.states import everything
from txtr.admin import crawl
from txtr.admin.crawl import Crawl, find_crawl
from txtr.config.options import Options
from txtr.config.places import LAUNCH, RUNNING, STATUS
from txtr.errors import UserMistake
from txtr.store.lock import hold_lock


@pytest.fixture
def state(tmp_path: Path) -> Path:
    everything(tmp_path / "state")
    return tmp_path / "state"


@pytest.fixture
def stopped(state: Path) -> Crawl:
    return Crawl(Options(state=str(state)))


def test_what_a_crawl_knows_is_told_as_facts(stopped: Crawl) -> None:
    """A desk shows what `queue` prints."""
    assert stopped.totals()["settled"] == {"kept": 1, "redirect": 1, "failed": 1, "disallowed": 1}
    found, count = stopped.domains("", 1)
    assert (found[0]["domain"], len(found), count) == ("a.cz", 1, 3)
    assert stopped.domain("never.cz") == {"domain": "never.cz", "state": ["never seen"]}
    assert stopped.url("http://a.cz/0")["fate"] == "failed"
    assert {finding.fate for finding in stopped.documents()} == {"kept", "redirect", "failed", "disallowed"}
    assert stopped.troubled("^a") == ["a.cz"] and stopped.troubled("^c") == []


def test_an_order_to_a_crawl_that_does_not_run_is_carried_out_at_once(stopped: Crawl) -> None:
    """In portions, so that millions of names take no memory."""
    done = [told for part in stopped.order("block", ["a.cz", "c.cz"]) for told in part]
    assert [(whom, what) for whom, what, _ in done] == [("a.cz", "blocked"), ("c.cz", "blocked")]
    assert stopped.domain("c.cz")["state"][0] == "blocked"  # type: ignore[index]


def test_an_order_to_a_crawl_that_runs_goes_to_its_queuekeeper(
    stopped: Crawl, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is found by its own words, unless the user knows better."""
    called = []

    class Visitor:
        def __init__(self, host: str, port: int, secret: bytes) -> None:
            called.append((host, port, secret))

        def order(self, verb: str, names: list[str]) -> list[list[tuple[str, str, int]]]:
            return [[(name, verb, 1) for name in names]]

        def close(self) -> None:
            called.append("closed")

    monkeypatch.setattr(crawl, "Visitor", Visitor)
    (state / "mine").write_text("a secret of mine")
    (state / STATUS).write_text(json.dumps({"port": 8499, "secret_file": str(state / "mine")}))
    with hold_lock(state):
        assert list(stopped.order("drop", ["a.cz"])) == [[("a.cz", "drop", 1)]]
        list(Crawl(stopped.options, port=8500).order("drop", ["a.cz"]))
    assert called == [
        ("127.0.0.1", 8499, b"a secret of mine"),
        "closed",
        ("127.0.0.1", 8500, b"a secret of mine"),
        "closed",
    ]


def test_how_far_a_crawl_is_can_be_asked_of_any_directory(tmp_path: Path) -> None:
    """What a status of another version, or of somebody else, says is harmless, and stops nobody."""
    chosen = Options(state=str(tmp_path))
    assert Crawl(chosen).progress() is None and Crawl(chosen).running_for() == 0.0
    for garbage in ("", "[]", "{", "7"):
        (tmp_path / STATUS).write_text(garbage)
        assert Crawl(chosen).progress() is None
    (tmp_path / STATUS).write_text(json.dumps({"time": "\x1b[2J", "queued": 7}))
    (tmp_path / RUNNING).touch()
    said = Crawl(chosen).progress()
    assert said is not None and (said["time"], said["queued"]) == ("\\u001b[2J", 7)
    assert 0 <= said["age"] < 600 and 0 <= Crawl(chosen).running_for() < 600  # type: ignore[operator]


def test_a_crawl_is_kept_as_long_as_somebody_holds_its_lock(state: Path, stopped: Crawl) -> None:
    assert not stopped.is_kept()
    with hold_lock(state):
        assert stopped.is_kept()
    assert not stopped.is_kept()


def test_a_crawl_is_found_with_the_options_of_its_start(state: Path) -> None:
    """What it includes is not what this command includes."""
    launch = {"arguments": ["--config=", "--exclude=\\.sk$"], "harvesters": 1}
    (state / LAUNCH).write_text(json.dumps(launch))
    found = find_crawl([f"--state={state}", "--config="])
    assert found.options.exclude == "\\.sk$"
    assert found.domain("x.sk")["state"] == ["never seen", "excluded"]


def test_a_state_that_is_none_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="there is no queue here"):
        Crawl(Options(state=str(tmp_path))).totals()
