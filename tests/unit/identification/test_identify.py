"""Paragraphs written for this test, in languages that should be told apart."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.errors import ConfigError
from paberki.identification import identify, identify_texts
from paberki.languages.transliteration import to_cyrillic

PARAGRAPHS = {
    "hr": [
        "Jučer je u gradu otvorena nova knjižnica, a prvi su posjetitelji stigli već prije osam sati ujutro.",
        "Tijekom tjedna očekuje se promjenjivo vrijeme, no uvijek će negdje biti i sunčanih razdoblja.",
        "Tko želi sudjelovati na natjecanju, mora se prijaviti općini i priložiti liječničku potvrdu.",
        "Cijene kruha i mlijeka porasle su u siječnju, izvijestio je državni zavod, ali su niže nego u Europi.",
        "Djeca iz obje škole zajedno su posadila tisuću stabala uz rijeku koja teče kroz mjesto.",
        "Sveučilište je priopćilo da će predavanja početi tek u listopadu, nakon što se obnovi zgrada.",
    ],
    "sr": [
        "Juče je u gradu otvorena nova biblioteka, a prvi posetioci su stigli još pre osam sati ujutru.",
        "Tokom nedelje očekuje se promenljivo vreme, ali će uvek negde biti i sunčanih perioda.",
        "Ko želi da učestvuje na takmičenju, mora da se prijavi opštini i da priloži lekarsko uverenje.",
        "Cene hleba i mleka porasle su u januaru, saopštio je zavod, ali su niže nego u Evropi.",
        "Deca iz obe škole zajedno su posadila hiljadu stabala pored reke koja teče kroz mesto.",
        "Univerzitet je saopštio da će predavanja početi tek u oktobru, posle obnove zgrade.",
    ],
    "sl": [
        "Včeraj so v mestu odprli novo knjižnico, prvi obiskovalci pa so prišli že pred osmo uro zjutraj.",
        "Med tednom bo vreme spremenljivo, vendar bo kje tudi nekaj sončnih obdobij.",
        "Kdor želi sodelovati na tekmovanju, se mora prijaviti na občini in priložiti zdravniško potrdilo.",
        "Cene kruha in mleka so se januarja zvišale, a so še vedno nižje kot drugod po Evropi.",
        "Otroci iz obeh šol so skupaj posadili tisoč dreves ob reki, ki teče skozi kraj.",
    ],
    "cs": [
        "Včera byla ve městě otevřena nová knihovna a první návštěvníci přišli už před osmou hodinou ráno.",
        "Během týdne se očekává proměnlivé počasí, ale někde bude také slunečno.",
        "Kdo se chce zúčastnit soutěže, musí se přihlásit na obci a přiložit lékařské potvrzení.",
        "Ceny chleba a mléka v lednu vzrostly, jsou však stále nižší než jinde v Evropě.",
        "Děti z obou škol společně vysadily tisíc stromů podél řeky, která teče městem.",
    ],
    "de": [
        "Gestern wurde in der Stadt eine neue Bibliothek eröffnet, und die ersten Besucher kamen schon vor acht Uhr.",
        "Im Lauf der Woche wird das Wetter wechselhaft, aber es gibt auch sonnige Abschnitte.",
        "Wer am Wettbewerb teilnehmen will, muss sich bei der Gemeinde anmelden und ein Zeugnis vorlegen.",
        "Die Preise von Brot und Milch sind im Januar gestiegen, liegen aber noch unter denen der Nachbarn.",
        "Die Kinder aus beiden Schulen haben zusammen tausend Bäume am Fluss gepflanzt.",
    ],
    "en": [
        "A new library was opened in the town yesterday, and the first visitors came well before eight o'clock.",
        "The weather will be changeable during the week, but there will also be some sunny spells.",
        "Anyone who wants to take part in the contest must register and bring a note from their doctor.",
        "The prices of bread and milk went up in January, but they are still lower than in most of Europe.",
        "Children from both schools have planted a thousand trees along the river that runs through the town.",
    ],
    "ja": [
        "昨日、町に新しい図書館が開館し、八時前から多くの人が訪れました。",
        "今週は天気が変わりやすいですが、晴れる日もあるでしょう。",
        "大会に参加したい人は、役場で申し込みをしてください。",
        "一月にパンと牛乳の値段が上がったが、まだ隣の国より安い。",
        "二つの学校の子どもたちが川沿いに千本の木を植えた。",
    ],
    "sk": ["Včera bola v meste otvorená nová knižnica a prví návštevníci prišli už pred ôsmou hodinou ráno."],
    "pl": ["Wczoraj w mieście otwarto nową bibliotekę, a pierwsi goście przyszli już przed ósmą rano."],
    "hu": ["Tegnap új könyvtár nyílt a városban, és az első látogatók már reggel nyolc előtt megérkeztek."],
    "it": ["Ieri è stata aperta in città una nuova biblioteca e i primi visitatori sono arrivati prima delle otto."],
    "fr": ["Une nouvelle bibliothèque a été ouverte hier dans la ville et les premiers sont venus avant huit heures."],
    "es": ["Ayer se abrió en la ciudad una nueva biblioteca y los primeros visitantes llegaron antes de las ocho."],
    "ru": ["Вчера в городе открылась новая библиотека, и первые посетители пришли ещё до восьми часов утра."],
    "uk": ["Учора в місті відкрилася нова бібліотека, і перші відвідувачі прийшли ще до восьмої години ранку."],
    "bg": ["Вчера в града беше открита нова библиотека и първите посетители дойдоха още преди осем часа сутринта."],
    "mk": ["Вчера во градот беше отворена нова библиотека, а првите посетители дојдоа уште пред осум часот."],
    "zh": ["昨天，城里新开了一家图书馆，第一批读者早上八点之前就到了。"],
    "ko": ["어제 시내에 새 도서관이 문을 열었고 첫 방문객들은 아침 여덟 시 전에 도착했다."],
}  # fmt: skip
CASES = [(language, text) for language, texts in PARAGRAPHS.items() for text in texts]


@pytest.mark.parametrize(("language", "text"), CASES)
def test_language(language, text):
    found = identify(text)
    assert found.lang == language
    assert sum(found.probs.values()) == pytest.approx(1.0)
    assert max(found.probs, key=found.probs.__getitem__) == language


@pytest.mark.parametrize("text", PARAGRAPHS["sr"])
def test_serbian_in_cyrillic(text):
    found = identify(to_cyrillic(text.lower()))
    assert (found.lang, found.script) == ("sr", "Cyrl")


@pytest.mark.parametrize(
    ("language", "script"), [("hr", "Latn"), ("ru", "Cyrl"), ("ja", "Jpan"), ("zh", "Hani"), ("ko", "Kore")]
)
def test_script(language, script):
    assert identify(PARAGRAPHS[language][0]).script == script


@pytest.mark.parametrize("text", ["", "   ", "123 456", "a", "— … !", "\x00", "\ud800", "Xqzt wkrp"])
def test_no_evidence_no_language(text):
    found = identify(text)
    assert found.lang is None
    assert found.probs == {}


def test_capitals_and_long_texts():
    assert identify(PARAGRAPHS["hr"][0].upper()).lang == "hr"
    assert identify(" ".join(PARAGRAPHS["sl"] * 40)).lang == "sl"
    assert identify(" ".join(PARAGRAPHS["sl"] * 40).upper()).lang == "sl"


def test_choice_can_be_limited():
    text = PARAGRAPHS["hr"][0]
    assert identify(text, languages=["sr", "sl"]).lang == "sr"
    assert identify(text, languages=["ja"]).lang is None
    assert identify(PARAGRAPHS["ja"][0], languages=["hr"]).lang is None


def test_unknown_languages_are_refused():
    with pytest.raises(ConfigError, match="'xx'"):
        identify("Dobar dan", languages=["xx"])
    with pytest.raises(ConfigError, match="unknown method"):
        identify("Dobar dan", method="magic")


def test_languages_have_several_names():
    text = PARAGRAPHS["hr"][0]
    assert identify(text, languages=["hrv", "Serbian"]).lang == identify(text, languages=["hr", "sr"]).lang == "hr"


def test_bosnian_has_to_be_named():
    text = "Federalni zavod saopćio je da će sedmica biti hladna, a u općini se kahva pije prije posla."
    assert "bs" not in identify(text).probs
    assert identify(text, languages=("bs", "hr", "sr")).lang == "bs"
    assert set(identify(text, languages=("bs", "sl")).probs) <= {"bs", "sl"}


def test_the_two_norwegians():
    assert (
        identify("Jeg vet ikke hva hun heter, men hun kommer fra Bergen og snakker om fjellene hele tiden.").lang
        == "nb"
    )
    assert identify("Eg veit ikkje kva ho heiter, men ho kjem frå Bergen og snakkar om fjella heile tida.").lang == "nn"


def test_marks_may_be_missing():
    hr = "Jucer smo isli na more, ali nije bilo nikoga jer je padala kisa i puhala bura cijeli dan."
    sl = "Vceraj smo sli na morje, ampak ni bilo nikogar, ker je dezevalo in je pihala burja cel dan."
    cs = "Vcera jsme jeli k mori, ale nikdo tam nebyl, protoze cely den prselo a foukal silny vitr."
    assert [identify(text).lang for text in (hr, sl, cs)] == ["hr", "sl", "cs"]


def test_marks_may_stand_apart():
    for language in ("hr", "cs", "fr", "sk"):
        text = PARAGRAPHS[language][0]
        assert identify(unicodedata.normalize("NFD", text)) == identify(text)


@pytest.mark.parametrize(
    "noise", ["https://www.example.com/the/news/of-the-day.html", "the.editor@example.com", "12:30 4711"]
)
def test_addresses_and_figures_say_nothing(noise):
    text = "Tijekom tjedna stigla je nova pošiljka knjiga."
    assert identify(f"{noise} {text}") == identify(text)
    assert identify(f"{text} {noise}").lang == "hr"


def test_scripts_do_not_mix():
    text = PARAGRAPHS["hr"][0]
    found = identify(f"{text} Цитат: {PARAGRAPHS['ru'][0][:40]}")
    assert (found.lang, found.script) == ("hr", "Latn")


def test_many_texts_are_identified_like_one():
    texts = [text for _, text in CASES] + ["", "123", "𝄞 i to je to", "\ud800 a"]
    assert identify_texts(texts) == [identify(text) for text in texts]
    assert identify_texts([]) == []


@given(st.lists(st.text(max_size=60), max_size=6), st.sampled_from((None, ("hr", "sr"), ("bs", "ru", "ja"))))
def test_any_texts(texts, languages):
    found = identify_texts(texts, languages=languages)
    assert found == [identify(text, languages=languages) for text in texts]
    for one in found:
        assert sum(one.probs.values()) == pytest.approx(1.0 if one.lang else 0.0)
        assert not one.lang or max(one.probs, key=one.probs.__getitem__) == one.lang
        assert languages is None or set(one.probs) <= set(languages)


@pytest.mark.parametrize(
    "text", ["a" * 3_000_000, "i " * 1_000_000, "ž" * 2_000_000, "漢" * 2_000_000, "a-" * 1_000_000, "a.b" * 700_000]
)
def test_long_texts_take_linear_time(text):
    before = time.process_time()
    identify(text)
    assert time.process_time() - before < 2.0
