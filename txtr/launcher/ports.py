"""Edge: is the queuekeeper's port free, and is there a segmenter?"""

import asyncio
import contextlib
import socket

from txtr.config.options import Options, is_local, port_trouble
from txtr.errors import UserMistake
from txtr.segment.judges import explain_absence, parse_place


def check_port(options: Options) -> None:
    """Listen for a moment where the queuekeeper will; a UserMistake names the port if that fails."""
    try:
        with contextlib.closing(_listening(_interface(options), options.port)):
            pass
    except socket.gaierror as error:
        raise UserMistake(f"--qk-host={options.qk_host}: {error.strerror}") from error
    except OSError as error:
        raise UserMistake(port_trouble(options.port, error)) from error


def find_absence(segmenter: str) -> str:
    """Why no segmenter can be reached where --segmenter says; '' if one can."""
    return asyncio.run(explain_absence(parse_place(segmenter)))


def free_port() -> int:
    """A port of localhost that nobody listens at."""
    with contextlib.closing(_listening("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])


def _interface(options: Options) -> str:
    """Harvesters from elsewhere need a door to elsewhere."""
    if options.qk_host:
        return options.qk_host
    return "127.0.0.1" if is_local(options.harv_host) else "0.0.0.0"


def _listening(interface: str, port: int) -> socket.socket:
    family, kind, protocol, _, place = socket.getaddrinfo(interface, port, type=socket.SOCK_STREAM)[0]
    door = socket.socket(family, kind, protocol)
    try:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a port just left is free
        door.bind(place)
        door.listen()
    except OSError:
        door.close()
        raise
    return door
