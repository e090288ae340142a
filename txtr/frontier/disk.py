"""Edge: the frontier on disk. One file, written whole, replaced atomically.

Kept: the queue with what was leased, the documents, the claims on texts, the addresses that were
active or resting, how long domains want to be left alone, and what they have yielded. Not kept:
addresses of domains and robots.txt, which are asked for again. Politeness is part of the state: after
loading, every address that was active or resting rests one whole general pause before anybody is sent
there.
"""

import os
from pathlib import Path

import msgspec

from txtr.errors import TheirMistake
from txtr.frontier.addresses import State
from txtr.frontier.documents import Entry
from txtr.frontier.frontier import Frontier
from txtr.frontier.queue import Record
from txtr.frontier.trial import Abandoned, Trial

VERSION = 1
NAME = "frontier.msgpack"


class Snapshot(msgspec.Struct):
    version: int
    queued: dict[str, dict[str, Record]]
    documents: dict[str, dict[str, Entry]]
    resting: list[str]
    texts: dict[str, str]  # claims: digest -> URL
    own_addresses: dict[str, str]  # claims: document's own address -> URL
    naps: dict[str, float] = {}  # domain -> seconds that it is to be left alone
    trials: dict[str, Trial] = {}  # of domains that have brought anything
    abandoned: dict[str, Abandoned] = {}


def save(directory: Path, snapshot: Snapshot) -> Path:
    """Write the snapshot so that at any moment either the old or the new one is there, whole."""
    path, scratch = directory / NAME, directory / f"{NAME}.new"
    with scratch.open("wb") as file:
        file.write(msgspec.msgpack.encode(snapshot))
        file.flush()
        os.fsync(file.fileno())
    scratch.replace(path)
    return path


def load(directory: Path) -> Snapshot | None:
    """The snapshot of an earlier run, if there is one."""
    path = directory / NAME
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    try:
        snapshot = msgspec.msgpack.decode(data, type=Snapshot)
    except (msgspec.DecodeError, ValueError) as error:
        raise TheirMistake(f"{path} is damaged ({error}); move it away to start afresh") from error
    if snapshot.version != VERSION:
        raise TheirMistake(f"{path} is of version {snapshot.version}, this robot reads {VERSION}")
    return snapshot


def take(frontier: Frontier, texts: dict[str, str], own_addresses: dict[str, str], now: float) -> Snapshot:
    """What is kept of a frontier and the claims."""
    resting = [*frontier.addresses.sets[State.RESTING], *frontier.addresses.sets[State.ACTIVE]]
    return Snapshot(
        VERSION,
        frontier.queue.everything(),
        frontier.documents.entries,
        resting,
        texts,
        own_addresses,
        frontier.naps(now),
        {domain.name: domain.trial for domain in frontier.domains.domains.values() if domain.trial.documents},
        frontier.abandoned,
    )


def restore(frontier: Frontier, snapshot: Snapshot, now: float) -> None:
    """Put a snapshot into an empty frontier."""
    frontier.documents.restore(snapshot.documents)
    frontier.trials.restore(snapshot.trials, snapshot.abandoned)
    for domain, paths in snapshot.queued.items():
        frontier.readmit(domain, paths, now)
    frontier.rest(snapshot.resting, now)
    frontier.nap(snapshot.naps, now)
