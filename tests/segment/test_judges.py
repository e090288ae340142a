"""The line to a segmenter: whatever is at the other end, every document is judged, and once."""

import asyncio
from collections import Counter
from contextlib import asynccontextmanager

import pytest

from txtr.errors import UserMistake
from txtr.segment.judges import RETRY, BuiltIn, Place, Remote, Unjudged, check, explain_absence, parse_place
from txtr.segment.protocol import GREETING, HEADER, Frames, Question, encode_frame, encode_greeting
from txtr.segment.spool import MOST_BYTES, MOST_QUESTIONS
from txtr.segment.usability import Judgement

pytestmark = pytest.mark.web

STAND_IN = Judgement(0.125, ("stand-in",))
SILENCE = 0.3  # seconds, for tests that wait for it


class Fake:
    """A segmenter that answers every question by `say`: bytes, or None to hang up."""

    def __init__(self, path, say=None, hello=None):
        self.path = str(path)
        self.say = say or (lambda value: encode_frame({"id": value["id"], "usability": 0.5}))
        self.hello = encode_greeting() if hello is None else hello
        self.asked = Counter()  # URL -> questions
        self.answered = Counter()  # URL -> answers
        self.lines = set()

    async def start(self):
        self.server = await asyncio.start_unix_server(self._converse, self.path)

    async def stop(self):
        self.server.close()
        for line in list(self.lines):
            line.cancel()
        await asyncio.gather(*self.lines, return_exceptions=True)

    async def _converse(self, reader, writer):
        line = asyncio.current_task()
        self.lines.add(line)
        frames = Frames(1 << 26)
        try:
            while data := await reader.read(65536):
                for value in frames.feed(data):
                    if GREETING in value:
                        writer.write(self.hello)
                        continue
                    self.asked[value["url"]] += 1
                    said = self.say(value)
                    said = await said if asyncio.iscoroutine(said) else said
                    if said is None:
                        return
                    writer.write(said)
                    self.answered[value["url"]] += bool(said)
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            self.lines.discard(line)
            writer.close()


@asynccontextmanager
async def lined_up(fake, silence=30.0):
    """A client whose other end is the fake, and the events it noted."""
    events = []

    async def stand_in(question):
        return STAND_IN

    client = Remote(Place(path=fake.path), "harvester-07", ["cs"], stand_in, events.append, silence)
    holding = asyncio.create_task(client.hold())
    try:
        yield client, events
    finally:
        holding.cancel()
        await asyncio.gather(holding, return_exceptions=True)
        if hasattr(fake, "server"):
            await fake.stop()


def judged(fake, count=5, silence=30.0):
    """What becomes of so many documents, and the events."""

    async def run():
        await fake.start()
        async with lined_up(fake, silence) as (client, events):
            questions = [client.judge(Question(f"u{number}", "Ahoj.")) for number in range(count)]
            return await asyncio.wait_for(asyncio.gather(*questions), 20), events

    return asyncio.run(run())


def told(events, what):
    return [event for event in events if event.what == what]


def test_every_document_is_judged_once(tmp_path):
    fake = Fake(tmp_path / "s")
    judgements, events = judged(fake, 500)
    assert {judgement.usability for judgement in judgements} == {0.5}
    assert set(fake.asked.values()) == {1} and len(fake.asked) == 500
    assert [event.what for event in events] == ["segmenter-up"]


def test_what_waits_for_an_absent_segmenter_is_counted(tmp_path):
    """Found by a new user: nobody saw what the crawl was waiting for."""

    async def run():
        fake = Fake(tmp_path / "s")
        async with lined_up(fake) as (client, _):
            asked = [asyncio.create_task(client.judge(Question(f"u{n}", "Ahoj."))) for n in range(3)]
            await asyncio.sleep(RETRY[0] / 2)  # nobody was there at the first attempt
            assert client.unjudged() == 3
            await fake.start()
            await asyncio.wait_for(asyncio.gather(*asked), 10)
            assert client.unjudged() == 0

    asyncio.run(run())


