"""Shared by adapters: align the sentences that a tool returns with the text."""

from __future__ import annotations

from collections.abc import Sequence

from paberki.annotation.document import Document
from paberki.annotation.files.conllu_reading import Tree
from paberki.annotation.files.model_catalogue import annotator, shipped
from paberki.annotation.splitting.splitter import Splitter
from paberki.errors import InputError


def split(text: str, lang: str) -> Document:
    """Split a text by our own rules, for tools without a tokeniser."""
    if shipped(lang):
        return annotator(lang).split(text)
    starts, ends, edges = Splitter(lang).split(text)
    forms = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    return Document(text=text, lang=lang, forms=forms, starts=starts, ends=ends, edges=edges)


def align(text: str, trees: Sequence[Tree], lang: str, tool: str) -> Document:
    """A document from the sentences into which a tool split a text."""
    document = Document(text=text, lang=lang)
    at = 0
    for tree in trees:
        for word in tree.words:
            start = text.find(word.form, at)
            if start < 0:
                raise InputError(f"{tool} gave a word that is not in the text: {word.form[:40]!r}")
            at = start + len(word.form)
            document.forms.append(word.form)
            document.starts.append(start)
            document.ends.append(at)
        document.edges.append(len(document.forms))
    fill(document, trees, tool)
    return document


def fill(document: Document, trees: Sequence[Tree], tool: str) -> None:
    """Set the layers of a document from sentences with the same tokens."""
    words = [word for tree in trees for word in tree.words]
    if len(words) != len(document.forms):
        raise InputError(f"{tool} gave {len(words)} words for {len(document.forms)} tokens")
    document.upos = [word.upos for word in words]
    document.xpos = [word.xpos for word in words]
    document.feats = [word.feats for word in words]
    document.lemma = [word.lemma for word in words]
    if words and all(word.head >= 0 for word in words):
        document.head = [word.head for word in words]
        document.deprel = [word.deprel for word in words]
    names = [next((one[4:] for one in word.misc.split("|") if one.startswith("NER=")), None) for word in words]
    if any(name is not None for name in names):
        document.ner = [name or "O" for name in names]
