"""Extract as stages: blocks with labels, title, links of every page. One stage per method, all with the same columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from paberki.extraction import segment_text, to_bytes
from paberki.extraction.about.not_pages import is_page
from paberki.extraction.block_columns import harvest_columns
from paberki.extraction.compiled.harvest import Harvest
from paberki.extraction.html.elements import ElementsConfig
from paberki.extraction.learned.block_classifier import MODEL, LearnedConfig, label_learned
from paberki.extraction.methods.block_labels import BlockLabels, label, label_truncated
from paberki.extraction.methods.tagpath import TagPathConfig
from paberki.extraction.repair.repaired_text import ViewConfig
from paberki.extraction.repair.repeated_lines import label_repeats_of
from paberki.stage import Columns, ephemeral, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import kept_texts
from paberki.store.columns import builtin

NEEDS = ("payload", "decoded", "decode.encoding", "archive.mime", "archive.url")


def revision(_: object) -> str:
    """Part of the cache key: since this revision equal consecutive blocks are labelled and block-level tags are spaces."""
    return "lines once"


@ephemeral("text", needs=("extract.blocks.text", "extract.blocks.kept"))
def kept_text(batch: Batch) -> Sequence[str | None]:
    """The text of each page: the blocks that extraction kept, one per line; None for pages that are not text."""
    blocks = batch.arrow("extract.blocks.text")
    texts: list[str] = kept_texts(blocks, batch.arrow("extract.blocks.kept")).joined().to_pylist()
    return [None if missing else text for text, missing in zip(texts, blocks.is_null().to_pylist(), strict=True)]


@map_stage(
    "extract.tagpath.v1", layer="extract", needs=NEEDS, adds=builtin("extract"), config=TagPathConfig, revision=revision
)
def extract_tagpath(batch: Batch, config: TagPathConfig) -> Columns:
    """P1's ContentExtractor: the well-formed paragraphs of the heaviest tag-id-class path are the text (P1 §2.2).

    Title, keywords, description and links with byte spans as in P4 §2.1. Plain text is kept whole.
    """
    return extracted(batch, lambda harvest, plain: label(harvest, plain, config), views=False)


@map_stage(
    "extract.learned.v1", layer="extract", needs=NEEDS, adds=builtin("extract"), config=LearnedConfig,
    reads=lambda config: () if config.model else (MODEL,), revision=revision,
)  # fmt: skip
def extract_learned(batch: Batch, config: LearnedConfig) -> Columns:
    """Two stages of boosted trees over features of blocks decide what is text; made for this project.

    The features generalise P1 §2.2 (share of text per tag path), P5 §3.2 (neighbours, position) and BTE; see
    :mod:`paberki.extraction.learned.block_classifier`. Block types after TSUBAKI's program. Plain text is kept whole.
    """
    pages = list(zip(batch["decoded"], batch["archive.url"], strict=True))
    return extracted(batch, lambda harvest, plain: label_learned(harvest, plain, config, pages), views=config.views)


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
    labels = label_truncated(harvest, label_repeats_of(harvest, method(harvest, plain)))
    return harvest_columns(harvest, labels, missing, ViewConfig(latin=latin) if views else None)


def _harvest(batch: Batch, elements: ElementsConfig | None = None) -> tuple[Harvest, list[int], list[int]]:
    """Blocks of all pages, and which of them are plain text or no pages at all."""
    harvest = Harvest(elements)
    missing: list[int] = []
    plain: list[int] = []
    rows = zip(*(batch[name] for name in NEEDS), strict=True)
    for number, (payload, text, encoding, mime, url) in enumerate(rows):
        if text is None or not is_page(url, mime, text):
            missing.append(number)
            harvest.add_blocks(None)
        elif mime == "text/plain":
            plain.append(number)
            harvest.add_blocks(to_bytes(segment_text(text), payload, encoding))
        else:
            harvest.add_page(payload, text, encoding)
    return harvest, plain, missing
