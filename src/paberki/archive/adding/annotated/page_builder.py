"""Puts a page together from paragraphs, sentences and tokens as a file has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import quote

from paberki.archive.annotated_page import NOTHING, WORD_LAYERS, ImportedBlock, ImportedPage
from paberki.archive.reading.archived_record import clean_url

MOST_TOKENS: Final = 300_000
"""Tokens of a page; what follows is another page of the same name. Files without pages would else fill the memory."""
_URL: Final = ("url", "uri", "link", "source_url")
_DATES: Final = ("crawl_date", "date", "time")
_LONGEST_URL: Final = 16_000


class PageBuilder:
    """One page, token by token."""

    def __init__(self, file: str, number: int, attributes: Iterable[tuple[str, str]] = (), part: int = 1) -> None:
        self._file, self._number, self.part = file, number, part
        self._page = ImportedPage(attributes=list(attributes))
        self._pieces: list[str] = []
        self._at = 0
        self._in_block = False
        self._space = False
        self._length = 0
        self._comments: list[str] = []
        self._nodes: list[str] = []
        self._layers: dict[str, list[str]] = {name: [] for name in WORD_LAYERS}
        self._heads: list[int] = []

    @property
    def is_full(self) -> bool:
        """No more tokens should be added."""
        return len(self._page.starts) >= MOST_TOKENS

    @property
    def attributes(self) -> list[tuple[str, str]]:
        """Attributes of the page so far."""
        return self._page.attributes

    def paragraph(self, attributes: Iterable[tuple[str, str]] = ()) -> None:
        """Begin a paragraph."""
        self.end_paragraph()
        self._page.blocks.append(ImportedBlock("", list(attributes)))
        self._in_block, self._pieces, self._at, self._space = True, [], 0, False

    def end_paragraph(self) -> None:
        """End the paragraph; a paragraph without text is left out."""
        self.end_sentence()
        if self._in_block:
            self._page.blocks[-1].text = "".join(self._pieces)
            if not self._pieces:
                self._page.blocks.pop()
        self._in_block = False

    def text(self, text: str, attributes: Iterable[tuple[str, str]] = ()) -> None:
        """A paragraph of which only the text is known."""
        self.paragraph(attributes)
        self._pieces = [text] if text.strip() else []
        self.end_paragraph()

    def sentence(self, comments: Iterable[str] = ()) -> None:
        """Begin a sentence."""
        self.end_sentence()
        if not self._in_block:
            self.paragraph()
        self._comments = list(comments)

    def end_sentence(self) -> None:
        """End the sentence; one without tokens is not there."""
        if self._length:
            self._page.sentences.append((len(self._page.blocks) - 1, self._length))
            self._page.comments.append("\n".join(self._comments))
            self._page.nodes.append("\n".join(self._nodes))
        self._length, self._comments, self._nodes = 0, [], []

    def node(self, line: str) -> None:
        """A line of a multiword token or an empty node."""
        self._nodes.append(line)

    def glue(self) -> None:
        """No space before the next token."""
        self._space = False

    def token(self, form: str, layers: Mapping[str, str], *, head: int = -1, oov: bool = False) -> None:
        """Add a token; a space follows it unless :meth:`glue` is called."""
        if not self._in_block:
            self.paragraph()
        if self._space:
            self._pieces.append(" ")
            self._at += 1
        self._pieces.append(form)
        self._page.starts.append(self._at)
        self._at += len(form)
        self._page.ends.append(self._at)
        for name, values in self._layers.items():
            values.append(layers.get(name) or NOTHING)
        self._heads.append(head)
        self._page.oov.append(oov)
        self._length += 1
        self._space = True

    def finish(self) -> ImportedPage | None:
        """The page; None where it has no text."""
        self.end_paragraph()
        page = self._page
        if not page.blocks:
            return None
        page.layers = {name: values for name, values in self._layers.items() if any(one != NOTHING for one in values)}
        page.heads = self._heads if any(head >= 0 for head in self._heads) else []
        page.oov = page.oov if any(page.oov) else []
        page.comments = page.comments if any(page.comments) else []
        page.nodes = page.nodes if any(page.nodes) else []
        self._name(dict(page.attributes))
        return page

    def _name(self, attributes: Mapping[str, str]) -> None:
        """Id, address, date and title of the page."""
        page = self._page
        own = attributes.get("id") or f"{self._number:09d}"
        part = f"-{self.part}" if self.part > 1 else ""
        page.id = f"{attributes['id']}{part}" if attributes.get("id") else None
        url = next((clean_url(attributes[name]) for name in _URL if attributes.get(name)), "")
        if ":" not in url or len(url) > _LONGEST_URL:
            url = f"file:///{quote(self._file)}#{quote(own[:1000])}"
        page.url = url + (f"#part{part}" if part else "")
        page.date = next((attributes[name] for name in _DATES if attributes.get(name)), None)
        page.title, page.lang = attributes.get("title"), attributes.get("lang")