def test_answers_may_come_in_any_order(tmp_path):
    held = []

    def say(value):
        """Hold each second answer back until the next question."""
        held.append(encode_frame({"id": value["id"], "usability": int(value["url"][1:]) / 100}))
        return b"" if len(held) == 1 and value["url"] not in ("u0", "u99") else b"".join(reversed_out(held))

    def reversed_out(waiting):
        out = waiting[::-1]
        waiting.clear()
        return out

    judgements, _ = judged(Fake(tmp_path / "s", say), 100)
    assert [judgement.usability for judgement in judgements] == [number / 100 for number in range(100)]


def test_latency_does_not_cost_throughput(tmp_path):
    """Pipelined: 400 answers that take 0.1 s each need a second, not forty."""

    class Slow(Fake):
        async def _converse(self, reader, writer):
            frames, loop = Frames(1 << 26), asyncio.get_running_loop()
            self.lines.add(asyncio.current_task())
            while data := await reader.read(65536):
                for value in frames.feed(data):
                    answer = self.hello if GREETING in value else self.say(value)
                    loop.call_later(0.1, writer.write, answer)

    async def run():
        fake = Slow(tmp_path / "s")
        await fake.start()
        async with lined_up(fake) as (client, _):
            questions = (client.judge(Question("u", "Ahoj.")) for _ in range(400))
            return await asyncio.wait_for(asyncio.gather(*questions), 5)

    assert len(asyncio.run(run())) == 400


@pytest.mark.parametrize("usability", [None, "good", float("nan"), 1e308, -1, True, "x" * 100_000])
def test_a_document_whose_number_is_none_is_judged_by_the_stand_in(tmp_path, usability):
    """Garbage from the segmenter is survived with a clear log line."""
    fake = Fake(tmp_path / "s", lambda value: encode_frame({"id": value["id"], "usability": usability}))
    judgements, events = judged(fake, 3)
    assert judgements == [STAND_IN] * 3
    amiss = told(events, "segmenter-amiss")
    assert [event.whom for event in amiss] == ["u0", "u1", "u2"]
    assert all("is no number" in event.facts["reason"] for event in amiss)
    assert all(event.facts["instead"] == "built-in" for event in amiss)


@pytest.mark.parametrize(
    "garbage",
    [
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        (1 << 20).to_bytes(HEADER, "big") + b"x" * (1 << 20),
        b"\x00\x00\x00\x05hello",
        encode_frame({"id": "one", "usability": 1}),
    ],
)
def test_garbage_ends_the_line_and_in_the_end_the_stand_in_judges(tmp_path, garbage):
    judgements, events = judged(Fake(tmp_path / "s", lambda value: garbage), 2)
    assert judgements == [STAND_IN] * 2
    assert told(events, "segmenter-amiss")


def test_a_document_that_is_garbled_once_is_asked_again(tmp_path):
    answers = iter([b"\x00\x00\x00\x05hello"])
    right = Fake(tmp_path / "s")
    usual = right.say
    right.say = lambda value: next(answers, None) or usual(value)
    judgements, _ = judged(right, 3)
    assert {judgement.usability for judgement in judgements} == {0.5}


def test_answers_that_nobody_asked_for_are_noted_and_change_nothing(tmp_path):
    def say(value):
        stray = encode_frame({"id": value["id"] + 1000, "usability": 0.9})
        return stray + encode_frame({"id": value["id"], "usability": 0.5}) * 2

    judgements, events = judged(Fake(tmp_path / "s", say), 3)
    assert {judgement.usability for judgement in judgements} == {0.5}
    assert len(told(events, "segmenter-amiss")) >= 5


