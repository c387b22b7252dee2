"""Parsers and taggers vote on sentences that nobody has annotated."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from small_treebank import trees

from paberki.annotation.annotation_training import learn_parser, learn_tagger
from paberki.annotation.files.conllu_reading import Tree, TreeWord
from paberki.annotation.files.model_layers import parser_of, parser_parts, parser_ready
from paberki.annotation.parsing.parser import FEWEST_TEMPLATES, TEMPLATES, Parser
from paberki.annotation.parsing.parser_training import ParserConfig, is_tree, train_parser
from paberki.annotation.parsing.tree_voting import SHARE, Team, mirror, parse_trees, votes, with_votes, without_trees
from paberki.annotation.tagging.self_training import fresh_chunks
from paberki.annotation.tagging.tag_table import XPOS
from paberki.annotation.tagging.tagger_training import TaggerConfig
from paberki.errors import InputError

_QUICK = ParserConfig(rounds=2, bits=12, mixes=1)


def bare(tree: Tree) -> Tree:
    return Tree([TreeWord(word.form, word.lemma, word.upos, word.xpos, word.feats) for word in tree.words])


def test_a_sentence_mirrored_twice_is_the_sentence() -> None:
    tree = trees()[0]
    turned = mirror(tree)
    assert [word.form for word in turned.words] == [word.form for word in reversed(tree.words)]
    assert turned.words[turned.words[-1].head - 1].form == tree.words[tree.words[0].head - 1].form
    assert [(word.form, word.head) for word in mirror(turned).words] == [(word.form, word.head) for word in tree.words]


def test_most_votes_win_and_the_first_one_if_there_are_as_many() -> None:
    heads = np.array([[2, 0, 1], [3, 0, 2], [3, 0, 4]], np.int32)
    relations = np.array([[0, 1, 2], [0, 2, 2], [1, 2, 2]], np.int32)
    agree, best = votes(heads, relations)
    assert agree.tolist() == [[1, 3, 1], [2, 3, 1], [2, 3, 1]]
    assert best.tolist() == [1, 1, 0]


def test_the_team_finds_the_trees_it_has_learnt() -> None:
    data = trees()
    voted = with_votes(Team(data, _QUICK), data, [bare(tree) for tree in data])
    assert all(is_tree([word.head for word in tree.words]) for tree in voted)
    right = [
        (given.head, given.deprel) == (gold.head, gold.deprel)
        for tree, other in zip(data, voted, strict=True)
        for gold, given in zip(tree.words, other.words, strict=True)
    ]
    assert np.mean(right) > 0.95


def test_sentences_to_vote_on_are_whole_and_not_too_many() -> None:
    data = [*trees()[:4], *(bare(tree) for tree in trees()), Tree([TreeWord("Da", "da", "PART", "Qr")])]
    parsed = sum(len(tree.words) for tree in data[:4])
    chosen = without_trees(data, parsed)
    assert chosen
    assert all(not data[number].parsed and len(data[number].words) > 1 for number in chosen)
    assert sum(len(data[number].words) for number in chosen) <= SHARE * parsed * 1.2


def test_sentences_without_trees_change_what_is_learnt_the_same_way_every_time() -> None:
    data = trees()
    mixed = [*data[::2], *(bare(tree) for tree in data[1::2])]
    tags = [word.xpos for tree in mixed for word in tree.words]
    made = [learn_parser(mixed, XPOS, _QUICK, "hr", tags=tags).weights for _ in range(2)]
    alone = learn_parser(data[::2], XPOS, _QUICK, "hr", tags=[w.xpos for tree in data[::2] for w in tree.words]).weights
    assert np.array_equal(*made)
    assert not np.array_equal(made[0], alone)


def test_trees_of_a_close_language_are_learnt_as_they_are() -> None:
    data = trees()[::2]
    tags = [word.xpos for tree in data for word in tree.words]
    words = [
        TreeWord("Pada", "padati", "VERB", "Vmr3s", "_", 0, "root"),
        TreeWord("jo", "jo", "X", "Xf", "_", 1, "vocative"),
    ]
    parser = learn_parser(data, XPOS, _QUICK, "hr", tags=tags, others=[Tree(words), bare(Tree(words))])
    assert "vocative" in parser.labels
    assert parse_trees(parser, [Tree(words)]) == ([0, 1], ["root", "vocative"])


def test_a_parser_from_before_there_were_more_features_looks_at_its_own() -> None:
    data = trees()
    made = train_parser(data, _QUICK)
    parts = parser_parts(made)
    assert parts["settings"]["templates"] == len(TEMPLATES)
    again = parser_of(parser_ready(parts))
    assert parse_trees(again, data) == parse_trees(made, data)
    del parts["settings"]["templates"]
    older = parser_of(parser_ready(parts))
    assert len(older.templates) == FEWEST_TEMPLATES < len(TEMPLATES)
    assert len(parse_trees(older, data)[0]) == sum(len(tree.words) for tree in data)
    assert isinstance(older, Parser)


def test_a_text_tagged_by_a_combination_helps_the_tagger(tmp_path: Path) -> None:
    raw = tmp_path / "text.txt"
    raw.write_text("Lisica vidi često kuću. Lisica voli vodu i rijeku.\n" * 20, "utf-8")
    data, config = trees(), TaggerConfig(rounds=3, folds=2, bits=16, mixes=1)
    said: list[str] = []
    chunks = fresh_chunks(data, raw, XPOS, config, said.append, "hr")
    assert len(chunks) == config.rounds
    assert all(chunks)
    assert ("često", "Rgp") in [pair for chunk in chunks for sentence in chunk for pair in sentence]
    tagger, _ = learn_tagger(data, XPOS, config, fresh=chunks)
    assert tagger.lexicon.find(["lisica", "žirafa"]).tolist()[0] >= 0
    with pytest.raises(InputError, match="no sentences"):
        fresh_chunks(data, Path(os.devnull), XPOS, config, said.append, "hr")
