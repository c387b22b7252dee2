"""Near-duplicates: paberki beside datasketch, rensa, gaoya, datatrove and text-dedup's formula on the same texts.

    python benchmarks/near.py [--limit N]           high resemblances, beside the peers
    python benchmarks/near.py --low [--limit N]     resemblances from .05 on, as in P5, beside datasketch
    python benchmarks/near.py --draws               the same with twenty other draws of signatures
    python benchmarks/near.py --matching            a million signatures of 100 values on disk, matched
    python benchmarks/near.py --paragraphs          onion's rule over all texts
    python benchmarks/near.py --growth 100000       time and memory from 10,000 texts to so many
    python benchmarks/near.py --odd 1000000         empty, equal and endless texts
    python benchmarks/near.py --incremental 20000   a hundredth of the pages added to a corpus, against all at once
    python benchmarks/near.py --build               all texts as pages of a corpus: pairs left, pages left out without a twin

Texts with exact resemblances of all pairs are read from $PABERKI_DATA/dedup (dev.jsonl.xz, dev.pairs.npy.xz). For each
method: recall and precision of the pairs it tells at .8, texts left beside a twin, texts removed without one, and texts
per CPU second. The peers get their shingles from the usual regular expression.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

import paberki
import paberki.corpus

DATA = Path(os.environ.get("PABERKI_DATA", "../shared/data")) / "dedup"
WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
ANY_TEXT = ("other-language", "not-connected", "too-short")
"""Rules that made-up words would not pass."""
BANDS = ((0.05, 0.1), (0.1, 0.2), (0.2, 1.01))
Pairs = set[tuple[int, int]]


def shingles(text: str) -> set[str]:
    words = WORD.findall(text.lower())
    return {" ".join(words[at : at + 5]) for at in range(max(1, len(words) - 4))} if words else set()


def ours(texts: list[str]) -> Pairs:
    return {(i, j) for i, j, _ in paberki.near_duplicates(texts, threshold=0.8).pairs()}


def datasketch(texts: list[str], threshold: float = 0.8) -> Pairs:
    from datasketch import MinHash, MinHashLSH

    index, pairs = MinHashLSH(threshold=threshold, num_perm=128), set()
    for number, text in enumerate(texts):
        mine = MinHash(num_perm=128)
        mine.update_batch([one.encode() for one in shingles(text)])
        pairs |= {(other, number) for other in index.query(mine)}
        index.insert(number, mine)
    return pairs


def rensa(texts: list[str]) -> Pairs:
    from rensa import RMinHash, RMinHashLSH

    index, pairs = RMinHashLSH(threshold=0.8, num_perm=128, num_bands=16), set()
    for number, text in enumerate(texts):
        mine = RMinHash(num_perm=128, seed=42)
        mine.update(list(shingles(text)))
        pairs |= {(other, number) for other in index.query(mine)}
        index.insert(number, mine)
    return pairs


def gaoya(texts: list[str]) -> Pairs:
    from gaoya.minhash import MinHashStringIndex

    index, pairs = (
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
        pairs |= {(other, number) for other in index.query(text) if other != number}
        index.insert_document(number, text)
    return pairs


def text_dedup(texts: list[str]) -> Pairs:
    """The formula of text-dedup's MinHash: 25 bands of 9 rows, 240 permutations, on numpy as it has it."""
    prime = np.uint64((1 << 61) - 1)
    some = np.random.RandomState(42)
    a = some.randint(1, int(prime), 240, dtype=np.uint64)
    b = some.randint(0, int(prime), 240, dtype=np.uint64)
    tables: list[dict[bytes, list[int]]] = [{} for _ in range(25)]
    pairs: Pairs = set()
    for number, text in enumerate(texts):
        hashes = [int.from_bytes(hashlib.sha1(one.encode()).digest()[:4], "little") for one in shingles(text)]
        if not hashes:
            continue
        values = np.array(hashes, np.uint64)
        mine = (((values[:, None] * a + b) % prime) & np.uint64(0xFFFFFFFF)).min(axis=0)
        for band, table in enumerate(tables):
            bucket = table.setdefault(mine[band * 9 : band * 9 + 9].tobytes(), [])
            pairs |= {(other, number) for other in bucket}
            bucket.append(number)
    return pairs


