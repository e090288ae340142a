"""Texts of the miniature web: short hand-written sentences in six languages, and how pages are made of them.

Invariant: the same key always gives the same text, and two keys hardly ever give the same paragraph. Each
sentence has gaps, which are filled from lists, in the grammatical case that the sentence needs. The pages
read like small real pages, because a robot that judges language and weeds out copies would throw filler text
away.
"""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

PARAGRAPHS = (3, 5)  # the fewest and the most on a page
SENTENCES = (2, 4)  # the fewest and the most in a paragraph
GAP = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Language:
    """The sentences of one language by theme, and the words that fill their gaps."""

    code: str
    themes: dict[str, tuple[str, ...]]  # the first line of a theme is its name, for titles
    gaps: dict[str, tuple[str, ...]]
    menu: tuple[str, str, str]  # home, next page, other sites
    footer: str


@dataclass(frozen=True, slots=True)
class Text:
    """The text of one page."""

    title: str
    paragraphs: tuple[str, ...]


class Dice:
    """Choices that look random and never change: the key and a counter decide."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.thrown = 0

    def throw(self, sides: int) -> int:
        self.thrown += 1
        # The low bits of a checksum of similar strings are related; a multiplication mixes them.
        mixed = zlib.crc32(f"{self.thrown}/{self.key}".encode()) * 0x9E3779B1 % 2**32
        return (mixed >> 8) % sides

    def between(self, limits: tuple[int, int]) -> int:
        return limits[0] + self.throw(limits[1] - limits[0] + 1)

    def shuffled(self, things: tuple[str, ...]) -> list[str]:
        left = list(things)
        return [left.pop(self.throw(len(left))) for _ in things]


def write(language: str, theme: str, key: str) -> Text:
    """The text of one page, decided by its key."""
    tongue, dice = LANGUAGES[language], Dice(f"{language} {theme} {key}")
    name, *sentences = tongue.themes[theme]
    supply = _filled(tongue, tuple(sentences) + tongue.themes["vse"][1:], dice)
    title = f"{name}: {next(_filled(tongue, tongue.themes['titulek'][1:], dice))}"
    return Text(title, tuple(_paragraph(supply, dice) for _ in range(dice.between(PARAGRAPHS))))


def _filled(tongue: Language, sentences: tuple[str, ...], dice: Dice) -> Iterator[str]:
    """Sentences in a shuffled order, again and again, their gaps filled anew each time."""
    while True:
        for sentence in dice.shuffled(sentences):
            yield GAP.sub(lambda gap: _fill(tongue, gap[1], dice), sentence)


def _fill(tongue: Language, gap: str, dice: Dice) -> str:
    if gap == "rok":
        return str(1851 + dice.throw(169))
    if gap == "n":
        return str(5 + dice.throw(93))
    choices = tongue.gaps[gap]
    return choices[dice.throw(len(choices))]


def _paragraph(supply: Iterator[str], dice: Dice) -> str:
    return " ".join(next(supply) for _ in range(dice.between(SENTENCES)))


def _language(code: str, themes: str, gaps: str, menu: tuple[str, str, str], footer: str) -> Language:
    """Read the notation below: `# theme: name` and its sentences; `gap: this | that`, `|` goes on."""
    parts = [part.strip().split("\n") for part in themes.split("# ")[1:]]
    read = {head.split(": ")[0]: (head.split(": ")[1], *lines) for head, *lines in parts}
    lines = (line.split(": ", 1) for line in gaps.strip().replace("\n|", " |").split("\n"))
    return Language(code, read, {name: tuple(values.split(" | ")) for name, values in lines}, menu, footer)


CZECH = _language(
    "cs",
    """
# titulek: Titulky
jak to bylo {kde} v roce {rok}
ohlédnutí za rokem {rok}
{n} zajímavostí, které se udály {kde}
co zažil {kdo} {kde}
vzpomínky, které sepsala {kdoz}
novinky {kde}
otázky a odpovědi, díl {n}
zápisník číslo {n}

