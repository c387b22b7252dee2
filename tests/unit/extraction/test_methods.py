"""BTE, jusText, the perceptron and Victor: what they do on a page, and that hostile pages do not hurt them."""

from __future__ import annotations

import sys

import pytest

from paberki.errors import ConfigError, MissingExtra
from paberki.extraction import METHODS, extract
from paberki.extraction.html.page_blocks import Block
from paberki.extraction.html.segmenter import segment
from paberki.extraction.methods.bte import BteConfig, bte
from paberki.extraction.methods.justext import JustextConfig, cyrillic, justext, learn_stop_words, stop_words_of
from paberki.extraction.methods.perceptron import NAMES_2012, NAMES_2015, PerceptronConfig, features, perceptron
from paberki.extraction.methods.victor import VictorConfig, victor
from paberki.extraction.methods.victor import features as victor_features
from paberki.extraction.methods.victor import load as load_victor

SENTENCES = (
    "Danas je u gradu bilo lijepo vrijeme, a gosti su došli iz svih krajeva zemlje i ostali su do večeri.",
    "Rekli su da se tu nalazi ono što traže već nekoliko godina, ali nitko im nije vjerovao da je to moguće.",
    "Predsjednik društva je najavio da će se radovi nastaviti i sljedeće godine na istom mjestu kao i prije.",
)
MENU = "".join(
    f'<li><a href="/{word}">{word}</a></li>' for word in ("Vijesti", "Sport", "Kultura", "Gospodarstvo", "Kontakt")
)
PAGE = (
    f"<html lang=hr><title>Naslov</title><body><ul class=nav>{MENU}</ul><div class=main><h1>Lijepo vrijeme u gradu</h1>"
    + "".join(f"<p>{SENTENCES[n % 3]} {SENTENCES[(n + 1) % 3]} {SENTENCES[(n + 2) % 3]}</p>" for n in range(6))
    + f"</div><ul class=footer>{MENU}</ul><p>© 2020 Novine</p></body></html>"
)
TEXT_METHODS = [name for name in METHODS if name not in ("victor", "whole")]


@pytest.mark.parametrize("name", TEXT_METHODS)
def test_a_plain_article_is_found(name):
    blocks = segment(PAGE).blocks
    METHODS[name](blocks)
    kept = [block.text for block in blocks if block.kept]
    assert sum(SENTENCES[0] in text for text in kept) == 6
    menu = [
        text for text in kept if text in ("Vijesti", "Sport", "Kultura", "Gospodarstvo", "Kontakt", "© 2020 Novine")
    ]
    assert len(menu) <= (5 if name == "perceptron" else 0)  # nine numbers do not tell links
    assert all(block.label and block.reason for block in blocks)
    assert all(0.0 <= block.score <= 1.0 for block in blocks)


@pytest.mark.parametrize("name", TEXT_METHODS)
@pytest.mark.parametrize(
    "html",
    [
        "",
        "<p>",
        "<div>" * 3000 + "x",
        "<p>a" * 3000,
        "\0" * 100,
        "<p>" + "a" * 200_000,
        "<p>東京は日本の首都です。" * 50,
        "<p>1 2 3<p>©",
    ],
)
def test_odd_pages(name, html):
    blocks = segment(html).blocks
    METHODS[name](blocks)
    assert all(block.label for block in blocks)


def test_unknown_methods_are_named():
    with pytest.raises(ConfigError, match="bte"):
        extract("<p>x", method="no-such-method")


def _block(text: str, path: str = "p", links: int = 0, tags: int = 0) -> Block:
    return Block(text, 0, len(text), path, path.rpartition(">")[2], links, tags)


class TestBte:
    def test_the_window_is_that_of_brute_force(self):
        blocks = segment(PAGE).blocks
        bte(blocks)
        inside = [number for number, block in enumerate(blocks) if block.kept]
        assert inside == list(range(inside[0], inside[-1] + 1))

    def test_boilerplate_in_the_middle_stays(self):
        blocks = [_block("riječ " * 30), _block("Meni"), _block("riječ " * 30)]
        bte(blocks)
        assert [block.kept for block in blocks] == [True, True, True]

    def test_markup_characters_as_the_unit(self):
        text = _block("riječ " * 30)
        menu = Block("Meni", 2000, 2004, "li", "li", 4, 1)
        blocks = [text, menu]
        bte(blocks, BteConfig(unit="chars"))
        assert [block.kept for block in blocks] == [True, False]


