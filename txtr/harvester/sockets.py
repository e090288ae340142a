"""Edge: runs the walk. Fetches what is due, carries each answer to the page, the corpus and the report.

One task per request under way, as many as --connections allows; pages are read in a thread of
their own, so that a long page delays no request.
"""

import asyncio
import contextlib
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

from txtr import clock, urls
from txtr.batch.columns import Errand
from txtr.corpus.disk import Aside, Corpus
from txtr.fetch.outcome import Failed, Page, RedirectTo
from txtr.fetch.sockets import Fetched, Fetcher, Names
from txtr.harvester.line.sockets import Line
from txtr.harvester.page import Demands, Processed, judged, process
from txtr.harvester.walk import Walk
from txtr.manners import robots
from txtr.model import (
    Answer,
    Document,
    Event,
    Failure,
    Purpose,
    Redirect,
    Report,
    RobotsFile,
    Trouble,
    Unvisited,
)
from txtr.report.tally import Tally
from txtr.segment.sockets import Segmenter
from txtr.wire.lease import BREAK_OFF
from txtr.wire.messages import (
    UNJUDGED,
    Ask,
    Deal,
    Goodbye,
    Leaving,
    More,
    NewDomains,
    Ping,
    Pong,
    Reported,
    Resolved,
    Welcome,
)

REPORT_EVERY = 0.02  # seconds: what is ready together is said together
SWEEP_EVERY = 60.0  # seconds between two clearings of what is remembered of domains
FAREWELL = 6.0  # seconds to finish what is under way when we are told to end
MOST_UNREAD = 50  # pages that wait to be read; with more, none is fetched
SYNC_EVERY = 5.0  # seconds after which what was kept survives a power cut
NO_ROOM = 1 << 30  # rows that a harvester claims to be busy with when it wants no more
MEASURED = 20  # requests after which the time per request is worth reporting