# vse: Všeobecné
{Kdo} k tomu říká, že nic podobného {kde} nepamatuje.
Podrobnosti najdete v příspěvku, který {kdy} sepsala {kdoz}.
Celkem se přihlásilo {n} zájemců, což je víc, než kdokoli čekal.
Poprvé se o tom psalo v roce {rok}, tehdy ovšem jen několika řádky.
{Kdoz} proto navrhla, aby se všichni znovu sešli {kdy}.
Počasí nám přálo, a tak se {kde} sešlo přes {n} lidí.
Žluťoučký kůň sice úpěl ďábelské ódy, ale nikoho to nepřekvapilo.
Kdo má doma staré fotografie, ať je prosím přinese, rádi je okopírujeme a vrátíme.
Zbývá dodat, že vstupné je dobrovolné a děti mají vstup zdarma.

# knihovna: Knihovna
Knihovna {kde} byla založena v roce {rok} a dnes v ní najdete přes {n} tisíc svazků.
Nejčastěji se půjčují detektivky, cestopisy a knížky pro nejmenší čtenáře.
Vedoucí oddělení pro děti {kdoz} připravila výstavu ilustrací a besedu se spisovatelem.
Čtenářský průkaz vám vystavíme na počkání, stačí předložit doklad totožnosti.
Od příštího měsíce prodlužujeme otevírací dobu, v úterý budeme mít otevřeno až do sedmi.
Ztracenou knihu lze nahradit jiným výtiskem stejného vydání, případně uhradit její cenu.
{Kdo} věnoval knihovně sbírku {n} starých map a několik rukopisů.
V čítárně jsou k dispozici denní tisk, časopisy a dva počítače s připojením k internetu.
Upomínky rozesíláme poštou i elektronicky, nejdříve však po uplynutí třiceti dnů.
Při inventuře {kdy} jsme zjistili, že chybí jen {n} knih.
Babičky z čtenářského kroužku předčítají dětem pohádky každý čtvrtek odpoledne.

# noviny: Zprávy
Zastupitelé {kde} schválili rozpočet, ve kterém zbylo {n} milionů korun na opravy chodníků.
Silničáři {kdy} uzavřou most přes řeku, objížďka povede po vedlejších silnicích.
Hasiči vyjížděli k požáru stodoly, škoda podle odhadu přesáhla {n} tisíc korun.
{Kdo} obvinění odmítá a tvrdí, že všechny smlouvy jsou zveřejněné.
Nová školka pojme {n} dětí a otevře se hned první zářijový den.
Policisté hledají svědky nehody, která se stala {kdy} nedaleko nádraží.
Podle mluvčí, kterou je {kdoz}, stavba začne nejdříve příští rok.
Obyvatelé sídliště sepsali petici proti kácení lip a podepsalo ji {n} lidí.
Nezaměstnanost v kraji klesla, firmy naopak marně shánějí řemeslníky a řidiče.
Místní rybník se po letech dočkal odbahnění a na hrázi přibyly lavičky.
Soud rozhodl, že pozemek pod tržnicí patří městu.

# kuchyne: Recepty
Mouku prosejeme na vál, přidáme špetku soli a uděláme důlek, do kterého rozklepneme vejce.
Těsto necháme kynout na teplém místě asi {n} minut, dokud nezdvojnásobí svůj objem.
Cibuli nakrájíme najemno a na sádle ji osmahneme dozlatova.
Recept pochází z kuchařky, kterou {kdoz} zdědila po prababičce.
Svíčkovou omáčku je třeba propasírovat a dochutit citronem, cukrem a troškou smetany.
Švestky vypeckujeme, zalijeme rumem a necháme přes noc uležet.
Pečeme v troubě předehřáté na sto osmdesát stupňů zhruba {n} minut.
Knedlíky vkládáme do vroucí osolené vody a po chvíli je opatrně obrátíme.
{Kdo} doporučuje přidat hrst čerstvých bylinek, hlavně majoránku a petržel.
Hotový koláč posypeme drobenkou a podáváme ještě vlažný.
Polévka je nejlepší druhý den, kdy se chutě pěkně spojí.

