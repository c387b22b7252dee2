"""Learning a tagger from tagged sentences (Collins 2002), the same bytes for the same seed.

Rare words are now and then treated as unknown, so that the model learns what to do with unknown words. The second pass
learns from what the first would say about sentences it has not seen: the first is trained several times, each time
without one part of the data, and labels that part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from paberki.annotation.tagging.sequence import MOST_TYPES, SequenceLearner, Types, Weights
from paberki.annotation.tagging.string_hashes import Ints, Keys, Longs
from paberki.annotation.tagging.tag_lexicon import build_lexicon
from paberki.annotation.tagging.tagger import PerceptronTagger
from paberki.annotation.training_progress import Log, silent

Tagged = Sequence[Sequence[tuple[str, str]]]
"""Sentences of (form, tag)."""
_RARE: Final = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggerConfig:
    """How a tagger is learnt."""

    rounds: int = 6
    """Times that the data are gone through."""
    folds: int = 4
    """Parts for the second pass; 0 for a tagger with one pass."""
    bits: int = 21
    """Binary logarithm of the number of weights of a pass."""
    mixes: int = 3
    """Models that are learnt with different orders of the sentences and averaged; the tagger is as fast as with one."""
    margin: int = 0
    """How much better the right tag should be than another one."""
    seed: int = 1


@dataclass(slots=True)
class _Data:
    starts: Longs
    words: Ints
    unknown: Ints
    """Type of each word as if it were unknown."""
    chance: np.ndarray[tuple[int], np.dtype[np.float64]]
    """How likely it is treated so."""
    gold: Ints
    turn: Ints
    """The round in which a sentence is learnt from, -1 for every round."""


def train_tagger(
    sentences: Tagged, config: TaggerConfig, log: Log = silent, lang: str = "", fresh: Sequence[Tagged] = ()
) -> PerceptronTagger:
    """Learn a tagger, with the help of the dictionary of a language.

    ``fresh`` are further sentences, tagged by a machine, for each round others.
    """
    tags = sorted({tag for sentence in sentences for _, tag in sentence})
    turns = [-1] * len(sentences) + [turn for turn, chunk in enumerate(fresh) for _ in chunk]
    sentences = [*sentences, *(sentence for chunk in fresh for sentence in chunk)]
    tagger = PerceptronTagger(tags, build_lexicon(sentences, tags, lang), config.bits, 2 if config.folds else 1, lang)
    tagger.types.most = 1 << 40
    data = _data(tagger, sentences, turns)
    rng = np.random.default_rng(config.seed)
    everything = np.arange(len(data.starts) - 1)
    aux = None
    if config.folds:
        tagger.unseen = _jackknife(tagger, data, config, rng, log)
        aux = tagger.labels.label_keys[tagger.unseen]
    for weights, previous_tags in zip(tagger.passes, (None, aux), strict=False):
        total = _learn(weights, tagger.types, data, everything, previous_tags, config, rng)
        for _ in range(config.mixes - 1):
            total += _learn(weights, tagger.types, data, everything, previous_tags, config, rng)
        weights.set(total)
    tagger.types.clear()
    tagger.types.most = MOST_TYPES
    return tagger


def unseen_tags(sentences: Tagged, config: TaggerConfig, log: Log = silent, lang: str = "") -> list[str]:
    """Tags of all words, each from a tagger that has not learnt from its sentence."""
    tags = sorted({tag for sentence in sentences for _, tag in sentence})
    tagger = PerceptronTagger(tags, build_lexicon(sentences, tags, lang), config.bits, 1, lang)
    tagger.types.most = 1 << 40
    labels = _jackknife(
        tagger, _data(tagger, sentences, [-1] * len(sentences)), config, np.random.default_rng(config.seed), log
    )
    return [tags[number] for number in labels.tolist()]


def _data(tagger: PerceptronTagger, sentences: Tagged, turns: Sequence[int]) -> _Data:
    forms = [form for sentence in sentences for form, _ in sentence]
    numbers = {tag: number for number, tag in enumerate(tagger.tags)}
    gold = np.array([numbers[tag] for sentence in sentences for _, tag in sentence], np.int32)
    starts = np.r_[0, np.cumsum([len(sentence) for sentence in sentences])].astype(np.int64)
    words = tagger.types.of(forms)
    lowers = [form.lower() for form in forms]
    counts: dict[str, int] = {}
    for lower in lowers:
        counts[lower] = counts.get(lower, 0) + 1
    as_unknown = dict(tagger.types.numbers)
    rare = sorted({form for form, lower in zip(forms, lowers, strict=True) if counts[lower] < _RARE})
    as_unknown.update(zip(rare, tagger.types.add(tagger.describe(rare, unknown=True)), strict=True))
    unknown = np.fromiter((as_unknown[form] for form in forms), np.int32, len(forms))
    chance = np.array([1 / (1 + counts[lower]) if counts[lower] < _RARE else 0.0 for lower in lowers])
    return _Data(starts, words, unknown, chance, gold, np.array(turns, np.int32))


def _learn(
    weights: Weights,
    types: Types,
    data: _Data,
    ids: Longs,
    aux: Keys | None,
    config: TaggerConfig,
    rng: np.random.Generator,
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Averaged weights after all rounds."""
    learner = SequenceLearner(weights)
    turn = data.turn[ids]
    for number in range(config.rounds):
        words = np.where(rng.random(len(data.words)) < data.chance, data.unknown, data.words)
        order = rng.permutation(ids[(turn < 0) | (turn == number)])
        learner.learn(types, data.starts, words, data.gold, order, aux, config.margin)
    return learner.averaged()


def _jackknife(tagger: PerceptronTagger, data: _Data, config: TaggerConfig, rng: np.random.Generator, log: Log) -> Ints:
    """Labels of the first pass, each from a model that has not learnt from the sentence."""
    fold_of = np.arange(len(data.starts) - 1) % config.folds
    token_fold = np.repeat(fold_of, np.diff(data.starts))
    labels = np.zeros(len(data.words), np.int32)
    first = tagger.passes[0]
    for fold in range(config.folds):
        inside = np.flatnonzero(fold_of == fold)
        first.set(_learn(first, tagger.types, data, np.flatnonzero(fold_of != fold), None, config, rng))
        frequencies = np.bincount(data.words[token_fold != fold], minlength=tagger.types.count)
        words = np.where(frequencies[data.words] > 0, data.words, data.unknown)
        tagger.types.forget_scores()
        fold_labels, _ = first.label(tagger.types, 0, data.starts, words, order=inside)
        mine = token_fold == fold
        labels[mine] = fold_labels[mine]
    manual = np.repeat(data.turn < 0, np.diff(data.starts))
    log(f"first pass on unseen parts: {100 * float((labels == data.gold)[manual].mean()):.2f} % right")
    return labels
