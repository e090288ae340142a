"""Usability: the number that a segmenter gives a text, and the built-in judge.

A judge gives any text a number from 0 (useless) to 1 (what the corpus is for), the same number for the same
text, and raises nothing. Zero has a meaning of its own: links are not followed from the second useless
document in a row (spec 4). So a judge gives zero only when it is sure.

The built-in judge is sure of three things: a text without a letter, a text in another language than the
wanted ones, and filler (lorem ipsum). A text in a wanted language is never useless, however poor: a page that
only lists headlines is nothing for the corpus (--min-usability), but its links lead to pages that are.

The number grows with the amount of *prose*, that is, the letters in decent lines: lines in a wanted language
with sentences of decent length, mostly letters, not said before on the page. The number shrinks with
everything beside the prose (menus, lists, tables, other languages). A line is judged as it comes, be it a
sentence or a whole block. The language of a short line cannot be identified, so lines have the language of
their *passage*: one long line, the short lines of one paragraph, or a run of short paragraphs such as
headings.

Of a very long text the beginning is judged, and stands for the rest: five million lines would take ten
seconds and a gigabyte.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from txtr.segment.language import identify

TELLING = 60  # characters of a line whose language is identified alone: 99.5 % right (bench/language.py)
PASSAGE = 200  # characters of short lines whose language is identified together
FOREIGN = 0.2  # share of the letters; with less in wanted languages the page is foreign ...
SURE = 40  # letters below which a page is too short to be called foreign
PLENTY = 1000  # ... unless it has so many letters of wanted prose: a bilingual page
FRAGMENT = 0.25  # weight of letters outside sentences for that: menus and names say little of a language
MIXED = 0.9  # share of the letters; with less in wanted languages the page is called mixed
ENOUGH = 200  # letters of prose, about three sentences, that are worth half as much as endless prose
UNDILUTED = 0.4  # the part of the usability that remains when lists bury the prose
LEAST = 0.01  # of a text in a wanted language
WORDS = (4, 80)  # the fewest and the most words per sentence, on average, in a decent line
SHORTEST = 8  # characters of a line that can hold a sentence at all, even in Chinese
LETTERS = 0.6  # share of a decent line's visible characters
LONGEST_WORD = 20  # letters, on a line's average; longer words are codes, or a script without blanks
LONG_WORD = 8  # letters, on a line's average; in most languages they are shorter
LISTED = 0.3  # share of prose below which a page is list-like
REPEATED = 0.3  # share of letters in lines that were said before
STUFFED = 0.2  # share of one word among the longer ones; 9 % is usual for the main word of a real page
SPAM = 0.03  # share of SPAM_WORDS among the longer ones
COUNTABLE = 60  # longer words on a page before their shares mean anything
SPAM_FACTOR = 0.1
FILLED = 0.5  # share of the letters in lines of lorem ipsum that makes a page filler

JUDGED = 1_000_000  # characters at the beginning of a text that stand for all of it

# Many scripts have marks of their own: Arabic, Urdu, Hindi, Armenian, Amharic, Burmese, Khmer, Tibetan.
# The pattern begins with one set of signs: such a pattern is searched for several times as fast.
SENTENCE_END = re.compile(r"[.!?…。！？؟۔।॥։።။។།](?:[\"'»”“’)\]]*(?=\s|$)|(?<=[。！？]))")
UNMARKED = re.compile("[\u0e01-\u0eff]")  # Thai and Lao end a sentence with a blank, as a phrase too
SYLLABIC = re.compile(
    "[\u0e01-\u109f\u1780-\u17ff]"
)  # Thai to Burmese, Khmer: blanks are rare, words are long
SYLLABIC_WORD = 4  # letters, roughly
UNSPACED = re.compile("[\u3041-\u30ff\u3400-\u9fff]")  # Japanese and Chinese
UNSPACED_WORD = 2  # letters of Chinese and Japanese, roughly
USUAL_SENTENCE = 20  # words, where nothing marks the end of a sentence
# Vowel signs and the like: a third of the signs of Hindi, which isalpha() does not call letters. Marks from
# FE00 on only say how an emoji looks. Chinese, Hangul and private signs, most of Unicode, have no marks.
_MARKED = map(chr, (*range(0x300, 0x3400), *range(0xA000, 0xAC00), *range(0xFB00, 0xFE00)))
MARKS = re.compile(f"[{''.join(sign for sign in _MARKED if unicodedata.category(sign)[0] == 'M')}]")
LONGER_WORD = re.compile(r"[^\W\d_]{4,}")
LONGER = 4  # letters of such a word
NO_WORD = re.compile(r"[\W\d_]+")  # no letters; the rest may still have numerals, such as Ⅷ
# In bytes of UTF-8, signs are sorted out without looking at them one by one.
_ASCII_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
NO_PLAIN_LETTERS = bytes(sign for sign in range(256) if sign not in _ASCII_LETTERS + b"\n")
PLAIN = bytes(sign for sign in range(128) if sign != ord("\n"))
ONLY_LETTERS = bytes(sign if sign in _ASCII_LETTERS else 32 for sign in range(256))  # others become blanks
TYPOGRAPHY = "’‘“”„»«–—…\xa0"  # on many lines, the only signs that are not ASCII
_LOREM = """
    lorem ipsum dolor amet consectetur adipiscing adipisicing elit eiusmod tempor incididunt labore magna
    aliqua veniam nostrud exercitation ullamco laboris commodo consequat