# kronika: Kronika
Léta Páně {rok} postihla obec veliká povodeň a voda vzala {n} domů i s dobytkem.
Učitel a kronikář {kdo} zapsal, že zima toho roku trvala až do svatého Jiří.
První zmínka o tvrzi pochází z listiny, kterou dnes opatruje zemský archiv.
Po požáru byla kaple obnovena a zvon pro ni ulili {kde}.
Mlýn mlel ještě v roce {rok}, potom ho koupila rodina z vedlejší vsi.
Ve škole se tehdy topilo dřívím, které nosili žáci z domova.
Elektrické světlo se ve vsi rozsvítilo poprvé {kdy} a přišlo se podívat celé okolí.
Z první světové války se nevrátilo {n} mužů, jejich jména jsou vytesána na pomníku.
Hospodský vyprávěl, že v jeho sklepě straší, ale {kdo} mu nevěřil.
Pastvisko za potokem se rozdělilo mezi čtrnáct sedláků a tři chalupníky.
Josefínský katastr uvádí, že zde stálo {n} čísel popisných.

# priroda: Příroda
V rezervaci {kde} roste přes {n} druhů orchidejí a vzácný hořec.
Sýček obecný tu letos vyvedl mláďata, což potvrdil i {kdo}.
Louky se kosí až po odkvětu, aby rostliny stačily vysemenit.
Na jaře se v tůních rozmnožují čolci, skokani a ropuchy.
Stezka měří {n} kilometrů a vede většinou po pěšinách a lesních cestách.
Nejstarší dub v polesí pamatuje prý třicetiletou válku.
{Kdoz} pozoruje čápy od dětství a vede si o nich podrobný deník.
Vlci se do pohoří vrátili {kdy}, ovčáci si proto pořídili pastevecké psy.
Kůrovec napadl smrčiny v celém údolí a lesníci vysazují buky a jedle.
Za mlhavých rán bývá slyšet troubení jelenů až z protějšího svahu.
Potok se po revitalizaci opět klikatí a vrátili se do něj raci.

# skola: Škola
Zápis do první třídy se uskuteční {kdy} v budově školy {kde}.
Žáci deváté třídy nacvičili divadelní hru a vybrali na ní {n} tisíc korun.
Školní družina je otevřena denně od šesti hodin ráno do půl páté odpoledne.
Matematickou olympiádu vyhrál {kdo}, druhé místo obsadila jeho spolužačka.
Na výletě jsme si prohlédli jeskyně, zříceninu hradu a malou sklárnu.
Omluvenky posílejte třídní učitelce nejpozději do tří dnů.
Jídelna vaří {n} obědů denně a nově nabízí také bezmasé jídlo.
{Kdoz} vyučuje zeměpis a vede kroužek mladých cestovatelů.
Tělocvičnu čeká rekonstrukce, proto budeme cvičit hlavně venku.
Ředitelské volno vyhlašujeme na pátek po Velikonocích.

# doprava: Doprava
Autobus číslo {n} pojede po dobu výluky náhradní trasou přes náměstí.
Osobní vlak zastavuje {kde} jen na znamení.
Jízdné se od nového roku zvyšuje o {n} haléřů za kilometr.
Parní lokomotiva z roku {rok} se o víkendu vydá na zvláštní jízdu.
Strojvedoucí {kdo} jezdí na trati už třicet let a zná tu každý přejezd.
Cyklisté mohou kolo přepravit zdarma v označených vozech.
Na nádraží {kde} opravují střechu a cestující čekají v provizorní čekárně.
Noční spoje navazují na poslední příměstský vlak.
Zpoždění způsobila spadlá větev, kterou bylo nutné odřezat z trolejí.
Průvodčí {kdoz} prodává jízdenky i k navazujícím autobusům.

# zahrada: Zahrada
Rajčata vysazujeme ven, až když pominou ledoví muži.
Hnojivo z kopřiv necháme kvasit {n} dní a před zálivkou je ředíme vodou.
Jabloně prořezáváme v předjaří, dokud jsou v klidu.
{Kdoz} pěstuje {n} odrůd jiřin a hlízy na zimu ukládá do písku.
Slimáky sbíráme večer, nejlépe po dešti.
Kompost občas přeházíme, aby se k němu dostal vzduch.
{Kdo} přivezl rouby staré hrušně, která roste {kde}.
Česnek sázíme na podzim do kypré půdy, asi pět centimetrů hluboko.
Do skleníku se vejde {n} sazenic paprik a několik okurek.
Růže přihrneme zeminou a přikryjeme chvojím.

