"""paberki export."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from paberki.cli import show
from paberki.cli.options import Dir, Json, Quiet, Where, split_commas
from paberki.export.format_list import help_text

Out = Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="File to write; - is standard output.")]
Pages = Annotated[
    Literal["kept", "dropped", "all"] | None,
    typer.Option("--set", help="Which pages: kept (the default), those left out, or all."),
]
Columns = Annotated[
    list[str] | None,
    typer.Option("--columns", metavar="A,B", help="Columns about pages, instead of the usual ones."),
]
Every = Annotated[int, typer.Option("--every", metavar="N", min=1, help="Take one page of N.")]
ShuffleParagraphs = Annotated[
    bool, typer.Option("--shuffle-paragraphs", help="The paragraphs of each page in a random order.")
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Decides about random orders.")]
ShardPages = Annotated[int | None, typer.Option(metavar="N", min=1, help="A directory of files with N pages each.")]
Mask = Annotated[bool, typer.Option("--mask", help="Put [email], [phone] … in the place of personal data.")]
Tokens = Annotated[
    bool | None,
    typer.Option("--tokens/--no-tokens", help="jsonl, parquet: annotation too; usual with several taggers."),
]
Tokenizer = Annotated[Path | None, typer.Option("--tokenizer", metavar="FILE", help="tokens: a tokenizer.json.")]
Jobs = Annotated[int | None, typer.Option("--jobs", "-j", metavar="N", min=1, help="Processes.")]


def run(
    directory: Dir,
    form: Annotated[str, typer.Argument(metavar="FORMAT", help=help_text())],
    out: Out,
    where: Where = None,
    pages: Pages = None,
    all_pages: Annotated[bool, typer.Option("--all", help="The same as --set all.")] = False,
    columns: Columns = None,
    every: Every = 1,
    shuffle: Annotated[bool, typer.Option("--shuffle", help="Pages in a random order.")] = False,
    shuffle_paragraphs: ShuffleParagraphs = False,
    seed: Seed = 0,
    shard_pages: ShardPages = None,
    mask: Mask = False,
    tokens: Tokens = None,
    tokenizer: Tokenizer = None,
    jobs: Jobs = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Take the corpus away in another format.

    A name that ends in .gz, .zst or .xz is compressed. An export that was killed goes on where it was when the same command
    is typed again.

    \b
    Examples:
      paberki export hr jsonl -o hr.jsonl.zst
      paberki export hr conllu -o hr.conllu.zst
      paberki export hr vert -o hr.vert --where "badness < 5"
      paberki export hr jsonl -o hr.jsonl --mask --columns url,text
      paberki export hr jsonl -o left-out.jsonl --set dropped
      paberki export hr parquet -o hr-parquet --shard-pages 100000
      paberki export hr sentences -o hr.txt --seed 7
      paberki export hr signatures -o hr-signatures.parquet       for dedup.against in other recipes
    """
    from paberki.corpus import Corpus

    corpus = Corpus(directory)
    notes: list[str] = []
    with show.watching(quiet=quiet or json or str(out) == "-") as listen:
        page_count = corpus.export(
            form, out, where=where, pages=pages or ("all" if all_pages else "kept"), columns=split_commas(columns or []),
            every=every, shuffle=shuffle, shuffle_paragraphs=shuffle_paragraphs, seed=seed, shard_pages=shard_pages, mask=mask,
            tokens=tokens, tokenizer=tokenizer or "", jobs=jobs, progress=_progress(listen), note=notes.append,
        )  # fmt: skip
    for note in notes:
        typer.echo(note, err=True)
    if str(out) == "-":
        return
    if json:
        show.as_json({"file": str(out), "format": form, "pages": page_count, "notes": notes})
    else:
        show.say(f"{out}: {show.several(page_count, 'page')}", quiet=quiet)


def _progress(listen: Any) -> Callable[[int, int], None] | None:
    """Tell a listener how many of the selected pages are written."""
    if listen is None:
        return None
    from paberki.engine.progress import Progress

    progress = Progress(stage="export", unit="pages", started=time.time())

    def tell(page_count: int, all_pages: int) -> None:
        progress.done, progress.total = page_count, all_pages
        listen(progress)

    return tell
