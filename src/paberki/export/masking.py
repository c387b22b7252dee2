"""Mask personal data in exports: the type of each span replaces it, ``[email]``.

Every column that the schema calls personal is masked, whatever its type: text and blocks, titles, addresses, anchors,
lemmas. Spans are detected in the exported text itself, so that repaired and transliterated text is masked too. Tokens follow
the masked text (:mod:`paberki.export.masked_tokens`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote_to_bytes

import pyarrow as pa
import pyarrow.compute as pc

from paberki.export.masked_tokens import mask_tokens
from paberki.quality.permissions.personal import SUSPECT, Personal, masked, personal_data
from paberki.store.batch import field_of_blocks
from paberki.store.columns import Column
from paberki.store.reading import TEXT

_ADDRESS: Final = re.compile(r"\s*(?:[A-Za-z][A-Za-z0-9+.-]{0,30}:)?//|\s*(?:mailto|tel|sms|callto):", re.IGNORECASE)
_IN_ADDRESSES: Final = frozenset(("email", "phone"))
_WITH_CHECKSUM: Final = frozenset(("iban", "oib", "jmbg", "rodne-cislo"))
"""Numbers of people and accounts, which a checksum tells from others; other numbers in an address identify resources."""
_BETWEEN_WORDS: Final = str.maketrans("/-_+=&?.;:,", " " * 11)
"""What stands between the words of an address."""
_ESCAPE: Final = re.compile("%[0-9A-Fa-f]{2}")


@dataclass(frozen=True, slots=True)
class Mask:
    """Which kinds of personal data are masked."""

    types: Collection[str] = ()
    """Types of :mod:`paberki.quality.permissions.personal`; all of them without a list."""

    def spans(self, text: str) -> list[Personal]:
        """Personal data in a text, in order."""
        if _ADDRESS.match(text):
            return [one for one in _in_address(text) if self._is_wanted(one)]
        return [one for one in personal_data(text) if self._is_wanted(one)]

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
    return pa.table({name: arrays[name] for name in names})


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
    suspects = _suspects(values)
    # In an address the sign of an e-mail may be written as an escape.
    escaped_places = pc.indices_nonzero(
        pc.match_substring(values, "%40", ignore_case=True).fill_null(False)
    ).to_pylist()
    if not suspects and not escaped_places:
        return values
    texts = values.to_pylist()
    for at in {*suspects, *escaped_places}:
        texts[at] = mask.text(texts[at])
    return pa.array(texts, pa.string())


def _in_address(url: str) -> list[Personal]:
    """Spans of an address as it is written, escapes read as the characters that they stand for."""
    plain: list[str] = []
    places: list[int] = []
    at = 0
    while at < len(url):
        escape = _ESCAPE.match(url, at)
        char = unquote_to_bytes(escape[0]).decode("latin-1") if escape else url[at]
        plain.append(char)
        places.append(at)
        at += 3 if escape else 1
    places.append(at)
    text = "".join(plain)
    spans = [one for one in personal_data(text) if one.type in _IN_ADDRESSES | _WITH_CHECKSUM]
    words = text.upper().translate(_BETWEEN_WORDS) if text.isascii() else ""
    spans += [
        one
        for one in personal_data(words)
        if one.type in _WITH_CHECKSUM and not any(one.start < other.end and other.start < one.end for other in spans)
    ]
    return [Personal(places[one.start], places[one.end], one.type) for one in sorted(spans, key=lambda one: one.start)]
