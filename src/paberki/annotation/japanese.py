"""Japanese: sentences by the rules of P4, short units of UniDic through fugashi, bunsetsu by rule.

Sentences: :mod:`paberki.annotation.splitting.japanese_sentences`. A bunsetsu is a content word with the particles, auxiliaries and suffixes that
follow it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

from paberki.annotation.document import Document
from paberki.annotation.files.conllu_reading import NO_SPACE
from paberki.annotation.pipeline import ALL_LAYERS, Annotator
from paberki.annotation.splitting.japanese_sentences import sentences_of
from paberki.errors import MissingExtra
from paberki.kernels.preparation import prepared

_UPOS: Final = {
    "名詞": "NOUN", "代名詞": "PRON", "動詞": "VERB", "形容詞": "ADJ", "形状詞": "ADJ", "連体詞": "DET", "副詞": "ADV",
    "接続詞": "CCONJ", "感動詞": "INTJ", "助詞": "ADP", "助動詞": "AUX", "接頭辞": "NOUN", "接尾辞": "NOUN", "記号": "SYM",
    "補助記号": "PUNCT", "空白": "PUNCT",
}  # fmt: skip
_CLOSELY: Final = frozenset({"助詞", "助動詞", "接尾辞", "補助記号", "空白"})


@lru_cache(maxsize=1)
@prepared
def _tagger() -> Any:
    try:
        import fugashi
        import unidic_lite
    except ImportError:
        raise MissingExtra("fugashi with unidic-lite", "ja") from None
    return fugashi.Tagger(f"-d {unidic_lite.DICDIR}")


class Japanese(Annotator):
    """The annotator of Japanese: no model of ours, but UniDic."""

    def __init__(self) -> None:
        super().__init__("ja")

    def annotate(self, text: str, layers: Sequence[str] = ALL_LAYERS, *, fold: bool = True) -> Document:
        """Sentences, short units, parts of speech, lemmas, readings, bunsetsu; ``fold`` takes lists into sentences."""
        document = _empty(text)
        for begin, end in sentences_of(text, fold=fold):
            first = len(document.forms)
            for unit, start in units(text, begin, end):
                document.forms.append(unit.surface)
                document.starts.append(start)
                document.ends.append(start + len(unit.surface))
                space = "_" if text[document.ends[-1] : document.ends[-1] + 1].isspace() else NO_SPACE
                add_facts(document, unit, space, first=len(document.forms) == first + 1)
            _verbs(document, first)
            if len(document.forms) > first:
                document.edges.append(len(document.forms))
        return document

    def annotate_all(self, texts: Sequence[str], layers: Sequence[str] = ALL_LAYERS) -> Iterator[Document]:
        """Documents of many texts whose lines are blocks of pages: no sentence goes over a line end."""
        return (self.annotate(text, layers, fold=False) for text in texts)

    def split(self, text: str) -> Document:
        """Sentences and short units; what else UniDic says comes with them."""
        return self.annotate(text)

    def add_layers(self, document: Document, layers: Sequence[str] = ALL_LAYERS) -> None:
        """Annotate existing tokens: with UniDic's unit at the same place, or else with its analysis of the token alone."""
        tokens = _empty(document.text)
        for first, last in pairwise(document.edges):
            forms = document.forms[first:last]
            whole = "".join(forms)
            there = {(start, start + len(unit.surface)): unit for unit, start in units(whole, 0, len(whole))}
            at = 0
            for number, form in enumerate(forms):
                unit = there.get((at, at + len(form))) or _longest(form)
                at += len(form)
                misc = document.misc[first + number] if document.misc else "_"
                add_facts(tokens, unit, misc, first=number == 0)
            _verbs(tokens, first)
        for name in ("upos", "xpos", "feats", "lemma", "misc"):
            setattr(document, name, getattr(tokens, name))


def _empty(text: str) -> Document:
    return Document(text=text, lang="ja", misc=[], upos=[], xpos=[], feats=[], lemma=[])


def units(text: str, begin: int, end: int) -> Iterator[tuple[Any, int]]:
    """Short units of a part of a text and where each begins."""
    at = begin
    for unit in _tagger()(text[begin:end].encode("utf-8", "replace").decode()):
        start = text.find(unit.surface, at, end)
        if start >= 0:
            yield unit, start
            at = start + len(unit.surface)


def _longest(form: str) -> Any:
    return max(_tagger()(form.encode("utf-8", "replace").decode()), key=lambda unit: len(unit.surface), default=None)


def add_facts(document: Document, unit: Any, misc: str, first: bool) -> None:
    """One more unit: its part of speech, lemma, reading, and whether a bunsetsu begins with it; ``misc`` stays."""
    feature = getattr(unit, "feature", None)
    places = [getattr(feature, name, None) or "*" for name in ("pos1", "pos2", "pos3", "pos4", "cType")]
    surface: str = getattr(unit, "surface", None) or "_"
    lemma: str = getattr(feature, "lemma", None) or surface
    # UniDic's lemma of a name is its reading, and its signs are the wide ones.
    if places[1] == "固有名詞" or places[0] == "補助記号":
        lemma = getattr(feature, "orthBase", None) or surface
    reading = getattr(feature, "kana", None)
    facts = [one for one in misc.split("|") if one != "_" and not one.startswith(("Reading=", "Bunsetsu="))]
    facts.append(f"Bunsetsu={'B' if first or places[0] not in _CLOSELY else 'I'}")
    if reading and reading != "*":
        facts.append(f"Reading={reading}")
    for column, value in (
        (document.upos, _upos(places)), (document.xpos, "-".join(one for one in places if one != "*") or "_"),
        (document.feats, "_"), (document.lemma, lemma.partition("-")[0] if not lemma.isascii() else lemma),
        (document.misc, "|".join(sorted(facts))),
    ):  # fmt: skip
        assert column is not None
        column.append(value or "_")


def _verbs(document: Document, first: int) -> None:
    """The last sentence, from its first token: an action noun with する is a verb with its auxiliary."""
    assert document.upos is not None
    assert document.xpos is not None
    assert document.lemma is not None
    for at in range(first + 1, len(document.upos)):
        if document.lemma[at] in ("為る", "出来る") and document.xpos[at].startswith("動詞-非自立可能"):
            if document.xpos[at - 1].startswith("名詞-普通名詞-サ変"):
                document.upos[at - 1 : at + 1] = ["VERB", "AUX"]
            elif document.xpos[at - 1] == "助詞-格助詞" and document.lemma[at - 1] == "と":
                document.upos[at] = "AUX"


def _upos(places: list[str]) -> str:
    if places[1] == "固有名詞":
        return "PROPN"
    if places[1] == "数詞":
        return "NUM"
    if places[0] == "助詞" and places[1] in ("接続助詞", "準体助詞"):
        return "SCONJ"
    if places[:2] == ["助詞", "終助詞"]:
        return "PART"
    return _UPOS.get(places[0], "X")
