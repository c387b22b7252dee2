"""paberki export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from paberki.cli import show
from paberki.cli.options import Dir, Json, Quiet, Where
from paberki.export.format_list import help_text


def run(
    directory: Dir,
    form: Annotated[str, typer.Argument(metavar="FORMAT", help=help_text())],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="File to write; - is standard output.")],
    where: Where = None,
    all_pages: Annotated[bool, typer.Option("--all", help="Also pages that were left out.")] = False,
    shard_pages: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="parquet: a directory of files with N pages each.")
    ] = None,
    mask: Annotated[bool, typer.Option("--mask", help="Put [email], [phone] … in the place of personal data.")] = False,
    tokens: Annotated[
        bool | None,
        typer.Option("--tokens/--no-tokens", help="jsonl, parquet: annotation too; usual with several taggers."),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Take the corpus away in another format.

    \b
    Examples:
      paberki export hr jsonl -o hr.jsonl.zst
      paberki export hr conllu -o hr.conllu.zst
      paberki export hr vert -o hr.vert --where "badness < 5"
      paberki export hr jsonl -o hr.jsonl --mask
      paberki export hr parquet -o hr-parquet --shard-pages 100000
      paberki export hr signatures -o hr-signatures.parquet       for dedup.against in other recipes
    """
    from paberki.corpus import Corpus

    corpus = Corpus(directory)
    notes: list[str] = []
    pages = corpus.export(
        form, out, where=where, kept=not all_pages, shard_pages=shard_pages, mask=mask, tokens=tokens, note=notes.append
    )
    for note in notes:
        typer.echo(note, err=True)
    if str(out) == "-":
        return
    if json:
        show.as_json({"file": str(out), "format": form, "pages": pages, "notes": notes})
    else:
        show.say(f"{out}: {show.count(pages)} pages", quiet=quiet)
