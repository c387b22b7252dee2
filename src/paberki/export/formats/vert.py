"""Vertical format: ``<doc>`` with attributes, ``<p>`` for each kept block (``<p type="comment">`` for those
that readers wrote), ``<s>`` for each sentence, one token per line.

Each token is followed by its tag, lemma, part of speech, features, head, relation and name; by the same of every further
tagger, in the order of the attribute ``schemes`` of ``<doc>``; by its valency frame where the recipe has a lexicon; and by what else
imported files stated about their tokens, as in the last column of CoNLL-U. An unknown value is ``_``, also on pages and blocks that were not annotated, so that all lines have the same columns.

Attributes are the exported columns under their verbatim names (P3 §3, §5, §6: domain, url, crawl_date, cyrillic_num, 3graph, …;
neardupe of ``<p>``), as corpus managers know them; ``<g/>`` stands where two tokens have no space between them. All text from
a page is escaped, so that no page can open a structure of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki.annotation.files.vertical_text import COLUMNS
from paberki.export.export_format import ExportedFile, ExportHead, ExportPiece, Form
from paberki.export.plain_tokens import tokens
from paberki.export.registry_files import names_of_imported, registry_files
from paberki.export.words.column_text import cells, escape_markup, frame
from paberki.export.words.given_attributes import comment_attribute
from paberki.export.words.markup_text import escape, escaped_forms, tag, without_forbidden
from paberki.export.words.page_structures import Structures
from paberki.export.words.string_columns import CodedColumn, Strings, arrow_strings, lines
from paberki.export.words.token_table import ANNOTATION, NOTHING, TokenTable, aligned_flags
from paberki.store.batch import field_of_blocks
from paberki.store.blocks import lengths_of

_PLAIN, _GLUE, _SENTENCE, _GLUED_SENTENCE = range(4)
_BEFORE: Final = ("", "<g/>\n", "</s>\n<s>\n", "</s>\n<g/>\n<s>\n")


def render(pages: pa.Table, about: ExportHead) -> ExportPiece:
    """Some pages, one after the other."""
    side = names_of_imported(
        pages,
        {"doc": [name for _, name in about.attributes("page")], "p": [name for _, name in about.attributes("block")]},
    )
    if not about.schemes:
        return _plain(pages, about, side)
    table = TokenTable(pages)
    before, end = _structures(pages, table, about)
    data = lines([before, escaped_forms(table), *_layers(table, about)]) if len(table) else b""
    counts = Counter(pages=pages.num_rows, sentences=table.sentences, tokens=len(table))
    return ExportPiece(data, counts, end, side)


def _layers(table: TokenTable, about: ExportHead) -> Iterator[Strings]:
    """The columns after the token, each with the tab before it, the last one with the line end."""
    layers = [table.layer(name, scheme if at else "") for at, scheme in enumerate(about.schemes) for name in COLUMNS]
    layers += [table.layer(name) for name in _last_columns(about)]
    for layer in layers:
        words = frame("\t", escape_markup(cells(layer.array())), "\n" if layer is layers[-1] else "")
        yield arrow_strings(words, layer.codes)


def width(about: ExportHead) -> int:
    """Columns after the token."""
    return len(COLUMNS) * len(about.schemes) + len(_last_columns(about))


def _last_columns(about: ExportHead) -> list[str]:
    """Columns that only some corpora have."""
    return [name for name, there in (("frame", about.has_frames), ("misc", about.has_misc)) if there]


def _structures(pages: pa.Table, table: TokenTable, about: ExportHead) -> tuple[Strings, bytes]:
    """What stands before each token, and after the last one."""
    codes = np.where(table.glued, _GLUE, _PLAIN).astype(np.int32)
    firsts = table.edges[:-1]
    codes[firsts] = np.where(table.glued[firsts], _GLUED_SENTENCE, _SENTENCE)
    words = list(_BEFORE)
    sentence_tags = _sentence_tags(table, codes, words)
    common = CodedColumn(codes, words).strings()
    unknown = f"\t{NOTHING}" * width(about)
    structures = Structures(pages, about, table.kept_blocks, table.block_counts)
    sentence = _first_sentences(table, structures.blocks)
    inner = [
        sentence_tags.get(at, "<s>") + "\n" if at >= 0 else _sentence_of(table.texts[block].as_py(), unknown)
        for block, at in zip(structures.blocks.tolist(), sentence.tolist(), strict=True)
    ]
    data, ends = structures.text(inner, sentence >= 0)
    opens = structures.rows_of_blocks[sentence >= 0]
    begins = np.r_[0, ends[opens]].astype(np.int64)
    all_codes = common.codes.copy()
    all_codes[table.edges[sentence[sentence >= 0]]] = np.arange(len(opens)) + len(words)
    offsets = len(common.data) + begins
    before = Strings(
        all_codes,
        np.concatenate([common.begins, offsets[:-1]]),
        np.concatenate([common.ends, offsets[1:]]),
        np.concatenate([common.data, data]),
    )
    return before, data[begins[-1] :].tobytes()


def _first_sentences(table: TokenTable, blocks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The first sentence of each of the blocks; -1 where a block has none."""
    places = np.searchsorted(table.sentence_block, blocks)
    has = np.zeros(len(blocks), np.bool_)
    inside = places < table.sentences
    has[inside] = table.sentence_block[places[inside]] == blocks[inside]
    return np.where(has, places, -1)


