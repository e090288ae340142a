"""The segmenter protocol: what a harvester and a segmenter say to each other, as bytes (docs/segmenter.md).

    harvester → {"txtr-segmenter": 1, "harvester": "harvester-07", "languages": ["cs"]}
    segmenter → {"txtr-segmenter": 1}
    harvester → {"id": 1, "url": "http://example.cz/a", "title": "Ahoj", "language": "cs", "text": "...",
                 "paragraphs": [2, 1]}
    segmenter → {"id": 1, "usability": 0.83, "reasons": ["short"], "language": "cs", "good_lines": [0, 2]}

Each message is a frame: four bytes of length, big endian, then so many bytes of JSON in UTF-8. Questions are
sent without waiting for answers, and answers may come in any order. The format is JSON, because anybody may
write a segmenter, in any language; our own two programs speak MessagePack on the wire.

Invariant: any input becomes a value, or a TheirMistake that says what was wrong with it. A mistake in a frame
ends the line; a mistake in the number of an answer concerns that document only.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from txtr.errors import TheirMistake
from txtr.segment.usability import Judgement

VERSION = 1
GREETING = "txtr-segmenter"  # the key under which both sides say their version
HEADER = 4  # bytes of length
MOST_GREETING_BYTES = 64 * 1024  # of the first frame, from a stranger
MOST_QUESTION_BYTES = 64 * 1024 * 1024  # of a frame that asks: the text of the largest page one may fetch
MOST_ANSWER_BYTES = 512 * 1024  # of a frame that answers: line numbers of a very long text
MOST_LINES = 50_000  # good lines that are listed by number; with more, all lines count as good
MOST_REASONS = 8
LONGEST_REASON = 80  # characters; it goes into a log line
_LANGUAGE = re.compile(r"[A-Za-z0-9-]{0,35}")  # RFC 5646, 4.4.1
SHOWN = 60  # characters of a wrong value that a message repeats


@dataclass(frozen=True, slots=True)
class Question:
    """A document to be judged."""

    url: str
    text: str  # lines
    title: str = ""
    language: str = ""  # as the page says
    held_bytes: int = 0  # of the page itself, which the harvester keeps in memory meanwhile; not sent
    paragraphs: tuple[int, ...] = ()  # how many lines of the text each has


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for a question: a judgement, or what is wrong with the answer."""

    number: int
    judgement: Judgement | None
    wrong: str = ""


# Frames


def encode_frame(value: dict[str, Any]) -> bytes:
    body = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    return len(body).to_bytes(HEADER, "big") + body


class Frames:
    """Cuts a stream of bytes into JSON objects, and trusts none of the bytes."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes  # may be changed between two frames
        self.buffer = bytearray()  # the beginning of a frame that is not whole

    def feed(self, data: bytes) -> Iterator[dict[str, Any]]:
        self.buffer += data
        while len(self.buffer) >= HEADER:
            length = int.from_bytes(self.buffer[:HEADER], "big")
            if length > self.most_bytes:
                raise TheirMistake(f"frame of {length} bytes, the most is {self.most_bytes}")
            if len(self.buffer) < HEADER + length:
                return
            yield _object(self._cut(length))

    def _cut(self, length: int) -> bytes:
        """Cut off the first frame; none of it stays here, since its reader may take a long time."""
        body = bytes(self.buffer[HEADER : HEADER + length])
        del self.buffer[: HEADER + length]
        return body


def _object(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise TheirMistake(f"expected JSON, came {_shown(body)}") from error
    if not isinstance(value, dict):
        raise TheirMistake(f"expected a JSON object, came {_shown(body)}")
    return value


# The greeting


def encode_greeting(**more: object) -> bytes:
    """The first frame of either side."""
    return encode_frame({GREETING: VERSION, **more})


def check_greeting(value: dict[str, Any]) -> None:
    if GREETING not in value:
        raise TheirMistake(f'expected {{"{GREETING}": {VERSION}}}, came {_shown(value)}')
    if value[GREETING] != VERSION or isinstance(value[GREETING], bool):
        raise TheirMistake(f"speaks version {_shown(value[GREETING])}, we speak {VERSION}")


def read_languages(value: dict[str, Any]) -> frozenset[str]:
    """The languages that a greeting asks for."""
    listed = value.get("languages", [])
    return frozenset(filter(_is_text, listed)) if isinstance(listed, list) else frozenset()


# Questions and answers


def encode_question(number: int, question: Question) -> bytes:
    return encode_frame(
        {
            "id": number,
            "url": question.url,
            "title": question.title,
            "language": question.language,
            "text": question.text,
            "paragraphs": question.paragraphs,
        }
    )


def read_question(value: dict[str, Any]) -> tuple[int, Question]:
    number, text = _number(value), value.get("text")
    if not isinstance(text, str):
        raise TheirMistake(f"question {number} has no text")
    url, title, language = (_text(value.get(key)) for key in ("url", "title", "language"))
    return number, Question(url, text, title, language, paragraphs=_counts(value.get("paragraphs")))


def encode_answer(number: int, judgement: Judgement) -> bytes:
    said: dict[str, Any] = {"id": number, "usability": judgement.usability}
    said |= {"reasons": list(judgement.reasons), "language": judgement.language}
    if judgement.kept is not None and len(judgement.kept) <= MOST_LINES:
        said["good_lines"] = list(judgement.kept)
    return encode_frame(said)


def read_answer(value: dict[str, Any]) -> Answer:
    """The answer, or what is wrong with it if it has no usability; without an id it is a TheirMistake."""
    number, usability = _number(value), _usability(value.get("usability"))
    if usability is None:
        return Answer(number, None, f"usability {_shown(value.get('usability'))} is no number from 0 to 1")
    language = _text(value.get("language")).strip().replace("_", "-")
    if not _LANGUAGE.fullmatch(language):
        return Answer(number, None, f"language {_shown(language)} is no code of letters, digits and hyphens")
    reasons = value.get("reasons")
    listed = reasons[:MOST_REASONS] if isinstance(reasons, list) else []
    judgement = Judgement(
        usability=usability,
        reasons=tuple(_word(reason) for reason in listed if _is_text(reason) and _word(reason)),
        language=language,
        kept=_line_numbers(value.get("good_lines")),
    )
    return Answer(number, judgement)


def _usability(value: object) -> float | None:
    """The value, if it is a number; true and NaN are none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        return None
    return float(value)


def _line_numbers(value: object) -> tuple[int, ...] | None:
    """Numbers of lines in order, each once; None (all lines) for anything else."""
    if not isinstance(value, list) or not all(type(number) is int and number >= 0 for number in value):
        return None
    return tuple(sorted(set(value)))


def _counts(value: object) -> tuple[int, ...]:
    """Numbers of lines, as they are; an empty tuple for anything else."""
    is_counts = isinstance(value, list) and all(type(count) is int and count > 0 for count in value)
    return tuple(value) if is_counts and isinstance(value, list) else ()


def _number(value: dict[str, Any]) -> int:
    number = value.get("id")
    if type(number) is not int:
        raise TheirMistake(f"expected an id that is a whole number, came {_shown(number)}")
    return number


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _word(reason: str) -> str:
    """A foreign text as one short word of a log line."""
    return re.sub(r"[\s,]+", "-", reason.strip()[:LONGEST_REASON])


def _shown(value: object) -> str:
    """A foreign value, short and on one line."""
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else repr(value)
    spelt = ascii(text[:SHOWN])[1:-1]  # one character may take ten
    return spelt[:SHOWN] + ("..." if len(text) > SHOWN or len(spelt) > SHOWN else "")
