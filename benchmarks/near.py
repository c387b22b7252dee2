"""Near-duplicates: paberki beside datasketch, rensa and gaoya on the same texts in the same process.

    python benchmarks/near.py [--limit N]

Texts with exact resemblances of all pairs are read from $PABERKI_DATA/dedup (dev.jsonl.xz, dev.pairs.npy.xz). For each
method: recall and precision of the pairs it tells at .8, texts left beside a twin, texts removed without one, and texts
per CPU second. The peers get their shingles from the usual regular expression.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import re
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import paberki

DATA = Path(os.environ.get("PABERKI_DATA", "../shared/data")) / "dedup"
WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
Pairs = set[tuple[int, int]]


def shingles(text: str) -> set[str]:
    words = WORD.findall(text.lower())
    return {" ".join(words[at : at + 5]) for at in range(max(1, len(words) - 4))} if words else set()


def ours(texts: list[str]) -> Pairs:
    return {(i, j) for i, j, _ in paberki.near_duplicates(texts, threshold=0.8).pairs()}


def datasketch(texts: list[str], threshold: float = 0.8) -> Pairs:
    from datasketch import MinHash, MinHashLSH

    index, found = MinHashLSH(threshold=threshold, num_perm=128), set()
    for number, text in enumerate(texts):
        mine = MinHash(num_perm=128)
        mine.update_batch([one.encode() for one in shingles(text)])
        found |= {(other, number) for other in index.query(mine)}
        index.insert(number, mine)
    return found


def rensa(texts: list[str]) -> Pairs:
    from rensa import RMinHash, RMinHashLSH

    index, found = RMinHashLSH(threshold=0.8, num_perm=128, num_bands=16), set()
    for number, text in enumerate(texts):
        mine = RMinHash(num_perm=128, seed=42)
        mine.update(list(shingles(text)))
        found |= {(other, number) for other in index.query(mine)}
        index.insert(number, mine)
    return found


def gaoya(texts: list[str]) -> Pairs:
    from gaoya.minhash import MinHashStringIndex

    index, found = (
        MinHashStringIndex(
            hash_size=32,
            jaccard_threshold=0.8,
            num_bands=14,
            band_size=8,
            analyzer="word",
            lowercase=True,
            ngram_range=(5, 5),
        ),
        set(),
    )
    for number, text in enumerate(texts):
        found |= {(other, number) for other in index.query(text) if other != number}
        index.insert_document(number, text)
    return found


def measure(name: str, run: Callable[[list[str]], Pairs], texts: list[str], gold: Pairs) -> float | None:
    before = sum(os.times()[:4])
    began = time.perf_counter()
    try:
        found = run(texts)
    except ImportError:
        print(f"{name:12} not installed: pip install paberki[bench]")
        return None
    rate = len(texts) / max(sum(os.times()[:4]) - before, 1e-9)
    heads = np.arange(len(texts))
    for i, j in sorted(found):
        heads[heads == heads[j]] = heads[i] if heads[i] <= heads[j] else heads[j]
    keep = heads == np.arange(len(texts))
    partners = {text for pair in gold for text in pair}
    leak = len({j for i, j in gold if keep[i] and keep[j]})
    over = sum(1 for text in np.flatnonzero(~keep).tolist() if text not in partners)
    recall, precision = len(found & gold) / max(1, len(gold)), len(found & gold) / max(1, len(found))
    print(
        f"{name:12} recall {recall:.4f}  precision {precision:.4f}  left {leak:5}  wrongly removed {over:5}  "
        f"{rate:8,.0f} texts per CPU second  ({time.perf_counter() - began:.1f} s)"
    )
    return rate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--limit", type=int, default=None, help="take only so many texts")
    limit = parser.parse_args().limit
    if not DATA.is_dir():
        raise SystemExit(f"{DATA} is not there; set PABERKI_DATA")
    with lzma.open(DATA / "dev.jsonl.xz", "rt", encoding="utf-8") as file:
        texts = [json.loads(line)["text"] for line in file][:limit]
    with lzma.open(DATA / "dev.pairs.npy.xz") as file:
        packed, sizes = np.load(file), np.load(file)
    left, right = packed[0].cumsum(), packed[1]
    alike = packed[2] / (sizes[left] + sizes[right] - packed[2])
    chosen = (alike >= 0.8) & (left < len(texts)) & (right < len(texts))
    gold = {(min(i, j), max(i, j)) for i, j in zip(left[chosen].tolist(), right[chosen].tolist(), strict=True)}
    print(f"{len(texts)} texts, {len(gold)} pairs with a resemblance of at least .8")
    paberki.near_duplicates(texts[:10])  # loads the compiled part
    own = measure("paberki", ours, texts, gold)
    for name, run in (("datasketch", datasketch), ("rensa", rensa), ("gaoya", gaoya)):
        rate = measure(name, run, texts, gold)
        if rate and own:
            print(f"{'':12} paberki is {own / rate:.1f} times as fast")


if __name__ == "__main__":
    main()
