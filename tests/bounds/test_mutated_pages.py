"""Damaged pages through all kernels that read pages; ``make test`` also runs this with every array access checked.

With NUMBA_BOUNDSCHECK=1 a kernel that reads or writes outside of an array raises, which a build books on the page.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from mutated import mutated_pages

from paberki.corpus import Corpus
from paberki.dedup.repeats.word_runs import RunIndex
from paberki.dedup.signatures.shingles import utf8_bytes

STAGES = """stages = ["captures.v1", "decode.model.v1", "extract.learned.v1", "identify.general.v1", "dedup.signatures.v1",
          "quality.profile.v2", "quality.connected.v2", "quality.rules.v1", "quality.ngrams.v1", "quality.graphs.v1"]
"""


def test_no_damaged_page_makes_a_kernel_leave_its_arrays(
    corpus: Callable[..., Corpus], pages: Callable[..., Path]
) -> None:
    damaged = {f"{at:04d}.html": page for at, page in enumerate(mutated_pages(250, seed=1))}
    made = corpus(pages(0, damaged))
    made.directory.recipe.write_text(STAGES + made.directory.recipe.read_text("utf-8"), "utf-8")
    result = made.build(jobs=2, max_errors=1.0)
    assert made.sql("select id, error.stage, error.detail from pages where error is not null")[1] == []
    assert result.errors == 0


@given(st.lists(st.binary(min_size=1, max_size=12), min_size=1, max_size=6))
def test_cut_and_stray_bytes_are_read_to_their_end_and_no_further(texts: list[bytes]) -> None:
    """Bytes that are no text: the last character may be cut anywhere, and nothing follows it in memory."""
    offsets = np.r_[0, np.cumsum([len(text) for text in texts])].astype(np.int32)
    array = pa.StringArray.from_buffers(len(texts), pa.py_buffer(offsets.tobytes()), pa.py_buffer(b"".join(texts)))
    data, _ = utf8_bytes(array)
    assert len(data) >= offsets[-1]
    with RunIndex() as seen:
        assert len(seen.walk(array, np.arange(len(texts) + 1)).flags) == len(texts)
