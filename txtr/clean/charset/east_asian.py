"""East Asian character sets, which can read each other's bytes.

Invariant: a declared set is exchanged only when the text, read in another set, has many of the commonest
characters of that set's language, and next to none of them when it is read in the declared set.

Nearly all bytes of a Japanese page in EUC-JP are good Shift_JIS, GBK, Big5 and EUC-KR as well, so that good
bytes prove nothing here. But every text has particles and pronouns. Seventeen or eighteen characters are a
third of a Japanese text, a quarter of a Korean one and a twelfth of a Chinese one. The same bytes, read in a
wrong set, hold none of these characters. (Measured on 133 pages. In the right set: at least 4 in 100
characters, but for one page with a single word. In a wrong set: at most 4.4 in 100, and then a seventh of the
share in the right set.)
"""

ENOUGH = 0.05  # share of common characters among the foreign ones: the text is in the language of its set
LEAST = 0.04  # the same share, in a set that replaces the declared one
CLEARLY = 4  # times the share in the declared set: what a set must have to replace that
FEWEST = 6  # common characters
GOOD_PER_BAD = 20  # foreign characters per bad one: a text with fewer is in another set
SAMPLE_BYTES = 16_384  # that are read in each set

_JAPANESE = "のにはたをがでてとしいるなもらすれ"
_COMMON = {
    "shift_jis": ("cp932", _JAPANESE),
    "euc-jp": ("euc-jp", _JAPANESE),
    "gbk": ("gb18030", "的一是了不在有人这中大国上个我们为会"),
    "big5": ("big5hkscs", "的一是了不在有人這中大國上個我們為會"),
    "euc-kr": ("cp949", "이다의는에가을를하고지기은로서도한"),
}
_SAME = {"gb18030": "gbk"}


def choose_east_asian(charset: str, sample: bytes) -> str:
    """The set of this text: the declared one, or another East Asian set."""
    declared = _SAME.get(charset, charset)
    if declared not in _COMMON:
        return charset
    sample = sample[:SAMPLE_BYTES]
    share, _ = _familiar(sample, declared)
    if share >= ENOUGH:
        return charset
    found = {other: _familiar(sample, other) for other in _COMMON if other != declared}
    best = max(found, key=found.__getitem__)
    other_share, count = found[best]
    is_other = count >= FEWEST and other_share >= max(LEAST, CLEARLY * share)
    return best if is_other else charset


def _familiar(sample: bytes, charset: str) -> tuple[float, int]:
    """The share of the common characters among those that are not ASCII, and their number."""
    codec, common = _COMMON[charset]
    text = sample.decode(codec, "replace")
    foreign = len(text) - len(text.encode("ascii", "ignore"))
    if not foreign or text.count("\ufffd") * GOOD_PER_BAD > foreign:
        return 0.0, 0
    count = sum(map(text.count, common))
    return count / foreign, count
