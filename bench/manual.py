"""Puts measured figures into docs/performance.md, between `<!-- name -->` and `<!-- /name -->`."""

import os
import platform
import re
import time
from pathlib import Path

MANUAL = Path(__file__).resolve().parents[1] / "docs" / "performance.md"


def write(name: str, text: str) -> None:
    """Replace the section of this name."""
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    old = MANUAL.read_text(encoding="utf-8")
    new, count = re.subn(
        re.escape(begin) + ".*?" + re.escape(end),
        lambda _: begin + text.rstrip() + "\n" + end,
        old,
        flags=re.S,
    )
    if count != 1:
        raise SystemExit(f"{MANUAL.name} has {count} sections called {name}, expected one")
    MANUAL.write_text(new, encoding="utf-8")


def machine() -> str:
    """Where and when this was measured."""
    model = "unknown processor"
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = " ".join(line.partition(":")[2].split())
            break
    day = time.strftime("%Y-%m-%d")
    return f"{day}, {os.cpu_count()} cores of {model}, Python {platform.python_version()}"
