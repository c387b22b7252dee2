"""The stage: sentences, tokens, tags, lemmas, trees and names of the kept blocks of a page.

The stage annotates pages by language and length. It ignores the selection, so that a changed rule costs no parsing, and
annotates all copies of a page, because the selection decides later which copy stays. Each block is annotated separately:
no sentence crosses the border of a block. The form of a token is the text of its block between its offsets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from paberki.annotation.annotate_config import AnnotateConfig, outside, reads
from paberki.annotation.annotation_columns import columns_of
from paberki.annotation.imported_annotation import imported_pages
from paberki.annotation.placing import NEEDS as PLACES
from paberki.annotation.placing import AnnotatedPage, placed_page
from paberki.annotation.schemes import Schemes
from paberki.stage import Columns, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import KeptTexts, kept_texts
from paberki.store.columns import builtin

TEXT: Final = ("extract.blocks.text", "extract.blocks.kept")
LENGTH: Final = "extract.kept_char_count"
LANGUAGES: Final = ("lang", "close_lang", "site_lang")
"""Columns with the language of a page; the last one present is the best, but rules may use any."""


def needs(config: AnnotateConfig, columns: Mapping[str, str]) -> tuple[str, ...]:
    """Columns that the stage needs; the language of the site is among them where a stage decides it."""
    language_columns = [columns[name] for name in LANGUAGES if name in columns] or ["identify.lang"]
    return (*TEXT, LENGTH, *language_columns, *PLACES)


@map_stage(
    "annotate.v1",
    layer="annotate",
    needs=needs,
    adds=builtin("annotate"),
    config=AnnotateConfig,
    reads=reads,
    outside=outside,
    behaviour="imported annotation",
)
def annotate(batch: Batch, config: AnnotateConfig) -> Columns:
    """Annotate pages in a known language that are long enough (P1 §2.3, P3 §4, P4 §2.2)."""
    texts_of = kept_texts(*(batch.arrow(name) for name in TEXT))
    rows_by_language = _rows_by_language(batch, config)
    pages: list[AnnotatedPage | None] = [None] * len(rows_by_language)
    for row, page in imported_pages(batch):
        pages[row], rows_by_language[row] = page, None
    for lang in dict.fromkeys(one for one in rows_by_language if one):
        rows = [row for row, own in enumerate(rows_by_language) if own == lang]
        texts = [_texts(texts_of, row, config.max_chars) for row in rows]
        documents = Schemes(config, lang).documents(["\n".join(one) for one in texts])
        for row, own, document in zip(rows, texts, documents, strict=True):
            numbers = texts_of.numbers[texts_of.edges[row] : texts_of.edges[row + 1]]
            pages[row] = placed_page(batch, row, numbers, own, document)
    return columns_of(pages, [str(name) for name in config.taggers])


def _rows_by_language(batch: Batch, config: AnnotateConfig) -> list[str | None]:
    """The language of each page that is annotated."""
    languages = config.known_languages()
    names = {name.partition(".")[2]: name for name in batch.names()}
    columns = [batch[names[name]] for name in LANGUAGES if name in names]
    rows = zip(batch[LENGTH], batch["decode.encoding"], zip(*columns, strict=True), strict=True)
    return [
        next((lang for lang in reversed(langs) if lang and (languages is None or lang in languages)), None)
        if encoding and (chars or 0) >= config.min_chars
        else None
        for chars, encoding, langs in rows
    ]


def _texts(kept_blocks: KeptTexts, row: int, room: int) -> list[str]:
    """Texts of the kept blocks of a page, up to the limit of characters."""
    texts: list[str] = []
    for text in kept_blocks.of_page(row):
        room -= len(text)
        if room < 0:
            break
        texts.append(text)
    return texts
