"""Comments before the sentences of a CoNLL-U file, for many pages at once: page, paragraph, name and text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paberki.export.export_format import ExportHead
from paberki.export.words.column_text import (
    CONTROL,
    frame,
    holds,
    join_columns,
    line_texts,
    not_empty,
    of_kept_blocks,
)
from paberki.export.words.given_attributes import more_attributes
from paberki.export.words.markup_text import cell, one_line, plain_value
from paberki.export.words.page_structures import COMMENT
from paberki.export.words.string_columns import Ints, Numbers, Strings, arrow_strings, constant, joined_strings
from paberki.export.words.token_table import FIRST, NOTHING, TokenTable
from paberki.store.batch import field_of_blocks

PARAGRAPH_ID: Final = "newpar id"


class SentenceComments:
    """What stands before each sentence."""

    def __init__(self, pages: pa.Table, table: TokenTable, about: ExportHead) -> None:
        self._table, self._about = table, about
        ids = pc.fill_null(not_empty(line_texts(pages.column("id"))), NOTHING)
        blocks, of_page = table.sentence_block, table.sentence_page
        new_page, new_block = (np.diff(own, prepend=-1) != 0 for own in (of_page, blocks))
        numbers = np.arange(len(blocks))
        place = numbers - np.maximum.accumulate(np.where(new_block, numbers, 0)) + 1
        dot = constant(".", len(blocks))
        block_name: list[Strings | Numbers] = [
            arrow_strings(ids, of_page),
            dot,
            Numbers(blocks - table.first_block[of_page]),
        ]
        self._own_name: list[Strings | Numbers] = [*block_name, dot, Numbers(place)]
        self._start = [
            _some(_page_comments(pages, about, ids), of_page, new_page),
            _some(
                _paragraph_comments(pages, table, about, joined_strings(block_name).filter(pa.array(new_block))),
                np.cumsum(new_block) - 1,
                new_block,
            ),
        ]
        self._texts = _texts_of_tokens(table)

    def of_tagger(self, number: int) -> pa.Array:
        """Comments of each sentence in the version of a tagger; an empty string before all of them."""
        version = f"-{number + 1}" if number else ""
        scheme = self._about.schemes[number]
        about_scheme = f"# scheme = {one_line(scheme)}\n" if self._about.schemes != (FIRST,) else ""
        count = self._table.sentences
        name = [constant("# sent_id = ", count), *self._own_name, constant(f"{version}\n", count)]
        text = [constant("# text = ", count), arrow_strings(self._texts), constant("\n", count)]
        comments = joined_strings([*self._start, *name, *text, constant(about_scheme, count)])
        comments = self._with_imported(comments, name, about_scheme)
        return pa.concat_arrays([pa.array([""]), comments])

    def _with_imported(self, comments: pa.Array, name: Sequence[Strings | Numbers], scheme: str) -> pa.Array:
        """Comments with those that an imported file had; its names and texts of sentences stay as they were."""
        if not self._table.has("sent_comments"):
            return comments
        extra = self._table.sentence_values("sent_comments")
        places = pa.array([at for at, own in enumerate(extra) if own], pa.int64())
        starts, names = (joined_strings(own).take(places).to_pylist() for own in (self._start, name))
        texts = self._texts.take(places).to_pylist()
        new = [
            _imported_comments(extra[at], own_start, own_name, f"# text = {text}\n", scheme)
            for at, own_start, own_name, text in zip(places.to_pylist(), starts, names, texts, strict=True)
        ]
        mask = np.zeros(len(extra), np.bool_)
        mask[places.to_numpy()] = True
        return pc.replace_with_mask(comments, pa.array(mask), pa.array(new, pa.string()))


def _texts_of_tokens(table: TokenTable) -> pa.StringArray:
    """The text of each sentence; where it is not what the lines of its tokens say, it is made of these."""
    texts = table.sentence_texts()
    odd = ~table.has_plain_spaces()
    if holds(texts, CONTROL):
        odd |= pc.match_substring_regex(texts, CONTROL).to_numpy(zero_copy_only=False)
    nodes = table.sentence_values("sent_nodes") if table.has("sent_nodes") else None
    if nodes is not None:
        odd |= np.array(["-" in (one or "") for one in nodes])
    if not odd.any():
        return texts
    new = [_text_of_tokens(table, at, nodes[at] if nodes else None) for at in np.flatnonzero(odd).tolist()]
    return pc.replace_with_mask(texts, pa.array(odd), pa.array(new, pa.string()))


def _text_of_tokens(table: TokenTable, sentence: int, nodes: str | None) -> str:
    first, end = int(table.edges[sentence]), int(table.edges[sentence + 1])
    multiwords = {first + begin - 1: (first + last, form, space) for begin, last, form, space in _multiwords(nodes)}
    parts: list[str] = []
    token = first
    while token < end:
        if token in multiwords:
            token, word, has_space = multiwords[token]
        else:
            word = table.bytes_between(table.byte_from[token], table.byte_to[token]).decode("utf-8", "replace")
            token += 1
            has_space = token < end and not table.glued[token]
        parts += [cell(word), " "] if has_space else [cell(word)]
    return "".join(parts).rstrip(" ")


def _multiwords(nodes: str | None) -> Iterator[tuple[int, int, str, bool]]:
    """First and last word of each multiword token, how it is written, and whether a space follows."""
    for line in (nodes or "").split("\n"):
        fields = line.split("\t")
        first, dash, last = fields[0].partition("-")
        if dash and first.isdigit() and last.isdigit() and int(first) <= int(last) and len(fields) > 1:
            yield int(first), int(last), fields[1], "SpaceAfter=No" not in fields[-1].split("|")


def _imported_comments(extra: str, start: str, sent_id: str, text: str, scheme: str) -> str:
    lines = [line for line in extra.split("\n") if line]
    names = {line[1:].partition("=")[0].strip() for line in lines}
    own = ("" if "sent_id" in names else sent_id) + ("" if "text" in names else text)
    return start + own + scheme + "".join(f"{line}\n" for line in lines)


def _some(strings: pa.Array, codes: Ints, flags: npt.NDArray[np.bool_]) -> Strings:
    """The string of each row that is flagged; nothing elsewhere."""
    return arrow_strings(pa.concat_arrays([strings, pa.array([""])]), np.where(flags, codes, len(strings)))


def _page_comments(pages: pa.Table, about: ExportHead, ids: pa.Array) -> pa.Array:
    """Comments before the first sentence of a page: its id, its address, and the other columns about it."""
    of_pages = [(column, name) for column, name in about.attributes("page") if column not in ("id", "url")]
    url = pc.fill_null(not_empty(line_texts(pages.column("url"))), NOTHING)
    parts = [frame(f"# {name} = ", not_empty(line_texts(pages.column(column))), "\n") for column, name in of_pages]
    if "attributes" in pages.column_names and pages.column("attributes").null_count < len(pages):
        names = ["id", "url", *(name for _, name in of_pages)]
        parts.append(_more(pages.column("attributes").to_pylist(), names, "# "))
    return join_columns("# newdoc id = ", ids, "\n# url = ", url, "\n", *parts)


def _more(rows: Sequence[Any], names: Sequence[str], before: str) -> pa.Array:
    """Comments of attributes that are no columns."""
    pairs = (more_attributes(own, names) for own in rows)
    return pa.array(["".join(f"{before}{name} = {plain_value(value)}\n" for name, value in own) for own in pairs])


def _paragraph_comments(pages: pa.Table, table: TokenTable, about: ExportHead, own_names: pa.Array) -> pa.Array:
    """Comments before the first sentence of each paragraph: its name and its attributes, which begin with ``par_``."""
    of_blocks = about.attributes("block")
    places = pa.array(np.searchsorted(np.flatnonzero(table.kept_blocks), np.unique(table.sentence_block)))

    def values(column: str) -> pa.Array:
        return of_kept_blocks(pages.column(column), table.block_counts, table.kept_blocks).take(places)

    labels = field_of_blocks(pages.column("blocks"), "label").flatten().cast(pa.string())
    comments = pc.equal(labels.take(pa.array(np.unique(table.sentence_block))), COMMENT)
    parts = [pc.if_else(comments, f"# par_type = {COMMENT}\n", pa.scalar(None, pa.string()))]
    parts += [frame(f"# par_{name} = ", line_texts(values(column)), "\n") for column, name in of_blocks]
    if "block_attributes" in pages.column_names and pages.column("block_attributes").null_count < len(pages):
        imported_pairs = values("block_attributes").to_pylist()
        parts.append(_more(imported_pairs, [name for _, name in of_blocks], "# par_"))
        own_names = pa.array(
            [_imported_name(pairs, name) for pairs, name in zip(imported_pairs, own_names.to_pylist(), strict=True)],
            pa.string(),
        )
    return join_columns("# newpar", frame(" id = ", not_empty(own_names), ""), "\n", *parts)


def _imported_name(pairs: Sequence[Any] | None, name: str) -> str:
    own: str = next((one["value"] for one in pairs or () if one["name"] == PARAGRAPH_ID), name)
    return one_line(own)
