"""Methods of identification by name, each loaded when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, Protocol

from paberki.errors import ConfigError
from paberki.identification import METHODS
from paberki.identification.answer import Identification
from paberki.nearest import nearest


class Method(Protocol):
    """What every method can do."""

    def identify(self, texts: Sequence[str], languages: Sequence[str] | None = None) -> list[Identification]:
        """Language of each text."""
        ...


@lru_cache(maxsize=16)
def find_method(name: str, model: str | Path | None = None) -> Method:
    """The method of that name, with the model in the package or in a file."""
    if name not in _LOADERS:
        names = ", ".join(METHODS)
        raise ConfigError(f"unknown method of identification {name!r}{nearest(name, METHODS)}; known: {names}")
    return _LOADERS[name](Path(model) if model else None)


def _general(path: Path | None) -> Method:
    from paberki.identification.methods.general import SHIPPED, load_general

    return load_general(path or SHIPPED)


def _words(path: Path | None) -> Method:
    from paberki.identification.methods.function_words import FunctionWords

    return FunctionWords()


def _markov(path: Path | None) -> Method:
    from paberki.identification.methods.classic import SHIPPED, load_markov

    return load_markov(path or SHIPPED)


def _ngram(path: Path | None) -> Method:
    from paberki.identification.methods.classic import SHIPPED, load_ngram

    return load_ngram(path or SHIPPED)


def _vote(path: Path | None) -> Method:
    from paberki.identification.methods.vote import load_vote

    return load_vote()


def _siblings(path: Path | None) -> Method:
    from paberki.identification.methods.siblings import load_siblings

    return load_siblings(path)


def _fasttext(path: Path | None) -> Method:
    from paberki.identification.methods.fasttext_languages import load_fasttext

    if path is None:
        raise ConfigError("the method 'fasttext' needs a model file: --model FILE, or model = \"FILE\" in the recipe")
    return load_fasttext(path)


_LOADERS: Final[dict[str, Callable[[Path | None], Method]]] = {
    "general": _general, "words": _words, "markov": _markov, "ngram": _ngram, "vote": _vote, "fasttext": _fasttext,
    "siblings": _siblings,
}  # fmt: skip
