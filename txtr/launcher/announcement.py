"""The announcement: what was started, where everything goes, how to watch it and how to stop it."""

from txtr.config.options import BUILT_IN, NONE, Options, is_wanted
from txtr.diary.events import place
from txtr.launcher import progress

SCRIPT = "sh texttractor.sh"
STOPPING = f"{SCRIPT} stop, or kill `cat PID.txt`"
ADDING = f"{SCRIPT} add N"


def started(options: Options, who: str) -> list[str]:
    """What the user reads when the console comes back."""
    return [
        f"started {who}",
        f"  texts go to   {_kept_at(options.target)}, files that are not HTML to"
        f" {_kept_at(options.non_html_target)}",
        f"  logs go to    {place(options.log_path, '*')}, summaries to *.out",
        f"  watch it      {SCRIPT} status{_same_state(options)}      (or follow)",
        f"  stop it       {STOPPING}      (starting it again goes on where it stopped)",
    ]


def _kept_at(target: str) -> str:
    return target if is_wanted(target) else "nowhere"


def not_started() -> list[str]:
    """When somebody has pressed Ctrl-C before the console came back."""
    return ["stopped before all had started: nothing runs; the same command starts it"]


def demo_stopped(directory: str) -> list[str]:
    """When somebody has pressed Ctrl-C in the demonstration."""
    return [f"stopped; what it has found so far is in {directory}, and the next demo begins afresh"]


def adopted(harvesters: int) -> list[str]:
    """When the queuekeeper of an earlier start was killed and its harvesters were not."""
    return [f"{counted(harvesters)} of the interrupted crawl {'goes' if harvesters == 1 else 'go'} on"]


def nothing_left(options: Options) -> list[str]:
    """When a crawl that had finished was started again, and has ended at once."""
    return [
        "nothing was left to do: this crawl had finished, and has finished again",
        f"  go on         with more URLs in {options.urls}",
        f"  begin afresh  with another --state, or delete {options.state}",
    ]


def finished_soon(more: int, options: Options) -> list[str]:
    """When a crawl that had finished was started again, had something to do, and has ended at once."""
    answered = "request was answered" if more == 1 else "requests were answered"
    return [
        f"started, and finished already: {more} more {answered}",
        f"  what came of it  {SCRIPT} status{_same_state(options)}",
    ]


def going_on(harvesters: int) -> list[str]:
    """When a crawl is running and lacks harvesters: who need not be started."""
    who = f"the queuekeeper and {counted(harvesters)}" if harvesters else "the queuekeeper"
    return [f"{who} of the crawl in this directory {'go' if harvesters else 'goes'} on"]


def missing(harvesters: int, wanted: int, complaint: str) -> list[str]:
    """That not all harvesters are there that should be, why, if one has said it, and what helps."""
    if harvesters <= 0:
        return []
    why = f": {complaint}" if complaint else ""
    return [
        *progress.attention(
            f"{harvesters} of {counted(wanted)} {'is' if harvesters == 1 else 'are'} missing{why}"
        ),
        f"           {SCRIPT} add {harvesters} starts as many again",
    ]


def newcomers(has_keeper: bool, harvesters: int, adopted: int) -> str:
    """Who was started: beside those that were there already there may be more, or none."""
    more = f"{harvesters} more harvester{'' if harvesters == 1 else 's'}" if adopted else counted(harvesters)
    return " and ".join(["the queuekeeper"] * has_keeper + [more] * (harvesters > 0))


def detached() -> list[str]:
    """After Ctrl-C."""
    return ["", "detached: the crawl goes on", f"  stop it       {STOPPING}"]


def parked(requests: int, options: Options) -> list[str]:
    """When a crawl has ended and left requests alone: why that may be, and what can be done about it."""
    if not requests:
        return []
    queue, state = f"{SCRIPT} queue", _same_state(options)
    are = "request is" if requests == 1 else "requests are"
    return [
        f"{requests} {are} parked: the name does not resolve, its IP address is not",
        "  public (--allow-private), nobody answers there, or the domain is abandoned,",
        "  blocked or excluded",
        f"  see which     {queue} domains{state}      (one of them, and why: {queue} domain NAME{state})",
        f"  try now       {queue} retry NAME{state}, then start it again      (what has failed there, too;",
        "                a start after a day does, unless the domain is abandoned, blocked or excluded)",
    ]


def unknown_contact(stand_in: str) -> list[str]:
    """Nobody could complain: this must be seen."""
    return [
        "WARNING: no --contact is given. Administrators of the servers we visit cannot ask who we are;",
        f"WARNING: {stand_in} stands in. Please give --contact=URL or --contact=MAIL (or in config.txt).",
    ]


def absent_segmenter(where: str, reason: str) -> list[str]:
    """Nothing will be kept until somebody judges: this must be seen too."""
    if not reason:
        return []
    return [f"WARNING: --segmenter={where}: {reason}. Documents wait until a segmenter is there."]


def unused_language(language: str, segmenter: str) -> list[str]:
    """--language is a wish that only a segmenter can grant."""
    if not language or segmenter == BUILT_IN:
        return []
    if segmenter == NONE:
        return [f"WARNING: --language={language}: with --segmenter=none nobody judges; all texts are kept."]
    return [
        f"WARNING: --language={language} is only told to the segmenter at {segmenter}, which decides alone"
        " what is kept."
    ]


def counted(harvesters: int) -> str:
    """1 harvester, 12 harvesters."""
    return progress.counted(harvesters, "harvester")


def _same_state(options: Options) -> str:
    return "" if options.state == Options().state else f" --state={options.state}"
