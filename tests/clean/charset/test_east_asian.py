"""Characters: wrong declarations are found out, also among the sets of East Asia."""

import pytest

from txtr.clean.charset.decode import decode
from txtr.clean.charset.east_asian import choose_east_asian

TEXTS = {
    "shift_jis": "月曜日に新しい学校が開校しました。工事には三年かかり、費用は四億円でした。",
    "euc-jp": "今年の一年生は何人ですか。二十三人で、去年より五人も多いそうです。",
    "gbk": "这是我们的新学校，在上村的中心。有人说国家为了它花了不少钱，一个大工程。",
    "big5": "這是我們的新學校，在上村的中心。有人說國家為了它花了不少錢，一個大工程。",
    "euc-kr": "월요일에 새 학교가 문을 열었다. 공사는 삼 년이 걸렸고 비용은 사십억 원이라고 한다.",
}
CODECS = {"shift_jis": "cp932", "euc-jp": "euc-jp", "gbk": "gb18030", "big5": "big5hkscs", "euc-kr": "cp949"}


@pytest.mark.parametrize("label", [*TEXTS, "gb2312", "gb18030"])
@pytest.mark.parametrize("charset", TEXTS)
def test_an_east_asian_text_under_the_label_of_another_is_found_out(charset, label):
    """A page in EUC-JP that was called Shift_JIS came out as half-width nonsense."""
    page = f"<meta charset={label}><p>{TEXTS[charset]}</p>"
    assert decode(page.encode(CODECS[charset])).text == page


@pytest.mark.parametrize("charset", TEXTS)
def test_names_without_any_common_character_leave_the_declaration_alone(charset):
    """Nothing speaks for another set."""
    names = "東京大阪京都" if charset != "euc-kr" else "서울 부산 대구"
    data = (names * 20).encode(CODECS[charset], "ignore")
    assert choose_east_asian(charset, data) == charset


def test_other_sets_have_no_cousins():
    """They are the business of others."""
    assert choose_east_asian("windows-1250", TEXTS["gbk"].encode("gbk")) == "windows-1250"


@pytest.mark.parametrize("label", ["shift_jis", "windows-1250", "utf-8", "iso-2022-jp"])
def test_escape_sequences_are_japanese_whatever_the_page_says(label):
    """No text in another set holds them."""
    page = f"<meta charset={label}><p>{TEXTS['euc-jp']}</p>"
    decoded = decode(page.encode("iso2022-jp"))
    source = "meta" if label == "iso-2022-jp" else "content"
    assert (decoded.text, decoded.charset, decoded.source) == (page, "iso-2022-jp", source)
