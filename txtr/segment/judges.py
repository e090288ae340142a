"""Edge: the ways to have a document judged: built in, by a segmenter at the end of a socket, or not at all.

The line to a segmenter may be cut, and is made again, like the line to the queuekeeper. Documents wait in the
spool meanwhile; a question that is asked twice is answered once. No behaviour of a segmenter does harm:

    nobody listens, the line is cut          documents wait; those under way are asked again
    no number from 0 to 1                    the built-in judge decides on that document
    another version, no frames, no JSON      after the third time the built-in judge decides on all that wait
    silence                                  the same, after three times the time that is said to be long
    the segmenter dies of a document         the same, for that document

The diary has a line each time: one per outage, and one per wrong answer. A segmenter that was given up is
*not trusted* until it gives an answer or is gone. Then one document at a time waits for it, and the built-in
judge decides on the others at once, so that the crawl does not wait again for each of them.

A silent line is kept for long: if the segmenter was only stopped, a cut line would make it judge the same
documents twice.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from txtr import clock
from txtr.errors import TheirMistake, UserMistake
from txtr.model import Event
from txtr.segment.protocol import (
    MOST_ANSWER_BYTES,
    MOST_QUESTION_BYTES,
    Frames,
    Question,
    check_greeting,
    encode_greeting,
    encode_question,
    read_answer,
)
from txtr.segment.spool import MOST_QUESTIONS, SILENCE, TRIES, Spool
from txtr.segment.usability import Judgement, judge

RETRY = (0.3, 5.0)  # seconds between two attempts to connect: at first, and at most
CHUNK = 1 << 16  # bytes read at once
LONG = 50_000  # characters of a text: to judge it takes more than a hundredth of a second
PLENTY = 1 << 30  # documents: no limit
GLANCE = 2.0  # seconds to find out whether a segmenter is there
MOST_STRAY = 100  # answers on one line to questions that nobody asked, before it is cut

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Silent(TheirMistake):
    """The segmenter has said nothing for so long that no document need wait any more."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a segmenter listens: a path, or a machine and its port."""

    path: str = ""
    host: str = ""
    port: int = 0

    def __str__(self) -> str:
        return self.path or f"{self.host}:{self.port}"

    async def connect(self) -> Connection:
        if self.path:
            return await asyncio.open_unix_connection(self.path)
        return await asyncio.open_connection(self.host, self.port)


def parse_place(text: str) -> Place:
    """The place that --segmenter names; a text with a slash is a path."""
    if "/" in text:
        return Place(path=text)
    host, _, port = text.rpartition(":")
    return Place(host=host.strip("[]"), port=int(port))


def check(where: Place) -> None:
    """Refuse a path that can be no segmenter's. A path at which nothing listens yet is no mistake."""
    path = Path(where.path)
    try:
        is_other = where.path and path.exists() and not path.is_socket()
        is_nowhere = where.path and not path.parent.is_dir()
    except OSError as error:
        raise UserMistake(f"--segmenter={where}: {error.strerror}") from error
    if is_other:
        raise UserMistake(f"--segmenter={where}: that is no socket")
    if is_nowhere:
        raise UserMistake(f"--segmenter={where}: there is no directory {path.parent}")


async def explain_absence(where: Place) -> str:
    """Why no segmenter can be reached there now; '' if one can."""
    try:
        _, writer = await asyncio.wait_for(where.connect(), GLANCE)
    except (OSError, ValueError) as error:
        return _why(error)
    writer.close()
    return ""