# muzeum: Muzeum
Expozice představuje {n} předmětů, které nám darovali lidé {kde}.
Restaurátor {kdo} čistil oltářní obraz déle než rok.
Nejcennějším kouskem sbírky je kožený měšec s mincemi z roku {rok}.
Komentovanou prohlídku povede historička {kdoz}.
Archeologové odkryli základy dílny a pec na vypalování keramiky.
Hodinový stroj z radnice je poprvé přístupný veřejnosti.
Depozitář se stěhuje, badatelna proto zůstane zavřená {n} dní.
Kroje si můžete nejen prohlédnout, ale i vyzkoušet.
Vitráže zhotovil mistr, jehož jméno bohužel neznáme.
Výstava byla zahájena {kdy} a potrvá do konce léta.

# hvezdy: Hvězdárna
Za jasné noci uvidíte v dalekohledu prstence Saturnu a čtyři měsíce Jupiteru.
Zatmění bude pozorovatelné {kde} krátce před západem slunce.
Hvězdář {kdo} spočítal, že kometa se vrátí nejdříve za {n} let.
Kopule má průměr osm metrů a otáčí se pomocí elektromotoru.
Meteorický roj vrcholí kolem půlnoci, není k němu třeba žádný přístroj.
{Kdoz} přednáší o proměnných hvězdách a jejich hmotnosti.
Sluneční skvrny promítáme na bílé stínítko, do dalekohledu se přímo nikdy nedívejte.
Dalekohled z roku {rok} dodnes slouží při večerech pro veřejnost.
Světelné znečištění ruší pozorování víc než mraky.
Mléčnou dráhu spatříte nejlépe na konci srpna daleko od měst.
""",
    """
kdo: Jan Vorel | Petr Havránek | Tomáš Dolejš | Miroslav Kučera | Řehoř Šimůnek | Václav Žďárský
| Ondřej Čtvrtníček | Luboš Říha
Kdo: Jan Vorel | Petr Havránek | Tomáš Dolejš | Starosta obce | Místní kronikář | Vedoucí spolku
| Učitel v penzi | Náš čtenář
kdoz: Alena Říhová | Marie Šťastná | Zdeňka Žáčková | Božena Křížová | Ludmila Ďurišová
| Eva Čechová | Hana Bělohlávková
Kdoz: Alena Říhová | Marie Šťastná | Paní ředitelka | Božena Křížová | Předsedkyně spolku
| Eva Čechová | Jedna ze sousedek
kde: v Třebíči | v Kutné Hoře | na Vysočině | v Polici nad Metují | ve Žďáře | v Jičíně | v Písku
| v Uherském Hradišti | na Šumavě | v Žatci | ve Dvoře Králové | v Litomyšli
kdy: loni na podzim | v neděli ráno | před dvěma lety | na začátku května | těsně před Vánoci
| první červnovou sobotu | minulý týden | o pouti
""",
    ("Úvod", "Další stránka", "Spřátelené stránky"),
    "Stránky spravují dobrovolníci. Připomínky nám pošlete na uvedenou adresu.",
)

SLOVAK = _language(
    "sk",
    """
# titulek: Titulky
čo sa stalo {kde} v roku {rok}
poznámky z roku {rok}
{n} rád pre návštevníkov
novinky {kde}
spomienky, ktoré napísala {kdoz}

# vse: Všeobecné
{Kdo} hovorí, že niečo také {kde} ešte nezažil.
Prihlásilo sa {n} ľudí, čo nás veľmi potešilo.
Vstupné je dobrovoľné a deti majú vstup zadarmo.
{Kdoz} preto navrhla, aby sme sa stretli znova o rok.

# kniznica: Knižnica
Knižnicu {kde} založili v roku {rok} a dnes v nej nájdete takmer {n} tisíc kníh.
Najviac sa požičiavajú rozprávky, cestopisy a historické romány.
Čitateľský preukaz vám vystavíme na počkanie, stačí občiansky preukaz.
V čitárni sú k dispozícii noviny, časopisy a dva počítače.
{Kdoz} pripravila besedu o ľudových piesňach a starých remeslách.
Stratenú knihu možno nahradiť iným výtlačkom toho istého vydania.
Knihy vracajte načas, upomienky posielame po tridsiatich dňoch.

