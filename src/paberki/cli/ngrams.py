"""paberki ngrams."""

from __future__ import annotations

from typing import Annotated

import typer

from paberki.cli.list_options import Attribute, Corpus, ListRequest, list_verb


@list_verb()
def run(
    directory: Corpus,
    n: Annotated[int, typer.Option("--n", metavar="N", min=1, max=20, help="How many tokens.")] = 2,
    attribute: Attribute = "word",
    within: Annotated[
        str | None,
        typer.Option("--within", metavar="STRUCTURE", help="Do not cross its edges; pages are never crossed."),
    ] = None,
    *,
    request: ListRequest,
) -> None:
    """List the most frequent runs of N tokens; 10,000 of them unless --first says otherwise.

    \b
    Examples:
      paberki ngrams hr --n 3
      paberki ngrams hr --n 4 --attr lemma --within s --min 10 --format tsv
    """
    corpus = request.open(directory)
    table = corpus.ngrams(attribute, n, within=within, limit=request.limit(10_000), **request.rows)
    request.show_of(corpus, table, f"{n}-grams of {attribute}")
