"""Deeds: what was done since the last commit, for the journal (journal.py). What can be done: redo.py.

Invariant: done again, in the same order and on the same tables, they lead to the same state, for nothing
else decides what they do.
"""

from typing import Any

Deed = tuple[Any, ...]  # what was done, and to what
