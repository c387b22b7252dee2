"""P1's weighting, by hand, and what counts as a paragraph."""

import pytest

from paberki.decoding import decode
from paberki.errors import ConfigError
from paberki.extraction import Block, extract, extract_decoded, extract_plain
from paberki.extraction.methods.tagpath import TagPathConfig, tagpath, well_formed


def block(path, length, link_chars=0):
    words = "A " + "bbb " * 40
    return Block(words[: length - 1].rstrip().ljust(length - 1, "x") + ".", 0, 0, path, "p", link_chars, 0)


def test_weights_by_hand():
    """Weights: 100/1, then 160·(1-80/160)/2 = 40, then 90/2 = 45, then 60/3 = 20, then 80/3."""
    blocks = [block("a", 100), block("b", 160, 80), block("b", 90), block("c", 60), block("b", 80)]
    tagpath(blocks)
    total = 100 + 40 + 45 + 20 + 80 / 3
    assert [item.score for item in blocks] == pytest.approx(
        [100 / total, (85 + 80 / 3) / total, (85 + 80 / 3) / total, 20 / total, (85 + 80 / 3) / total]
    )
    assert [item.kept for item in blocks] == [False, True, True, False, True]
    assert [item.label for item in blocks] == ["boilerplate", "text", "text", "boilerplate", "text"]
    assert [item.reason for item in blocks] == [
        "other path",
        "winning path",
        "winning path",
        "other path",
        "winning path",
    ]


def test_earlier_paths_weigh_more():
    blocks = [block("a", 100), block("b", 150)]
    tagpath(blocks)
    assert [item.kept for item in blocks] == [True, False]


def test_only_analysed_paragraphs_of_the_winner_are_kept():
    menu = Block("Naslovnica", 0, 10, "a", "p", 0, 0)
    blocks = [menu, block("a", 100)]
    tagpath(blocks)
    assert (menu.kept, menu.reason, menu.score) == (False, "not a well-formed paragraph", 0.0)


def test_nothing_but_links_is_no_text():
    blocks = [block("a", 100, 100)]
    tagpath(blocks)
    assert (blocks[0].kept, blocks[0].reason) == (False, "nothing but links")
    tagpath([])


@pytest.mark.parametrize(
    "text",
    [
        "Jučer je u gradu otvorena nova izložba starih knjiga.",
        "„Nije mi žao što smo danas izgubili tu utakmicu.“",
        "1998. godine je selo imalo više stanovnika nego danas!",
        "Što će biti s nama kad sve ovo jednom prođe?)",
        "昨日、東京で古い本の展示会が開かれました。",
    ],
)
def test_well_formed(text):
    assert well_formed(text, TagPathConfig())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Kratka rečenica.",
        "nastavak rečenice koji počinje malim slovom i ima dosta riječi.",
        "Jučer je u gradu otvorena nova izložba starih knjiga",
        "本です。",
        ".",
        '"',
    ],
)
def test_not_well_formed(text):
    assert not well_formed(text, TagPathConfig())


PAGE = """<html lang=hr><body><div id=menu><p><a href=/>Naslovnica</a></p></div><div id=text>
<p>Jučer je u gradu otvorena nova izložba starih knjiga.</p><p>Kratko.</p>
<p>Posjetitelji mogu besplatno razgledati sve izloške do kraja mjeseca.</p></div>
<div id=foot><p>Sva prava pridržana, a sadržaj se ne smije dalje prenositi.</p></div>"""


def test_extract_keeps_the_paragraphs_of_the_text():
    found = extract(PAGE.encode(), url="https://example.hr/", method="tagpath")
    assert found.text.split("\n") == [
        "Jučer je u gradu otvorena nova izložba starih knjiga.",
        "Posjetitelji mogu besplatno razgledati sve izloške do kraja mjeseca.",
    ]
    assert (found.declared_language, found.url, found.encoding) == ("hr", "https://example.hr/", "utf-8")


def test_strings_bytes_and_decoded_pages_give_the_same():
    payload = PAGE.encode("cp1250")
    assert extract(payload) == extract(payload, encoding="cp1250") == extract_decoded(payload, decode(payload))
    assert extract(PAGE) == extract(PAGE.encode())


def test_plain_text_is_kept_whole():
    found = extract_plain("\ufeffjedan\n\ndva č".encode())
    assert found.text == "jedan\ndva č"
    assert [(item.start, item.end) for item in found.blocks] == [(3, 8), (10, 16)]


def test_unknown_methods_are_refused_with_a_list():
    with pytest.raises(ConfigError, match="tagpath"):
        extract("<p>x", method="magic")
