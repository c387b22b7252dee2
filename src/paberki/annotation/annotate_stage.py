"""The stage: sentences, tokens, tags, lemmas, trees and names of the kept blocks of a page.

It has its own coarse condition, language and length, and does not look at the selection, so that a changed rule costs no
parsing. Which of several copies stays is for the selection to say, so that all of them are annotated. Each block is
annotated by itself: no sentence goes over its border. The form of a token is the text of its block between its offsets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from paberki.annotation.annotate_config import AnnotateConfig, outside, reads
from paberki.annotation.annotation_columns import columns_of
from paberki.annotation.placing import NEEDS as PLACES
from paberki.annotation.placing import Page, placed_page
from paberki.annotation.schemes import Schemes
from paberki.stage import Columns, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import KeptTexts, kept_texts
from paberki.store.columns import builtin

TEXT: Final = ("extract.blocks.text", "extract.blocks.kept")
LENGTH: Final = "extract.kept_char_count"
LANGUAGES: Final = ("lang", "close_lang", "site_lang")
"""What tells the language of a page; the last that is there is the best, but rules may ask for any."""


def needs(config: AnnotateConfig, columns: Mapping[str, str]) -> tuple[str, ...]:
    """A language that was decided for the whole site is looked at where a stage has done so."""
    told = [columns[name] for name in LANGUAGES if name in columns] or ["identify.lang"]
    return (*TEXT, LENGTH, *told, *PLACES)


@map_stage(
    "annotate.v1",
    layer="annotate",
    needs=needs,
    adds=builtin("annotate"),
    config=AnnotateConfig,
    reads=reads,
    outside=outside,
    behaviour="bytes by breakpoints",
)
def annotate(batch: Batch, config: AnnotateConfig) -> Columns:
    """Annotate pages in a known language that are long enough (P1 §2.3, P3 §4, P4 §2.2)."""
    kept = kept_texts(*(batch.arrow(name) for name in TEXT))
    wanted = _wanted(batch, config)
    pages: list[Page | None] = [None] * len(wanted)
    for lang in dict.fromkeys(one for one in wanted if one):
        rows = [row for row, own in enumerate(wanted) if own == lang]
        texts = [_texts(kept, row, config.max_chars) for row in rows]
        documents = Schemes(config, lang).documents(["\n".join(one) for one in texts])
        for row, own, document in zip(rows, texts, documents, strict=True):
            numbers = kept.numbers[kept.edges[row] : kept.edges[row + 1]]
            pages[row] = placed_page(batch, row, numbers, own, document)
    return columns_of(pages, [str(name) for name in config.taggers])


def _wanted(batch: Batch, config: AnnotateConfig) -> list[str | None]:
    """The language of each page that is annotated."""
    known = config.known_languages()
    names = {name.partition(".")[2]: name for name in batch.names()}
    told = [batch[names[name]] for name in LANGUAGES if name in names]
    rows = zip(batch[LENGTH], batch["decode.encoding"], zip(*told, strict=True), strict=True)
    return [
        next((lang for lang in reversed(langs) if lang and (known is None or lang in known)), None)
        if encoding and (chars or 0) >= config.min_chars
        else None
        for chars, encoding, langs in rows
    ]


def _texts(kept: KeptTexts, row: int, room: int) -> list[str]:
    """Texts of the kept blocks of a page, as far as there is room."""
    texts: list[str] = []
    for text in kept.of_page(row):
        room -= len(text)
        if room < 0:
            break
        texts.append(text)
    return texts
