"""Edge: the owners of texts on disk: which link a text belongs to. A row is a digest of the text and the key
of the link. A URL would take five times the room, and stands in the documents anyway.
"""

from functools import lru_cache
from hashlib import blake2b

from txtr.store.keys import digest, domain_of, first_key
from txtr.store.links import DiskLinks
from txtr.store.rows import Row
from txtr.urls import join, split

TABLE = "texts"
SCHEMA = f"CREATE TABLE {TABLE} (key INTEGER PRIMARY KEY, link INTEGER NOT NULL);"
_QUESTION = f"SELECT key, link FROM {TABLE} WHERE key = ?"
_STATEMENT = f"INSERT OR REPLACE INTO {TABLE} VALUES (?, ?)"


class Owners:
    """Text -> URL of its owner, as claims need it (corpus/duplicates.py)."""

    def __init__(self, links: DiskLinks) -> None:
        self.links = links

    def get(self, key: str, default: str) -> str:
        """The URL of a text's owner; the default if none is settled or in a batch."""
        number = _number(key)
        row = self.links.others.get(TABLE, number) or self._written(number)
        return default if row is None else self._url(row[1]) or default

    def __setitem__(self, key: str, url: str) -> None:
        number = _number(key)
        self.links.others.write(TABLE, _STATEMENT, {number: (number, self._link(url))})

    def _written(self, number: int) -> Row | None:
        row: Row | None = self.links.connection.execute(_QUESTION, (number,)).fetchone()
        return row

    def _link(self, url: str) -> int:
        """A link as one number."""
        domain, path = split(url)
        return self.links.homes[domain].first + digest(path)

    def _url(self, link: int) -> str | None:
        """The URL of a link, if it is settled or in a batch."""
        self.links.documents.flush()
        domain, first = self.links.homes.name_of(domain_of(link)), first_key(domain_of(link))
        if domain is None:
            return None
        path = self.links.documents.path_of(link)
        if path is None:
            path = next((path for path in self.links.leased(domain) if first + digest(path) == link), None)
        return join(domain, path) if path is not None else None


@lru_cache(maxsize=1)  # a text that is asked for is mostly written next
def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), signed=True)
