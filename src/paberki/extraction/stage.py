"""Extract as a stage: blocks with labels, title, links of every page."""

from __future__ import annotations

from paberki import kernels
from paberki.extraction import Segmented, segment, segment_text, tagpath, to_bytes
from paberki.extraction.columns import harvest_columns, page_columns
from paberki.extraction.fast import Harvest
from paberki.extraction.labels import label
from paberki.extraction.tagpath import TagPathConfig
from paberki.stage import Columns, map_stage
from paberki.store.batch import Batch
from paberki.store.columns import builtin

NEEDS = ("payload", "text", "decode.encoding", "archive.mime")


@map_stage("extract.tagpath.v1", layer="extract", needs=NEEDS, adds=builtin("extract"), config=TagPathConfig)
def extract_tagpath(batch: Batch, config: TagPathConfig) -> Columns:
    """P1's ContentExtractor: the well-formed paragraphs of the heaviest tag-id-class path are the text (P1 §3).

    Title, keywords, description and links with byte spans as in P4 §3. Plain text is kept whole.
    """
    return _compiled(batch, config) if kernels.available() else _interpreted(batch, config)


def _compiled(batch: Batch, config: TagPathConfig) -> Columns:
    harvest = Harvest()
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
    return harvest_columns(harvest, label(harvest, plain, config), missing)


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
