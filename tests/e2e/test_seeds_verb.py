"""From a word list to seeds, as people type it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

from commandline import paberki

from paberki.corpus import Corpus


def test_from_words_to_seeds(tmp_path: Path) -> None:
    words = tmp_path / "words.tsv"
    words.write_text("".join(f"{word}\t{9 - rank}\n" for rank, word in enumerate(["more", "riba", "grad", "poplava"])))
    queries = tmp_path / "queries.txt"
    made = paberki("seeds", "queries", words, "--ranks", "2-4", "-n", "3", "-o", queries, "--json")
    assert made.code == 0, made.err
    assert made.json["queries"] == 3
    assert {word for line in queries.read_text().splitlines() for word in line.split()} == {"riba", "grad", "poplava"}
    again = paberki("seeds", "queries", words, "--ranks", "2-4", "-n", "3")
    assert again.out == queries.read_text()

    said = {"url": "http://www.a.hr/poplava-u-grad", "mime": "text/html", "status": "200", "languages": "hrv"}
    index = tmp_path / "cdx-00000.gz"
    index.write_bytes(gzip.compress(f"hr,a)/poplava-u-grad 20240101000000 {json.dumps(said)}\n".encode()))
    found = paberki("seeds", "lookup", queries, index, "--tld", "hr", "--lang", "hr", "--json").json
    assert found == {"urls": ["http://www.a.hr/poplava-u-grad"], "queries_with_hits": 1}
    homes = paberki("seeds", "homes", index, "--tld", "hr")
    assert homes.out == "http://www.a.hr/\n"
    size = paberki("seeds", "size", index, "--tld", "hr", "--lang", "hr", "--share", "0.5", "--json").json
    assert size["both"] == {"pages": 2, "hosts": 1, "domains": 1}


def test_an_older_corpus_gives_words_and_homes(corpus: Callable[..., Corpus], pages: Callable[..., Path]) -> None:
    made = corpus(pages(12))
    made.build(jobs=1)
    queries = paberki("seeds", "queries", made.root, "--ranks", "1-20", "-n", "5")
    assert len(queries.out.splitlines()) == 5, queries.err
    assert paberki("seeds", "homes", made.root).code == 0


def test_mistakes_are_said_in_one_line(tmp_path: Path) -> None:
    for words in (
        ("lookup", tmp_path / "missing", tmp_path / "missing"),
        ("queries", __file__, "--ranks", "soon"),
    ):
        done = paberki("seeds", *words)
        assert done.code == 2
        assert done.err.startswith("paberki: ")
        assert done.err.count("\n") == 1
