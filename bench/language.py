"""How surely is the wanted language recognised? Pages of at least 200 characters, Czech among its neighbours.

    python bench/language.py DATA      DATA holds sentences/, extraction/ and charset/, see its README

Czech, Slovak and Polish pages are joined from gold sentences; English, Croatian and Slovene ones are
paragraphs of the extraction sets and the charset samples, and sentences of bench/neighbours.txt. A page
counts as recognised when the shipped judge, with --language=cs, finds it usable at all.

November 2026, two cores: 240 Czech pages among 318 Slovak, 783 Polish, 3412 English, 37 Croatian and 21
Slovene ones: precision 1.000, recall 1.000; with all accents taken off 0.941 and 0.938, and the mistakes
are Slovak. 0.16 ms per page.
"""

import json
import sys
import tarfile
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from txtr import clock  # noqa: E402
from txtr.segment.usability import judge  # noqa: E402

WANTED = "cs"
SENTENCES = {"cs": "cs_cac", "sk": "sk_snk", "pl": "pl_pdb"}
SAMPLES = {"sl": "slovene", "hr": "croatian", "sk": "slovak", "pl": "polish"}
PAGE = 200  # characters, at least


def pages(lines: Iterable[str]) -> Iterator[str]:
    """Lines joined until they make a page."""
    page: list[str] = []
    for line in filter(None, map(str.strip, lines)):
        page.append(line)
        if sum(map(len, page)) >= PAGE:
            yield "\n".join(page)
            page = []


def gold(data: Path, scratch: Path) -> Iterator[tuple[str, str]]:
    """(language, page) of all that the data has in these six languages."""
    for language, name in SENTENCES.items():
        text = (data / f"sentences/{name}-ud-dev.txt").read_text("utf-8")
        yield from ((language, page) for page in pages(text.splitlines()))
    for archive in sorted((data / "extraction").glob("*.tar.zst")):
        unpack(archive, scratch)
    for meta in sorted(scratch.glob("*/meta.jsonl")):
        for about in map(json.loads, meta.read_text("utf-8").splitlines()):
            text = meta.parent / f"gold/{about['id']}.txt"
            if about["lang"] in ("en", "hr", "sl") and text.exists():
                first = pages(decoded(text.read_bytes()).splitlines())
                several = 1 if about["lang"] == "en" else None
                yield from ((about["lang"], page) for page in list(first)[:several])
    unpack(data / "charset/charset-dev.tar.zst", scratch)
    for language, name in SAMPLES.items():
        for path in sorted(scratch.glob(f"charset/*-{name}/*")):
            charset = path.parent.name.removesuffix(f"-{name}")
            text = path.read_text(charset, "replace")
            yield from ((language, page) for page in pages(text.splitlines()) if "<" not in page)
    written = (Path(__file__).parent / "neighbours.txt").read_text("utf-8")
    for part in written.split("# ")[1:]:
        language, *lines = part.splitlines()
        yield from ((language, page) for page in pages(lines))


def decoded(text: bytes) -> str:
    """Some of the gold is UTF-16 that was taken for something else."""
    if text.startswith("ÿþ".encode()):
        return text.decode("utf-8").encode("latin-1", "replace").decode("utf-16", "replace")
    return text.decode("utf-8")


def unpack(archive: Path, scratch: Path) -> None:
    from backports import zstd

    with zstd.open(archive) as stream, tarfile.open(fileobj=stream) as files:  # type: ignore[arg-type]
        files.extractall(scratch, filter="data")


def bare(text: str) -> str:
    """Without accents, as people write in a hurry."""
    parts = unicodedata.normalize("NFD", text)
    return "".join(part for part in parts if not unicodedata.combining(part))


def measure(name: str, found: list[tuple[str, str]]) -> None:
    begun = clock.processor()
    verdicts = [(language, judge(page, frozenset({WANTED}))) for language, page in found]
    took = clock.processor() - begun
    taken = Counter(language for language, verdict in verdicts if verdict.usability > 0)
    right, all_taken, all_wanted = taken[WANTED], taken.total(), sum(lang == WANTED for lang, _ in verdicts)
    print(f"{name}: precision {right / all_taken:.4f} recall {right / all_wanted:.4f}", end=" ")
    print(f"({took / len(found) * 1000:.2f} ms per page); taken for {WANTED}: {dict(taken)}")


def main(data: Path) -> None:
    with TemporaryDirectory() as scratch:
        found = list(gold(data, Path(scratch)))
    print("pages:", dict(Counter(language for language, _ in found)))
    measure("as written", found)
    measure("without accents", [(language, bare(page)) for language, page in found])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
