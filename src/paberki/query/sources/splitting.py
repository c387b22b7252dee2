"""Tokens of corpora that are not annotated: the splitter of the language, or the one for any language."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from paberki.annotation.splitting.any_language import splitter_for
from paberki.query.sources.layers import TokenPages
from paberki.store.blocks import kept_texts


def split_pages(texts: pa.Array, are_text: pa.Array, lang: str) -> TokenPages:
    """The tokens of the kept blocks of some pages."""
    splitter, blocks = splitter_for(lang), kept_texts(texts, are_text)
    sentence_blocks, lengths, starts, ends = [], [], [], []
    counts = np.zeros(len(texts), np.int64)
    rows = zip(blocks.pages.tolist(), blocks.numbers.tolist(), blocks.texts.to_pylist(), strict=True)
    for page, number, text in rows:
        own_starts, own_ends, edges = splitter.split(text)
        if not own_starts:
            continue
        starts += own_starts
        ends += own_ends
        own = np.diff(edges).tolist()
        lengths += own
        sentence_blocks += [number] * len(own)
        counts[page] += len(own)
    return TokenPages(
        texts,
        counts,
        np.array(sentence_blocks, np.int64),
        np.array(lengths, np.int64),
        np.array(starts, np.int32),
        np.array(ends, np.int32),
    )
