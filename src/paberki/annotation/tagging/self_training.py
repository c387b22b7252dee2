"""Semi-supervised training (P2 §4.1, after Spoustová et al. 2009): manual data and text that a combination has tagged.

Each iteration learns from the manual data and from a fresh chunk of a large text, so that the mistakes of the automatic
part differ from one iteration to the next while the manual part stays. The combination is three taggers that vote:
two with different orders of the sentences, one that reads them from their end. Deviation: P2's taggers are of different
kinds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np

from paberki.annotation.files.conllu_reading import Tree
from paberki.annotation.splitting.splitter import Splitter
from paberki.annotation.splitting.splitter_training import running, train_splitter
from paberki.annotation.tagging.tag_table import tag_of
from paberki.annotation.tagging.tagger import PerceptronTagger
from paberki.annotation.tagging.tagger_training import Tagged, TaggerConfig, train_tagger
from paberki.annotation.training_progress import Log
from paberki.errors import InputError

SHARE: Final = 0.5
"""Automatic tokens of an iteration for each manual one."""
_SHORTEST, _LONGEST = 5, 60


def raw_sentences(path: Path, splitter: Splitter, most: int) -> list[list[str]]:
    """Sentences of a text of ordinary length, up to so many tokens."""
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    sentences: list[list[str]] = []
    total = 0
    for line in text.split("\n"):
        starts, ends, edges = splitter.split(line)
        for first, last in pairwise(edges):
            if _SHORTEST <= last - first <= _LONGEST and total < most:
                sentences.append([line[starts[at] : ends[at]] for at in range(first, last)])
                total += last - first
        if total >= most:
            break
    return sentences


class Combination:
    """Taggers that vote."""

    def __init__(self, sentences: Tagged, config: TaggerConfig, lang: str) -> None:
        quick = replace(config, folds=2, mixes=1)
        self._forward = [train_tagger(sentences, replace(quick, seed=config.seed + one), lang=lang) for one in (0, 1)]
        self._backward = train_tagger([sentence[::-1] for sentence in sentences], quick, lang=lang)

    def tag(self, sentences: Sequence[Sequence[str]]) -> Tagged:
        """Sentences with the tags that most taggers give; the first one's where all differ."""
        answers = [_tags(tagger, sentences) for tagger in self._forward]
        answers.append([tags[::-1] for tags in _tags(self._backward, [forms[::-1] for forms in sentences])])
        return [
            [(form, Counter(votes).most_common(1)[0][0]) for form, *votes in zip(forms, *tags, strict=True)]
            for forms, *tags in zip(sentences, *answers, strict=True)
        ]


def _tags(tagger: PerceptronTagger, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
    edges = np.r_[0, np.cumsum([len(one) for one in sentences])].astype(np.int64)
    tags = [tagger.tags[number] for number in tagger.tag(edges, [form for one in sentences for form in one]).tolist()]
    return [tags[first:last] for first, last in pairwise(edges.tolist())]


def fresh_chunks(
    trees: Sequence[Tree], raw: Path, scheme: str, config: TaggerConfig, log: Log, lang: str = ""
) -> list[Tagged]:
    """Sentences of a text, tagged by a combination that has learnt from the manual ones: a chunk for each iteration."""
    splitter = train_splitter(trees) if running(trees) else Splitter()
    manual = sum(len(tree.words) for tree in trees)
    sentences = raw_sentences(raw, splitter, int(manual * SHARE * config.rounds))
    if not sentences:
        raise InputError(f"{raw}: no sentences of {_SHORTEST} to {_LONGEST} words to learn from")
    gold = [[(word.form, tag_of(word, scheme)) for word in tree.words] for tree in trees]
    tags = Combination(gold, config, lang).tag(sentences)
    log(f"{len(tags)} sentences of {raw.name} are learnt from as three taggers tag them, a part in each iteration")
    return [tags[number :: config.rounds] for number in range(config.rounds)]
