"""Edge: answers harvesters' questions, any number of harvesters at once. The judge decides.

A harvester that breaks the protocol loses its line, and is noted; the others do not notice. From a harvester
that does not read its answers no questions are read either, so nothing piles up here. A harvester does not
prove who it is: when too many are connected, the line that was silent for longest is cut, and its harvester
calls again.
"""

import asyncio
import traceback
from collections.abc import Callable
from functools import partial
from typing import Any

from txtr.diary.tally import Tally
from txtr.errors import TheirMistake
from txtr.model import Event
from txtr.segment.judges import CHUNK, Place
from txtr.segment.protocol import (
    MOST_GREETING_BYTES,
    MOST_QUESTION_BYTES,
    Frames,
    check_greeting,
    encode_answer,
    encode_greeting,
    read_languages,
    read_question,
)
from txtr.segment.usability import judge
from txtr.segmenter.unended import Unended
from txtr.wire.callers import Callers
from txtr.wire.listener import Caller, Listener, listen_at_path, listen_at_port

GREETING = 10.0  # seconds until a caller has greeted
LONGEST_NAME = 64  # letters; txtr/config/options.py
MOST_HARVESTERS = 400  # lines; each may cost 200 KB of unread bytes


class Judging:
    """Serves the built-in judge. `wanted`: languages; when there are none, those that the harvester wants.

    `files`: how many files the program may have open."""

    def __init__(self, wanted: frozenset[str], tally: Tally, note: Callable[..., None], files: int) -> None:
        self.wanted = wanted
        self.tally = tally
        self.callers: Callers[Caller] = Callers(files, MOST_HARVESTERS)
        self.unended: Unended[Caller] = Unended()
        self.listener = Listener(self._converse, self.callers, note)

    async def listen(self, where: Place) -> None:
        self.listener.begin(
            listen_at_path(where.path) if where.path else await listen_at_port([where.host], where.port)
        )

    async def end(self) -> None:
        """Hang up on all harvesters, which keep the questions that were not answered."""
        await self.listener.hang_up()

    async def _converse(self, caller: Caller) -> None:
        """Serve one harvester to its end. A caller that hangs up without a word has only looked in."""
        line = _Line(caller)
        try:
            async with asyncio.timeout(GREETING):
                value = await line.greeting()
            if value is not None:
                self._welcome(line, value)
                await self._answer(line, self.wanted or read_languages(value))
                self._note("cut-off" if caller.sent_away else "left", line, caller.sent_away)
            elif caller.sent_away:
                self._note("stranger", line, caller.sent_away)
        except TheirMistake as error:
            self._note("stranger", line, str(error))
        except TimeoutError:
            self._note("stranger", line, f"did not greet for {GREETING:.0f} seconds")
        except OSError as error:
            self._note("cut-off", line, caller.sent_away or str(error.strerror))
        except Exception:
            self.listener.complain(Event("error", line.name, {"trace": traceback.format_exc()}))
        finally:
            self.unended.end(caller)

    def _note(self, what: str, line: "_Line", reason: str = "") -> None:
        """Note a caller's line. Anybody may call, as often as he likes: a flood of such lines is counted."""
        self.listener.complain(Event(what, line.name, {"reason": reason} if reason else {}))

    def _welcome(self, line: "_Line", value: dict[str, Any]) -> None:
        check_greeting(value)
        line.name = str(value.get("harvester", "-"))[:LONGEST_NAME]
        line.frames.most_bytes = MOST_QUESTION_BYTES
        if not self.callers.has_room():
            silent = self.callers.longest_silent()
            self.callers.go(silent)
            silent.send_away(f"was silent for longest of more than {self.callers.most_known} lines")
        self.callers.admit(line.caller)
        self._note("joined", line)
        line.caller.writer.write(encode_greeting(segmenter="txtr"))

    async def _answer(self, line: "_Line", wanted: frozenset[str]) -> None:
        """Answer every question of one harvester, until it hangs up."""
        data, writer = b"", line.caller.writer
        while True:
            for said in map(partial(self._judge, line.caller, wanted), line.frames.feed(data)):
                writer.write(said)
                await writer.drain()  # none of the question is kept while its answer is not read
                await asyncio.sleep(0)  # many questions of one harvester must not keep the others waiting
            for leaving in self.unended.hold(line.caller, len(line.frames.buffer)):
                leaving.send_away("its frame was the eldest of all that have not ended, and take too much")
            data = await line.caller.reader.read(CHUNK)
            if not data:
                return

    def _judge(self, caller: Caller, wanted: frozenset[str], value: dict[str, Any]) -> bytes:
        """The answer to one question."""
        self.callers.hear(caller)
        self.unended.end(caller)
        number, question = read_question(value)
        judgement = judge(question.text, wanted, question.paragraphs)
        self.tally.add("judged")
        self.tally.add("useless", judgement.usability == 0)
        return encode_answer(number, judgement)


class _Line:
    """One harvester's connection."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self.name = "-"
        self.frames = Frames(MOST_GREETING_BYTES)

    async def greeting(self) -> dict[str, Any] | None:
        """The first frame; bytes that have come with it stay in `frames`."""
        while data := await self.caller.reader.read(CHUNK):
            for value in self.frames.feed(data):
                return value
        return None
