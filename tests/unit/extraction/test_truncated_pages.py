"""A page with more blocks than are read says so in its last block."""

from __future__ import annotations

import numpy as np
import pytest

import paberki
from paberki.extraction.extract_stage import extract_learned, extract_tagpath
from paberki.extraction.html.collector import BLOCK_LIMIT
from paberki.extraction.learned.block_classifier import LearnedConfig
from paberki.extraction.methods.block_labels import TRUNCATED, TRUNCATED_REASON
from paberki.extraction.methods.tagpath import TagPathConfig
from paberki.store.batch import Batch


def page(blocks: int) -> bytes:
    return b"<html><body>" + b"".join(b"<p>Line %d ends here.</p>" % number for number in range(blocks))


def batch_of(*pages: bytes) -> Batch:
    rows = len(pages)
    values = {
        "payload": pages,
        "decoded": [one.decode() for one in pages],
        "decode.encoding": ["utf-8"] * rows,
        "archive.mime": ["text/html"] * rows,
        "archive.url": [f"http://example.hr/{number}" for number in range(rows)],
    }
    return Batch(np.arange(rows), {}, values=values)


@pytest.mark.parametrize(
    ("stage", "config"),
    [(extract_learned, LearnedConfig()), (extract_tagpath, TagPathConfig())],
    ids=["learned", "tagpath"],
)
def test_the_last_block_of_a_page_that_is_cut_is_labelled(stage, config):
    columns = stage(batch_of(page(3), page(BLOCK_LIMIT + 1), page(BLOCK_LIMIT)), config)
    lists = columns["blocks"].to_pylist()
    assert [len(blocks) for blocks in lists] == [3, BLOCK_LIMIT, BLOCK_LIMIT]
    labels = [[block["label"] for block in blocks].count(TRUNCATED) for blocks in lists]
    assert labels == [0, 1, 0]
    assert (lists[1][-1]["label"], lists[1][-1]["reason"]) == (TRUNCATED, TRUNCATED_REASON)


def test_a_batch_without_such_a_page_knows_no_such_label():
    blocks = extract_learned(batch_of(page(3)), LearnedConfig())["blocks"].values
    assert TRUNCATED not in blocks.field("label").dictionary.to_pylist()


def test_extract_says_so_too():
    assert paberki.extract(page(BLOCK_LIMIT + 1)).blocks[-1].label == TRUNCATED
    assert TRUNCATED not in {block.label for block in paberki.extract(page(10)).blocks}
