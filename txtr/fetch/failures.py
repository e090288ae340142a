"""Edge: the troubles of fetch: what an exception of the network and its libraries means for a request.

Invariant: every exception has a meaning, and none keeps alive what has been read so far.
"""

import ssl
import zlib

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError

from txtr.fetch.connections import Call, WrongPeer
from txtr.fetch.unpacking import BadPacking
from txtr.model import Trouble

DETAIL = 200  # characters of a message that are worth keeping

# The first kind that fits decides; the order is from the special to the general.
_TROUBLES: list[tuple[tuple[type[BaseException], ...], Trouble]] = [
    ((WrongPeer,), Trouble.GUARDED),
    ((aiohttp.ClientSSLError, aiohttp.ServerFingerprintMismatch, ssl.SSLError), Trouble.TLS),
    ((TimeoutError,), Trouble.TIMED_OUT),
    ((aiohttp.ClientConnectorError,), Trouble.CONNECT),
    ((HttpProcessingError, zlib.error), Trouble.NOT_HTTP),
    ((aiohttp.ClientConnectionError, aiohttp.ClientPayloadError, OSError), Trouble.DROPPED),
]


def trouble(error: Exception, call: Call) -> Trouble:
    """Which trouble it is, and so what helps."""
    if _is_caused_by(error, BadPacking):
        return Trouble.NOT_HTTP  # it would be as garbled the next time
    if call.broken_off:
        return Trouble.STALLED
    found = next((trouble for kinds, trouble in _TROUBLES if isinstance(error, kinds)), Trouble.UNREADABLE)
    return Trouble.KEPT_WAITING if found is Trouble.DROPPED and call.waited else found


def detail(error: Exception, call: Call) -> str:
    """What the log says of it."""
    said = call.broken_off or _said(error)
    words = " ".join(said.split())[:DETAIL]
    kept = "" if call.is_new or call.sent is None else " (on a kept connection)"
    return f"{words}{kept}"


def _said(error: Exception) -> str:
    message = getattr(error, "message", "")
    if isinstance(error, aiohttp.ServerDisconnectedError) and not isinstance(message, str):
        return "Server disconnected in its answer"  # the message is what it had sent
    if type(error) is TimeoutError and not error.args:
        return "--total-timeout"
    return str(message or error) or repr(error)


def let_go(error: BaseException | None) -> None:
    """Free the frames in which an error was raised, and so the body as far as it has come.

    The library keeps the error with the reader that was being read, and the error's frames keep the reader:
    such a ring lives on until the garbage collector comes, and its bytes were given back to the budget.
    """
    if error is not None and error.__traceback__ is not None:
        error.__traceback__ = None
        let_go(error.__cause__)
        let_go(error.__context__)


def _is_caused_by(error: BaseException | None, kind: type[BaseException]) -> bool:
    while error is not None and not isinstance(error, kind):
        error = error.__cause__
    return error is not None
