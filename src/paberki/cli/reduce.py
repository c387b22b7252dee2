"""paberki reduce."""

from __future__ import annotations

import json as json_
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from paberki.cli import show
from paberki.cli.options import Json, Quiet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from paberki.dedup.near.reduction import Reduction

    Rows = Sequence[tuple[Path, Reduction]]

_FACTS: Final = ("documents", "kept_documents", "words", "kept_words", "copies", "frequent")
_PRINTED: Final = 10
"""Complaints about records that are printed."""


def run(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE…", help="Vertical file, JSONL or text; .gz and .zst too.")
    ],
    form: Annotated[
        str,
        typer.Option("--format", "-f", metavar="FORMAT", help="vert, jsonl or text; told from the file if not given."),
    ] = "auto",
    threshold: Annotated[
        float, typer.Option(metavar="SHARE", help="Least share of 100 min-hashes that two documents have in common.")
    ] = 0.05,
    exact: Annotated[
        bool, typer.Option("--rabin", help="P5's program: Rabin fingerprints; values of 200 documents do not count.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write what went, and why, as JSONL.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """How much is left of a corpus when the shorter of every two similar documents goes (P5 Table 4).

    \b
    Examples:
      paberki reduce frwac.vert.gz
      paberki reduce corpus.jsonl --rabin -o gone.jsonl
    """
    from paberki.dedup.near.foreign_documents import documents
    from paberki.dedup.near.reduction import reduce

    complaints = _Complaints(quiet)
    kind, cap = ("rabin", 200) if exact else ("often", 0)
    rows = [
        (file, reduce(documents(file, form, complaints), threshold=threshold, kind=kind, cap=cap)) for file in files
    ]
    if out is not None:
        _write_removed(rows, out)
    if json:
        facts = [
            {"file": str(file), **{name: getattr(one, name) for name in _FACTS}, "reduction": one.share}
            for file, one in rows
        ]
        show.as_json({"threshold": threshold, "corpora": facts, "skipped": complaints.count})
    elif not quiet:
        _print(rows, exact=exact)


class _Complaints:
    """Records that cannot be read: all are counted, the first ones are printed."""

    def __init__(self, quiet: bool) -> None:
        self.count, self._quiet = 0, quiet

    def __call__(self, where: str, why: str) -> None:
        self.count += 1
        if self.count <= _PRINTED and not self._quiet:
            show.err.print(f"{where}: {why}", markup=False)


def _write_removed(rows: Rows, out: Path) -> None:
    """Every document that went, with the one that it resembles, as JSONL."""
    from paberki.store.files import replacing

    with replacing(out) as beside, open(beside, "w", encoding="utf-8") as target:
        for file, reduction in rows:
            for number, name, other, kept_name, share in reduction.removed:
                document = {"file": file.name, "document": number, "id": name, "of": other, "of_id": kept_name}
                target.write(json_.dumps({**document, "share": round(share, 4)}, ensure_ascii=False) + "\n")


def _print(rows: Rows, *, exact: bool) -> None:
    heads = ("corpus", "documents before", "after", "reduction", "words before", "after", "equal copies")
    cells = [
        (
            file.name,
            show.count(one.documents),
            show.count(one.kept_documents),
            f"{one.share:.1%}",
            show.count(one.words),
            show.count(one.kept_words),
            show.count(one.copies),
        )
        for file, one in rows
    ]
    show.table(heads, cells, right=range(1, 7))
    for file, one in rows:
        if one.frequent:
            fate = "did not count" if exact else "were compared with the longest documents only"
            show.say(f"{file.name}: {show.count(one.frequent)} hash values that very many documents have {fate}")
