"""Extract as stages: blocks with labels, title, links of every page. One stage per method, all with the same columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from paberki.archive.annotated_page import MIME, read_page
from paberki.extraction import segment_text, to_bytes
from paberki.extraction.about.not_pages import is_page
from paberki.extraction.block_columns import harvest_columns
from paberki.extraction.compiled.harvest import Harvest
from paberki.extraction.html.elements import ElementsConfig
from paberki.extraction.html.page_blocks import Block, Segmented
from paberki.extraction.learned.block_classifier import MODEL, LearnedConfig, Page, label_learned, read_again
from paberki.extraction.methods.block_labels import BlockLabels, label, label_truncated
from paberki.extraction.methods.tagpath import TagPathConfig
from paberki.extraction.repair.repaired_text import ViewConfig
from paberki.extraction.repair.repeated_lines import label_repeats_of
from paberki.stage import Columns, ephemeral, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import kept_texts
from paberki.store.columns import builtin

NEEDS = ("payload", "decoded", "decode.encoding", "archive.mime", "archive.url")
COLUMNS: Final = (
    "title", "title_span", "keywords", "keywords_span", "description", "description_span", "declared_language", "links", "blocks", "char_count",
    "kept_char_count", "page_type",
)  # fmt: skip
"""Columns that every method fills; the learned one has more."""
BEHAVIOUR: Final = "lines once"
"""Of several equal lines in a row the later ones are labelled, and block-level tags count as spaces."""


@ephemeral("text", needs=("extract.blocks.text", "extract.blocks.kept"))
def kept_text(batch: Batch) -> Sequence[str | None]:
    """The text of each page: the blocks that extraction kept, one per line; None for pages that are not text."""
    blocks = batch.arrow("extract.blocks.text")
    texts: list[str] = kept_texts(blocks, batch.arrow("extract.blocks.kept")).joined().to_pylist()
    return [None if missing else text for text, missing in zip(texts, blocks.is_null().to_pylist(), strict=True)]


@map_stage(
    "extract.tagpath.v1",
    layer="extract",
    needs=NEEDS,
    adds=builtin("extract", *COLUMNS),
    config=TagPathConfig,
    behaviour=BEHAVIOUR,
)
def extract_tagpath(batch: Batch, config: TagPathConfig) -> Columns:
    """P1's ContentExtractor: the well-formed paragraphs of the heaviest tag-id-class path are the text (P1 §2.2).

    Title, keywords, description and links with byte spans as in P4 §2.1. Plain text is kept whole.
    """
    return extracted(batch, lambda harvest, plain: label(harvest, plain, config), views=False)


@map_stage(
    "extract.learned.v1", layer="extract", needs=NEEDS, adds=builtin("extract"), config=LearnedConfig,
    reads=lambda config: () if config.model else (MODEL,), behaviour=f"{BEHAVIOUR}, posts, second look, furniture, stated text, headings",
)  # fmt: skip
def extract_learned(batch: Batch, config: LearnedConfig) -> Columns:
    """Two stages of boosted trees over features of blocks decide what is text; made for this project.

    The features generalise P1 §2.2 (share of text per tag path), P5 §3.2 (neighbours, position) and BTE; see
    :mod:`paberki.extraction.learned.block_classifier`. Block types after TSUBAKI's program. Plain text is kept whole.
    """
    harvest, plain, missing = _harvest(batch)
    labels = label_learned(harvest, plain, config, _texts(batch, {}))
    rows = zip(*(batch[name] for name in NEEDS), strict=True)
    pages = {
        number: (payload, text, encoding, url)
        for number, (payload, text, encoding, _, url) in enumerate(rows)
        if number not in plain and number not in missing
    }
    better = read_again(harvest, labels, pages, config)
    if better:
        harvest, plain, missing = _harvest(batch, readings={number: page for number, (_, page) in better.items()})
        labels = label_learned(
            harvest, plain, config, _texts(batch, {number: page[1] for number, (_, page) in better.items()})
        )
        ways = {number: name for number, (name, _) in better.items()}
        labels.fallbacks = [ways.get(number, way) for number, way in enumerate(labels.fallbacks or ())]
    return _finished(harvest, labels, missing, ViewConfig() if config.views else None)


def _texts(batch: Batch, readings: Mapping[int, str]) -> list[tuple[str | None, str | None]]:
    """Decoded pages with their addresses, some of them in another reading."""
    pages = zip(batch["decoded"], batch["archive.url"], strict=True)
    return [(readings.get(number, text), url) for number, (text, url) in enumerate(pages)]


def extracted(
    batch: Batch,
    method: Callable[[Harvest, list[int]], BlockLabels],
    *,
    views: bool = True,
    latin: bool = False,
    elements: ElementsConfig | None = None,
) -> Columns:
    """All columns of the extract layer, with the labels that a method gives to the blocks of a harvest."""
    harvest, plain, missing = _harvest(batch, elements)
    return _finished(harvest, method(harvest, plain), missing, ViewConfig(latin=latin) if views else None)


def _finished(harvest: Harvest, labels: BlockLabels, missing: list[int], views: ViewConfig | None) -> Columns:
    """The columns, with the labels of repeats and of the last block of pages that were not read to their end."""
    labels = label_truncated(harvest, label_repeats_of(harvest, labels))
    columns = harvest_columns(harvest, labels, missing, views)
    for page, title in harvest.titles.items():
        columns["title"][page] = title
    return columns


def _harvest(
    batch: Batch, elements: ElementsConfig | None = None, readings: Mapping[int, Page] | None = None
) -> tuple[Harvest, list[int], list[int]]:
    """Blocks of all pages, and which of them are plain text or no pages at all; ``readings``: pages to read otherwise."""
    harvest = Harvest(elements)
    missing: list[int] = []
    plain: list[int] = []
    rows = zip(*(batch[name] for name in NEEDS), strict=True)
    for number, (payload, text, encoding, mime, url) in enumerate(rows):
        if text is not None and mime == MIME:
            plain.append(number)
            harvest.add_exact_blocks(*_imported_blocks(payload))
        elif text is None or not is_page(url, mime, text):
            missing.append(number)
            harvest.add_blocks(None)
        elif mime == "text/plain":
            plain.append(number)
            harvest.add_blocks(to_bytes(segment_text(text), payload, encoding))
        elif readings and number in readings:
            harvest.add_page(*readings[number][:3])
        else:
            harvest.add_page(payload, text, encoding)
    return harvest, plain, missing


def _imported_blocks(payload: bytes) -> tuple[Segmented, str | None]:
    """Paragraphs of a page that was imported with its annotation, exactly as they are, and its title."""
    page = read_page(payload)
    blocks = [Block(one.text, one.start, one.end, "", "p", 0, 0, "text", 1.0, True, "imported") for one in page.blocks]
    return Segmented(blocks=[block for block in blocks if block.text]), page.title
