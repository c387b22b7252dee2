"""HTML -> blocks of text that know where in the payload they come from, and which of them are the text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from paberki.corpus_file import CorpusFile
from paberki.decoding import Decoded, decode, decode_as
from paberki.errors import ConfigError
from paberki.extraction.html.byte_spans import byte_offsets, mark_length
from paberki.extraction.html.elements import cut_for
from paberki.extraction.html.page_blocks import Block, Link, PlacedText, Segmented
from paberki.extraction.html.plain_text import segment_text
from paberki.extraction.html.segmenter import segment
from paberki.extraction.methods.bte import bte
from paberki.extraction.methods.justext import justext
from paberki.extraction.methods.perceptron import perceptron
from paberki.extraction.methods.tagpath import TagPathConfig, tagpath
from paberki.extraction.methods.victor import victor
from paberki.extraction.methods.whole_page import whole
from paberki.extraction.repair.repeated_lines import label_repeats

if TYPE_CHECKING:
    from paberki.extraction.about.metadata import Metadata
    from paberki.extraction.compiled.harvest import Harvest
    from paberki.extraction.learned.block_classifier import LearnedConfig
    from paberki.extraction.methods.block_labels import BlockLabels

__all__ = [
    "DEFAULT_METHOD",
    "METHODS",
    "Block",
    "Extraction",
    "Link",
    "PlacedText",
    "Segmented",
    "TagPathConfig",
    "extract",
    "extract_decoded",
    "extract_plain",
    "method_names",
    "segment",
    "segment_text",
    "tagpath",
    "to_bytes",
]  # fmt: skip

METHODS: Final[dict[str, Callable[[Sequence[Block]], None]]] = {
    "tagpath": tagpath,
    "bte": bte,
    "justext": justext,
    "perceptron": perceptron,
    "victor": victor,
    "whole": whole,
}
"""Extraction methods by name that label the blocks of one page in place; ``learned`` works on arrays instead."""

DEFAULT_METHOD: Final = "learned"


@dataclass(slots=True)
class Extraction:
    """A page in blocks, with byte offsets into its payload; ``text`` is what the method kept."""

    blocks: list[Block]
    links: list[Link]
    title_span: PlacedText | None
    keywords_span: PlacedText | None
    description_span: PlacedText | None
    declared_language: str | None
    canonical: str | None
    base: str | None
    doctype: str | None
    encoding: str
    url: str | None = None
    page_type: str | None = None
    """article, forum, product, listing, documentation or other; None where the method does not tell."""
    fallback: str | None = None
    """How the text was found where the usual way gave next to none."""
    _html: str = field(default="", repr=False, compare=False)
    _metadata: Metadata | None = field(default=None, repr=False, compare=False)

    @property
    def text(self) -> str:
        """The kept blocks, one per line, after repairs."""
        return "\n".join(block.text for block in self.blocks if block.kept)

    @property
    def comments(self) -> str:
        """The comments of readers, one block per line, kept or not."""
        return "\n".join(block.text for block in self.blocks if block.label == "comment")

    @property
    def title(self) -> str | None:
        """Title of the page; ``title_span`` says where it stands."""
        return self.title_span.text if self.title_span else None

    @property
    def keywords(self) -> str | None:
        """Meta keywords."""
        return self.keywords_span.text if self.keywords_span else None

    @property
    def description(self) -> str | None:
        """Meta description."""
        return self.description_span.text if self.description_span else None

    @property
    def metadata(self) -> Metadata:
        """All that the page says about itself; read when first asked for."""
        if self._metadata is None:
            from paberki.extraction.about.metadata import metadata

            self._metadata = metadata(self._html, self.url, lang=self.declared_language or "")
        return self._metadata

    @property
    def date(self) -> str | None:
        """Day of publication, else of the last change, as ``YYYY-MM-DD``."""
        return self.metadata.date

    @property
    def author(self) -> str | None:
        """Who wrote the page."""
        return self.metadata.author

    @property
    def site(self) -> str | None:
        """Name of the site."""
        return self.metadata.site


def extract(
    html_or_bytes: str | bytes,
    *,
    url: str | None = None,
    method: str | None = None,
    encoding: str | None = None,
    model: str = "",
    comments: bool = False,
) -> Extraction:
    """Blocks of an HTML page, labelled by a method of :func:`method_names`.

    ``comments``: whether comments of readers belong to the text; they are labelled either way (method ``learned``).
    ``model`` is the file of another model for the method ``learned`` (``paberki train extract`` makes one).
    Bytes are decoded as ``encoding`` says, or as :func:`paberki.decoding.decode` finds. For a string, offsets are
    those of the string encoded (UTF-8 unless ``encoding`` says otherwise).
    """
    payload, text, codec = _payload(html_or_bytes, encoding)
    return _extract_html(payload, text, codec, url, method, model, comments=comments)


def extract_decoded(
    payload: bytes, decoded: Decoded, *, url: str | None = None, method: str | None = None
) -> Extraction:
    """The same for a payload that has been decoded already."""
    return _extract_html(payload, decoded.text, decoded.encoding, url, method)


def extract_plain(text_or_bytes: str | bytes, *, url: str | None = None, encoding: str | None = None) -> Extraction:
    """Paragraphs of a plain text page, all of them kept."""
    payload, text, codec = _payload(text_or_bytes, encoding)
    page = to_bytes(segment_text(text), payload, codec)
    label_repeats(page.blocks)
    _repair(page.blocks)
    return _extraction(page, text, codec, url)


def method_names() -> list[str]:
    """Names that ``method`` may have, the default first."""
    return [DEFAULT_METHOD, *METHODS]


def to_bytes(page: Segmented, payload: bytes, encoding: str) -> Segmented:
    """Turn all offsets of a segmented page, in place, into byte offsets of its payload."""
    spans: list[Block | Link | PlacedText] = [*page.blocks, *page.links]
    spans += [span for span in (page.title, page.keywords, page.description) if span is not None]
    starts = [span.start for span in spans]
    places = byte_offsets(starts + [span.end for span in spans], payload, encoding)
    if places != starts:
        for span, start, end in zip(spans, places, places[len(spans) :], strict=False):
            span.start, span.end = start, end
    return page


def _payload(page: str | bytes, encoding: str | None) -> tuple[bytes, str, str]:
    if isinstance(page, str):
        codec = encoding or "utf-8"
        errors = "surrogatepass" if codec.startswith("utf") else "replace"
        return page.encode(codec, errors), page, codec
    if encoding is None:
        decoding = decode(page)
        return page, decoding.text, decoding.encoding
    encoding = "utf-8" if encoding.lower().replace("_", "-") == "utf-8-sig" else encoding
    return page, decode_as(page[mark_length(page, encoding) :], encoding), encoding


def _extract_html(
    payload: bytes,
    text: str,
    codec: str,
    url: str | None,
    method: str | None,
    model: str = "",
    *,
    comments: bool = False,
) -> Extraction:
    name = method or DEFAULT_METHOD
    if name not in method_names():
        raise ConfigError(f"unknown extraction method {name!r}; known methods: {', '.join(method_names())}")
    if model and name != DEFAULT_METHOD:
        raise ConfigError(f"the method {name!r} has no models; a model is for the method {DEFAULT_METHOD!r}")
    from paberki.extraction.learned.block_classifier import LearnedConfig

    config = LearnedConfig(model=CorpusFile(model), comments=comments)
    page, labels, harvest = _extract_compiled(payload, text, codec, name, url, config)
    label_repeats(page.blocks)
    if harvest.truncated_pages:
        page.blocks[-1].label, page.blocks[-1].reason = _truncated_label()
    _repair(page.blocks, _suspects(harvest))
    extraction = _extraction(page, text, codec, url)
    if labels is not None:
        extraction.page_type, extraction.fallback = labels.page_types[0], (labels.fallbacks or [None])[0]
    return extraction


def _extract_compiled(
    payload: bytes, text: str, codec: str, name: str, url: str | None, config: LearnedConfig
) -> tuple[Segmented, BlockLabels | None, Harvest]:
    """The blocks of a page, the labels of the learned method, and the harvest that both are of."""
    from paberki.extraction.compiled.harvest import Harvest
    from paberki.extraction.compiled.page_objects import page_of
    from paberki.extraction.learned.block_classifier import label_learned, read_again
    from paberki.extraction.methods.block_labels import apply

    harvest = Harvest(cut_for(name))
    harvest.add_page(payload, text, codec)
    if name != DEFAULT_METHOD:
        page = page_of(harvest, 0, text)
        METHODS[name](page.blocks)
        return page, None, harvest
    labels = label_learned(harvest, (), config, [(text, url)])
    for way, (other_payload, other_text, _, _) in read_again(
        harvest, labels, {0: (payload, text, codec, url)}, config
    ).values():
        harvest = Harvest(cut_for(name))
        harvest.add_page(other_payload, other_text, codec)
        labels = label_learned(harvest, (), config, [(other_text, url)])
        labels.fallbacks = [way]
    page = page_of(harvest, 0, text)
    apply(labels, page.blocks)
    return page, labels, harvest


def _truncated_label() -> tuple[str, str]:
    from paberki.extraction.methods.block_labels import TRUNCATED, TRUNCATED_REASON

    return TRUNCATED, TRUNCATED_REASON


def _suspects(harvest: Harvest) -> list[int]:
    from paberki.extraction.repair.repaired_text import candidates

    suspects: list[int] = candidates(harvest).tolist()
    return suspects


def _repair(blocks: Sequence[Block], suspects: Sequence[int] | None = None) -> None:
    """Repair the text of blocks; ``suspects``: numbers of those that may need it, all if not given."""
    from paberki.extraction.repair.edits import replaced
    from paberki.extraction.repair.repaired_text import PAGE_CHARS, normalise_page

    if sum(len(block.text) for block in blocks) > PAGE_CHARS:
        return
    numbers = range(len(blocks)) if suspects is None else suspects
    texts = {number: replaced(blocks[number].text, blocks[number].lines_once) for number in numbers}
    page = (texts.get(number, block.text) for number, block in enumerate(blocks))
    for (number, text), view in zip(texts.items(), normalise_page(list(texts.values()), page=page), strict=True):
        block, repaired = blocks[number], text if view is None else view
        if repaired != block.text:
            block.source, block.text = block.text, repaired


def _extraction(page: Segmented, html: str, codec: str, url: str | None) -> Extraction:
    return Extraction(
        page.blocks, page.links, page.title, page.keywords, page.description, page.declared_language,
        page.canonical, page.base, page.doctype, codec, url, _html=html,
    )  # fmt: skip
