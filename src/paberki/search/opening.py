"""Opening the document index of a corpus, made or renewed first where that is needed and possible."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from paberki.errors import ConfigError, StoreError
from paberki.search.searching import DocumentSearch
from paberki.search.updating import folder_of, is_current, read_manifest, wanted_manifest
from paberki.store.lock import holder

if TYPE_CHECKING:
    from paberki.corpus import Corpus


def open_documents(corpus: Corpus, listen: Callable[[int, float], None] | None = None) -> DocumentSearch:
    """The index of documents. An old one is better than none where it cannot be renewed: on a read-only disk, during a build."""
    if not is_up_to_date(corpus) and _can_be_written(corpus):
        try:
            corpus.index_documents(listen=listen)
        except (StoreError, ConfigError):
            if read_manifest(corpus.root) is None:
                raise
    return DocumentSearch(corpus.root)


def is_up_to_date(corpus: Corpus) -> bool:
    """Whether the index holds what the layers hold."""
    manifest = read_manifest(corpus.root)
    if manifest is None:
        return False
    try:
        recipe = corpus.recipe
        target_manifest = wanted_manifest(corpus.directory, corpus.layout(), recipe.name, recipe.lang)
    except (StoreError, ConfigError):  # no recipe, or a build is under way: what is indexed can be searched
        return True
    return is_current(manifest, target_manifest)


def _can_be_written(corpus: Corpus) -> bool:
    folder = folder_of(corpus.root)
    if holder(corpus.directory.lock("search")) or (holder(corpus.directory.lock("layers")) and folder.is_dir()):
        return False
    return os.access(folder if folder.is_dir() else corpus.root, os.W_OK)


def pages_where(corpus: Corpus, where: str) -> tuple[int, ...]:
    """Numbers of the pages for which a condition holds."""
    return tuple(int(page["id"]) for page in corpus.pages("id", where=where, kept=False))
