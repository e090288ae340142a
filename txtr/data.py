"""Edge: reads the tables that are part of the program, such as weights and abbreviations.

A table lies beside the module that uses it. It belongs to the program as its code does, so that modules which
otherwise know no files may ask for one.
"""

from importlib import resources


def table(place: str) -> str:
    """The text of a table; `place` is where it lies below txtr/, with slashes."""
    return resources.files("txtr").joinpath(place).read_text("utf-8")
