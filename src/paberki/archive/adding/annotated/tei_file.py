"""TEI files: a page is a ``<div xml:id>`` directly in ``<body>``, or a ``<TEI>`` without such divisions.

``<p>`` and ``<ab>`` are paragraphs, ``<s>`` sentences, ``<w>`` and ``<pc>`` tokens; ``join``, ``lemma``, ``ana="mte:…"``, ``msd``, ``<name>`` and
``<linkGrp type="UD-SYN">`` are read. Paragraphs without tokens are text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from paberki.archive.adding.annotated.page_builder import PageBuilder
from paberki.archive.adding.annotated.xml_events import XML_ID, events
from paberki.archive.annotated_page import NOTHING, ImportedPage
from paberki.archive.reading.numbered_lines import OnError

_OWN_ID: Final = re.compile(r"p\d{9}")
_PARAGRAPH_ID: Final = "newpar id"
_PARAGRAPHS: Final = frozenset(("p", "ab", "head", "u"))
_TOKENS: Final = frozenset(("w", "pc"))
_UPOS: Final = "UPosTag="


def pages(path: Path, on_error: OnError) -> Iterator[ImportedPage]:
    """The pages of a file in order."""
    reader = _TeiReader(path.name)
    for kind, name, value in events(path, on_error):
        page = reader.take(kind, name, value)
        if page is not None:
            yield page


class _TeiToken:
    """A token until the tree of its sentence is known."""

    __slots__ = ("attributes", "form", "head", "ner", "relation")

    def __init__(self, attributes: dict[str, str], ner: str) -> None:
        self.attributes, self.ner, self.form = attributes, ner, ""
        self.head, self.relation = -1, NOTHING


class _TeiReader:
    """Follows the elements of a file."""

    def __init__(self, name: str) -> None:
        self._file = name
        self._path: list[str] = []
        self._builder: PageBuilder | None = None
        self._page_depth, self._page_names = 0, ("", "")
        self._count = 0
        self._sentence: list[_TeiToken] | None = None
        self._sentence_id = ""
        self._token: _TeiToken | None = None
        self._name_type = ""
        self._has_own_names = False
        self._notes: list[tuple[str, str]] = []
        self._note: tuple[str, list[str]] | None = None
        self._text: list[str] | None = None
        self._has_tokens = False
        self._paragraph: list[tuple[str, str]] | None = None

    def take(self, kind: str, name: str, value: Any) -> ImportedPage | None:
        """Take an event; a page that ended with it."""
        if kind == "start":
            self._path.append(name)
            self._start(name, value)
            return None
        if kind == "text":
            self._characters(value)
            return None
        page = self._end(name)
        self._path.pop()
        return page

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if self._builder is None:
            is_page = name == "div" and "body" in self._path[-2:-1]
            if is_page or (name == "body" and self._path[-3:-2] == ["TEI"]):
                self._begin(attributes if is_page else {}, is_page=is_page)
            return
        if name == "div" and self._path[-2] == "body" and self._page_depth == len(self._path) - 1:
            self._begin(attributes, is_page=True)
        elif name == "note" and attributes.get("type") == "attribute":
            self._note = (attributes.get("n", ""), [])
        elif name in _PARAGRAPHS:
            own = self._id_in_page(attributes)
            self._paragraph, self._text, self._has_tokens = [(_PARAGRAPH_ID, own)] if own else [], [], False
        elif name == "s":
            self._open_paragraph()
            self._sentence, self._sentence_id = [], self._id_in_page(attributes)
        elif name in ("name", "rs"):
            self._name_type, self._first = attributes.get("type", "misc"), True
        elif name in _TOKENS:
            self._token = _TeiToken(attributes, self._label())
        elif name == "link" and self._sentence:
            self._link(attributes)

    def _begin(self, attributes: dict[str, str], *, is_page: bool) -> None:
        own = _id_of(attributes)
        self._builder = PageBuilder(self._file, self._count, [("id", own)] if own else [])
        self._page_depth, self._page_names = len(self._path), (attributes.get(XML_ID, ""), own)
        self._has_own_names = attributes.get("subtype") == "names" or not is_page

    def _id_in_page(self, attributes: dict[str, str]) -> str:
        """The id of a paragraph or sentence; one that begins with that of the page has its plain form."""
        name, (xml_id, page) = _id_of(attributes), self._page_names
        is_ours = bool(xml_id) and not attributes.get("n") and attributes.get(XML_ID, "").startswith(f"{xml_id}.")
        return page + attributes[XML_ID].removeprefix(xml_id) if is_ours else name

    def _label(self) -> str:
        if not self._name_type:
            return "O" if self._has_own_names else NOTHING
        begins, self._first = self._first, False
        return f"{'B' if begins else 'I'}-{self._name_type}"

    def _link(self, attributes: dict[str, str]) -> None:
        numbers = {token.attributes.get(XML_ID, ""): at for at, token in enumerate(self._sentence or (), 1)}
        ends = [one.removeprefix("#") for one in attributes.get("target", "").split()]
        if len(ends) == 2 and ends[1] in numbers and self._sentence:
            token = self._sentence[numbers[ends[1]] - 1]
            token.head = numbers.get(ends[0], 0)
            token.relation = unquote(attributes.get("ana", "").partition(":")[2]) or NOTHING

    def _characters(self, text: str) -> None:
        if self._note is not None:
            self._note[1].append(text)
        elif self._token is not None:
            self._token.form += text
        elif self._text is not None and self._sentence is None:
            self._text.append(text)

    def _end(self, name: str) -> ImportedPage | None:
        if self._builder is None:
            return None
        if name == "note" and self._note is not None:
            pair = (self._note[0], "".join(self._note[1]))
            (self._builder.attributes if self._paragraph is None else self._paragraph).append(_verbatim(pair))
            self._note = None
        elif name in _TOKENS and self._token is not None:
            self._end_token()
        elif name in ("name", "rs"):
            self._name_type = ""
        elif name == "s" and self._sentence is not None:
            self._end_sentence()
        elif name in _PARAGRAPHS:
            self._end_paragraph()
        elif len(self._path) == self._page_depth:
            page, self._builder = self._builder.finish(), None
            self._count += page is not None
            return page
        return None

    def _open_paragraph(self) -> None:
        assert self._builder is not None
        if not self._has_tokens:
            self._builder.paragraph(self._paragraph or [])
            self._has_tokens = True

    def _end_token(self) -> None:
        token, self._token = self._token, None
        assert token is not None
        token.form = " ".join(token.form.split("\n")).strip()
        if not token.form:
            return
        if self._sentence is None:
            self._open_paragraph()
            self._sentence = []
        self._sentence.append(token)

    def _end_sentence(self) -> None:
        assert self._builder is not None
        self._builder.sentence([f"# sent_id = {self._sentence_id}"] if self._sentence_id else [])
        self._sentence_id = ""
        for token in self._sentence or ():
            attributes = token.attributes
            upos, feats = _features(attributes.get("msd", ""))
            layers = {
                "lemma": attributes.get("lemma", NOTHING), "upos": upos or attributes.get("pos", NOTHING), "feats": feats,
                "xpos": unquote(attributes.get("ana", "").partition(":")[2]) or NOTHING, "deprel": token.relation, "ner": token.ner,
            }  # fmt: skip
            self._builder.token(token.form, layers, head=token.head, oov=attributes.get("type") == "oov")
            if attributes.get("join") in ("right", "both"):
                self._builder.glue()
        self._builder.end_sentence()
        self._sentence = None

    def _end_paragraph(self) -> None:
        assert self._builder is not None
        if self._sentence:
            self._end_sentence()
        text = " ".join("".join(self._text or ()).split())
        if self._has_tokens:
            self._builder.end_paragraph()
        elif text:
            self._builder.text(text, self._paragraph or [])
        self._paragraph, self._text, self._has_tokens = None, None, False


def _features(msd: str) -> tuple[str, str]:
    """Part of speech and features."""
    if not msd.startswith(_UPOS):
        return "", msd or NOTHING
    upos, _, feats = msd.removeprefix(_UPOS).partition("|")
    return upos, feats or NOTHING


def _id_of(attributes: dict[str, str]) -> str:
    """The id of an element: ``n``, else ``xml:id``, of our own ones without the letter that XML needs."""
    name = " ".join((attributes.get("n") or attributes.get(XML_ID, "")).split())
    return name[1:] if _OWN_ID.fullmatch(name) else name


def _verbatim(pair: tuple[str, str]) -> tuple[str, str]:
    """``ngram3`` goes by ``3graph`` outside of XML."""
    return re.sub(r"^ngram(\d+)", r"\1graph", pair[0]), pair[1]
