"""All verbs together."""

from __future__ import annotations

from typing import Annotated

import typer

from paberki.cli import (
    annotate,
    build,
    columns,
    crawl,
    decode,
    demo,
    doctor,
    eval,  # noqa: A004 - the verb is called so
    explain,
    export,
    extract,
    identify,
    import_,
    index,
    new,
    peek,
    plan,
    reduce,
    report,
    seeds,
    settings,
    sql,
    stages,
    status,
    train,
    tune,
)

app = typer.Typer(
    name="paberki",
    help="From a national web to a clean, annotated, searchable, documented text corpus.",
    epilog="Start with: paberki demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from paberki import __version__

        typer.echo(f"paberki {__version__}")
        raise typer.Exit


@app.callback()
def _all(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """From a national web to a clean, annotated, searchable, documented text corpus."""


for module in (
    new, import_, crawl, build, index, plan, status, peek, explain, sql, export, report, columns, stages, settings, doctor, demo, decode,
    extract, identify, annotate, reduce, tune,
):  # fmt: skip
    app.command(name=module.__name__.rpartition(".")[2].strip("_"))(module.run)
app.add_typer(seeds.app, name="seeds")
app.add_typer(train.app, name="train")
app.add_typer(eval.app, name="eval")
