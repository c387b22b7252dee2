"""paberki trend."""

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
    cql: Annotated[str | None, typer.Argument(metavar="[CQL]", help="A query: its hits by period.")] = None,
    by: Annotated[str, typer.Option("--by", metavar="PERIOD", help="year, month, or an attribute of pages.")] = "year",
    attribute: Attribute = "lemma",
    least: Annotated[int, typer.Option("--min", metavar="N", min=1, help="Only rows with at least so many hits.")] = 5,
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
    """List values that become more or less frequent over time; with a query, its hits period by period.

    \b
    Examples:
      paberki trend hr --by year --first 100
      paberki trend hr '[lemma="virus"]' --by month
    """
    from paberki.query.hits.export import header_of, list_header

    with time_limit(timeout):
        corpus = open_corpus(directory, where, set_name)
        if cql is not None:
            hits = corpus.query(cql, seconds=timeout)
            table, header = hits.distribution(by), header_of(hits, list=f"hits by {by}")
        else:
            options = list_options(include, exclude, regex, least)
            table = corpus.trend(attribute, by=by, limit=max(first or 0, 1000), **options)
            header = list_header(corpus._scope(), list=f"trend of {attribute} by {by}")
        show_list(table, header, form="jsonl" if json else form, out=out, first=first, no_header=no_header or quiet)
