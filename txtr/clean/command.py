"""Edge: the command that cleans one page: sh texttractor.sh clean [FILE] [options], or python -m txtr.clean.

It reads a file or the standard input and writes text or JSON. It decides nothing about pages.
An argument or file that cannot be used is named in one line, and the exit code is 2.
"""

import argparse
import json
import os
import shlex
import sys
from dataclasses import asdict
from pathlib import Path

from txtr import urls
from txtr.charset import encode, is_utf8
from txtr.clean.page import ALL, MAIN, Cleaned, clean
from txtr.config.options import VERSION
from txtr.console.arguments import Parser
from txtr.console.program import run
from txtr.errors import UserMistake
from txtr.escapes import escaped
from txtr.media import is_binary

NAME = "clean"
STANDARD_INPUT = "-"
SAMPLE_TEXT = "Žluťoučký kůň. " * 10  # to be encoded once: some of Python's encodings are not for texts


def main(argv: list[str]) -> int:
    """Clean the page that the arguments name; the exit code."""
    return run(NAME, lambda: _run(argv))


def _run(argv: list[str]) -> int:
    arguments = _parser().parse_args(argv)
    if arguments.others:
        raise UserMistake(f"{' '.join(arguments.others)}: expected one FILE, clean pages one by one")
    _check(arguments.encoding)
    page = clean(_read(arguments.file), _url(arguments.url), arguments.content_type, arguments.text)
    _write(escaped(_json(page, arguments.encoding)) if arguments.json else page.text, arguments.encoding)
    return 0


def _program() -> str:
    """The command as the user typed it, so that the help shows a line that works."""
    script = os.environ.get("TXTR_SCRIPT")
    return f"sh {shlex.quote(script)} {NAME}" if script else f"python -m txtr.{NAME}"


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog=_program(),
        description="Clean an HTML page to plain text, one sentence per line.",
        epilog="What the output encoding lacks is replaced: typography by its plain form, foreign accents"
        " by none, the rest by question marks.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "file", nargs="?", default=STANDARD_INPUT, metavar="FILE", help="default: standard input"
    )
    parser.add_argument("others", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("--version", action="version", version=f"TextTractor {VERSION}")
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


def _check(encoding: str) -> None:
    try:
        encode(SAMPLE_TEXT, encoding)
    except (LookupError, ValueError) as error:
        raise UserMistake(f"--encoding={encoding}: no such encoding") from error


def _read(name: str) -> bytes:
    if name == STANDARD_INPUT and sys.stdin is None:
        raise UserMistake("standard input: closed, expected an HTML page there or a FILE")
    try:
        data = sys.stdin.buffer.read() if name == STANDARD_INPUT else Path(name).read_bytes()
    except (OSError, ValueError) as error:
        raise UserMistake(f"{name}: {getattr(error, 'strerror', None) or error}") from error
    if is_binary(data):
        raise UserMistake(f"{name}: expected an HTML page, found a file that is no text")
    return data


def _url(url: str) -> str:
    if not url:
        return ""
    found = urls.canonical(url)
    if found is None:
        raise UserMistake(f"--url={url}: expected an http or https URL")
    return found


def _json(page: Cleaned, encoding: str) -> str:
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
        ensure_ascii=not is_utf8(encoding),  # then no character need be replaced, not even by a quote
    )


def _write(text: str, encoding: str) -> None:
    sys.stdout.buffer.write(encode(text + "\n" if text else "", encoding))
    sys.stdout.buffer.flush()
