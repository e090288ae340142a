"""Edge: the miniature web as a program of its own.

    python -m txtr.demo.program --dir=DIR [--port=N]

writes DIR/hosts.txt, DIR/urls.txt and DIR/access.log, says `ready port=N`, and serves until
it gets SIGTERM or SIGINT.
"""

import argparse
import asyncio
import signal
import socket
import sys
from pathlib import Path

from txtr.config.values import whole_within
from txtr.console.arguments import Parser
from txtr.console.program import run
from txtr.demo.server import Server, open_web
from txtr.demo.sites import build
from txtr.demo.web import Web
from txtr.errors import UserMistake

NAME = "demo"


def main(argv: list[str]) -> int:
    """Serve the demonstration's web until it is asked to end; the exit code."""
    return run(NAME, lambda: _run(_parser().parse_args(argv)))


def _run(options: argparse.Namespace) -> int:
    try:
        options.dir.mkdir(parents=True, exist_ok=True)
        web, doors = open_web(build, options.port)
    except OSError as error:
        raise UserMistake(f"cannot start in {options.dir}, port {options.port}: {error}") from error
    (options.dir / "hosts.txt").write_text(web.hosts_file(), encoding="utf-8")
    (options.dir / "urls.txt").write_text(web.start_list(), encoding="utf-8")
    asyncio.run(_serve(web, doors, options.dir / "access.log"))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="txtr.demo", description="A miniature web on loopback addresses.")
    parser.add_argument("--dir", type=Path, required=True, help="where the hosts file, start list and log go")
    parser.add_argument("--port", type=_port, default=0, help="of all hosts; 0 takes one that is free")
    return parser


def _port(text: str) -> int:
    port = whole_within(text, 0, 65535)
    if port is None:
        raise argparse.ArgumentTypeError(f"{text[:100]!r}: expected a port, 0 to 65535")
    return port


async def _serve(web: Web, doors: list[socket.socket], log_path: Path) -> None:
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    with log_path.open("a", encoding="utf-8") as log:
        async with Server(web, log).serve(doors):
            print(f"ready port={web.port}", flush=True)
            await ended.wait()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
