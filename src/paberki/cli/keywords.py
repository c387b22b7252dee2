"""paberki keywords."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from paberki.cli.list_options import (
    Attribute,
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
    reference: Annotated[
        Path, typer.Argument(metavar="REFERENCE", help="Corpus or index to compare with; may be the same one.")
    ],
    attribute: Attribute = "lemma",
    measure: Annotated[
        str, typer.Option("--measure", "-m", metavar="NAME", help="simplemaths, logratio or ll.")
    ] = "simplemaths",
    rare: Annotated[
        float,
        typer.Option("--rare", metavar="N", min=1e-6, help="Constant of simplemaths: 1 rare, 1000 frequent words."),
    ] = 1.0,
    where: Where = None,
    reference_where: Annotated[
        str | None, typer.Option("--reference-where", metavar="CONDITION", help="The same for the reference.")
    ] = None,
    set_name: Set = None,
    least: Least = 1,
    regex: Regex = None,
    include: Include = None,
    exclude: Exclude = None,
    first: First = None,
    form: Format = "text",
    out: Out = None,
    no_header: NoHeader = False,
    json: JsonLines = False,
    quiet: Bare = False,
    timeout: Timeout = None,
) -> None:
    """List what is typical of one corpus, or of a part of it, compared with another.

    \b
    Examples:
      paberki keywords hr sr
      paberki keywords hr hr --where "year >= 2020" --reference-where "year < 2020"
    """
    from paberki.query.hits.export import list_header

    with time_limit(timeout):
        corpus = open_corpus(directory, where, set_name)
        is_same = directory.resolve() == reference.resolve()
        other = open_corpus(reference, reference_where, set_name, corpus if is_same else None)
        options = list_options(include, exclude, regex, least)
        limit = max(first or 0, 1000)
        table = corpus.keywords(other, attribute, measure=measure, n=rare, limit=limit, **options)
        about = f"{attribute} typical compared with {other.reader.name} ({other._scope().name})"
        header = list_header(corpus._scope(), list=about, reference_tokens=other._scope().tokens)
        show_list(table, header, form="jsonl" if json else form, out=out, first=first, no_header=no_header or quiet)
