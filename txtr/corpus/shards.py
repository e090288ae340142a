"""Edge: the shards of the corpus: the files in which texts are kept, and stored files.

Invariant: whenever the program is killed, every shard holds whole records, and at most half a record at its
end, which the next owner cuts off. A record is one write at the end of a shard. A stored file appears under
its name only when it is whole.

A shard has one owner, which holds a lock on it. A second harvester of the same name, or one that was started
while its predecessor is still dying, finds the shard locked and takes the next number.
"""

import contextlib
import errno
import fcntl
import json
import os
import re
from collections.abc import Container, Iterator
from hashlib import sha256
from pathlib import Path, PurePosixPath
from tempfile import TemporaryFile

from txtr import files, media
from txtr.charset import extends_ascii
from txtr.corpus.record import END, Text, complete_length, encode_record
from txtr.errors import UserMistake
from txtr.escapes import escaped
from txtr.files import Kind

SHARD_BYTES = 1024**3  # a shard is full above this; large enough to be few, small enough to be moved
RECENT_SHARDS = 3  # of a harvester: its last shard, and the last shards of dying harvesters of its name
RECENT_BYTES = 64 * 1024 * 1024  # of a shard: far more than is written between two reports
BLOCK = 1024 * 1024  # bytes read at once in search of the last whole record


class Corpus:
    """The cleaned documents of one harvester: shards `<target>/<instance>-00001.txt`."""

    def __init__(self, target: Path, instance: str, encoding: str, option: str = "--target") -> None:
        self._describe(instance, encoding)
        _prepare(target, option)
        self._target = target

    def _describe(self, instance: str, encoding: str) -> None:
        if not extends_ascii(encoding):
            raise UserMistake(f"--encoding={encoding}: records need an encoding that extends ASCII")
        self._instance = instance
        self._encoding = encoding
        self._shard: _Appended | None = None

    def record(self, metadata: dict[str, object], text: Text) -> bytes:
        """The record of a document."""
        return encode_record({**metadata, "harvester": self._instance}, text, self._encoding)

    def keep(self, record: bytes) -> str:
        """Add a record; return where it is: `name of the shard:offset in bytes`."""
        if self._shard is None or self._shard.size_bytes >= SHARD_BYTES:
            self._shard = self._next()
        offset = self._shard.append(record)
        return f"{self._shard.name}:{offset}"

    @property
    def is_synced(self) -> bool:
        return self._shard is None or self._shard.is_synced

    def sync(self) -> None:
        """Make sure that the records kept so far survive a power cut."""
        if self._shard is not None:
            self._shard.sync()

    def close(self) -> None:
        if self._shard is not None:
            self._shard.sync()
            self._shard.close()
            self._shard = None

    def _next(self) -> "_Appended":
        """The last shard, if its lock is free and it has room, or else a new one."""
        if self._shard is not None:
            self.close()
        number = max(self._numbers(), default=1)
        while True:
            shard = _Appended(self._target / f"{self._instance}-{number:05d}.txt", END)
            if shard.is_ours and shard.size_bytes < SHARD_BYTES:
                return shard
            shard.close()
            number += 1

    def _numbers(self) -> list[int]:
        name = re.compile(re.escape(self._instance) + r"-(\d{5,9})\.txt")
        found = (name.fullmatch(entry.name) for entry in self._target.iterdir())
        return [int(match[1]) for match in found if match]


class Unkept(Corpus):
    """A corpus that nobody wants to have: documents are judged and counted, and written nowhere."""

    def __init__(self, instance: str, encoding: str) -> None:
        self._describe(instance, encoding)

    def keep(self, record: bytes) -> str:
        return ""


def read_recent(
    target: Path, instance: str | None = None, most_bytes: int = RECENT_BYTES
) -> Iterator[dict[str, object]]:
    """The metadata of the last documents of one harvester or all; a crash may have left them unreported."""
    for path in _last_shards(target, instance):
        with path.open("rb") as shard:
            begin = max(0, shard.seek(0, os.SEEK_END) - most_bytes)
            shard.seek(begin)
            records = shard.read().split(END)[1 if begin else 0 : -1]  # whole records only
        for record in records:
            with contextlib.suppress(ValueError):  # not a record of ours
                yield json.loads(record.partition(b"\n")[0])


def _last_shards(target: Path, instance: str | None) -> Iterator[Path]:
    """The shards to which harvesters were writing; a corpus has thousands of others."""
    shards: dict[str, list[Path]] = {}
    for path in sorted(target.glob("*.txt")):
        name = re.fullmatch(r"(.+)-\d{5,9}\.txt", path.name)
        if name and instance in (None, name[1]):
            shards.setdefault(name[1], []).append(path)
    for paths in shards.values():
        yield from paths[-RECENT_SHARDS:]


