"""The parser of a command's arguments: what it cannot understand is a UserMistake, like any other."""

import argparse
from typing import Any, NoReturn

from txtr.errors import UserMistake


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UserMistake(message)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Python's own is silent when it cannot write."""
        file.write(message)
