"""Edge: runs the walk: fetches what is due, and carries each answer to the page, the corpus and the report.

There is one task per request under way, as many as the throttle allows. Pages are read one after another
between two looks at the sockets, in the event loop itself. A thread would fight with the loop over the
interpreter, which cost a quarter of the processor time when it was tried. Three things go to a thread, so
that they delay no request: a long page; its record, which takes seconds to write in another encoding than
Unicode; and a file that is no page, since a short archive may be long inside, and the disk that stores it may
be slow. Many processors are used by many harvesters.
"""

import asyncio
import traceback
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from msgspec.structs import replace

from txtr import clock, urls
from txtr.corpus.record import Text
from txtr.corpus.shards import Aside, Corpus
from txtr.diary.tally import Tally
from txtr.fetch.dns import Names
from txtr.fetch.fetcher import Fetched, Fetcher
from txtr.fetch.outcome import Failed, Page
from txtr.gate import Gate
from txtr.harvester import events
from txtr.harvester.columns import DealtRequest
from txtr.harvester.known_links import KnownLinks
from txtr.harvester.line import Line
from txtr.harvester.page import Demands, Processed, answer_without_page, apply_judgement, is_html, process
from txtr.harvester.throttle import LOOK_EVERY, Second, Throttle
from txtr.harvester.walk import Walk
from txtr.model import Answer, Document, Event, Failure, Report, Trouble, Unvisited
from txtr.segment.judges import Segmenter
from txtr.wire.lease import BREAK_OFF
from txtr.wire.messages import (
    UNJUDGED,
    WAITING_FOR_MEMORY,
    Deal,
    Forget,
    Goodbye,
    Leaving,
    More,
    NewDomains,
    Ping,
    Pong,
    Reported,
    Resolved,
    Spare,
    Verdict,
    Welcome,
)

# Answers that are ready together are synced to the disk and reported together. That takes about as long for
# many as for few, so the next report waits several times as long as the last one took: a busy harvester
# reports seldom.
COALESCE = 5  # times as long as the last report took
SOONEST, LATEST = 0.02, 0.1  # seconds, whatever the last report took
SWEEP_EVERY = 60.0  # seconds between two clearings of what is remembered of domains
FAREWELL = 6.0  # seconds to finish the requests under way when the harvester is told to end
LONG_BYTES = 256 * 1024  # of a page or a text: to read it takes more than some hundredths of a second
HUGE_BYTES = 2 * 1024 * 1024  # of a page: to read it takes fifteen times as much memory, for a moment
MANY_LINKS = 500  # of a page: to look through more takes a millisecond and more
MOST_UNREAD = 50  # pages that wait to be read; with more, none is fetched
MOST_WAITING = 0.5  # of all connections may wait for memory; with more, nothing is fetched
MEASURED = 20  # requests after which the time per request is worth reporting
LONG_WAIT = 3  # looks at the throttle: downloads that wait for memory so long are worth a line of the log
SAY_EVERY = 60.0  # seconds between two such lines
NAMES_EVERY = 0.5  # seconds: names that are found by then are reported, slow names later


