"""The summary: statistics a person reads, every line of which starts with %."""

import pytest

from txtr.diary.summary import WIDTH, duration, lines
from txtr.diary.tally import Tally


def test_the_summary_tells_counts_times_and_rates():
    """Style guide 6: % lines are the summary."""
    tally = Tally({"documents": 215000, "failed": 21430}, {"waiting-for-servers": 104520, "cleaning": 6000})
    assert lines(tally, "harvester-07", elapsed=37800) == [
        "% harvester-07 ran 10h30m",
        "% documents 215000   failed 21430",
        "% waiting-for-servers 29h02m   cleaning 1h40m",
        "% documents-per-second 5.69",
    ]


def test_every_line_starts_with_a_percent_sign_and_fits():
    tally = Tally({f"count-number-{number}": number for number in range(50)})
    shown = lines(tally, "queuekeeper", elapsed=0)
    assert len(shown) > 10
    assert all(line.startswith("% ") and len(line) <= WIDTH + 3 for line in shown)


def test_nothing_counted_is_nothing_said():
    assert lines(Tally(), "queuekeeper", elapsed=1) == ["% queuekeeper ran 1.0s"]


@pytest.mark.parametrize(
    "seconds, words",
    [
        (0, "0.0s"),
        (0.41, "0.4s"),
        (59.9, "59.9s"),
        (59.99, "1m00s"),
        (245, "4m05s"),
        (3599.7, "1h00m"),
        (104520, "29h02m"),
    ],
)
def test_durations_are_for_people(seconds, words):
    assert duration(seconds) == words
