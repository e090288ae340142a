"""The secret: who may command a crawl."""

import os
import stat
from pathlib import Path

import pytest

from txtr.config.options import Options
from txtr.config.places import SECRET
from txtr.errors import UserMistake
from txtr.wire.secret import given, known, own, provided, weaknesses


def state(tmp_path: Path) -> Options:
    directory = tmp_path / "state"
    directory.mkdir(exist_ok=True)
    return Options(state=str(directory))


def test_a_local_crawl_has_a_random_secret_that_only_its_user_can_read(tmp_path: Path) -> None:
    """Found by attack: every user of the machine could drop, block, and report as a harvester."""
    secret = provided(state(tmp_path))
    path = tmp_path / "state" / SECRET
    assert (secret.path, stat.S_IMODE(path.stat().st_mode)) == (str(path), 0o600)
    assert len(secret.value) == 64
    (tmp_path / "other").mkdir()
    assert provided(Options(state=str(tmp_path / "other"))).value != secret.value


def test_whoever_may_read_the_state_knows_the_secret(tmp_path: Path) -> None:
    """Its harvesters, and its user's orders, whichever way they are told."""
    chosen = state(tmp_path)
    ask = known(chosen)
    assert ask() == b"", "no queuekeeper has been here"
    secret = provided(chosen)
    assert ask() == secret.value
    assert given(secret.path) == known(Options(secret_file=secret.path))() == secret.value


def test_the_next_queuekeeper_has_the_same_secret(tmp_path: Path) -> None:
    """Harvesters outlive one that was killed, and call the next one."""
    chosen = state(tmp_path)
    assert provided(chosen) == provided(chosen)


def test_half_a_secret_is_none_and_is_made_anew(tmp_path: Path) -> None:
    """Whatever a kill, a full disk or a power cut has left."""
    chosen, path = state(tmp_path), tmp_path / "state" / SECRET
    whole = provided(chosen)
    written = path.read_bytes()
    for length in range(len(written)):
        path.write_bytes(written[:length])
        path.chmod(0o644)
        assert known(chosen)() == own(path.parent) == b""
        fresh = provided(chosen)
        assert len(fresh.value) == 64 and fresh.value != whole.value
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("step", ["write", "fsync", "rename"])
def test_a_kill_while_the_secret_is_made_leaves_none(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = state(tmp_path)

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Path if step == "rename" else os, step, die)
        provided(chosen)
    assert known(chosen)() == b""
    assert provided(chosen).value == known(chosen)()


def test_a_state_in_which_no_secret_can_be_made_is_refused_by_name(tmp_path: Path) -> None:
    chosen = state(tmp_path)
    (tmp_path / "state" / SECRET).mkdir()
    with pytest.raises(UserMistake, match=f"--state=.*/{SECRET}: Is a directory"):
        provided(chosen)


def test_a_secret_of_the_users_is_used_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "secret.txt"
    path.write_text("dubový list\n")
    chosen = Options(state=str(tmp_path), secret_file=str(path))
    assert provided(chosen).value == known(chosen)() == "dubový list".encode()
    assert provided(chosen).refusal() == "does not know the secret"
    assert not (tmp_path / SECRET).exists()


def test_who_does_not_know_our_own_secret_is_told_where_it_is(tmp_path: Path) -> None:
    place = tmp_path / "state"
    assert provided(state(tmp_path)).refusal() == (
        f"does not know the secret; it is in {place}/secret:"
        f" give --state={place} or --secret-file={place}/secret"
    )


@pytest.mark.parametrize(
    ("mode", "content", "words"),
    [
        (0o600, "dubový list a buk", []),
        (0o640, "dubový list a buk", ["other users of this machine can read it", "chmod 600 "]),
        (0o604, "dubový list a buk", ["other users of this machine can read it", "chmod 600 "]),
        (0o600, "dub\n", ["a secret of 3 letters is soon guessed", "head -c 32 /dev/urandom | base64"]),
        (0o666, "dub\n", ["chmod 600 ", "a secret of 3 letters"]),
    ],
)
def test_a_secret_that_others_know_or_will_guess_is_warned_of(
    mode: int, content: str, words: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "secret.txt"
    path.write_text(content)
    path.chmod(mode)
    said = weaknesses(Options(secret_file=str(path)))
    assert all(line.startswith(f"--secret-file={path}: ") for line in said)
    assert all(word in "\n".join(said) for word in words)
    assert bool(said) == bool(words)


def test_our_own_secret_is_warned_of_when_others_can_read_it(tmp_path: Path) -> None:
    chosen = state(tmp_path)
    assert weaknesses(chosen) == []
    provided(chosen)
    assert weaknesses(chosen) == []
    (tmp_path / "state" / SECRET).chmod(0o644)
    (said,) = weaknesses(chosen)
    assert said.endswith(f"chmod 600 {tmp_path}/state/{SECRET}")


def test_a_secret_that_comes_through_a_pipe_is_read_once() -> None:
    """`--secret-file=<(pass show crawl)`."""
    reading, writing = os.pipe()
    os.write(writing, b"dubov\n")
    os.close(writing)
    chosen = Options(secret_file=f"/dev/fd/{reading}")
    assert weaknesses(chosen) == []
    ask = known(chosen)
    assert ask() == ask() == b"dubov"
    os.close(reading)
