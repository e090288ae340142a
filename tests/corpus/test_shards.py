"""Where texts and files are kept: whole after any crash."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from txtr.corpus import shards as disk
from txtr.corpus.record import encode_record, encode_text, read_records
from txtr.corpus.shards import Aside, Corpus, Lines, Unkept, read_recent
from txtr.errors import UserMistake

ROOT = Path(__file__).parents[2]


def records(path):
    with path.open(encoding="utf-8", newline="\n") as file:
        return [(about["url"], text) for about, text in read_records(file)]


def keep(corpus, metadata, text):
    return corpus.keep(corpus.record(metadata, text))


def test_documents_are_appended_to_a_shard(tmp_path):
    """And where each begins is told."""
    corpus = Corpus(tmp_path / "new" / "corpus", "harvester-01", "utf-8")
    where = [keep(corpus, {"url": url}, f"Text {url}.".encode()) for url in "ab"]
    corpus.sync()
    shard = tmp_path / "new" / "corpus" / "harvester-01-00001.txt"
    assert records(shard) == [("a", "Text a."), ("b", "Text b.")]
    name, offset = where[1].split(":")
    assert name == shard.name
    about = json.loads(shard.read_bytes()[int(offset) :].split(b"\n")[0])
    assert (about["url"], about["harvester"]) == ("b", "harvester-01")


def test_a_harvester_that_keeps_nothing_leaves_no_file(tmp_path):
    """Empty shards would only puzzle."""
    Corpus(tmp_path, "h", "utf-8").close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("lost", [1, 2, 5, 40])
def test_half_a_record_at_the_end_is_cut_off(tmp_path, lost):
    """The issue: a crash leaves no half record."""
    whole = encode_record({"url": "a"}, b"One.", "utf-8") + encode_record({"url": "b"}, b"Two.", "utf-8")
    half = encode_record({"url": "c"}, b"Three.\nAnd more.", "utf-8")[:-lost]
    (tmp_path / "h-00001.txt").write_bytes(whole + half)
    corpus = Corpus(tmp_path, "h", "utf-8")
    keep(corpus, {"url": "d"}, b"Four.")
    assert [url for url, _ in records(tmp_path / "h-00001.txt")] == ["a", "b", "d"]


@pytest.mark.parametrize("block", [1, 2, 3, 7, 1000])
def test_the_last_whole_record_is_found_however_far_back(tmp_path, monkeypatch, block):
    """A half record may be longer than what is read at once."""
    monkeypatch.setattr(disk, "BLOCK", block)
    (tmp_path / "h-00001.txt").write_bytes(b'{"url": "a"}\nA.\n\n{"url": "b"}\n' + b"x\n" * 50)
    keep(Corpus(tmp_path, "h", "utf-8"), {"url": "c"}, b"C.")
    assert [url for url, _ in records(tmp_path / "h-00001.txt")] == ["a", "c"]


def test_a_file_of_nothing_but_half_a_record_is_emptied(tmp_path):
    """There is no whole record to keep."""
    (tmp_path / "h-00001.txt").write_bytes(b'{"url": "a"}\nA.\n')
    keep(Corpus(tmp_path, "h", "utf-8"), {"url": "c"}, b"C.")
    assert [url for url, _ in records(tmp_path / "h-00001.txt")] == ["c"]


def test_a_shard_with_another_owner_is_left_alone(tmp_path):
    """Two harvesters of one name: the second takes the next number, and cuts nothing."""
    first, second = (Corpus(tmp_path, "h", "utf-8") for _ in range(2))
    keep(first, {"url": "a"}, b"A.")
    keep(second, {"url": "b"}, b"B.")
    keep(first, {"url": "c"}, b"C.")
    assert records(tmp_path / "h-00001.txt") == [("a", "A."), ("c", "C.")]
    assert records(tmp_path / "h-00002.txt") == [("b", "B.")]


def test_a_full_shard_is_followed_by_the_next(tmp_path, monkeypatch):
    """Rotation; and a new start goes on with the last one."""
    monkeypatch.setattr(disk, "SHARD_BYTES", 150)
    corpus = Corpus(tmp_path, "h", "utf-8")
    for url in "abcd":
        keep(corpus, {"url": url}, b"x" * 40)
    corpus.close()
    keep(Corpus(tmp_path, "h", "utf-8"), {"url": "e"}, b"x")
    shards = sorted(tmp_path.iterdir())
    assert [shard.name for shard in shards] == ["h-00001.txt", "h-00002.txt", "h-00003.txt"]
    assert [url for shard in shards for url, _ in records(shard)] == list("abcde")


def test_other_instances_and_files_do_not_matter(tmp_path):
    """`h-1` has its own shards, and so has `h`."""
    for name in ("h-1-00007.txt", "hx-00009.txt", "h-00002.txt.bak", "readme"):
        (tmp_path / name).touch()
    keep(Corpus(tmp_path, "h", "utf-8"), {"url": "a"}, b"A.")
    assert (tmp_path / "h-00001.txt").exists()


def test_a_full_disk_leaves_no_half_record(tmp_path, monkeypatch):
    """What could not be written whole is taken back."""
    corpus = Corpus(tmp_path, "h", "utf-8")
    keep(corpus, {"url": "a"}, b"A.")
    real = os.write
    monkeypatch.setattr(os, "write", _two_writes_then_full(real))
    with pytest.raises(OSError, match="full") as full:
        keep(corpus, {"url": "b"}, b"B.")
    assert full.value.filename == str(tmp_path / "h-00001.txt")  # whoever makes room must know where
    monkeypatch.setattr(os, "write", real)
    keep(corpus, {"url": "c"}, b"C.")
    assert records(tmp_path / "h-00001.txt") == [("a", "A."), ("c", "C.")]


def _two_writes_then_full(real):
    def write(number, data, written=[]):  # noqa: B006
        written.append(1)
        if len(written) > 1:
            raise OSError(28, "full")
        return real(number, data[:5])

    return write


@pytest.mark.web
def test_a_killed_writer_leaves_whole_records_and_at_most_a_half_one(tmp_path):
    """Kill -9 in the midst of writing, then resume."""
    program = (
        "from pathlib import Path; from txtr.corpus.shards import Corpus\n"
        f"corpus = Corpus(Path({str(tmp_path)!r}), 'h', 'utf-8')\n"
        "for number in range(10**9):\n"
        "    corpus.keep(corpus.record({'url': str(number)}, b'x' * 5000))\n"
        "    if number == 50: print('go', flush=True)\n"
    )
    writer = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=ROOT)
    writer.stdout.readline()
    writer.kill()
    writer.wait()
    writer.stdout.close()
    keep(Corpus(tmp_path, "h", "utf-8"), {"url": "last"}, b"y")
    urls = [url for url, _ in records(tmp_path / "h-00001.txt")]
    assert urls == [*map(str, range(len(urls) - 1)), "last"]


def test_a_directory_that_cannot_be_is_the_users_mistake(tmp_path):
    """One line that names the culprit."""
    (tmp_path / "file").touch()
    for make, option in (
        (lambda path: Corpus(path, "h", "utf-8"), "--target"),
        (lambda path: Aside(path, "h"), "--non-html-target"),
        (lambda path: Lines(path / "list"), "--disallowed-target"),
    ):
        with pytest.raises(UserMistake, match=f"{option}=.*file.*: cannot be written: Not a directory"):
            make(tmp_path / "file" / "corpus")
    with pytest.raises(UserMistake, match="--encoding=utf-16"):
        Corpus(tmp_path, "h", "utf-16")


def test_files_that_are_not_html_are_stored_once_by_content(tmp_path):
    """Spec 3: stored aside, uncleaned, with their metadata."""
    aside = Aside(tmp_path, "h")
    path = aside.keep("http://a.cz/x", "application/pdf; a=b", b"%PDF", "2026", 5.0)
    again = aside.keep("http://b.cz/y", "application/pdf", b"%PDF", "2027", None)
    assert path == again
    assert (tmp_path / path).read_bytes() == b"%PDF"
    assert path.endswith(".pdf")
    about = [json.loads(line) for line in (tmp_path / "h.jsonl").read_text().splitlines()]
    assert [line["url"] for line in about] == ["http://a.cz/x", "http://b.cz/y"]
    assert about[0] == {
        "url": "http://a.cz/x",
        "content_type": "application/pdf; a=b",
        "file": path,
        "size_bytes": 4,
        "fetched": "2026",
        "modified": 5.0,
        "harvester": "h",
    }
    assert {entry.name for entry in tmp_path.iterdir()} == {path[:2], "h.jsonl"}


@pytest.mark.parametrize(
    ("url", "kind", "ending"),
    [
        ("http://a.cz/x.doc", "application/octet-stream", "doc"),
        ("http://a.cz/x.DJVU?y=z", "", "djvu"),
        ("http://a.cz/x", "", "bin"),
        ("http://a.cz/x.p%00f", "", "bin"),
        ("http://a.cz/a.b/c", "x/y", "bin"),
        ("http://a.cz/x.php", "text/plain", "txt"),
    ],
)
def test_the_ending_of_the_name_is_by_type_or_else_as_in_the_url(tmp_path, url, kind, ending):
    """And never anything odd."""
    assert Aside(tmp_path, "h").keep(url, kind, b"x", "", None).endswith("." + ending)


def test_half_a_line_is_cut_off(tmp_path):
    """The same repair, line by line."""
    (tmp_path / "list").write_text("one\ntwo\nthr")
    lines = Lines(tmp_path / "list")
    lines.add("four\nfive")
    assert (tmp_path / "list").read_text() == "one\ntwo\nfour five\n"


def test_the_last_records_of_every_shard_are_found_after_a_crash(tmp_path):
    """Whole ones only: the half record at the end is not in the corpus."""
    for name in ("h1", "h2"):
        corpus = Corpus(tmp_path, name, "utf-8")
        for number in range(3):
            keep(corpus, {"url": f"http://a.cz/{name}/{number}"}, "Věta první.\nVěta druhá.".encode())
        corpus.close()
    with (tmp_path / "h1-00001.txt").open("ab") as shard:
        shard.write(b'{"url": "http://a.cz/torn"}\nHalf a')
    everything = [about["url"] for about in read_recent(tmp_path)]
    assert everything == [f"http://a.cz/{name}/{number}" for name in ("h1", "h2") for number in range(3)]
    assert [about["url"] for about in read_recent(tmp_path, "h2", most_bytes=200)] == ["http://a.cz/h2/2"]


def test_of_a_large_corpus_only_the_ends_are_read_after_a_crash(tmp_path):
    """Serving within ten seconds. Others' files are none of our business."""
    for number in range(1, 20):
        about = {"url": f"http://a.cz/{number}"}
        (tmp_path / f"h[1]-{number:05d}.txt").write_bytes(encode_record(about, b"Text.", "utf-8"))
    (tmp_path / "my-notes.txt").write_text("a\n\nb\n\n")
    (tmp_path / "h2-00001.txt").write_text("a\n\nb\n\n")
    last = [f"http://a.cz/{number}" for number in (17, 18, 19)]
    assert [about["url"] for about in read_recent(tmp_path)] == last
    assert [about["url"] for about in read_recent(tmp_path, "h[1]")] == last


