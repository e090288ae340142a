"""--text=main: headings, lists, tables, quotations, code, captions and contributions are kept."""

import pytest

from txtr.clean import clean

PROSE = {
    "cs": [
        "Do Olomouce jsme dorazili brzy ráno, kdy na náměstí nikdo nebyl a pekaři teprve otevírali.",
        "Radnici postavili v patnáctém století, její věž je však o dvě stě let mladší a vede na ni schody.",
        "Odpoledne začalo pršet, takže jsme se schovali v muzeu a zůstali tam až do večera.",
        "Cestou zpátky jsme mluvili hlavně o tom, kam pojedeme příště a koho vezmeme s sebou.",
    ],
    "de": [
        "Wir kamen am frühen Morgen in Köln an, als auf dem Platz noch niemand war und die Bäcker öffneten.",
        "Das Rathaus wurde im fünfzehnten Jahrhundert gebaut, sein Turm ist aber zweihundert Jahre jünger.",
        "Am Nachmittag begann es zu regnen, so dass wir uns im Museum versteckten und bis zum Abend blieben.",
        "Auf dem Rückweg sprachen wir vor allem darüber, wohin wir das nächste Mal fahren wollen.",
    ],
    "en": [
        "We came to York early in the morning, when nobody was in the square and the bakers were opening.",
        "The town hall was built in the fifteenth century, but its tower is two hundred years younger.",
        "In the afternoon it began to rain, so we hid in the museum and stayed there until the evening.",
        "On our way back we mostly talked about where we would go next time, and whom we would take.",
    ],
    "el": [
        "Φτάσαμε στη Θεσσαλονίκη νωρίς το πρωί, όταν στην πλατεία δεν υπήρχε κανείς και άνοιγαν οι φούρνοι.",
        "Το δημαρχείο χτίστηκε τον δέκατο πέμπτο αιώνα, ο πύργος του όμως είναι διακόσια χρόνια νεότερος.",
        "Το απόγευμα άρχισε να βρέχει, κι έτσι κρυφτήκαμε στο μουσείο και μείναμε εκεί μέχρι το βράδυ.",
        "Στον δρόμο της επιστροφής μιλούσαμε κυρίως για το πού θα πάμε την επόμενη φορά και με ποιους.",
    ],
    "zh": [
        "我们清晨抵达这座古老的城市，广场上还没有人，面包店刚刚开门，街上弥漫着新鲜面包的香味，非常安静。",
        "市政厅建于十五世纪，但它的塔楼比主楼年轻两百年，里面有一道又窄又陡的楼梯，可以一直走到塔顶。",
        "下午开始下雨，我们躲进博物馆，在那里一直待到晚上，看了许多古老的地图、绘画和手工制作的钟表。",
        "回来的路上，我们主要谈论下次要去哪里，带谁一起去，以及怎样才能在山里多住几天，好好休息一下。",
    ],
}
HEADLINE = {
    "cs": "Cesta do Olomouce",
    "de": "Die Reise nach Köln",
    "en": "A journey to York",
    "el": "Ταξίδι",
    "zh": "古城",
}
ITEMS = {
    "section": ("<h2>Kapitola</h2>", ["Kapitola"]),
    "list": (
        "<ul><li>První bod</li><li>Druhý <b>bo</b>d</li><li>Třetí</li></ul>",
        ["První bod", "Druhý bod", "Třetí"],
    ),
    "numbers": ("<ol><li>Eins.</li><li>Zwei.</li></ol>", ["Eins.", "Zwei."]),
    "definitions": (
        "<dl><dt>Dom</dt><dd>Eine Kirche.</dd><dt>Rhein</dt><dd>Ein Fluss.</dd></dl>",
        ["Dom", "Eine Kirche.", "Rhein", "Ein Fluss."],
    ),
    "table": (
        "<table><caption>Obyvatelé</caption><tr><th>Město</th><th>Počet</th></tr>"
        "<tr><td>Brno</td><td>382 405</td></tr><tr><td>Praha</td><td>1 309 000</td></tr></table>",
        ["Obyvatelé", "Město", "Počet", "Brno", "382 405", "Praha", "1 309 000"],
    ),
    "wrapped table": (
        '<div class="table-responsive"><table class="tbl"><tr><td>Köln</td><td>1.073.096</td></tr>'
        "<tr><td>Bonn</td><td>331.885</td></tr></table></div>",
        ["Köln", "1.073.096", "Bonn", "331.885"],
    ),
    "caption": (
        "<figure><img src=x.jpg><figcaption>Pohled na náměstí.</figcaption></figure>",
        ["Pohled na náměstí."],
    ),
    "quotation": (
        "<blockquote><p>Kdo jinému jámu kopá, sám do ní padá.</p><footer>Přísloví</footer></blockquote>",
        ["Kdo jinému jámu kopá, sám do ní padá.", "Přísloví"],
    ),
    "lines": ("<p>Zeile eins<br>Zeile zwei<br>Zeile drei</p>", ["Zeile eins", "Zeile zwei", "Zeile drei"]),
    "code": ("<pre><code>def f(x):\n    return x + 1\n</code></pre>", ["def f(x):", "return x + 1"]),
}
MENU = '<nav><a href="/">Domů</a> <a href="/k">Kontakt</a></nav>'
FOOTER = '<footer>© 2021 Impressum <a href="/i">Imprint</a></footer>'


