"""Document search and Web Standard Format, timed on made-up documents.

    python benchmarks/search.py [--documents 200000] [--words 250] [--annotated]
    python benchmarks/search.py --corpus DIR

Words follow Zipf's law over a vocabulary of made-up words; documents differ in length. The index is made by the same functions
that index a corpus, from arrays like those of its layers: texts, tokens, lemmas, heads. Times are CPU seconds of this process;
queries run warm, one after the other, on one core, each for the best ten documents and the number of all.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from paberki.search.asking.planning import Planner
from paberki.search.asking.syntax import parse
from paberki.search.documents import ShardReader
from paberki.search.engine import EngineWriter, SearchIndex
from paberki.search.page_fields import engine_fields
from paberki.store.directory import Directory

VOCABULARY = 60_000
GROUP = 250
KINDS = {"id": "string", "key": "string", "url": "string", "host": "string", "keep": "boolean"}


def vocabulary(random: np.random.Generator) -> list[str]:
    """Made-up words, the frequent ones short."""
    syllables = [c + v for c in "bcčdfghjklmnprsštvzž" for v in "aeiou"]
    words: dict[str, None] = {}
    while len(words) < VOCABULARY:
        length = 1 + min(5, len(words).bit_length() // 4) + int(random.integers(0, 2))
        words["".join(random.choice(syllables, length))] = None
    return list(words)


def row_groups(documents: int, mean_words: int, words: list[str], annotated: bool) -> Iterator[dict[str, pa.Array]]:
    """Columns of the layers of a corpus, one row group after the other."""
    random = np.random.default_rng(1)
    weights = 1 / (np.arange(VOCABULARY) + 2.7)
    edges = np.cumsum(weights / weights.sum())
    for first in range(0, documents, GROUP):
        count = min(GROUP, documents - first)
        lengths = np.maximum(20, random.gamma(2, mean_words / 2, count).astype(np.int64))
        codes = np.minimum(np.searchsorted(edges, random.random(int(lengths.sum()))), VOCABULARY - 1)
        yield _group(first, lengths, codes, words, annotated)


def _group(
    first: int, lengths: np.ndarray, codes: np.ndarray, words: list[str], annotated: bool
) -> dict[str, pa.Array]:
    tokens = [words[code] for code in codes.tolist()]
    ends = np.cumsum(lengths)
    texts = [" ".join(tokens[end - length : end]) for end, length in zip(ends.tolist(), lengths.tolist(), strict=True)]
    count, one = len(lengths), np.arange(len(lengths) + 1, dtype=np.int32)

    def each(values: pa.Array) -> pa.Array:
        return pa.ListArray.from_arrays(pa.array(one), values)

    numbers = [f"{first + at:09d}" for at in range(count)]
    columns = {
        "id": pa.array(numbers),
        "key": pa.array([f"{number:0>32}" for number in numbers]),
        "url": pa.array([f"http://host{int(number) % 997}.hr/{number}" for number in numbers]),
        "host": pa.array([f"host{int(number) % 997}.hr" for number in numbers]),
        "title": pa.array([" ".join(text.split(" ", 5)[:5]) for text in texts]),
        "lang": pa.array(["hr"] * count),
        "keep": pa.array([True] * count),
        "block_keep": each(pa.array([True] * count)),
        "blocks.text": each(pa.array(texts)),
        "blocks.kept": each(pa.array([True] * count)),
        "blocks.label": each(pa.array(["text"] * count).dictionary_encode()),
    }
    sizes = np.array([len(token) for token in tokens]) + 1
    starts = np.cumsum(sizes) - sizes
    firsts = np.repeat(starts[ends - lengths], lengths)
    edges = pa.array(np.concatenate([[0], ends]).astype(np.int32))

    def lists(values: pa.Array) -> pa.Array:
        return pa.ListArray.from_arrays(edges, values)

    columns |= {
        "sent_block": each(pa.array(np.zeros(count, np.int32))),
        "sent_length": each(pa.array(lengths.astype(np.int32))),
        "tok_start": lists(pa.array((starts - firsts).astype(np.int32))),
        "tok_end": lists(pa.array((starts - firsts + sizes - 1).astype(np.int32))),
    }
    if annotated:
        heads = np.where(
            np.arange(len(codes)) % 3 == 0, 0, 1 + (np.arange(len(codes)) - np.repeat(ends - lengths, lengths)) // 2
        )
        columns |= {
            "tok_lemma": lists(pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32)), pa.array(words))),
            "tok_head": lists(pa.array(heads.astype(np.int32))),
            "tok_deprel": lists(pa.array(["obj"] * len(codes)).dictionary_encode()),
        }
    return columns


def index(path: Path, documents: int, words: list[str], mean: int, annotated: bool) -> tuple[float, int]:
    """Index made-up documents; CPU seconds that indexing took, without making them up, and bytes of text."""
    reader = ShardReader(Directory(path), 0, {}, KINDS, frozenset(["hr"]), frozenset())
    writer = EngineWriter(path / "index", engine_fields(KINDS))
    seconds, size = 0.0, 0
    for columns in row_groups(documents, mean, words, annotated):
        started = time.process_time()
        for document in reader._documents(columns):
            writer.add(document)
        seconds += time.process_time() - started
        size += columns["blocks.text"].flatten().nbytes
    started = time.process_time()
    writer.commit()
    writer.close()
    return seconds + time.process_time() - started, size


def timed(name: str, engine: SearchIndex, searches: list[str], split: Callable[[str], list[list[str]]]) -> None:
    """Times of searches, their parsing and planning included."""
    milliseconds = []
    for text in [*searches[:10], *searches]:
        started = time.process_time()
        planner = Planner(engine, "kept", dict(KINDS), {}, split)
        plan = planner.plan(parse(text))
        engine.search(plan.query, 10)
        milliseconds.append((time.process_time() - started) * 1000)
    own = sorted(milliseconds[10:])
    print(
        f"{name:<8} p50 {statistics.median(own):6.3f} ms   p95 {own[int(len(own) * 0.95)]:6.3f} ms   {len(own)} searches"
    )


def searches(words: list[str], documents: list[list[str]]) -> dict[str, list[str]]:
    """Words of middle frequency for AND and OR; phrases are taken from documents."""
    random = np.random.default_rng(2)
    middle = words[200:5000]

    def some(count: int) -> list[str]:
        return [middle[at] for at in random.choice(len(middle), count, replace=False)]

    phrases = []
    for own in documents:
        at = int(random.integers(0, len(own) - 2))
        phrases.append(f'"{own[at]} {own[at + 1]}"')
    return {
        "word": [some(1)[0] for _ in range(100)],
        "AND": [" ".join(some(2)) for _ in range(100)],
        "OR": [" OR ".join(some(3)) for _ in range(100)],
        "phrase": phrases[:100],
    }


def standard_format(corpus: Path) -> None:
    """Pages of a built corpus per CPU second, from Arrow tables to bytes."""
    from paberki.corpus import Corpus
    from paberki.export.export_format import ExportHead
    from paberki.export.formats import wsf
    from paberki.store.reading import open_table, read_chunks

    opened = Corpus(corpus)
    table = open_table(opened.directory, opened.layout())
    chunks = list(read_chunks(table, [name for name in wsf.COLUMNS if name in table.columns]))
    about = ExportHead("x", chunks[0].schema, root=opened.root)
    wsf.render(chunks[0], about)
    started = time.process_time()
    size = sum(len(wsf.render(chunk, about).data) for chunk in chunks)
    seconds, count = time.process_time() - started, sum(chunk.num_rows for chunk in chunks)
    print(f"Web Standard Format: {count} pages, {size / 1e6:.1f} MB, {count / seconds:.0f} pages per CPU second")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--documents", type=int, default=200_000)
    options.add_argument("--words", type=int, default=250, help="mean length of a document")
    options.add_argument("--annotated", action="store_true", help="with lemmas and dependency pairs")
    options.add_argument("--corpus", type=Path, help="a built corpus, to time Web Standard Format")
    arguments = options.parse_args()
    if arguments.corpus:
        standard_format(arguments.corpus)
        return
    words = vocabulary(np.random.default_rng(0))
    with tempfile.TemporaryDirectory() as folder:
        seconds, size = index(Path(folder), arguments.documents, words, arguments.words, arguments.annotated)
        engine = SearchIndex(Path(folder) / "index")
        stored = sum(path.stat().st_size for path in (Path(folder) / "index").iterdir())
        print(f"{engine.documents:,} documents, {size / 1e6:.0f} MB of text, {engine.segments} segments")
        print(f"index: {size / 1e6 / seconds:.1f} MB per CPU second, {stored / size:.2f} bytes for each byte of text")
        sample = next(row_groups(GROUP, arguments.words, words, False))["blocks.text"].flatten().to_pylist()
        for name, texts in searches(words, [text.split() for text in sample]).items():
            timed(name, engine, texts, lambda text: [text.split()])


if __name__ == "__main__":
    main()
