"""Visible: which elements of a page a reader sees as text, and which of them end a sentence.

Invariant: whatever is not named here is seen, and ends nothing.
"""

_BLOCKS = """
    address article aside blockquote body br button caption center col colgroup dd details dialog dir
    div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr
    html isindex legend li listing main menu menuitem nav ol optgroup option p plaintext pre
    search section select summary table tbody td tfoot th thead tr ul xmp
"""
BLOCKS = frozenset(_BLOCKS.split())
PREFORMATTED = frozenset({"pre", "listing", "xmp", "plaintext"})

# No reader sees these as text. noscript, noframes and what stands inside iframe, audio and their kin
# is for browsers that nobody has; a textarea is the reader's own paper and mostly holds markup to be copied.
# Annotations of formulas are for programs (MathML Core hides them).
# The options of a select are seen, and stay: short lines are not ours to judge.
NOSCRIPT = "noscript"
_UNSEEN = """
    annotation annotation-xml audio canvas datalist iframe noembed noframes script style svg
    template textarea title video
"""
UNSEEN = frozenset(_UNSEEN.split()) | {NOSCRIPT}
LINK, RAISED, DIALOG = "a", "sup", "dialog"
ROOTS = frozenset({"html", "body"})  # not hidden but until a script shows them, which it does
_VOID = """
    area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr
"""
VOID = frozenset(_VOID.split())  # elements that have no end tag (HTML standard, "serializing HTML fragments")
