"""The judge we ship: useless means useless, and better text gets more."""

from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tests.segment.texts import paragraphs, prose
from txtr.demo.texts import LANGUAGES
from txtr.segment import usability
from txtr.segment.usability import judge

CZECH = frozenset({"cs"})
NOTICE = "Vítejte na stránkách naší obce.\nÚřední hodiny jsou v pondělí od osmi do pěti."
MENU = "Domů\nKontakt\nO nás\nCeník\nFotogalerie\nÚřední deska\nMapa stránek\nPřihlášení"
LOREM = """Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt.
Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat."""


@pytest.mark.parametrize("text", ["", "12:30 – 45 %\n...", "\n\n", "!!!", "😀 ❤️❤️ 🎉"])
def test_a_text_without_letters_is_useless(text):
    """Spec 4: zero usability is what stops us from following links."""
    assert judge(text).usability == 0
    assert judge(text).reasons == ("no-letters",)


@pytest.mark.parametrize("text", ["Ahoj.", "1 2 3\nž", "字", "Page 17", NOTICE, MENU])
def test_without_a_wanted_language_every_text_with_letters_is_usable(text):
    assert judge(text).usability > 0


@pytest.mark.parametrize("text", ["Ahoj.", "Kontakt", NOTICE, MENU, MENU + "\n" + NOTICE])
def test_a_short_page_in_the_wanted_language_is_never_useless(text):
    """Two useless documents in a row end a way through the web: a list of links must not."""
    assert judge(text, CZECH).usability > 0


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_only_pages_in_the_wanted_language_are_usable(language):
    judged = judge(prose(language), CZECH)
    assert (judged.usability > 0) == (language == "cs")
    assert judged.language == language
    assert judged.reasons == (() if language == "cs" else (f"language={language}",))


def test_several_languages_may_be_wanted():
    both = frozenset({"cs", "sk"})
    assert judge(prose("sk"), both).usability > 0 and judge(prose("cs"), both).usability > 0
    assert judge(prose("en"), both).usability == 0


def test_more_prose_is_more_usable():
    short, long = prose(), "\n".join(prose(key=str(key)) for key in range(5))
    assert 0 < judge(NOTICE).usability < judge(short).usability < judge(long).usability <= 1
    assert judge(NOTICE).reasons == ("short",)


def test_a_list_is_worth_less_than_its_prose_alone():
    listed = "\n".join([prose(), *(f"Položka číslo {number}" for number in range(300))])
    assert judge(listed).usability < judge(prose()).usability
    assert "list-like" in judge(listed).reasons


def test_a_page_without_sentences_says_so():
    assert judge(MENU, CZECH).reasons == ("no-sentences", "list-like")


def test_lines_said_before_count_once():
    again = judge("\n".join([prose()] * 10))
    assert again.usability < judge(prose()).usability
    assert "repeated-lines" in again.reasons


def test_lorem_ipsum_is_useless_when_a_language_is_wanted():
    assert judge(LOREM, CZECH).usability == 0
    assert 0 < judge(LOREM).usability < 0.1
    assert judge(LOREM).reasons == ("lorem-ipsum",)


def test_spanish_pain_is_no_lorem_ipsum():
    text = "El dolor de cabeza es muy frecuente en las personas que trabajan demasiado.\n" * 3
    assert judge(text).usability > 0


def test_one_word_again_and_again_is_spam():
    stuffed = "Levné pneumatiky, pneumatiky skladem, zimní pneumatiky a letní pneumatiky.\n" + prose()
    many = "\n".join(stuffed.split("\n")[0].replace("Levné", f"Levné{n}") for n in range(30))
    assert "stuffed" in judge(many).reasons
    assert "stuffed" not in judge(stuffed).reasons
    assert judge(many).usability < 0.1


def test_the_words_of_spammers_are_spam():
    text = prose() + "\n" + "Nejlepší casino a poker online, viagra a cialis bez předpisu.\n" * 20
    assert "spam" in judge(text).reasons


def test_a_mixed_page_keeps_its_good_paragraphs():
    """Mixed pages keep their good paragraphs."""
    czech, english = paragraphs("cs"), paragraphs("en")
    lines = [czech[0], english[0], "More", czech[1], LOREM.splitlines()[0], czech[2]]
    judged = judge("\n".join(lines), CZECH)
    assert "mixed" in judged.reasons and judged.usability > 0
    assert set(judged.kept) >= {0, 3, 5} and not {1, 4} & set(judged.kept)


def test_a_page_in_one_language_keeps_everything():
    text = f"{MENU}\n{prose()}"
    assert judge(text, CZECH).kept == tuple(range(len(text.split("\n"))))


def test_a_foreign_page_with_a_czech_banner_is_useless():
    banner = "Tyto stránky používají soubory cookie, aby se vám lépe četly."
    foreign = "\n".join(prose("en", str(key)) for key in range(3))
    assert judge(f"{banner}\n{foreign}", CZECH).usability == 0


def test_a_czech_page_with_an_english_banner_is_not():
    banner = "This site uses cookies to give you a better experience while you read."
    assert judge(f"{banner}\n{NOTICE}\n{MENU}", CZECH).usability > 0


def test_scripts_without_blanks_have_sentences_too():
    text = (
        "我们的村庄位于山脚下，历史悠久。办公室星期一从八点开放到五点。\n"
        + "图书馆每个工作日开放到晚上七点。"
    )
    assert judge(text, frozenset({"zh"})).reasons == ("short",)


