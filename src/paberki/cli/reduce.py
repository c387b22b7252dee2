"""paberki reduce."""

from __future__ import annotations

import json as json_
from pathlib import Path
from typing import Annotated

import typer

from paberki.cli import show
from paberki.cli.options import Json, Quiet


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
    from paberki.store.files import replacing

    wrong = 0

    def on_error(where: str, why: str) -> None:
        nonlocal wrong
        wrong += 1
        if wrong <= 10 and not quiet:
            show.err.print(f"{where}: {why}", markup=False)

    rows = []
    for file in files:
        made = reduce(
            documents(file, form, on_error),
            threshold=threshold,
            kind="rabin" if exact else "often",
            cap=200 if exact else 0,
        )
        rows.append((file, made))
    if out is not None:
        with replacing(out) as beside, open(beside, "w", encoding="utf-8") as target:
            for file, made in rows:
                for number, name, other, kept, share in made.removed:
                    said = {"file": file.name, "document": number, "id": name, "of": other, "of_id": kept}
                    target.write(json_.dumps({**said, "share": round(share, 4)}, ensure_ascii=False) + "\n")
    names = ("documents", "kept_documents", "words", "kept_words", "copies", "frequent")
    if json:
        facts = [
            {"file": str(file), **{name: getattr(made, name) for name in names}, "reduction": made.share}
            for file, made in rows
        ]
        show.as_json({"threshold": threshold, "corpora": facts, "skipped": wrong})
        return
    if quiet:
        return
    heads = ("corpus", "documents before", "after", "reduction", "words before", "after", "equal copies")
    shown = [
        (
            file.name,
            show.count(made.documents),
            show.count(made.kept_documents),
            f"{made.share:.1%}",
            show.count(made.words),
            show.count(made.kept_words),
            show.count(made.copies),
        )
        for file, made in rows
    ]
    show.table(heads, shown, right=range(1, 7))
    for file, made in rows:
        if made.frequent:
            fate = "did not count" if exact else "were compared with the longest documents only"
            show.say(f"{file.name}: {show.count(made.frequent)} hash values that very many documents have {fate}")
