"""Sketch grammars of Sketch Engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from paberki.errors import InputError, QueryError
from paberki.query.concordancer import OpenIndex
from paberki.query.index.reader import Index
from paberki.query.statistics.grammar import read_grammar, restrict

GRAMMAR = """
# relations of a small grammar
define(`noun', `[tag="N"]')
define(`np', `1:noun')
*STRUCTLIMIT s
*DEFAULTATTR tag
*SEPARATEPAGE 100
*DUAL
=modifier/modifies
2:"A" np
*SYMMETRIC
=coordination
1:[] [lemma="i"] 2:[]
*UNARY
=sentence_start
<s> 1:[]
*TRINARY
=%(3.lemma)_x
1:"V" 3:"R|Z" []* 2:"N|V|P|Z"
"""


@pytest.fixture
def grammar(tmp_path: Path) -> Path:
    file = tmp_path / "grammar.txt"
    file.write_text(GRAMMAR, "utf-8")
    return file


def test_relations_with_macros_directives_and_both_sides(grammar: Path) -> None:
    relations = read_grammar(grammar)
    assert [(one.name, one.word, one.collocate) for one in relations] == [
        ("modifier", "1", "2"), ("modifies", "2", "1"), ("coordination", "1", "2"), ("coordination", "2", "1"),
        ("sentence_start", "1", "1"), ("%(3.lemma)_x", "1", "2"),
    ]  # fmt: skip
    assert relations[0].query == '2:[tag="A"] 1:[tag="N"] within <s/>'
    assert relations[0].line == 10


def test_a_lemma_is_put_into_the_labelled_token() -> None:
    assert restrict('2:[tag="]"] 1:[tag="N"]', "1", "lemma", "a.b") == '2:[tag="]"] 1:[lemma="a\\.b" & (tag="N")]'
    assert restrict("1:[] 2:[]", "2", "lemma", "x") == '1:[] 2:[lemma="x"]'
    with pytest.raises(QueryError, match="no token 3"):
        restrict("1:[]", "3", "lemma", "x")


def test_sketches_by_a_grammar(small: Index, grammar: Path) -> None:
    corpus = OpenIndex(small.path)

    def counts(lemma: str) -> dict[tuple[str, str], int]:
        rows = corpus.sketch(lemma, grammar=grammar).to_pylist()
        return {(row["relation"], row["collocate"]): row["hits"] for row in rows}

    assert counts("grad") == {("modifier", "stari"): 2, ("modifier", "novi"): 1, ("coordination", "novi"): 1}
    assert counts("novi") == {("modifies", "grad"): 1, ("coordination", "grad"): 1, ("sentence_start", "novi"): 1}
    assert counts("rasti")["brzo_x", "."] == 1
    assert counts("nitko") == {("sentence_start", "nitko"): 1}
    assert counts("brzo") == {}


def test_files_that_are_no_grammar(tmp_path: Path, small: Index) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_grammar(tmp_path / "missing")
    empty = tmp_path / "empty.txt"
    empty.write_text("# nothing\n", "utf-8")
    with pytest.raises(InputError, match="no relations"):
        read_grammar(empty)
    wrong = tmp_path / "wrong.txt"
    wrong.write_text('=x\n1:[tag="N"] 2:[tag=\n', "utf-8")
    with pytest.raises(QueryError, match="line 2"):
        OpenIndex(small.path).sketch("grad", grammar=wrong)
