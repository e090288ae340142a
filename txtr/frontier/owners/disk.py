"""Edge: which link a text, or a document's own address, belongs to, on disk: two numbers a row, a digest of
the one and the key of the other. A URL would take five times the room, and the documents know it.
"""

from functools import lru_cache
from hashlib import blake2b

from txtr.frontier.links.disk import DiskLinks

TEXTS, OWN_ADDRESSES = TABLES = ("texts", "own_addresses")
SCHEMA = "".join(f"CREATE TABLE {name} (key INTEGER PRIMARY KEY, link INTEGER NOT NULL);" for name in TABLES)


class Owners:
    """What claims need, for texts or for documents' own addresses (corpus/duplicates.py)."""

    def __init__(self, links: DiskLinks, table: str) -> None:
        self.links = links
        self.table = table
        self._question = f"SELECT link FROM {table} WHERE key = ?"
        self._statement = f"INSERT OR REPLACE INTO {table} VALUES (?, ?)"

    def get(self, key: str, default: str) -> str:
        """The URL; the default if there is none, or it is neither settled nor in a batch any more."""
        number = _number(key)
        link = self._written_later(number)
        if link is None:
            link = self._written(number)
        return default if link is None else self.links.url_of(link) or default

    def __setitem__(self, key: str, url: str) -> None:
        number = _number(key)
        row = (number, self.links.key_of(url))
        self.links.write_later(self.table, self._statement, {number: row})

    def _written_later(self, number: int) -> int | None:
        written = self.links.later.get(self.table, {}).get(number)
        return written[1][1] if written is not None else None

    def _written(self, number: int) -> int | None:
        row = self.links.connection.execute(self._question, (number,)).fetchone()
        return row[0] if row else None


@lru_cache(maxsize=2)  # who asks for a text and for an address mostly writes both next
def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), signed=True)
