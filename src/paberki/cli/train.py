"""paberki train: count or learn the models that paberki works with, one sub-command per model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from paberki.cli import langid, show, train_annotation, train_methods
from paberki.cli.options import Json, Quiet

app = typer.Typer(help="Make models from your own data.", no_args_is_help=True, rich_markup_mode="rich")


@app.callback()
def _all() -> None:
    """Make models from your own data."""


@app.command()
def charset(
    data: Annotated[
        list[Path],
        typer.Argument(
            metavar="DATA…", help="Texts: .jsonl with lang and text, .conllu or .txt named by language (hr.txt)."
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="File to write.")] = Path(
        "charset.model"
    ),
    source: Annotated[
        list[str], typer.Option("--source", help="Name of a source, kept in the model; repeat for several.")
    ] = [],  # noqa: B006 - typer wants a literal
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Count the model that finds encodings, from plain text in the languages it shall know.

    \b
    Examples:
      paberki train charset hr.txt sl.txt texts.jsonl.xz -o my.model
      paberki decode page.html --model my.model
    """
    from itertools import chain

    from paberki.decoding.charset_training import train
    from paberki.decoding.letter_counts import write_counts
    from paberki.decoding.training_texts import read_texts
    from paberki.errors import ConfigError

    counts = train(chain.from_iterable(map(read_texts, data)), source or [path.name for path in data])
    languages = [*counts.alphabetic, *counts.ideographic]
    if not languages:
        raise ConfigError("too little text in any language the model knows; each needs some 2,000 characters")
    write_counts(output, counts)
    if json:
        show.as_json({"model": str(output), "languages": languages, "bytes": output.stat().st_size})
        return
    show.say(f"{output}: {len(languages)} languages, {show.size(output.stat().st_size)}", quiet=quiet)
    show.say(f"  {' '.join(languages)}", quiet=quiet)


@app.command()
def extract(
    data: Annotated[
        list[Path], typer.Argument(metavar="DATA…", help="Sets (.tar.xz or folder with gold.jsonl) or coded pages.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="File to write.")] = Path(
        "learned.npz"
    ),
    trees: Annotated[int, typer.Option("--trees", min=1, max=2000, help="Trees of the first stage.")] = 160,
    hints: Annotated[
        Path | None,
        typer.Option(
            "--hints", metavar="FILE.jsonl", help="Soft labels of blocks of pages without gold: set, id, chances."
        ),
    ] = None,
    without: Annotated[
        list[str] | None, typer.Option("--without", metavar="SET/ID", help="Pages to leave out, a pattern with *.")
    ] = None,
    unlabelled: Annotated[
        list[str] | None,
        typer.Option("--unlabelled", metavar="SET/ID", help="Pages whose gold must not be used, only hints."),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Learn from pages with gold text which blocks are text.

    \b
    Examples:
      paberki train extract sets/ -o my.npz
      paberki train extract sets/ --hints hints.jsonl --unlabelled 'dragnet/*'
      paberki eval extract other.tar.xz --model my.npz
    Use it in a recipe: [extract] model = "my.npz"
    """
    from paberki.extraction.evaluation.gold_pages import read_gold
    from paberki.extraction.learned.block_training import read_hints, train

    soft = read_hints(hints) if hints else None
    pages = (page for path in data for page in read_gold(path))
    model = train(
        pages, trees=trees, hints=soft, without=without or (), unlabelled=unlabelled or (),
        log=lambda line: show.say(line, quiet=quiet or json),
    )  # fmt: skip
    model.save(output)
    if json:
        show.as_json({"model": str(output), "bytes": output.stat().st_size, **model.about})
        return
    show.say(f"{output}: {model.about['pages']} pages, {show.size(output.stat().st_size)}", quiet=quiet)


for verb in (
    train_methods.perceptron,
    train_methods.victor,
    train_annotation.tagger,
    train_annotation.lemmatiser,
    train_annotation.parser,
    train_annotation.ner,
    train_annotation.tokeniser,
):
    app.command()(verb)
app.command(name="langid")(langid.train_langid)
app.command(name="siblings")(langid.train_siblings)
