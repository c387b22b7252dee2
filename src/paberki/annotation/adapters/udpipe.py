"""UDPipe 1 (ufal.udpipe): a model file of the user's, with its tokeniser if it has one."""

from __future__ import annotations

import os
from typing import Any

from paberki.annotation.adapters.aligned import align, fill, split
from paberki.annotation.document import Document
from paberki.annotation.files.conllu_reading import Tree, TreeWord
from paberki.errors import ConfigError, InputError, MissingExtra


class UDPipe:
    """A loaded model."""

    def __init__(self, lang: str, path: str) -> None:
        try:
            import ufal.udpipe as udpipe
        except ImportError:
            raise MissingExtra("ufal.udpipe", "udpipe") from None
        if not path:
            raise ConfigError("name the model of UDPipe: --tagger udpipe:FILE")
        if not os.path.isfile(path):
            raise InputError(f"{path}: no such model")
        self.lang = lang
        self._udpipe: Any = udpipe
        self._model = udpipe.Model.load(path)
        if self._model is None:
            raise InputError(f"{path}: UDPipe cannot read this model")

    def annotate(self, text: str) -> Document:
        """Text through UDPipe's tokeniser, tagger and parser."""
        tokeniser = self._model.newTokenizer(self._model.DEFAULT)
        if tokeniser is None:
            document = split(text, self.lang)
            self.add_layers(document)
            return document
        tokeniser.setText(text)
        trees = []
        sentence = self._udpipe.Sentence()
        while tokeniser.nextSentence(sentence):
            trees.append(self._annotated(sentence))
            sentence = self._udpipe.Sentence()
        return align(text, trees, self.lang, "UDPipe")

    def add_layers(self, document: Document) -> None:
        """Given tokens through its tagger and parser."""
        trees = []
        for one in document.sentences:
            sentence = self._udpipe.Sentence()
            for token in one.tokens:
                sentence.addWord(token.form)
            trees.append(self._annotated(sentence))
        fill(document, trees, "UDPipe")

    def _annotated(self, sentence: Any) -> Tree:
        self._model.tag(sentence, self._model.DEFAULT)
        self._model.parse(sentence, self._model.DEFAULT)
        return Tree([_word(word) for word in list(sentence.words)[1:]])


def _word(word: Any) -> TreeWord:
    return TreeWord(
        word.form,
        word.lemma or "_",
        word.upostag or "_",
        word.xpostag or "_",
        word.feats or "_",
        word.head,
        word.deprel or "_",
    )


def open_tool(lang: str, detail: str) -> UDPipe:
    """The adapter."""
    return UDPipe(lang, detail)
