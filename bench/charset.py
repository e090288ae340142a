"""How many pages are read in the right character set, and how fast?

    python bench/charset.py [--data=DIR]

The data's pages and texts lie in directories named after their character sets. Each is decoded as it is, and
once more with its declarations struck out, so that only the bytes speak. Right is what gives the same text as
the set of the directory.
Sets that Python cannot decode (EUC-TW) are counted as wrong.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from txtr.clean.charset.decode import decode  # noqa: E402

# What a name means on the web (WHATWG), and what Python calls it.
CODECS = {
    "big5": "big5hkscs",
    "cp949": "cp949",
    "euc-kr": "cp949",
    "gb2312": "gb18030",
    "ibm855": "cp855",
    "ibm866": "cp866",
    "iso-8859-1": "cp1252",
    "iso-8859-9": "cp1254",
    "maccyrillic": "mac-cyrillic",
    "macroman": "mac-roman",
    "shift_jis": "cp932",
    "tis-620": "cp874",
}
NAME = re.compile(r"((?:iso-8859|windows)-\d+)-[a-z]+$")  # the rest is the language
DECLARED = re.compile(rb"(charset|encoding)(\s*=\s*[\"']?\s*)[\w:.-]+", re.IGNORECASE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    archive = parser.parse_args().data / "charset" / "charset-dev.tar.zst"
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.check_call(["tar", "--zstd", "-xf", archive, "-C", scratch])
        files = sorted(path for path in Path(scratch).rglob("*") if path.is_file())
        for is_declared in (True, False):
            report(files, is_declared)


def report(files: list[Path], is_declared: bool) -> None:
    wrong: Counter[str] = Counter()
    size_bytes, took = 0, 0.0
    for path in files:
        data = path.read_bytes()
        if not is_declared and not path.parent.name.lower().startswith(("utf-16", "utf-32")):
            data = DECLARED.sub(rb"x\2y", data)
        began = time.process_time()
        text = decode(data).text
        took += time.process_time() - began
        size_bytes += len(data)
        if text != gold(path.parent.name, data):
            wrong[path.parent.name] += 1
    right = len(files) - wrong.total()
    print(f"{'as they are' if is_declared else 'undeclared':12} {right} of {len(files)} right", end=" ")
    print(f"({right / len(files):.1%}), {size_bytes / took / 1e6:.1f} MB/s; wrong: {dict(wrong) or 'none'}")


def gold(directory: str, data: bytes) -> str | None:
    name = directory.lower()
    found = NAME.match(name)
    name = found[1] if found else name
    try:
        return data.decode(CODECS.get(name, name), "replace").replace("\0", "").removeprefix("\ufeff")
    except LookupError:
        return None


if __name__ == "__main__":
    main()
