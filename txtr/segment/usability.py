"""Usability: the number a segmenter gives a text, and the judge we ship until there is one.

A judge promises: any text in, a number from 0 (useless) to 1 (what the corpus is for) out, the same
number for the same text, nothing but the text considered, and no exception. Zero has a meaning of
its own: links are not followed from the second useless document in a row (spec 4). So a judge gives
zero only when it is sure.

Ours is sure of nothing but that a text without a single letter is no language.
"""


def judge(text: str) -> float:
    """1.0 if there is any letter in the text, else 0.0."""
    return 1.0 if any(map(str.isalpha, text)) else 0.0
