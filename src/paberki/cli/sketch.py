"""paberki sketch."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from paberki.cli.list_options import (
    Bare,
    Corpus,
    Exclude,
    First,
    Format,
    Include,
    JsonLines,
    Least,
    NoHeader,
    Out,
    Regex,
    Set,
    Timeout,
    Where,
)
from paberki.cli.listing import list_options, open_corpus, show_list, time_limit


def run(
    directory: Corpus,
    lemma: Annotated[str, typer.Argument(help="A lemma, or two to compare: A..B")],
    grammar: Annotated[
        Path | None, typer.Option("--grammar", metavar="FILE", help="Sketch grammar, for corpora without trees.")
    ] = None,
    per_relation: Annotated[
        int, typer.Option("--per-relation", metavar="N", min=1, help="Collocates of each relation.")
    ] = 12,
    least: Least = 1,
    regex: Regex = None,
    include: Include = None,
    exclude: Exclude = None,
    where: Where = None,
    set_name: Set = None,
    first: First = None,
    form: Format = "text",
    out: Out = None,
    no_header: NoHeader = False,
    json: JsonLines = False,
    quiet: Bare = False,
    timeout: Timeout = None,
) -> None:
    """Show with which words a lemma stands in which relations, from trees or from a sketch grammar.

    \b
    Examples:
      paberki sketch hr grad
      paberki sketch hr grad..selo --min 5
      paberki sketch foreign grad --grammar relations.txt
    """
    from paberki.query.hits.export import list_header

    with time_limit(timeout):
        corpus = open_corpus(directory, where, set_name)
        options = list_options(include, exclude, regex, least)
        table = corpus.sketch(lemma, grammar=grammar, limit=per_relation, **options)
        header = list_header(corpus._scope(), list=f"word sketch of {lemma}")
        show_list(table, header, form="jsonl" if json else form, out=out, first=first, no_header=no_header or quiet)
