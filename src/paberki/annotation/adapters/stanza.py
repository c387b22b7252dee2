"""Stanza: its pipeline for a language, with weights that the user has downloaded."""

from __future__ import annotations

import importlib
from typing import Any

from paberki.annotation.adapters.aligned import fill, split
from paberki.annotation.document import Document
from paberki.annotation.files.conllu_reading import Tree, TreeWord
from paberki.errors import InputError, MissingExtra


class Stanza:
    """A pipeline on existing tokens; CLASSLA, its descendant for South Slavic languages, has the same interface."""

    package = "stanza"
    options: dict[str, Any] = {"download_method": None}  # noqa: RUF012 - overridden as a whole

    def __init__(self, lang: str, detail: str) -> None:
        try:
            library: Any = importlib.import_module(self.package)
        except ImportError:
            raise MissingExtra(self.package, "nlp") from None
        self.lang = lang
        more = {"dir": detail} if detail else {}
        try:
            self._pipeline = library.Pipeline(lang, tokenize_pretokenized=True, verbose=False, **self.options, **more)
        except Exception as error:
            raise InputError(f"{self.package} cannot start for {lang!r}: {str(error).splitlines()[0]}") from error

    def annotate(self, text: str) -> Document:
        """Our tokens, its layers."""
        document = split(text, self.lang)
        self.add_layers(document)
        return document

    def add_layers(self, document: Document) -> None:
        """All sentences in one call, which the pipeline cuts into batches."""
        if not document.forms:
            return
        parsed_text = self._pipeline(self.tool_input([[token.form for token in one] for one in document.sentences]))
        fill(document, [Tree([_word(word) for word in one.words]) for one in parsed_text.sentences], self.package)
        labels = [getattr(token, "ner", None) for one in parsed_text.sentences for token in one.tokens]
        if any(labels) and len(labels) == len(document.forms):
            document.ner = [_label(label) for label in labels]

    def tool_input(self, sentences: list[list[str]]) -> Any:
        """Tokens in the form that the pipeline takes."""
        return sentences


def _label(label: str | None) -> str:
    """Stanza's labels for single and last tokens become begin and inside."""
    if not label or label == "O":
        return "O"
    return f"{'B' if label[0] in 'BS' else 'I'}-{label[2:].lower()}"


def _word(word: Any) -> TreeWord:
    head = word.head if word.head is not None else -1
    return TreeWord(
        word.text,
        word.lemma or "_",
        word.upos or "_",
        word.xpos or "_",
        word.feats or "_",
        int(head),
        word.deprel or "_",
    )


def open_tool(lang: str, detail: str) -> Stanza:
    """The adapter."""
    return Stanza(lang, detail)
