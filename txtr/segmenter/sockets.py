"""Edge: answers harvesters' questions, any number of harvesters at once. The judge decides.

A harvester that breaks the protocol loses its line, and is noted; the others do not notice. One that does
not read its answers is not read from either, so nothing piles up here.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

from txtr.errors import TheirMistake
from txtr.model import Event
from txtr.report.tally import Tally
from txtr.segment.question import (
    MOST_QUESTION_BYTES,
    Frames,
    answer,
    check_greeting,
    greeting,
    languages,
    read_question,
)
from txtr.segment.sockets import CHUNK, Place
from txtr.segment.usability import judge


class Judging:
    """Serves the shipped judge. `wanted`: languages; when there are none, those that the harvester wants."""

    def __init__(self, wanted: frozenset[str], tally: Tally, note: Callable[..., None]) -> None:
        self.wanted = wanted
        self.tally = tally
        self.note = note
        self.harvesters: set[asyncio.Task[None]] = set()  # lines that are open

    async def listen(self, where: Place) -> asyncio.Server:
        if where.path:
            return await asyncio.start_unix_server(self._converse, where.path)
        return await asyncio.start_server(self._converse, where.host, where.port)

    async def end(self) -> None:
        """Hang up on everybody; they keep what was not answered."""
        for harvester in self.harvesters:
            harvester.cancel()
        await asyncio.gather(*self.harvesters, return_exceptions=True)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.harvesters.add(task)
        name = "-"
        try:
            values = _values(reader)
            async for value in values:
                check_greeting(value)
                name = str(value.get("harvester", "-"))
                self.note(Event("joined", name))
                writer.write(greeting(segmenter="txtr"))
                await self._answer(values, writer, self.wanted or languages(value))
                self.note(Event("left", name))
        except TheirMistake as error:
            self.note(Event("stranger", name, {"reason": str(error)}))
        except OSError as error:
            self.note(Event("cut-off", name, {"reason": error.strerror}))
        except asyncio.CancelledError:
            pass  # we are ending
        finally:
            self.harvesters.discard(task)
            writer.close()

    async def _answer(
        self, values: AsyncIterator[dict[str, Any]], writer: asyncio.StreamWriter, wanted: frozenset[str]
    ) -> None:
        async for value in values:
            number, question = read_question(value)
            judgement = judge(question.text, wanted, question.paragraphs)
            self.tally.add("judged")
            self.tally.add("useless", judgement.usability == 0)
            writer.write(answer(number, judgement))
            await writer.drain()
            await asyncio.sleep(0)  # a long pipeline of one harvester must not keep the others waiting


async def _values(reader: asyncio.StreamReader) -> AsyncIterator[dict[str, Any]]:
    frames = Frames(MOST_QUESTION_BYTES)
    with contextlib.suppress(ConnectionResetError):
        while data := await reader.read(CHUNK):
            for value in frames.feed(data):
                yield value
