"""The throttle: how many connections this harvester should have open, by what machine and network can take.

The throttle works in trials of a few seconds. While every connection is taken, requests are due and the
processor is idle, the next trial has more connections. If these bring clearly more per second, the throttle
goes on like this; if not, it goes back, and tries no more for a while. When the same connections suddenly
bring far less, or pages wait to be read, the throttle takes fewer. The most is --connections.

Only the number of simultaneous requests changes, never what the four rules allow: a wrong guess costs time,
and not manners.

Why not always the most: behind a narrow line, five hundred downloads share what fifty could have. All of them
become slow, and time limits end some, whose bytes were fetched for nothing.
"""

from dataclasses import dataclass

FEWEST = 16  # connections: enough to keep a processor busy with servers that answer in a tenth of a second
FIRST = 64
LOOK_EVERY = 1.0  # seconds
TRIAL = 3  # seconds: most requests that were begun before a trial end within it
STEP = 1.5  # the throttle opens by a half, and closes by as much
BUSY = 0.9  # of a processor: more connections would only make pages wait
BETTER = 1.1  # times as much: the least that a step must bring
WORSE = 0.6  # times as much: with so little, the network must have changed
ANSWER_BYTES = 10_000  # for which an answer counts beside its body: the time of a server is worth something
REST = 5  # trials until a step that brought nothing is tried again


@dataclass(frozen=True, slots=True)
class Second:
    """Measurements of one second."""

    answers: int  # requests that have ended
    body_bytes: int  # that arrived, of all answers
    processor: float  # seconds of processor time used
    is_full: bool  # was a request due for which no connection was free?
    is_behind: bool  # do pages wait to be read, or small pages for their share of the memory budget?


class Throttle:
    def __init__(self, most: int) -> None:
        self.most = most
        self.fewest = min(FEWEST, most)
        self.connections = min(FIRST, most)
        self.trial: list[Second] = []  # the seconds of this trial
        self.before: tuple[int, float] | None = (
            None  # the connections before the last step up, and what these brought
        )
        self.usual = 0.0  # what the present number of connections brings; 0: not known
        self.rest = 0  # trials until the next step up

    def look(self, second: Second) -> None:
        """Open or close the throttle after this second."""
        self.trial.append(second)
        if second.is_behind:
            self._set(self.connections / STEP)
        elif len(self.trial) >= TRIAL:
            self._judge()

    def _judge(self) -> None:
        """Open or close the throttle after a trial, by what its connections brought."""
        rate = sum(map(_brought, self.trial)) / len(self.trial)
        processor = sum(second.processor for second in self.trial) / len(self.trial)
        is_full = all(second.is_full for second in self.trial)
        self.trial.clear()
        if not is_full:
            self.before = None
        elif self.before is not None and rate < BETTER * self.before[1]:
            self._set(self.before[0])
            self.rest = REST
        elif rate < WORSE * self.usual:
            self._set(self.connections / STEP)
        elif processor < BUSY * LOOK_EVERY and self.rest <= 0 and self.connections < self.most:
            before = (self.connections, rate)
            self._set(self.connections * STEP)
            self.before = before
        else:
            self.before, self.usual = None, rate
        self.rest -= 1

    def _set(self, connections: float) -> None:
        self.connections = min(self.most, max(self.fewest, round(connections)))
        self.before, self.usual = None, 0.0
        self.trial.clear()


def _brought(second: Second) -> int:
    """What a second has brought, in bytes."""
    return second.body_bytes + ANSWER_BYTES * second.answers