OTHER_SCRIPTS = {
    "am": "አዲስ አበባ የኢትዮጵያ ዋና ከተማ ናት። ከተማዋ በአፍሪካ ውስጥ ከሚገኙ ትላልቅ ከተሞች አንዷ ናት። ብዙ ሰዎች በየዓመቱ ይጎበኟታል።",
    "ar": "القاهرة هي عاصمة مصر وأكبر مدنها. تقع المدينة على ضفاف نهر النيل. هل زرت المدينة من قبل؟",
    "bn": "ঢাকা বাংলাদেশের রাজধানী এবং বৃহত্তম শহর। শহরটি বুড়িগঙ্গা নদীর তীরে অবস্থিত। এখানে লক্ষ লক্ষ মানুষ বাস করে।",
    "el": "Η Αθήνα είναι η πρωτεύουσα της Ελλάδας. Κάθε χρόνο την επισκέπτονται εκατομμύρια τουρίστες.",
    "hi": "दिल्ली भारत की राजधानी है और यह देश का एक प्रमुख शहर है। यहाँ बहुत से ऐतिहासिक स्थल हैं।",
    "hy": "Երևանը Հայաստանի մայրաքաղաքն է և ամենամեծ քաղաքը։ Քաղաքը գտնվում է Արարատյան դաշտում։",
    "ja": "東京は日本の首都であり、世界最大の都市の一つです。多くの人々が毎日電車で通勤しています。",
    "km": "ភ្នំពេញគឺជារដ្ឋធានីនៃប្រទេសកម្ពុជា។ ទីក្រុងនេះស្ថិតនៅតាមដងទន្លេមេគង្គ។ មានអ្នកទេសចរជាច្រើនមកទស្សនា។",
    "ko": "서울은 대한민국의 수도이며 가장 큰 도시입니다. 많은 사람들이 주말에 공원에서 산책을 즐깁니다.",
    "my": "ရန်ကုန်မြို့သည် မြန်မာနိုင်ငံ၏ အကြီးဆုံးမြို့ ဖြစ်သည်။ မြို့တွင် လူများစွာ နေထိုင်ကြသည်။",
    "ru": "Москва является столицей России и крупнейшим городом страны. В городе много музеев и театров.",
    "th": "กรุงเทพมหานครเป็นเมืองหลวงและนครที่มีประชากรมากที่สุดของประเทศไทย เป็นศูนย์กลางการปกครอง การศึกษา",
    "ur": "اسلام آباد پاکستان کا دارالحکومت ہے۔ یہ شہر مارگلہ کی پہاڑیوں کے دامن میں واقع ہے۔",
}


@pytest.mark.parametrize("language", OTHER_SCRIPTS)
def test_prose_is_prose_in_every_script(language):
    """Sentences end with other marks there, or with none, and many letters are no letters to Unicode."""
    judged = judge(OTHER_SCRIPTS[language], frozenset({language}))
    assert judged.language == language and judged.reasons == ("short",)
    assert judged.usability > 0.1


def test_a_very_long_text_is_judged_by_its_beginning():
    """A bound on time and memory; the last lines are kept as well."""
    long = "\n".join(f"{number}. {line}" for number in range(9000) for line in prose().split("\n"))
    judged = judge(long, CZECH)
    assert len(long) > 1_000_000 and judged.usability > 0.9
    assert judged.kept[-1] == long.count("\n")
    assert judge(prose("en") * 3000, CZECH).kept == ()


@given(some.text())
def test_any_text_gets_a_number_from_0_to_1(text):
    for wanted in (frozenset(), CZECH):
        judged = judge(text, wanted)
        assert 0 <= judged.usability <= 1
        assert all(0 <= number <= text.count("\n") for number in judged.kept)


def test_all_marks_of_scripts_are_known():
    """Vowel signs count as letters."""
    signs = map(chr, range(0x300, 0xFE00))
    assert not [sign for sign in signs if category(sign)[0] == "M" and not usability.MARKS.match(sign)]


SIGNS = some.sampled_from("ab, ž²Ⅷ①字９٣½’—\u0301\u093e\ud800\n")


@given(some.text() | some.text(SIGNS))
def test_letters_are_counted_the_same_however_they_are_counted(text):
    """All lines at once, as bytes where letters are plain; marks count only beside letters."""
    lines = text.split("\n")
    letters = [sum(map(str.isalpha, line)) for line in lines]
    marks = [len(usability.MARKS.findall(line)) for line in lines]
    expected = [number and number + more for number, more in zip(letters, marks, strict=True)]
    assert usability._letters(text) == expected


@given(some.lists(some.text(some.sampled_from("abcdž ,.’—_1²Ⅷ字\n"), max_size=30)))
def test_longer_words_are_found_the_same_on_plain_lines(lines):
    """Plain lines are cut into words as bytes, which is faster."""
    expected = usability.LONGER_WORD.findall("\n".join(lines))
    assert sorted(usability._longer_words(lines)) == sorted(expected)


@given(some.lists(some.sampled_from([*paragraphs("cs"), *paragraphs("en"), *paragraphs("de"), MENU, "Ok"])))
def test_the_language_is_the_same_whether_or_not_one_is_wanted(lines):
    """When none is wanted, identification stops as soon as no other language can overtake."""
    text = "\n".join(lines)
    assert judge(text).language == judge(text, CZECH).language


def test_short_sentences_without_blanks_are_sentences():
    """Found by a new user: Chinese sentences of eleven to nineteen signs were counted as one word each."""
    said = "他每天早上六点起床去跑步。 昨天晚上我们一起看了一场电影。 "
    said += "这家小店的面条非常好吃。 明天我要去北京参加一个会议。"
    judgement = judge("\n".join(said.split()))
    assert "no-sentences" not in judgement.reasons
    assert judgement.usability > 0.15
    assert judge("首页 新闻\n体育财经娱乐科技汽车房产").usability < 0.05