def _why(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or "no connection"


class Segmenter(ABC):
    """The judge of a harvester's documents."""

    @abstractmethod
    async def judge(self, question: Question) -> Judgement:
        """How usable is a document? The answer comes in the end, whatever happens."""

    async def hold(self) -> None:
        """Do the work that goes on beside judging; never ends."""
        await asyncio.Event().wait()

    def room(self, under_way: int) -> int:
        """How many more documents may be begun, when `under_way` are?"""
        return PLENTY

    def unjudged(self) -> int:
        """How many documents wait because the segmenter is away or slow?"""
        return 0


class Unjudged(Segmenter):
    """No judge: every document has the highest usability."""

    async def judge(self, question: Question) -> Judgement:
        return Judgement(1.0)


class BuiltIn(Segmenter):
    """The built-in judge; a long text is judged in a thread, so that it delays no request."""

    def __init__(self, wanted: frozenset[str]) -> None:
        self.wanted = wanted
        self.thread = ThreadPoolExecutor(1, "judge")

    async def judge(self, question: Question) -> Judgement:
        if len(question.text) <= LONG:
            return judge(question.text, self.wanted, question.paragraphs)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.thread, judge, question.text, self.wanted, question.paragraphs)


class Remote(Segmenter):
    """A segmenter at the end of a socket."""

    def __init__(
        self,
        where: Place,
        name: str,
        languages: list[str],
        stand_in: Callable[[Question], Awaitable[Judgement]],
        note: Callable[..., None],
        silence: float = SILENCE,
    ) -> None:
        self.where = where
        self.greeting = encode_greeting(harvester=name, languages=languages)
        self.stand_in = stand_in
        self.note = note
        self.silence = silence  # seconds that count as long
        self.spool = Spool()
        self.answers: dict[int, asyncio.Future[Judgement | None]] = {}  # None: the stand-in shall judge
        self.stirred = asyncio.Event()  # a question is to be asked
        self.away_since: float | None = None
        self.pause = RETRY[0]
        self.is_crowded = False
        self.is_trusted = True  # False after it was given up, until it answers or is gone

    async def judge(self, question: Question) -> Judgement:
        if not self.is_trusted and self.spool.waiting:
            self._stand_in_for(question, "it was given up, and has not answered since")
            return await self.stand_in(question)
        number = self.spool.put(question)
        answer = self.answers[number] = asyncio.get_running_loop().create_future()
        self.stirred.set()
        try:
            judgement = await answer
        finally:
            self.spool.forget(number)
            self.answers.pop(number, None)
        return await self.stand_in(question) if judgement is None else judgement

    def room(self, under_way: int) -> int:
        room = self.spool.room(under_way)
        if not room and not self.is_crowded:
            self._note("segmenter-behind", bytes=self.spool.size_bytes)
        self.is_crowded = not room or (self.is_crowded and room < MOST_QUESTIONS / 2)
        return room

    def unjudged(self) -> int:
        is_behind = self.away_since is not None or self.spool.lag(clock.now()) > self.silence / 3
        return len(self.spool.waiting) if is_behind else 0

    async def hold(self) -> None:
        """Connect, and connect again whenever the line is cut."""
        while True:
            reason, given_up = await self._one_line()
            if self.away_since is None:
                self.away_since = clock.now()
                self._note("segmenter-away", reason=reason)
            for number in given_up:
                self._amiss(number, reason)
            await asyncio.sleep(self.pause)
            self.pause = min(RETRY[1], 2 * self.pause)

    # --- one line

    async def _one_line(self) -> tuple[str, list[int]]:
        """Live through one line: return why it ended, and which questions are to be given up."""
        try:
            reader, writer = await asyncio.wait_for(self.where.connect(), self.silence)
        except (OSError, ValueError) as error:  # an impossible name is a ValueError
            self.is_trusted = True  # the next segmenter is another one
            return _why(error), []
        try:
            await self._converse(reader, writer)
            return "the line was cut", self.spool.cut()
        except TheirMistake as error:
            self._note("segmenter-amiss", reason=str(error), instead="a new line")
            return str(error), self._fruitless(1 if isinstance(error, Silent) else TRIES)
        except OSError as error:
            return error.strerror or "the line was cut", self.spool.cut()
        finally:
            writer.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        frames = Frames(MOST_ANSWER_BYTES)
        writer.write(self.greeting)
        try:
            await asyncio.wait_for(self._greet(reader, frames), self.silence)
        except TimeoutError as error:
            raise TheirMistake(f"no greeting for {self.silence:g} seconds") from error
        tasks = [
            asyncio.create_task(work)
            for work in (self._ask(writer), self._listen(reader, frames), self._mind_silence())
        ]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _greet(self, reader: asyncio.StreamReader, frames: Frames) -> None:
        while data := await reader.read(CHUNK):
            for value in frames.feed(data):
                check_greeting(value)
                away = 0.0 if self.away_since is None else clock.now() - self.away_since
                self._note("segmenter-up", away=away)
                self.away_since = None
                return
        raise ConnectionResetError(0, "hung up without a greeting")

    async def _ask(self, writer: asyncio.StreamWriter) -> None:
        self.stirred.set()
        while True:
            await self.stirred.wait()
            self.stirred.clear()
            for number, question in self.spool.next(clock.now()):
                said = encode_question(number, question)
                if len(said) > MOST_QUESTION_BYTES:
                    self._amiss(number, f"a question of {len(said)} bytes, the most is {MOST_QUESTION_BYTES}")
                    continue
                writer.write(said)
                await writer.drain()

    async def _listen(self, reader: asyncio.StreamReader, frames: Frames) -> None:
        strays = 0
        while data := await reader.read(CHUNK):
            for value in frames.feed(data):
                strays += not self._hear(value)
                if strays > MOST_STRAY:
                    raise TheirMistake(f"{strays} answers to questions that nobody asked")
            self.stirred.set()

    def _hear(self, value: dict[str, object]) -> bool:
        """Hand an answer to the task that waits for it; did one wait?"""
        answer = read_answer(value)
        question = self.spool.take(answer.number, clock.now())
        waits = self.answers.get(answer.number)
        if question is None or waits is None or waits.done():
            self._note("segmenter-amiss", reason=f"nobody asked question {answer.number}", instead="nothing")
            return False
        self.pause, self.is_trusted = RETRY[0], True
        if answer.judgement is None:
            self._stand_in_for(question, answer.wrong)
        waits.set_result(answer.judgement)
        return True

    async def _mind_silence(self) -> None:
        """Note when the segmenter is slow or silent for long, and end the line when that lasts."""
        is_said = is_slow = False
        while True:
            await asyncio.sleep(self.silence / 10)
            lag, silent = self.spool.lag(clock.now()), self.spool.silent(clock.now())
            if lag > self.silence / 3 and not is_slow:
                self._note("segmenter-behind", oldest=lag)
            is_slow = lag > self.silence / (6 if is_slow else 3)
            if silent > self.silence * (TRIES if self.is_trusted else 1):
                raise Silent(f"silent for {silent:.3g} seconds")
            if silent > self.silence and not is_said:
                self._note("segmenter-amiss", reason=f"silent for {silent:.3g} seconds", instead="patience")
            is_said = silent > self.silence

    # --- giving up

    def _fruitless(self, tries: int) -> list[int]:
        """Count a try that brought nothing; return the documents that have waited for so many tries."""
        given_up = self.spool.fruitless(tries if self.is_trusted else 1)
        self.is_trusted = self.is_trusted and not given_up
        return given_up

    def _amiss(self, number: int, reason: str) -> None:
        """Let the stand-in judge this document, since the segmenter cannot."""
        question = self.spool.forget(number)
        waits = self.answers.get(number)
        if question is not None and waits is not None and not waits.done():
            self._stand_in_for(question, reason)
            waits.set_result(None)

    def _stand_in_for(self, question: Question, reason: str) -> None:
        self.note(Event("segmenter-amiss", question.url, {"reason": reason, "instead": "built-in"}))

    def _note(self, what: str, **facts: object) -> None:
        self.note(Event(what, str(self.where), {**facts, "waiting": len(self.spool.waiting)}))
