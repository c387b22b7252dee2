"""Extract as stages: blocks with labels, title, links of every page. One stage per method, all with the same columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pyarrow as pa

from paberki import kernels
from paberki.errors import ConfigError
from paberki.extraction import Segmented, segment, segment_text, tagpath, to_bytes
from paberki.extraction.columns import columns_with_views, harvest_columns, page_columns
from paberki.extraction.elements import ElementsConfig
from paberki.extraction.fast import Harvest
from paberki.extraction.labels import Labels, label
from paberki.extraction.learned import LearnedConfig, label_learned
from paberki.extraction.tagpath import TagPathConfig
from paberki.extraction.views import ViewConfig
from paberki.stage import Columns, map_stage
from paberki.store.batch import Batch
from paberki.store.columns import BLOCK, builtin

NEEDS = ("payload", "text", "decode.encoding", "archive.mime")

_FIRST_COLUMNS = tuple(
    replace(column, type=pa.list_(BLOCK)) if column.name == "blocks" else column
    for column in builtin("extract")
    if column.name != "page_type"
)
"""What the first version wrote: no views, no page types."""


@map_stage("extract.tagpath.v1", layer="extract", needs=NEEDS, adds=_FIRST_COLUMNS, config=TagPathConfig)
def extract_tagpath(batch: Batch, config: TagPathConfig) -> Columns:
    """P1's ContentExtractor: the well-formed paragraphs of the heaviest tag-id-class path are the text (P1 §3).

    Title, keywords, description and links with byte spans as in P4 §3. Plain text is kept whole.
    """
    if not kernels.available():
        return _interpreted(batch, config)
    harvest, plain, missing = _harvest(batch)
    return harvest_columns(harvest, label(harvest, plain, config), missing)


@map_stage(
    "extract.learned.v1", layer="extract", needs=(*NEEDS, "archive.url"), adds=builtin("extract"), config=LearnedConfig
)
def extract_learned(batch: Batch, config: LearnedConfig) -> Columns:
    """Two stages of boosted trees over features of blocks decide what is text; made for this project.

    The features generalise P1 §3 (share of text per tag path), P5 §3.1 (neighbours, position) and BTE; see
    :mod:`paberki.extraction.learned`. Block types after TSUBAKI (P4 §3). Plain text is kept whole.
    """
    pages = list(zip(batch["text"], batch["archive.url"], strict=True))
    return extracted(batch, lambda harvest, plain: label_learned(harvest, plain, config, pages), views=config.views)


def extracted(
    batch: Batch,
    method: Callable[[Harvest, list[int]], Labels],
    *,
    views: bool = True,
    elements: ElementsConfig | None = None,
) -> Columns:
    """All columns of the extract layer, with the labels that a method gives to the blocks of a harvest."""
    if not kernels.available():
        raise ConfigError("this extraction method needs numba; install it or put extract.tagpath.v1 into the recipe")
    harvest, plain, missing = _harvest(batch, elements)
    return columns_with_views(harvest, method(harvest, plain), missing, ViewConfig() if views else None)


def _harvest(batch: Batch, elements: ElementsConfig | None = None) -> tuple[Harvest, list[int], list[int]]:
    """Blocks of all pages, and which of them are plain text or no text at all."""
    harvest = Harvest(elements)
    missing: list[int] = []
    plain: list[int] = []
    for number, (payload, text, encoding, mime) in enumerate(zip(*(batch[name] for name in NEEDS), strict=True)):
        if text is None:
            missing.append(number)
            harvest.add_blocks(None)
        elif mime == "text/plain":
            plain.append(number)
            harvest.add_blocks(to_bytes(segment_text(text), payload, encoding))
        else:
            harvest.add_page(payload, text, encoding)
    return harvest, plain, missing


def _interpreted(batch: Batch, config: TagPathConfig) -> Columns:
    """The same, several times slower, where numba is not installed."""
    pages: list[Segmented | None] = []
    for payload, text, encoding, mime in zip(*(batch[name] for name in NEEDS), strict=True):
        if text is None:
            pages.append(None)
        elif mime == "text/plain":
            pages.append(to_bytes(segment_text(text), payload, encoding))
        else:
            page = to_bytes(segment(text), payload, encoding)
            tagpath(page.blocks, config)
            pages.append(page)
    return page_columns(pages)