# hory: Hory
Chodník meria {n} kilometrov a vedie cez sedlo k plesu.
V Tatrách napadol prvý sneh a vysokohorské chaty hlásia mráz.
Horský vodca {kdo} odporúča vyraziť ešte pred svitaním.
Kamzíky a svište nerušte a zo značených ciest neschádzajte.
Na hrebeni fúkal taký vietor, že sme sa museli vrátiť.
Studničku pod sedlom obnovili dobrovoľníci už v roku {rok}.
Bryndzové halušky chutia najlepšie po dlhej túre.

# obec: Obec
Obecný úrad {kde} bude v piatok pre poruchu vodovodu zatvorený.
Poslanci schválili opravu kultúrneho domu za {n} tisíc eur.
Prvá písomná zmienka o obci je z roku {rok}.
Folklórny súbor oslávil výročie a zatancoval na námestí.
Včelár {kdo} upozorňuje, že med bude tohto roku drahší.
Na cintoríne pribudlo osvetlenie a nová lavička.
Zber papiera sa uskutoční v sobotu od ôsmej ráno.
""",
    """
kdo: Ján Hríb | Peter Kováč | Ľuboš Žiak | Štefan Ďurica | Michal Hronský
Kdo: Ján Hríb | Peter Kováč | Starosta obce | Náš sused | Predseda spolku
kdoz: Mária Kráľová | Zuzana Hlaváčová | Ľubica Šoltésová | Anna Vrábľová
Kdoz: Mária Kráľová | Pani riaditeľka | Zuzana Hlaváčová | Učiteľka hudby
kde: v Levoči | v Banskej Štiavnici | na Orave | v Kežmarku | na Liptove | v Skalici | v Bardejove
""",
    ("Úvod", "Ďalšia stránka", "Priateľské stránky"),
    "Stránky spravujú dobrovoľníci. Pripomienky nám pošlite na uvedenú adresu.",
)

POLISH = _language(
    "pl",
    """
# titulek: Tytuły
co wydarzyło się {kde} w roku {rok}
notatki z roku {rok}
{n} rad dla podróżnych
nowości {kde}
wspomnienia, które spisała {kdoz}

# vse: Ogólne
{Kdo} mówi, że czegoś takiego {kde} jeszcze nie widział.
Zgłosiło się ponad {n} osób, co bardzo nas ucieszyło.
Wstęp jest wolny, a dzieci dostaną drobne upominki.
{Kdoz} zaproponowała więc, żebyśmy spotkali się znów za rok.

# biblioteka: Biblioteka
Bibliotekę {kde} założono w roku {rok}, a dziś liczy ona blisko {n} tysięcy tomów.
Najchętniej wypożyczane są kryminały, baśnie i książki podróżnicze.
Kartę czytelnika wydajemy od ręki, wystarczy dowód osobisty.
W czytelni można przejrzeć gazety, czasopisma i stare mapy.
{Kdoz} przygotowała wystawę ilustracji oraz spotkanie z pisarzem.
Zgubioną książkę można zastąpić innym egzemplarzem tego samego wydania.
Książki prosimy zwracać w terminie, gdyż czekają na nie inni.

# gory: Góry
Szlak ma {n} kilometrów i prowadzi przez przełęcz do schroniska.
W Tatrach spadł pierwszy śnieg, a łańcuchy są oblodzone.
Przewodnik {kdo} radzi wyruszyć jeszcze przed świtem.
Nie należy schodzić ze szlaku ani dokarmiać niedźwiedzi.
Na grani wiało tak mocno, że musieliśmy zawrócić.
Źródełko pod przełęczą odnowiono już w roku {rok}.
Po długiej wędrówce najlepiej smakuje żurek i oscypek.

# gazeta: Wiadomości
Radni {kde} przyjęli budżet, w którym na remont ulic zostało {n} milionów złotych.
Strażacy gasili pożar stodoły, nikt na szczęście nie ucierpiał.
Nowe przedszkole przyjmie {n} dzieci już od września.
{Kdo} odrzuca zarzuty i twierdzi, że wszystkie umowy są jawne.
Most na rzece będzie zamknięty, a objazd poprowadzono przez sąsiednią wieś.
Mieszkańcy napisali petycję przeciw wycince lip.
Zabytkowy zegar na ratuszu znów odmierza czas, pierwszy raz od roku {rok}.
""",
    """
