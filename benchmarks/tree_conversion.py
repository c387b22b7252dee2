"""Trees of the scheme of SETimes.HR (2015) as trees of Universal Dependencies.

Some sentences have trees in both schemes. From these is learnt which way in the old tree leads from a word to its new head
(*its head's head through a preposition*), and which relation they then have; sentences with an old tree alone, but with
today's tags, are given a new one. Both are averaged perceptrons (Collins 2002) over a few candidates.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from paberki.annotation.files.conllu_reading import Tree
from paberki.annotation.parsing.parser_training import is_tree

_UP, _DOWN = 3, 2
"""Longest way up and down the old tree to a word that may be the new head."""
_ROUNDS = 4
_ROOT = "ROOT"

Features = list[str]


@dataclass(slots=True)
class Choice:
    """An averaged perceptron that picks one of several lists of features."""

    weights: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    _sums: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    _now: int = 1

    def best(self, candidates: Sequence[Features]) -> int:
        """Number of the best candidate."""
        get = self.weights.get
        scores = [sum([get(one, 0.0) for one in features]) for features in candidates]
        return scores.index(max(scores))

    def learn(self, candidates: Sequence[Features], right: int) -> None:
        """Correct the weights if another candidate than the right one is best."""
        self._now += 1
        best = self.best(candidates)
        if best != right:
            for features, step in ((candidates[right], 1.0), (candidates[best], -1.0)):
                for one in features:
                    self.weights[one] += step
                    self._sums[one] += step * self._now

    def average(self) -> None:
        """Replace the weights by their mean over all steps."""
        self.weights = {one: value - self._sums[one] / self._now for one, value in self.weights.items()}


def text_key(tree: Tree) -> str:
    """What sentences in different files are recognised by."""
    return "".join(word.form for word in tree.words)


def matched(trees: Sequence[Tree], old_trees: Sequence[Tree]) -> Iterator[tuple[int, Tree]]:
    """Numbers of the sentences that have an old tree over the same tokens, with that tree."""
    by_text = {text_key(tree): tree for tree in old_trees}
    for number, tree in enumerate(trees):
        old = by_text.get(text_key(tree))
        if old is None or [word.form for word in old.words] != [word.form for word in tree.words]:
            continue
        if is_tree([word.head for word in old.words]):
            yield number, old


def ways(old: Tree, word: int) -> list[tuple[int, str]]:
    """Words near a word (counted from 1) in the old tree, 0 for the root, each with the way to it."""
    children: dict[int, list[int]] = defaultdict(list)
    for number, one in enumerate(old.words, 1):
        children[one.head].append(number)
    routes: list[tuple[int, str]] = []
    at, way, below = word, "", 0
    for up in range(_UP + 1):
        if up:
            below, way = at, f"{way}^{old.words[at - 1].deprel}"
            at = old.words[at - 1].head
            routes.append((at, way))
        level = [(at, way)]
        for _ in range(_DOWN):
            level = [
                (child, f"{one_way}v{old.words[child - 1].deprel}")
                for one, one_way in level
                for child in children[one]
                if child not in (below, word)
            ]
            routes += level
        if at == 0:
            break
    if at != 0:
        routes.append((0, "far"))
    return routes


def _head_features(tree: Tree, old: Tree, word: int) -> tuple[list[int], list[Features]]:
    """Words that may be the head, and what speaks for each."""
    candidates = ways(old, word)
    own = tree.words[word - 1]
    groups: dict[str, list[int]] = defaultdict(list)
    for head, way in candidates:
        groups[way].append(head)
    features = []
    for head, way in candidates:
        pos, lemma = (tree.words[head - 1].upos, tree.words[head - 1].lemma) if head else (_ROOT, _ROOT)
        side = "<" if head < word else ">"
        group = groups[way]
        nearest = min(group, key=lambda one: abs(one - word))
        place = f"{int(head == min(group))}{int(head == max(group))}{int(head == nearest)}"
        both = f"{own.upos} {pos}"
        distance = min(abs(head - word), 6) if head else 0
        between = tree.words[min(head, word) : max(head, word) - 1] if head else []
        comma = int(any(one.form == "," for one in between))
        features.append([
            f"a{way}", f"b{way} {both}", f"c{both} {side}", f"d{way} {own.upos} {side}", f"e{way} {pos}", f"f{way} {place}",
            f"g{both} {place}", f"h{own.lemma} {way}", f"i{lemma} {way}", f"j{both} {side}{distance}",
            f"k{way} {side}{distance}", f"l{own.lemma} {pos} {side}", f"m{both} {side}{comma}", f"n{way} {both} {place}{side}",
            f"o{_case(own.feats)} {_case(tree.words[head - 1].feats) if head else ''} {both}",
            f"p{old.words[head - 1].deprel if head else _ROOT} {way} {pos}",
        ])  # fmt: skip
    return [head for head, _ in candidates], features


def _case(feats: str) -> str:
    return next((one for one in feats.split("|") if one.startswith("Case=")), "")


def _relation_features(tree: Tree, old: Tree, word: int, head: int, relations: Sequence[str]) -> list[Features]:
    own = tree.words[word - 1]
    other = tree.words[head - 1] if head else None
    pos, lemma = (other.upos, other.lemma) if other else (_ROOT, _ROOT)
    way = next((way for near, way in ways(old, word) if near == head), "")
    old_relation, side = old.words[word - 1].deprel, "<" if head < word else ">"
    case, voice = _case(own.feats), "Voice=Pass" in (other.feats if other else "")
    features = [
        f"a{own.upos}", f"b{old_relation}", f"c{own.upos} {pos} {side}", f"d{way}", f"e{way} {own.upos} {pos}",
        f"f{own.lemma} {pos}", f"g{case} {own.upos} {pos} {old_relation}", f"h{lemma} {own.upos}", f"i{own.lemma} {way}",
        f"j{own.xpos[:3]} {pos} {side}", f"k{case} {way}", f"l{voice} {old_relation} {own.upos}", f"m{own.lemma} {lemma}",
    ]  # fmt: skip
    return [[f"{relation} {one}" for one in features] for relation in relations]


class Converter:
    """What was learnt from sentences with trees in both schemes."""

    def __init__(self, pairs: Sequence[tuple[Tree, Tree]], seed: int = 1) -> None:
        """``pairs`` are trees of today with old ones of the same sentences."""
        self._heads, self._relations = Choice(), Choice()
        self._by_pos: dict[str, list[str]] = defaultdict(list)
        for tree, _ in pairs:
            for word in tree.words:
                if word.deprel not in self._by_pos[word.upos]:
                    self._by_pos[word.upos].append(word.deprel)
        rng = np.random.default_rng(seed)
        examples = [example for tree, old in pairs for example in self._examples(tree, old)]
        for _ in range(_ROUNDS):
            for number in rng.permutation(len(examples)).tolist():
                heads, right_head, relations, right_relation = examples[number]
                if right_head >= 0:
                    self._heads.learn(heads, right_head)
                self._relations.learn(relations, right_relation)
        self._heads.average()
        self._relations.average()

    def _examples(self, tree: Tree, old: Tree) -> Iterator[tuple[list[Features], int, list[Features], int]]:
        for number, word in enumerate(tree.words, 1):
            heads, features = _head_features(tree, old, number)
            names = self._by_pos[word.upos]
            relations = _relation_features(tree, old, number, word.head, names)
            right = heads.index(word.head) if word.head in heads else -1
            yield features, right, relations, names.index(word.deprel)

    def convert(self, tree: Tree, old: Tree) -> Tree | None:
        """The sentence with a tree of today; ``None`` if the heads that were chosen make none."""
        heads = []
        for number in range(1, len(tree.words) + 1):
            near, features = _head_features(tree, old, number)
            heads.append(near[self._heads.best(features)])
        if heads.count(0) != 1 or not is_tree(heads):
            return None
        words = []
        for number, (word, head) in enumerate(zip(tree.words, heads, strict=True), 1):
            names = self._by_pos[word.upos] or ["dep"]
            relation = names[self._relations.best(_relation_features(tree, old, number, head, names))]
            words.append(replace(word, head=head, deprel="root" if head == 0 else relation))
        return Tree(words, tree.comments, tree.extras)


def with_converted(trees: Sequence[Tree], old_trees: Sequence[Tree]) -> list[Tree]:
    """The sentences, those without a tree that have an old one with a converted tree."""
    pairs = list(matched(trees, old_trees))
    converter = Converter([(trees[number], old) for number, old in pairs if trees[number].parsed])
    converted = {number: converter.convert(trees[number], old) for number, old in pairs if not trees[number].parsed}
    return [converted.get(number) or tree for number, tree in enumerate(trees)]
