"""Tokens of a masked text: those that personal data covers become one token, all others keep their place.

A merged token has the layers of its syntactic head, the token nearest to the root: then no cycle can arise, and trees
stay trees. Offsets are those of the masked text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pyarrow as pa

from paberki.export.new_numbers import Group, NewNumbers
from paberki.quality.permissions.personal import Personal
from paberki.store.columns import Column

Spans = Mapping[int, Sequence[Personal]]
"""Personal data of a page by the number of the block, in order."""
_STARTS: Final = ("tok_start", "tok_byte_start")
_ENDS: Final = ("tok_end", "tok_byte_end")
_OTHERS: Final = "other_annotations"
_COMMENTS, _NODES, _DEPENDENCIES = "sent_comments", "sent_nodes", "tok_deps"
_TEXT: Final = re.compile(r"#\s*text\s*=")
_HEAD: Final = "head"


def mask_tokens(
    arrays: Mapping[str, pa.Array], columns: Mapping[str, Column], spans: Sequence[Spans]
) -> dict[str, pa.Array]:
    """The columns of sentences and tokens of a chunk, changed on pages that have personal data in their blocks."""
    names = [name for name in arrays if name in columns and columns[name].level in ("sentence", "token")]
    names += [name for name in ("token_count", _OTHERS) if name in arrays]
    personal_pages = [page for page, one in enumerate(spans) if one]
    if not personal_pages or not {"sent_block", "sent_length", "tok_start", "tok_end"} <= set(names):
        return {}
    rows = {name: arrays[name].to_pylist() for name in names}
    for page in personal_pages:
        values = {name: rows[name][page] for name in names}
        if values["sent_length"]:
            for name, value in _merge(values, columns, spans[page]).items():
                rows[name][page] = value
    return {name: pa.array(rows[name], arrays[name].type) for name in names}


def _merge(page: dict[str, Any], columns: Mapping[str, Column], spans: Spans) -> dict[str, Any]:
    """A page, with the layers of further taggers as if they were columns of its own."""
    others = page.pop(_OTHERS, None)
    layers = {
        f"{number}.{layer}": (f"tok_{layer}", values)
        for number, one in enumerate(others or ())
        for layer, values in one.items()
        if isinstance(values, list) and values
    }
    column_of = {**columns, **{name: columns[column] for name, (column, _) in layers.items()}}
    merged_page = _merged_tokens({**page, **{name: values for name, (_, values) in layers.items()}}, column_of, spans)
    if others is not None:
        other_annotations = [
            {layer: merged_page.pop(f"{n}.{layer}", old) for layer, old in one.items()} for n, one in enumerate(others)
        ]
        merged_page[_OTHERS] = other_annotations
    return merged_page


def _merged_tokens(page: dict[str, Any], columns: Mapping[str, Column], spans: Spans) -> dict[str, Any]:
    tokens = [name for name, value in page.items() if name in columns and columns[name].level == "token" and value]
    merged_page: dict[str, Any] = {**page, **{name: [] for name in tokens}, "sent_length": []}
    lines = {name: list(page[name]) for name in (_COMMENTS, _NODES) if page.get(name)}
    merged_page |= lines
    first = 0
    for number, (block, length) in enumerate(zip(page["sent_block"], page["sent_length"], strict=True)):
        sentence = {name: page[name][first : first + length] for name in tokens}
        if block in spans:
            groups = _groups(sentence, spans[block])
            if any(cover for cover, _ in groups):
                numbers = NewNumbers(groups)
                _change_lines(lines, number, numbers)
                sentence = _sentence(sentence, columns, spans[block], groups, numbers)
            else:
                sentence["tok_start"], sentence["tok_end"] = _move(groups, sentence, spans[block])
        for name in tokens:
            merged_page[name] += sentence[name]
        merged_page["sent_length"].append(len(sentence["tok_start"]))
        first += length
    if "token_count" in page:
        merged_page["token_count"] = len(merged_page["tok_start"])
    return merged_page


def _change_lines(lines: Mapping[str, list[str | None]], sentence: int, numbers: NewNumbers) -> None:
    """Lines that the imported file has about a sentence; its text is made anew of the tokens."""
    if comments := lines.get(_COMMENTS, {sentence: None})[sentence]:
        others = [line for line in comments.split("\n") if not _TEXT.match(line)]
        lines[_COMMENTS][sentence] = "\n".join(others) or None
    if nodes := lines.get(_NODES, {sentence: None})[sentence]:
        lines[_NODES][sentence] = numbers.nodes(nodes)


def _groups(tokens: Mapping[str, list[Any]], spans: Sequence[Personal]) -> list[Group]:
    """The tokens of one sentence, grouped by the span that covers them."""
    groups: list[Group] = []
    for at, (start, end) in enumerate(zip(tokens["tok_start"], tokens["tok_end"], strict=True)):
        cover = next((one for one in spans if one.start < end and start < one.end), None)
        if cover is not None and groups and groups[-1][0] is cover:
            groups[-1][1].append(at)
        else:
            groups.append((cover, [at]))
    return groups


def _sentence(
    tokens: dict[str, list[Any]],
    columns: Mapping[str, Column],
    spans: Sequence[Personal],
    groups: Sequence[Group],
    numbers: NewNumbers,
) -> dict[str, Any]:
    """The tokens of one sentence, each group as one."""
    depths = _depths(tokens.get("tok_head"), len(tokens["tok_start"]))
    heads = [min(members, key=lambda at: depths[at]) for _, members in groups]
    merged_sentence = {
        name: [_value(name, values, group, head, columns[name]) for group, head in zip(groups, heads, strict=True)]
        for name, values in tokens.items()
    }
    for name in merged_sentence:
        if name.endswith(_HEAD):
            # In the tree of another tagger, a merged token may depend on itself.
            new_heads = [numbers.of_token(head) for head in merged_sentence[name]]
            merged_sentence[name] = [0 if head == own else head for own, head in enumerate(new_heads, 1)]
    if _DEPENDENCIES in merged_sentence:
        merged_sentence[_DEPENDENCIES] = [
            numbers.dependencies(value, str(own)) for own, value in enumerate(merged_sentence[_DEPENDENCIES], 1)
        ]
    merged_sentence["tok_start"], merged_sentence["tok_end"] = _move(groups, tokens, spans)
    return merged_sentence


def _value(name: str, values: list[Any], group: Group, head: int, column: Column) -> Any:
    cover, members = group
    if name in _STARTS:
        return values[members[0]]
    if name in _ENDS:
        return values[members[-1]]
    return f"[{cover.type}]" if cover is not None and column.personal else values[head]


def _depths(heads: Sequence[int] | None, count: int) -> list[int]:
    """Steps from each token to the root; all 0 for a sentence without a tree."""
    depths = [0] * count
    for at in range(count if heads else 0):
        assert heads is not None
        steps, place = 0, at
        while heads[place] and steps < count:
            place, steps = heads[place] - 1, steps + 1
        depths[at] = steps
    return depths


def _move(
    groups: Sequence[Group], tokens: Mapping[str, list[int]], spans: Sequence[Personal]
) -> tuple[list[int], list[int]]:
    """Where tokens begin and end in the masked text."""
    ends = [one.end for one in spans]
    shifts = [0]
    for one in spans:
        shifts.append(shifts[-1] + len(one.type) + 2 - (one.end - one.start))
    starts_of, ends_of = [], []
    for cover, members in groups:
        if cover is None:
            start, end = tokens["tok_start"][members[0]], tokens["tok_end"][members[-1]]
            shift = shifts[bisect_right(ends, start)]
            starts_of.append(start + shift)
            ends_of.append(end + shift)
        else:
            start = cover.start + shifts[spans.index(cover)]
            starts_of.append(start)
            ends_of.append(start + len(cover.type) + 2)
    return starts_of, ends_of
