"""The normalised view: what it repairs, and above all what it leaves alone."""

from __future__ import annotations

import time

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.extraction.compiled.harvest import Harvest
from paberki.extraction.html.page_blocks import Block, Segmented
from paberki.extraction.repair.dehyphenate import PageWords, WordCounts
from paberki.extraction.repair.repaired_text import (
    ViewConfig,
    back_references,
    candidates,
    normalise,
    normalise_page,
    view_column,
)

RIGHT = [
    "Škola je počela u ponedjeljak; đaci su došli ranije, a ćevapi su se još pekli… »Dobro jutro!« – rekao je.",
    "ŠKOLA JE POČELA, ĐACI I ĆEVAPI. „ČUDO“ U ŽUPI – NAJBOLJE® OD SVEGA™",
    "Србија је у Европи; ђаци, љубав, њива, џеп. СЈАЈАН УСПЕХ, РЈЕШЕЊЕ, СЂ.",
    "Življenje v Ljubljani je drago… »Šele zdaj?« je vprašala. Čez čas – že.",
    "Příliš žluťoučký kůň úpěl ďábelské ódy. PĚŤ A PÄŤ, „NÁZEV“ ŘEČI.",
    "東京は日本の首都です。「こんにちは……」と言った。（笑）",
    "Die Größe der „Straße“ – Maß für Spaß“, Vor- und Nachteile; Ü“ und Ä“ am Ende. 50 € à 20 °C",
    "L’été… « Où est-ce ? » L’île d’Œdipe à Noël…» CAFÉ® NESTLÉ™, 1º ano, 2ª vez, NÃO”, AMANHÃ®",
    "Привет, мир! Тема С… и Р° не то. «Ёлка» – это «ель». УКРАЇНСЬКА РІЧКА, СІЛЬ.",
    "Ελλάδα: «Ωραία ημέρα»… ΆΈΉ – ναι.",
    "Ahoj & nashledanou; R&D, AT&T, a < b > c, x<y, <3, if (a<b && c>d)",
    "Pričekaj... Što?! Ma daj!!! (1.2.2020.) www.primjer.hr, Node.Js, e-mail: ime@primjer.hr, Day.Az",
]


def harvest_of(texts):
    harvest = Harvest()
    harvest.add_blocks(Segmented(blocks=[Block(text, 0, len(text), "", "p", 0, 0) for text in texts if text]))
    return harvest


@pytest.mark.parametrize("text", RIGHT)
def test_right_text_has_no_view(text):
    assert normalise(text) is None
    assert normalise_page([text, text.lower(), text.upper()])[0] is None


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("naÄŤin i moguÄ‡nost", "način i mogućnost"),
        ("Ĺˇto moĹľe ĹľivotiÄ‘", "što može životiđ"),
        ("Itâ€™s fine â€“ really â€œgoodâ€\x9d", "It’s fine – really “good”"),
        ("cafÃ© Ã la carte, Ã©tÃ©", "café à la carte, été"),
        ("Ð¿Ñ€Ð¸Ð²ÐµÑ‚ Ð¼Ð¸Ñ€", "привет мир"),
        ("РїСЂРёРІРµС‚ РјРёСЂ РґРµР»Р°", "привет мир дела"),
        ("ã‚³ãƒ³ãƒ”ãƒ¥ãƒ¼ã‚¿", "コンピュータ"),
        ("jeÃ…Â¾ i kuÃ„Â‡a", "jež i kuća"),
        ("20Â°C, Â© 2010", "20°C, © 2010"),
        ("Dobro.Â  Idemo", "Dobro. Idemo"),
        ("that\x92s \x93it\x94", "that’s “it”"),
        ("Tom &amp;amp; Jerry&nbsp;&eacute;", "Tom & Jerry é"),
        ("prvi&lt;br&gt;drugi", "prvi drugi"),
        ("<p>Ein <b>gutes</b> Wort.</p>", "Ein gutes Wort."),
        ("Dobro!!!!!!! Ne...... -----", "Dobro!!! Ne... ---"),
        ("Ne?!?!?!?!?!", "Ne?!?!"),
        ("Kom\u00adpe\u00adtenz", "Kompetenz"),
        ("isto\nisto\ndrugo\nisto", "isto\ndrugo\nisto"),
    ],
)
def test_repairs(wrong, right):
    assert normalise(wrong) == right
    assert normalise(right) is None


@pytest.mark.parametrize(
    "text",
    ["Use the <br> tag for a new line.", "The f****** thing", "You may use these: <a> <b> <i> HTML", "a &foo; b &lt b"],
)
def test_what_is_spoken_of_stays(text):
    assert normalise(text) is None