"""
LOREM = frozenset(_LOREM.split())
LOREM_WORDS = 3  # different ones on a line: "dolor" alone is Spanish
_SPAM_WORDS = """
    blackjack casino casinos cialis escorts kasino kasina levitra payday poker porn porno roulette slots
    tadalafil tramadol viagra xanax
"""
SPAM_WORDS = frozenset(_SPAM_WORDS.split())


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a segmenter says of a text."""

    usability: float  # from 0 to 1
    reasons: tuple[str, ...] = ()  # what lowers the usability, a word each
    language: str = ""  # of most of the text; '' when it is not known
    kept: tuple[int, ...] | None = None  # the numbers of its good lines, from 0; None: all


@dataclass(slots=True)
class _Line:
    text: str
    letters: int
    language: str = ""
    is_filler: bool = False
    is_repeated: bool = False
    sentences: int = 0  # of decent length


def judge(text: str, wanted: frozenset[str] = frozenset(), paragraphs: Sequence[int] = ()) -> Judgement:
    """How usable is this text, when these languages are wanted? An empty set means any language.

    paragraphs: how many lines each paragraph has; without these numbers every line is a paragraph.
    """
    if len(text) > JUDGED:
        return _judge_beginning(text, wanted, paragraphs)
    lines = list(map(_Line, text.split("\n"), _letters(text)))
    total = _length(lines)
    if not total:
        return Judgement(0.0, ("no-letters",), kept=())
    if wanted:
        _identify(lines, paragraphs)
        language = _most(lines)
    else:
        language = _main_language(lines, paragraphs)
    lower = text.lower()
    _mark(lines, lower)
    ours = [line for line in lines if not line.is_filler and (not wanted or line.language in wanted)]
    kept = _good(lines, wanted)
    prose = _length([line for line in ours if line.sentences and not line.is_repeated])
    if _length([line for line in lines if line.is_filler]) > FILLED * total:
        useless = 0.0 if wanted else LEAST  # where any language is wanted, filler is poor, not useless
        return Judgement(useless, ("lorem-ipsum",), language, kept)
    if language and wanted and total >= SURE and _share(ours, lines) < FOREIGN and prose < PLENTY:
        return Judgement(0.0, (f"language={language}",), language, kept)
    spam = _spam([low for line, low in zip(lines, lower.split("\n"), strict=True) if line.sentences])
    usability = prose / (prose + ENOUGH) * (UNDILUTED + (1 - UNDILUTED) * prose / total)
    usability = max(LEAST, round(usability * (SPAM_FACTOR if spam else 1.0), 3))
    is_mixed = len(ours) < len(lines) and _share(ours, lines) < MIXED
    return Judgement(usability, (*_reasons(lines, language, is_mixed, prose, total), *spam), language, kept)