@pytest.mark.parametrize(
    "hello",
    [encode_frame({GREETING: 2}), encode_frame({"hi": 1}), b"SSH-2.0-OpenSSH\r\n", b"\x00\x00\x00\x02[]"],
)
def test_who_is_no_segmenter_of_our_version_is_named_and_the_stand_in_judges(tmp_path, hello):
    judgements, events = judged(Fake(tmp_path / "s", hello=hello), 3)
    assert judgements == [STAND_IN] * 3
    assert told(events, "segmenter-amiss")[0].facts["instead"] == "a new line"
    assert len(told(events, "segmenter-away")) == 1


@pytest.mark.parametrize("fake", ["says nothing", "does not greet"])
def test_silence_is_noted_and_the_stand_in_judges(tmp_path, fake):
    fakes = {
        "says nothing": Fake(tmp_path / "s", lambda value: b""),
        "does not greet": Fake(tmp_path / "s", hello=b""),
    }
    judgements, events = judged(fakes[fake], 3, silence=SILENCE)
    assert judgements == [STAND_IN] * 3
    said = told(events, "segmenter-amiss")
    assert f"for {SILENCE:g}" in said[0].facts["reason"]
    assert {event.facts["instead"] for event in said} >= {"a new line", "built-in"}


def test_what_a_stopped_segmenter_was_asked_is_judged_once_when_it_goes_on(tmp_path):
    """None judged twice. A line that is silent for a while is not given up."""

    async def say(value):
        if value["url"] == "u0":
            await asyncio.sleep(2 * SILENCE)
        return encode_frame({"id": value["id"], "usability": 0.5})

    fake = Fake(tmp_path / "s", say)
    judgements, events = judged(fake, 5, silence=SILENCE)
    assert {judgement.usability for judgement in judgements} == {0.5}
    assert set(fake.asked.values()) == {1}
    assert [event.facts["instead"] for event in told(events, "segmenter-amiss")] == ["patience"]


def test_a_slow_segmenter_is_told_of_once_and_judges_everything(tmp_path):
    """When the segmenter is slow, harvesters say so in the log and go on."""

    async def say(value):
        await asyncio.sleep(SILENCE / 5)
        return encode_frame({"id": value["id"], "usability": 0.5})

    fake = Fake(tmp_path / "s", say)
    judgements, events = judged(fake, 20, silence=SILENCE)
    assert {judgement.usability for judgement in judgements} == {0.5} and set(fake.asked.values()) == {1}
    assert len(told(events, "segmenter-behind")) == 1 and not told(events, "segmenter-amiss")


def test_a_crawl_does_not_wait_for_a_silent_segmenter_again_and_again(tmp_path):
    """Given up once, it is asked about one document at a time, and trusted again when it answers."""

    async def run():
        fake = Fake(tmp_path / "s", lambda value: b"")
        await fake.start()
        async with lined_up(fake, SILENCE) as (client, events):
            assert await asyncio.wait_for(client.judge(Question("first", "Ahoj.")), 10) == STAND_IN
            probe = asyncio.create_task(client.judge(Question("probe", "Ahoj.")))
            await asyncio.sleep(0)
            others = [client.judge(Question(f"u{number}", "Ahoj.")) for number in range(50)]
            assert await asyncio.wait_for(asyncio.gather(*others), SILENCE / 2) == [STAND_IN] * 50
            assert len(told(events, "segmenter-amiss")) >= 50
            fake.say = lambda value: encode_frame({"id": value["id"], "usability": 0.5})
            await asyncio.wait_for(probe, 10)
            for number in range(50):
                last = await asyncio.wait_for(client.judge(Question(f"v{number}", "Ahoj.")), 10)
                if last.usability == 0.5:
                    break
            more = [client.judge(Question(f"w{number}", "Ahoj.")) for number in range(5)]
            judgements = await asyncio.wait_for(asyncio.gather(*more), 10)
        assert {judgement.usability for judgement in judgements} == {0.5}

    asyncio.run(run())


