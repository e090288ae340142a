"""Elements: which elements of a page are seen, which end a sentence, and which lead elsewhere.

Invariant: an element that is not named here is seen, and ends no sentence.
"""

from collections.abc import Iterator

from txtr.data import table

_BLOCKS = """
    address article aside blockquote body br button caption center col colgroup dd details dialog dir
    div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr
    html isindex legend li listing main menu menuitem nav ol optgroup option p plaintext pre
    search section select summary table tbody td tfoot th thead tr ul xmp
"""
BLOCKS = frozenset(_BLOCKS.split())
PREFORMATTED = frozenset({"pre", "listing", "xmp", "plaintext"})

# No reader sees these as text. The content of noscript, noframes, iframe, audio and the like is for browsers
# that nobody has. A textarea is there to be written in, and mostly holds markup to be copied.
# Annotations of formulas are for programs (MathML Core hides them).
# The options of a select are seen, and stay: the segmenter judges short lines.
NOSCRIPT = "noscript"
_UNSEEN = """
    annotation annotation-xml audio canvas datalist iframe noembed noframes script style svg
    template textarea title video
"""
UNSEEN = frozenset(_UNSEEN.split()) | {NOSCRIPT}
LINK, RAISED, DIALOG = "a", "sup", "dialog"
ROOTS = frozenset({"html", "body"})  # if hidden, then only until a script shows them, which it does
_VOID = """
    area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr
"""
VOID = frozenset(_VOID.split())  # elements that have no end tag (HTML standard, "serializing HTML fragments")


ANCHOR = "a"
OTHERS = ("area", "base", "frame", "iframe", "link", "meta")
LONGEST_NAME = 40  # characters of a link's text, white space included, that may be the name of a language

KINDS = {  # of files without text: their extensions
    "pictures": "avif bmp cur eps gif heic ico jfif jpe jpeg jpg png psd svg svgz tif tiff webp wmf xcf",
    "moving pictures": "3gp asf avi flv m3u8 m4v mkv mov mp4 mpe mpeg mpg ogv swf ts vob webm wmv",
    "sounds": "aac aif aiff flac m3u m4a mid midi mp3 oga ogg opus pls ra ram wav wma",
    "archives": "7z arj bz2 cab dmg gz img iso jar lha lzh rar tar tbz tgz txz xz z zip zst",
    "what pages are made with": "css eot js json map mjs otf ttf wasm woff woff2",
    "programs": "apk bat bin class deb dll exe msi pkg rpm sh so sys",
    "data": "accdb dwg dxf gpx ics kml kmz mdb shp sqlite torrent vcf",
}
UNWANTED = frozenset(" ".join(KINDS.values()).split())


def _names(text: str) -> Iterator[tuple[str, str]]:
    """Each word of language_names.txt with the code of its language."""
    for line in text.splitlines():
        if line and not line.startswith("#"):
            code, *words = line.split()
            yield from ((word.replace("_", " "), code) for word in words)


LANGUAGES = dict(_names(table("clean/html/language_names.txt")))
