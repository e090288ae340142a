"""Splitting: a paragraph becomes its sentences.

Invariant: the sentences are the paragraph, in order; only the white space between sentences is lost. Marks
alone (a spaced ellipsis, a bracket) are no sentence.

One regular expression finds every mark that may end a sentence. Words are looked at only around such marks,
so most of a text is read at the speed of the expression. The text after a mark decides first: a small letter
begins no sentence. Then the text before the mark decides: an initial, the number of a list's item, a date, an
abbreviation of abbreviations.txt. The declared language of a page is only a hint, since templates lie about
it. It adds abbreviations that are ordinary words in other languages, and takes away only the few that are
ordinary words in that very language.

The plainest of these rules are also in native/src/sentences.c, which leaves all other lines to this module.
"""

import re
from collections import defaultdict
from functools import cache

from txtr.data import table

_CLOSING = r"\"'”“’»«›‹)\]"
_NOTES = r"(?:\[\d{1,3}\])*+"  # notes of an encyclopedia belong to the sentence before them
_ENDS, _WIDE_ENDS = ".!?…;।॥؟۔։።။។", "。！？｡"
MARKS = f"{_ENDS}{_WIDE_ENDS}．"  # a paragraph without one of these inside is one sentence
_STOPS = rf"[{_ENDS}](?<![.!?…][.!?…])[.!?…]*+"  # from the first mark of a row: else "....." is tried n times
_FRENCH = r"(?:\s[»›](?=\s|$))?+"  # closing marks, since a blank follows as well
_STOP = re.compile(rf"{_STOPS}[{_CLOSING}]*+{_NOTES}{_FRENCH}\s+")
_MORE = re.compile(rf"[.!?][{_CLOSING}]*+(?:\s|$)")  # the next dot of an ellipsis with blanks inside
# Chinese and Japanese put no blanks between sentences, and may close a bracket or a quotation between two
# stops （何呢？）。 A sentence goes on in three cases (then the group matches, and the search goes on behind
# it): before a comma; before と, which says whose words were quoted; and before 说 soon after a question or a
# shout (but 说 before a colon says whose words follow). Some typists use the marks of English; these count
# only between two wide characters.
_WIDE = "\u3040-\u30ff\u3400-\u9fff"
_SAID = r"[\u3400-\u9fff]{1,6}?[说說道问問答喊][，。,]"  # 村长说，
_GOES_ON = rf"((?<=[」』])(?=\s*(?:と|って))|(?<=[！？!?][”」』])(?={_SAID})|(?=\s*[，、；：,]))"
_WIDE_CLOSING = r"\"'”’」』）》〉】)\]"
_WIDE_STOPS = (
    rf"(?:[{_WIDE_ENDS}]|．(?!\d))(?:[…{_WIDE_CLOSING}]|\s*[。！？｡”’」』）》〉】])*+(?:{_GOES_ON}|\s*)"
)
_NARROW = (
    rf"[!?…](?<=[{_WIDE}].)(?:(?<=…)…++|(?<!…)[!?]*+)[{_WIDE_CLOSING}]*+"
    rf"(?:{_GOES_ON}|\s*+(?=[{_WIDE}“‘「『《]))"
)
_NARROW_STOP = re.compile(_NARROW)
_OPENING = re.compile(r"[\"'„“”‚‘’»«›‹(\[{¿¡‐-―−-]+\s?[\"'„“‚‘»«›‹(\[¿¡]*")  # before a sentence's first word
_FEW_DIGITS = 2  # a longer number is no day and hardly an ordinal: a sentence may end after it
_SHORT = 7  # characters of an abbreviation that is not in the list, with a bracket before it
_LONG = 20  # characters before a full stop that are looked at
_MARKS = 12  # characters; so few without a letter or a digit are no sentence: “. . .  :-)  ?!
_QUOTATION = 2000  # characters of a quotation, at most
# Words before a letter that is no initial, in many languages: vitamin C, typ B, Klasse A, plan B.
_LETTERED = re.compile(
    r"(?:vit[aá]m[ií]|t[yi]p|skup|gr[uo]u?p|tříd|tried|[ck]las|pl[aá]n|hepatit|[ck]ateg|písm|liter|bod)\w*\s$",
    re.IGNORECASE,
)
_MONTHS = re.compile("Jan|Feb|Mär|April|Mai|Jun|Jul|Aug|Sept|Okt|Nov|Dez")  # German, after "5."
_NOUNS_WITH_CAPITALS = ("de", "lb")  # languages with "der 2. Weltkrieg"
# A text that is a word of no language is an abbreviation: up to four letters without a vowel (Dhr., Pvz.,
# kb.), unless r or l makes a syllable (vlk, krk, трг), or letters with full stops between them (o.a.,
# f.eks.).
_CONSONANTS = "bcdfghjkmnpqstvwxzçčćďłňńñřśšşťţțżźžđģķļņбвгджзкмнпстфхцчшщђљњћџβγδζθκμνξπστφχψ"
_VOWELLESS = re.compile(
    rf"(?!h?m+$|ps+t$|kč$|zł$|[kcm]m$|kg$)[{_CONSONANTS}]{{1,3}}[{_CONSONANTS}rlрлρλ]", re.IGNORECASE
)
_FEW_LETTERS = 4
_LETTER = re.compile(r"[^\W\d_]\.")
_DOTTED = re.compile(r"[^\W\d_](?:\.[^\W\d_]{1,3})+")
_ENGLISH = re.compile(  # after U.S., which ends many sentences
    "(?:A|An|And|As|At|But|For|He|However|I|If|In|It|On|She|That|The|There|These|They|This|We|When|While) "
)
_GERMAN = re.compile(  # after a number, where German has ordinals before nouns
    "(?:Aber|Als|Am|Auch|Bei|Da|Dann|Das|Dem|Den|Der|Die|Doch|Dort|Ein|Eine|Er|Es|Hier|Ich|Im|In|Man|Mit|Nach"
    "|Sie|Und|Wenn|Wir) "
)
_STREET = "str"  # Goethestr. 12
_PLACES = ("г", "с")  # Russian: after a number, year or page; before a name, a town or a village
_UNITS = ("ks", "см")  # after a number, pieces or centimetres; else a Polish priest, or Russian "see"
_SQUARE = "nám"  # Czech and Slovak: a square, and as often "to us", though not after the words below
_BEFORE_SQUARE = re.compile(
    r"(?:(?<!\w)(?:na|z|zo|ze|u|od|do|přes|cez|po|pod|při|pri|o|v)|,)\s$", re.IGNORECASE
)
_HOURS = ("a.m", "p.m")  # 4 a.m. Sunday, 5 p.m. EST
_WHEN = re.compile(
    r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|June|July|August|September"
    r"|October|November|December|Eastern|Central|Mountain|Pacific|[ECMP][SD]?T|GMT|UTC|BST|CET)\b"
)
_OTHERS = "др"  # Russian, after "и": others; Serbian: a doctor
_FIRM = re.compile("(?:Inc|Corp|Ltd|LLC|GmbH)\\b")  # Yahoo! Inc.
_GEORGIAN = "\u10d0", "\u10ff"  # letters that Unicode calls small begin sentences


