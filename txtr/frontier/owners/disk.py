"""Edge: which link a text, or a document's own address, belongs to, on disk: two numbers a row, a digest of
the one and the key of the other. A URL would take five times the room, and the documents know it.
"""

from hashlib import blake2b

from txtr.frontier.links.disk import DiskLinks

TEXTS, OWN_ADDRESSES = TABLES = ("texts", "own_addresses")
SCHEMA = "".join(f"CREATE TABLE {name} (key INTEGER PRIMARY KEY, link INTEGER NOT NULL);" for name in TABLES)


class Owners:
    """What claims need, for texts or for documents' own addresses (corpus/duplicates.py)."""

    def __init__(self, links: DiskLinks, table: str) -> None:
        self.connection = links.connection
        self.links = links
        self.table = table

    def get(self, key: str, default: str) -> str:
        """The URL; the default if there is none, or it is neither settled nor in a batch any more."""
        question = f"SELECT link FROM {self.table} WHERE key = ?"
        row = self.connection.execute(question, (_number(key),)).fetchone()
        return (self.links.url_of(row[0]) or default) if row else default

    def __setitem__(self, key: str, url: str) -> None:
        row = (_number(key), self.links.key_of(url))
        self.links.write(f"INSERT OR REPLACE INTO {self.table} VALUES (?, ?)", [row])


def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), signed=True)
