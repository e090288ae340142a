"""Language: which language is a passage written in?

Invariant: every text has one answer: a code of two or three letters (ISO 639, as web pages write it), or ''
when the text is too short or too strange for a sure answer.

The library is CLD2 with its model inside. Of the libraries in docs/decisions/0003 it is the fastest and
smallest, and the surest for neighbours such as Czech and Slovak. CLD2 refuses control characters, which do
not matter here, so a text that has any is tried again without them.
"""

from functools import lru_cache

import pycld2

from txtr.errors import UserMistake

# Codes that CLD2 or web pages write, with our code for the same language.
SAME = {"iw": "he", "jw": "jv", "in": "id", "mo": "ro", "nb": "no", "tl": "fil", "cmn": "zh"}


@lru_cache(maxsize=1024)
def canonical(code: str) -> str:
    """cs for cs-CZ, CS or cs_CZ; '' for nothing."""
    primary = code.replace("_", "-").partition("-")[0].strip().lower()
    return SAME.get(primary, primary)


_DETECTED = frozenset(pycld2.DETECTED_LANGUAGES)
KNOWN = frozenset(
    canonical(code) for name, code in pycld2.LANGUAGES if name in _DETECTED and not name.startswith("X_")
)


# Codes that people write by mistake, with our codes: codes of countries, and longer codes of languages.
_MEANT = """
    al sq  at de  au en  by be  cn zh  cz cs  dk da  ee et  ge ka  gr el  il he  ir fa  jp ja  kr ko  mx es
    pk ur  rs sr  tw zh  ua uk  us en  vn vi
    ces cs  cze cs  deu de  ger de  ell el  eng en  fra fr  hrv hr  hun hu  ita it  pol pl  rus ru  slk sk
    slv sl  spa es
"""
MEANT = dict(zip(_MEANT.split()[::2], _MEANT.split()[1::2], strict=True))


def identify(passage: str) -> str:
    """The language of a passage, '' when it is not sure."""
    try:
        is_sure, _, (first, *_) = pycld2.detect(passage, isPlainText=True)
    except (pycld2.error, UnicodeEncodeError):
        printable = "".join(sign if sign.isprintable() else " " for sign in passage)
        is_sure, _, (first, *_) = pycld2.detect(printable, isPlainText=True)
    code = canonical(first[1])
    return code if is_sure and code in KNOWN else ""  # CLD2 also names scripts, which are no languages


def parse_wanted(option: str) -> frozenset[str]:
    """The languages that --language names; a language that cannot be identified is a UserMistake."""
    codes = frozenset(map(canonical, filter(None, option.split(","))))
    for code in sorted(codes - KNOWN):
        meant = f"; did you mean {MEANT[code]}?" if code in MEANT else "; docs/segmenter.md lists the codes"
        raise UserMistake(f"--language={option}: no language {code} is known to the judge{meant}")
    return codes
