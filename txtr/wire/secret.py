"""Edge: the secret: whoever knows it commands the crawl, as the queuekeeper, a harvester or a visitor.

Programs on several machines share a file that the user has made (--secret-file). On one machine nobody needs
to make any: the queuekeeper has a random secret in its state directory, which is its user's alone. Without it
every user of the machine could drop, block, and report.

Invariant: a secret of the queuekeeper's own is either whole, or none, whenever it was killed; and one that is
whole is never replaced, for harvesters that outlive a queuekeeper prove that they know it to the next one.
"""

import re
import secrets
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from txtr import files
from txtr.config.options import Options
from txtr.config.places import SECRET
from txtr.errors import UserMistake

RANDOM_BYTES = 32
SHORTEST = 8  # letters: fewer are soon guessed
OTHERS = 0o077  # the rights of everybody but the owner of a file


@dataclass(frozen=True, slots=True)
class Secret:
    """What the queuekeeper asks its callers to prove that they know."""

    value: bytes
    path: str = ""  # whole, of the file that it is in
    state: str = ""  # whole, of the directory, if it is the queuekeeper's own

    def refusal(self) -> str:
        """What is said to somebody who does not know it. A state is on this machine, and so is who called."""
        how = f"; it is in {self.path}: give --state={self.state} or --secret-file={self.path}"
        return "does not know the secret" + (how if self.state else "")


def provided(chosen: Options) -> Secret:
    """The queuekeeper's, made if there is none. Only who holds the lock of the state may call this."""
    if chosen.secret_file:
        return Secret(given(chosen.secret_file), str(Path(chosen.secret_file).absolute()))
    path = own_path(Path(chosen.state)).absolute()
    try:
        if not own(path.parent):
            path.unlink(missing_ok=True)
            value = secrets.token_hex(RANDOM_BYTES)
            files.replace(path, f"{value}\n".encode(), mode=stat.S_IRUSR | stat.S_IWUSR)
        return Secret(own(path.parent), str(path), str(path.parent))
    except OSError as error:
        raise UserMistake(f"--state={chosen.state}: {path}: {error.strerror}") from error


def known(chosen: Options) -> Callable[[], bytes]:
    """How a harvester comes by the secret whenever it greets: who begins afresh has another."""
    if not chosen.secret_file:
        return lambda: _readable_own(Path(chosen.state))
    value = given(chosen.secret_file)  # read once: it may be a pipe
    return lambda: value


def given(path: str) -> bytes:
    """That of a file of the user's."""
    try:
        found = Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise UserMistake(f"--secret-file={path}: {reason}") from error
    if not found:
        raise UserMistake(f"--secret-file={path}: no secret in it")
    return found.encode()


def own_path(state: Path) -> Path:
    return state / SECRET


def own(state: Path) -> bytes:
    """That of the queuekeeper that keeps this state; empty if it has none, or the file was damaged."""
    try:
        found = files.content(own_path(state))
    except FileNotFoundError:
        return b""
    return found.strip() if re.fullmatch(rb"[0-9a-f]{%d}\n" % (2 * RANDOM_BYTES), found) else b""


def _readable_own(state: Path) -> bytes:
    try:
        return own(state)
    except OSError:  # the queuekeeper says which file it is
        return b""


def weaknesses(chosen: Options) -> list[str]:
    """What makes the secret less of one, and what is to be done about it."""
    path = Path(chosen.secret_file) if chosen.secret_file else own_path(Path(chosen.state))
    named = f"--secret-file={path}" if chosen.secret_file else str(path)
    return [*_readers(path, named), *(_brevity(path, named) if chosen.secret_file else [])]


def _readers(path: Path, named: str) -> list[str]:
    try:
        mode = path.stat().st_mode
    except OSError:
        return []
    if not stat.S_ISREG(mode) or not mode & OTHERS:
        return []
    return [f"{named}: other users of this machine can read it and command the crawl; chmod 600 {path}"]


def _brevity(path: Path, named: str) -> list[str]:
    if not path.is_file():  # a pipe is read once
        return []
    letters = len(given(str(path)).decode())
    if letters >= SHORTEST:
        return []
    better = f"head -c 32 /dev/urandom | base64 > {path}"
    return [f"{named}: a secret of {letters} letters is soon guessed; {better} makes one for all machines"]
