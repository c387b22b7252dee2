"""Semi-supervised training (P2 §3, after Spoustová et al. 2009): manual data and text that taggers agree on.

P2 trains each iteration on the manual data and a fresh chunk of a large corpus that a combination of taggers has
tagged. Here the combination is two taggers trained on the halves of the manual data with different seeds; sentences on
which they agree in all words are added, a fresh chunk for each iteration, and the tagger is then trained on manual and
automatic data together. Deviation: P2's taggers are of different kinds; agreement of whole sentences takes the place
of their vote.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np

from paberki.annotation.conllu import Tree, Word
from paberki.annotation.progress import Log
from paberki.annotation.splitter_training import running, train_splitter
from paberki.annotation.splitting import Splitter
from paberki.annotation.tagger import Tagger
from paberki.annotation.tagger_training import TaggerConfig
from paberki.annotation.tagtable import TagTable
from paberki.errors import InputError

SHARE: Final = 1.0
"""Automatic tokens for each manual one."""
_SHORTEST, _LONGEST = 5, 60


def raw_sentences(path: Path, splitter: Splitter, most: int) -> list[list[str]]:
    """Sentences of a text of ordinary length, up to so many tokens."""
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    found: list[list[str]] = []
    total = 0
    for line in text.split("\n"):
        starts, ends, edges = splitter.split(line)
        for first, last in pairwise(edges):
            if _SHORTEST <= last - first <= _LONGEST and total < most:
                found.append([line[starts[at] : ends[at]] for at in range(first, last)])
                total += last - first
        if total >= most:
            break
    return found


def agreed(sentences: Sequence[Sequence[str]], taggers: Sequence[Tagger], table: TagTable) -> list[Tree]:
    """Sentences on which all taggers say the same, as trees without heads."""
    starts = np.r_[0, np.cumsum([len(one) for one in sentences])].astype(np.int64)
    forms = [form for one in sentences for form in one]
    votes = [[tagger.tags[number] for number in tagger.tag(starts, forms).tolist()] for tagger in taggers]
    same = np.array([len(set(given)) == 1 for given in zip(*votes, strict=True)])
    found = []
    for first, last in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        if same[first:last].all():
            words = []
            for form, tag in zip(forms[first:last], votes[0][first:last], strict=True):
                upos, xpos, feats = table.of(tag, "")
                words.append(Word(form, "_", upos, xpos, feats))
            found.append(Tree(words))
    return found


def more_sentences(
    trees: Sequence[Tree], raw: Path, scheme: str, config: TaggerConfig, log: Log, lang: str = ""
) -> list[Tree]:
    """The manual sentences, and as many tokens again of sentences of a text that taggers agree on."""
    from paberki.annotation.training import learn_tagger

    splitter = train_splitter(trees) if running(trees) else Splitter()
    manual = sum(len(tree.words) for tree in trees)
    sentences = raw_sentences(raw, splitter, int(manual * SHARE * 3))
    if not sentences:
        raise InputError(f"{raw}: no sentences of {_SHORTEST} to {_LONGEST} words to learn from")
    quick = replace(config, folds=0, mixes=1)
    first, table = learn_tagger(trees[::2], scheme, quick, lang=lang)
    second, _ = learn_tagger(trees[1::2] or trees, scheme, replace(quick, seed=config.seed + 1), lang=lang)
    found = agreed(sentences, (first, second), table)
    kept: list[Tree] = []
    room = int(manual * SHARE)
    for tree in found:
        room -= len(tree.words)
        if room < 0:
            break
        kept.append(tree)
    log(f"{len(kept)} of {len(sentences)} sentences of {raw.name} are added, on which two taggers agree")
    return [*trees, *kept]
