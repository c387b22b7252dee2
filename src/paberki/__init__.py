"""paberki: from a national web to a clean, annotated, searchable, documented text corpus.

``paberki.open(path)`` gives a corpus, or an index of a foreign one, with the verbs of the command line; ``paberki.new(path, lang=…)`` makes one.
``paberki.decode(bytes)``, ``paberki.extract(html)``, ``paberki.identify(text)`` and ``paberki.annotate(text, lang=…)`` work without a corpus.
Everything is imported when first used, so that ``import paberki`` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paberki.corpus import Corpus as Corpus
    from paberki.corpus import new_corpus as new
    from paberki.corpus import open_corpus as open  # noqa: A004 - paberki.open is the name people look for
    from paberki.dedup.near.between_texts import near_duplicates as near_duplicates
    from paberki.query import parse as parse
    from paberki.text_lists import annotate as annotate
    from paberki.text_lists import decode as decode
    from paberki.text_lists import extract as extract
    from paberki.text_lists import identify as identify

__all__ = [
    "Corpus",
    "__version__",
    "annotate",
    "decode",
    "extract",
    "identify",
    "near_duplicates",
    "new",
    "open",
    "parse",
]

_WHERE = {
    "Corpus": ("paberki.corpus", "Corpus"),
    "annotate": ("paberki.text_lists", "annotate"),
    "decode": ("paberki.text_lists", "decode"),
    "extract": ("paberki.text_lists", "extract"),
    "identify": ("paberki.text_lists", "identify"),
    "near_duplicates": ("paberki.dedup.near.between_texts", "near_duplicates"),
    "new": ("paberki.corpus", "new_corpus"),
    "open": ("paberki.corpus", "open_corpus"),
    "parse": ("paberki.query", "parse"),
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from paberki.installed import installed_version

        return installed_version("paberki")
    if name in _WHERE:
        module, attribute = _WHERE[name]
        return getattr(importlib.import_module(module), attribute)
    raise AttributeError(f"module 'paberki' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
