"""A hosts file: names and addresses that the user gives, which are asked before DNS.

The format is that of /etc/hosts: a line has an address and then names, with white space between them. A
comment begins with `#`. A name may stand in several lines, and then has several addresses, in the order of
the file. A line that is not of this form is refused. If it was left out without a word, the robot would
contact the real server of that name.
"""

from txtr.errors import UserMistake
from txtr.fetch.guard import plain_address


def read_hosts(text: str, culprit: str) -> dict[str, list[str]]:
    """Read a hosts file: addresses of names in lower case. `culprit` names the file in complaints."""
    found: dict[str, list[str]] = {}
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        address = plain_address(words[0].partition("%")[0])
        if address is None or len(words) == 1:
            found_there = f"line {number}: expected an IP address and names, found {line.strip()[:60]!r}"
            raise UserMistake(f"{culprit}: {found_there}")
        for name in words[1:]:
            addresses = found.setdefault(name.lower().rstrip("."), [])
            if address not in addresses:
                addresses.append(address)
    return found
