"""spaCy: a package of the user's (``spacy:ja_ginza``), or ``spacy:blank`` for its tokeniser alone."""

from __future__ import annotations

from typing import Any

from paberki.annotation.adapters.aligned import fill
from paberki.annotation.document import Document
from paberki.annotation.files.conllu_reading import Tree, TreeWord
from paberki.errors import InputError, MissingExtra


class Spacy:
    """A loaded pipeline."""

    def __init__(self, lang: str, package: str) -> None:
        try:
            import spacy
        except ImportError:
            raise MissingExtra("spaCy", "nlp") from None
        self.lang = lang
        try:
            self._nlp: Any = spacy.blank(lang) if package in ("", "blank") else spacy.load(package)
        except (OSError, ImportError) as error:
            raise InputError(f"spaCy cannot load {package or lang!r}: {str(error).splitlines()[0]}") from error
        if not self._nlp.has_pipe("parser") and not self._nlp.has_pipe("senter"):
            self._nlp.add_pipe("sentencizer")

    def annotate(self, text: str) -> Document:
        """Text through the whole pipeline."""
        parsed_text = self._nlp(text)
        document = Document(text=text, lang=self.lang)
        for sentence in parsed_text.sents:
            for token in sentence:
                if not token.is_space:
                    document.forms.append(token.text)
                    document.starts.append(token.idx)
                    document.ends.append(token.idx + len(token.text))
            if len(document.forms) > document.edges[-1]:
                document.edges.append(len(document.forms))
        self._fill(document, [[token for token in one if not token.is_space] for one in parsed_text.sents])
        return document

    def add_layers(self, document: Document) -> None:
        """Run the rest of the pipeline on existing tokens, one sentence at a time, in batches."""
        import spacy

        sentences = [
            spacy.tokens.Doc(
                self._nlp.vocab, words=[token.form for token in one], sent_starts=[not at for at in range(len(one))]
            )
            for one in document.sentences
        ]
        self._fill(document, [list(sentence) for sentence in self._nlp.pipe(sentences)])

    def _fill(self, document: Document, sentences: list[list[Any]]) -> None:
        fill(document, [_tree(one) for one in sentences if one], "spaCy")
        if self._nlp.has_pipe("ner"):
            tokens = [token for one in sentences for token in one]
            document.ner = [f"{one.ent_iob_}-{one.ent_type_.lower()}" if one.ent_type_ else "O" for one in tokens]


def _tree(tokens: list[Any]) -> Tree:
    numbers = {token.i: number for number, token in enumerate(tokens, 1)}
    has_tree = any(token.dep_ for token in tokens)
    words = []
    for token in tokens:
        head = (0 if token.head.i == token.i else numbers.get(token.head.i, 0)) if has_tree else -1
        lemma, upos, xpos, feats = (fact or "_" for fact in (token.lemma_, token.pos_, token.tag_, str(token.morph)))
        relation = "root" if token.dep_ == "ROOT" else token.dep_ or "_"
        words.append(TreeWord(token.text, lemma, upos, xpos, feats, head, relation))
    return Tree(words)


def open_tool(lang: str, detail: str) -> Spacy:
    """The adapter."""
    return Spacy(lang, detail)
