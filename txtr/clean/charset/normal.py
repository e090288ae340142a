"""Normal characters: one spelling for characters that look the same, and no invisible ones.

Invariant: the text is in Unicode's normal form C. It holds no control character (but line feeds and tabs), no
soft hyphen, no mark of direction, no half of a surrogate pair. Joiners stay in the scripts that need them.
Non-breaking and other odd blanks are left to collapse().

Ligatures of printing (ﬁ, ﬄ) are expanded, since they are letters of no language. Other compatibility
characters (², ½, ™, full-width forms) mean something and stay; therefore the form is not KC.
"""

import re
import unicodedata
from collections.abc import Iterator

MOST_MARKS = 30  # on one letter (UAX 15, stream-safe text): to order thousands of marks takes quadratic time
LONG = 1_000_000  # characters; the words of so long a text take 50 MB at most
SHORT = 1000  # characters; the marks of so short a text are ordered in no time
CERTAIN = 3  # different pairs that prove that a page was encoded twice
ENOUGH = 500_000  # characters of a page in which such pairs are looked for

_WINDOWS_1252 = re.compile(r"[\x80-\x9f]")  # never meant as control characters: &#150; is a dash
# Zero-width joiners go, too, except in the scripts that need them: Persian, Hindi, emoji.
_JOINERS = re.compile(r"[\u200c\u200d](?<![\u0590-\U000effff][\u200c\u200d])")
_UNSEEN = (
    r"\x00-\x08\x0e-\x1b\x7f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    r"\ufdd0-\ufdef\ufeff\ufff9-\ufffc\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f"
)
_INVISIBLE = re.compile(f"[{_UNSEEN}]")
_ODD = re.compile(f"[\x80-\x9f\u200c\u200d\ufb00-\ufb06{_UNSEEN}]")  # all that is changed before NFC
_NOT_ODD = bytes(sign for sign in range(128) if not _ODD.match(chr(sign)))  # most of all texts
_LIGATURES = re.compile(r"[\ufb00-\ufb06]")
# Chinese and Japanese have no blanks between words, so the end of a line of the source is no blank either.
_WIDE = "[\u2e80-\u2fff\u3001-\u312f\u3190-\ua4cf\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]"
_BROKEN = re.compile(rf"\n(?<={_WIDE}\n)\s*+(?={_WIDE})")
_EXPONENT = re.compile("[-+−]?[0-9]{1,3}")
_RAISE = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
_SIGNS = re.compile(rf"[^\w\s]{{{MOST_MARKS},}}")  # marks are neither letters nor blanks
_TIBETAN = "\u0f73\u0f75\u0f81"  # vowels that become marks when they are taken apart

# UTF-8 of Latin letters and typography that was read in these sets and encoded again: é is Ã© or Ă©.
_CODECS = {"cp1252": "Â-Å", "cp1250": "ÂĂÄĹ"}  # codec -> what the first bytes of two become in it


def _pair(codec: str, leads: str) -> re.Pattern[str]:
    rest = re.escape(bytes(range(0x80, 0xC0)).decode(codec, "ignore")) + "\x80-\x9f"
    return re.compile(f"[{leads}â](?:(?<!â)[{rest}]|(?<=â)[{rest}]{{2}})")


_TYPOGRAPHY = re.compile("â(?:€[\x90-\x9f˜™š›œžŸ“”•–—\xa2\xa6\xb0\xb2\xb3\xb9\xba]|\x80[\x90-\x9f\xa0-\xbf])")
_TWICE = {codec: _pair(codec, leads) for codec, leads in _CODECS.items()}
# In UTF-8, the beginnings of the commonest pairs; every page encoded twice has one.
_MARKS = (
    (b"\xc3", re.compile(rb"\xc3(?:[\x82\x83]\xc2|\xa2(?:\xe2\x82\xac|\xc2\x80))")),
    (b"\xc4", re.compile(rb"\xc4\x82\xc2")),
)
_LEADS = "ÂÃÄÅĂĹâ"  # every pair begins with one of these
_ACCENTED = re.compile(r"[À-ɏ]")


def normalize(text: str) -> str:
    """The text without invisible characters, and with one spelling for each visible one."""
    if text.isascii() and text.isprintable():
        return text
    if _has_odd(text):
        for control in set(_WINDOWS_1252.findall(text)):
            text = text.replace(control, _meant(control))
        text = _INVISIBLE.sub("", _JOINERS.sub("", text))
        for ligature in set(_LIGATURES.findall(text)):
            text = text.replace(ligature, unicodedata.normalize("NFKC", ligature))
    if _may_have_many_marks(text):
        text = _SIGNS.sub(_with_few_marks, text)
    return unicodedata.normalize("NFC", text)


