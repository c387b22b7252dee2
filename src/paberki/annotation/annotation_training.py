"""From treebanks to a model file: one function per layer. The same data and seed give the same bytes."""

from __future__ import annotations

import lzma
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from paberki.annotation.files.conllu_reading import Tree, TreeWord, decode_lines, read_trees
from paberki.annotation.lemmas.lemmatiser import LearntLemmas, Lemmatiser, train_lemmatiser
from paberki.annotation.names.name_finder import (
    OUTSIDE,
    Labelled,
    NameFinder,
    NamesConfig,
    annotated_parts,
    train_names,
)
from paberki.annotation.parsing.parser import Parser
from paberki.annotation.parsing.parser_training import ParserConfig, train_parser, usable
from paberki.annotation.parsing.tree_voting import Team, with_votes, without_trees
from paberki.annotation.splitting.splitter import Splitter
from paberki.annotation.splitting.splitter_training import CLEAR, running, train_splitter
from paberki.annotation.tagging.tag_table import TagTable, build_table, scheme_of, tag_of
from paberki.annotation.tagging.tagger import PerceptronTagger
from paberki.annotation.tagging.tagger_training import Tagged, TaggerConfig, train_tagger, unseen_tags
from paberki.annotation.training_progress import Log, silent
from paberki.errors import ConfigError, InputError

_HEADINGS: Final = 2
"""One tree in this many is also learnt without its final punctuation."""
_SHORTEST: Final = 3
_TRUST: Final = 2
"""How often a tree of the treebank is learnt for each voted tree."""


def trees_with_tags(trees: Iterable[Tree]) -> list[Tree]:
    """Sentences whose words have tags."""
    return [tree for tree in trees if all(word.xpos != "_" or word.upos != "_" for word in tree.words) and tree.words]


def choose_scheme(trees: Sequence[Tree]) -> str:
    """Which tag to learn from these sentences."""
    return scheme_of(word for tree in trees for word in tree.words)


def learn_tagger(
    trees: Sequence[Tree],
    scheme: str,
    config: TaggerConfig,
    log: Log = silent,
    lang: str = "",
    fresh: Sequence[Tagged] = (),
) -> tuple[PerceptronTagger, TagTable]:
    """A tagger and the table of its tags; ``fresh`` as for :func:`train_tagger`."""
    if not trees:
        raise ConfigError("no sentence with tags in this data")
    sentences = [[(word.form, tag_of(word, scheme)) for word in tree.words] for tree in trees]
    tagger = train_tagger(sentences, config, log, lang, fresh)
    tagger.unsure = 100
    return tagger, build_table((tag_of(word, scheme), word) for tree in trees for word in tree.words)


def learn_lemmas(trees: Iterable[Tree], scheme: str, lang: str) -> LearntLemmas:
    """Lemmas with the tags of a scheme."""
    return train_lemmatiser(
        ((word.form, tag_of(word, scheme), word.lemma) for tree in trees for word in tree.words), lang
    )


def retag(trees: Sequence[Tree], tags: Sequence[str], table: TagTable, lemmatiser: Lemmatiser) -> list[Tree]:
    """Copies of the trees with new tags and the lemmas and features that belong to them."""
    pairs = list(dict.fromkeys((word.form, tag) for word, tag in zip(_words(trees), tags, strict=True)))
    lemmas = dict(zip(pairs, lemmatiser.lemmas([form for form, _ in pairs], [tag for _, tag in pairs]), strict=True))
    copies: list[Tree] = []
    new_tags = iter(tags)
    for tree in trees:
        words = []
        for word in tree.words:
            tag = next(new_tags)
            lemma = lemmas[word.form, tag]
            upos, xpos, feats = table.of(tag, lemma)
            words.append(TreeWord(word.form, lemma, upos, xpos, feats, word.head, word.deprel))
        copies.append(Tree(words))
    return copies


def _words(trees: Iterable[Tree]) -> list[TreeWord]:
    return [word for tree in trees for word in tree.words]