def sentences(paragraph: str, language: str = "") -> list[str]:
    """The sentences of a paragraph; language is what the page declares, such as cs or pt-BR, or ''."""
    known = _KNOWN.get(language[:2].lower(), _KNOWN[""])
    found: list[str] = []
    start, length = 0, len(paragraph)
    for stop in _stops(paragraph).finditer(paragraph):
        at, end = stop.span()
        if end == length:
            break
        after = paragraph[end]
        if not after.isupper():
            if not after.islower():
                if after in ".!?" and _MORE.match(paragraph, end):
                    continue  # the last dot of an ellipsis decides
                if after == '"' and _is_closing(paragraph, end):
                    end += 2
                after = _first(paragraph, end)
            if after.islower() and not _GEORGIAN[0] <= after <= _GEORGIAN[1]:
                continue
        mark = paragraph[at]
        if mark == "." and (paragraph[at + 1] == " " or paragraph[at + 1].isspace()):
            before = at - _LONG if at - _LONG > start else start
            word = paragraph[before:at].rpartition(" ")[2]
            # The first conditions are there for speed: most words need no others.
            if (
                word in known
                or not word.isalpha()
                or word.endswith(_STREET)
                or (len(word) <= _FEW_LETTERS and (len(word) == 1 or _VOWELLESS.fullmatch(word)))
            ) and _is_inside(paragraph, start, at, end, after, word, known):
                continue
        elif (
            stop.lastindex
            or (mark == ";" and not _is_greek(paragraph[at - 1], after))
            or (mark == "!" and _FIRM.match(paragraph, end))
        ):
            continue
        if end - start <= _MARKS and not _has_words(paragraph[start:end]):
            continue
        found.append(paragraph[start:end].strip())
        start = end
    rest = paragraph[start:].strip()
    if len(rest) <= _MARKS and rest and found and not _has_words(rest):
        return [*found[:-1], f"{found[-1]} {rest}"]
    return [*found, rest] if rest else found


def _has_words(text: str) -> bool:
    return any(map(str.isalnum, text))


def _stops(paragraph: str) -> re.Pattern[str]:
    is_wide = "。" in paragraph or "！" in paragraph or "？" in paragraph or "．" in paragraph
    if (
        not is_wide
        and not paragraph.isascii()
        and ("?" in paragraph or "!" in paragraph or "……" in paragraph)
    ):
        is_wide = _NARROW_STOP.search(paragraph) is not None
    return _wide_stop() if is_wide else _STOP