def _judge_beginning(text: str, wanted: frozenset[str], paragraphs: Sequence[int]) -> Judgement:
    """The judgement on the beginning of a long text; later lines are good if the beginning has any good."""
    cut = text.rfind("\n", 0, JUDGED)
    beginning = text[: cut if cut > 0 else JUDGED]
    judgement = judge(beginning, wanted, paragraphs)
    known, number = beginning.count("\n") + 1, text.count("\n") + 1
    rest = range(known, number) if judgement.usability > 0 else ()
    return replace(judgement, kept=(*(judgement.kept or ()), *rest))


def _letters(text: str) -> list[int]:
    """The number of letters, and of marks on letters, of each line."""
    data = text.encode("utf-8", "surrogatepass")
    plain = [len(letters) for letters in data.translate(None, NO_PLAIN_LETTERS).split(b"\n")]
    if text.isascii():
        return plain
    others = data.translate(None, PLAIN).decode("utf-8", "surrogatepass")
    letters = [
        number + _other_letters(signs) if signs else number
        for number, signs in zip(plain, others.split("\n"), strict=True)
    ]
    if not MARKS.search(others):
        return letters
    return [
        number and number + len(MARKS.findall(signs))
        for number, signs in zip(letters, others.split("\n"), strict=True)
    ]


def _other_letters(signs: str) -> int:
    words = NO_WORD.sub("", signs)
    return len(words) if words.isalpha() else sum(map(str.isalpha, words))


def _length(lines: Iterable[_Line]) -> int:
    """The number of letters on these lines."""
    return sum([line.letters for line in lines])


def _good(lines: list[_Line], wanted: frozenset[str]) -> tuple[int, ...]:
    """The numbers of the lines worth keeping on a mixed page: not known to be foreign, and no filler."""
    return tuple(
        [
            number
            for number, line in enumerate(lines)
            if not line.is_filler and (not wanted or not line.language or line.language in wanted)
        ]
    )


def _share(ours: Iterable[_Line], lines: Iterable[_Line]) -> float:
    """The share of our lines in the weight of all lines."""
    return sum(map(_weight, ours)) / sum(map(_weight, lines))


def _weight(line: _Line) -> float:
    return line.letters if line.sentences else line.letters * FRAGMENT


def _reasons(lines: list[_Line], language: str, is_mixed: bool, prose: int, total: int) -> Iterator[str]:
    """The reasons that lower the usability."""
    if not language:
        yield "language-unknown"
    elif is_mixed:
        yield "mixed"
    if not prose:
        yield "no-sentences"
    elif prose < ENOUGH:
        yield "short"
    if prose < LISTED * total:
        yield "list-like"
    if _length(line for line in lines if line.is_repeated) > REPEATED * total:
        yield "repeated-lines"


# Languages, passage by passage


def _identify(lines: list[_Line], paragraphs: Sequence[int]) -> None:
    """Give every line the language of its passage, or, where that has none, of its neighbours."""
    for passage in _passages(_paragraphs(lines, paragraphs)):
        _tell(passage)
    _follow(lines)


def _tell(passage: list[_Line]) -> str:
    language = identify("\n".join([line.text for line in passage]))
    for line in passage:
        line.language = language
    return language


def _follow(lines: list[_Line]) -> None:
    known = next((line.language for line in lines if line.language), "")
    for line in lines:
        known = line.language = line.language or known


def _main_language(lines: list[_Line], paragraphs: Sequence[int]) -> str:
    """The language of most of the text, where the language of each line is not needed.

    The result is the same as from all passages, but it is known as soon as no other language can overtake.
    """
    letters: Counter[str] = Counter()
    undecided = _length(lines)
    passages = [(_length(passage), passage) for passage in _passages(_paragraphs(lines, paragraphs))]
    for told, passage in sorted(passages, key=itemgetter(0), reverse=True):
        language = _tell(passage)
        if language:
            letters[language] += told
            undecided -= told
            others = max((letters[other] for other in letters if other != language), default=0)
            if letters[language] > others + undecided:
                return language
    _follow(lines)
    return _most(lines)


