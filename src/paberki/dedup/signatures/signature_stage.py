"""Signatures of pages as a layer of their own: computed once, while the text is in memory.

Everything that looks for near-duplicates later reads a few hundred bytes for each page instead of its text. They also
leave the corpus (:mod:`paberki.dedup.signatures.published`), so that others can look for copies without having the texts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paberki.dedup.near.resembling_pairs import SKETCH
from paberki.dedup.signatures.shingles import (
    SECOND_TURN,
    TURN,
    Hashes,
    Ints,
    Signatures,
    TextShingles,
    make_sets,
    shingle,
    sign_once,
)
from paberki.errors import ConfigError
from paberki.stage import Columns, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import kept_texts
from paberki.store.columns import builtin

TEXT: Final = ("extract.blocks.text", "extract.blocks.kept")
ONCE_VALUES: Final = 144
"""Length of a signature for finding pages that are much alike."""
OFTEN_VALUES: Final = 100
"""Length of a signature for finding pages that are hardly alike (P5)."""
MOST_VALUES: Final = 1024
FEW: Final = 129
"""Pages with at most so many different shingles have them all in the layer: signatures are too coarse for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignaturesConfig:
    """What is kept of a page to compare it with others."""

    kind: Literal["once", "often", "rabin"] = "once"
    """once: 144 values, for high resemblances; often: as many as ``values`` says and a sketch, for low ones; rabin: 100
    Rabin fingerprints by different irreducible polynomials of degree 64, as P5 has it, slower."""
    values: int = OFTEN_VALUES
    """Length of a signature of kind often (P5: 100), beside the sketch that it has for a second look."""
    fold: bool = False
    """Without diacritics, and Serbian Cyrillic as Latin, so that copies in another spelling are found too."""

    def __post_init__(self) -> None:
        as_long_as_rabin = 2 * OFTEN_VALUES - SKETCH // 4
        if not 16 <= self.values <= MOST_VALUES or self.values == as_long_as_rabin:
            raise ValueError(
                f"signatures: values = {self.values} is not between 16 and {MOST_VALUES}, or is {as_long_as_rabin}"
            )


def texts_of_pages(batch: Batch) -> pa.StringArray:
    """The kept text of every page, one block per line."""
    kept_blocks = kept_texts(batch.arrow(TEXT[0]), batch.arrow(TEXT[1]))
    blocks = pa.ListArray.from_arrays(pa.array(kept_blocks.edges, pa.int32()), kept_blocks.texts)
    return pc.binary_join(blocks, "\n")


def _behaviour(config: SignaturesConfig) -> str:
    return "sketch and a draw of its own" if config.kind == "often" else ""


@map_stage(
    "dedup.signatures.v1", layer="signatures", needs=TEXT, adds=builtin("signatures"), config=SignaturesConfig,
    behaviour=_behaviour,
)  # fmt: skip
def signatures(batch: Batch, config: SignaturesConfig) -> Columns:
    """Min-hashes over the runs of five words of the kept text (P5 §3.4), with a digest of all words.

    Deviation: P5's own fingerprints are ``kind = "rabin"``; the others estimate the same resemblance faster.
    """
    shingles = shingle(texts_of_pages(batch), fold=config.fold)
    signature_values = sign(shingles, config.kind, config.values)
    sizes = make_sets(shingles)
    none = sizes == 0
    return {
        "shingle_count": pa.array(sizes, pa.int32()),
        "text_digest": _bytes(shingles.digests, none),
        "signature": _bytes(signature_values, none),
        "few_shingles": _few(shingles, sizes),
    }


def sign(shingles: TextShingles, kind: str, values: int = OFTEN_VALUES) -> Signatures | Hashes:
    """Signatures of one kind for shingled texts."""
    if kind == "once":
        return sign_once(shingles, ONCE_VALUES)
    if kind == "often":
        return np.hstack([sign_once(shingles, values, TURN), sketch(shingles).view(np.uint32)])
    from paberki.dedup.signatures.rabin import sign_rabin

    return sign_rabin(shingles)


def sketch(shingles: TextShingles) -> npt.NDArray[np.uint8]:
    """What a second look at two texts compares: some bits of further values, from a draw of their own."""
    return (sign_once(shingles, SKETCH, SECOND_TURN) >> np.uint32(8)).astype(np.uint8)


def _bytes(rows: Hashes | Signatures, none: np.ndarray) -> pa.Array:
    """Rows of numbers as binary values, null where a page has no words."""
    width = rows.shape[1] * rows.itemsize
    offsets = np.arange(len(rows) + 1, dtype=np.int32) * width
    array = pa.Array.from_buffers(
        pa.binary(), len(rows), [None, pa.py_buffer(offsets), pa.py_buffer(np.ascontiguousarray(rows))]
    )
    return pc.if_else(pa.array(none), pa.scalar(None, pa.binary()), array)


def _few(shingles: TextShingles, sizes: Ints) -> pa.ListArray:
    few = np.where(sizes <= FEW, sizes, 0)
    places = np.repeat(shingles.offsets[:-1] - np.r_[0, np.cumsum(few)[:-1]], few) + np.arange(few.sum())
    offsets = np.r_[0, np.cumsum(few)].astype(np.int32)
    return pa.ListArray.from_arrays(
        pa.array(offsets), pa.array(shingles.values[places], pa.uint64()), mask=pa.array((sizes > FEW) | (sizes == 0))
    )


@dataclass(frozen=True, slots=True)
class PageSignatures:
    """Signatures of the pages of a batch that have words."""

    rows: Ints
    """Which rows of the batch these are."""
    sizes: Ints
    digests: Hashes
    values: Signatures
    few: pa.ListArray


def signed_pages(batch: Batch, values: int | None = ONCE_VALUES) -> PageSignatures:
    """Read the layer back; ``values`` is how many numbers of 32 bits a signature must have, if it matters."""
    there = batch.arrow("signatures.signature").is_valid()
    rows = np.flatnonzero(there.to_numpy(zero_copy_only=False))
    take = pa.array(rows, pa.int64())
    numbers = _numbers(batch.arrow("signatures.signature").take(take), np.dtype(np.uint32))
    if values and len(rows) and numbers.shape[1] != values:
        raise ConfigError(
            f"signatures of {4 * numbers.shape[1]} bytes where {4 * values} are needed; set kind under [signatures] to "
            "what the stage that compares them takes"
        )
    return PageSignatures(
        rows,
        batch.arrow("signatures.shingle_count").take(take).to_numpy(zero_copy_only=False).astype(np.int64),
        _numbers(batch.arrow("signatures.text_digest").take(take), np.dtype(np.uint64)),
        numbers if len(rows) else np.empty((0, values or ONCE_VALUES), np.uint32),
        batch.arrow("signatures.few_shingles").take(take),
    )


def _numbers(values: pa.BinaryArray, kind: np.dtype) -> np.ndarray:
    if not len(values):
        return np.empty((0, 2), kind)
    _, offsets, data = values.buffers()
    places = np.frombuffer(offsets, np.int32, len(values) + 1, values.offset * 4)
    count = int(places[-1] - places[0]) // kind.itemsize
    return np.frombuffer(data, kind, count, int(places[0])).reshape(len(values), -1)
