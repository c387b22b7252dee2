"""Hits and lists with the header that every output has, in every format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from paberki.errors import QueryError
from paberki.nearest import nearest
from paberki.query.counting.values import values_of
from paberki.query.hits.formats import FORMATS, write_rows, write_workbook
from paberki.query.hits.lines import CONTEXT, Line, lines_of, reference_names
from paberki.query.sources.overlay import overlay_values

if TYPE_CHECKING:
    from paberki.query.counting.token_scope import TokenScope
    from paberki.query.hits.hits import Hits

__all__ = ["header_of", "list_header", "write_hits", "write_table"]

_LIST_FORMATS: Final = ("text", "csv", "tsv", "jsonl", "xlsx")
_LONGEST: Final = 1 << 17
"""Tokens of a hit that are written; of a longer one its beginning and its end."""


def list_header(scope: TokenScope, **facts: Any) -> dict[str, Any]:
    """What a list is about."""
    index = scope.places.index
    known_facts = {name.replace("_", " "): value for name, value in facts.items() if value is not None}
    return {"corpus": index.name, "build": index.build, "subcorpus": scope.name, **known_facts, "tokens": scope.tokens}


def header_of(hits: Hits, **facts: Any) -> dict[str, Any]:
    """What hits are about: corpus, build, subcorpus, query, strategy, steps, size."""
    search = hits.search
    steps = "; ".join(step.name for step in hits.steps if step.name) or None
    count = hits.count()
    progress = search.progress()
    state = None if progress.state != "stopped" else f"stopped after {progress.searched:.0%} of the corpus"
    facts = {"query": str(search.query), "strategy": search.strategy, "steps": steps, **facts, "search": state}
    header = list_header(hits.scope, **facts)
    return {**header, "hits": count, "per million": round(count * 1e6 / max(hits.scope.tokens, 1), 4)}


def write_table(out: Any, form: str, header: dict[str, Any], table: Any) -> None:
    """An Arrow table in a format."""
    if form not in _LIST_FORMATS:
        raise QueryError(
            f"a list cannot be written as {form!r}{nearest(form, _LIST_FORMATS)}: {', '.join(_LIST_FORMATS)}"
        )
    rows = (
        row
        for batch in table.to_batches()
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True)
    )
    if form == "xlsx":
        write_workbook(out, header, table.column_names, rows)
    else:
        write_rows(out, form, header, table.column_names, rows)


def write_hits(
    out: Any,
    form: str,
    hits: Hits,
    *,
    first: int | None,
    view: str,
    header: dict[str, Any],
    context: int | str = CONTEXT,
) -> None:
    """Hits in a format; the view says how much of the context there is, and whether attributes of the hit are beside it."""
    if form not in FORMATS:
        raise QueryError(f"no format {form!r}{nearest(form, FORMATS)}; there are: {', '.join(FORMATS)}")
    table = hits.table if first is None else hits.first_table(first)
    if form == "spans":
        pairs = zip(table.starts.tolist(), table.ends.tolist(), strict=True)
        out.writelines(f"{start} {end}\n" for start, end in pairs)
    elif form in ("conllu", "vert"):
        from paberki.query.hits.token_formats import conllu, vertical

        out.writelines((conllu if form == "conllu" else vertical)(hits.scope, table, header))
    else:
        names, rows = line_rows(hits, table, view, context)
        if form == "xlsx":
            write_workbook(out, header, names, rows)
        else:
            write_rows(out, form, header, names, rows)


def line_rows(hits: Hits, table: Any, view: str, context: int | str) -> tuple[list[str], Iterator[Sequence[Any]]]:
    """Names of columns and one row for each hit."""
    places = hits.scope.places
    references, labels = reference_names(places), list(table.labels)
    attributes = [name for name in places.index.attributes if name != places.index.default] if view == "table" else []
    codes = overlay_values(hits.search.index, table.starts)
    pages = [f"doc.{name}" for name in references]
    names = ["left", "node", "right", "start", "end", *pages, *attributes, *labels, *codes]

    def rows() -> Iterator[Sequence[Any]]:
        for at, line in enumerate(lines_of(places, table, context=context, longest=_LONGEST)):
            reference = [line.reference.get(name) for name in references]
            spans = [" ".join(map(str, line.labels[name])) if name in line.labels else None for name in labels]
            texts = (line.left, line.node, line.right, line.start, line.end)
            people = [values[at] for values in codes.values()]
            yield (*texts, *reference, *_node_values(places.index, line, attributes), *spans, *people)

    return names, rows()


def _node_values(index: Any, line: Line, attributes: list[str]) -> list[str]:
    """Values of the tokens of a hit."""
    import numpy as np

    positions = np.arange(line.start, min(line.end, line.start + _LONGEST))
    return [" ".join(values_of(index, name).texts(values_of(index, name).at(positions))) for name in attributes]
