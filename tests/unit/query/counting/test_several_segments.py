"""An index of two segments gives the same answers as one of one segment: values are united by string."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from paberki.query.concordancer import OpenIndex
from paberki.query.index.manifest import read_manifest, write_manifest
from paberki.query.index.reader import Index
from paberki.query.sources.vertical import index_vertical
from smallcorpus import ATTRIBUTES, vertical


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> OpenIndex:
    """The small corpus with its first two pages in one segment and the others in another."""
    directory = tmp_path_factory.mktemp("two")
    text = vertical()
    cut = text.index('<doc id="d3"')
    manifests = []
    for number, part in enumerate((text[:cut], text[cut:])):
        source = directory / f"{number}.vert"
        source.write_text(part, "utf-8")
        index_vertical(source, directory / str(number), ATTRIBUTES, lang="hr")
        manifests.append(read_manifest(directory / str(number)))
    for entry in manifests[1].segments:
        shutil.copy(directory / "1" / entry.file, directory / "0" / entry.file)
    write_manifest(directory / "0", replace(manifests[0], segments=manifests[0].segments + manifests[1].segments))
    return OpenIndex(directory / "0")


@pytest.fixture
def one(small: Index) -> OpenIndex:
    return OpenIndex(small.path)


def rows(table: object) -> list[dict]:
    rounded = [
        {name: round(value, 9) if isinstance(value, float) else value for name, value in row.items()}
        for row in table.to_pylist()
    ]
    return sorted(rounded, key=str)


def test_it_has_two_segments(two: OpenIndex, one: OpenIndex) -> None:
    assert len(two.reader.segments) == 2
    assert two.reader.tokens == one.reader.tokens


_CROSSING = [
    "[] []", "[]{3}", "A:[] []{0,2} B:[]", "[] (?= [] [])", "[] (?= [])", '[] [: tag=".*" :]', '[] [: tag=".*" :] within s',
    "</doc> <doc> []", "MU(meet [] [] -2 2)", "[]+",
]  # fmt: skip
"""Queries whose matches go from one segment to the next."""


@pytest.mark.parametrize("cql", ['[lemma="grad"]', '[tag="A"] [tag="N"]', "[]", "A:[] -nsubj-> B:[]", *_CROSSING])
def test_hits_and_their_lists_are_the_same(two: OpenIndex, one: OpenIndex, cql: str) -> None:
    here, there = two.query(cql), one.query(cql)
    assert here.spans() == there.spans()
    assert here.labels() == there.labels()
    assert here.edges() == there.edges()
    for work in (
        lambda hits: hits.freq("word"),
        lambda hits: hits.freq("lc,tag,doc.year"),
        lambda hits: hits.collocations("lemma"),
        lambda hits: hits.collocations("lc", (-2, 3), "t", within="s"),
        lambda hits: hits.distribution("host"),
        lambda hits: hits.kwic(),
    ):
        assert rows(work(here)) == rows(work(there))
    for key in ("right", "left", "node", "lemma", "doc.host,-right"):
        assert here.sort(key).spans() == there.sort(key).spans()
    assert here.fold().spans() == there.fold().spans()
    assert here.good().spans() == there.good().spans()


def test_lists_of_the_whole_corpus_are_the_same(two: OpenIndex, one: OpenIndex) -> None:
    for work in (
        lambda corpus: corpus.wordlist("word"),
        lambda corpus: corpus.wordlist("lc"),
        lambda corpus: corpus.ngrams("lemma", 3),
        lambda corpus: corpus.sketch("grad"),
        lambda corpus: corpus.sketch("grad..njiva"),
        lambda corpus: corpus.similar("njiva"),
        lambda corpus: corpus.trend("lemma", min=1),
        lambda corpus: corpus.part("year >= 2020").keywords(corpus.part("year = 2019"), "lemma"),
    ):
        assert rows(work(two)) == rows(work(one))


def test_formats_of_tokens_are_the_same(two: OpenIndex, one: OpenIndex, tmp_path: Path) -> None:
    from paberki.query.hits.token_formats import conllu, vertical

    for form in (conllu, vertical):
        texts = ["".join(form(hits.scope, hits.table, {})) for hits in (two.query('[tag="N"]'), one.query('[tag="N"]'))]
        assert texts[0] == texts[1]
