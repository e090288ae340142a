"""The spool: questions that a segmenter has not answered yet.

Invariant: a question is in here from `put` until exactly one of `take` (it was answered) and `forget`
(it never will be) removes it. While the line is cut or the segmenter is away, nothing is lost; what had
been asked and not answered is asked again on the next line, in the old order.

The spool is bounded: `room` says how many more documents may be begun, so that the harvester fetches no
more than it can have judged. When a line is cut, one of the questions under way may have killed the
segmenter. All of them are *suspects* then, and are asked one by one: a question that is alone when the line
is cut again is the culprit, and given up after TRIES; the others lose nothing.
"""

from collections import deque
from dataclasses import dataclass

from txtr.segment.protocol import Question

MOST_QUESTIONS = 1000  # documents that wait, or are on their way to it; at 10 KB of text each, 10 MB
MOST_BYTES = 64 * 1024 * 1024  # of texts and pages that wait; what is under way then comes on top
WINDOW = 256  # questions under way: 100 ms of latency cost nothing up to 2,500 documents a second
TRIES = 3  # lines that a question ends, or that are fruitless for all, before it is given up
SILENCE = 30.0  # seconds without any answer while questions are under way that are worth a word


@dataclass(slots=True)
class Waiting:
    question: Question
    size_bytes: int
    tries: int = 0


class Spool:
    def __init__(self) -> None:
        self.waiting: dict[int, Waiting] = {}  # number -> question; all of them
        self.unasked: deque[int] = deque()  # those to be asked next
        self.asked: dict[int, float] = {}  # those under way, the oldest first -> when it was asked
        self.suspects: set[int] = set()  # those under way when a line was cut, until they are answered
        self.size_bytes = 0
        self.heard = 0.0  # when the segmenter last answered, or was first asked
        self.serial = 0

    def put(self, question: Question) -> int:
        """Let it wait; its number."""
        self.serial += 1
        size_bytes = len(question.text.encode("utf-8", "replace")) + question.held_bytes
        self.waiting[self.serial] = Waiting(question, size_bytes)
        self.size_bytes += size_bytes
        self.unasked.append(self.serial)
        return self.serial

    def room(self, under_way: int) -> int:
        """How many more documents may be begun, when so many are somewhere between us and the corpus?"""
        return max(0, MOST_QUESTIONS - under_way) if self.size_bytes < MOST_BYTES else 0

    def next(self, now: float) -> list[tuple[int, Question]]:
        """What is to be asked now; it counts as asked."""
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
        """The question that this answers, if it is under way; it is not here any more."""
        if number not in self.asked:
            return None
        self.heard = now
        return self.forget(number)

    def forget(self, number: int) -> Question | None:
        """Remove it; nobody waits for it any more."""
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
        """The line is no more. What was under way is to be asked again, but for what is to be given up."""
        under_way = list(self.asked)
        self._unask()
        self.suspects.update(under_way)
        return self._tried(under_way) if len(under_way) == 1 else []

    def fruitless(self, tries: int = TRIES) -> list[int]:
        """There is somebody, but silent or no segmenter: a try for all that wait. Those to be given up."""
        self._unask()
        return self._tried(list(self.waiting), tries)

    def _unask(self) -> None:
        self.unasked.extendleft(reversed(self.asked))
        self.asked.clear()

    def _tried(self, numbers: list[int], tries: int = TRIES) -> list[int]:
        for number in numbers:
            self.waiting[number].tries += 1
        return [number for number in numbers if self.waiting[number].tries >= tries]
