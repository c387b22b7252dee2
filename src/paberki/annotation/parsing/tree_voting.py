"""Sentences without trees help the parser too: a team of parsers votes on their trees.

Half of the team reads from left to right, half from right to left, so that they make different mistakes. Together they are
better than each of them (Sagae & Lavie 2006). A parser that also learns from their trees is better than one that learns from
the treebank alone, and not slower (Petrov et al. 2010).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np

from paberki.annotation.files.conllu_reading import Tree, TreeWord
from paberki.annotation.parsing.parser import NOTHING, TOP, Parser, columns_of
from paberki.annotation.parsing.parser_training import ParserConfig, is_tree, train_parser
from paberki.annotation.tagging.string_hashes import Ints, Longs

_SHORTEST, _LONGEST = 3, 80
SHARE: Final = 4
"""Most words of voted trees for each word of the treebank."""


def mirror(tree: Tree) -> Tree:
    """The sentence from its end to its beginning."""
    last = len(tree.words) + 1
    return Tree([_with(word, last - word.head if word.head > 0 else word.head) for word in reversed(tree.words)])


def _with(word: TreeWord, head: int, relation: str | None = None) -> TreeWord:
    return TreeWord(word.form, word.lemma, word.upos, word.xpos, word.feats, head, relation or word.deprel)


def starts_of(trees: Sequence[Tree]) -> Longs:
    """First word of each sentence among all words, and the number of words."""
    starts: Longs = np.r_[0, np.cumsum([len(tree.words) for tree in trees])].astype(np.int64)
    return starts


def parse_trees(parser: Parser, trees: Sequence[Tree]) -> tuple[list[int], list[str]]:
    """Heads and relations that a parser gives words with the tags and lemmas that they have."""
    words = [word for tree in trees for word in tree.words]
    analyses = [(word.upos, word.xpos, word.feats) for word in words]
    columns = columns_of([word.form for word in words], [word.lemma for word in words], analyses, parser.own_tags)
    rows = np.vstack([np.array([NOTHING, TOP], np.uint64), columns])
    starts = starts_of(trees)
    return parser.trees(starts, *parser.parse(starts, np.arange(2, len(rows), dtype=np.int32), rows))


class Team:
    """Parsers in both directions."""

    def __init__(self, trees: Sequence[Tree], config: ParserConfig) -> None:
        """``config.team`` parsers for each direction, from the same trees."""
        configs = [replace(config, mixes=1, seed=config.seed + number) for number in range(config.team)]
        self._forward = [train_parser(trees, one) for one in configs]
        mirrors = [mirror(tree) for tree in trees]
        self._backward = [train_parser(mirrors, one) for one in configs]
        self._several_roots = any(sum(word.head == 0 for word in tree.words) > 1 for tree in trees)

    def parse(self, trees: Sequence[Tree]) -> list[tuple[list[int], list[str]]]:
        """Heads and relations of each sentence, by vote."""
        starts = starts_of(trees)
        answers = [parse_trees(parser, trees) for parser in self._forward]
        mirrors = [mirror(tree) for tree in trees]
        answers += [_turned_back(starts, *parse_trees(parser, mirrors)) for parser in self._backward]
        heads = np.array([one for one, _ in answers], np.int32)
        names = sorted({name for _, own in answers for name in own})
        numbers = {name: number for number, name in enumerate(names)}
        relations = np.array([[numbers[name] for name in own] for _, own in answers], np.int32)
        agree, best = votes(heads, relations)
        trees_by_vote = []
        for first, last in pairwise(starts.tolist()):
            sentence_heads = best[first:last]
            at = np.arange(first, last)
            own = heads[sentence_heads, at].tolist()
            if not (is_tree(own) and (self._several_roots or own.count(0) == 1)):
                sentence_heads = np.full_like(sentence_heads, int(agree[:, first:last].sum(1).argmax()))
                own = heads[sentence_heads, at].tolist()
            trees_by_vote.append((own, [names[number] for number in relations[sentence_heads, at].tolist()]))
        return trees_by_vote


def votes(heads: Ints, relations: Ints) -> tuple[Ints, Ints]:
    """How many parsers agree with each one's head of each word; whose head has most votes, then whose relation has."""
    members = len(heads)
    agree = np.zeros(heads.shape, np.int32)
    fully = np.zeros(heads.shape, np.int32)
    for one in range(members):
        same = heads == heads[one]
        agree += same
        fully += same & (relations == relations[one])
    return agree, (agree * (members + 1) + fully).argmax(0).astype(np.int32)


def _turned_back(starts: Longs, heads: list[int], relations: list[str]) -> tuple[list[int], list[str]]:
    heads_forward: list[int] = []
    names: list[str] = []
    for first, last in pairwise(starts.tolist()):
        heads_forward += [last - first + 1 - head if head else 0 for head in reversed(heads[first:last])]
        names += reversed(relations[first:last])
    return heads_forward, names


def with_votes(team: Team, gold: Sequence[Tree], unparsed: Sequence[Tree]) -> list[Tree]:
    """Trees of sentences that have none: voted on with the tags of ``gold``, to be learnt with those of ``given``."""
    copies = []
    for tree, (heads, relations) in zip(unparsed, team.parse(gold), strict=True):
        arcs = zip(tree.words, heads, relations, strict=True)
        copies.append(Tree([_with(word, head, relation) for word, head, relation in arcs]))
    return copies


def without_trees(trees: Sequence[Tree], gold: int) -> list[int]:
    """Numbers of the sentences to vote on: of ordinary length, evenly from all, not too many for so many parsed words."""
    sentences = [
        number for number, tree in enumerate(trees) if not tree.parsed and _SHORTEST <= len(tree.words) <= _LONGEST
    ]
    words = sum(len(trees[number].words) for number in sentences)
    return sentences[:: max(1, -(-words // max(1, SHARE * gold)))]