class TestJustext:
    def test_both_scripts_get_the_same_labels(self):
        latin = [_block(sentence) for sentence in SENTENCES] + [_block("Vijesti", links=7), _block("Kratko")]
        cyrillic_ = [_block(cyrillic(block.text.lower()), links=block.link_chars) for block in latin]
        for blocks in (latin, cyrillic_):
            justext(blocks, JustextConfig(language="sr"))
        assert [block.kept for block in latin] == [block.kept for block in cyrillic_]
        assert cyrillic("nje ljudi džep") == "ње људи џеп"
        assert {"није", "nije"} <= stop_words_of("sr")

    def test_short_blocks_follow_their_neighbours(self):
        good = " ".join(SENTENCES[:3])
        blocks = [_block("Kratko"), _block(good), _block("Kratko"), _block(good), _block("Kratko")]
        justext(blocks, JustextConfig(language="hr"))
        assert [block.kept for block in blocks] == [False, True, True, True, False]

    def test_a_heading_before_text_stays(self):
        good = " ".join(SENTENCES[:3])
        blocks = [_block("Naslov", "h1"), _block(good)]
        justext(blocks, JustextConfig(language="hr"))
        assert blocks[0].kept
        justext(blocks, JustextConfig(language="hr", headings=False))
        assert not blocks[0].kept

    def test_stop_words_learnt_from_a_first_pass_work_for_an_unknown_language(self):
        # A language nobody has a list of: every word is spelt backwards.
        sentences = [" ".join(word[::-1] for word in text.lower().split()) for text in SENTENCES]
        words = learn_stop_words(sentences, 25)
        blocks = [_block(" ".join(sentences))]
        justext(blocks, stop_words=frozenset(words))
        assert blocks[0].kept
        assert len(words) == 25

    def test_learnt_words_count_texts_not_repeats(self):
        assert learn_stop_words(["a a a a b", "b c", "b d"], 1) == ["b"]


class TestPerceptron:
    def test_nine_features_with_their_windows(self):
        blocks = segment(PAGE).blocks
        rows = features(blocks)
        assert rows.shape == (len(blocks), len(NAMES_2012))
        assert features(blocks, "2015").shape == (len(blocks), len(NAMES_2015))
        percentiles = rows[:, 8]
        assert (percentiles[1:] > percentiles[:-1]).all()
        assert percentiles[-1] < 1.0

    def test_cutoff_decides(self):
        blocks = segment(PAGE).blocks
        perceptron(blocks, PerceptronConfig(cutoff=1.1))
        assert not any(block.kept for block in blocks)
        perceptron(blocks, PerceptronConfig(cutoff=0.0))
        assert all(block.kept for block in blocks)

    def test_2015_scores_boilerplate_and_drops_pages_with_little_text(self):
        blocks = segment(PAGE).blocks
        perceptron(blocks, PerceptronConfig(variant="2015"))
        assert sum(SENTENCES[0] in block.text for block in blocks if block.kept) == 6
        worst = max(block.score for block in blocks if SENTENCES[0] in block.text)
        assert all(block.score > worst for block in blocks if block.text == "Vijesti")
        small = segment("<p>Danas je lijepo vrijeme u gradu.").blocks
        perceptron(small, PerceptronConfig(variant="2015", cutoff=1.0))
        assert [block.reason for block in small] == ["the page has too little text"]

    def test_weights_that_are_none(self, tmp_path):
        with pytest.raises(ConfigError, match="paberki train perceptron"):
            perceptron(segment(PAGE).blocks, PerceptronConfig(weights=str(tmp_path / "none.json")))


class TestVictor:
    def test_modules_can_be_switched_off(self):
        blocks = segment(PAGE).blocks
        everything = victor_features(blocks, VictorConfig(window=0))
        content = victor_features(
            blocks, VictorConfig(window=0, markup=False, links=False, position=False, names=False, repeats=False)
        )
        assert any(one.startswith("links=") for one in everything[0])
        assert not any(
            one.startswith(("links=", "tag=", "place=", "name=", "repeated=")) for row in content for one in row
        )
        assert any(one.startswith("1:chars=") for one in victor_features(blocks, VictorConfig())[0])

    def test_bins_are_settings(self):
        blocks = [_block("abc"), _block("abcd" * 30)]
        rows = victor_features(blocks, VictorConfig(length_bins=(50.0,), window=0))
        assert [next(one for one in row if one.startswith("chars=")) for row in rows] == ["chars=0", "chars=1"]

    def test_labels_of_a_page(self):
        pytest.importorskip("pycrfsuite")
        blocks = segment(PAGE).blocks
        victor(blocks)
        assert {block.label for block in blocks} <= {"header", "text", "other"}
        assert sum(SENTENCES[0] in block.text for block in blocks if block.kept) >= 5
        assert not any(block.kept for block in blocks if block.text == "Vijesti")
        victor([])

    def test_without_the_library_it_says_what_to_install(self, monkeypatch):
        load_victor.cache_clear()
        monkeypatch.setitem(sys.modules, "pycrfsuite", None)
        with pytest.raises(MissingExtra, match=r"paberki\[victor\]"):
            victor(segment(PAGE).blocks)
