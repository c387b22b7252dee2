"""Pages that were imported with their tokens: how they are kept in an archive.

The payload is the text of the page, paragraph after paragraph, and after it what is known about it, as JSON. A first line says
how many bytes the text has. So the payload is readable, offsets of tokens are offsets into it, and everything that is made of
the page is made of the archive alone.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Final

from paberki.store.columns import IMPORTED_PAGE

MIME: Final = IMPORTED_PAGE
_MARK: Final = b"paberki-page 1 "
_LONGEST_LINE: Final = 80
WORD_LAYERS: Final = ("upos", "xpos", "feats", "lemma", "deprel", "ner", "frame", "deps", "misc")
NOTHING: Final = "_"
Attributes = list[tuple[str, str]]


@dataclass(slots=True)
class ImportedBlock:
    """A paragraph."""

    text: str
    attributes: Attributes = field(default_factory=list)
    start: int = 0
    """Where it begins in the payload, in bytes."""
    end: int = 0


@dataclass(slots=True)
class ImportedPage:
    """A page with what its file says about it."""

    url: str = ""
    date: str | None = None
    id: str | None = None
    title: str | None = None
    lang: str | None = None
    attributes: Attributes = field(default_factory=list)
    blocks: list[ImportedBlock] = field(default_factory=list)
    sentences: list[tuple[int, int]] = field(default_factory=list)
    """Number of the block, and number of tokens."""
    comments: list[str] = field(default_factory=list)
    """Comment lines of each sentence."""
    nodes: list[str] = field(default_factory=list)
    """Lines of multiword tokens and empty nodes of each sentence."""
    starts: list[int] = field(default_factory=list)
    """Where each token begins in its block, in characters."""
    ends: list[int] = field(default_factory=list)
    layers: dict[str, list[str]] = field(default_factory=dict)
    """Words by layer, one for each token; a layer without any is not there."""
    heads: list[int] = field(default_factory=list)
    oov: list[bool] = field(default_factory=list)

    @property
    def is_annotated(self) -> bool:
        """The file had tokens."""
        return bool(self.sentences)

    def to_bytes(self) -> bytes:
        """The payload."""
        texts = [block.text.encode("utf-8", "replace") for block in self.blocks]
        text = b"\n".join(texts)
        facts: dict[str, Any] = {
            "id": self.id, "title": self.title, "lang": self.lang, "attributes": self.attributes,
            "blocks": [[len(own), block.attributes] for own, block in zip(texts, self.blocks, strict=True)],
            "sentences": self.sentences, "comments": self.comments, "nodes": self.nodes, "starts": self.starts,
            "ends": self.ends, "layers": self.layers, "heads": self.heads, "oov": [int(one) for one in self.oov],
        }  # fmt: skip
        nonempty_facts = {name: value for name, value in facts.items() if value}
        # Signs of markup are escaped, so that nobody takes the facts for HTML.
        body = json.dumps(nonempty_facts, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        return b"%s%d\n%s\n%s\n" % (_MARK, len(text), text, body.encode("utf-8", "replace"))


def facts_of(payload: bytes) -> tuple[dict[str, Any], int]:
    """What stands after the text, and where the text begins; ValueError where the payload is not of this form."""
    line = payload[:_LONGEST_LINE].partition(b"\n")[0]
    if not line.startswith(_MARK) or not line[len(_MARK) :].isdigit():
        raise ValueError("not an imported page")
    begin = len(line) + 1
    facts = json.loads(payload[begin + int(line[len(_MARK) :]) :])
    if not isinstance(facts, dict):
        raise ValueError("not an imported page")
    return facts, begin


def read_page(payload: bytes) -> ImportedPage:
    """The page of a payload; ValueError where it is none."""
    facts, at = facts_of(payload)
    page = ImportedPage(id=facts.get("id"), title=facts.get("title"), lang=facts.get("lang"))
    page.attributes = [(str(name), str(value)) for name, value in facts.get("attributes", ())]
    for length, attributes in facts.get("blocks", ()):
        text = payload[at : at + length].decode("utf-8", "replace")
        page.blocks.append(ImportedBlock(text, [(name, value) for name, value in attributes], at, at + length))
        at += length + 1
    page.sentences = [(block, length) for block, length in facts.get("sentences", ())]
    for name in ("comments", "nodes", "starts", "ends", "heads"):
        setattr(page, name, facts.get(name, []))
    page.layers = facts.get("layers", {})
    page.oov = [bool(one) for one in facts.get("oov", ())]
    return page


def archive_columns(payload: bytes) -> dict[str, Any]:
    """The columns of the archive layer that only imported pages have."""
    facts, _ = facts_of(payload)
    return {
        "source_id": facts.get("id"),
        "attributes": _pairs(facts.get("attributes", ())),
        "block_attributes": [_pairs(attributes) for _, attributes in facts.get("blocks", ())],
    }


def _pairs(attributes: Any) -> list[dict[str, str]]:
    return [{"name": str(name), "value": str(value)} for name, value in attributes]