def test_a_sync_during_a_write_does_not_count_for_it(tmp_path, monkeypatch):
    """Reports are synced in one thread while a file is stored in another: a power cut could lose its line."""
    aside, write = Aside(tmp_path, "h"), os.write

    def beside(number, data):
        aside.sync()
        return write(number, data)

    monkeypatch.setattr(os, "write", beside)
    for name in "ab":
        aside.keep(f"http://a.cz/{name}.pdf", "application/pdf", name.encode(), "2026-01-01", None)
        assert not aside.is_synced
    monkeypatch.undo()
    aside.close()


def test_texts_that_nobody_wants_are_kept_nowhere():
    corpus = Unkept("h", "utf-8")
    assert corpus.keep(corpus.record({"url": "http://a.cz/"}, encode_text("Dobrý den."))) == ""
    assert corpus.is_synced
    corpus.sync()
    corpus.close()


def test_a_text_is_not_kept_in_a_file_that_was_removed(tmp_path):
    """`rm -rf corpus` under a running crawl: texts were reported as kept, in files without a name."""
    corpus = Corpus(tmp_path / "corpus", "h", "utf-8")
    corpus.keep(corpus.record({"url": "http://a.cz/1"}, encode_text("Dobrý den.")))
    shutil.rmtree(tmp_path / "corpus")
    with pytest.raises(OSError, match=r"was removed while it was written to: .*h-00001.txt"):
        corpus.keep(corpus.record({"url": "http://a.cz/2"}, encode_text("Na shledanou.")))
