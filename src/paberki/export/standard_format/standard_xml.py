"""A page as XML. All text is escaped; characters that XML cannot hold become U+FFFD."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final

DTD: Final = Path(__file__).parent / "standard_format.dtd"
DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_QUOTED: Final = {'"': "&quot;", "\n": "&#10;", "\t": "&#9;"}


@dataclass(frozen=True, slots=True)
class Passage:
    """A string of a page, where its bytes are, and what tools say about it."""

    text: str
    offset: int
    length: int
    annotations: Sequence[tuple[str, str]] = ()
    """Name of the tool and its output."""


@dataclass(frozen=True, slots=True)
class StandardLink:
    """The words of links, and the pages at their other ends: id and address."""

    text: str
    pages: Sequence[tuple[str, str]] = ()
    url: str = ""
    """Where a link leads that leads to no page of the corpus."""


@dataclass(frozen=True, slots=True)
class StandardPage:
    """What the format says about a page."""

    url: str
    encoding: str
    time: str
    id: str = ""
    language: str = ""
    title: Passage | None = None
    keywords: Passage | None = None
    description: Passage | None = None
    in_links: Sequence[StandardLink] = ()
    out_links: Sequence[StandardLink] = ()
    sentences: Sequence[Passage] = ()
    comments: Sequence[Passage] = ()
    """Sentences that readers of the page wrote."""
    about_text: dict[str, str] = field(default_factory=dict)
    """Author, Date and Title of the text, where they are known."""


def page_xml(page: StandardPage) -> str:
    """The document of a page, without declaration."""
    return "\n".join(_lines(page)) + "\n"


def _lines(page: StandardPage) -> Iterator[str]:
    about = {"Url": page.url, "OriginalEncoding": page.encoding, "Time": page.time}
    about |= {name: value for name, value in (("Id", page.id), ("Language", page.language)) if value}
    yield f"<StandardFormat{_attributes(about)}>"
    yield "<Header>"
    if page.title is not None:
        yield from _passage("Title", page.title, ' Id="0"')
    yield from _links("InLink", page.in_links)
    yield from _links("OutLink", page.out_links)
    for name, passage in (("Keywords", page.keywords), ("Description", page.description)):
        if passage is not None:
            yield from _passage(name, passage)
    yield "</Header>"
    yield f"<Text{_attributes(page.about_text)}>"
    yield from _sentences(page.sentences, 1)
    yield "</Text>"
    if page.comments:
        yield '<Text Type="comment">'
        yield from _sentences(page.comments, len(page.sentences) + 1)
        yield "</Text>"
    yield "</StandardFormat>"


def _sentences(sentences: Iterable[Passage], first: int) -> Iterator[str]:
    for number, sentence in enumerate(sentences, first):
        yield from _passage("S", sentence, f' Id="{number}"')


def _passage(name: str, passage: Passage, more: str = "") -> Iterator[str]:
    yield f'<{name}{more} Offset="{passage.offset}" Length="{passage.length}">'
    yield f"<RawString>{text(passage.text)}</RawString>"
    for scheme, output in passage.annotations:
        yield f'<Annotation Scheme="{attribute(scheme)}"><![CDATA[{_cdata(output)}]]></Annotation>'
    yield f"</{name}>"


def _links(name: str, links: Sequence[StandardLink]) -> Iterator[str]:
    if not links:
        return
    yield f"<{name}s>"
    for link in links:
        yield _link(name, link.text, tuple(link.pages), link.url)
    yield f"</{name}s>"


@lru_cache(maxsize=1 << 14)
def _link(name: str, words: str, pages: tuple[tuple[str, str], ...], url: str) -> str:
    """One link; those of menus stand on every page of a site."""
    address = f' Url="{attribute(url)}"' if url and not pages else ""
    ids = "".join(f'<DocID Url="{attribute(own)}">{text(id_)}</DocID>' for id_, own in pages)
    ids = f"<DocIDs>{ids}</DocIDs>" if ids else ""
    return f"<{name}{address}><RawString>{text(words)}</RawString>{ids}</{name}>"


def _attributes(values: dict[str, str]) -> str:
    return "".join(f' {name}="{attribute(value)}"' for name, value in values.items())


def text(value: str) -> str:
    """Text between tags."""
    if not value.isprintable():
        value = _FORBIDDEN.sub("\ufffd", value)
    return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")


def attribute(value: str) -> str:
    """Text between quotation marks."""
    escaped_text = text(value)
    for char, reference in _QUOTED.items():
        escaped_text = escaped_text.replace(char, reference)
    return escaped_text


def _cdata(value: str) -> str:
    """Text in a section of its own, which cannot hold its own end."""
    return _FORBIDDEN.sub("\ufffd", value).replace("\r", "\n").replace("]]>", "]]]]><![CDATA[>")
