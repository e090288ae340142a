"""The start list: the user's text of whole URLs, separated by white space.

Invariant: every word of the text is either a URL of the answer or rejected by name; nothing
the user wrote is lost in silence. `#` at the start of a word makes the rest of its line a comment.
"""

import re

from txtr import urls

# A server's name, perhaps with a port and a path, but no scheme: "www.example.cz/a". A single
# word without dot or port is more likely a slip of the pen than a server, and tel:112 no server's port.
_WITHOUT_SCHEME = re.compile(
    r"(?!(?:tel|sms|data|javascript):)"
    r"(?:[\w-]+(?:\.[\w-]+)+\.?|\[[0-9A-Fa-f:.]+\]|[\w-]+(?=:\d))(?::\d+)?(?:[/?#].*)?"
)


def read(text: str) -> tuple[list[str], list[str]]:
    """The canonical URLs of a start list, each once and in order; and the rejected words."""
    links: dict[str, None] = {}
    rejected: list[str] = []
    for word in _words(text):
        found = link(word)
        if found is None:
            rejected.append(word)
        else:
            links[found] = None
    return list(links), rejected


def _words(text: str) -> list[str]:
    words: list[str] = []
    for line in text.removeprefix("\ufeff").splitlines():  # editors leave a byte order mark
        for word in line.split():
            if word.startswith("#"):
                break
            words.append(word)
    return words


def link(word: str) -> str | None:
    """The canonical URL that the user means, with or without a scheme; None when it is none."""
    found = urls.canonical(word)
    if found is None and _WITHOUT_SCHEME.fullmatch(word):
        found = urls.canonical("http://" + word)
    return found