class Harvest:
    def __init__(
        self,
        *,
        walk: Walk,
        line: Line,
        fetcher: Fetcher,
        names: Names,
        corpus: Corpus,
        aside: Aside,
        rejected: Corpus | None,
        segmenter: Segmenter,
        demands: Demands,
        agent: str,
        text: str,
        connections: int,
        batch_count: int,
        has_finished: Callable[[], bool],
        note: Callable[..., None],
    ) -> None:
        self.walk = walk
        self.line = line
        self.fetcher = fetcher
        self.names = names
        self.corpus = corpus
        self.aside = aside
        self.rejected = rejected  # for texts that are not usable enough, if they are to be kept
        self.segmenter = segmenter
        self.demands = demands
        self.agent = agent
        self.text = text  # what is kept of a page: main or all
        self.connections = connections
        self.batch_count = batch_count
        self.has_finished = has_finished  # did a queuekeeper on this machine end its crawl?
        self.note = note
        self.tally = Tally()
        self.reader = ThreadPoolExecutor(1, "reader")
        self.tasks: set[asyncio.Task[None]] = set()  # requests and names under way
        self.fetching: dict[asyncio.Task[Fetched], int] = {}  # of those, the ones at a server -> batch
        self.judging = 0  # documents that the segmenter has not judged yet
        self.unread = 0  # pages that wait for the reader
        self.stirred = asyncio.Event()  # something changed: look what is due
        self.is_over = False
        self.trouble = ""  # of this machine, that made us leave
        self.asked: tuple[int, int] | None = None  # what our last question was based on

    async def run(self) -> None:
        """Work until told to end; raises what ends the line for good."""
        helpers = [
            asyncio.create_task(work)
            for work in (
                self._walk(),
                self._report(),
                self.line.ping(self._counts),
                self._watch_lease(),
                self._sync(),
                self.segmenter.hold(),
            )
        ]
        line = asyncio.create_task(self.line.hold(self.walk.held, self._hear, self._is_over))
        try:
            await asyncio.wait([line, *helpers], return_when=asyncio.FIRST_COMPLETED)
            for task in [line, *helpers]:
                if task.done():
                    task.result()
        finally:
            for task in [line, *helpers, *self.tasks]:
                task.cancel()
            await asyncio.gather(line, *helpers, *self.tasks, return_exceptions=True)
            self.reader.shutdown(wait=False, cancel_futures=True)
            for store in self._stores():
                store.sync()
                store.close()

    def _is_over(self) -> bool:
        return self.is_over or (self.line.failures > 0 and not self.line.is_up and self.has_finished())

    def leave(self) -> None:
        """Begin to end: start nothing, finish what is under way."""
        self.walk.leave()
        self.stirred.set()

    # --- what the queuekeeper says

    def _hear(self, message: Any) -> None:
        now = clock.now()
        self.note(Event("heard", "queuekeeper", {"message": type(message).__name__}))
        match message:
            case Welcome(_, batches):
                self.walk.keep_only(batches)
                self._break_off(lambda batch: batch not in batches)
                self.asked = None
                self.line.say(Ping(now, self._counts()))  # for a lease: work can begin at once
            case Pong(stamp):
                self.walk.extend_lease(stamp)
            case Deal(batch):
                self.walk.deal(batch, now)
            case More(batch, visits):
                self.walk.top_up(batch, visits, now)
            case NewDomains(batch, domains):
                self._start(self._resolve(batch, domains))
            case Goodbye():
                self.leave()
        self.stirred.set()

    # --- the walk

    async def _walk(self) -> None:
        while True:
            now = clock.now()
            for errand in self.walk.due(now, self._room()):
                self._start(self._visit(errand))
            due = self.walk.next_due()
            is_blocked = due is None or not self._room() or now >= self.walk.lease_until
            try:
                await asyncio.wait_for(
                    self.stirred.wait(), None if is_blocked or due is None else max(0, due - now)
                )
            except TimeoutError:
                continue
            self.stirred.clear()

    def _room(self) -> int:
        """How many more requests may be begun? A reader or a segmenter that is behind makes us wait."""
        room = min(self.connections - len(self.fetching), self.segmenter.room(len(self.tasks)))
        return max(0, room) if self.unread < MOST_UNREAD else 0

    async def _visit(self, errand: Errand) -> None:
        """One request from its sending to its place in the report."""
        url = urls.join(errand.domain, errand.request.path)
        fetch = asyncio.create_task(self.fetcher.fetch(url, errand.address, errand.request.purpose))
        self.fetching[fetch] = errand.batch
        try:
            fetched = await fetch
        except asyncio.CancelledError:
            self.walk.ended(errand, None, None, clock.now())
            self.walk.answer(errand.batch, Unvisited(errand.domain, [errand.request.path]))
            return
        finally:
            del self.fetching[fetch]
        trouble = fetched.outcome.trouble if isinstance(fetched.outcome, Failed) else None
        self.walk.ended(errand, trouble, fetched.first_byte, fetched.ended)
        self.stirred.set()
        self._note_fetched(errand, url, fetched)
        self.walk.answer(errand.batch, await self._answer(errand, url, fetched))

    async def _answer(self, errand: Errand, url: str, fetched: Fetched) -> Answer:
        domain, path, took = errand.domain, errand.request.path, fetched.took
        match fetched.outcome:
            case Page() as page if errand.request.purpose is Purpose.ROBOTS:
                return RobotsFile(domain, path, page.status, robots.decode(page.body), took)
            case Page() as page:
                return await self._page(errand, url, page, took)
            case RedirectTo(target, status) if errand.request.purpose is Purpose.ROBOTS:
                return RobotsFile(domain, path, status, "", took, target)
            case RedirectTo(target, status):
                return Redirect(domain, path, target, status, took)
            case Failed() as failed if failed.status and errand.request.purpose is Purpose.ROBOTS:
                return RobotsFile(domain, path, failed.status, "", took, retry_after=failed.retry_after)
            case Failed(trouble, detail, retry_after):
                return Failure(domain, path, trouble, detail, took, retry_after)

    async def _page(self, errand: Errand, url: str, page: Page, took: float) -> Answer:
        """Read it, have it judged, and keep what is to be kept."""
        domain, path = errand.domain, errand.request.path
        read = partial(process, domain, path, page, took, clock.wall(), self.agent, self.text)
        try:
            processed = await self._read(read)
            processed = await self._judge(processed)
            return await self._keep(processed, url, page)
        except OSError as error:
            self._cannot_write(error)
            return Unvisited(domain, [path])
        except Exception as error:
            self.note(Event("error", url, {"trace": traceback.format_exc()}))
            return Failure(domain, path, Trouble.UNREADABLE, repr(error), took)

    async def _read(self, read: Callable[[], Processed]) -> Processed:
        """In the reader's thread, one page at a time."""
        self.unread += 1
        try:
            processed, seconds = await asyncio.get_running_loop().run_in_executor(self.reader, _timed, read)
        finally:
            self.unread -= 1
        self.tally.spend("cleaning", seconds)
        return processed

    async def _judge(self, processed: Processed) -> Processed:
        if processed.question is None:
            return processed
        begun = clock.now()
        self.judging += 1
        try:
            judgement = await self.segmenter.judge(processed.question)
        finally:
            self.judging -= 1
            self.tally.spend("judging", clock.now() - begun)
        return judged(processed, judgement, self.demands)

    def _cannot_write(self, error: OSError) -> None:
        """Nothing can be kept, so nothing more may be fetched: the page goes back, and we go home."""
        if not self.walk.is_leaving:
            self.note(Event("error", error.filename or "corpus", {"reason": error.strerror}))
            self.trouble = f"cannot write {error.filename or 'the corpus'}: {error.strerror}"
            self.leave()

    async def _keep(self, processed: Processed, url: str, page: Page) -> Document:
        document = processed.document
        facts: dict[str, object] = {"usability": document.usability, "links": len(document.links)}
        if processed.question is not None:
            reasons = processed.metadata["reasons"]
            assert isinstance(reasons, list)
            facts |= {"language": document.language or None, "reasons": ",".join(reasons) or None}
            facts |= {"cut": processed.metadata["cut"]} if "cut" in processed.metadata else {}
        about = {**processed.metadata, "fetched": clock.stamp(document.fetched)}
        if document.fate == "kept":
            verdict = await self.line.claim(url, processed.own_address, processed.digest)
            if verdict.is_ours:
                facts["where"] = self.corpus.keep(about, processed.text)
            else:
                document = replace(document, fate="duplicate")
                facts["first"] = verdict.first
        elif document.fate == "rejected" and self.rejected is not None:
            facts["where"] = self.rejected.keep(about, processed.text)
        elif document.fate == "aside":
            facts["where"] = self.aside.keep(
                url, page.content_type, page.body, clock.stamp(document.fetched), document.modified
            )
        self.tally.add(document.fate)
        self.note(Event(document.fate, url, facts))
        if processed.wants_nofollow:
            self.note(Event("nofollow", url))
        return document

    def _note_fetched(self, errand: Errand, url: str, fetched: Fetched) -> None:
        facts: dict[str, object] = {"took": fetched.took, "batch": errand.batch, "column": errand.column}
        facts["address"] = errand.address
        self.tally.add("requests")
        self.tally.spend("waiting-for-servers", fetched.took)
        mine: dict[str, object]
        match fetched.outcome:
            case Page(status=status, body=body):
                what, mine = "fetched", {"status": status, "bytes": len(body)}
                self.tally.add("documents", errand.request.purpose is Purpose.PAGE)
                self.tally.add("bytes", len(body))
            case RedirectTo(target, status):
                what, mine = "redirected", {"status": status, "target": target}
                self.tally.add("redirects")
            case Failed(trouble, detail):
                what, mine = "failed", {"trouble": trouble, "detail": detail}
                self.tally.add("failed", errand.request.purpose is Purpose.PAGE)
        self.note(Event(what, url, {**mine, **facts}))

    # --- new domains

    async def _resolve(self, batch: int, domains: list[str]) -> None:
        resolutions = await asyncio.gather(*map(self.names.resolve, domains))
        self.tally.add("names", len(domains))
        self.line.say(Resolved(batch, list(resolutions)))

    # --- speaking to the queuekeeper

    async def _report(self) -> None:
        """Report, ask for more, and in the end take leave."""
        swept, until = clock.now(), None
        while True:
            await asyncio.sleep(REPORT_EVERY)
            for report in self.walk.take_reports():
                self.line.say(Reported(report))
            self._ask()
            await self.line.flush()
            now = clock.now()
            if now - swept > SWEEP_EVERY:
                self.walk.columns.sweep(now)
                self._reassure()
                swept = now
            if self.walk.is_leaving:
                until = until or now + FAREWELL
                if self._is_done(now > until):
                    return await self.line.hang_up()

    def _reassure(self) -> None:
        """Documents that wait for the segmenter are no reason to take a batch from us."""
        for batch in self.walk.held() if self.judging else []:
            self.line.say(Reported(Report(batch)))

    def _ask(self) -> None:
        """Ask for rows, unless our last question still stands."""
        based_on = (self.walk.last_batch, len(self.walk.columns))
        if not self.line.is_up or self.walk.is_leaving or based_on == self.asked:
            return
        self.asked = based_on
        if self.batch_count and self.walk.batches_seen >= self.batch_count:
            if not self.walk.columns:
                self.leave()
            self.line.say(Ask(self.walk.last_batch, NO_ROOM, 0.0))
        else:
            self.line.say(Ask(*based_on, self._seconds_per_request()))

    def _is_done(self, is_late: bool) -> bool:
        """Everything is reported, or it is too late for the rest: say so and go."""
        if is_late:
            self._break_off(lambda batch: True)
        if (self.tasks or self.walk.reports or self.walk.full or not self.line.is_up) and not is_late:
            return False
        self.line.say(
            Ping(clock.now(), self._counts())
        )  # the last counts; its echo confirms the last reports
        if self.line.unconfirmed and not is_late:
            return False
        self.is_over = True
        self.line.say(Leaving())
        return True

    def _seconds_per_request(self) -> float:
        requests = self.tally.counts["requests"]
        return clock.processor() / requests if requests >= MEASURED else 0.0

    def _counts(self) -> dict[str, float]:
        counts = {what: float(number) for what, number in self.tally.counts.items()}
        return {**counts, UNJUDGED: float(self.segmenter.unjudged())}

    async def _watch_lease(self) -> None:
        """Break off what is under way when the lease has been lost for long."""
        while True:
            await asyncio.sleep(1.0)
            if clock.now() > self.walk.lease_until + BREAK_OFF:
                self._break_off(lambda batch: True)

    def _stores(self) -> list[Corpus | Aside]:
        return [self.corpus, self.aside, *([self.rejected] if self.rejected else [])]

    async def _sync(self) -> None:
        """See to it that what was kept survives a power cut; the disk may take its time."""
        while True:
            await asyncio.sleep(SYNC_EVERY)
            for store in self._stores():
                with contextlib.suppress(
                    OSError
                ):  # a shard that was full is closed; troubles show when writing
                    await asyncio.to_thread(store.sync)

    def _break_off(self, concerns: Callable[[int], bool]) -> None:
        """End the requests of these batches, wherever they are."""
        for fetch, batch in self.fetching.items():
            if concerns(batch):
                fetch.cancel()

    def _start(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        self.stirred.set()
        if not task.cancelled() and task.exception() is not None:
            trace = "".join(traceback.format_exception(task.exception()))
            self.note(Event("error", "task", {"trace": trace}))


def _timed(read: Callable[[], Processed]) -> tuple[Processed, float]:
    begun = clock.now()
    return read(), clock.now() - begun
