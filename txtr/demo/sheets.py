"""A sheet: one HTML page of the miniature web before it is written out.

Sheets are drafts and change: a site lays them out, and its quirks then change the charset, spoil the markup
or add links. At the end each sheet becomes an answer.
"""

import gzip
from dataclasses import dataclass, field, replace
from html import escape

from txtr.demo.texts import LANGUAGES, Text
from txtr.demo.web import Answer

Anchor = tuple[str, str]  # where to, and the words


@dataclass(slots=True)
class Sheet:
    """The content of a page, and how it is to be sent."""

    language: str
    text: Text
    menu: list[Anchor] = field(default_factory=list)
    links: list[Anchor] = field(default_factory=list)  # below the text
    head: list[str] = field(default_factory=list)  # more markup for <head>
    extra: list[str] = field(default_factory=list)  # more markup after the text
    headers: dict[str, str] = field(default_factory=dict)
    charset: str = "utf-8"
    in_header: bool = True  # is the charset in the Content-Type?
    in_meta: bool = True  # is the charset in <meta charset>?
    is_broken: bool = False  # tags left open, crossed, misspelt
    is_gzipped: bool = False


def write_answer(sheet: Sheet) -> Answer:
    """The sheet as a server sends it."""
    markup = (_broken if sheet.is_broken else _tidy)(sheet)
    content_type = "text/html" + (f"; charset={sheet.charset}" if sheet.in_header else "")
    body = markup.encode(sheet.charset, "xmlcharrefreplace")
    sent = Answer(200, {"Content-Type": content_type} | sheet.headers, body)
    return gzip_answer(sent) if sheet.is_gzipped else sent


def gzip_answer(sent: Answer) -> Answer:
    """The same answer, compressed; no time stamp, so that it is the same every time."""
    headers = dict(sent.headers) | {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return replace(sent, headers=headers, body=gzip.compress(sent.body, mtime=0))


def _tidy(sheet: Sheet) -> str:
    first, *others = sheet.text.paragraphs
    body = [
        f"<ul class=menu>{''.join(f'<li>{_link(anchor)}</li>' for anchor in sheet.menu)}</ul>",
        f"<h1>{escape(sheet.text.title)}</h1>",
        f"<p><strong>{escape(first[:1])}</strong>{escape(first[1:])}</p>",
        *(f"<p>{escape(paragraph)}</p>" for paragraph in others),
        *sheet.extra,
        f"<table><tr>{''.join(f'<td>{_link(anchor)}</td>' for anchor in sheet.links)}</tr></table>",
        "<!-- konec --><script>var menu = '<p>not a text</p>';</script>",
        f"<div id=footer>{_footer(sheet)}</div>",
    ]
    return f"<!DOCTYPE html>\n{_head(sheet)}<body>\n" + "\n".join(body) + "\n</body>\n</html>\n"


def _broken(sheet: Sheet) -> str:
    """The markup of many hand-made pages: nothing closed, quotes missing, tags crossed."""
    paragraphs = "\n<P>".join(
        f"<b><i>{escape(paragraph[:9])}</b></i>{escape(paragraph[9:])}" for paragraph in sheet.text.paragraphs
    )
    menu = "<li>".join(f"<A HREF={anchor[0]}>{anchor[1]}" for anchor in sheet.menu)
    links = "<br>".join(_link(anchor) for anchor in sheet.links)
    return (
        f"{_head(sheet)}<BODY bgcolor=white text=#000'><center><h1>{sheet.text.title}</h2>\n<ul><li>{menu}\n"
        f"<table><tr><td>\n<P>{paragraphs} & <nesmysl>\n<p>{''.join(sheet.extra)}{links}</td>\n"
        f"<!-- nedokončená poznámka -- >\n--><font size=+1>{_footer(sheet)}</center"
    )


def _head(sheet: Sheet) -> str:
    meta = f"<meta charset={sheet.charset}>" if sheet.in_meta else ""
    style = "<style>p { margin: 1em }</style>"
    return (
        f'<html lang="{sheet.language}"><head>{meta}<title>{escape(sheet.text.title)}</title>'
        f"{style}{''.join(sheet.head)}</head>\n"
    )


def _link(anchor: Anchor) -> str:
    return f'<a href="{escape(anchor[0])}">{escape(anchor[1])}</a>'


def _footer(sheet: Sheet) -> str:
    return escape(LANGUAGES[sheet.language].footer)
