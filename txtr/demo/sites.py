"""The sites of the demonstration: a few dozen hosts on nine loopback addresses.

Invariant: the same port gives the same web, byte for byte.

All sites are laid out by one rule: a front page lists the pages, and each page links to the next one and to a
few other sites. Then the *quirks* of a site change its draft: they are functions that make it differ from the
textbook as real sites do. The table SITES at the end says where each site lives, in which language, and with
which quirks.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from urllib.parse import quote

from txtr.demo import files
from txtr.demo.sheets import Sheet, gzip_answer, write_answer
from txtr.demo.texts import LANGUAGES, Dice, write
from txtr.demo.web import Answer, Host, Web, plain, redirect

ADDRESSES = tuple(f"127.42.0.{last}" for last in range(1, 10))
MISSING_DOMAIN = "zanikly-web.invalid"  # RFC 2606: this top-level domain never exists
NEIGHBOURS = 3  # other sites that a front page links to
SEEDS = ("knihovna.priklad.cz", "noviny.priklad.cz", "rozcestnik.priklad.cz")


@dataclass(slots=True)
class Draft:
    """One host while it is being laid out; quirks change it."""

    site: "Site"
    port: int
    sheets: dict[str, Sheet] = field(default_factory=dict)  # path -> page
    others: dict[str, Answer] = field(default_factory=dict)  # path -> anything else
    robots: str | Answer | None = "User-agent: *\nDisallow:\n"
    first_times: tuple[Answer, ...] = ()  # before the front page

    @property
    def front(self) -> Sheet:
        return self.sheets["/"]

    @property
    def articles(self) -> dict[str, Sheet]:
        return {path: sheet for path, sheet in self.sheets.items() if path.startswith("/clanek-")}

    def url(self, path: str) -> str:
        return url(self.site.name, self.port, path)

    def add(self, path: str, words: str, *head: str, **headers: str) -> Sheet:
        """Add a page, linked from the front page."""
        sheet = Sheet(self.site.language, write(self.site.language, self.site.theme, self.url(path)))
        sheet.menu.append(("/", LANGUAGES[self.site.language].menu[0]))
        sheet.head.extend(head)
        sheet.headers.update({name.replace("_", "-"): value for name, value in headers.items()})
        self.sheets[path] = sheet
        self.front.links.append((path, words))
        return sheet


Quirk = Callable[[Draft], None]


@dataclass(frozen=True, slots=True)
class Site:
    """One line of the table: the name of a site, its address, its language and subject."""

    name: str
    house: int  # index into ADDRESSES
    language: str
    theme: str
    articles: int
    quirks: tuple[Quirk, ...] = ()


def url(domain: str, port: int, path: str = "/") -> str:
    return f"http://{domain}:{port}{path}"


def build(port: int) -> Web:
    """The whole miniature web, its links pointing to the given port."""
    hosts = {site.name: _host(site, port) for site in SITES}
    return Web(port=port, hosts=hosts, seeds=tuple(url(name, port) for name in SEEDS))


def _host(site: Site, port: int) -> Host:
    draft = _lay_out(site, port)
    for quirk in site.quirks:
        quirk(draft)
    answers = {path: write_answer(sheet) for path, sheet in draft.sheets.items()} | draft.others
    answers["/"] = replace(answers["/"], first_times=draft.first_times)
    return Host(site.name, ADDRESSES[site.house], answers, draft.robots)


def _lay_out(site: Site, port: int) -> Draft:
    """The front page and the articles, each linked with the next."""
    draft = Draft(site, port)
    home, onward, _ = LANGUAGES[site.language].menu
    paths = [f"/clanek-{number}.html" for number in range(1, site.articles + 1)]
    for path in ("/", *paths):
        draft.sheets[path] = Sheet(site.language, write(site.language, site.theme, site.name + path))
        draft.sheets[path].menu.append(("/", home))
    for path, following in zip(paths, paths[1:] + paths[:1], strict=True):
        draft.front.menu.append((path.removeprefix("/"), draft.sheets[path].text.title))
        draft.sheets[path].menu.append((following, onward))
    _befriend(draft)
    return draft


def _befriend(draft: Draft) -> None:
    """Links to other sites: from the front page to neighbours in the table, from articles anywhere."""
    position = [site.name for site in SITES].index(draft.site.name)
    for step in range(1, NEIGHBOURS + 1):
        friend = SITES[(position + step) % len(SITES)]
        draft.front.links.append((url(friend.name, draft.port), friend.name))
    for path, sheet in draft.articles.items():
        friend = SITES[Dice(draft.site.name + path).throw(len(SITES))]
        sheet.links.append((url(friend.name, draft.port), LANGUAGES[draft.site.language].menu[2]))


# Quirks of robots.txt and of the tags for robots


def keeps_private(draft: Draft) -> None:
    """A part of the site is closed to robots, yet linked, and one page in that part is open after all."""
    draft.robots = "User-agent: *\nDisallow: /soukrome/\nAllow: /soukrome/verejne.html\n"
    draft.add("/soukrome/denik.html", "Soukromý deník")
    draft.add("/soukrome/fotky.html", "Fotografie z rodinného alba")
    draft.add("/soukrome/verejne.html", "Veřejná část")


def forbids_us(draft: Draft) -> None:
    draft.robots = "User-agent: texttractor\nDisallow: /\n\nUser-agent: *\nDisallow:\n"


def asks_for_patience(draft: Draft) -> None:
    draft.robots = "User-agent: *\nCrawl-delay: 1\nDisallow: /cgi-bin/\n"


def has_no_robots_file(draft: Draft) -> None:
    draft.robots = None


def breaks_on_robots_file(draft: Draft) -> None:
    draft.robots = Answer(500, {"Content-Type": "text/plain"}, b"internal error\n")


def moved_robots_file(draft: Draft) -> None:
    draft.robots = redirect("/pravidla/robots.txt", 301)
    draft.others["/pravidla/robots.txt"] = plain("User-agent: *\nDisallow: /tajne/\n")
    draft.add("/tajne/plan.html", "Tajný plán")


def tags_pages(draft: Draft) -> None:
    """Pages that may be read but not kept, or kept but not followed, in tags and in headers."""
    draft.add("/noindex.html", "Nákupní košík", '<meta name="robots" content="noindex">')
    nofollow = draft.add(
        "/nofollow.html", "Odkazy bez záruky", '<META NAME=ROBOTS CONTENT="nofollow, noarchive">'
    )
    nofollow.links.append(("/jen-pres-nofollow.html", "Sem robot nemá chodit"))
    draft.add("/pro-nas.html", "Výsledky hledání", '<meta name="texttractor" content="noindex, nofollow">')
    draft.add("/hlavicka.html", "Interní oběžník", X_Robots_Tag="noindex")
    for path, words in {"/jen-pres-nofollow.html": "Skryté", "/nechodit.html": "Reklama"}.items():
        draft.add(path, words)
        draft.front.links.pop()
    draft.front.extra.append(
        '<p>Reklama: <a rel="sponsored nofollow" href="/nechodit.html">kup si to</a></p>'
    )


# Quirks of URLs


def redirects(draft: Draft) -> None:
    """Old URLs that redirect: one inside the host, one elsewhere, one that never ends."""
    draft.others["/nahodny"] = redirect("/clanek-2.html")
    draft.others["/stare"] = redirect(url("www.priklad.cz", draft.port), 301)
    draft.others["/kolotoc"] = redirect("/kolotoc-2")
    draft.others["/kolotoc-2"] = redirect("/kolotoc")
    draft.front.links += [
        ("/nahodny", "Náhodný článek"),
        ("/stare", "Staré stránky"),
        ("/kolotoc", "Kolotoč"),
    ]


def moved_away(draft: Draft) -> None:
    """Every page of the bare domain has moved to the www domain."""
    for path in draft.sheets:
        draft.others[path] = redirect(url(f"www.{draft.site.name}", draft.port, path), 301)


def has_copies(draft: Draft) -> None:
    """Pages for printing say of which page they are copies."""
    for path, sheet in list(draft.articles.items())[:4]:
        canonical = f'<link rel="canonical" href="{draft.url(path)}">'
        draft.sheets[f"/tisk{path}"] = replace(sheet, head=[canonical], menu=list(sheet.menu))
        sheet.links.append((f"/tisk{path}", "Verze pro tisk"))


def counts_visitors(draft: Draft) -> None:
    """Links to the same pages with sessions and campaigns in them."""
    for number, path in enumerate(draft.articles):
        session, same = f"{path}?PHPSESSID={number:032x}", draft.articles[path]
        draft.front.links.append((session, "S přihlášením"))
        draft.front.links.append((f"{path}?utm_source=priklad&utm_medium=web#nahoru", "Doporučujeme"))
        draft.others[session] = draft.others[f"{path}?utm_source=priklad&utm_medium=web"] = write_answer(same)


def has_dead_links(draft: Draft) -> None:
    for number in (1, 2, 3):
        draft.front.links.append((f"/zmizelo-{number}.html", "Aktuality"))
    draft.front.links.append((url(MISSING_DOMAIN, draft.port), "Zaniklý web"))


def links_in_every_way(draft: Draft) -> None:
    """Frames, image maps, refreshes, a base that moves relative links, letters beyond ASCII."""
    draft.front.head += ['<link rel="next" href="/dalsi.html">', '<base href="/sklad/">']
    draft.front.extra += [
        '<iframe src="ram.html"></iframe><map name=m><area shape=default href="mapa.html"></map>',
        '<p><a href="žluťoučký kůň.html">Žluťoučký kůň</a> <a href="../presmeruj.html">Kudy kam</a></p>',
    ]
    draft.front.menu[:] = [("/" + path.lstrip("/"), words) for path, words in draft.front.menu]
    beyond = "/sklad/" + quote("žluťoučký kůň.html")
    for path in ("/dalsi.html", "/sklad/ram.html", "/sklad/mapa.html", "/sklad/za-obnovou.html", beyond):
        draft.add(path, "Sklad")
        draft.front.links.pop()
    draft.add(
        "/presmeruj.html", "Kudy kam", '<meta http-equiv=refresh content="2; url=/sklad/za-obnovou.html">'
    )


# Quirks of bytes


def _encoded(charset: str, in_header: bool, in_meta: bool) -> Quirk:
    def encode(draft: Draft) -> None:
        for sheet in draft.sheets.values():
            sheet.charset, sheet.in_header, sheet.in_meta = charset, in_header, in_meta

    return encode


def is_broken(draft: Draft) -> None:
    for sheet in draft.sheets.values():
        sheet.is_broken = True


def compresses(draft: Draft) -> None:
    for sheet in draft.sheets.values():
        sheet.is_gzipped = True


def was_busy(draft: Draft) -> None:
    """Overloaded at the first visit, fine a second later."""
    draft.first_times = (Answer(503, {"Retry-After": "1", "Content-Type": "text/plain"}, b"Moment\n"),)


def has_files(draft: Draft) -> None:
    """Files of other kinds; each has a link to a page to which nothing else links."""
    made = {
        "/soubory/zprava.pdf": files.pdf("Annual report of the village museum", draft.url("/z-pdf.html")),
        "/soubory/pozvanka.rtf": files.rtf("Pozvánka na slavnost žní.", draft.url("/z-rtf.html")),
        "/soubory/zapis.docx": files.docx("Zápis ze schůze výboru.", draft.url("/z-docx.html")),
        "/soubory/poznamka.txt": files.txt("Poznámka: přines šest vajec.", draft.url("/z-txt.html")),
    }
    for path, sent in made.items():
        draft.others[path] = sent
        draft.front.links.append((path, f"Ke stažení: {path.rpartition('/')[2]}"))
        draft.add(f"/z-{path.rpartition('.')[2]}.html", "Přílohy")
        draft.front.links.pop()
    draft.others["/soubory/data.json"] = gzip_answer(
        Answer(200, {"Content-Type": "application/json"}, b'{"a": 1}')
    )
    draft.front.links.append(("/soubory/data.json", "Otevřená data"))


def is_signpost(draft: Draft) -> None:
    """Links to every host, also in unusual spelling."""
    draft.front.links += [(url(name, draft.port), name) for name in _unusual(site.name for site in SITES)]


def _unusual(names: Iterable[str]) -> list[str]:
    """Domains as people write them: with their accents, and the odd capital letter."""
    return [name.encode("ascii").decode("idna") if "xn--" in name else name.capitalize() for name in names]


SITES = (
    Site("rozcestnik.priklad.cz", 0, "cs", "noviny", 2, (is_signpost,)),
    Site("knihovna.priklad.cz", 0, "cs", "knihovna", 16, (keeps_private, has_files)),
    Site("noviny.priklad.cz", 1, "cs", "noviny", 22, (redirects, has_dead_links, compresses)),
    Site("kuchyne.priklad.cz", 1, "cs", "kuchyne", 16, (has_copies,)),
    Site("kronika.priklad.cz", 2, "cs", "kronika", 14, (_encoded("windows-1250", True, True),)),
    Site("priroda.priklad.cz", 2, "cs", "priroda", 14, (counts_visitors,)),
    Site("skola.priklad.cz", 3, "cs", "skola", 12, (has_files,)),
    Site("jizdnirady.priklad.cz", 3, "cs", "doprava", 12, (asks_for_patience,)),
    Site("zahrada.priklad.cz", 4, "cs", "zahrada", 12, (tags_pages,)),
    Site("muzeum.priklad.cz", 4, "cs", "muzeum", 12, (links_in_every_way,)),
    Site("hvezdarna.priklad.cz", 5, "cs", "hvezdy", 12, (_encoded("iso-8859-2", False, True),)),
    Site("priklad.cz", 5, "cs", "noviny", 5, (moved_away,)),
    Site("www.priklad.cz", 5, "cs", "noviny", 5),
    Site("forum.priklad.cz", 6, "cs", "zahrada", 14, (is_broken, counts_visitors)),
    Site("blog.priklad.cz", 6, "cs", "kuchyne", 14, (is_broken, _encoded("windows-1250", False, False))),
    Site("univerzita.priklad.cz", 7, "cs", "hvezdy", 16, (compresses, has_no_robots_file)),
    Site("archiv.priklad.cz", 7, "cs", "kronika", 10, (_encoded("iso-8859-2", True, False),)),
    Site("turista.priklad.cz", 8, "cs", "priroda", 12, (moved_robots_file,)),
    Site("pretizeny.priklad.cz", 8, "cs", "doprava", 6, (was_busy,)),
    Site("rozbity.priklad.cz", 8, "cs", "doprava", 6, (breaks_on_robots_file,)),
    Site("zavreno.priklad.cz", 8, "cs", "muzeum", 6, (forbids_us,)),
    Site("rybari.priklad.cz", 2, "cs", "priroda", 10, (_encoded("windows-1250", False, False),)),
    Site("obec.priklad.cz", 3, "cs", "kronika", 12, (_encoded("windows-1250", False, True), has_copies)),
    Site("divadlo.priklad.cz", 4, "cs", "skola", 8, (_encoded("iso-8859-2", False, False),)),
    Site("xn--hky-ela4t.priklad.cz", 5, "cs", "knihovna", 8),
    Site("kniznica.priklad.sk", 0, "sk", "kniznica", 12),
    Site("hory.priklad.sk", 0, "sk", "hory", 10, (_encoded("windows-1250", True, False),)),
    Site("obec.priklad.sk", 1, "sk", "obec", 8),
    Site("biblioteka.przyklad.pl", 6, "pl", "biblioteka", 12),
    Site("gory.przyklad.pl", 6, "pl", "gory", 8, (_encoded("iso-8859-2", False, True),)),
    Site("gazeta.przyklad.pl", 7, "pl", "gazeta", 8),
    Site("bibliothek.beispiel.de", 7, "de", "bibliothek", 10),
    Site("wandern.beispiel.de", 1, "de", "wandern", 8, (_encoded("iso-8859-1", True, False),)),
    Site("zeitung.beispiel.de", 2, "de", "zeitung", 8),
    Site("library.example", 3, "en", "library", 10),
    Site("garden.example", 4, "en", "garden", 8),
    Site("www.travel.example", 8, "en", "travel", 8),
    Site("vivliothiki.example", 5, "el", "vivliothiki", 8, (_encoded("iso-8859-7", True, True),)),
    Site("archiv.beispiel.de", 8, "de", "zeitung", 70),  # large enough to be abandoned with --language=cs
)
