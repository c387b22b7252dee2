"""Places and labels that an imported file gave its tokens and paragraphs: they are written again in place of those in our archive.

The archive holds the text of an imported page, so that offsets of the store point into that text. What the file said about the page
as it was once received stands in the last column of CoNLL-U: ``Bytes=START:END``.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.store.blocks import lengths_of
from paberki.store.reading import LayerTable, ShardFiles

MISC: Final = "tok_misc"
_BYTES: Final = r"(?:^|\|)Bytes=(?P<start>\d{1,18}):(?P<end>\d{1,18})(?:\||$)"
_COMMENT: Final = "comment"
_NOTHING: Final = "_"


def has_misc(table: LayerTable) -> bool:
    """Some imported token has attributes other than its bytes."""
    if MISC not in table.columns:
        return False
    for shard in range(table.shards):
        with ShardFiles(table, shard) as files:
            for group in range(files.groups):
                words = pc.unique(files.read(group, [MISC])[MISC].flatten().cast(pa.string())).drop_null()
                if pc.any(pc.invert(pc.match_substring_regex(words, r"^(_|(Bytes=\d+:\d+)?)$"))).as_py():
                    return True
    return False


def with_given_places(chunk: pa.Table) -> pa.Table:
    """The chunk with the bytes that files gave for tokens."""
    names = ("tok_byte_start", "tok_byte_end")
    if not {MISC, *names} <= set(chunk.column_names) or chunk.column(MISC).null_count == chunk.num_rows:
        return chunk
    lists = _whole(chunk, MISC)
    misc = lists.flatten().cast(pa.string())
    spans = pc.extract_regex(misc, _BYTES)
    if spans.null_count == len(spans):
        return chunk
    places = _token_places(lists, _whole(chunk, names[0]))
    for name, field in zip(names, ("start", "end"), strict=True):
        imported_bytes = spans.field(field).filter(spans.is_valid()).cast(pa.int64())
        chunk = _put(chunk, name, places.filter(spans.is_valid()), imported_bytes)
    rest = pc.replace_substring_regex(misc, r"(^|\|)Bytes=\d{1,18}:\d{1,18}", "")
    rest = pc.utf8_ltrim(rest, characters="|")
    rest = pc.if_else(pc.equal(rest, ""), _NOTHING, rest)
    return _set(chunk, MISC, _null_where_empty(lists, rest))


def with_given_labels(chunk: pa.Table) -> pa.Table:
    """The chunk with the label of comments on paragraphs that a file calls comments, whose ``type`` is then written once."""
    if not {"blocks", "block_attributes"} <= set(chunk.column_names):
        return chunk
    lists, blocks = _whole(chunk, "block_attributes"), _whole(chunk, "blocks")
    fitting = lengths_of(lists) == lengths_of(blocks)
    pages = [own if fits else None for own, fits in zip(lists.to_pylist(), fitting.tolist(), strict=True)]
    comments = [[_is_comment(pairs) for pairs in own] if own else None for own in pages]
    if not any(any(own) for own in comments if own):
        return chunk
    counts = lengths_of(blocks).tolist()
    flags = [flag for own, count in zip(comments, counts, strict=True) for flag in own or [False] * count]
    values = blocks.flatten()
    label = values.type.get_field_index("label")
    fields = [values.field(at) for at in range(values.type.num_fields)]
    labels = pc.if_else(pa.array(flags, pa.bool_()), _COMMENT, fields[label].cast(pa.string()))
    fields[label] = labels.cast(fields[label].type)
    chunk = _set(chunk, "blocks", _lists(blocks, pa.StructArray.from_arrays(fields, fields=list(values.type))))
    remaining = [[_without_type(pairs) for pairs in own] if own else own for own in lists.to_pylist()]
    return _set(chunk, "block_attributes", pa.array(remaining, lists.type))


def _is_comment(pairs: list[dict[str, str]] | None) -> bool:
    return any(one["name"] == "type" and one["value"] == _COMMENT for one in pairs or ())


def _without_type(pairs: list[dict[str, str]] | None) -> list[dict[str, str]] | None:
    return [one for one in pairs if one["name"] != "type"] if pairs and _is_comment(pairs) else pairs


def _token_places(lists: pa.ListArray, tokens: pa.ListArray) -> pa.Array:
    """The number of each token of ``lists`` among those of ``tokens``, which more pages may have."""
    counts, all_counts = lengths_of(lists), lengths_of(tokens)
    firsts = np.cumsum(all_counts) - all_counts
    inside = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    return pa.array(np.repeat(firsts, counts) + inside)


def _put(chunk: pa.Table, name: str, places: pa.Array, imported_bytes: pa.Array) -> pa.Table:
    """A column of lists with some values replaced."""
    lists = _whole(chunk, name)
    values = lists.flatten().to_numpy(zero_copy_only=False).copy()
    values[places.to_numpy(zero_copy_only=False)] = imported_bytes.to_numpy(zero_copy_only=False)
    return _set(chunk, name, _lists(lists, pa.array(values, lists.type.value_type)))


def _null_where_empty(lists: pa.ListArray, words: pa.StringArray) -> pa.ListArray:
    """Lists of words; null where a list says nothing."""
    says = pc.fill_null(pc.not_equal(words, _NOTHING), False).to_numpy(zero_copy_only=False)
    counts = lengths_of(lists)
    totals = np.r_[0, np.cumsum(says)]
    edges = np.r_[0, np.cumsum(counts)]
    is_empty = totals[edges[1:]] == totals[edges[:-1]]
    nonempty_words = words.filter(pa.array(np.repeat(~is_empty, counts)))
    offsets = np.r_[0, np.cumsum(np.where(is_empty, 0, counts))].astype(np.int32)
    own = nonempty_words.dictionary_encode() if pa.types.is_dictionary(lists.type.value_type) else nonempty_words
    return pa.ListArray.from_arrays(pa.array(offsets), own.cast(lists.type.value_type), mask=pa.array(is_empty))


def _lists(like: pa.ListArray, values: pa.Array) -> pa.ListArray:
    offsets = np.r_[0, np.cumsum(lengths_of(like))].astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), values, mask=like.is_null() if like.null_count else None)


def _whole(chunk: pa.Table, name: str) -> pa.ListArray:
    column = chunk.column(name)
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def _set(chunk: pa.Table, name: str, values: pa.Array) -> pa.Table:
    return chunk.set_column(chunk.schema.get_field_index(name), name, values)
