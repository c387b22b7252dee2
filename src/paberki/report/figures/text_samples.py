"""Samples of texts: some that are kept and some for each reason why pages are left out, so that rules can be judged."""

from __future__ import annotations

import heapq
from hashlib import blake2b
from typing import Any, Final

from paberki.report.page_counts import Counter
from paberki.report.section import Section
from paberki.store.reading import TEXT, read_chunks

SEED: Final = 1
_EACH: Final = 3
_CHARS: Final = 280
_KEPT: Final = "kept"


def samples_section(counter: Counter, *, seed: int = SEED) -> Section:
    """Three pages of each reason, drawn by a hash of their keys."""
    samples = _sample_keys(counter, seed)
    texts = _texts(counter, {key for keys in samples.values() for key, _, _ in keys})
    rows = [
        {"reason": reason, "id": page, "url": url, "text": texts.get(key, "")[:_CHARS]}
        for reason, keys in sorted(samples.items(), key=lambda one: (one[0] != _KEPT, one[0]))
        for key, page, url in keys
    ]
    caption = f"Up to {_EACH} pages for each reason, drawn at random (seed {seed}), with the beginning of their text."
    return Section("samples", "Samples", caption, {"seed": seed}, rows)


def _sample_keys(counter: Counter, seed: int) -> dict[str, list[tuple[str, str, str]]]:
    """Key, id and address of the pages that are shown, by reason."""
    best: dict[str, list[tuple[int, str, str, str]]] = {}
    for key, page, url, keep, reason in counter.stream("SELECT key, id, url, keep, reason FROM pages"):
        why = _KEPT if keep else reason or "error"
        rank = -int.from_bytes(blake2b(f"{seed} {key}".encode(), digest_size=8).digest(), "big")
        heap = best.setdefault(why, [])
        if len(heap) < _EACH:
            heapq.heappush(heap, (rank, key, page, url or ""))
        elif rank > heap[0][0]:
            heapq.heapreplace(heap, (rank, key, page, url or ""))
    return {why: [(key, page, url) for _, key, page, url in sorted(heap)] for why, heap in best.items()}


def _texts(counter: Counter, keys: set[str]) -> dict[str, str]:
    """The beginning of the text of some pages: the selected one, or all blocks where nothing is selected."""
    if not counter.has("blocks", "block_keep"):
        return {}
    texts: dict[str, str] = {}
    key_list = ", ".join(f"'{key}'" for key in sorted(keys) if key.isalnum())
    if not key_list:
        return {}
    for chunk in read_chunks(counter.table, ["key", TEXT, "blocks"], where=f"key in ({key_list})", kept=False):
        row: dict[str, Any]
        for row in chunk.to_pylist():
            text = row[TEXT] or " ".join(block["text"] for block in row["blocks"] or ())
            texts[row["key"]] = " ".join(text[: 4 * _CHARS].split())
    return texts