def datatrove(texts: list[str]) -> set[int]:
    """The texts that datatrove's own MinHash pipeline keeps, with its defaults, in a process of its own."""
    with tempfile.TemporaryDirectory() as place:
        rows = (json.dumps({"id": str(at), "text": text}, ensure_ascii=False) for at, text in enumerate(texts))
        Path(place, "in").mkdir()
        Path(place, "in", "texts.jsonl").write_text("\n".join(rows), "utf-8", errors="replace")
        peer = Path(__file__).with_name("datatrove_near_peer.py")
        subprocess.run([sys.executable, str(peer), place], check=True, capture_output=True)
        return {int(line) for line in Path(place, "kept.txt").read_text().split()}


def measure_datatrove(texts: list[str], gold: Pairs, own: float) -> None:
    """It tells no pairs, only what stays."""
    before = sum(os.times()[:4])
    try:
        remaining = datatrove(texts)
    except (subprocess.CalledProcessError, OSError) as error:
        print(f"datatrove    does not run here: {str(getattr(error, 'stderr', b'') or error)[-300:]}")
        return
    rate = len(texts) / (sum(os.times()[:4]) - before)
    partners = {text for pair in gold for text in pair}
    twins = len({j for i, j in gold if i in remaining and j in remaining})
    over = sum(1 for text in range(len(texts)) if text not in remaining and text not in partners)
    print(f"datatrove    left {twins:5}  wrongly removed {over:5}  {rate:8,.0f} texts per CPU second")
    print(f"{'':12} paberki is {own / rate:.1f} times as fast")


def measure(name: str, run: Callable[[list[str]], Pairs], texts: list[str], gold: Pairs) -> float | None:
    before = sum(os.times()[:4])
    began = time.perf_counter()
    try:
        pairs = run(texts)
    except ImportError:
        print(f"{name:12} not installed: pip install paberki[bench]")
        return None
    rate = len(texts) / max(sum(os.times()[:4]) - before, 1e-9)
    heads = np.arange(len(texts))
    for i, j in sorted(pairs):
        heads[heads == heads[j]] = heads[i] if heads[i] <= heads[j] else heads[j]
    keep = heads == np.arange(len(texts))
    partners = {text for pair in gold for text in pair}
    leak = len({j for i, j in gold if keep[i] and keep[j]})
    over = sum(1 for text in np.flatnonzero(~keep).tolist() if text not in partners)
    recall, precision = len(pairs & gold) / max(1, len(gold)), len(pairs & gold) / max(1, len(pairs))
    print(
        f"{name:12} recall {recall:.4f}  precision {precision:.4f}  left {leak:5}  wrongly removed {over:5}  "
        f"{rate:8,.0f} texts per CPU second  ({time.perf_counter() - began:.1f} s)"
    )
    return rate


def read_texts(limit: int | None) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray]:
    """The texts, and all pairs of them with a resemblance of .03 or more."""
    if not DATA.is_dir():
        raise SystemExit(f"{DATA} is not there; set PABERKI_DATA")
    with lzma.open(DATA / "dev.jsonl.xz", "rt", encoding="utf-8") as file:
        texts = [json.loads(line)["text"] for line in file][:limit]
    with lzma.open(DATA / "dev.pairs.npy.xz") as file:
        columns, sizes = np.load(file), np.load(file)
    left, right = columns[0].cumsum(), columns[1]
    alike = columns[2] / (sizes[left] + sizes[right] - columns[2])
    here = (left < len(texts)) & (right < len(texts))
    return texts, np.minimum(left, right)[here], np.maximum(left, right)[here], alike[here]


def with_gold(limit: int | None) -> tuple[list[str], Pairs]:
    """Texts, and all pairs of them that reach .8."""
    texts, left, right, alike = read_texts(limit)
    similar = alike >= 0.8
    return texts, set(zip(left[similar].tolist(), right[similar].tolist(), strict=True))


