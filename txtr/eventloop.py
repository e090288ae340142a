"""Edge: the event loop of a program, with a watch on its steps.

A step is everything between two looks at the sockets. During a step nothing else is heard: no ping is echoed,
no lease is extended, no signal is obeyed. So a step may take a bounded time only, whatever a page, a file or
a caller brings. The watch keeps the longest step, for the summary and for the tests.

Steps are measured in processor time of the loop's own thread: on a busy machine a step may take longer by the
clock, and that is not its fault. The watch sits in the selector, which is asked once a step. The selector is
a public interface, and the watch costs one reading of a clock a step.
"""

import asyncio
import selectors
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from functools import partial
from typing import TypeVar

from txtr import clock

Result = TypeVar("Result")


class Watch:
    """The longest step so far."""

    def __init__(self) -> None:
        self.longest = 0.0  # seconds of processor time
        self.ended = 0.0  # wall time at which the longest step ended
        self._begun = clock.thread_processor()

    def so_far(self) -> float:
        """The seconds of processor time that this step has taken."""
        return clock.thread_processor() - self._begun

    def end(self) -> None:
        """Take in that the step has ended; the wait before the next one takes no processor time."""
        now = clock.thread_processor()
        if now - self._begun > self.longest:
            self.longest, self.ended = now - self._begun, clock.wall()
        self._begun = now

    def forget(self) -> None:
        """Watch from here on: nothing waits while a program starts."""
        self.longest, self._begun = 0.0, clock.thread_processor()

    def line(self) -> str:
        """The longest step, for a summary."""
        return f"% longest-step {self.longest:.3f}s   at {clock.stamp(self.ended)}"


class Portions:
    """Work of one kind, of many tasks: a step does a portion of it, and the rest waits for later steps."""

    def __init__(self, most: float) -> None:
        self.most = most  # seconds of processor time in a step; a longer turn takes from the next steps
        self.spent = 0.0  # of this step, and of later steps
        self.line: OrderedDict[object, None] = OrderedDict()  # waiting tasks, the longest wait first

    async def turn(self) -> None:
        """Wait until it is our turn, in a step in which there is time left."""
        if self.spent < self.most and not self.line:
            return
        ticket = object()
        self.line[ticket] = None
        try:
            # Each task looks for itself: to be woken takes a step, so only one task would have a turn in it.
            while self.spent >= self.most or next(iter(self.line)) is not ticket:  # noqa: ASYNC110
                await asyncio.sleep(0)
        finally:
            del self.line[ticket]

    def spend(self, seconds: float) -> None:
        """Take in that our turn has taken so many seconds."""
        if not self.spent:
            asyncio.get_running_loop().call_soon(self._begin)
        self.spent += seconds

    def _begin(self) -> None:
        """Begin the next step, with the time that it has left."""
        self.spent = max(0.0, self.spent - self.most)
        if self.spent:
            asyncio.get_running_loop().call_soon(self._begin)


class _WatchedSelector(selectors.DefaultSelector):
    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self._watch = watch

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self._watch.end()
        return super().select(timeout)


def run(work: Callable[[Watch], Coroutine[object, object, Result]]) -> Result:
    """Run a program's work to its end, as `asyncio.run` does, and give it the watch on its steps."""
    watch = Watch()
    with asyncio.Runner(loop_factory=partial(_loop, watch)) as runner:
        return runner.run(work(watch))


def _loop(watch: Watch) -> asyncio.AbstractEventLoop:
    return asyncio.SelectorEventLoop(_WatchedSelector(watch))
