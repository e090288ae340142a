"""Edge: what the user is told.

Invariant: the start script is named in it as he has called it: what he is told to type works as it is.
"""

import os
import shlex
from collections.abc import Sequence

from txtr.admin.crawl import Crawl
from txtr.config.options import Options
from txtr.launcher import announcement, progress


def called_as() -> str:
    """What the user has typed to start us, as a shell reads it."""
    return f"sh {shlex.quote(os.environ.get('TXTR_SCRIPT', 'texttractor.sh'))}"


def typed(text: str) -> str:
    """A text of the announcement, with the script as the user has called it."""
    return text.replace(announcement.SCRIPT, called_as())


def tell(lines: Sequence[str]) -> None:
    """Say this, if it is anything, at once: what comes next may take a while."""
    if lines:
        print(typed("\n".join(lines)), flush=True)


def tell_parked(chosen: Options) -> None:
    """A crawl that has ended with nothing to show for it must not leave the user without a reason."""
    tell(announcement.parked(progress.number(Crawl(chosen).progress() or {}, "parked"), chosen))
