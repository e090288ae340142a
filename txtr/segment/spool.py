"""The spool: questions that a segmenter has not answered yet.

Invariant: a question is in the spool from `put` until it is removed by either `take` (it was answered) or
`forget` (it never will be). While the line is cut or the segmenter is away, no question is lost. Questions
that were asked and not answered are asked again on the next line, in the old order.

The spool is bounded: `room` says how many more documents may be begun, so that the harvester fetches no more
than it can have judged. When a line is cut, one of the questions under way may have killed the segmenter. All
of them are *suspects* then, and are asked one by one. A question that is alone when the line is cut again is
the culprit, and is given up after TRIES; the other questions lose nothing.
"""

from collections import deque
from dataclasses import dataclass

from txtr.segment.protocol import Question

MOST_QUESTIONS = 1000  # documents that wait, or are on their way to the spool; at 10 KB of text each, 10 MB
MOST_BYTES = 64 * 1024 * 1024  # of texts and pages that wait; documents under way then come on top
WINDOW = 256  # questions under way: 100 ms of latency cost nothing up to 2,500 documents a second
TRIES = 3  # lines that a question ends, or that bring no answer at all, before the question is given up
SILENCE = 30.0  # seconds without an answer, while questions are under way, that are worth a line of the log


@dataclass(slots=True)
class Waiting:
    question: Question
    size_bytes: int
    tries: int = 0


class Spool:
    def __init__(self) -> None:
        self.waiting: dict[int, Waiting] = {}  # number -> question; all questions
        self.unasked: deque[int] = deque()  # numbers of the questions to be asked next
        self.asked: dict[int, float] = {}  # questions under way, the oldest first -> when each was asked
        self.suspects: set[int] = set()  # questions under way when a line was cut, until they are answered
        self.size_bytes = 0
        self.heard = 0.0  # when the segmenter last answered, or was first asked
        self.serial = 0

    def put(self, question: Question) -> int:
        """Let a question wait; return its number."""
        self.serial += 1
        size_bytes = len(question.text.encode("utf-8", "replace")) + question.held_bytes
        self.waiting[self.serial] = Waiting(question, size_bytes)
        self.size_bytes += size_bytes
        self.unasked.append(self.serial)
        return self.serial

    def room(self, under_way: int) -> int:
        """How many more documents may be begun, when `under_way` were begun and did not end yet?"""
        return max(0, MOST_QUESTIONS - under_way) if self.size_bytes < MOST_BYTES else 0

    def next(self, now: float) -> list[tuple[int, Question]]:
        """The questions to ask now; from here on they count as asked."""
        if self.unasked and not self.asked:
            self.heard = now
        due = []
        while self.unasked and len(self.asked) < (1 if self.suspects else WINDOW):
            number = self.unasked.popleft()
            if number in self.waiting:
                self.asked[number] = now
                due.append((number, self.waiting[number].question))
        return due

    def take(self, number: int, now: float) -> Question | None:
        """Remove and return the question that was answered, if it is under way."""
        if number not in self.asked:
            return None
        self.heard = now
        return self.forget(number)

    def forget(self, number: int) -> Question | None:
        """Remove a question for which no document waits any more."""
        self.asked.pop(number, None)
        self.suspects.discard(number)
        waiting = self.waiting.pop(number, None)
        if waiting is None:
            return None
        self.size_bytes -= waiting.size_bytes
        return waiting.question

    def lag(self, now: float) -> float:
        """For how many seconds the oldest question has been under way."""
        return now - next(iter(self.asked.values()), now)

    def silent(self, now: float) -> float:
        """For how many seconds nothing has been answered, although there are questions under way."""
        return now - self.heard if self.asked else 0.0

    def cut(self) -> list[int]:
        """Take in that the line was cut: questions under way are asked again, but for those given up here."""
        under_way = list(self.asked)
        self._unask()
        self.suspects.update(under_way)
        return self._tried(under_way) if len(under_way) == 1 else []

    def fruitless(self, tries: int = TRIES) -> list[int]:
        """Count a try for all questions, of a silent or false segmenter; return those to be given up."""
        self._unask()
        return self._tried(list(self.waiting), tries)

    def _unask(self) -> None:
        self.unasked.extendleft(reversed(self.asked))
        self.asked.clear()

    def _tried(self, numbers: list[int], tries: int = TRIES) -> list[int]:
        for number in numbers:
            self.waiting[number].tries += 1
        return [number for number in numbers if self.waiting[number].tries >= tries]
