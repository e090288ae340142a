"""Deeds: what was done since the last commit, for the journal (journal.py). Their kinds are in redo.py.

Invariant: the same deeds, done again in the same order on the same tables, lead to the same state. Nothing
else decides what a deed does.
"""

from typing import Any

Deed = tuple[Any, ...]  # its kind, and what it was done to
