"""The annotator of a language: text in, document out.

For each pair of word and tag, the lemma, part of speech, features, lexicon look-up and parser columns are computed once and
cached under a number. Running text is then mostly look-ups.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

import numpy as np

from paberki.annotation.cyrillic_text import has_cyrillic, latin_forms, to_cyrillic, to_latin
from paberki.annotation.document import Document
from paberki.annotation.lemmas.dictionary import dictionary
from paberki.annotation.lemmas.lemmatiser import Lemmatiser
from paberki.annotation.names.name_finder import NameFinder
from paberki.annotation.parsing.parser import NOTHING, TOP, Parser, columns_of
from paberki.annotation.splitting.splitter import MOST_TOKENS, Splitter
from paberki.annotation.tagging.string_hashes import Ints, Keys, Longs
from paberki.annotation.tagging.tag_table import TagTable
from paberki.annotation.tagging.tagger import PerceptronTagger

TWO_SCRIPTS: Final = frozenset({"sr", "bs", "hr"})
"""Languages whose models read Latin and whose texts may be in Cyrillic."""
_TAGS: Final = 1 << 13
_CHUNK: Final = 50_000
_TOGETHER: Final = 20_000
_LONGEST: Final = 60
ALL_LAYERS: Final = ("tag", "lemma", "parse", "ner")


@dataclass(slots=True)
class _WordCache:
    """A cache of the analyses of pairs of word and tag, by number."""

    numbers: dict[int, int] = field(default_factory=dict)
    lemma: list[str] = field(default_factory=lambda: ["", ""])
    analysis: list[tuple[str, str, str]] = field(default_factory=lambda: [("", "", "")] * 2)
    oov: list[bool] = field(default_factory=lambda: [False, False])
    rows: Any = field(default_factory=lambda: np.array([NOTHING, TOP] + [NOTHING] * 1022, np.uint64))

    def add(
        self, lemmas: Sequence[str], analyses: Sequence[tuple[str, str, str]], oov: Sequence[bool], rows: Keys
    ) -> range:
        """New words with tags; their numbers."""
        first, last = len(self.lemma), len(self.lemma) + len(lemmas)
        while last > len(self.rows):
            self.rows = np.concatenate([self.rows, np.zeros_like(self.rows)])
        self.rows[first:last] = rows
        self.lemma += lemmas
        self.analysis += analyses
        self.oov += oov
        return range(first, last)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Switch garbage collection off: lists of words have no cycles, and traversing them takes a sixth of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class Annotator:
    """Annotates texts in one language with its layers."""

    def __init__(
        self,
        lang: str,
        *,
        splitter: Splitter | None = None,
        tagger: PerceptronTagger | None = None,
        table: TagTable | None = None,
        lemmatiser: Lemmatiser | None = None,
        parser: Parser | None = None,
        names: NameFinder | None = None,
    ) -> None:
        self.lang = lang
        self.splitter = splitter or Splitter(lang)
        self.tagger, self.table, self.lemmatiser = tagger, table or TagTable(), lemmatiser
        self.parser, self.names = parser, names
        self._words = _WordCache()

    def annotate(self, text: str, layers: Sequence[str] = ALL_LAYERS) -> Document:
        """Tokens, sentences and all layers that there are models for."""
        with _no_collection():
            document = self.split(text)
            self.add_layers(document, layers)
        return document

    def annotate_all(self, texts: Sequence[str], layers: Sequence[str] = ALL_LAYERS) -> Iterator[Document]:
        """Documents of many texts, annotated in chunks, so that short texts cost no more per token than long ones."""
        waiting: list[Document] = []
        for text in texts:
            waiting.append(self.split(text))
            if sum(map(len, waiting)) >= _TOGETHER:
                yield from self._annotated(waiting, layers)
                waiting = []
        yield from self._annotated(waiting, layers)

    def _annotated(self, documents: list[Document], layers: Sequence[str]) -> list[Document]:
        joint = Document(text="", lang=self.lang)
        for document in documents:
            first = len(joint.forms)
            joint.forms += document.forms
            joint.edges += [first + edge for edge in document.edges[1:]]
        self.add_layers(joint, layers)
        first = 0
        for document in documents:
            last = first + len(document)
            for name in joint.layers():
                setattr(document, name, getattr(joint, name)[first:last])
            first = last
        return documents

    def split(self, text: str) -> Document:
        """Tokens and sentences only."""
        places = None
        latin = text
        if self.lang in TWO_SCRIPTS and has_cyrillic(text):
            latin, places = to_latin(text)
        starts, ends, edges = self.splitter.split(latin)
        if places is not None:
            starts, ends = places[starts].tolist(), (places[np.array(ends, np.int64) - 1] + 1).tolist()
        forms = [text[start:end] for start, end in zip(starts, ends, strict=True)]
        return Document(text=text, lang=self.lang, forms=forms, starts=starts, ends=ends, edges=edges)

    def add_layers(self, document: Document, layers: Sequence[str] = ALL_LAYERS) -> None:
        """Annotate the tokens of a document, some thousand at a time."""
        if self.tagger is None:
            return
        for name in ("upos", "xpos", "feats", "lemma", "oov"):
            setattr(document, name, [])
        parse, find = self.parser is not None and "parse" in layers, self.names is not None and "ner" in layers
        document.head, document.deprel = ([], []) if parse else (None, None)
        document.ner = [] if find else None
        edges = cap(document.edges)
        first = 0
        while first < len(edges) - 1:
            last = first + 1
            while last < len(edges) - 1 and edges[last + 1] - edges[first] <= _CHUNK:
                last += 1
            self._chunk(document, np.array(edges[first : last + 1], np.int64), parse, find)
            first = last
        if len(edges) != len(document.edges) and document.head is not None:
            document.head = whole_heads(document.head, edges, document.edges)

    def _chunk(self, document: Document, edges: Longs, parse: bool, find: bool) -> None:
        assert self.tagger is not None
        begin = int(edges[0])
        starts = edges - begin
        chunk_forms = document.forms[begin : int(edges[-1])]
        latin = latin_forms(chunk_forms) if self.lang in TWO_SCRIPTS and has_cyrillic("".join(chunk_forms)) else {}
        forms = [latin.get(form, form) for form in chunk_forms] if latin else chunk_forms
        before = self.tagger.types.count
        words = self.tagger.types.of(forms)
        if self.tagger.types.count < before:
            self._words = _WordCache()
        tags = self.tagger.tag_types(starts, words)
        numbers = self._numbers(forms, words, tags)
        cache = self._words
        word_numbers = numbers.tolist()
        lemmas = [cache.lemma[number] for number in word_numbers]
        if latin:
            pairs = zip(chunk_forms, lemmas, strict=True)
            lemmas = [to_cyrillic(lemma) if form in latin else lemma for form, lemma in pairs]
        analyses = [cache.analysis[number] for number in word_numbers]
        document.lemma += lemmas  # type: ignore[operator]
        document.upos += [one[0] for one in analyses]  # type: ignore[operator]
        document.xpos += [one[1] for one in analyses]  # type: ignore[operator]
        document.feats += [one[2] for one in analyses]  # type: ignore[operator]
        document.oov += [cache.oov[number] for number in word_numbers]  # type: ignore[operator]
        if parse:
            assert self.parser is not None
            heads, relations = self.parser.trees(starts, *self.parser.parse(starts, numbers, cache.rows))
            document.head += heads  # type: ignore[operator]
            document.deprel += relations  # type: ignore[operator]
        if find:
            assert self.names is not None
            document.ner += self.names.find(starts, forms, self.tagger.tag_keys(tags))  # type: ignore[operator]

    def _numbers(self, forms: Sequence[str], words: Ints, tags: Ints) -> Ints:
        """Numbers of the words with their tags."""
        numbers = self._words.numbers
        keys = (words.astype(np.int64) * _TAGS + tags).tolist()
        try:
            return np.fromiter(map(numbers.__getitem__, keys), np.int32, len(keys))
        except KeyError:
            self._learn(forms, keys, tags)
        return np.fromiter(map(numbers.__getitem__, keys), np.int32, len(keys))

    def _learn(self, forms: Sequence[str], keys: Sequence[int], tags: Ints) -> None:
        """Analyse the pairs of word and tag that are not in the cache yet."""
        assert self.tagger is not None
        cache, names = self._words, self.tagger.tags
        new = {key: at for at, key in enumerate(keys) if key not in cache.numbers}
        words = [forms[at] for at in new.values()]
        tags_of_new = [names[tag] for tag in tags[list(new.values())].tolist()]
        lowers = [word.lower() for word in words]
        cut = [lower if len(lower) <= _LONGEST else "" for lower in lowers]
        spelled = [
            spelling or lower for spelling, lower in zip(self.tagger.lexicon.spelled(cut)[0], lowers, strict=True)
        ]
        lemmas = self.lemmatiser.lemmas(words, tags_of_new, spelled) if self.lemmatiser else ["_"] * len(words)
        analyses = [self.table.of(tag, lemma) for tag, lemma in zip(tags_of_new, lemmas, strict=True)]
        rows = columns_of(words, lemmas, analyses, self.parser is None or self.parser.own_tags)
        cache.numbers.update(zip(new, cache.add(lemmas, analyses, self.unknown(lowers), rows), strict=True))

    def unknown(self, lowers: Sequence[str]) -> list[bool]:
        """Whether words of letters are neither in the lexicon of the tagger nor in the dictionary (P2: OOV)."""
        assert self.tagger is not None
        in_lexicon = [
            row >= 0 or not lower.isalpha()
            for row, lower in zip(self.tagger.lexicon.find(lowers).tolist(), lowers, strict=True)
        ]
        doubtful = [at for at, there in enumerate(in_lexicon) if not there and len(lowers[at]) <= _LONGEST]
        lexicon = dictionary(self.lang) if doubtful else None
        if lexicon is not None:
            for at, lemma in zip(doubtful, lexicon.look_up([lowers[at] for at in doubtful]), strict=True):
                in_lexicon[at] = lemma is not None
        return [not there for there in in_lexicon]


def cap(edges: Sequence[int]) -> list[int]:
    """Cut sentences that are longer than the limit."""
    out = [0]
    for edge in edges[1:]:
        while edge - out[-1] > MOST_TOKENS:
            out.append(out[-1] + MOST_TOKENS)
        if edge > out[-1]:
            out.append(edge)
    return out


def whole_heads(heads: list[int], cut: Sequence[int], edges: Sequence[int]) -> list[int]:
    """Heads of sentences that were parsed in pieces: the roots of later pieces depend on the root of the first."""
    repaired = list(heads)
    begins = iter(edges)
    begin, following, root = 0, next(begins), -1
    for first, last in pairwise(cut):
        while following <= first:
            begin, root = following, -1
            following = next(begins, 1 << 62)
        for at in range(first, last):
            if heads[at] > 0:
                repaired[at] = heads[at] + first - begin
            elif root < 0:
                root = at
            else:
                repaired[at] = root - begin + 1
    return repaired
