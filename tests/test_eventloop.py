"""The watch on the event loop sees what would keep a program from listening."""

import asyncio
import re
import time

from txtr import clock, eventloop


def busy(seconds: float) -> None:
    """Use so much of the processor in one go."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def test_the_longest_step_is_the_longest_work_between_two_looks_at_the_sockets():
    async def work(watch: eventloop.Watch) -> float:
        watch.forget()
        for seconds in (0.02, 0.12, 0.05):
            busy(seconds)
            await asyncio.sleep(0)
        return watch.longest

    assert 0.12 <= eventloop.run(work) < 0.19


def test_waiting_is_no_step():
    """Only work keeps others waiting; who sleeps, listens."""

    async def work(watch: eventloop.Watch) -> float:
        watch.forget()
        await asyncio.sleep(0.15)
        await asyncio.sleep(0)
        return watch.longest

    assert eventloop.run(work) < 0.1


def test_a_start_does_not_count_once_it_is_forgotten():
    async def work(watch: eventloop.Watch) -> float:
        busy(0.2)
        watch.forget()
        await asyncio.sleep(0)
        return watch.longest

    assert eventloop.run(work) < 0.15


def test_the_summary_says_how_long_and_when():
    async def work(watch: eventloop.Watch) -> str:
        watch.forget()
        busy(0.05)
        await asyncio.sleep(0)
        return watch.line()

    before = clock.stamp()
    said = re.fullmatch(r"% longest-step (\d+\.\d{3})s   at (\S+)", eventloop.run(work))
    assert said and float(said[1]) >= 0.05
    assert before <= said[2] <= clock.stamp()


def test_who_has_little_to_do_is_not_kept_waiting_by_who_has_much():
    """They take turns: a short page does not wait for a hundred long ones."""

    async def work(watch: eventloop.Watch) -> list[str]:
        portions, ended = eventloop.Portions(0.005), []

        async def one(name: str, pieces: int) -> None:
            for _ in range(pieces):
                await portions.turn()
                portions.spend(0.002)
            ended.append(name)

        await asyncio.gather(*(one("much", 20) for _ in range(10)), one("little", 1))
        return ended

    assert eventloop.run(work)[0] == "little"


def test_what_many_do_at_the_same_time_is_done_in_portions():
    """Yielding after each piece is not enough: all of them go on in the next step."""

    async def work(watch: eventloop.Watch) -> float:
        portions, done = eventloop.Portions(0.03), 0

        async def one() -> None:
            nonlocal done
            for _ in range(3):
                await portions.turn()
                begun = time.thread_time()
                busy(0.01)
                portions.spend(time.thread_time() - begun)
                done += 1

        watch.forget()
        await asyncio.gather(*(one() for _ in range(20)))
        assert done == 60
        return watch.longest

    assert eventloop.run(work) < 0.1
