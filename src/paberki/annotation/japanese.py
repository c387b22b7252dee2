"""Japanese: sentences by the rules of P4, short units of UniDic through fugashi, bunsetsu by rule.

Sentences end at 。？！♪… and at three or more ・, not inside brackets, and a full-width ． does not end one between
letters and digits; faces and （笑） stay with the sentence before; と, っ, です after a closing bracket or ！ go on
(P4 §2.2). A bunsetsu is a content word with the particles, auxiliaries and suffixes that follow it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

from paberki.annotation.document import Document
from paberki.errors import MissingExtra

_UPOS: Final = {
    "名詞": "NOUN", "代名詞": "PRON", "動詞": "VERB", "形容詞": "ADJ", "形状詞": "ADJ", "連体詞": "DET", "副詞": "ADV",
    "接続詞": "CCONJ", "感動詞": "INTJ", "助詞": "ADP", "助動詞": "AUX", "接頭辞": "NOUN", "接尾辞": "NOUN", "記号": "SYM",
    "補助記号": "PUNCT", "空白": "PUNCT",
}  # fmt: skip
_CLOSELY: Final = frozenset({"助詞", "助動詞", "接尾辞", "補助記号", "空白"})
_OPEN, _CLOSE = "（(「『【〈《［[", "）)」』】〉》］]"
_END: Final = re.compile("[。？！?!♪…]+|・{3,}|(?<![0-9A-Za-z０-９Ａ-Ｚａ-ｚ])．|．(?![0-9A-Za-z０-９Ａ-Ｚａ-ｚ])")
_TAIL: Final = re.compile(
    "[（(](?:笑|泣|爆|汗|苦笑|怒)[）)]|[wｗ笑]+(?=[\\s\u3000]|$)|[\\^＾;；][_\\-]?[\\^＾;；]|[”」』）]"
)
_GOES_ON: Final = re.compile("と|っ|です|って|か(?=[、。])|の(?=[はがをに])")


def sentences(line: str) -> list[tuple[int, int]]:
    """Places of the sentences of a line."""
    found: list[tuple[int, int]] = []
    begin = at = 0
    while end := _END.search(line, at):
        at = end.end()
        while tail := _TAIL.match(line, at):
            if tail.group() in "”」』）" and not _depth(line, begin, at):
                break
            at = tail.end()
        if _depth(line, begin, at) > 0 or (_GOES_ON.match(line, at) and line[at - 1] != "。"):
            continue
        found.append((begin, at))
        begin = at
    if line[begin:].strip():
        found.append((begin, len(line)))
    return [span for span in (_trimmed(line, *one) for one in found) if span[0] < span[1]]


def _depth(line: str, begin: int, end: int) -> int:
    """Open brackets; a bracket that nobody closes does not count for ever."""
    part = line[begin:end]
    depth = sum(map(part.count, _OPEN)) - sum(map(part.count, _CLOSE))
    rest = line[end : end + 400]
    return depth if any(letter in rest for letter in _CLOSE) else 0


def _trimmed(line: str, begin: int, end: int) -> tuple[int, int]:
    part = line[begin:end]
    return begin + len(part) - len(part.lstrip()), begin + len(part.rstrip())


@lru_cache(maxsize=1)
def _tagger() -> Any:
    try:
        import fugashi
        import unidic_lite
    except ImportError:
        raise MissingExtra("fugashi with unidic-lite", "ja") from None
    return fugashi.Tagger(f"-d {unidic_lite.DICDIR}")


class Japanese:
    """The annotator of Japanese."""

    lang = "ja"

    def annotate(self, text: str) -> Document:
        """Sentences, short units, parts of speech, lemmas, readings, bunsetsu."""
        document = Document(text=text, lang="ja", misc=[], upos=[], xpos=[], feats=[], lemma=[])
        at = 0
        for line in text.split("\n"):
            for begin, end in sentences(line):
                self._sentence(document, at + begin, at + end)
            at += len(line) + 1
        return document

    def _sentence(self, document: Document, begin: int, end: int) -> None:
        at = begin
        for unit in _tagger()(document.text[begin:end].encode("utf-8", "replace").decode()):
            start = document.text.find(unit.surface, at, end)
            if start < 0:
                continue
            at = start + len(unit.surface)
            document.forms.append(unit.surface)
            document.starts.append(start)
            document.ends.append(at)
            self._facts(document, unit, first=start == begin, space=document.text[at : at + 1].isspace())
        if len(document.forms) > document.edges[-1]:
            document.edges.append(len(document.forms))

    def add_layers(self, document: Document, layers: Any = None) -> None:
        """Given tokens: each is looked up by itself, with its longest unit deciding."""
        document.upos, document.xpos, document.feats, document.lemma, document.misc = [], [], [], [], []
        for number, form in enumerate(document.forms):
            units = list(_tagger()(form)) or [None]
            self._facts(
                document, max(units, key=lambda unit: len(unit.surface) if unit else 0), number in document.edges, False
            )

    def _facts(self, document: Document, unit: Any, first: bool, space: bool) -> None:
        feature = getattr(unit, "feature", None)
        places = [getattr(feature, f"pos{number}", None) or "*" for number in range(1, 5)]
        upos = _upos(places)
        lemma: str = getattr(feature, "lemma", None) or getattr(unit, "surface", None) or "_"
        reading = getattr(feature, "kana", None)
        begins = first or places[0] not in _CLOSELY
        facts = [f"Bunsetsu={'B' if begins else 'I'}"]
        if reading and reading != "*":
            facts.insert(0, f"Reading={reading}")
        if not space:
            facts.append("SpaceAfter=No")
        for column, value in (
            (document.upos, upos), (document.xpos, "-".join(one for one in places if one != "*") or "_"),
            (document.feats, "_"), (document.lemma, lemma.partition("-")[0] if not lemma.isascii() else lemma),
            (document.misc, "|".join(facts)),
        ):  # fmt: skip
            assert column is not None
            column.append(value or "_")


def _upos(places: list[str]) -> str:
    if places[1] == "固有名詞":
        return "PROPN"
    if places[1] == "数詞":
        return "NUM"
    if places[:2] == ["助詞", "接続助詞"]:
        return "SCONJ"
    if places[:2] == ["助詞", "終助詞"]:
        return "PART"
    return _UPOS.get(places[0], "X")


def annotate_japanese(text: str) -> Document:
    """Annotate a Japanese text."""
    return Japanese().annotate(text)