def _sentence_tags(table: TokenTable, codes: npt.NDArray[np.int32], words: list[str]) -> dict[int, str]:
    """Opening tags of sentences that have attributes: those that were imported."""
    tags: dict[int, str] = {}
    if not table.has("sent_comments"):
        return tags
    for number, comments in enumerate(table.sentence_values("sent_comments")):
        attributes = [pair for line in (comments or "").split("\n") if (pair := comment_attribute(line))]
        if attributes:
            tags[number] = tag("s", attributes)
            glue = "<g/>\n" if codes[table.edges[number]] == _GLUED_SENTENCE else ""
            codes[table.edges[number]] = len(words)
            words.append(f"</s>\n{glue}{tags[number]}\n")
    return tags


def _plain(pages: pa.Table, about: ExportHead, side: bytes) -> ExportPiece:
    """Pages of a corpus that is not annotated: every block is one sentence."""
    texts = field_of_blocks(pages.column("blocks"), "text")
    counts = lengths_of(texts)
    structures = Structures(pages, about, aligned_flags(pages.column("block_keep"), counts), counts)
    flat = texts.flatten().take(pa.array(structures.blocks))
    inner = [_sentence_of(text, "") for text in flat.to_pylist()]
    data, _ = structures.text(inner, np.zeros(len(inner), np.bool_))
    count = sum(own.count("\n") - 2 for own in inner if own)
    return ExportPiece(data.tobytes(), Counter(pages=pages.num_rows, tokens=count), side=side)


def _sentence_of(text: str, unknown: str) -> str:
    """A block that nobody annotated as one sentence; nothing where it has no token."""
    lines = ["<s>"]
    for token, glued in tokens(without_forbidden(text)):
        if glued:
            lines.append("<g/>")
        lines.append((token if token.isalnum() else escape(token)) + unknown)
    return "\n".join([*lines, "</s>", ""]) if len(lines) > 1 else ""


def _beside(about: ExportHead, part: ExportedFile) -> Mapping[str, bytes]:
    columns = [f"{name}{number + 1}" if number else name for number in range(len(about.schemes)) for name in COLUMNS]
    return registry_files(about, part, ["word", *columns, *_last_columns(about)])


FORM = Form(
    render, ("blocks", "block_keep", "block_lang", "neardupe", "comment_post", "attributes", "block_attributes", *ANNOTATION), ".vert",
    beside=_beside,
)  # fmt: skip
