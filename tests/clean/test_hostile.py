"""Pages that were made to bring a harvester down, each in a program with little time and memory."""

import subprocess
import sys

import pytest

SIZE = 10_000_000  # bytes, what a harvester takes at most
SECONDS, MEMORY = 40, 1_000_000_000  # ten times what they took on a slow machine; bytes, twice what they took

PROGRAM = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS}))
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
from txtr.clean import clean
piece = sys.argv[1].encode("utf-8", "surrogateescape")
count = {SIZE} // len(piece)
data = b"".join(piece % n for n in range(count)) if b"%d" in piece else piece * count
page = clean(data, "http://example.cz/", "text/html")
assert sum(page.counts) == len(page.text.split("\\n") if page.text else [])
"""


@pytest.mark.web
@pytest.mark.parametrize(
    "piece",
    [
        "<div>",
        "<p>",
        "A. ",
        "x<hr>",
        "<p><b id=%d>x",
        "<a href=x>",
        "漢<rt>k",
        "a\u0301\u0316" * 500,
        "\xa9 ",
    ],
)
def test_no_page_takes_much_time_or_memory(piece):
    """Adversarial HTML takes bounded time and memory and never brings a harvester down."""
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, piece], capture_output=True, text=True, timeout=120
    )
    assert ended.returncode == 0, ended.stderr[-500:]
