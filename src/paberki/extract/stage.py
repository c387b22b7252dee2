"""Extract as a stage: blocks with labels, title, links of every page."""

from __future__ import annotations

from paberki.extract import Segmented, segment, segment_text, tagpath, to_bytes
from paberki.extract.columns import page_columns
from paberki.extract.tagpath import TagPathConfig
from paberki.stage import Columns, map_stage
from paberki.store.batch import Batch
from paberki.store.columns import builtin

NEEDS = ("payload", "text", "decode.encoding", "archive.mime")


@map_stage("extract.tagpath.v1", layer="extract", needs=NEEDS, adds=builtin("extract"), config=TagPathConfig)
def extract_tagpath(batch: Batch, config: TagPathConfig) -> Columns:
    """P1's ContentExtractor: the well-formed paragraphs of the heaviest tag-id-class path are the text (P1 §3).

    Title, keywords, description and links with byte spans as in P4 §3. Plain text is kept whole.
    """
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