class Aside:
    """Files that are not HTML: each as `<target>/ab/ab12....pdf`, named by its content.

    `<target>/<instance>.jsonl` has their metadata, one line for each time that a file was fetched.
    """

    def __init__(self, target: Path, instance: str) -> None:
        _prepare(target, "--non-html-target")
        self._target = target
        self._instance = instance
        self._about = Lines(target / f"{instance}.jsonl", "--non-html-target")
        self._tidied: set[Path] = set()  # directories below it, which may have many files each

    def keep(self, url: str, content_type: str, body: bytes, fetched: str, modified: float | None) -> str:
        """Store a file, once however often it comes; return its path below the target."""
        name = sha256(body).hexdigest()[:32]
        path = f"{name[:2]}/{name}.{_extension(url, content_type)}"
        if not (self._target / path).exists():
            self._store(self._target / path, body)
        about = {
            "url": url,
            "content_type": content_type,
            "file": path,
            "size_bytes": len(body),
            "fetched": fetched,
            "modified": modified,
            "harvester": self._instance,
        }
        self._about.add(json.dumps(about))
        return path

    def _store(self, path: Path, body: bytes) -> None:
        path.parent.mkdir(exist_ok=True)
        if path.parent not in self._tidied:
            files.remove_leftovers(path.parent)
            self._tidied.add(path.parent)
        files.replace(path, body)

    @property
    def is_synced(self) -> bool:
        return self._about.is_synced

    def sync(self) -> None:
        self._about.sync()

    def close(self) -> None:
        self._about.close()


class Lines:
    """A text file to which whole lines are added."""

    def __init__(self, path: Path, option: str = "--disallowed-target") -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = _Appended(path, b"\n", but=files.DEVICE)
        except OSError as error:
            raise UserMistake(f"{option}={path}: cannot be written: {error.strerror}") from error

    def add(self, line: str) -> None:
        self._file.append(escaped(" ".join(line.splitlines())).encode() + b"\n")

    @property
    def is_synced(self) -> bool:
        return self._file.is_synced

    def sync(self) -> None:
        self._file.sync()

    def close(self) -> None:
        self._file.close()


class _Appended:
    """A file that grows by whole records; its owner cuts off half a record when it opens the file.

    A device takes records as they come: it has no owner, and nothing can be cut off from it.
    """

    def __init__(self, path: Path, end: bytes, but: Container[Kind] = ()) -> None:
        files.refuse_special(path, but)
        self.path = path
        self.name = path.name
        self._is_device = files.kind(path) in but
        access = os.O_WRONLY | os.O_NOCTTY if self._is_device else os.O_RDWR | os.O_CREAT
        self._number = os.open(path, access | os.O_APPEND | os.O_CLOEXEC, 0o666)
        self.is_ours = not self._is_device and self._lock()
        self._is_synced = True
        if self.is_ours:
            os.ftruncate(self._number, self._whole(end))

    @property
    def size_bytes(self) -> int:
        return os.fstat(self._number).st_size

    def append(self, record: bytes) -> int:
        """Write a whole record at the end, or nothing; return the offset at which it begins."""
        about = os.fstat(self._number)
        if not about.st_nlink:
            raise OSError(errno.ENOENT, "was removed while it was written to", str(self.path))
        before = about.st_size
        try:
            rest = memoryview(record)
            while rest:  # a second turn only when the disk is all but full
                rest = rest[os.write(self._number, rest) :]
        except OSError as error:
            if self.is_ours:
                os.ftruncate(self._number, before)
            raise _named(error, self.path) from error
        self._is_synced = (
            self._is_device
        )  # only now: a sync in another thread, meanwhile, does not cover this record
        return before

    def sync(self) -> None:
        """Make what was appended before this call survive a power cut after it."""
        if not self._is_synced:
            self._is_synced = True  # before: what is appended meanwhile is not meant
            try:
                os.fsync(self._number)
            except OSError as error:
                if error.errno != errno.EBADF:  # its owner has closed the file meanwhile, which syncs it
                    raise _named(error, self.path) from error

    @property
    def is_synced(self) -> bool:
        return self._is_synced

    def close(self) -> None:
        if not self._is_device:
            os.fsync(self._number)
        os.close(self._number)

    def _lock(self) -> bool:
        try:
            fcntl.flock(self._number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _whole(self, end: bytes) -> int:
        """Bytes up to the end of the last whole record, found from behind."""
        after = b""  # the first bytes of the block behind: an end may lie across
        at = self.size_bytes
        while at > 0:
            start = max(0, at - BLOCK)
            block = os.pread(self._number, at - start, start) + after
            length = complete_length(block, end)
            if length is not None:
                return start + length
            at, after = start, block[: len(end) - 1]
        return 0


def _prepare(target: Path, option: str) -> None:
    """Make the directory, and check that it can be written to."""
    try:
        target.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=target):
            pass
    except OSError as error:
        raise UserMistake(f"{option}={target}: cannot be written: {error.strerror}") from error


def _named(error: OSError, path: Path) -> OSError:
    """The error with the path of its file, which the user needs to know to make room."""
    return OSError(error.errno, error.strerror, str(path))


def _extension(url: str, content_type: str) -> str:
    """The extension of a file by its type; otherwise that of its URL, or "bin"."""
    found = PurePosixPath(url.partition("?")[0]).suffix[1:].lower()
    fallback = found if re.fullmatch("[a-z0-9]{1,5}", found, re.ASCII) else "bin"
    return media.ending(content_type) or fallback