def high(limit: int | None) -> None:
    texts, gold = with_gold(limit)
    print(f"{len(texts)} texts, {len(gold)} pairs with a resemblance of at least .8")
    paberki.near_duplicates(texts[:10])  # loads the compiled part
    own = measure("paberki", ours, texts, gold)
    peers = (("datasketch", datasketch), ("rensa", rensa), ("gaoya", gaoya), ("text-dedup", text_dedup))
    for name, run in peers:
        rate = measure(name, run, texts, gold)
        if rate and own:
            print(f"{'':12} paberki is {own / rate:.1f} times as fast")
    if own:
        measure_datatrove(texts, gold, own)


def low(limit: int | None) -> None:
    """P5's regime: pairs with a resemblance of .05 or more, by near_duplicates and by P5's rule, five values of 100."""
    texts, left, right, alike = read_texts(limit)
    gold = {(i, j): a for i, j, a in zip(left.tolist(), right.tolist(), alike.tolist(), strict=True)}
    methods = {"near_duplicates(threshold=.05)": ours_low, "100 values and a second look": five_of_hundred}
    rates = {}
    for name, method in methods.items():
        method(texts[:10])
        before = time.process_time()
        pairs = method(texts)
        rates[name] = len(texts) / (time.process_time() - before)
        bands = (f"{low}-{high} {share:.4f}" for (low, high), share in zip(BANDS, recalls(pairs, gold), strict=True))
        precision = len(pairs & set(gold)) / max(1, len(pairs))
        print(f"{name}: recall at {', '.join(bands)}; precision at .03 {precision:.4f} of {len(pairs)} pairs")
        print(f"{'':12} {rates[name]:,.0f} texts per CPU second")
    before = time.process_time()
    datasketch(texts, 0.3)
    peer = len(texts) / (time.process_time() - before)
    for name, rate in rates.items():
        print(f"datasketch at .3: {peer:,.0f}; {name} is {rate / peer:.1f} times as fast")


def ours_low(texts: list[str]) -> Pairs:
    return {(i, j) for i, j, _ in paberki.near_duplicates(texts, threshold=0.05).pairs()}


def five_of_hundred(texts: list[str]) -> Pairs:
    """What dedup.shared.v1 does with signatures of kind often: P5's 100 values, and a second look at what is near five."""
    from paberki.dedup.near.input_texts import batches
    from paberki.dedup.signatures.shingles import shingle
    from paberki.dedup.signatures.signature_stage import sign

    return pairs_of_signatures([sign(shingle(some), "often") for some in batches(texts, str)])


def pairs_of_signatures(parts: list[np.ndarray]) -> Pairs:
    """Pairs of texts with signatures of kind often that reach .05."""
    from paberki.dedup.near.resembling_pairs import resembling
    from paberki.dedup.signatures import matching

    signatures = np.concatenate(parts)
    values, sketches = np.asfortranarray(signatures[:, :100]), np.ascontiguousarray(signatures[:, 100:]).view(np.uint8)
    candidates = resembling(lambda column: values[:, column], 100, 0.05, sketches.__getitem__, limit=1000)
    left, right = matching.split(np.concatenate([pairs for pairs, _ in candidates.portions()]))
    return set(zip(left.tolist(), right.tolist(), strict=True))


def draws(limit: int | None, count: int = 20) -> None:
    """Recall and precision with signatures from other draws, since one may be lucky on these texts."""
    from paberki.dedup.near.input_texts import batches
    from paberki.dedup.signatures.shingles import shingle, sign_once

    texts, left, right, alike = read_texts(limit)
    gold = {(i, j): a for i, j, a in zip(left.tolist(), right.tolist(), alike.tolist(), strict=True)}
    parts = [shingle(some) for some in batches(texts, str)]
    some = np.random.default_rng(3)
    rows = []
    for _ in range(count):
        one, other = (int(turn) | 1 for turn in some.integers(1, 2**63, 2))
        second = [(sign_once(part, 256, other) >> np.uint32(8)).astype(np.uint8).view(np.uint32) for part in parts]
        pairs = pairs_of_signatures(
            [np.hstack([sign_once(part, 100, one), bits]) for part, bits in zip(parts, second, strict=True)]
        )
        rows.append((*recalls(pairs, gold), len(pairs & set(gold)) / max(1, len(pairs))))
    for name, values in (("mean", np.mean(rows, axis=0)), ("least", np.min(rows, axis=0))):
        print(
            f"{name} of {count} draws: recall {values[0]:.4f}, {values[1]:.4f}, {values[2]:.4f}; precision {values[3]:.4f}"
        )