def page(language, body, after=""):
    return (
        f'<!DOCTYPE html><html lang="{language}"><head><meta charset="utf-8">'
        f"<title>{HEADLINE[language]} - Blog</title></head><body>{MENU}"
        f"<article><h1>{HEADLINE[language]}</h1>{body}</article>{after}{FOOTER}</body></html>"
    ).encode()


def paragraphs(language, count):
    texts = PROSE[language]
    return [f"<p>{texts[number % 4]} {texts[(number * 3 + number // 4) % 4]}</p>" for number in range(count)]


def lines(markup):
    return clean(markup).text.split("\n")


@pytest.mark.parametrize("language", PROSE)
@pytest.mark.parametrize("count", [2, 4, 8, 16])
@pytest.mark.parametrize("item", ITEMS)
def test_what_an_author_puts_between_paragraphs_is_kept_whole_and_in_order(item, count, language):
    """Not some cells of a table: all, and the headline, and nothing of what is around the text."""
    markup, wanted = ITEMS[item]
    prose = paragraphs(language, count)
    found = lines(page(language, "".join([*prose[: count // 2], markup, *prose[count // 2 :]])))
    assert [line for line in found if line in wanted] == wanted
    assert found[0] == HEADLINE[language]
    assert not [line for line in found if "Kontakt" in line or "Impressum" in line]


@pytest.mark.parametrize("language", PROSE)
@pytest.mark.parametrize("item", [item for item in ITEMS if item not in ("section", "wrapped table")])
def test_what_an_author_puts_after_the_last_paragraph_is_kept_whole(item, language):
    """A list or a table may be all that a text ends with; things that templates put there have names."""
    markup, wanted = ITEMS[item]
    found = lines(page(language, "".join(paragraphs(language, 6)) + markup))
    assert [line for line in found if line in wanted] == wanted


@pytest.mark.parametrize("language", PROSE)
def test_a_text_of_many_structures_is_kept_from_beginning_to_end(language):
    """Short blocks in a row discourage the trees, and nothing after them survived."""
    markup = "".join(markup for markup, _ in ITEMS.values())
    wanted = [line for _, lines_of in ITEMS.values() for line in lines_of]
    found = lines(page(language, "".join(paragraphs(language, 3)) + markup + "<p>Konec, ale jen tady.</p>"))
    assert [line for line in found if line in wanted] == wanted
    assert found[-1] == "Konec, ale jen tady."


COMMENTS = """<section id="comments"><h2>2 komentáře</h2><div class="comment"><span class="author">Anna</span>
<time>3. května</time><p>Moc pěkný článek! Také jsem tam byla.</p><a href="#">Odpovědět</a></div>
<div class="comment"><span class="author">Bedřich</span><p>Souhlasím. Děkuji za upozornění na chrám.</p>
<a href="#">Odpovědět</a></div>
<form><label>Napište komentář.</label><input><p>Přihlaste se prosím.</p></form></section>"""


@pytest.mark.parametrize("language", PROSE)
@pytest.mark.parametrize("count", [4, 16])
def test_a_few_comments_of_readers_are_kept_and_their_form_is_not(count, language):
    """Contributions of people are text; what surrounds them, and the form for another one, is not."""
    found = lines(page(language, "".join(paragraphs(language, count)), COMMENTS))
    assert "Také jsem tam byla." in found and "Děkuji za upozornění na chrám." in found
    assert not {"Odpovědět", "Napište komentář.", "Přihlaste se prosím."} & set(found)


@pytest.mark.parametrize("language", PROSE)
@pytest.mark.parametrize(
    "strange",
    [
        '<div class="related"><h3>Viz</h3><ul><li>Požár</li><li>Hokej</li></ul></div>',
        '<ul class="share-buttons"><li>Požár</li><li>Hokej</li></ul>',
        "<form><ul><li>Požár</li><li>Hokej</li></ul></form>",
        "<aside><table><tr><td>Požár</td><td>Hokej</td></tr></table></aside>",
        "<ul><li><a href=/1>Požár</a></li><li><a href=/2>Hokej</a></li></ul>",
    ],
)
def test_what_is_no_part_of_the_text_is_not_added_to_it(strange, language):
    """Its names, its tags or its links betray it."""
    prose = paragraphs(language, 8)
    found = lines(page(language, "".join([*prose[:7], prose[7], strange])))
    assert not [line for line in found if "Požár" in line or "Hokej" in line]


def test_a_heading_of_nothing_that_is_kept_goes():
    """It was the heading of what is left out."""
    markup = "".join(paragraphs("cs", 6))
    after = '<h2>Nejčtenější</h2><ul class="related"><li><a href=/1>Požár</a></li></ul>'
    assert "Nejčtenější" not in lines(page("cs", markup + after))


def test_of_two_copies_of_a_text_the_first_is_kept():
    """A copy for printers or for narrow screens follows the text, and its order must not mix with it."""
    prose = paragraphs("cs", 6)
    copy = '<div class="print">' + "".join(prose[:3]) + "</div>"
    once = clean(page("cs", "".join(prose))).text
    assert clean(page("cs", "".join(prose), copy)).text == once