@pytest.mark.parametrize(
    ("text", "stripped"),
    [
        ("Prva klasa <br> druga class <b>važno", "Prva klasa druga class važno"),
        ("Naslov<b>važno", "Naslovvažno"),
        ("Kemijski elementi<br>Vodik je element<br/>Kisik", "Kemijski elementi Vodik je element Kisik"),
        ("Tags: <a href=\"/x\">sport</a>, <a href='/y'>nogomet</a>", "Tags: sport, nogomet"),
        (
            "This class <strong>starts</strong> at 9 and the function <i>hall</i> is open",
            "This class starts at 9 and the function hall is open",
        ),
        ("Text <o:p></o:p> i <st1:place>Zagreb</st1:place>", "Text i Zagreb"),
        ('kraj <a href="http://x.hr/abc', "kraj"),
        ('<span style="color:red">Novo u ponudi', "Novo u ponudi"),
        ("</div>Hvala", "Hvala"),
        (
            "HTML tečaj počinje u ponedjeljak.<br>Prijave su otvorene.",
            "HTML tečaj počinje u ponedjeljak. Prijave su otvorene.",
        ),
        ('<font face="Arial">Our school markup on prices</font> <br /> see', "Our school markup on prices see"),
        ("Vidi <u>element</u> i <em>atribut</em>.", "Vidi element i atribut."),
        ("prvi <br>drugi <br>treći, <br>četvrti", "prvi drugi treći, četvrti"),
        ("A <br> and <br> B", "A and B"),
    ],
)
def test_literal_tags_go(text, stripped):
    assert normalise(text) == stripped


@pytest.mark.parametrize(
    "text",
    [
        "Use the <br> tag for a new line.",
        "You may use these: <a> <b> <i> HTML",
        "The <b> tag makes text bold; use <strong> in HTML instead",
        "Oznaka <p> označava odlomak, a <br> novi red.",
        'In HTML, write "<b>" before the word.',
        'You may use these HTML tags and attributes: <a href="" title=""> <abbr title=""> <b> <blockquote cite="">',
        "Značky <b>, <i> a <u> se používají v HTML.",
        'document.write("<b>" + x + "</b>");',
        "std::vector<object> v; v.push_back();",
        "<br>タグを使います。",
        "Der Befehl `<hr>` erzeugt eine Linie.",
        "a < b > c, x<y, <3",
        'Wrap it in a <div> element with class "x", then close the </div> element.',
    ],
)
def test_a_text_about_markup_stays(text):
    assert normalise(text) is None


def test_many_literal_tags_take_linear_time():
    begin = time.process_time()
    normalise(" <b> <i>" * 20_000 + "</b></i>")
    assert time.process_time() - begin < 2.0


def test_every_part_can_be_switched_off():
    text = "Ä‡evap &amp;amp; <b>to</b>!!!!! \x93 Kom\u00adpas\nKompas"
    off = ViewConfig(
        references=False, mojibake=False, controls=False, tags=False, punctuation=0, lines=False, hyphens=False,
        run_ons=False,
    )  # fmt: skip
    assert normalise(text, off) is None
    assert normalise(text) == "ćevap & to!!! “ Kompas\nKompas"


def test_torn_words_are_joined_when_the_page_knows_the_whole():
    page = ["Die Infor- mation kam.", "Eine Information.", "Vor- und Nachteile und", "Ein Haus- Tor, das Haus-Tor."]
    assert normalise_page(page) == ["Die Information kam.", None, None, "Ein Haus-Tor, das Haus-Tor."]


def test_run_on_sentences_need_words_on_both_sides():
    page = ["Sve je dobro.Idemo dalje, sve je dobro.", "Idemo sada.", "Vidi forms.Form(x) i Form forms", "lijepo.Kuda"]
    assert normalise_page(page) == ["Sve je dobro. Idemo dalje, sve je dobro.", None, None, None]


@given(st.lists(st.text("abÄć-_1 .\n", max_size=30), max_size=4), st.sampled_from(["a", "ab", "a-b", "ab-", "ć", "Ä"]))
def test_words_of_a_page_are_counted_as_in_a_list_of_words(texts, word):
    assert PageWords(texts)[word] == WordCounts.of(["\n".join(texts)])[word]


def test_repeats_point_back():
    assert back_references(["naslov", "tekst", "naslov", "a", "a", "tekst"]) == [None, None, 0, None, None, 1]


def test_the_column_of_a_batch_is_that_of_its_pages():
    pages = [RIGHT, ["Die Infor- mation.", "Information"], [], ["kuÄ‡a", "x!!!!!", "rad.Posao rad", "Posao"]]
    texts = [text for page in pages for text in page]
    edges = [0]
    for page in pages:
        edges.append(edges[-1] + len(page))
    found = candidates(harvest_of(texts)).tolist()
    assert len(found) < len(texts)
    column = view_column(pa.array(texts, pa.string()), edges, found)[0].to_pylist()
    assert column == [view for page in pages for view in normalise_page(page)]
    assert sum(view is not None for view in column) == 4


@given(
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60)
    | st.text("Ä‡Ĺˇâ€™&<>;ampbr!-. \x80\xad", max_size=40)
    | st.text("abA.!?…)”- \u2010𝐚𝐀", max_size=40)
)
def test_any_text_is_safe_and_the_filter_misses_no_view(text):
    if normalise(text) is not None or normalise_page([text, *(text + " x").split()])[0] is not None:
        assert 1 in candidates(harvest_of(["abc", text, "abc"]))


@pytest.mark.parametrize(
    "text",
    ["<" * 190_000, "&" * 190_000, "<script>" * 20_000, "Ä‡" * 60_000, "a- b" * 40_000, "!?" * 90_000, "<a " * 60_000,
     "<!--" * 40_000, "aa.Bb" * 60_000, "&amp;" * 60_000],
)  # fmt: skip
def test_hostile_text_takes_linear_time(text):
    began = time.process_time()
    normalise_page([text])
    assert time.process_time() - began < 20
