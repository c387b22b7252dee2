"""Learning a parser from trees, with the tags that a tagger would give them beside the gold ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.annotation.files.conllu_reading import Tree
from paberki.annotation.parsing.parser import (
    EXTRA,
    NOTHING,
    TEMPLATES,
    TOP,
    Parser,
    columns_of,
    label_keys,
    template_table,
    working_memory,
)
from paberki.annotation.tagging.string_hashes import Ints, Keys, Longs
from paberki.annotation.training_progress import Log, silent
from paberki.kernels import load

_STEPS: Final = 127
_LEAST: Final = 2
"""Smaller weights are left out: nothing is lost, and a model file is a fifth smaller."""
_MOST_WORDS: Final = 400
"""Longer sentences are lists; learning from one takes the square of its length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParserConfig:
    """How a parser is learnt."""

    rounds: int = 10
    """Times that the trees are gone through."""
    bits: int = 18
    """Binary logarithm of the number of rows of weights."""
    explore: float = 0.9
    """How often the parser follows its own mistakes, from the second round on."""
    seed: int = 1
    own_tags: bool = True
    """Whether the treebank's own tags are looked at, beside part of speech and features."""
    mixes: int = 2
    """Parsers that are learnt with different orders of the trees and averaged."""
    team: int = 2
    """Parsers for each direction that vote on the trees of sentences without them; 0: such sentences are not used."""


def is_tree(heads: Sequence[int]) -> bool:
    """Whether every word leads to a root."""
    state = [0] * (len(heads) + 1)
    state[0] = 2
    for word in range(1, len(heads) + 1):
        path = []
        at = word
        while state[at] == 0:
            state[at] = 1
            path.append(at)
            at = heads[at - 1]
            if not 0 <= at <= len(heads):
                return False
        if state[at] == 1:
            return False
        for one in path:
            state[one] = 2
    return True


def one_root(heads: Sequence[int], relations: Sequence[str]) -> tuple[list[int], list[str]]:
    """The tree with a single root: the others hang on the first (the first predicate in P3's scheme)."""
    roots = [at for at, head in enumerate(heads) if head == 0]
    if len(roots) <= 1:
        return list(heads), list(relations)
    main = next((at for at in roots if relations[at] == "Pred"), roots[0])
    extra = set(roots) - {main}
    return (
        [main + 1 if at in extra else head for at, head in enumerate(heads)],
        [f"{name}{EXTRA}" if at in extra else name for at, name in enumerate(relations)],
    )


def usable(tree: Tree) -> bool:
    """Whether a parser can learn from the sentence."""
    return tree.parsed and len(tree.words) <= _MOST_WORDS and is_tree([word.head for word in tree.words])


def train_parser(trees: Sequence[Tree], config: ParserConfig, log: Log = silent) -> Parser:
    """Learn a parser; several versions of one sentence, tagged differently, may be among the trees."""
    gold = [one_root([word.head for word in tree.words], [word.deprel for word in tree.words]) for tree in trees]
    labels = sorted({name for _, names in gold for name in names})
    numbers = {name: number for number, name in enumerate(labels)}
    starts = np.r_[0, np.cumsum([len(tree.words) for tree in trees])].astype(np.int64)
    heads = np.array([head - 1 if head else len(own) for own, _ in gold for head in own], np.int32)
    relations = np.array([numbers[name] for _, names in gold for name in names], np.int32)
    table: dict[tuple[str, str, tuple[str, str, str]], int] = {}
    words = np.zeros(len(heads), np.int32)
    at = 0
    for tree in trees:
        for word in tree.words:
            words[at] = 2 + table.setdefault((word.form, word.lemma, (word.upos, word.xpos, word.feats)), len(table))
            at += 1
    forms, lemmas, analyses = (list(column) for column in zip(*table, strict=True))
    columns = columns_of(forms, lemmas, analyses, config.own_tags)
    rows = np.vstack([np.array([NOTHING, TOP], np.uint64), columns])
    total = np.zeros((1 << config.bits, 1 + 2 * len(labels)), np.float64)
    for mix in range(config.mixes):
        total += _learn(labels, starts, words, heads, relations, rows, config, config.seed + mix)
    log(f"{len(trees)} trees, {len(labels)} relations")
    largest = max(float(np.abs(total).max()), 1e-9)
    steps = np.rint(total * (_STEPS / largest)).astype(np.int8)
    steps[np.abs(steps) < _LEAST] = 0
    return Parser(labels, config.bits, steps, config.own_tags)


def _learn(
    labels: Sequence[str],
    starts: Longs,
    words: Ints,
    heads: Ints,
    relations: Ints,
    rows: Keys,
    config: ParserConfig,
    seed: int,
) -> npt.NDArray[np.float64]:
    """Averaged weights."""
    kernel = load("paberki.annotation.parsing.tree_learning_kernel")
    rng = np.random.default_rng(seed)
    state = np.array([seed * 2654435761 + 88172645463325252], np.uint64)
    weights = np.zeros((1 << config.bits, 1 + 2 * len(labels)), np.int16)
    sums = np.zeros(weights.shape, np.int64)
    out = np.zeros(len(heads), np.int32), np.zeros(len(heads), np.int32)
    work = working_memory(int(np.diff(starts).max()), len(TEMPLATES))
    scores, costs = np.zeros(weights.shape[1], np.int32), np.zeros(3, np.int32)
    now = 1
    for number in range(config.rounds):
        order = rng.permutation(len(starts) - 1)
        now = kernel.learn(
            starts, order, words, heads, relations, rows, template_table(), weights, sums, np.uint64(64 - config.bits),
            len(labels), label_keys(labels), now, config.explore if number else 0.0, state, *work, scores, costs, *out,
        )  # fmt: skip
    return weights - sums / now
