"""Never empty: pages that hide their text are read again, and say so."""

from __future__ import annotations

import json
from html import unescape
from pathlib import Path

import numpy as np
import pytest

import paberki
from corpora import SENTENCES
from paberki.extraction.compiled.origins import PageSource
from paberki.extraction.extract_stage import extract_learned
from paberki.extraction.html.stated_text import with_stated_text, without_escapes
from paberki.extraction.learned.block_classifier import LearnedConfig
from paberki.extraction.learned.features import NAMES
from paberki.extraction.learned.second_look import FRAMES, HIDDEN, LINKS, PROSE, STATED, UNCLOSED, prose_left_out
from paberki.store.batch import Batch

PARAGRAPHS = "".join(f"<p>{one} {other}</p>\n" for one in SENTENCES[:4] for other in SENTENCES[4:6])
STATED_TEXT = json.dumps("\n\n".join(SENTENCES[:6]), ensure_ascii=False).replace("ž", r"\u017e").replace("č", r"\u010d")
SCRIPT = (
    f'<script type="application/ld+json">{{"@type": "NewsArticle", "articleBody": {STATED_TEXT}, "name": "x"}}</script>'
)
PAGES = {
    UNCLOSED: f"<html><head><title>Članak</titl</head><body><h1>Ć</h1>{PARAGRAPHS}</body></html>",
    HIDDEN: f'<html><body><div id=app></div><div hidden id="S:0">{PARAGRAPHS}</div></body></html>',
    FRAMES: f"<html><frameset><frame src=a.htm><noframes><body>{PARAGRAPHS}</body></noframes></frameset></html>",
    STATED: f"<html><head>{SCRIPT}<title>Članak</title></head><body><div id=app></div></body></html>",
    LINKS: f'<html><body><a href="index.htm">Naslovnica<br>{"<br>".join(SENTENCES[:6])}</body></html>',
}


def batch(pages: list[str], encoding: str = "utf-8") -> Batch:
    values = {
        "payload": [page.encode(encoding) for page in pages],
        "decoded": pages,
        "decode.encoding": [encoding] * len(pages),
        "archive.mime": ["text/html"] * len(pages),
        "archive.url": [f"http://a.hr/{number}" for number in range(len(pages))],
    }
    return Batch(np.arange(len(pages)), {}, values=values)


@pytest.mark.parametrize("way", PAGES)
def test_text_is_found_and_the_page_says_how(way: str) -> None:
    page = paberki.extract(PAGES[way])
    assert page.fallback == way
    assert all(one in page.text for one in SENTENCES[:6])


def test_a_long_page_within_one_link_is_read_to_its_end() -> None:
    paragraphs = [f"{one} {other}" for one in SENTENCES[:6] for other in SENTENCES[:6]]
    page = paberki.extract(f'<html><body><a href="index.htm">Naslovnica<p>{"<p>".join(paragraphs)}</body></html>')
    assert page.fallback == LINKS
    assert page.text.split("\n")[-len(paragraphs) :] == paragraphs


@pytest.mark.parametrize("encoding", ["utf-8", "cp1250", "utf-16-le"])
def test_places_in_the_payload_stay_what_they_are(encoding: str) -> None:
    pages = [f"<html><body><div class=text>{PARAGRAPHS}</div></body></html>", *PAGES.values()]
    columns = extract_learned(batch(pages, encoding), LearnedConfig())
    assert columns["extract_fallback"].to_pylist() == [None, *PAGES]
    for page, blocks in zip(pages, columns["blocks"].to_pylist(), strict=True):
        payload = page.encode(encoding)
        texts = [
            (block["text"], unescape(without_escapes(payload[block["start"] : block["end"]].decode(encoding))))
            for block in blocks
            if block["kept"]
        ]
        assert sum(text == source for text, source in texts) >= 5


def test_characters_of_stated_text_are_found_in_its_script() -> None:
    payload = PAGES[STATED].encode()
    block = next(block for block in paberki.extract(payload).blocks if "Ž" in block.text or "ž" in block.text)
    at = block.text.lower().index("ž")
    begins, ends = PageSource(payload, "utf-8").byte_spans(
        block.start, block.end, block.text, np.array([at]), np.array([at + 1])
    )
    assert payload[begins[0] : ends[0]] == rb"\u017e"


def test_stated_text_takes_the_place_of_its_escapes() -> None:
    escaped = r"<b>Ana<\/b> i \"on\" \u2013 a\/b\tc \ud83d\ude00"
    assert without_escapes(escaped) == "<b>Ana</b > i ''on'' &#8211 a/ b  c " + 12 * " "
    page = PAGES[STATED]
    assert len(with_stated_text(page).encode()) == len(page.encode())
    for other in ("", page.replace("articleBody", "about"), page.replace('"@type"', '"--"')):
        assert with_stated_text(other) == other


def test_a_page_that_gives_enough_is_not_asked_what_it_states() -> None:
    assert paberki.extract(f"<html><head>{SCRIPT}</head><body>{PARAGRAPHS}</body></html>").fallback is None


def test_a_long_menu_is_not_the_text_of_a_page_that_hides_it() -> None:
    menu = "<br>".join(
        f'<a href="p{number}.htm">{word.capitalize()}</a>' for number, word in enumerate(SENTENCES[0].split() * 3)
    )
    page = paberki.extract(f"<html><body bgcolor=white><div>{menu}</div><div hidden>{PARAGRAPHS}</div></body></html>")
    assert page.fallback == HIDDEN
    assert all(one in page.text for one in SENTENCES[:6])


def test_pages_with_enough_or_no_text_are_left_alone() -> None:
    plain = f"<html><body><div hidden>{PARAGRAPHS}</div><div class=text>{PARAGRAPHS.replace('da', 'DA')}</div></body></html>"
    assert paberki.extract(plain).fallback is None
    empty = paberki.extract("<html><head><title>x</head><body><noscript>Enable JavaScript.</noscript></body></html>")
    assert (empty.fallback, empty.text) == (None, "")


def test_prose_that_was_left_out_is_the_last_resort() -> None:
    features = np.zeros((10, len(NAMES)), np.float32)
    features[:, NAMES.index("words")], features[:, NAMES.index("ends_sentence")] = 40, 1.0
    features[9, NAMES.index("in_footer")] = 1.0
    lengths, nothing = np.full(10, 250, np.int32), np.zeros(10, bool)
    prose = prose_left_out(features, lengths, nothing)
    assert prose is not None
    assert prose.tolist() == [True] * 9 + [False]
    assert prose_left_out(features, lengths, np.arange(10) < 2) is None
    assert PROSE


def test_explain_says_it(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGES[FRAMES], "utf-8")
    corpus = paberki.new(tmp_path / "hr", lang="hr")
    recipe = corpus.directory.recipe
    recipe.write_text('remove = ["annotate.v1"]\n' + recipe.read_text("utf-8"), "utf-8")
    corpus.add([tmp_path / "page.html"])
    corpus.build(jobs=1)
    from paberki.report.one_page.explain import explain

    explanation = explain(corpus.directory, corpus.plan(), corpus.decisions(), "000000000")
    assert explanation.extraction["fallback"] == FRAMES
    assert any("second look" in line and FRAMES in line for line in explanation.lines())
