"""The diary: what happened becomes one line, which answers an administrator's complaint.

    2026-11-16T01:00:03.127Z harvester-07 fetched http://example.cz/a status=200 bytes=5120 took=0.41

Invariant: one event is one line of blank-separated words (when, who, what, whom, then key=value),
whatever the web put into it. A value that holds a blank, a quote or anything unprintable is
written as a JSON string, so no URL, title or server's word can break a line or forge another;
and what is missing is a dash, so that words can be counted. The time is first and of fixed
width: all files merged and sorted tell the whole robot's work.
"""

import json
from functools import lru_cache

from txtr.config.options import NULL_DEVICE
from txtr.model import Event

INFO, DEBUG = "INFO", "DEBUG"
LONGEST_VALUE = 4096  # characters of one value; servers send titles of megabytes

# event -> the level that shows it, and what it means. Documented in docs/logs.md (tested); scripts
# of users read these words, so they are added, never changed.
VOCABULARY: dict[str, tuple[str, str]] = {
    # the programs
    "started": (INFO, "the program runs"),
    "rules": (INFO, "the four rules that this crawl keeps"),
    "stopping": (INFO, "the queuekeeper was told to end the crawl, and sends harvesters home"),
    "stopped": (INFO, "the program ends; why"),
    "loaded": (INFO, "the queue was read back from disk"),
    "warning": (INFO, "something the user should know"),
    "error": (INFO, "a mistake of ours, with its trace; the robot goes on"),
    # their conversation
    "listening": (INFO, "the queuekeeper awaits harvesters at this address and port"),
    "joined": (INFO, "a harvester introduced itself"),
    "cut-off": (INFO, "a harvester's connection broke; it may come back"),
    "left": (INFO, "a harvester is gone"),
    "stranger": (INFO, "somebody who is no harvester came to the port, and was shown out"),
    "rejected": (
        INFO,
        "queuekeeper: a harvester of another version or without the secret was shown out;"
        " harvester: the text is not usable enough for the corpus, reasons= says why",
    ),
    "short-of-harvesters": (INFO, "so many IP addresses wait and every harvester is busy: more would help"),
    "goodbye": (INFO, "nothing is left to do: the harvester was told to end"),
    "said": (DEBUG, "a message went out"),
    "heard": (DEBUG, "a message came in"),
    "short-of-memory": (
        INFO,
        "downloads wait for their share of the memory; those that bring nothing meanwhile are broken off",
    ),
    # the segmenter
    "segmenter-up": (INFO, "the segmenter answers; away= says for how long it did not"),
    "segmenter-away": (INFO, "no segmenter: documents wait until it is back"),
    "segmenter-behind": (
        INFO,
        "documents wait long for the segmenter; with too many (bytes=) no new requests until fewer do",
    ),
    "segmenter-amiss": (INFO, "the segmenter said nothing, or what is no answer; instead= says what is done"),
    # batches
    "dealt": (INFO, "requests to one domain went into a batch"),
    "topped-up": (DEBUG, "a running batch got more visits"),
    "batch-done": (INFO, "every request of the batch was answered"),
    "overdue": (INFO, "a batch was not answered for long"),
    "not-held": (INFO, "a harvester came back without a batch, which is given up soon"),
    "given-up": (INFO, "a batch went back to the queue"),
    # requests
    "fetched": (INFO, "a request was answered with a document"),
    "redirected": (INFO, "a request was answered with another URL: a new link"),
    "failed": (INFO, "a request brought no document; trouble= says why"),
    "retry": (INFO, "a failed request went back to the queue"),
    "dropped": (INFO, "a request was given up for good"),
    # links
    "learned": (INFO, "what a robots.txt allows us was taken in"),
    "refused": (INFO, "a link or request was not admitted; reason= says why"),
    "disallowed": (INFO, "robots.txt forbids this URL; rule= says which line"),
    "too-deep": (DEBUG, "a link lies deeper than --depth allows"),
    "queued": (DEBUG, "a link entered the queue"),
    "corrected": (DEBUG, "a shorter way to a queued request was found"),
    # domains and addresses
    "new-domain": (INFO, "a link led to a domain never seen"),
    "resolved": (INFO, "the domain's IP address was found"),
    "unresolved": (INFO, "the domain's IP address was not found"),
    "moved": (INFO, "the domain lives at another IP address now"),
    "new-address": (INFO, "an IP address never seen"),
    "state": (DEBUG, "an IP address is now waiting, active, resting or processed"),
    "slowed": (INFO, "the domain gets a longer delay; why"),
    "asleep": (INFO, "a domain in trouble is left alone for a while"),
    "parked": (INFO, "nobody answers there: what is queued for a domain or a door of it waits for a day"),
    "abandoned": (
        INFO,
        "a domain yielded too little: what was queued for it is parked, links to it are refused",
    ),
    "brought-back": (INFO, "an abandoned domain gets a new trial, as --bring-back or bring-back.txt says"),
    "ordered": (
        INFO,
        "the user had something done (txtr.queue): order= says what, outcome= what came of it",
    ),
    # documents
    "kept": (INFO, "the text was stored"),
    "duplicate": (INFO, "the same text is stored already"),
    "noindex": (INFO, "the page asks not to be kept, and was not"),
    "nofollow": (INFO, "the page asks that its links be not followed, and they are not"),
    "aside": (INFO, "a file that is not HTML was stored aside"),
    "empty": (INFO, "the page holds no text"),
}


_HIDDEN = frozenset(what for what, (level, _) in VOCABULARY.items() if level == DEBUG)


def is_shown(what: str, debug: bool) -> bool:
    """Does an event of this kind belong in the diary at this level? A word we forgot to list does."""
    return debug or what not in _HIDDEN


def line(event: Event, who: str, stamp: str) -> str:
    """One event as one line, without its end."""
    facts = "".join([f" {key}={_word(value)}" for key, value in event.facts.items()])
    return f"{stamp} {_common(who)} {_common(event.what)} {_word(event.whom or None)}{facts}"


def place(pattern: str, instance: str) -> str:
    """The path of a process's log file; a pattern without {instance} gets it before the suffix."""
    if pattern == NULL_DEVICE:
        return pattern
    if "{instance}" in pattern:
        return pattern.replace("{instance}", instance)
    directory, slash, name = pattern.rpartition("/")
    stem, dot, suffix = name.rpartition(".")
    return f"{directory}{slash}{stem}-{instance}.{suffix}" if stem and dot else f"{pattern}-{instance}"


def _word(value: object) -> str:
    """A value as one word."""
    if type(value) is str:  # most are
        return _quoted(value)
    if type(value) is int:
        return str(value)
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    return _quoted(value if isinstance(value, str) else str(value))


@lru_cache(256)
def _common(text: str) -> str:
    """A name or a word that is written again and again, as one word."""
    return _word(text or None)


def _quoted(text: str) -> str:
    """A text as it is, if that is one harmless word; else as a JSON string, readable if it can be."""
    if len(text) > LONGEST_VALUE:
        text = text[:LONGEST_VALUE] + "…"
    if text and text.isprintable() and " " not in text and '"' not in text:
        return text
    return json.dumps(text, ensure_ascii=not text.isprintable())
