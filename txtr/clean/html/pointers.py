"""Pointers: the elements of a page that lead elsewhere, what they say, and the files that nobody follows."""

from collections.abc import Iterator

from txtr.data import table

ANCHOR = "a"
OTHERS = ("area", "base", "frame", "iframe", "link", "meta")
LONGEST_NAME = 40  # characters of a link's text, white space included, that may be the name of a language

KINDS = {  # of files that hold no text, by their extensions
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
    """The lines of language_names.txt: word -> code."""
    for line in text.splitlines():
        if line and not line.startswith("#"):
            code, *words = line.split()
            yield from ((word.replace("_", " "), code) for word in words)


LANGUAGES = dict(_names(table("clean/html/language_names.txt")))
