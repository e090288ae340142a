"""A hosts file: names and addresses the user gives us, asked before DNS.

The format is that of /etc/hosts: an address, then names, white space between; `#` begins a
comment. A name may have several lines and so several addresses, in the order of the file.
A line that is not of this form is a mistake worth telling: silently left out, it would send the
robot to the real server of that name.
"""

from txtr.errors import UserMistake
from txtr.fetch.guard import plain


def hosts(text: str) -> dict[str, list[str]]:
    """The addresses of every name, names in lower case."""
    found: dict[str, list[str]] = {}
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        address = plain(words[0].partition("%")[0])
        if address is None or len(words) == 1:
            raise UserMistake(f"line {number}: expected an IP address and names, found {line.strip()[:60]!r}")
        for name in words[1:]:
            addresses = found.setdefault(name.lower().rstrip("."), [])
            if address not in addresses:
                addresses.append(address)
    return found
