"""What stages write about the languages of a page, from what a method found in its blocks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki.identification.alphabet import PARTICLE_CLASS
from paberki.identification.answer import Identification
from paberki.identification.methods.japanese_share import japanese_sentence_share
from paberki.identification.scripts import NAMES
from paberki.stage import Columns
from paberki.store.blocks import KeptTexts

Ints = npt.NDArray[np.int64]
_LEAST: Final = 1e-12
_LISTED: Final = 3
_JAPANESE: Final = 0.005
_CYRILLIC, _HIRAGANA, _KATAKANA, _KANJI = (NAMES.index(name) + 1 for name in ("Cyrl", "Hira", "Kana", "Hani"))


@dataclass(frozen=True, slots=True)
class BlockLanguages:
    """Languages of the blocks that are long enough to have one."""

    rows: Ints
    """Their places among the kept blocks."""
    langs: Sequence[str | None]
    probs: Sequence[float | None]


def langdistr(logs: Iterable[tuple[str, float]]) -> str | None:
    """``bs:-0.324|hr:-0.329|sr:-0.347``: each log-probability ÷ |their sum|, likeliest first (P3 §5).

    >>> langdistr([("hr", -329.0), ("bs", -324.0), ("sr", -347.0)])
    'bs:-0.324|hr:-0.329|sr:-0.347'
    """
    ranking = sorted(logs, key=lambda item: (-item[1], item[0]))
    total = abs(math.fsum(log for _, log in ranking))
    if not ranking:
        return None
    return "|".join(f"{name}:{log / total if total else -1.0 / len(ranking):.3f}" for name, log in ranking)


def distribution(identification: Identification) -> str | None:
    """:func:`langdistr` of the likeliest languages of a page."""
    return langdistr(
        [(name, math.log(max(share, _LEAST))) for name, share in list(identification.probs.items())[:_LISTED]]
    )


def page_columns(
    texts: pa.Array,
    kept_blocks: KeptTexts,
    letters: npt.NDArray[Any],
    pages: Sequence[Identification],
    blocks: BlockLanguages,
) -> Columns:
    """All columns of the layer; ``letters`` per page and class, ``texts`` the lists of all blocks, null for no page."""
    total = np.maximum(letters[:, 1:].sum(axis=1), 1).astype(np.float64)
    particles = letters[:, PARTICLE_CLASS] / total
    missing = texts.is_null()
    columns: dict[str, Any] = {
        "lang": [page.lang for page in pages],
        "lang_p": [page.probs.get(page.lang) if page.lang else None for page in pages],
        "script": [page.script for page in pages],
        "cyrillic_num": letters[:, _CYRILLIC].tolist(),
        "cyrillic_perc": (100.0 * letters[:, _CYRILLIC] / total).tolist(),
        "langdistr": [distribution(page) for page in pages],
        "lang_probs": [[{"lang": name, "share": share} for name, share in page.probs.items()] for page in pages],
        "lang_shares": _shares(kept_blocks, pages, blocks),
        "hiragana_share": ((letters[:, _HIRAGANA] / total) + particles).tolist(),
        "katakana_share": (letters[:, _KATAKANA] / total).tolist(),
        "kanji_share": (letters[:, _KANJI] / total).tolist(),
        "particle_share": particles.tolist(),
        "japanese": (particles > _JAPANESE).tolist(),
        "japanese_sentence_share": _japanese(kept_blocks, letters),
    }
    if missing.true_count:
        for name, values in columns.items():
            columns[name] = [
                None if is_missing else value for value, is_missing in zip(values, missing.to_pylist(), strict=True)
            ]
    return {**columns, **_block_columns(texts, kept_blocks, blocks)}


def _japanese(kept_blocks: KeptTexts, letters: npt.NDArray[Any]) -> list[float | None]:
    """Share of Japanese sentences, on pages with kana."""
    shares: list[float | None] = [None] * len(letters)
    for page in np.flatnonzero(letters[:, [_HIRAGANA, _KATAKANA, PARTICLE_CLASS]].any(axis=1)).tolist():
        shares[page] = japanese_sentence_share("\n".join(kept_blocks.of_page(page)))
    return shares


def _block_columns(texts: pa.Array, kept_blocks: KeptTexts, blocks: BlockLanguages) -> dict[str, pa.Array]:
    """Lists as long as those of all blocks; null for dropped blocks and for blocks that are too short."""
    lengths = texts.value_lengths().fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    edges = np.r_[0, np.cumsum(lengths)]
    places = edges[kept_blocks.pages[blocks.rows]] + kept_blocks.numbers[blocks.rows]
    where = np.full(int(edges[-1]), -1, np.int64)
    where[places] = np.arange(len(places))
    take = pa.array(where, pa.int64(), mask=where < 0)
    offsets = pa.array(edges, pa.int32())
    mask = texts.is_null() if texts.null_count else None
    values = {
        "block_lang": pa.array(blocks.langs, pa.string()),
        "block_lang_p": pa.array(blocks.probs, pa.float32()),
    }
    return {name: pa.ListArray.from_arrays(offsets, one.take(take), mask=mask) for name, one in values.items()}


def _shares(
    kept_blocks: KeptTexts, pages: Sequence[Identification], blocks: BlockLanguages
) -> list[list[dict[str, Any]]]:
    """Characters by language, blocks without one of their own counted as the page."""
    chars = kept_blocks.char_counts().tolist()
    langs: list[str | None] = [pages[page].lang for page in kept_blocks.pages.tolist()]
    for row, lang in zip(blocks.rows.tolist(), blocks.langs, strict=True):
        langs[row] = lang
    rows: list[list[dict[str, Any]]] = []
    for page in range(len(pages)):
        counts: dict[str, int] = {}
        for row in range(int(kept_blocks.edges[page]), int(kept_blocks.edges[page + 1])):
            name = langs[row]
            if name is not None:
                counts[name] = counts.get(name, 0) + chars[row]
        total = sum(counts.values())
        ranking = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        rows.append([{"lang": name, "share": count / total} for name, count in ranking if count])
    return rows