def test_documents_wait_when_a_segmenter_that_was_given_up_is_gone(tmp_path):
    """Whoever comes next is another one."""

    async def run():
        fake = Fake(tmp_path / "s", lambda value: b"")
        await fake.start()
        async with lined_up(fake, SILENCE) as (client, _):
            await asyncio.wait_for(client.judge(Question("first", "Ahoj.")), 10)
            await fake.stop()
            await asyncio.sleep(RETRY[1] / 2)  # until that was noticed
            waiting = [asyncio.create_task(client.judge(Question(f"u{n}", "Ahoj."))) for n in range(5)]
            await asyncio.sleep(3 * SILENCE)
            assert not any(document.done() for document in waiting)
            fake.say = lambda value: encode_frame({"id": value["id"], "usability": 0.5})
            await fake.start()
            judgements = await asyncio.wait_for(asyncio.gather(*waiting), 10)
        assert {judgement.usability for judgement in judgements} == {0.5}

    asyncio.run(run())


def test_a_segmenter_that_never_reads_is_survived(tmp_path):
    """Its line is full: no more can be said, and nothing comes."""

    class Deaf(Fake):
        async def _converse(self, reader, writer):
            self.lines.add(asyncio.current_task())
            writer.write(encode_greeting())
            reader._transport.pause_reading()
            await asyncio.sleep(60)

    async def run():
        fake = Deaf(tmp_path / "s")
        await fake.start()
        async with lined_up(fake, SILENCE) as (client, _):
            questions = [client.judge(Question(f"u{number}", "x" * 200_000)) for number in range(20)]
            return await asyncio.wait_for(asyncio.gather(*questions), 10)

    assert asyncio.run(run()) == [STAND_IN] * 20


@pytest.mark.parametrize("part", [1, 3, 4, 9, -1])
def test_half_a_frame_and_a_closed_line_are_survived(tmp_path, part):
    """Asked again on the next line, and answered."""
    broken = []

    class Half(Fake):
        async def _converse(self, reader, writer):
            if broken:
                await super()._converse(reader, writer)
                return
            broken.append(True)
            writer.write(self.hello)
            await reader.read(65536)
            await asyncio.sleep(0.05)  # the questions come behind our greeting
            writer.write(self.say({"id": 1})[:part])
            writer.close()

    judgements, _ = judged(Half(tmp_path / "s"), 4)
    assert {judgement.usability for judgement in judgements} == {0.5}


@pytest.mark.parametrize("name", ["a..b", "x" * 70])
def test_a_name_that_cannot_be_one_is_an_absent_segmenter(name):
    """Options refuse it, but a resolver may be asked for anything."""
    assert asyncio.run(explain_absence(Place(host=name, port=80)))


def test_a_path_is_refused_when_nobody_can_ever_be_there(tmp_path):
    (tmp_path / "file").write_text("")
    check(Place(path=str(tmp_path / "later")))
    check(Place(host="far.example.org", port=8418))
    for path, complaint in (("file", "no socket"), ("file/s", "directory"), ("no/s", "no directory")):
        with pytest.raises(UserMistake, match=complaint):
            check(Place(path=str(tmp_path / path)))


def test_a_document_that_kills_the_segmenter_does_not_cost_the_others_their_judge(tmp_path):
    fake = Fake(tmp_path / "s")
    usual = fake.say
    fake.say = lambda value: None if value["url"] == "u3" else usual(value)
    judgements, _ = judged(fake, 6)
    assert [judgement.usability for judgement in judgements] == [0.5, 0.5, 0.5, STAND_IN.usability, 0.5, 0.5]


