"""``--where``: the pages for which a condition over their attributes holds, and parts of a corpus by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.errors import QueryError
from paberki.nearest import nearest
from paberki.query.counting.places import PagePlaces
from paberki.query.counting.token_scope import TokenScope, join_runs, whole

if TYPE_CHECKING:
    from paberki.query.index.selection import Selection
    from paberki.store.selection.condition import Condition

_MOST_COLUMNS: Final = 16
"""Columns of pages that an open index remembers: whoever moves a cut asks for the same ones again."""

__all__ = ["pages_where", "scope_of", "selection_scope", "truth_of"]


def scope_of(places: PagePlaces, selection: Selection | None, where: str | None) -> TokenScope:
    """The part of a corpus that a selection and a condition leave."""
    scope = whole(places) if selection is None else selection_scope(places, selection)
    return scope.of_pages(pages_where(places, where), where) if where else scope


def selection_scope(places: PagePlaces, selection: Selection) -> TokenScope:
    """The tokens of the selected blocks."""
    starts, ends = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for segment in places.index.segments:
        blocks, block_bits = segment.structure("p"), selection.blocks(segment)
        starts.append(np.asarray(blocks.starts, np.int64)[block_bits] + segment.base)
        ends.append(np.asarray(blocks.ends, np.int64)[block_bits] + segment.base)
    return TokenScope(places, *join_runs(np.concatenate(starts), np.concatenate(ends)), selection.name)


def pages_where(places: PagePlaces, source: str) -> NDArray[np.bool_]:
    """Which pages a condition holds for; pages where it is null are left out."""
    from paberki.store.selection.condition import parse

    return truth_of(places, parse(source), missing=False) & (places.regions >= 0)


def truth_of(
    places: PagePlaces, condition: Condition, *, missing: bool, variables: Mapping[str, Any] | None = None
) -> NDArray[np.bool_]:
    """Whether a condition holds for each page; ``missing`` where that cannot be said."""
    import pyarrow as pa

    strings = _compared_with_strings(condition.root)
    columns = {name: _page_values(places, name, as_strings=name in strings) for name in condition.names}
    truth = condition.evaluate(lambda name: columns[name], variables)
    if isinstance(truth, pa.Scalar):
        truth = pa.array([truth.as_py()] * places.size, pa.bool_())
    if pa.types.is_null(truth.type):
        return np.full(places.size, missing)
    return np.asarray(truth.fill_null(missing).to_numpy(zero_copy_only=False), np.bool_)


def _compared_with_strings(node: Any) -> set[str]:
    """Columns that stand beside a string, so that they are meant as strings even if all values look like numbers."""
    names: set[str] = set()
    for part in _walk(node):
        sides = part.parts
        texts = [side for side in sides if _is_text(side)]
        if texts:
            names |= {side.parts[0] for side in sides if getattr(side, "kind", None) == "name"}
    return names


def _is_text(side: Any) -> bool:
    if isinstance(side, str):
        return False
    kind = getattr(side, "kind", None)
    return kind in ("value", "list") and any(isinstance(value, str) for value in side.parts)


def _walk(node: Any) -> Iterator[Any]:
    if hasattr(node, "kind"):
        yield node
        for part in node.parts:
            yield from _walk(part)


def _page_values(places: PagePlaces, name: str, *, as_strings: bool) -> Any:
    """An attribute of all pages as an Arrow array, of numbers where all values are numbers."""
    import pyarrow as pa

    short = name.removeprefix(f"{places.structure}.").removeprefix("doc.")
    attributes = places.index.structures.get(places.structure or "", ())
    if short not in attributes:
        names = ", ".join(attributes) or "none"
        raise QueryError(f"--where: pages have no attribute {short!r}{nearest(short, attributes)}; there are: {names}")
    memory: dict[Any, Any] = places.index.__dict__.setdefault("_page_values", {})
    if (short, as_strings) not in memory:
        while len(memory) >= _MOST_COLUMNS:
            memory.pop(next(iter(memory)), None)
        column, strings = places.attribute(short)
        values = pa.array([text if text else None for text in strings], pa.string())
        if not as_strings:
            values = _cast(values)
        whole = values.take(pa.array(column, mask=column < 0)) if len(values) else pa.nulls(places.size, pa.string())
        memory[short, as_strings] = whole
    return memory[short, as_strings]


def _cast(values: Any) -> Any:
    """Values as numbers or as truths where all of them are."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for kind in (pa.int64(), pa.float64()):
        try:
            return pc.cast(values, kind)
        except pa.ArrowInvalid:
            continue
    truths = {"true", "false", "True", "False", None}
    return pc.equal(pc.utf8_lower(values), "true") if set(values.to_pylist()) <= truths else values
