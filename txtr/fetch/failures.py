"""Edge: failures of requests: which trouble an exception of the network or its libraries is.

Invariant: every exception is some trouble, and none keeps in memory what was read before it.
"""

import ssl
import zlib

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError

from txtr.fetch.connections import Call, WrongPeer
from txtr.fetch.unpacking import BadPacking
from txtr.model import Trouble

MOST_DETAIL_CHARACTERS = 200  # characters of a message that are worth keeping

# The first kind that fits decides. Special kinds come before general ones.
_TROUBLES: list[tuple[tuple[type[BaseException], ...], Trouble]] = [
    ((WrongPeer,), Trouble.GUARDED),
    ((aiohttp.ClientSSLError, aiohttp.ServerFingerprintMismatch, ssl.SSLError), Trouble.TLS),
    ((TimeoutError,), Trouble.TIMED_OUT),
    ((aiohttp.ClientConnectorError,), Trouble.CONNECT),
    ((HttpProcessingError, zlib.error), Trouble.NOT_HTTP),
    ((aiohttp.ClientConnectionError, aiohttp.ClientPayloadError, OSError), Trouble.DROPPED),
]


def find_trouble(error: Exception, call: Call) -> Trouble:
    """The trouble that this error is, which decides what is done about it."""
    if _is_caused_by(error, BadPacking):
        return Trouble.NOT_HTTP  # the body would be as garbled the next time
    if call.broken_off:
        return Trouble.STALLED
    found = next((trouble for kinds, trouble in _TROUBLES if isinstance(error, kinds)), Trouble.UNREADABLE)
    return Trouble.KEPT_WAITING if found is Trouble.DROPPED and call.waited else found


def describe(error: Exception, call: Call) -> str:
    """The words of the log about this error."""
    said = call.broken_off or _said(error)
    words = " ".join(said.split())[:MOST_DETAIL_CHARACTERS]
    kept = "" if call.is_new or call.sent is None else " (on a kept connection)"
    return f"{words}{kept}"


def _said(error: Exception) -> str:
    message = getattr(error, "message", "")
    if isinstance(error, aiohttp.ServerDisconnectedError) and not isinstance(message, str):
        return "Server disconnected in its answer"  # the library's message is what the server had sent
    if type(error) is TimeoutError and not error.args:
        return "--total-timeout"
    return str(message or error) or repr(error)


def drop_frames(error: BaseException | None) -> None:
    """Free the frames in which an error was raised, and with them what had come of the body.

    The library keeps the error with the reader of the body, and the error's frames keep that reader. Such a
    ring stays until the garbage collector comes, although its bytes were given back to the budget.
    """
    if error is not None and error.__traceback__ is not None:
        error.__traceback__ = None
        drop_frames(error.__cause__)
        drop_frames(error.__context__)


def _is_caused_by(error: BaseException | None, kind: type[BaseException]) -> bool:
    while error is not None and not isinstance(error, kind):
        error = error.__cause__
    return error is not None
