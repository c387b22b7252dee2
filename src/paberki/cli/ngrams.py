"""paberki ngrams."""

from __future__ import annotations

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
    n: Annotated[int, typer.Option("--n", metavar="N", min=1, max=20, help="How many tokens.")] = 2,
    attribute: Attribute = "word",
    within: Annotated[
        str | None,
        typer.Option("--within", metavar="STRUCTURE", help="Do not cross its edges; pages are never crossed."),
    ] = None,
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
    """List the most frequent runs of N tokens; 10,000 of them unless --first says otherwise.

    \b
    Examples:
      paberki ngrams hr --n 3
      paberki ngrams hr --n 4 --attr lemma --within s --min 10 --format tsv
    """
    from paberki.query.hits.export import list_header

    with time_limit(timeout):
        corpus = open_corpus(directory, where, set_name)
        options = list_options(include, exclude, regex, least)
        table = corpus.ngrams(attribute, n, within=within, limit=max(first or 0, 10_000), **options)
        header = list_header(corpus._scope(), list=f"{n}-grams of {attribute}")
        show_list(table, header, form="jsonl" if json else form, out=out, first=first, no_header=no_header or quiet)
