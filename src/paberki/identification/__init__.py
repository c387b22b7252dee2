"""In which language and script a text is.

``identify(text)`` answers with the method ``general``; others are named by ``method=``: ``markov`` and its function
words (P1), ``ngram`` (P2), ``siblings`` (P3, close languages), ``words`` (function words and letters alone), ``vote``, and model files in the manner of
fastText. Each method is loaded when it is first asked for; importing this package costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from paberki.identification.answer import Identification

__all__ = ["METHODS", "Identification", "identify", "identify_texts"]

METHODS = ("general", "siblings", "words", "markov", "ngram", "vote", "fasttext")
"""Names for ``method=``."""


def identify(
    text: str, *, languages: Sequence[str] | None = None, method: str = "general", model: str | Path | None = None
) -> Identification:
    """Language and script of a text, with a probability for each language that it may be.

    ``languages`` limits the choice; Bosnian is answered only if it is named there. ``model`` is a file made by
    ``paberki train langid``, or the model file that the method ``fasttext`` needs.

    >>> identify("Jučer je u gradu otvorena nova knjižnica.").lang
    'hr'
    >>> identify("Jučer je u gradu otvorena nova knjižnica.", languages=("sl", "cs")).lang
    'sl'
    """
    from paberki.identification.methods.method_registry import find_method

    return find_method(method, model).identify([text], _codes(languages))[0]


def identify_texts(
    texts: Sequence[str],
    *,
    languages: Sequence[str] | None = None,
    method: str = "general",
    model: str | Path | None = None,
) -> list[Identification]:
    """The same for many texts at once, which is faster."""
    from paberki.identification.methods.method_registry import find_method

    return find_method(method, model).identify(texts, _codes(languages))


def _codes(languages: Sequence[str] | None) -> list[str] | None:
    from paberki.languages import code_or_same

    return None if languages is None else [code_or_same(name) for name in languages]
