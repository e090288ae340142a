"""The findings of the demonstration: what arrived, and how polite the getting was.

The manners are read from the miniature web's own access log, not from what the robot
believes it did.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePath

from txtr.config.options import Options, is_wanted
from txtr.launcher.progress import counted

SAMPLES = 2  # sentences shown
SAMPLE_WORDS = range(8, 25)  # of a sentence that is worth showing
SAMPLE_ENDS = (".", "!", "?")


@dataclass(frozen=True, slots=True)
class Findings:
    """What a crawl of the miniature web has left."""

    texts: Sequence[str]  # cleaned documents, a sentence a line
    files_aside: int
    disallowed: int  # URLs
    rejected: int  # texts
    abandoned: int  # domains
    access_log: Sequence[str]  # lines of JSON, one per request


def lines(found: Findings, options: Options, directory: str, script: str) -> list[str]:
    """What the user reads at the end."""
    sentences = [line for text in found.texts for line in text.splitlines()]
    words = sum(len(sentence.split()) for sentence in sentences)
    inside = PurePath(directory)
    return [
        "",
        f"{len(found.texts)} documents arrived: {len(sentences)} sentences, {words} words, such as",
        *(f"  {sample}" for sample in _samples(found.texts)),
        f"{found.files_aside} files that are not HTML were stored aside;"
        f" {found.disallowed} URLs are forbidden by robots.txt and were not visited.",
        *_judging(found, options, inside),
        *_manners(found.access_log, options),
        f"texts: {_place(inside, options.target)}   files: {_place(inside, options.non_html_target)}"
        f"   forbidden: {_place(inside, options.disallowed_target)}   logs: {inside / 'log'}",
        f"yield: {script} report --state={inside / options.state}",
    ]


def _place(inside: PurePath, target: str) -> str:
    return str(inside / target) if is_wanted(target) else "nowhere"


def _judging(found: Findings, options: Options, inside: PurePath) -> list[str]:
    """What was not wanted, if anything was."""
    is_kept = is_wanted(options.rejected_target)
    where = f"in {inside / options.rejected_target}" if is_kept else "kept nowhere"
    rejected = f"{found.rejected} texts were rejected and are {where} (--rejected-target)."
    abandoned = f"Abandoned, for too little text: {counted(found.abandoned, 'domain')}, listed in"
    abandoned += f" {_place(inside, options.abandoned_target)}."
    return [rejected] * (found.rejected > 0) + [abandoned] * (found.abandoned > 0)


def _samples(texts: Iterable[str]) -> list[str]:
    """The first good sentence of each of the first texts that have one."""
    good = (next((line for line in text.splitlines() if _is_sample(line)), None) for text in texts)
    return [sample for sample in dict.fromkeys(good) if sample][:SAMPLES]


def _is_sample(sentence: str) -> bool:
    return len(sentence.split()) in SAMPLE_WORDS and sentence.endswith(SAMPLE_ENDS)


def _manners(access_log: Sequence[str], options: Options) -> list[str]:
    """The time between requests to one domain, as the servers saw it."""
    starts: dict[str, list[float]] = {}
    for line in access_log:
        entry = json.loads(line)
        starts.setdefault(entry["host"], []).append(entry["monotonic_start"])
    gaps = [after - before for times in starts.values() for before, after in pairwise(sorted(times))]
    if not gaps:
        return []
    return [
        f"The servers saw {len(access_log)} requests to {len(starts)} domains, never two to one domain"
        f" within {min(gaps):.2f} s (the rule: {options.req_delay:g} s)."
    ]