def learn_parser(
    trees: Sequence[Tree],
    scheme: str,
    config: ParserConfig,
    lang: str,
    *,
    tags: Sequence[str] | None = None,
    others: Sequence[Tree] = (),
    gold: bool = True,
    log: Log = silent,
) -> Parser:
    """A parser from trees with gold tags and with the tags that a tagger gives which has not learnt from them.

    Sentences without trees help that tagger, and a team of parsers votes on their trees (``config.team``). ``tags`` are
    the tags of all words, if somebody has them already; ``others`` are trees of a close language, learnt as they are;
    without ``gold`` only the versions with these tags are learnt from, which takes half the time.
    """
    if not any(map(usable, trees)):
        raise ConfigError("no sentence with a whole tree in this data")
    if tags is None:
        sentences = [[(word.form, tag_of(word, scheme)) for word in tree.words] for tree in trees]
        tags = unseen_tags(sentences, TaggerConfig(rounds=4, seed=config.seed), log, lang)
    table = build_table((tag_of(word, scheme), word) for word in _words(trees))
    again = retag(trees, tags, table, Lemmatiser.of(learn_lemmas(trees, scheme, lang)))
    good = [number for number, tree in enumerate(trees) if usable(tree)]
    versions = [without_stop(again[number]) if gold and number % _HEADINGS == 0 else again[number] for number in good]
    training_trees = [*(trees[number] for number in good if gold), *versions, *filter(usable, others)]
    bare = without_trees(trees, sum(len(trees[number].words) for number in good)) if config.team else []
    if bare:
        team = Team(training_trees, config)
        voted = with_votes(team, [trees[number] for number in bare], [again[number] for number in bare])
        log(f"{len(voted)} sentences without trees are learnt from with trees that {2 * config.team} parsers voted on")
        training_trees, config = [*training_trees * _TRUST, *voted], replace(config, rounds=-(-config.rounds // _TRUST))
    return train_parser(training_trees, config, log)


def without_stop(tree: Tree) -> Tree:
    """The sentence without its final punctuation, like headings and list items, which are rare in treebanks."""
    last = len(tree.words)
    if last < _SHORTEST or tree.words[-1].upos != "PUNCT" or any(word.head == last for word in tree.words):
        return tree
    return Tree(tree.words[:-1])


def read_labelled(path: Path, keep: Callable[[Tree], bool] = lambda _tree: True) -> list[list[tuple[str, str]]]:
    """Sentences of (form, label) from two columns, or from ``NER=`` in the last column of those trees that ``keep`` likes."""
    name = path.name.removesuffix(".xz")
    if name.endswith(".conllu"):
        sentences = []
        for tree in filter(keep, read_trees(path)):
            labels = [_ner(word.misc) for word in tree.words]
            if any(label is not None for label in labels):
                sentences.append(
                    [(word.form, label or OUTSIDE) for word, label in zip(tree.words, labels, strict=True)]
                )
        return sentences
    try:
        with lzma.open(path, "rb") if path.name.endswith(".xz") else open(path, "rb") as file:
            return _two_columns(decode_lines(file), str(path))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except lzma.LZMAError as error:
        raise InputError(f"{path}: cannot be unpacked: {error}") from error


def _ner(misc: str) -> str | None:
    for one in misc.split("|"):
        if one.startswith("NER="):
            return label_of(one[4:])
    return None


def label_of(value: str) -> str:
    """``B-per``, ``I-per`` or ``O``, however it was written; ``B-deriv-per`` is ``B-deriv``."""
    if value in ("O", "o", "_", ""):
        return OUTSIDE
    return f"{value[:1].upper()}-{value[2:].lower().partition('-')[0]}"


def _two_columns(lines: Iterable[str], name: str) -> list[list[tuple[str, str]]]:
    sentences: list[list[tuple[str, str]]] = []
    current: list[tuple[str, str]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            if current:
                sentences.append(current)
            current = []
            continue
        form, _, label = line.rpartition("\t")
        if not form:
            raise InputError(f"{name}, line {number}: should be a form and a label divided by a tab: {line[:60]!r}")
        current.append((form, label_of(label.strip())))
    if current:
        sentences.append(current)
    return sentences


def learn_names(sentences: Labelled, tagger: PerceptronTagger, config: NamesConfig, log: Log = silent) -> NameFinder:
    """Train a name finder on the tags of this tagger."""
    if not any(label != OUTSIDE for sentence in sentences for _, label in sentence):
        raise ConfigError("no names in this data: B-per, I-per … should stand in the second column or as NER=…")
    parts = annotated_parts(sentences)
    if len(parts) < len(sentences):
        log(
            f"{len(sentences) - len(parts)} sentences are left out: words with capitals, but no names in long stretches"
        )
    sentences = parts
    starts = np.r_[0, np.cumsum([len(sentence) for sentence in sentences])].astype(np.int64)
    forms = [form for sentence in sentences for form, _ in sentence]
    return train_names(sentences, tagger.tag_keys(tagger.tag(starts, forms)), config, log, tagger.lang)


def learn_splitter(
    trees: Sequence[Tree],
    lang: str,
    seed: int,
    others: Sequence[Sequence[Tree]] = (),
    clear: float = CLEAR,
    orders: int = 1,
    *,
    clauses: bool = True,
) -> Splitter:
    """Decisions about tokens and sentences; ``others`` are sentences of other languages, ``clear`` how plain an end must be."""
    if not running(trees):
        raise ConfigError(
            "no sentence tells where spaces are missing (SpaceAfter=No), so tokens cannot be learnt from it"
        )
    return train_splitter(trees, lang, seed, others, clear, orders, clauses=clauses)
