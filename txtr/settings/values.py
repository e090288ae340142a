"""One value of an option: the text that the user writes, and the value that it means.

Invariant: value_of(name, written(value), "") == value, whichever layer the text came from.
"""

import math
from collections.abc import Callable
from typing import Any

from txtr.errors import UserMistake
from txtr.options import FIELDS

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
        wrong = declared.metadata["check"](value)
    except ValueError as error:
        wrong = str(error)
    if wrong:
        raise UserMistake(f"{culprit}{shown(text)}: {wrong}")
    return value


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
    return text


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError("expected a whole number") from None


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError("expected a number")
    return number


def _truth(text: str) -> bool:
    if text.lower() not in TRUTH:
        raise ValueError("expected yes or no")
    return TRUTH[text.lower()]


_CONVERSIONS: dict[type, Callable[[str], Any]] = {str: _text, int: _whole, float: _number, bool: _truth}