def recalls(pairs: Pairs, gold: dict[tuple[int, int], float]) -> list[float]:
    """Of the pairs with a resemblance of .05 to .1, to .2 and above: the share that was found."""
    bands = [{pair for pair, a in gold.items() if low <= a < high} for low, high in BANDS]
    return [len(band & pairs) / max(1, len(band)) for band in bands]


def matching(texts: int = 1_000_000, functions: int = 100) -> None:
    """Signatures with families and templates among them, on disk by columns; the rest of the machine is not measured."""
    from paberki.dedup.near.sort_join import shared_values
    from paberki.dedup.near.spool import ColumnFile

    some = np.random.default_rng(1)
    families, members = texts * 15 // 100, texts * 2 // 10
    with tempfile.TemporaryFile() as file:
        for _ in range(functions):
            column = some.integers(0, 2**32 - 1, texts, dtype=np.uint32)
            share = some.random(families) < np.linspace(0.02, 1, families)
            column[1 : 2 * families : 2][share] = column[0 : 2 * families : 2][share]
            template = some.integers(0, 2**32 - 1, members // 100, dtype=np.uint32)
            which = np.flatnonzero(some.random(members // 100 * 100) < 0.1)
            column[2 * families + which] = template[which // 100]
            column.tofile(file)
        signatures = ColumnFile(np.uint32, functions)
        for first in range(0, texts, 50_000):
            signatures.append(np.stack(list(_pieces(file, texts, functions, first, 50_000)), axis=1))
    shared_values(lambda _: np.arange(3, dtype=np.uint32), 1, 1)
    before = time.process_time()
    pair_count = sum(len(pairs) for pairs, _ in shared_values(signatures.column, functions, 5).portions())
    seconds = time.process_time() - before
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{texts:,} texts x {functions} values: {seconds:.1f} CPU seconds, {peak:.2f} GB, {pair_count:,} pairs")


def _pieces(file: BinaryIO, texts: int, functions: int, first: int, count: int) -> Iterator[np.ndarray]:
    """Some texts of every column of a file."""
    for function in range(functions):
        file.seek(4 * (function * texts + first))
        yield np.fromfile(file, np.uint32, min(count, texts - first))


def paragraphs(limit: int | None) -> None:
    """Onion's rule over the paragraphs of all texts, which come a thousand pages at a time, as Arrow arrays, as from a corpus."""
    import pyarrow as pa

    from paberki.dedup.repeats.word_runs import RunIndex

    pages = [text.split("\n") for text in read_texts(limit)[0]]
    batches = []
    for first in range(0, len(pages), 1000):
        some = pages[first : first + 1000]
        edges = np.r_[0, np.cumsum([len(one) for one in some])].astype(np.int64)
        batches.append((pa.array([block for one in some for block in one], pa.string()), edges))
    with RunIndex() as index:
        index.walk(["a b c d e f"], np.array([0, 1]))
    best = 0.0
    for _ in range(3):
        tokens = marked_count = 0
        with RunIndex() as index:
            before = time.process_time()
            for blocks, edges in batches:
                marks = index.walk(blocks, edges)
                tokens += int(marks.lengths.sum())
                marked_count += int(marks.lengths[marks.flags > 0].sum())
            best = max(best, tokens / (time.process_time() - before))
            per = index.memory / index.run_count
    print(
        f"{tokens:,} tokens, {best / 1e6:.1f} million per CPU second; {index.run_count:,} runs kept at {per:.1f} bytes; "
        f"{marked_count / tokens:.1%} of the tokens marked"
    )


def synthetic(count: int, seed: int = 1) -> list[str]:
    """Texts of some 300 words, a third of them near copies of another one."""
    some = np.random.default_rng(seed)
    words = np.array([f"r{number}" for number in range(30_000)])
    texts: list[str] = []
    for number in range(count):
        if number % 3 == 2:
            mine = texts[some.integers(0, number)].split()
            for at in some.integers(0, len(mine), len(mine) // 40):
                mine[at] = f"x{some.integers(0, 10**6)}"
            texts.append(" ".join(mine))
        else:
            texts.append(" ".join(words[some.zipf(1.3, some.integers(100, 500)) % 30_000]))
    return texts


def growth(most: int) -> None:
    """Each size in a process of its own, so that its memory can be told."""
    count = 10_000
    while count <= most:
        for threshold in (0.8, 0.05):
            command = [sys.executable, __file__, "--one-size", str(count), "--threshold", str(threshold)]
            subprocess.run(command, check=True)
        count = count * 10 if count * 10 <= most or count == most else most


def one_size(count: int, threshold: float) -> None:
    texts = synthetic(count)
    before_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    paberki.near_duplicates(texts[:10], threshold=threshold)
    before = time.process_time()
    result = paberki.near_duplicates(texts, threshold=threshold)
    seconds = time.process_time() - before
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(
        f"{count:>9,} texts at {threshold}: {seconds:7.1f} CPU s, {1e6 * seconds / count:6.0f} µs per text, "
        f"{peak - before_mb:.2f} GB beside the texts, {int((~result.keep).sum()):,} copies",
        flush=True,
    )


def incremental(count: int) -> None:
    """A hundredth more pages, added to a corpus and, for comparison, there from the beginning: CPU time, same labels."""
    with tempfile.TemporaryDirectory() as place:
        root, texts = Path(place), synthetic(count + count // 100)
        rows = [json.dumps({"url": f"http://a.hr/{at}", "text": text}) for at, text in enumerate(texts)]
        (root / "old.jsonl").write_text("\n".join(rows[:count]))
        (root / "new.jsonl").write_text("\n".join(rows[count:]))
        grown, whole = (_any_text(root / name) for name in ("grown", "whole"))
        grown.add([root / "old.jsonl"])
        full = _build_seconds(grown)
        grown.add([root / "new.jsonl"])
        added = _build_seconds(grown)
        for name in ("old.jsonl", "new.jsonl"):
            whole.add([root / name])
            whole.build(jobs=1, until="captures.v1")  # the same shards
        _build_seconds(whole)
        labels = "key, dup_exact, dup_cluster, dup_size, dup_similarity, dup_of, keep, neardupe, neardupe_of"
        same = grown.sql(f"select {labels} from pages order by id") == whole.sql(
            f"select {labels} from pages order by id"
        )
    print(f"{count:,} pages: {full:.1f} CPU s; {count // 100:,} pages added: {added:.1f} CPU s ({added / full:.1%})")
    print(f"labels {'are' if same else 'ARE NOT'} those of all pages built at once")


def through_a_build(limit: int | None) -> None:
    """Which texts stay when they are pages that only duplicates are left out of, against the exact resemblances."""
    texts, gold = with_gold(limit)
    with tempfile.TemporaryDirectory() as place:
        rows = (json.dumps({"url": f"http://a.hr/{at}", "text": text}) for at, text in enumerate(texts))
        Path(place, "texts.jsonl").write_text("\n".join(rows))
        corpus = _any_text(Path(place) / "corpus")
        corpus.add([Path(place) / "texts.jsonl"])
        corpus.build(jobs=2, until="select.v1")
        decisions = corpus.sql("select url, keep, reason from pages")[1]
    remaining = {int(url.rpartition("/")[2]) for url, keep, _ in decisions if keep}
    out = {int(url.rpartition("/")[2]) for url, _, reason in decisions if reason == "duplicate"}
    partners = {text for pair in gold for text in pair}
    twins = sum(i in remaining and j in remaining for i, j in gold)
    print(f"{len(texts):,} pages, {len(out):,} left out as duplicates, {len(out - partners)} of them without a twin")
    print(f"{twins} of {len(gold):,} pairs with a resemblance of at least .8 are left")


def odd(count: int) -> None:
    """Input that nobody wants, in processes of their own: time and memory must stay what they are for any other."""
    for name in ODD:
        subprocess.run([sys.executable, __file__, "--one-odd", name, "--pages", str(count)], check=True)


def one_odd(name: str, count: int) -> None:
    for threshold in (0.8, 0.05):  # load what is compiled
        paberki.near_duplicates(["a b c d e f", "g"], threshold=threshold)
    texts = ODD[name](count)
    memory_before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    before = time.process_time()
    line = ", ".join(
        f"{int(paberki.near_duplicates(texts, threshold=threshold).keep.sum()):,} stay at {threshold}"
        for threshold in (0.8, 0.05)
    )
    seconds = time.process_time() - before
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{name:32} {seconds:6.1f} CPU s, {peak - memory_before:.2f} GB beside the texts; {line}", flush=True)


ODD: dict[str, Callable[[int], list[str]]] = {
    "nothing": lambda count: [""] * count,
    "one word each": lambda count: [f"w{number}" for number in range(count)],
    "equal texts": lambda count: [" ".join(f"w{number}" for number in range(200))] * count,
    "one word again and again": lambda _: ["da " * 5_000_000, "da " * 4_000_000],
    "a text of 50 MB": lambda _: [" ".join(f"w{number}" for number in range(5_600_000))],
}


def _any_text(root: Path) -> paberki.corpus.Corpus:
    """A corpus that keeps all pages but duplicates."""
    corpus = paberki.new(root, lang="hr", preset="modern")
    off = "".join(f'[[select.pages]]\nreason = "{name}"\ndrop = ""\n' for name in ANY_TEXT)
    text = corpus.directory.recipe.read_text("utf-8").replace("\n[crawl]", f"\n{off}\n[crawl]", 1)
    corpus.directory.recipe.write_text(text, "utf-8")
    return corpus


def _build_seconds(corpus: paberki.corpus.Corpus) -> float:
    before = sum(os.times()[:4])
    corpus.build(jobs=1)
    return sum(os.times()[:4]) - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--limit", type=int, default=None, help="take only so many texts")
    parser.add_argument("--low", action="store_true", help="resemblances from .05 on")
    parser.add_argument("--draws", action="store_true", help="the same with other draws of signatures")
    parser.add_argument("--matching", action="store_true", help="matching alone, a million texts")
    parser.add_argument("--paragraphs", action="store_true", help="onion's rule")
    parser.add_argument("--growth", type=int, metavar="N", help="from 10,000 texts to N")
    parser.add_argument("--incremental", type=int, metavar="N", help="pages added to a corpus of N pages")
    parser.add_argument("--build", action="store_true", help="all texts as pages of a corpus")
    parser.add_argument("--odd", type=int, metavar="N", help="empty, equal, endless texts, N of each kind")
    parser.add_argument("--one-odd", choices=list(ODD), help=argparse.SUPPRESS)
    parser.add_argument("--pages", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--one-size", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--threshold", type=float, default=0.8, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one_size:
        one_size(arguments.one_size, arguments.threshold)
    elif arguments.one_odd:
        one_odd(arguments.one_odd, arguments.pages)
    elif arguments.odd:
        odd(arguments.odd)
    elif arguments.growth:
        growth(arguments.growth)
    elif arguments.incremental:
        incremental(arguments.incremental)
    elif arguments.build:
        through_a_build(arguments.limit)
    elif arguments.matching:
        matching()
    elif arguments.paragraphs:
        paragraphs(arguments.limit)
    elif arguments.draws:
        draws(arguments.limit)
    elif arguments.low:
        low(arguments.limit)
    else:
        high(arguments.limit)


if __name__ == "__main__":
    main()