kdo: Jan Wróbel | Piotr Żuraw | Łukasz Dąbek | Stanisław Gęsior | Michał Źródłowski
Kdo: Jan Wróbel | Piotr Żuraw | Wójt gminy | Nasz czytelnik | Prezes koła
kdoz: Maria Świątek | Zofia Różańska | Łucja Kędzior | Anna Ćwik
Kdoz: Maria Świątek | Pani dyrektor | Zofia Różańska | Nauczycielka muzyki
kde: w Łańcucie | w Cieszynie | na Podhalu | w Żywcu | w Sandomierzu | na Mazurach | w Świdnicy
""",
    ("Strona główna", "Następna strona", "Zaprzyjaźnione strony"),
    "Stronę prowadzą wolontariusze. Uwagi prosimy kierować na podany adres.",
)

GERMAN = _language(
    "de",
    """
# titulek: Titel
was {kde} im Jahr {rok} geschah
Notizen aus dem Jahr {rok}
{n} Hinweise für Besucher
Neues {kde}
Erinnerungen von {kdoz}

# vse: Allgemeines
{Kdo} sagt, so etwas habe man {kde} noch nie gesehen.
Mehr als {n} Leute haben sich angemeldet, was uns sehr gefreut hat.
Der Eintritt ist frei, und für Kinder gibt es eine kleine Überraschung.
{kdoz} schlug deshalb vor, sich im nächsten Jahr wieder zu treffen.

# bibliothek: Bibliothek
Die Bücherei {kde} wurde im Jahr {rok} gegründet und besitzt heute rund {n} tausend Bände.
Am häufigsten werden Krimis, Märchen und Reiseberichte ausgeliehen.
Den Leserausweis stellen wir sofort aus, ein Personalausweis genügt.
Im Lesesaal liegen Zeitungen, Zeitschriften und alte Landkarten aus.
{kdoz} hat eine Ausstellung über Buchmalerei vorbereitet.
Ein verlorenes Buch kann durch ein anderes Exemplar derselben Auflage ersetzt werden.
Größere Gruppen melden sich bitte einige Tage vorher an.

# wandern: Wandern
Der Weg ist {n} Kilometer lang und führt über den Sattel zur Hütte.
In den Bergen ist der erste Schnee gefallen, die Wege sind vereist.
Bergführer {kdo} rät, noch vor Sonnenaufgang aufzubrechen.
Bitte bleiben Sie auf den markierten Wegen und stören Sie die Gämsen nicht.
Auf dem Grat blies der Wind so heftig, dass wir umkehren mussten.
Die Quelle unter dem Pass wurde schon im Jahr {rok} gefasst.
Nach einer langen Tour schmecken Käsespätzle am besten.

# zeitung: Nachrichten
Der Gemeinderat {kde} hat den Haushalt beschlossen und {n} Millionen Euro für Straßen vorgesehen.
Die Feuerwehr löschte einen brennenden Schuppen, verletzt wurde niemand.
Der neue Kindergarten nimmt ab September {n} Kinder auf.
{Kdo} weist die Vorwürfe zurück und verweist auf die veröffentlichten Verträge.
Die Brücke über den Fluss bleibt gesperrt, die Umleitung führt durch das Nachbardorf.
Anwohner haben eine Petition gegen das Fällen der Linden verfasst.
Die Rathausuhr aus dem Jahr {rok} schlägt wieder zur vollen Stunde.
""",
    """
kdo: Jörg Bäumler | Peter Großmann | Günther Voß | Matthias Höfer
Kdo: Jörg Bäumler | Peter Großmann | Der Bürgermeister | Ein älterer Zuhörer
kdoz: Käthe Müller | Sabine Weiß | Ursula Röder | Annegret Schäfer
kde: in Görlitz | im Erzgebirge | in Würzburg | in Füssen | an der Mosel | in Tübingen
""",
    ("Startseite", "Nächste Seite", "Befreundete Seiten"),
    "Diese Seiten werden von Freiwilligen gepflegt. Hinweise bitte an die angegebene Adresse.",
)

ENGLISH = _language(
    "en",
    """
