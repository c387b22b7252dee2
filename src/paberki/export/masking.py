"""Mask personal data in exports: the type of each span replaces it, ``[email]``.

Every column that the schema calls personal is masked, whatever its type: text and blocks, titles, addresses, anchors,
lemmas. Spans are detected in the exported text itself, so that repaired and transliterated text is masked too. Tokens follow
the masked text (:mod:`paberki.export.masked_tokens`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase
from typing import Final
from urllib.parse import unquote

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.export.masked_tokens import mask_tokens
from paberki.quality.permissions.personal import SUSPECT, Personal, masked, named_phones, personal_data
from paberki.store.batch import field_of_blocks
from paberki.store.columns import Column
from paberki.store.reading import TEXT

_ADDRESS: Final = re.compile(r"\s*(?:[A-Za-z][A-Za-z0-9+.-]{0,30}:)?//|\s*(?:mailto|tel|sms|callto):", re.IGNORECASE)
_IN_ADDRESSES: Final = frozenset(("email", "phone"))
_WITH_CHECKSUM: Final = frozenset(("iban", "oib", "jmbg", "rodne-cislo"))
"""Numbers of people and accounts, which a checksum tells from others; other numbers in an address identify resources."""
_BETWEEN_WORDS: Final = str.maketrans("/-_+=&?.;:," + ascii_lowercase, " " * 11 + ascii_uppercase)
"""What stands between the words of an address; account numbers have capital letters."""
_ESCAPE: Final = "%[0-9A-Fa-f]{2}"
_ESCAPED: Final = re.compile(f"{_ESCAPE}".encode())
_IN_ESCAPED: Final = re.compile(r"[@\uff20\ufe6b]|(?:\d\D{0,3}){6}\d")
"""What an address with personal data in it has."""
_MOST_ESCAPES: Final = 4
"""How often an address is read again, since escapes may stand for escapes."""


@dataclass(frozen=True, slots=True)
class Mask:
    """Which kinds of personal data are masked."""

    types: Collection[str] = ()
    """Types of :mod:`paberki.quality.permissions.personal`; all of them without a list."""

    def spans(self, text: str) -> list[Personal]:
        """Personal data in a text, in order."""
        is_address = bool(_ADDRESS.match(text))
        if "%" not in text:
            items = _in_address(text) if is_address else personal_data(text)
        else:
            plain, places = _unescaped(text)
            items = _in_address(plain) if is_address else personal_data(plain)
            items = [Personal(places[one.start], places[one.end], one.type) for one in items]
        return [one for one in items if self._is_wanted(one)]

    def _is_wanted(self, one: Personal) -> bool:
        return not self.types or one.type in self.types

    def text(self, text: str) -> str:
        """The text with the types in place of the data."""
        return masked(text, self.spans(text))


def mask_chunk(
    chunk: pa.Table,
    names: Sequence[str],
    columns: Mapping[str, Column],
    mask: Mask,
    hidden_columns: Collection[str] = (),
) -> pa.Table:
    """The named columns of a chunk of pages, masked but for those of which nothing is written."""
    arrays = {name: chunk.column(name).combine_chunks() for name in chunk.column_names}
    if "blocks" in arrays and any(columns[name].level == "token" for name in names if name in columns):
        texts = field_of_blocks(arrays["blocks"], "text")
        arrays |= mask_tokens(arrays, columns, _spans_of_blocks(texts, mask))
    for name in names:
        if name not in hidden_columns and (name == TEXT or columns[name].personal):
            arrays[name] = masked_array(arrays[name], mask)
    if "blocks" in names and "source" in (field.name for field in arrays["blocks"].type.value_type):
        arrays["blocks"] = _without_sources(chunk.column("blocks").combine_chunks(), arrays["blocks"])
    return pa.table({name: arrays[name] for name in names})


def _without_sources(before: pa.ListArray, after: pa.ListArray) -> pa.ListArray:
    """Masked blocks have no text of the page behind theirs, since places in one say nothing of the other any more; an empty
    list of breakpoints says so."""
    old, new = before.flatten(), after.flatten()
    changed = pc.fill_null(
        pc.or_(*(pc.not_equal(old.field(name), new.field(name)).fill_null(False) for name in ("text", "source"))), False
    )
    if not pc.any(changed).as_py():
        return after
    parts = {field.name: part for field, part in zip(new.type, new.flatten(), strict=True)}
    for name, value in (("source", None), ("breakpoints", [])):
        parts[name] = pc.if_else(changed, pa.scalar(value, parts[name].type), parts[name])
    values = pa.StructArray.from_arrays(list(parts.values()), fields=list(new.type))
    return pa.ListArray.from_arrays(_offsets(after), values, mask=after.is_null() if after.null_count else None)


def _offsets(lists: pa.ListArray) -> pa.Array:
    lengths = pc.fill_null(lists.value_lengths(), 0).to_numpy(zero_copy_only=False)
    return pa.array(np.r_[0, np.cumsum(lengths)].astype(np.int32))


def _spans_of_blocks(texts: pa.ListArray, mask: Mask) -> list[dict[int, list[Personal]]]:
    """For each page its blocks with personal data, by number."""
    pages: list[dict[int, list[Personal]]] = [{} for _ in range(len(texts))]
    parents, flat = pc.list_parent_indices(texts).to_pylist(), texts.flatten()
    firsts: dict[int, int] = {}
    for at, page in enumerate(parents):
        firsts.setdefault(page, at)
    for at in _suspects(flat):
        if spans := mask.spans(flat[at].as_py()):
            pages[parents[at]][at - firsts[parents[at]]] = spans
    return pages


def _suspects(texts: pa.StringArray) -> list[int]:
    """Texts that are worth a close look."""
    rows: list[int] = pc.indices_nonzero(pc.match_substring_regex(texts, SUSPECT).fill_null(False)).to_pylist()
    return rows


def masked_array(values: pa.Array, mask: Mask) -> pa.Array:
    """Values of any shape, with every string in them masked; those without personal data are not copied."""
    kind = values.type
    if pa.types.is_string(kind):
        return _masked_strings(values, mask)
    if pa.types.is_dictionary(kind):
        words = masked_array(values.dictionary, mask)
        return pa.DictionaryArray.from_arrays(values.indices, words) if words is not values.dictionary else values
    if pa.types.is_list(kind):
        missing = values.is_null() if values.null_count else None
        return pa.ListArray.from_arrays(values.offsets, masked_array(values.values, mask), mask=missing)
    if pa.types.is_struct(kind):
        parts = [masked_array(part, mask) for part in values.flatten()]
        return pa.StructArray.from_arrays(parts, fields=list(kind), mask=values.is_null())
    return values


def _masked_strings(values: pa.StringArray, mask: Mask) -> pa.StringArray:
    escaped = pc.indices_nonzero(pc.match_substring_regex(values, _ESCAPE).fill_null(False)).to_pylist()
    places = sorted({*_suspects(values), *(at for at in escaped if _IN_ESCAPED.search(_decoded(values[at].as_py())))})
    if not places:
        return values
    old = values.take(pa.array(places)).to_pylist()
    new = [mask.text(text) for text in old]
    if new == old:
        return values
    texts = values.to_pylist()
    for at, text in zip(places, new, strict=True):
        texts[at] = text
    return pa.array(texts, pa.string())


def _is_bare(url: str, one: Personal) -> bool:
    """Digits that might be a telephone number, in an address mostly of something else."""
    return one.type == "phone" and url[one.start : one.end].isdigit() and one not in named_phones(url)


def _decoded(text: str) -> str:
    for _ in range(_MOST_ESCAPES):
        if "%" not in text:
            break
        text = unquote(text)
    return text


def _unescaped(text: str) -> tuple[str, list[int]]:
    """An address with characters in place of escapes, and where each of them begins; at last where the address ends."""
    data = text.encode("utf-8", "surrogatepass")
    places = [at for at, char in enumerate(text) for _ in char.encode("utf-8", "surrogatepass")]
    places.append(len(text))
    for _ in range(_MOST_ESCAPES):
        edges = [match.start() for match in _ESCAPED.finditer(data)]
        if not edges:
            break
        data = _ESCAPED.sub(lambda match: bytes([int(match[0][1:], 16)]), data)
        gone = {edge + shift for edge in edges for shift in (1, 2)}
        places = [place for at, place in enumerate(places) if at not in gone]
    # Bytes that are no UTF-8 keep their places, one character each.
    plain = data.decode("utf-8", "surrogateescape")
    starts, at = [], 0
    for char in plain:
        starts.append(places[at])
        at += len(char.encode("utf-8", "surrogateescape"))
    return plain, [*starts, places[at]]


def _in_address(url: str) -> list[Personal]:
    """Personal data in an address: what identifies a person, not what identifies a resource."""
    kinds = _IN_ADDRESSES | _WITH_CHECKSUM
    spans = [one for one in personal_data(url) if one.type in kinds and not _is_bare(url, one)]
    words = url.translate(_BETWEEN_WORDS)
    others = [one for one in personal_data(words) if one.type in _WITH_CHECKSUM] + named_phones(words)
    for one in others:
        if not any(one.start < other.end and other.start < one.end for other in spans):
            spans.append(one)
    return sorted(spans, key=lambda one: one.start)
