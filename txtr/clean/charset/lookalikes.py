"""Lookalikes: character sets that differ in few letters only, windows-1250 and ISO-8859-2 above all.

Statistics of languages cannot tell such a pair apart, since most letters of a text are the same in both sets.
Only the few bytes that differ can. Each such byte is read in both sets, and the set wins in which more of
them are letters at places where letters stand. ISO-8859-2 has control characters where windows-1250 has š and
ž; windows-1250 has signs (± ¶ » ©) where ISO-8859-2 has ą ś ť Š.

Three bytes are letters in both. B9 is š or ą: Polish alone has ą, and shows itself by ł ż ę ń. BE is
ž or ľ, BC is ź or Ľ: Czech has no ľ, and Slovak has none before e and i.
"""

import re

MARGIN = 1  # pieces of evidence by which ISO must lead, to overrule a page that declares a set of Windows

_SHARED = rb"A-Za-z\xa3\xaa\xaf\xb3\xba\xbf-\xd6\xd8-\xf6\xf8-\xfe"  # letters in both
_SMALL = rb"a-z\xb3\xba\xbf\xdf-\xf6\xf8-\xfe"
_CARONS_1250 = re.compile(rb"[\x8a\x8c-\x8f\x9a\x9c-\x9f]")  # Š Ś Ť Ž Ź š ś ť ž ź
_IN_WORDS_8859_2 = re.compile(  # ą ľ ś ź, ť within, ť at the end, Ą Ś Š Ź Ž ś ź at the beginning of a word
    rb"(?<=[%(shared)b])[\xb1\xb5\xb6\xbc]|(?<=[%(small)b])\xbb(?=[%(small)b])"
    rb"|(?<![%(shared)b\xb1\xb9\xbe])[\xa1\xa6\xa9\xac\xae\xb6\xbc](?=[%(small)b])"
    % {b"shared": _SHARED, b"small": _SMALL}
)
_LAST_IN_WORDS_8859_2 = re.compile(rb"(?<=[%b])\xbb(?![%b])" % (_SMALL, _SHARED))  # ť, or a closing quote
_POLISH = re.compile(rb"[\xb3\xbf\xea\xf1]")  # ł ż ę ń
_NOT_POLISH = re.compile(rb"[\xe1\xe8\xec\xed\xf8\xfd]")  # á č ě í ř ý
_CZECH = re.compile(rb"[\xec\xf8\xf9]")  # ě ř ů
_Z_CARON = re.compile(rb"\xbe(?=[ei\xed\xe9])|(?<=[ua])\xbe(?![%b])" % _SHARED)
_L_CARON = re.compile(rb"\xbe(?=[ou])|(?<=[oe])\xbe(?=[kmsv])|(?<=te)\xbe|(?<=[vhp])\xbe")

_GREEK_1253 = re.compile(rb"[\x80-\x9f]|(?<![\xb8-\xfe])\xa2(?=[\xdc-\xfe])")  # quotes and dashes; Ά
_GREEK_8859_7 = re.compile(rb"(?<![\xb8-\xfe])\xb6(?=[\xdc-\xfe])|(?<=[\xdc-\xfe])\xa2")  # Ά; an apostrophe


def choose_lookalike(charset: str, sample: bytes, margin: int = 0) -> str:
    """This set or its lookalike, by the letters of the sample; ISO must lead by more than this margin."""
    for (windows, iso), evidence in _PAIRS.items():
        if charset in (windows, iso):
            for_windows, for_iso = evidence(sample)
            if for_windows > for_iso:
                return windows
            return iso if for_iso > for_windows + margin else charset
    return charset


def _central_european(sample: bytes) -> tuple[int, int]:
    """How much speaks for windows-1250, and how much for ISO-8859-2."""
    windows, iso = len(_CARONS_1250.findall(sample)), len(_IN_WORDS_8859_2.findall(sample))
    if b"\xab" not in sample:  # an opening quote, without which there are no closing ones
        iso += len(_LAST_IN_WORDS_8859_2.findall(sample))
    if len(_POLISH.findall(sample)) > len(_NOT_POLISH.findall(sample)):
        return windows + sample.count(b"\xb9"), iso
    if _CZECH.search(sample):
        return windows, iso + sample.count(b"\xb9") + sample.count(b"\xbe")
    iso += sample.count(b"\xb9") + len(_Z_CARON.findall(sample))
    return windows + len(_L_CARON.findall(sample)), iso


def _greek(sample: bytes) -> tuple[int, int]:
    """How much speaks for windows-1253, and how much for ISO-8859-7."""
    return len(_GREEK_1253.findall(sample)), len(_GREEK_8859_7.findall(sample))


_PAIRS = {("windows-1250", "iso-8859-2"): _central_european, ("windows-1253", "iso-8859-7"): _greek}
