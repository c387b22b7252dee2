"""Of equal consecutive lines one stays (P5 §3.1): blocks, lines of preformatted elements, lines of plain text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora import SENTENCES
from paberki.extraction import extract, extract_plain
from paberki.extraction.compiled.harvest import Harvest
from paberki.extraction.html.page_blocks import Block, Segmented
from paberki.extraction.methods.block_labels import BlockLabels
from paberki.extraction.repair.repeated_lines import REPEAT, label_repeats, label_repeats_of, lines_once

LINE = " ".join(SENTENCES[:3])
OTHER = " ".join(SENTENCES[3:6])


@pytest.mark.parametrize("method", ["learned", "tagpath", "justext", "perceptron", "bte"])
@pytest.mark.parametrize("between", ["</p><p>", "<br>"])
def test_equal_consecutive_lines_are_kept_once(method, between):
    lines = [LINE, OTHER, LINE, LINE, LINE, OTHER, LINE]
    page = f"<div class=main><p>{between.join(lines)}</p></div>"
    found = extract(page, method=method)
    kept = [block.text for block in found.blocks if block.kept]
    assert kept == [LINE, OTHER, LINE, OTHER, LINE]
    assert found.text.count(LINE) == 3
    assert [block.text for block in found.blocks] == lines
    assert [block.label for block in found.blocks].count(REPEAT) == 2


def test_lines_of_a_preformatted_element():
    source = f"{LINE}\n{LINE}\r\n  {LINE}\n<b>{OTHER}</b>\n\n{LINE}"
    found = extract(f"<p>{OTHER}</p><pre>{source}</pre>", method="justext").blocks[-1]
    assert (found.source or "").count(LINE) == 4
    assert found.text == f"{LINE} {OTHER} {LINE}"
    assert lines_once(f"{LINE}\n{OTHER}", f"{LINE} {OTHER}") == ()
    assert lines_once(f"{LINE}\n{LINE}<i hidden>x</i>", f"{LINE} {LINE}") == ()


def test_lines_of_plain_text():
    assert extract_plain(f"{LINE}\n{LINE}\n\n{OTHER}\n{LINE}\n{LINE}\n").text == f"{LINE}\n{OTHER} {LINE}"
    assert extract_plain(f"{LINE}\n{LINE}\n{OTHER}\n{LINE}\n").text == f"{LINE}\n{OTHER}\n{LINE}"


@given(st.lists(st.lists(st.tuples(st.sampled_from("aaabčć"), st.booleans()), max_size=8), max_size=4))
def test_a_harvest_is_labelled_like_its_pages(pages):
    harvest = Harvest()
    blocks = [[Block(text, 0, 1, "", "p", 0, 0, "text", 1.0, kept) for text, kept in page] for page in pages]
    for page in blocks:
        harvest.add_blocks(Segmented(blocks=page))
    kept = np.array([block.kept for page in blocks for block in page], np.bool_)
    zero = np.zeros(len(kept), np.int8)
    labels = label_repeats_of(harvest, BlockLabels(zero, zero.copy(), zero.astype(np.float64), kept))
    for page in blocks:
        label_repeats(page)
    assert labels.kept.tolist() == [block.kept for page in blocks for block in page]