class Run:
    def __init__(
        self,
        *,
        walk: Walk,
        line: Line,
        fetcher: Fetcher,
        names: Names,
        corpus: Corpus,
        aside: Aside | None,
        rejected: Corpus | None,
        segmenter: Segmenter,
        demands: Demands,
        agent: str,
        text: str,
        throttle: Throttle,
        known_links: KnownLinks | None,
        has_finished: Callable[[], bool],
        return_memory: Callable[[], None],
        note: Callable[..., None],
    ) -> None:
        self.walk = walk
        self.line = line
        self.fetcher = fetcher
        self.names = names
        self.corpus = corpus
        self.aside = aside  # for files that are no pages, if they are to be kept
        self.rejected = rejected  # for texts that are not usable enough, if they are to be kept
        self.segmenter = segmenter
        self.demands = demands
        self.agent = agent
        self.text = text  # what is kept of a page: main or all
        self.throttle = throttle
        self.known_links = known_links  # None: every link is reported, however often
        self.has_finished = has_finished  # did a queuekeeper on this machine end its crawl?
        self.return_memory = return_memory  # after a page that took much
        self.note = note
        self.tally = Tally()
        self.turn = asyncio.Lock()  # held while a page is read in the event loop
        self.reader = ThreadPoolExecutor(1, "reader")  # for long pages and records, and files of other kinds
        self.storer = ThreadPoolExecutor(1, "storer")  # for these files
        self.tasks: set[asyncio.Task[None]] = set()  # requests and names under way
        self.fetching: dict[asyncio.Task[Any], int] = {}  # those tasks that wait for a server -> batch
        self.judging = 0  # documents that the segmenter has not judged yet
        self.unread = 0  # pages that wait to be read
        self.stirred = asyncio.Event()  # something changed: look what is due
        self.was_full = False  # was a request due lately for which no connection was free?
        self.looks_waiting = 0  # looks at the throttle, in a row, at which downloads waited for memory
        self.say_again = 0.0  # the earliest time of the next line about that
        self.is_over = False
        self.trouble = ""  # of this machine, which made the harvester leave
        self.processor_before = clock.processor()  # seconds: spent on starting, not on requests

    async def run(self) -> None:
        """Work until told to end; raises the error that ends the line for good."""
        helpers = [
            asyncio.create_task(work)
            for work in (
                self._walk(),
                self._report(),
                self.line.ping(self._counts),
                self._watch_lease(),
                self._adapt(),
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
            self.storer.shutdown(cancel_futures=True)  # before its files are closed
            for store in self._stores():
                store.sync()
                store.close()

    def _is_over(self) -> bool:
        return self.is_over or (self.line.failures > 0 and not self.line.is_up and self.has_finished())

    def leave(self) -> None:
        """Begin to end: start no request, finish those under way."""
        self.walk.leave()
        self.stirred.set()

    # --- what the queuekeeper says

    def _hear(self, message: Any) -> None:
        now = clock.now()
        self.note(Event("heard", "queuekeeper", {"message": type(message).__name__}))
        match message:
            case Verdict():
                return  # the line has handed it to its claimant; no request becomes due by it
            case Welcome(_, batches, include, exclude):
                self.walk.keep_only(batches)
                self._break_off(lambda batch: batch not in batches)
                self.walk.asked = None
                if self.known_links is not None:
                    gate = Gate(include, exclude, depth=0)
                    self.known_links.heed(gate.domain_refusal)
                self.line.say(Ping(now, self._counts()))  # for a lease: work can begin at once
            case Pong(stamp):
                self.walk.extend_lease(stamp)
            case Deal(batch):
                self.walk.deal(batch, now)
            case More(batch, visits):
                self.walk.top_up(batch, visits, now)
            case NewDomains(batch, domains):
                self._start(self._resolve(batch, domains))
            case Spare(domain):
                self.walk.spare(domain)
            case Forget():
                if self.known_links is not None:
                    self.known_links.forget()
            case Goodbye():
                self.leave()
        self.stirred.set()

    # --- the walk

    async def _walk(self) -> None:
        while True:
            now, room = clock.now(), self._room()
            for dealt in self.walk.due(now, room):
                self._start(self._visit(dealt))
            due = self.walk.next_due()
            is_blocked = due is not None and due <= now
            self.was_full = self.was_full or is_blocked
            await self._stirring(None if due is None or is_blocked else due - now)

    async def _stirring(self, most: float | None) -> None:
        """Until something changes, or so many seconds."""
        timer = None if most is None else asyncio.get_running_loop().call_later(most, self.stirred.set)
        await self.stirred.wait()
        self.stirred.clear()
        if timer is not None:
            timer.cancel()

    def _room(self) -> int:
        """How many more requests may be begun? None while the reader or the segmenter is behind."""
        if self._is_behind():
            return 0
        under_way, waiting = len(self.fetching), self.fetcher.waiting
        free = min(self.throttle.connections - (under_way - waiting), self.throttle.most - under_way)
        return max(0, min(free, self.segmenter.room(len(self.tasks))))

    def _is_behind(self) -> bool:
        """Is there no room, not even for small pages? Large pages may wait while others are fetched."""
        too_many = self.fetcher.waiting > self.throttle.most * MOST_WAITING
        return self.unread >= MOST_UNREAD or self.fetcher.is_short or too_many

    async def _adapt(self) -> None:
        """Open and close the throttle."""
        before = self._so_far()
        while True:
            await asyncio.sleep(LOOK_EVERY)
            after = self._so_far()
            answers, received, processor = (new - old for new, old in zip(after, before, strict=True))
            second = Second(int(answers), int(received), processor, self.was_full, self._is_behind())
            self.throttle.look(second)
            self._note_waiting()
            before, self.was_full = after, False
            self.stirred.set()

    def _note_waiting(self) -> None:
        """Note that downloads have waited for memory for a while, once a minute at most."""
        waiting, now = self.fetcher.waiting, clock.now()
        self.looks_waiting = self.looks_waiting + 1 if waiting else 0
        if self.looks_waiting >= LONG_WAIT and now >= self.say_again:
            facts = {"reason": "downloads wait for memory", "waiting": waiting}
            self.note(
                Event("short-of-memory", "downloads", {**facts, "stalled": self.tally.counts["stalled"]})
            )
            self.say_again = now + SAY_EVERY

    def _so_far(self) -> tuple[float, float, float]:
        """Answers, bytes, and seconds of the processor, so far."""
        return self.tally.counts["requests"], self.fetcher.received_bytes, clock.processor()

    async def _visit(self, dealt: DealtRequest) -> None:
        """Carry one request from its sending to its place in the report."""
        url = urls.join(dealt.domain, dealt.request.path)
        fetched = await self._fetch(dealt, url)
        if fetched is None:
            self.walk.ended(dealt, None, None, clock.now())
            self.walk.answer(dealt.batch, Unvisited(dealt.domain, [dealt.request.path]))
            return
        trouble = fetched.outcome.trouble if isinstance(fetched.outcome, Failed) else None
        self.walk.ended(dealt, trouble, fetched.first_byte, fetched.ended)
        self.stirred.set()
        self._note_fetched(dealt, url, fetched)
        answer = answer_without_page(
            dealt.domain, dealt.request.path, dealt.request.purpose, fetched.outcome, fetched.took
        )
        number, took = fetched.number, fetched.took
        try:
            if answer is None:
                reading = self._read(dealt, url, fetched)
                del fetched  # only the reading holds the page's bytes now, and ends before the page is judged
                answer = await self._page(dealt, url, reading, took)
        finally:
            self.fetcher.give_back(number)  # only now: until it is kept, its text is in memory instead
        self.walk.answer(dealt.batch, answer)

    async def _fetch(self, dealt: DealtRequest, url: str) -> Fetched | None:
        """What came of the request; None: it was broken off."""
        task = asyncio.current_task()
        assert task is not None
        self.fetching[task] = dealt.batch
        try:
            return await self.fetcher.fetch(url, dealt.address, dealt.request.purpose)
        except asyncio.CancelledError:
            return None
        finally:
            del self.fetching[task]

    async def _page(
        self, dealt: DealtRequest, url: str, reading: Awaitable[tuple[Processed, str]], took: float
    ) -> Answer:
        """Read a page, have it judged, and keep what is to be kept of it."""
        domain, path = dealt.domain, dealt.request.path
        try:
            processed, where = await reading
            return await self._keep(await self._judge(processed), url, where)
        except OSError as error:
            self._cannot_write(error)
            return Unvisited(domain, [path])
        except Exception as error:
            self.note(Event("error", url, {"trace": traceback.format_exc()}))
            return Failure(domain, path, Trouble.UNREADABLE, repr(error), took)

    async def _read(self, dealt: DealtRequest, url: str, fetched: Fetched) -> tuple[Processed, str]:
        """The page as values; and where its file lies, if the file is all that is kept of it."""
        page = fetched.outcome
        assert isinstance(page, Page)
        where = (dealt.domain, dealt.request.path)
        read = partial(process, *where, page, fetched.took, clock.wall(), self.agent, self.text)
        if len(page.body) > HUGE_BYTES:
            read = partial(_then, read, self.return_memory)
        self.unread += 1
        try:
            is_quick = len(page.body) <= LONG_BYTES and is_html(page)
            processed = await (self._read_here(read) if is_quick else self._read_in_thread(read))
            return processed, await self._put_aside(processed, url, page)
        finally:
            self.unread -= 1

    async def _read_here(self, read: Callable[[], Processed]) -> Processed:
        async with self.turn:
            processed, seconds = _timed(read)
            self.tally.spend("cleaning", seconds)
            await asyncio.sleep(0)  # the loop serves what has arrived meanwhile before the next page
            return processed

    async def _read_in_thread(self, read: Callable[[], Processed]) -> Processed:
        processed, seconds = await asyncio.get_running_loop().run_in_executor(self.reader, _timed, read)
        self.tally.spend("cleaning", seconds)
        return processed

    async def _put_aside(self, processed: Processed, url: str, page: Page) -> str:
        """Store and sync a file that is no page, which takes as long as the disk wants."""
        document = processed.document
        if document.fate != "aside" or self.aside is None:
            return ""
        about = (clock.stamp(document.fetched), document.modified)
        keep = partial(self.aside.keep, url, page.content_type, page.body, *about)
        return await asyncio.get_running_loop().run_in_executor(self.storer, keep)

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
        return apply_judgement(processed, judgement, self.demands)

    def _cannot_write(self, error: OSError) -> None:
        """Leave: no text can be kept, so no page may be fetched; the page goes back."""
        if not self.walk.is_leaving:
            self.note(Event("error", error.filename or "corpus", {"reason": error.strerror}))
            self.trouble = f"cannot write {error.filename or 'the corpus'}: {error.strerror}"
            self.leave()

    async def _keep(self, processed: Processed, url: str, where: str) -> Document:
        document = processed.document
        about = {**processed.metadata, "fetched": clock.stamp(document.fetched)}
        if document.fate == "kept":
            record = await self._record(self.corpus, about, processed.text)
            verdict = await self.line.claim(url, processed.digest)
            if verdict.is_ours:
                where = self.corpus.keep(record)  # at once: the shards of a lost harvester are searched
            elif verdict.first != url:  # else a harvester that died before its report has kept it
                document = replace(document, fate="duplicate", first=verdict.first)
        elif document.fate == "rejected" and self.rejected is not None:
            where = self.rejected.keep(await self._record(self.rejected, about, processed.text))
        self.tally.add(document.fate)
        said = events.describe_document(processed, url, document.fate, where, document.first)
        if self.known_links is None or not self.line.is_up:  # the next queuekeeper may refuse others
            self.note(*said)
            return document
        self.note(*said)
        if len(document.links) <= MANY_LINKS:
            return self._with_news(self.known_links, document)
        async with self.turn:
            document = self._with_news(self.known_links, document)
            await asyncio.sleep(0)  # thirty such pages may have been judged at the same time
            return document

    def _with_news(self, known: KnownLinks, document: Document) -> Document:
        """The document with only the links that the queuekeeper should hear."""
        allowed, refused = known.allowed(document.links)
        self.note(*[Event("refused", link, {"reason": reason}) for link, reason in refused])
        news = known.news(allowed, document.usability, document.hints)
        return replace(document, links=news, refused=len(document.links) - len(allowed))

    async def _record(self, corpus: Corpus, about: dict[str, object], text: Text) -> bytes:
        """The text as a record of this corpus."""
        encode = partial(corpus.record, about, text)
        if len(text) <= LONG_BYTES:
            return encode()
        return await asyncio.get_running_loop().run_in_executor(self.reader, encode)

    def _note_fetched(self, dealt: DealtRequest, url: str, fetched: Fetched) -> None:
        event, counts = events.describe_request(dealt, url, fetched.outcome, fetched.took, fetched.lasted)
        for what, number in counts.items():
            self.tally.add(what, number)
        self.tally.spend("waiting-for-servers", fetched.took)
        self.tally.spend("downloading", fetched.body)
        self.note(event)

    # --- new domains

    async def _resolve(self, batch: int, domains: list[str]) -> None:
        """Look names up side by side, and report them as they come: a slow name delays no other."""
        asked = {asyncio.create_task(self.names.resolve(domain)) for domain in domains}
        while asked:
            found, asked = await asyncio.wait(asked, timeout=NAMES_EVERY)
            self.tally.add("names", len(found))
            if found:
                self.line.say(Resolved(batch, [task.result() for task in found], is_all=not asked))

    # --- speaking to the queuekeeper

    async def _report(self) -> None:
        """Report, ask for more work, and in the end take leave."""
        swept, until, took = clock.now(), None, 0.0
        while True:
            await asyncio.sleep(min(LATEST, max(SOONEST, COALESCE * took)))
            begun = clock.now()
            reports = self.walk.take_reports(begun)
            if reports and not await self._sync():
                return None
            for report in reports:
                self.line.say(Reported(report))
            self._ask()
            await self.line.flush()
            now = clock.now()
            took = now - begun
            if now - swept > SWEEP_EVERY:
                self.walk.columns.sweep(now)
                self._reassure()
                swept = now
            if self.walk.is_leaving:
                until = until or now + FAREWELL
                if self._is_done(now > until):
                    return await self.line.hang_up()

    def _reassure(self) -> None:
        """Say that we live: documents that wait for the segmenter are no reason to take a batch from us."""
        for batch in self.walk.held() if self.judging else []:
            self.line.say(Reported(Report(batch)))

    def _ask(self) -> None:
        if self.walk.has_had_enough():
            self.leave()
        if self.line.is_up:
            question = self.walk.question(*self._seconds_per_request(), clock.now())
            if question is not None:
                self.line.say(question)

    def _is_done(self, is_late: bool) -> bool:
        """Is everything reported, or is it too late for the rest? Then say so and take leave."""
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

    def _seconds_per_request(self) -> tuple[float, float, float]:
        """Average seconds of our processor, of servers until the first byte, and from there on."""
        requests = self.tally.counts["requests"]
        if requests < MEASURED:
            return 0.0, 0.0, 0.0
        processor, spent = clock.processor() - self.processor_before, self.tally.seconds
        return processor / requests, spent["waiting-for-servers"] / requests, spent["downloading"] / requests

    def _counts(self) -> dict[str, float]:
        counts = {what: float(number) for what, number in self.tally.counts.items()}
        waiting = {UNJUDGED: self.segmenter.unjudged(), WAITING_FOR_MEMORY: self.fetcher.waiting}
        return {**counts, **{what: float(number) for what, number in waiting.items()}}

    async def _watch_lease(self) -> None:
        """Break off the requests under way when the lease has been lost for long."""
        while True:
            await asyncio.sleep(1.0)
            if clock.now() > self.walk.lease_until + BREAK_OFF:
                self._break_off(lambda batch: True)

    def _stores(self) -> list[Corpus | Aside]:
        return [store for store in (self.corpus, self.aside, self.rejected) if store is not None]

    async def _sync(self) -> bool:
        """Make kept texts safe from a power cut before they are reported; the disk may take its time."""
        try:
            for store in (store for store in self._stores() if not store.is_synced):
                await asyncio.to_thread(store.sync)
        except OSError as error:
            self._cannot_write(error)
            return False
        return True

    def _break_off(self, concerns: Callable[[int], bool]) -> None:
        """End the requests of these batches, whatever they wait for."""
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


def _then(read: Callable[[], Processed], afterwards: Callable[[], None]) -> Processed:
    processed = read()
    afterwards()
    return processed


def _timed(read: Callable[[], Processed]) -> tuple[Processed, float]:
    begun = clock.now()
    return read(), clock.now() - begun