def _has_odd(text: str) -> bool:
    """Does the text hold an odd character? To sort out bytes is several times as fast as to search signs."""
    rest = text.encode("utf-8", "surrogatepass").translate(None, _NOT_ODD)
    return _ODD.search(rest.decode("utf-8", "surrogatepass")) is not None


def collapse(text: str) -> str:
    """The text with single blanks, and none at its edges; a long one by pieces, since words take memory."""
    if len(text) <= LONG:
        return " ".join(text.split())
    pieces, start = [], 0
    while start < len(text):
        end = text.find(" ", start + LONG) if start + LONG < len(text) else -1
        end = len(text) if end < 0 else end
        pieces.append(" ".join(text[start:end].split()))
        start = end
    return " ".join(filter(None, pieces))


def join_wide_lines(text: str) -> str:
    """The text without the line feeds between two wide characters."""
    return text if text.isascii() or "\n" not in text else _BROKEN.sub("", text)


def raised(text: str) -> str:
    """A text that the page shows raised. A number is an exponent then, not part of the number before it."""
    return text.translate(_RAISE) if _EXPONENT.fullmatch(text) else text


def may_be_encoded_twice(data: bytes) -> bool:
    """May this page have been encoded twice? The test is cheap, since every page takes it."""
    return any(lead in data and mark.search(data) for lead, mark in _MARKS)  # a byte is found in no time


def repair_encoded_twice(text: str) -> str:
    """The text, with the parts mended that were encoded as UTF-8 twice; any other text as it is.

    The three characters of a quote or dash are proof wherever they stand: no language writes â€™. A pair is
    proof only in a page in which nearly all accented letters are halves of such pairs: AMANHÃ» at the end of
    a Portuguese quotation is a pair as well. In a page that also has such a quote or dash, one pair is
    enough.
    """
    if text.isascii():
        return text
    leads, certain = [lead for lead in _LEADS if lead in text], CERTAIN
    if "â" in leads:
        text, threes = _TYPOGRAPHY.subn(lambda three: _once(three[0], "cp1252"), text)
        certain = 1 if threes else CERTAIN
    for codec, twice in _TWICE.items() if leads else ():
        pairs = list(_pairs(text[:ENOUGH], leads, twice))
        if len(set(pairs)) < certain:
            continue
        if 10 * len(_ACCENTED.findall(twice.sub("", text[:ENOUGH]))) <= len(pairs):
            return twice.sub(lambda pair, codec=codec: _once(pair[0], codec), text)  # type: ignore[misc]
    return text


def _pairs(text: str, leads: list[str], twice: re.Pattern[str]) -> Iterator[str]:
    """All pairs of a text. It is split at each lead: an expression for all of them is much slower."""
    for lead in leads:
        for rest in text.split(lead)[1:]:
            if pair := twice.match(lead + rest[:2]):
                yield pair[0]


def _once(pair: str, codec: str) -> str:
    try:
        return b"".join(map(_byte, pair, [codec] * len(pair))).decode("utf-8")
    except UnicodeError:
        return pair


def _byte(character: str, codec: str) -> bytes:
    return character.encode("latin-1" if "\x80" <= character <= "\x9f" else codec)


def _meant(control: str) -> str:
    return control.encode("latin-1").decode("windows-1252", "ignore")


def _may_have_many_marks(text: str) -> bool:
    """May there be MOST_MARKS in a row? Then one of every MOST_MARKS characters is a mark."""
    if len(text) <= SHORT or text.isascii():
        return False
    return any(map(unicodedata.combining, text[::MOST_MARKS])) or any(vowel in text for vowel in _TIBETAN)


def _with_few_marks(signs: re.Match[str]) -> str:
    """These signs with at most MOST_MARKS marks in a row."""
    if not any(sign in _TIBETAN or unicodedata.combining(sign) for sign in signs[0]):
        return signs[0]  # a line of dashes, mostly
    kept, marks = [], 0
    for sign in signs[0]:
        marks = marks + 1 if unicodedata.combining(sign) or sign in _TIBETAN else 0
        if marks <= MOST_MARKS:
            kept.append(sign)
    return "".join(kept)
