"""paberki trend."""

from __future__ import annotations

from typing import Annotated

import typer

from paberki.cli.list_options import Attribute, Corpus, ListRequest, list_verb


@list_verb({"least": 5})
def run(
    directory: Corpus,
    cql: Annotated[str | None, typer.Argument(metavar="[CQL]", help="A query: its hits by period.")] = None,
    by: Annotated[str, typer.Option("--by", metavar="PERIOD", help="year, month, or an attribute of pages.")] = "year",
    attribute: Attribute = "lemma",
    *,
    request: ListRequest,
) -> None:
    """List values that become more or less frequent over time; with a query, its hits period by period.

    \b
    Examples:
      paberki trend hr --by year --first 100
      paberki trend hr '[lemma="virus"]' --by month
    """
    corpus = request.open(directory)
    if cql is None:
        table = corpus.trend(attribute, by=by, limit=request.limit(1000), **request.rows)
        request.show_of(corpus, table, f"trend of {attribute} by {by}")
        return
    from paberki.query.hits.hit_export import header_of

    hits = corpus.query(cql, seconds=request.timeout)
    request.show(hits.distribution(by), header_of(hits, list=f"hits by {by}"))
