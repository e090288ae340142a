"""A web of any size, made of numbers: domain and link are counted, and everything else follows from that.

What matters to a frontier is as in reality: few domains have most of the links (the number of links falls
with the inverse of the rank, 100 on average), few addresses serve most of the domains (1.7 on average), and
a page links mostly to its own domain, to its menu above all. Paths are as long as real ones and take as much
room when they are compressed: on 2 707 real pages a path had 38 characters, and 64 neighbours took 17 bytes
each; here 45 and 16.
"""

import re
from functools import cache

from txtr.urls import join

LEAST_LINKS = 11  # of a domain
MOST_LINKS = 200_000
DOMAINS_PER_ADDRESS = 3
_SYLLABLES = tuple(
    re.findall(
        "[a-z]+",
        "ba bi da de do fa ga ha hra ja je ka ko kra la le li lo ma me mi mo na ne ni no pa pe po pra"
        " ra re ri ro sa se si sta ta te ti to tra va ve vi vo vy za ze zi zna",
    )
)
_ENDINGS = ("", "k", "n", "st", "r", "cz", "ch", "l")
_SECTIONS = ("clanky", "zpravy", "produkty", "kategorie", "blog", "forum", "akce", "kontakt", "fotogalerie")


def _word(number: int) -> str:
    """A word of two or three syllables."""
    first, rest = divmod(number, len(_SYLLABLES))
    second, third = divmod(first, len(_SYLLABLES))
    middle = _SYLLABLES[third % len(_SYLLABLES)] if number % 3 else ""
    return _SYLLABLES[rest] + middle + _SYLLABLES[second % len(_SYLLABLES)] + _ENDINGS[number % 8]


WORDS = tuple(_word(number * 7 + 3) for number in range(8192))
COMMON = tuple(int(512 * (place / 2048) ** 2.5) for place in range(2048))  # few words make most of a text


def _mixed(*numbers: int) -> int:
    """32 bits that look random."""
    mixed = 2166136261
    for number in numbers:
        mixed = ((mixed ^ number) * 0x9E3779B1) & 0xFFFFFFFF
        mixed ^= mixed >> 15
    return (mixed * 0x85EBCA77 & 0xFFFFFFFF) ^ mixed >> 13


def _common(mixed: int) -> str:
    """A word as they occur in texts: a few of them very often."""
    return WORDS[COMMON[mixed & 2047] * 16]


def name(domain: int) -> str:
    mixed = _mixed(domain, 1)
    prefix = "www." if mixed & 1 else ""
    return f"{prefix}{WORDS[mixed >> 4 & 8191]}{WORDS[mixed >> 17 & 8191]}{domain}.cz"


@cache
def links(domain: int) -> int:
    """How many links this domain has."""
    share = (_mixed(domain, 2) + 1) / 2**32
    return min(MOST_LINKS, int(LEAST_LINKS / share))


def number(name: str) -> int:
    """The domain that is called this."""
    return int("".join(sign for sign in name if sign.isdigit()))


def address(domain: int) -> str:
    """Hosters have thousands of domains, most addresses one."""
    share = (_mixed(domain, 3) + 1) / 2**32
    number = int(domain * share**2 / DOMAINS_PER_ADDRESS) if domain % 2 else domain
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


def path(domain: int, link: int) -> str:
    """The path of a domain's link, with its door; most servers speak TLS."""
    mixed = _mixed(domain, link, 4)
    own = domain * 37  # every domain has words of its own
    one, two = WORDS[COMMON[mixed & 2047] + own & 8191], WORDS[COMMON[mixed >> 11 & 2047] + own & 8191]
    section, topic = _SECTIONS[mixed % 9], WORDS[(mixed >> 28) + own & 8191]
    match domain % 5:
        case 0:
            return f"s/{section}/{2005 + link % 20}/{1 + mixed % 12:02}/{topic}-{one}-{two}-{link}/"
        case 1:
            return f"s/{section}/{topic}-{one}-clanek-{two}-{link}"
        case 2:
            return f"s/{section}/{topic}/{one}-{two}-detail-{link + 1000}.html"
        case 3:
            return f"/{section}/index.php?cat={topic}&sub={one}&id={link}&lang=cz"
        case _:
            return f"s/cs/{section}/{topic}/{one}-{two}-{link}"


def url(domain: int, link: int) -> str:
    return join(name(domain), path(domain, link))


def title(domain: int, link: int) -> str:
    mixed = _mixed(domain, link, 5)
    return " ".join(_common(mixed >> bits) for bits in (0, 5, 10, 15, 20)).capitalize()


def robots_txt(domain: int) -> str:
    """Of a third nothing, of a third what everybody's software writes, of a third something of its own."""
    if domain % 3 == 0:
        return ""
    if domain % 3 == 1:
        return "User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n"
    private = "".join(f"Disallow: /{WORDS[_mixed(domain, number, 6) & 8191]}/\n" for number in range(6))
    return f"User-agent: *\n{private}Disallow: /*?print=\n"


def page(domain: int, link: int, others: int) -> list[str]:
    """The links of the domain's page of this number: about 45, of which 9 are new.

    Its own known ones are the menu and others, as far as there are any, and there are 7 new ones; 10 lead
    to five domains that many link to, 2 of them new. One of ten pages names a new domain."""
    known, mixed = links(domain), _mixed(domain, link, 7)
    own = {*range(min(16, known)), *(_mixed(domain, link, 8, n) % known for n in range(34))}
    new = range(known + link * 8, known + link * 8 + 7)
    found = [url(domain, number) for number in (*own, *new)]
    for place in range(5):
        other = int(others * ((_mixed(domain, link, 9, place) + 1) / 2**32) ** 3)  # few are linked to by many
        first = _mixed(domain, link, 10, place) % links(other)
        found += [url(other, first), url(other, (first + 1) % links(other))]
    found[-2:] = [url(other, links(other) + (domain * 31 + link) * 2 + n) for n in range(2)]
    if mixed % 10 == 0:
        found.append(f"https://www.{_common(mixed)}-{domain}-{link}.eu/")
    return list(dict.fromkeys(found))
