"""Exceptions: a promise was broken, and the type says whose.

    TxtrError
    ├── OurMistake      a bug of ours: stops the program loudly
    ├── TheirMistake    a peer or a file broke a format: that connection or file ends, the robot goes on
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


class UserMistake(TxtrError):
    """Something the user gave us cannot be used; the message names it."""
