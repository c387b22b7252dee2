"""The corpora of a server, each in the state it has now.

An :class:`Edition` is one state of one corpus. A request takes an edition at its beginning and asks nothing else, so that
an answer is never of two states. Before that a few files are looked at: if a build, ``paberki index``, a selection or a
takedown has changed one of them, a new edition takes the place of the old one.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from paberki.errors import PaberkiError, StoreError
from paberki.nearest import nearest
from paberki.serve.json_answers import Refusal, not_found
from paberki.serve.last_used import LastUsed

if TYPE_CHECKING:
    from paberki.corpus import Corpus
    from paberki.export.standard_format.linked_pages import LinkedPages
    from paberki.query.concordancer import Concordancer
    from paberki.query.hits.what_if import Rules
    from paberki.query.index.reader import Index
    from paberki.recipe.corpus_recipe import Recipe
    from paberki.search.searching import DocumentSearch
    from paberki.store.token_bytes import TokenBytes

__all__ = ["Edition", "Library", "ServedCorpus"]

_WATCHED = (
    "index/index.json",
    "index.json",
    "search/documents.json",
    "tombstones.jsonl",
    "corpus.toml",
    "layers/manifest.json",
)
"""Files that change when the state of a corpus does; each is replaced by a rename, or appended to."""
_MOST_WHAT_IFS = 8
_MOST_SHOWN = 64
Stamp = tuple[tuple[int, int, int] | None, ...]


@dataclass(frozen=True)
class Edition:
    """A corpus in one state. What is derived from it is kept as long as it is."""

    name: str
    root: Path
    corpus: Corpus | None
    """The directory with its layers; None for an index of a foreign corpus."""
    concordancer: Concordancer
    """The index, ready for queries."""

    labels: str = ""
    """What changes with every label that is given."""

    def with_labels(self, labels: str) -> Edition:
        """The same state with the labels of now; what was derived from it is kept, but for selections of what if."""
        from paberki.coding.coded_index import coded
        from paberki.query.concordancer import OpenIndex

        if self.corpus is None:
            return replace(self, labels=labels)
        edition = replace(self, concordancer=OpenIndex(coded(self.index, self.corpus.directory)), labels=labels)
        kept_names = ("layout", "sizes", "rules", "token_bytes", "documents", "linked_pages")
        edition.__dict__.update({name: self.__dict__[name] for name in kept_names if name in self.__dict__})
        return edition

    @property
    def index(self) -> Index:
        """The open index."""
        return self.concordancer.reader

    @property
    def build(self) -> str:
        """Short name of this state."""
        return str(self.index.build)

    @property
    def selection(self) -> str:
        """The set that is asked by default."""
        return "kept" if "kept" in self.index.selections else "all"

    @cached_property
    def layout(self) -> Any:
        """Layers and columns of the pages; an error where there are none."""
        return self.pages.layout()

    @cached_property
    def sizes(self) -> dict[str, dict[str, int]]:
        """Tokens, pages and hosts of everything, and of the set that is asked by default."""
        scopes = {"all": self.concordancer._scope(set="all"), "kept": self.concordancer._scope()}
        return {name: scope.sizes for name, scope in scopes.items()}

    @cached_property
    def rules(self) -> Rules:
        """The rules for pages in force; none for an index of a foreign corpus."""
        from paberki.query.hits.what_if import Rules
        from paberki.store.selection.select import rules_in_force

        if self.corpus is None or not self.corpus.directory.recipe.is_file():
            return Rules()
        config = self.corpus.decisions().select
        return Rules(rules_in_force(config.pages, config), {"lang": config.lang}, config.copies)

    def what_if(self, cut: str, set_name: str = "kept") -> Concordancer:
        """The corpus as a cut would leave it; the last few are kept."""
        from paberki.query.hits.what_if import WhatIf

        key = (cut, set_name)
        if key not in self._what_ifs:
            if len(self._what_ifs) >= _MOST_WHAT_IFS:
                self._what_ifs.pop(next(iter(self._what_ifs)), None)
            preset = self.preset_rules(cut)
            self._what_ifs[key] = WhatIf(
                self.concordancer, cut, preset or self.rules, set_name, all_rules=preset is not None
            )
        return self._what_ifs[key]

    def preset_rules(self, cut: str) -> Rules | None:
        """The rules of a preset, where a cut is ``preset NAME``."""
        from paberki.report.preset_rules import rules_of_preset

        word, _, name = cut.strip().partition(" ")
        languages = tuple(self.recipe.lang) if self.corpus is not None else ()
        return rules_of_preset(name.strip(), languages) if word == "preset" else None

    @cached_property
    def recipe(self) -> Recipe:
        """The recipe as it is in this state; reading one takes longer than a page may."""
        return self.pages.recipe

    @cached_property
    def shown_pages(self) -> LastUsed[str]:
        """Pages that were asked for last, as they were sent: many readers of one state see the same lines."""
        return LastUsed(_MOST_SHOWN)

    @cached_property
    def _what_ifs(self) -> dict[tuple[str, str], Concordancer]:
        return {}

    @cached_property
    def token_bytes(self) -> TokenBytes | None:
        """Where tokens are in the bytes of their pages; None for an index of a foreign corpus."""
        from paberki.store.token_bytes import TokenBytes

        return None if self.corpus is None else TokenBytes(self.corpus.directory)

    @cached_property
    def documents(self) -> DocumentSearch:
        """The index of documents; an error that says what to type where there is none. A server never makes one."""
        from paberki.search.searching import DocumentSearch

        return DocumentSearch(self.pages.root)

    @cached_property
    def linked_pages(self) -> LinkedPages:
        """Pages by address, for the links of Web Standard Format."""
        from paberki.export.standard_format.linked_pages import LinkedPages

        return LinkedPages(self.pages.directory)

    @property
    def pages(self) -> Corpus:
        """The corpus with its pages; an error for an index of a foreign one."""
        if self.corpus is None:
            raise not_found(f"{self.name} is an index without pages: it was made from a vertical or CoNLL-U file")
        return self.corpus

    def check_build(self, build: str | None) -> None:
        """Refuse (409) a request that was meant for another state."""
        if build and build != self.build:
            raise Refusal(409, f"{self.name} is build {self.build} by now, not {build}; ask again without build")


class ServedCorpus:
    """A directory that is served, with its edition of now."""

    def __init__(self, root: Path, taken_names: Collection[str] = ()) -> None:
        self.root, self.name = root, ""
        self._lock = Lock()
        self._stamp: Stamp = ()
        self._edition: Edition | None = None
        own_name = self.edition().index.name or root.resolve().name
        names = (own_name if number == 1 else f"{own_name}-{number}" for number in count(1))
        self.name = next(name for name in names if name not in taken_names)
        self._edition = None

    def edition(self) -> Edition:
        """The corpus as it is now; 503 where its index cannot be read."""
        stamp = self._look()
        if self._edition is None or stamp != self._stamp:
            with self._lock:
                if self._edition is None or stamp != self._stamp:
                    self._edition, self._stamp = self._open(), stamp
        if (labels := self._labels()) != self._edition.labels:
            with self._lock:
                if labels != self._edition.labels:
                    self._edition = self._edition.with_labels(labels)
        return self._edition

    def _labels(self) -> str:
        """What changes when somebody labels something."""
        if not (self.root / "codings").is_dir():
            return ""
        from paberki.coding.coded_index import stamp_of
        from paberki.store.directory import Directory

        return stamp_of(Directory(self.root))

    def _look(self) -> Stamp:
        return tuple(map(_stamp, (self.root / name for name in _WATCHED)))

    def _open(self) -> Edition:
        from paberki.query.concordancer import OpenIndex
        from paberki.query.index.manifest import FILE

        try:
            corpus = None if (self.root / FILE).is_file() else _corpus(self.root)
            concordancer = OpenIndex(self.root)
            # The pages that were taken down are those of now, not those of the first question.
            len(concordancer.reader.tombstones)
        except OSError as error:
            raise StoreError(
                f"{self.root}: the index cannot be read ({error}); type: paberki index {self.root}"
            ) from error
        return Edition(self.name, self.root, corpus, concordancer)


def _corpus(root: Path) -> Corpus:
    from paberki.corpus import Corpus

    return Corpus(root)


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


class Library:
    """All corpora of a server, by name; two of one name get a number."""

    def __init__(self, roots: Sequence[Path | str]) -> None:
        self._corpora: dict[str, ServedCorpus] = {}
        for root in roots:
            corpus = ServedCorpus(Path(root), self._corpora)
            self._corpora[corpus.name] = corpus
        if not self._corpora:
            raise PaberkiError("no corpus to serve; type: paberki serve DIR")

    @property
    def names(self) -> list[str]:
        """Names of the corpora, in the order given."""
        return list(self._corpora)

    def corpus(self, name: str | None) -> ServedCorpus:
        """The corpus of that name; the first one if none is named."""
        if not name:
            return next(iter(self._corpora.values()))
        if name not in self._corpora:
            raise not_found(f"no corpus {name!r}{nearest(name, self._corpora)}; there are: {', '.join(self._corpora)}")
        return self._corpora[name]

    def edition(self, name: str | None) -> Edition:
        """The state of a corpus now."""
        return self.corpus(name).edition()
