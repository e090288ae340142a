"""Exceptions: a promise was broken, and the type says whose.

    TxtrError
    ├── OurMistake      a bug of ours: stops the program loudly
    ├── TheirMistake    a peer or a file broke a format: that connection or file ends, the robot goes on
    ├── Damaged         a file that we wrote ourselves is not as we wrote it: the program stops, and names it
    └── UserMistake     an option, a file or a directory the user named cannot be used:
                        one line that names the culprit, exit code 2, nothing started

A page that cannot be fetched is none of these: it is a Failure, a value (see model.py).
"""


class TxtrError(Exception):
    """Whatever this robot raises on purpose."""


class OurMistake(TxtrError):
    """A bug of ours."""


class TheirMistake(TxtrError):
    """A peer or a file does not keep the format."""


class Damaged(TxtrError):
    """A file of ours was changed by somebody else, or by a bad disk."""


class UserMistake(TxtrError):
    """Something the user gave us cannot be used; the message names it."""
