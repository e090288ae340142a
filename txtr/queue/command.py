"""The command line of `sh texttractor.sh queue`: what is asked, or a UserMistake that says what is wrong.

`program` is how the user calls it, so that what he is told to type works as it is.
"""

import argparse
import re
from collections.abc import Callable
from typing import NoReturn

from txtr.config import options
from txtr.config.values import value_of, whole_within
from txtr.console.arguments import Parser
from txtr.errors import UserMistake
from txtr.frontier.records import FATES
from txtr.seeds import startlist
from txtr.urls import canonical, split

JSONL, CSV = FORMATS = ("jsonl", "csv")
SHOWN = 20  # domains in a table, unless --limit says otherwise
SETTLED = FATES[1:]

EXAMPLES = """\
What is in the queue, what came of a link, and orders to the frontier. A crawl may be running: then
it is shown as of its last commit, and orders go through the queuekeeper.

  {program}                          totals
  {program} domains '\\.cz$'          the domains with the longest queues
  {program} url http://example.cz/a  what do we know of this link?
  {program} block example.cz         never contact it again
  {program} COMMAND --help           more about a command"""


class _Parser(Parser):
    def error(self, message: str) -> NoReturn:
        raise UserMistake(f"{message}; see {self.prog} --help")


def parse(argv: list[str], program: str) -> argparse.Namespace:
    """What is asked."""
    parser = _Parser(
        prog=program,
        description=EXAMPLES.format(program=program),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(command="totals")
    _add_common(parser, is_first=True)
    parser.add_argument("--version", action="version", version=f"TextTractor {options.VERSION}")
    commands = parser.add_subparsers(metavar="COMMAND", parser_class=_Parser)

    def command(name: str, help: str, description: str = "") -> argparse.ArgumentParser:
        added = commands.add_parser(
            name, help=help, description=description or help[:1].upper() + help[1:] + ".", allow_abbrev=False
        )
        added.set_defaults(command=name)
        _add_common(added, is_first=False)
        return added

    command("totals", "how many links are in which state (the default)")
    domains = command("domains", "the domains, those with the longest queues first")
    domains.add_argument("pattern", nargs="?", default="", metavar="RE", type=_expression)
    domains.add_argument(
        "--limit", type=_number, default=SHOWN, metavar="N", help=f"at most so many ({SHOWN})"
    )
    command("domain", "all that is known of one domain").add_argument("domain", type=_domain)
    command("url", "what we know of a link").add_argument("url", type=_url)
    add = command("add", "queue links", "Queue links, as if they stood on the start list.")
    add.add_argument("urls", nargs="*", metavar="URL", help="- reads them from the standard input")
    add.add_argument("--file", default="", metavar="PATH", help="a file like a start list")
    for name, help in (
        ("drop", "forget what is queued for a domain; found again, it is queued again"),
        ("block", "never contact a domain again, until it is unblocked"),
        ("unblock", "contact a domain again"),
    ):
        command(name, help).add_argument("domains", nargs="+", metavar="DOMAIN", type=_domain)
    for name, help in (
        ("bring-back", "give abandoned domains that match another trial"),
        (
            "retry",
            "try again what failed, or is parked because nobody answered, at domains that match, or all",
        ),
    ):
        how_many = "?" if name == "retry" else None
        command(name, help).add_argument(
            "pattern", nargs=how_many, default="", metavar="RE", type=_expression
        )
    export = command("export", "the documents list: every link that is settled, on the standard output")
    export.add_argument(
        "--format",
        choices=FORMATS,
        default=JSONL,
        help="jsonl, or csv with a heading (text that looks like a formula has an apostrophe before it)",
    )
    export.add_argument("--fate", type=_fates, default=SETTLED, metavar="FATES", help=", ".join(SETTLED))
    command("compact", "rewrite the database without gaps; no crawl may be running")
    verify = command("verify", "is everything consistent? exit code 1 if not")
    verify.add_argument("--repair", action="store_true", help="count anew; no crawl may be running")
    return parser.parse_args(argv)


def _add_common(parser: argparse.ArgumentParser, is_first: bool) -> None:
    """Options that may stand before the command or after it; the later wins."""
    default = None if is_first else argparse.SUPPRESS
    flag = False if is_first else argparse.SUPPRESS
    parser.add_argument(
        "--state", default=default, type=_path("state"), metavar="PATH", help="the crawl's state directory"
    )
    parser.add_argument(
        "--config",
        default=default,
        type=_path("config"),
        metavar="PATH",
        help="file with options (config.txt)",
    )
    parser.add_argument(
        "--port", default=default, type=_port, metavar="N", help="of the queuekeeper, if it is not found"
    )
    parser.add_argument(
        "--secret-file", default=default, type=_path("secret-file"), metavar="PATH", help="likewise"
    )
    parser.add_argument("--json", action="store_true", default=flag, help="JSON instead of tables")


def _path(name: str) -> Callable[[str], str]:
    """As any of the programs takes this option."""

    def path(text: str) -> str:
        return str(value_of(name, text, f"--{name}="))

    return path


def domain_of(text: str) -> str:
    """The domain that a user means, spelt as the queue spells it; '' when it is none."""
    found = canonical(text if "://" in text else f"http://{text}/")
    if found is None:
        return ""
    name, path = split(found)
    is_name = any(map(str.isalnum, name))  # the standard takes a dash for one
    return name if is_name and path.partition("/")[2] == "" else ""


def _domain(text: str) -> str:
    name = domain_of(text)
    if not name:
        raise argparse.ArgumentTypeError(f"{text[:100]!r}: expected a domain, such as www.example.cz")
    return name


def _url(text: str) -> str:
    found = startlist.link(text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text[:100]!r}: expected an http or https URL")
    return found


def _expression(text: str) -> str:
    try:
        re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise argparse.ArgumentTypeError(f"{text[:100]!r}: bad regular expression: {error}") from error
    return text


def _number(text: str) -> int:
    number = whole_within(text, 1, options.MANY)
    if number is None:
        raise argparse.ArgumentTypeError(f"{text[:100]!r}: expected a number, 1 to {options.MANY}")
    return number


def _port(text: str) -> int:
    port = whole_within(text, 1, 65535)
    if port is None:
        raise argparse.ArgumentTypeError(f"{text[:100]!r}: expected a port, 1 to 65535")
    return port


def _fates(text: str) -> tuple[str, ...]:
    fates = tuple(text.split(","))
    for fate in fates:
        if fate not in SETTLED:
            raise argparse.ArgumentTypeError(f"{fate[:100]!r}: expected {', '.join(SETTLED)}")
    return fates