# titulek: Titles
what happened {kde} in {rok}
notes from the year {rok}
{n} hints for visitors
news {kde}
as remembered by {kdo}

# vse: General
{kdo} says that nothing like it has ever been seen {kde}.
More than {n} people put their names down, which pleased us a great deal.
Admission is free, and children are especially welcome.
It was therefore agreed that everybody should meet again next spring.

# library: Library
The library {kde} was founded in {rok} and now holds about {n} thousand volumes.
Detective stories, fairy tales and travel books are borrowed most often.
Reader's cards are issued while you wait, all we need is some proof of identity.
Newspapers, magazines and a few old maps are laid out in the reading room.
A lost book may be replaced with another copy of the same edition.
{kdo} has given us a collection of letters that nobody has read for a century.
Reminders are sent by post, though never before thirty days have passed.

# garden: Gardening
Tomatoes should stay under glass until the last frosts are over.
Leave the nettles to ferment for {n} days and dilute the liquid before watering.
Prune apple trees in late winter, while they are still asleep.
{kdo} grows {n} kinds of dahlia and stores the tubers in sand.
Slugs are best collected by hand in the evening, preferably after rain.
The old pear tree was planted in {rok} and still bears fruit.
Turn the compost now and then so that air can get in.

# travel: Travelling
The path is {n} miles long and crosses the ridge before it drops to the harbour.
We missed the last ferry and spent the night {kde} with a very talkative landlord.
{kdo} advises every walker to set out before sunrise.
The steam railway, opened in {rok}, runs on Sundays from April to October.
A strong wind was blowing on the moor, so we had to turn back.
The inn serves pies, thick soup and surprisingly good coffee.
Please keep to the marked paths and close the gates behind you.
""",
    """
kdo: John Hatherley | Margaret Plumb | An old shepherd | Edith Farrow | The postmaster | Oliver Wainscott
kde: in Whitby | on the Isle of Skye | near Ludlow | in the Mendip Hills | at Orford | in Hay-on-Wye
""",
    ("Home", "Next page", "Friendly sites"),
    "These pages are kept by volunteers. Please send remarks to the address given above.",
)

GREEK = _language(
    "el",
    """
# titulek: Τίτλοι
τι έγινε {kde} το {rok}
σημειώσεις από το έτος {rok}
{n} συμβουλές για επισκέπτες
νέα {kde}

# vse: Γενικά
Πάνω από {n} άνθρωποι δήλωσαν συμμετοχή και χαρήκαμε πολύ.
Η είσοδος είναι ελεύθερη και τα παιδιά είναι ευπρόσδεκτα.
Θα συναντηθούμε ξανά του χρόνου την άνοιξη.

# vivliothiki: Βιβλιοθήκη
Η βιβλιοθήκη {kde} ιδρύθηκε το {rok} και έχει σήμερα περίπου {n} χιλιάδες τόμους.
Οι αναγνώστες δανείζονται πιο συχνά παραμύθια και ταξιδιωτικά βιβλία.
Στο αναγνωστήριο θα βρείτε εφημερίδες, περιοδικά και παλιούς χάρτες.
Η κάρτα μέλους εκδίδεται αμέσως, αρκεί μια ταυτότητα.
Η έκθεση για τα παλιά χειρόγραφα άνοιξε την Κυριακή.
Το χαμένο βιβλίο μπορεί να αντικατασταθεί με άλλο αντίτυπο της ίδιας έκδοσης.
Κάθε Πέμπτη το απόγευμα διαβάζουμε ιστορίες στα παιδιά.
Ο δάσκαλος του χωριού χάρισε στη βιβλιοθήκη {n} παλιά βιβλία.
""",
    """
kde: στη Νάξο | στα Ιωάννινα | στην Κρήτη | στο Ναύπλιο | στη Λέσβο
""",
    ("Αρχική", "Επόμενη σελίδα", "Φιλικές σελίδες"),
    "Τις σελίδες φροντίζουν εθελοντές. Στείλτε μας τα σχόλιά σας.",
)

LANGUAGES = {language.code: language for language in (CZECH, SLOVAK, POLISH, GERMAN, ENGLISH, GREEK)}
