"""Files that are not HTML, made by hand: the smallest ones that a proper reader accepts.

Each file carries a sentence and a link, since the robot finds links in such files as well.
"""

import zipfile
from io import BytesIO

from txtr.demo.web import Answer

DOCX_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
DOCX_MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
EPOCH = (1980, 1, 1, 0, 0, 0)  # the oldest date a zip can hold: the same file every time


def pdf(sentence: str, link: str) -> Answer:
    """One page of PDF with a line of text (ASCII) and a link annotation."""
    drawing = f"BT /F1 14 Tf 72 720 Td ({sentence}) Tj ET".encode("ascii")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Annots [6 0 R]"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawing), drawing),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Type /Annot /Subtype /Link /Rect [72 710 400 740] /A << /S /URI /URI (%s) >> >>"
        % link.encode("ascii"),
    ]
    return _file("application/pdf", _pdf_file(objects))


def _pdf_file(objects: list[bytes]) -> bytes:
    """Objects, numbered from one, with the table of their offsets."""
    data, offsets = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size, start = len(objects) + 1, len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
    return data + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, start)


def rtf(sentence: str, link: str) -> Answer:
    """Rich text with one paragraph and one hyperlink field; letters beyond ASCII as \\uN escapes."""
    escaped = "".join(letter if ord(letter) < 128 else f"\\u{ord(letter)}?" for letter in sentence)
    field = rf'{{\field{{\*\fldinst HYPERLINK "{link}"}}{{\fldrslt odkaz}}}}'
    return _file("application/rtf", rf"{{\rtf1\ansi\ansicpg1250 {escaped}\par {field}\par}}".encode("ascii"))


def docx(sentence: str, link: str) -> Answer:
    """A word processor's document with one paragraph and one hyperlink."""
    held = BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in _docx_parts(sentence, link).items():
            package.writestr(zipfile.ZipInfo(name, EPOCH), '<?xml version="1.0"?>\n' + content)
    return _file(DOCX_TYPE, held.getvalue())


def _docx_parts(sentence: str, link: str) -> dict[str, str]:
    return {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
        f'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{DOCX_MAIN}"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{OFFICE}/hyperlink" Target="{link}" TargetMode="External"/>'
        "</Relationships>",
        "word/document.xml": f'<w:document xmlns:w="{WORD}" xmlns:r="{OFFICE}"><w:body>'
        f"<w:p><w:r><w:t>{sentence}</w:t></w:r></w:p>"
        '<w:p><w:hyperlink r:id="r1"><w:r><w:t>odkaz</w:t></w:r></w:hyperlink></w:p>'
        "</w:body></w:document>",
    }


def txt(sentence: str, link: str) -> Answer:
    """Plain text, with the address written out."""
    return _file("text/plain; charset=utf-8", f"{sentence}\nVíce na {link}\n".encode())


def _file(content_type: str, body: bytes) -> Answer:
    return Answer(200, {"Content-Type": content_type}, body)
