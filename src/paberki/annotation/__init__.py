"""What are the words? Sentences, tokens, tags, lemmas, trees, names.

``annotate(text, lang="hr")`` gives a :class:`~paberki.annotation.document.Document`. Models for several languages come
with the package; ``paberki train`` makes others.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from paberki.annotation.document import Document, Sentence, Token

__all__ = ["Document", "Sentence", "Token", "annotate"]


def annotate(
    text: str, lang: str = "", *, model: str | Path | Sequence[str | Path] | None = None, tagger: str | None = None
) -> Document:
    """Annotate a text in a language.

    ``model`` names files of ``paberki train`` whose layers are used in place of those of the package; ``tagger`` an
    adapter to another tool (``udpipe:FILE``, ``spacy:NAME``, ``stanza``, ``classla``, ``command:…``). Each line of the
    text is taken for a paragraph of its own.

    >>> import paberki
    >>> document = paberki.annotate("Ana živi u Zagrebu.", lang="hr")
    >>> [token.lemma for token in document.tokens]
    ['Ana', 'živjeti', 'u', 'Zagreb', '.']
    """
    from paberki.annotation.files.model_catalogue import annotator
    from paberki.languages import code_or_same

    lang = code_or_same(lang)
    if tagger:
        from paberki.annotation.adapters import adapter

        return adapter(tagger, lang).annotate(text)
    files = [] if model is None else [model] if isinstance(model, str | Path) else list(model)
    return annotator(lang, tuple(Path(one) for one in files)).annotate(text)
