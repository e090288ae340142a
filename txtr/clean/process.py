"""The command that cleans one page: python -m txtr.clean [FILE] [options].

Edge: reads a file or the standard input, writes text or JSON, and decides nothing about pages. What cannot be
used is named in one line, and the exit code is 2.
"""

import argparse
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import NoReturn

from txtr import urls
from txtr.clean.page import ALL, MAIN, Cleaned, clean
from txtr.errors import UserMistake

NAME = "txtr.clean"
STANDARD_INPUT = "-"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UserMistake(message)


def main(argv: list[str]) -> int:
    """Clean the page that the arguments name."""
    try:
        arguments = _parser().parse_args(argv)
        page = clean(_read(arguments.file), _url(arguments.url), arguments.content_type, arguments.text)
        _write(_json(page) if arguments.json else page.text, arguments.encoding)
    except UserMistake as error:
        print(f"{NAME}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # whoever reads us has seen enough; Python would complain when it flushes
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog=f"python -m {NAME}",
        description="Clean an HTML page to plain text, one sentence per line.",
        epilog="Characters that the output encoding lacks become question marks.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "file", nargs="?", default=STANDARD_INPUT, metavar="FILE", help="default: standard input"
    )
    parser.add_argument("--url", default="", help="where the page comes from; makes links absolute")
    parser.add_argument("--content-type", default="", metavar="TYPE", help="the HTTP header, if you have it")
    parser.add_argument(
        "--text", choices=(MAIN, ALL), default=MAIN, help="the main content, or all that can be seen (main)"
    )
    parser.add_argument("--encoding", default="utf-8", metavar="NAME", help="of the output (utf-8)")
    parser.add_argument(
        "--json", action="store_true", help="one JSON object with metadata, links and paragraphs"
    )
    return parser


def _read(name: str) -> bytes:
    if name == STANDARD_INPUT:
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:
        raise UserMistake(f"{name}: {getattr(error, 'strerror', None) or error}") from error


def _url(url: str) -> str:
    if not url:
        return ""
    found = urls.canonical(url)
    if found is None:
        raise UserMistake(f"--url={url}: expected an http or https URL")
    return found


def _json(page: Cleaned) -> str:
    about = asdict(page.metadata)
    return json.dumps(
        {
            "title": page.title,
            "language": page.language,
            "charset": page.charset,
            "charset_source": page.charset_source,
            "canonical": page.canonical,
            "metadata": about,
            "directives": asdict(page.directives),
            "links": page.links,
            "text": page.text,
            "paragraphs": page.counts,
        },
        ensure_ascii=False,
    )


def _write(text: str, encoding: str) -> None:
    try:
        data = (text + "\n" if text else "").encode(encoding, "replace")
    except (LookupError, ValueError) as error:
        raise UserMistake(f"--encoding={encoding}: no such encoding") from error
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
