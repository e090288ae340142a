"""One value of an option: the text that the user writes, and the value that it means.

Invariant: value_of(name, written(value), "") == value, whichever layer the text came from.
"""

import math
import re
import sys
from collections.abc import Callable
from typing import Any

from txtr.config.options import FIELDS, wrong_path
from txtr.errors import UserMistake

PATHS = ("PATH", "PATTERN")  # the words by which --help calls the values of options that are paths,
EXPRESSION = "RE"  # and of those that are regular expressions
SHOWN = 60  # characters of a wrong value that a message repeats
TRUTH = {
    "yes": True,
    "true": True,
    "on": True,
    "1": True,
    "no": False,
    "false": False,
    "off": False,
    "0": False,
}


def value_of(name: str, text: str, culprit: str) -> Any:
    """What this text means for an option; if nothing usable, the culprit is named before it."""
    declared = FIELDS[name]
    try:
        value = _CONVERSIONS[declared.type](declared.metadata["spelling"](text))  # type: ignore[index]
        wrong = _out_of_range(name, value) or _unusable_path(name, value) or declared.metadata["check"](value)
    except ValueError as error:
        wrong = str(error)
    if wrong:
        raise UserMistake(f"{culprit}{shown(text)}: {wrong}")
    return value


def whole_within(text: str, least: int, most: int) -> int | None:
    """The number that these digits are, if it is one and neither too small nor too large."""
    digits = text.lstrip("0") or "0"
    if not (text.isascii() and text.isdigit()) or len(digits) > len(str(most)):
        return None
    return int(digits) if least <= int(digits) <= most else None


def is_expression(name: str) -> bool:
    """Is the value of this option a regular expression? It may also be given as @FILE."""
    return bool(FIELDS[name].metadata["value"] == EXPRESSION)


def range_of(name: str) -> str:
    """The least and the most that an option may be; none of what is no number."""
    least, most = FIELDS[name].metadata["least"], FIELDS[name].metadata["most"]
    return "" if most is None else f"{written(least)} to {written(most)}"


def _out_of_range(name: str, value: Any) -> str:
    least, most = FIELDS[name].metadata["least"], FIELDS[name].metadata["most"]
    if least is not None and value < least:
        return f"the least is {written(least)}"
    return f"the most is {written(most)}" if most is not None and value > most else ""


def _unusable_path(name: str, value: Any) -> str:
    return wrong_path(value) if FIELDS[name].metadata["value"] in PATHS else ""


def written(value: object) -> str:
    """The text that _CONVERSIONS turns into this value."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def shown(text: object) -> str:
    """A foreign text, short and on one line."""
    line = "".join(sign if sign.isprintable() else "?" for sign in str(text))
    return line if len(line) <= SHOWN else line[:SHOWN] + "..."


def _text(text: str) -> str:
    if not all(sign.isprintable() or "\ud800" <= sign <= "\udfff" for sign in text):
        raise ValueError("holds a control character")  # surrogates: file names that are not UTF-8
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # of "\ud800" in the config file
        raise ValueError("holds half a character") from None
    return text


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:  # Python reads 4300 digits at most
        if len(text) > SHOWN and (digits := re.fullmatch(r"\s*([+-]?)\d+\s*", text)):
            return -sys.maxsize if digits[1] == "-" else sys.maxsize
        raise ValueError("expected a whole number") from None


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    is_infinite = math.isinf(number) and not re.search(r"\d", text)  # 1e309 is a number, and too large
    if math.isnan(number) or is_infinite:
        raise ValueError("expected a number")
    return number


def _truth(text: str) -> bool:
    if text.lower() not in TRUTH:
        raise ValueError("expected yes or no")
    return TRUTH[text.lower()]


_CONVERSIONS: dict[type, Callable[[str], Any]] = {str: _text, int: _whole, float: _number, bool: _truth}