def _paragraphs(lines: list[_Line], counts: Sequence[int]) -> Iterator[list[_Line]]:
    """The lines, by paragraphs; each line that no paragraph counts is a paragraph."""
    begin = 0
    for count in counts:
        yield lines[begin : begin + count]
        begin += count
    for line in lines[begin:]:
        yield [line]


def _passages(paragraphs: Iterable[list[_Line]]) -> Iterator[list[_Line]]:
    """Passages: lines identified together; a short sentence shows no language, but its paragraph does."""
    run: list[_Line] = []
    length = 0
    for paragraph in paragraphs:
        if len(paragraph) == 1 and len(paragraph[0].text) >= TELLING:
            yield paragraph
            continue
        long = [line for line in paragraph if len(line.text) >= TELLING]
        short = [line for line in paragraph if len(line.text) < TELLING]
        yield from ([line] for line in long[1:])
        if len(paragraph) > 1 and sum(len(line.text) for line in short) >= TELLING:
            yield short
            short = []
        if long:
            yield [long[0], *short]
            continue
        run += short
        length += sum(len(line.text) for line in short)
        if length >= PASSAGE:
            yield run
            run, length = [], 0
    if run:
        yield run


def _most(lines: list[_Line]) -> str:
    """The language that has most of the letters."""
    letters: Counter[str] = Counter()
    for line in lines:
        letters[line.language] += line.letters
    return max(letters, key=lambda language: letters[language])


# Decency, line by line


def _mark(lines: list[_Line], lower: str) -> None:
    said: set[str] = set()
    for line in lines:
        line.is_repeated = line.text in said
        said.add(line.text)
        line.sentences = _decent_sentences(line)
    if "lorem" in lower or "ipsum" in lower:
        for line, low in zip(lines, lower.split("\n"), strict=True):
            line.is_filler = _is_lorem(low)


def _is_lorem(lower: str) -> bool:
    return len(LOREM.intersection(LONGER_WORD.findall(lower))) >= LOREM_WORDS


def _decent_sentences(line: _Line) -> int:
    """The number of sentences of decent length on the line; 0 if the line is not decent."""
    blanks = line.text.count(" ")
    if len(line.text) < SHORTEST or line.letters < LETTERS * (len(line.text) - blanks):
        return 0
    words = _words(line, blanks)
    if words < WORDS[0]:
        return 0
    sentences = len(SENTENCE_END.findall(line.text))
    if not sentences and not line.text.isascii() and UNMARKED.search(line.text):
        sentences = -(-words // USUAL_SENTENCE)
    return sentences if sentences and WORDS[0] <= words / sentences <= WORDS[1] else 0


def _words(line: _Line, blanks: int) -> int:
    """The number of words on the line, estimated where words have no blanks between them."""
    if not line.text.isascii() and SYLLABIC.search(line.text):
        return line.letters // SYLLABIC_WORD
    is_spaced = line.letters <= LONGEST_WORD * (blanks + 1)
    if is_spaced and (line.letters < LONG_WORD * (blanks + 1) or not UNSPACED.search(line.text)):
        return blanks + 1
    return 0 if line.text.isascii() else line.letters // UNSPACED_WORD  # long words of ASCII are codes


def _spam(lower_lines: list[str]) -> tuple[str, ...]:
    """Signs of spam: one word again and again, or the words of those who sell by mail."""
    words = Counter(_longer_words(lower_lines))
    number = words.total()
    if number < COUNTABLE:
        return ()
    is_stuffed = max(words.values()) > STUFFED * number
    is_spam = sum([words[word] for word in SPAM_WORDS & words.keys()]) > SPAM * number
    return ("stuffed",) * is_stuffed + ("spam",) * is_spam


def _longer_words(lower_lines: list[str]) -> list[str]:
    """The words that LONGER_WORD finds on these lines; plain lines have a faster way."""
    text = "\n".join(lower_lines)
    for sign in TYPOGRAPHY:
        text = text.replace(sign, " ")
    lines = text.split("\n")
    plain = " ".join([line for line in lines if line.isascii()]).encode().translate(ONLY_LETTERS)
    words = [word for word in plain.decode().split() if len(word) >= LONGER]
    return words + LONGER_WORD.findall("\n".join([line for line in lines if not line.isascii()]))
