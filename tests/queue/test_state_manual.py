"""docs/state.md is true: its tables are those of the code."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.queue.states import everything
from txtr.admin.answers import RANK_NAMES
from txtr.config.places import DATABASE_FILE, FIRST_VERSION, FRESH_DATABASE, JOURNAL_FILES, STATE_FILES
from txtr.queue.program import COMMANDS
from txtr.queuekeeper.books import HARVEST_TABLE

MANUAL = (Path(__file__).parents[2] / "docs/state.md").read_text("utf-8")


def test_every_table_of_the_database_is_explained(tmp_path):
    everything(tmp_path / "state")
    with closing(sqlite3.connect(tmp_path / "state" / DATABASE_FILE)) as connection:
        connection.execute(HARVEST_TABLE)  # which the queuekeeper makes
        tables = {
            name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        }
    explained = MANUAL.split("<!-- tables -->")[1].split("<!-- /tables -->")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", explained, re.M)) == tables


def test_every_file_of_a_state_is_explained():
    """Found by a new user, who wondered what is his."""
    explained = MANUAL.split("## Looking in")[0]
    passing = {FRESH_DATABASE, FIRST_VERSION}  # gone when a start or an order is over
    explained = explained.replace("`-1`", f"`{JOURNAL_FILES[1]}`")
    for name in set(STATE_FILES) - passing:
        assert f"`{name}`" in explained, name


def test_every_command_is_in_the_manual():
    for command in COMMANDS.keys() - {"totals"}:
        assert f"`... {command}" in MANUAL or f"`{command}`" in MANUAL, command


def test_the_words_of_the_answers_are_explained():
    """Found by a new user: door, promise, parked, ranks."""
    explained = MANUAL.split("<!-- words -->")[1].split("<!-- /words -->")[0]
    words = set(re.findall(r"^\| \*\*([\w, ]+)\*\* \|", explained, re.M))
    assert words >= {"door", "promise", "parked", "rank", "settled", "in a batch", "abandoned"}
    assert all(name in explained for name in RANK_NAMES)
