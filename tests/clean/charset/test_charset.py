"""Character sets without any declaration: texts of our own in each of them, and a floor."""

import pytest

from txtr.clean.charset.decode import decode

CZECH = (
    "Ministerstvo školství oznámilo, že příští rok dostanou učitelé vyšší platy. Odbory jsou spokojené, "
    "ředitelé škol však upozorňují, že peníze na asistenty stále chybějí. Ještě žádná vláda neslíbila víc."
)
SLOVAK = (
    "Ľudia na východnom Slovensku čakajú na diaľnicu už dvadsať rokov. Minister povedal, že tunel dokončia "
    "v máji, šoféri mu však príliš neveria. Stavbári ťažko hľadajú pracovníkov a ceny materiálu rastú."
)
POLISH = (
    "Wczoraj wieczorem w Łodzi odbyło się spotkanie mieszkańców z prezydentem miasta. Rozmawiano o ścieżkach "
    "rowerowych, źródłach ciepła i o tym, że żadna z obietnic nie została jeszcze spełniona."
)
HUNGARIAN = (
    "A kormány szerint jövőre nőnek a bérek, és az új törvény segíti a fiatal családokat. Az ellenzék "
    "képviselői úgy vélik, hogy a költségvetésből hiányzik a pénz az önkormányzatok működésére."
)
RUSSIAN = (
    "Вчера вечером в Москве прошла встреча жителей города с депутатами. Обсуждали ремонт дорог, новые "
    "школы и цены на отопление, которые снова выросли. Ещё раз поговорят в ноябре."
)
GREEK = (
    "Η κυβέρνηση ανακοίνωσε νέα μέτρα για τη στήριξη των νοικοκυριών. Άλλοι υπουργοί δήλωσαν ότι οι "
    "τιμές θα πέσουν μέχρι το καλοκαίρι, όμως η αντιπολίτευση διαφωνεί."
)
GERMAN = (
    "Die Bürgermeisterin eröffnete gestern die neue Brücke über die Donau. Für die Fußgänger gibt es "
    "künftig einen eigenen Weg, und auch die Bäume am Ufer müssen nicht gefällt werden."
)
FRENCH = (
    "Le maire a présenté hier le budget de la ville. Les écoles seront rénovées dès l'été prochain, mais "
    "les travaux de la bibliothèque, très attendus, ont été reportés à l'année suivante."
)
TURKISH = (
    "Belediye başkanı dün yeni köprünün açılışını yaptı. Şehirdeki öğrenciler için ücretsiz ulaşım "
    "sağlanacağını, ağaçların kesilmeyeceğini söyledi. Çalışmalar kışın bitecek."
)
HEBREW = "ראש העיר הציג אתמול את התקציב החדש. בתי הספר ישופצו בקיץ הבא, אבל הספרייה תיפתח רק בשנה הבאה."
ARABIC = "أعلن رئيس البلدية أمس عن الميزانية الجديدة للمدينة. سيتم ترميم المدارس في الصيف القادم إن شاء الله."
THAI = "นายกเทศมนตรีประกาศงบประมาณใหม่ของเมืองเมื่อวานนี้ โรงเรียนจะได้รับการปรับปรุงในฤดูร้อนหน้า"
CHINESE = "市长昨天公布了新的城市预算。学校将在明年夏天翻修，但是图书馆要等到后年才能开放。"
TAIWANESE = "市長昨天公布了新的城市預算。學校將在明年夏天翻修，但是圖書館要等到後年才能開放。"
JAPANESE = "市長は昨日、新しい予算を発表しました。学校は来年の夏に改修されますが、図書館は再来年に開きます。"
KOREAN = (
    "시장은 어제 새로운 도시 예산을 발표했습니다. 학교는 내년 여름에 수리하지만 도서관은 그 다음 해에 엽니다."
)

TEXTS = [
    (CZECH, "cp1250 iso8859-2 utf-8 utf-16-le utf-16-be utf-32-le utf-32-be"),
    (SLOVAK, "cp1250 iso8859-2"),
    (POLISH, "cp1250 iso8859-2"),
    (HUNGARIAN, "cp1250 iso8859-2"),
    (RUSSIAN, "cp1251 koi8-r iso8859-5 cp866 cp855 mac-cyrillic"),
    (GREEK, "cp1253 iso8859-7"),
    (GERMAN, "cp1252 utf-8"),
    (FRENCH, "cp1252"),
    (TURKISH, "cp1254"),
    (HEBREW, "cp1255"),
    (ARABIC, "cp1256"),
    (THAI, "cp874"),
    (CHINESE, "gb18030"),
    (TAIWANESE, "big5"),
    (JAPANESE, "shift_jis euc-jp iso2022-jp"),
    (KOREAN, "cp949 johab iso2022-kr"),
]
CASES = [(text, codec) for text, codecs in TEXTS for codec in codecs.split()]
PAGE = '<html><head><title>{0}</title></head><body><div class="text"><p>{0}</p></div></body></html>'


@pytest.mark.parametrize(("text", "codec"), CASES, ids=lambda value: value if len(value) < 12 else value[:6])
def test_a_page_that_does_not_say_its_character_set_is_read_right(text, codec):
    """Detection comes last; a floor of all."""
    page = PAGE.format(text)
    assert decode(page.encode(codec)).text == page


@pytest.mark.parametrize(("text", "codec"), CASES[:2] + CASES[7:13], ids=lambda value: value[:9])
def test_central_european_and_russian_pages_called_latin1_are_found_out(text, codec):
    """Servers call everything ISO-8859-1 that nobody told them better."""
    page = PAGE.format(text)
    assert decode(page.encode(codec), "text/html; charset=ISO-8859-1").text == page


@pytest.mark.parametrize("text", [CZECH, SLOVAK, POLISH])
def test_windows_1250_and_latin2_are_never_mixed_up(text):
    """Whatever either is called, and in the shortest of texts."""
    for codec, other in (("cp1250", "iso-8859-2"), ("iso8859-2", "windows-1250")):
        assert decode(text.encode(codec), f"text/html; charset={other}").text == text
        for sentence in text.split(". "):
            assert decode(sentence.encode(codec)).text == sentence


@pytest.mark.parametrize(("text", "label"), [(GERMAN, "iso-8859-1"), (FRENCH, "latin1"), (RUSSIAN, "koi8-r")])
def test_a_right_declaration_is_believed(text, label):
    """Doubt needs a reason."""
    decoded = decode(text.encode(label), f"text/html; charset={label}")
    assert (decoded.text, decoded.source) == (text, "header")


def test_some_quotes_make_no_exotic_text():
    """An English page with a dash of Windows is windows-1252, and nothing else."""
    page = b"<p>He said \x93no\x94 \x96 and that\x92s it. \xa9 2005 Caf\xe9 Ol\xe9"
    assert decode(page).text == "<p>He said “no” – and that’s it. © 2005 Café Olé"


def test_hz_is_read_where_it_is_said():
    """It has only seven bits, and nobody guesses it."""
    assert decode(CHINESE.encode("hz"), "text/html; charset=hz-gb-2312").text == CHINESE
