"""The bundled miniature web: what the demonstration promises to show."""

import gzip
import zipfile
from io import BytesIO
from urllib.parse import urljoin, urlsplit

import pytest
from lxml import html

from txtr.demo.sites import MISSING_DOMAIN, SITES, build
from txtr.demo.texts import LANGUAGES, write
from txtr.demo.web import Answer
from txtr.frontier.domains import ENOUGH_DOCUMENTS

PORT = 8642
WEB = build(PORT)


def sent(domain: str, path: str = "/") -> Answer:
    return WEB.hosts[domain].find(path)


def markup(answer: Answer) -> bytes:
    return gzip.decompress(answer.body) if "Content-Encoding" in answer.headers else answer.body


def test_the_web_has_a_few_dozen_hosts_on_several_addresses_and_hundreds_of_pages():
    """A bundled miniature web, a few dozen hosts on several addresses."""
    pages = sum(len(host.answers) for host in WEB.hosts.values())
    assert (len(WEB.hosts), len(WEB.addresses)) == (39, 9)
    assert 400 <= pages <= 700


def test_the_same_port_gives_the_same_web():
    """Whoever reports a difference between two demonstrations reports a bug."""
    assert build(PORT) == WEB


def test_every_language_of_the_demonstration_has_a_site():
    """Czech and other languages; Czech has the most."""
    spoken = [site.language for site in SITES]
    assert set(spoken) == set(LANGUAGES)
    assert spoken.count("cs") > len(spoken) / 2


def test_one_foreign_site_is_large_enough_to_be_abandoned():
    """So that --demo --language=cs shows what becomes of such a one."""
    foreign = [site.articles for site in SITES if site.language != "cs"]
    assert max(foreign) > ENOUGH_DOCUMENTS


def test_no_two_pages_say_the_same_unless_they_are_copies_on_purpose():
    """A robot that weeds out duplicates must not find any that we did not plant."""
    texts = [write(site.language, site.theme, f"{site.name}/{n}") for site in SITES for n in range(20)]
    assert len({text.paragraphs for text in texts}) == len(texts)


def test_every_host_can_be_reached_from_the_start_list_by_links():
    """A page that no link leads to would never be seen."""
    seen, waiting = set(), list(WEB.seeds)
    while waiting:
        url = waiting.pop()
        parts = urlsplit(url)
        if url in seen or parts.hostname not in WEB.hosts:
            continue
        seen.add(url)
        answer = sent(parts.hostname, parts.path)
        targets = [answer.headers["Location"]] if "Location" in answer.headers else []
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            targets += html.fromstring(markup(answer)).xpath("//a/@href")
        waiting += [urljoin(url, target) for target in targets]
    assert {urlsplit(url).hostname for url in seen} == set(WEB.hosts)


def test_the_hosts_file_and_start_list_name_what_the_web_has():
    """The robot needs nothing but these two files to find its way."""
    assert "127.42.0.1 knihovna.priklad.cz\n" in WEB.hosts_file()
    assert f"http://noviny.priklad.cz:{PORT}/\n" in WEB.start_list()
    assert MISSING_DOMAIN not in WEB.hosts_file()


def test_old_addresses_redirect_inside_elsewhere_and_in_a_circle():
    """Redirects."""
    assert sent("priklad.cz").headers["Location"] == f"http://www.priklad.cz:{PORT}/"
    assert sent("noviny.priklad.cz", "/nahodny").headers["Location"] == "/clanek-2.html"
    assert sent("noviny.priklad.cz", "/kolotoc-2").headers["Location"] == "/kolotoc"


def test_robots_files_come_in_all_kinds():
    """RFC 9309: 2xx, 3xx, 4xx and 5xx each mean something else."""
    statuses = {host.find("/robots.txt").status for host in WEB.hosts.values()}
    assert statuses == {200, 301, 404, 500}
    assert b"Crawl-delay" in sent("jizdnirady.priklad.cz", "/robots.txt").body


@pytest.mark.parametrize(
    ("domain", "charset", "header", "meta"),
    [
        ("kronika.priklad.cz", "windows-1250", True, True),
        ("archiv.priklad.cz", "iso-8859-2", True, False),
        ("hvezdarna.priklad.cz", "iso-8859-2", False, True),
        ("rybari.priklad.cz", "windows-1250", False, False),
    ],
)
def test_charsets_are_declared_in_the_header_or_in_the_page_or_not_at_all(domain, charset, header, meta):
    """Charset by BOM, HTTP header, meta, detection."""
    answer = sent(domain, "/clanek-1.html")
    assert "Další stránka" in answer.body.decode(charset)
    assert (charset in answer.headers["Content-Type"]) == header
    assert (charset.encode() in answer.body) == meta


def test_a_busy_host_answers_at_the_second_visit():
    """503 with Retry-After slows the domain down, and heals."""
    front = sent("pretizeny.priklad.cz")
    assert (front.at_time(0).status, front.at_time(0).headers["Retry-After"]) == (503, "1")
    assert front.at_time(1).status == 200


def test_the_files_that_are_not_html_hold_a_link_each():
    """Spec 3: the links in them are found and queued as well."""
    url = f"http://skola.priklad.cz:{PORT}/z-%s.html"
    files = {kind: sent("skola.priklad.cz", path).body for kind, path in FILES.items()}
    assert (url % "pdf").encode() in files["pdf"]
    assert (url % "rtf").encode() in files["rtf"]
    assert (url % "txt").encode() in files["txt"]
    package = zipfile.ZipFile(BytesIO(files["docx"]))
    assert (url % "docx").encode() in package.read("word/_rels/document.xml.rels")


FILES = {
    "pdf": "/soubory/zprava.pdf",
    "rtf": "/soubory/pozvanka.rtf",
    "docx": "/soubory/zapis.docx",
    "txt": "/soubory/poznamka.txt",
}
