"""Captions are kept, and so is the standfirst, in any language; what only looks like them is not."""

import pytest

from txtr.clean.content import companions, walk
from txtr.clean.html.bare import Bare

NEWS = {
    "cs": (
        "Most otevřou dřív",
        "Přerovský most přes Bečvu se řidičům otevře už na konci června.",
        "Stavbaři pokládají asfalt. Foto: Petr Novotný",
    ),
    "sk": (
        "Kanvica bez hluku",
        "Výrobca z Popradu ukázal kanvicu, ktorú pri varení takmer nepočuť.",
        "Kanvica na stánku výrobcu.",
    ),
    "pl": (
        "Kolej wraca do Jasła",
        "Po dwunastu latach przerwy pociągi znów dojadą do samego centrum miasta.",
        "Dworzec w Jaśle. Fot. Anna Nowak",
    ),
    "de": (
        "Brücke öffnet früher",
        "Autofahrer können die neue Brücke über den Inn schon Ende Juni benutzen.",
        "Arbeiter legen den letzten Belag. Foto: dpa",
    ),
    "el": (
        "Νέα γέφυρα",
        "Η γέφυρα του ποταμού ανοίγει για τους οδηγούς στο τέλος του Ιουνίου.",
        "Οι εργάτες στρώνουν την άσφαλτο.",
    ),
    "zh": (
        "大桥提前通车",
        "滨江大桥将于六月底正式通车，比原来计划的时间提前了整整一个月，从老城到新区的车程将缩短为十分钟左右。",
        "工人正在铺设最后一层沥青。",
    ),
}
FIRST, LAST = "První odstavec článku.", "Poslední odstavec článku."


def joined(markup: str, *kept: str) -> list[str]:
    """What is kept of this page when these blocks are kept of its text."""
    page = walk.read(Bare(f"<html><body>{markup}</body></html>"))
    wanted = [number for number, text in enumerate(page.texts) if text in kept]
    assert len(wanted) == len(kept)
    return [page.texts[number] for number in companions.add_companions(page, wanted)]


@pytest.mark.parametrize("language", NEWS)
@pytest.mark.parametrize(
    "box",
    [
        '<div class="article-perex"><strong>{}</strong></div>',
        '<p class="standfirst">{}</p>',
        "<h2>{}</h2>",
        "<div><p>{}</p></div>",
    ],
)
def test_a_standfirst_is_kept_between_the_headline_and_the_text(box, language):
    """It stands among dates and authors, who are not."""
    headline, standfirst, _ = NEWS[language]
    about = '<div class="meta"><span>Jana Králová</span> <span>14. 5. 2024</span></div>'
    share = '<div class="share"><p>Doporučte tento článek všem svým přátelům a známým.</p></div>'
    markup = f"<h1>{headline}</h1>{about}{box.format(standfirst)}{share}<div><p>{FIRST}</p></div>"
    assert joined(markup, headline, FIRST) == [headline, standfirst, FIRST]


def test_what_a_site_says_of_itself_is_no_standfirst():
    """Blogs have their name in h1 and the headline below it."""
    standfirst = NEWS["cs"][1]
    markup = f"<h1>Blog o mostech</h1><p>{standfirst}</p><h2>Bečva</h2><p>{FIRST}</p>"
    assert joined(markup, "Blog o mostech", "Bečva", FIRST) == ["Blog o mostech", "Bečva", FIRST]


@pytest.mark.parametrize("language", NEWS)
@pytest.mark.parametrize(
    "box",
    [
        "<div class=wrap><figure><img src=a.jpg><figcaption>{}</figcaption></figure></div>",
        '<div class="article-image"><img src=a.jpg><div class="article-image-description">{}</div></div>',
        '<div class="wp-caption"><img src=a.jpg><p class="wp-caption-text">{}</p></div>',
    ],
)
def test_a_caption_is_kept_before_and_in_the_text(box, language):
    """Wherever the picture stands after the headline, and however it is wrapped."""
    headline, _, caption = NEWS[language]
    picture = box.format(caption)
    markup = f"<h1>{headline}</h1>{picture}<div><p>{FIRST}</p><p>{LAST}</p></div>"
    assert joined(markup, headline, FIRST, LAST) == [headline, caption, FIRST, LAST]
    markup = f"<div><p>{FIRST}</p></div>{picture}<div><p>{LAST}</p></div>"
    assert joined(markup, FIRST, LAST) == [FIRST, caption, LAST]


@pytest.mark.parametrize(
    "strange",
    [
        "<figure><figcaption>Foto: Petr Novotný / ČTK</figcaption></figure>",
        '<div class="related"><figure><figcaption>Kozlovice chtějí obchvat.</figcaption></figure></div>',
        "<aside><figure><figcaption>Kozlovice chtějí obchvat.</figcaption></figure></aside>",
        "<figure><figcaption><a href=/a>Kozlovice chtějí obchvat.</a></figcaption></figure>",
    ],
)
def test_who_took_a_picture_and_where_it_leads_is_no_caption(strange):
    """No sentence, a name or tag of something else, or a link."""
    assert joined(f"<p>{FIRST}</p>{strange}<p>{LAST}</p>", FIRST, LAST) == [FIRST, LAST]


def test_code_is_kept_in_tabs_and_below_headings():
    """Documentation shows it in several languages, a tab for each."""
    markup = f"""<p>{FIRST}</p><div class="tabs"><div class="tab"><h3>Python</h3><pre>x = 1</pre></div></div>
        <p>{LAST}</p>"""
    assert joined(markup, FIRST, LAST) == [FIRST, "x = 1", LAST]


def test_where_nothing_is_kept_nothing_is_added():
    """Empty text rather than noise."""
    assert joined("<h1>Nic</h1><figure><figcaption>Popis obrázku.</figcaption></figure><pre>x</pre>") == []