def test_documents_wait_for_a_segmenter_that_is_away_and_none_is_judged_twice(tmp_path):
    """No document is lost, none judged twice."""

    async def run():
        fake, enough = Fake(tmp_path / "s"), asyncio.Event()
        usual = fake.say

        async def slowly(value):
            await asyncio.sleep(0.002)
            if fake.answered.total() % 70 == 69:
                enough.set()
            return usual(value)

        fake.say = slowly
        async with lined_up(fake) as (client, events):
            questions = [
                asyncio.create_task(client.judge(Question(f"u{number}", "Ahoj."))) for number in range(300)
            ]
            await asyncio.sleep(0.2)
            assert not any(question.done() for question in questions)
            for _ in range(3):
                enough.clear()
                await fake.start()
                await enough.wait()
                await fake.stop()
                await asyncio.sleep(0.1)
            await fake.start()
            judgements = await asyncio.wait_for(asyncio.gather(*questions), 20)
        assert {judgement.usability for judgement in judgements} == {0.5}
        assert len(fake.asked) == 300
        ups, aways = len(told(events, "segmenter-up")), len(told(events, "segmenter-away"))
        assert ups == 4 and 4 <= aways <= 5, "once per outage"

    asyncio.run(run())


def test_too_many_waiting_documents_leave_no_room_and_that_is_said_once(tmp_path):
    """Harvesters spool within a bound, slow down, say so in the log."""

    async def run():
        async with lined_up(Fake(tmp_path / "s")) as (client, events):
            assert client.room(0) == MOST_QUESTIONS and client.room(MOST_QUESTIONS - 1) == 1
            waiting = asyncio.create_task(client.judge(Question("u", "x" * MOST_BYTES)))
            await asyncio.sleep(0)
            assert [client.room(1) for _ in range(5)] == [0] * 5
            assert len(told(events, "segmenter-behind")) == 1
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            assert client.room(0) == MOST_QUESTIONS and not client.spool.waiting

    asyncio.run(run())


def test_a_text_too_long_to_be_asked_about_is_judged_by_the_stand_in(tmp_path, monkeypatch):
    monkeypatch.setattr("txtr.segment.judges.MOST_QUESTION_BYTES", 1000)

    async def run():
        fake = Fake(tmp_path / "s")
        await fake.start()
        async with lined_up(fake) as (client, events):
            long, short = Question("u1", "x" * 1000), Question("u2", "x")
            assert await asyncio.wait_for(client.judge(long), 5) == STAND_IN
            assert (await asyncio.wait_for(client.judge(short), 5)).usability == 0.5
            assert told(events, "segmenter-amiss")[0].whom == "u1"

    asyncio.run(run())


def test_the_built_in_judge_needs_no_socket():
    question = Question("u", "Vítejte na stránkách naší obce, která leží na úpatí hor.")
    assert asyncio.run(BuiltIn(frozenset({"cs"})).judge(question)).usability > 0
    assert asyncio.run(BuiltIn(frozenset({"en"})).judge(question)).usability == 0
    assert BuiltIn(frozenset()).room(10**6) > 0


def test_without_a_segmenter_everything_is_usable():
    assert asyncio.run(Unjudged().judge(Question("u", ""))) == Judgement(1.0)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("./s", Place(path="./s")),
        ("/run/segmenter:1", Place(path="/run/segmenter:1")),
        ("far.example.org:8418", Place(host="far.example.org", port=8418)),
        ("[::1]:8418", Place(host="::1", port=8418)),
    ],
)
def test_a_place_is_a_path_or_a_machine_and_a_port(text, where):
    assert parse_place(text) == where


def test_the_built_in_judge_knows_the_paragraphs_of_short_texts_too():
    """A short sentence was told by itself, and taken for the language of the paragraph before its own."""
    lines = [
        "Das ist ein langer deutscher Satz, der in diesem Absatz ganz alleine steht.",
        "Oh, Mr. B.",
        "This is a rather long English sentence that stands in a paragraph with a short one.",
    ]
    question = Question("http://a.cz/", "\n".join(lines), paragraphs=(1, 2))
    assert asyncio.run(BuiltIn(frozenset({"en"})).judge(question)).kept == (1, 2)
