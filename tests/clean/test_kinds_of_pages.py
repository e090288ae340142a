"""Not only articles, not only English. Pages of several kinds, written as real sites write them."""

from pathlib import Path

import pytest

from txtr.clean import clean

PAGES = Path(__file__).parent.parent / "pages" / "kinds"
KINDS = {  # what a reader would miss, in order, and what he would not
    "news-cs": (
        [
            "Most přes Bečvu otevřou o měsíc dřív",
            "Přerovský most přes Bečvu se řidičům otevře už na konci června.",
            "Stavbaři na mostě pokládají poslední vrstvu asfaltu.",
            "Provizorní lávka zůstane na místě do září.",
            "Objížďka skončí",
            "Jan Dvořáček, primátor",
            "Nosná konstrukce",
            "72 mil.",
            "Slavnostní otevření se uskuteční 28. června v 10 hodin.",
        ],
        ["Tento web", "Čtěte také", "Kozlovice chtějí", "Sdílet", "Nejčtenější", "Newsletter", "Přebírání"],
    ),
    "thread-de": (
        ["Kettenschaltung springt unter Last", "Hallo zusammen,", "Sepp", "Also beides neu.", "Passt."],
        [
            "Radlerforum",
            "Wer später bremst",
            "Fuhrpark",
            "Registriert",
            "Antworten",
            "Wer ist online",
            "phpBB",
        ],
    ),
    "thread-pl": (
        [
            "Jaki kompost do pomidorów?",
            "Cześć, pierwszy raz sadzę pomidory w szklarni.",
            "zielona_ania napisał(a):",
            "Mieszaj pół na pół.",
            "Dokładnie.",
        ],
        ["Moderator", "Dołączył", "Ogród to nie hobby", "Odpowiedz", "Podobne", "Regulamin"],
    ),
    "thread-sk": (
        [
            "Ktoré zimné pneumatiky?",
            "Jazdím hlavne po meste, občas na hory.",
            "Mám tretiu sezónu Matadory a na snehu držia výborne.",
            "Vďaka, pozriem sa na ne.",
        ],
        ["Nový člen", "280 tisíc", "Odpovedať", "Podobné", "GMT"],
    ),
    "shop-sk": (
        [
            "Rýchlovarná kanvica Tatra K17",
            "automatické vypnutie",
            "Technické parametre",
            "Objem",
            "1,7 l",
            "24 mesiacov",
            "Recenzie",
            "Varí ticho a rýchlo, som veľmi spokojná.",
        ],
        ["Doprava", "Hriankovač", "košíka", "Mohlo", "Obchodné"],
    ),
    "shop-de": (
        [
            "Wanderrucksack Alpspitz 28",
            "Eigenschaften",
            "Stockhalterung",
            "Technische Daten",
            "Gewicht",
            "980 g",
            "Pflege",
            "Von Hand waschen, nicht in den Trockner geben.",
        ],
        ["Warenkorb", "gefallen", "Trinkblase 2 l", "Newsletter", "Rabatt"],
    ),
    "documentation-pl": (
        [
            "Konfiguracja kolejki",
            "W środowisku produkcyjnym zawsze włączaj zapis na dysk.",
            "$ pip install wiatrak",
            "Opcje",
            "--limit",
            "Ile zadań naraz.",
            "WIATRAK_PORT",
            "6400",
            "Zmień ustawienia.",
            "kolejka.dodaj(zadanie)",
        ],
        ["Pierwsze kroki", "Pokaż źródło", "Wstecz", "Copyright", "Sphinx", "¶"],
    ),
    "front-cs": (
        [
            "Most přes Bečvu otevřou o měsíc dřív",
            "Hokejisté slaví postup",
            "Po čtyřech výhrách v řadě jsou Zubři v semifinále.",
            "Radnice opraví tři ulice",
            "Práce začnou v červnu a potrvají do konce prázdnin.",
        ],
        ["Domácí", "Nejčtenější", "Požár", "Kontakt"],
    ),
    "recipe-el": (
        [
            "Φασολάδα της γιαγιάς",
            "Η φασολάδα σερβίρεται με ελιές και ψωμί.",
            "Υλικά",
            "2 καρότα",
            "Εκτέλεση",
            "Τα βράζουμε για δέκα λεπτά και αλλάζουμε το νερό.",
            "Το αλάτι μπαίνει στο τέλος.",
            "Εγώ βάζω και λίγο σέλινο.",
        ],
        ["Συνταγές", "Απάντηση", "Δημοσίευση", "Πρόσφατα", "Μουσακάς"],
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_pages_of_many_kinds_are_read_as_a_reader_would(kind):
    """What an author or contributor wrote, in reading order, and nothing of what the site puts around."""
    wanted, unwanted = KINDS[kind]
    text = clean((PAGES / f"{kind}.html").read_bytes()).text
    lines = iter(text.split("\n"))
    assert [line for line in wanted if line not in lines] == []
    assert [part for part in unwanted if part in text] == []