@cache
def _wide_stop() -> re.Pattern[str]:
    """The expression for wide stops, made when a page needs it: 6 ms, a fiftieth of a harvester's start."""
    return re.compile(rf"{_STOP.pattern}|{_WIDE_STOPS}|{_NARROW}")


def _is_closing(text: str, at: int) -> bool:
    """Does this quote between blanks end a quotation? Then the quote belongs to the sentence before it."""
    return text[at + 1 : at + 2].isspace() and text.count('"', max(0, at - _QUOTATION), at) % 2 == 1


def _first(text: str, at: int) -> str:
    """The first character of a sentence that would begin here, after quotes, dashes and brackets."""
    opening = _OPENING.match(text, at)
    at = opening.end() if opening else at
    return text[at : at + 1]


def _is_greek(before: str, after: str) -> bool:
    """Is this semicolon a Greek question mark?"""
    return ("\u0370" <= before <= "\u03ff" or "\u1f00" <= before <= "\u1fff") and after.isupper()


def _is_inside(
    text: str, start: int, at: int, end: int, after: str, word: str, known: dict[str, bool]
) -> bool:
    """Does this full stop, which a capital, a number or a sign follows, belong to the word before it?"""
    begin = at - len(word)
    if word[0:1] == "(" and len(word) <= _SHORT and word[1:].isalpha():
        return True  # (lat. Zeno), (ed. Smith)
    word = word.lstrip("([{„“\"'»«‚‘-–—/")
    is_before_number = after.isdigit() or after == "§"
    if word.isdigit():
        is_item = begin == start or text[begin - 2] == ":"
        is_noun = _NOUNS in known and not _GERMAN.match(text, end)
        is_ordinal = is_before_number or is_noun or _MONTHS.match(text, end)
        return is_item or bool(len(word) <= _FEW_DIGITS and is_ordinal)
    before = text[begin - 2] if begin > 1 else ""
    is_after_number = before.isdigit()
    if len(word) == 1 and word.isupper() and not is_after_number:
        return not (before.islower() and _LETTERED.search(text, max(start, begin - _LONG), begin))
    if word in _PLACES:
        return not is_after_number
    if word == _OTHERS and before == "и":
        return is_before_number
    if word.endswith(_STREET) and word not in known:
        return is_before_number
    if word == _SQUARE:
        return is_before_number or bool(_BEFORE_SQUARE.search(text, max(start, begin - _LONG), begin))
    if word.endswith(_HOURS):
        return is_before_number or bool(_WHEN.match(text, end))
    if ".-" in word:
        return True  # J.-P. Sartre, Dipl.-Kfm. Meier
    if _is_initials(word):
        return not _ENGLISH.match(text, end)
    is_known = known.get(text[begin - 3 : begin - 1] + word) if before == "." else None  # т. д. is т.д.
    if is_known is None:
        is_known = known.get(word)
    if is_known is None:
        is_known = known.get(word.rpartition(".")[2])
    if is_known is None:
        return _is_shortened(text, end, word, is_after_number)
    return is_before_number or (is_known and not (is_after_number and word in _UNITS))


def _is_shortened(text: str, end: int, word: str, is_after_number: bool) -> bool:
    """Does this word look like an abbreviation that is not in the list? After a number it is a unit."""
    if is_after_number or word.isupper():
        return False
    if len(word) == 1:
        return bool(_LETTER.match(text, end))  # z. B., o. a.
    return bool(_DOTTED.fullmatch(word) or (len(word) <= _FEW_LETTERS and _VOWELLESS.fullmatch(word)))


def _is_initials(word: str) -> bool:
    """Is this word like J.K in J.K. Rowling?"""
    return "." in word and all(len(part) == 1 and part.isupper() for part in word.split("."))


def _abbreviations() -> dict[str, dict[str, bool]]:
    """By language ('' for all): each word, and whether it may stand before other things than numbers."""
    read: dict[str, list[str]] = {}
    for line in table("clean/text/abbreviations.txt").splitlines():
        if line and not line.startswith("#"):
            name, *words = line.split()
            capitals = [] if name.endswith(_WORD) else [word[0].upper() + word[1:] for word in words]
            read[name] = words + capitals
    numbers = dict.fromkeys(read.pop("number"), False)
    common = numbers | {word: True for name, words in read.items() if "-" not in name for word in words}
    special: dict[str, dict[str, bool]] = defaultdict(dict)
    for name in sorted(read):  # cs-only before cs-word
        code, hyphen, _ = name.partition("-")
        if hyphen:
            special[code] |= dict.fromkeys(read[name], not name.endswith(_WORD))
    for code in _NOUNS_WITH_CAPITALS:
        special[code][_NOUNS] = True
    return {"": common} | {code: common | words for code, words in special.items()}


_WORD = "-word"
_NOUNS = "Nouns."  # marks the words of languages with capital nouns; it is no word, since it has a full stop
_KNOWN = _abbreviations()
ABBREVIATIONS = frozenset().union(*_KNOWN.values())  # of any language
