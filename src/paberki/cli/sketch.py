"""paberki sketch."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from paberki.cli.list_options import Corpus, ListRequest, list_verb


@list_verb()
def run(
    directory: Corpus,
    lemma: Annotated[str, typer.Argument(help="A lemma, or two to compare: A..B")],
    grammar: Annotated[
        Path | None, typer.Option("--grammar", metavar="FILE", help="Sketch grammar, for corpora without trees.")
    ] = None,
    per_relation: Annotated[
        int, typer.Option("--per-relation", metavar="N", min=1, help="Collocates of each relation.")
    ] = 12,
    *,
    request: ListRequest,
) -> None:
    """Show with which words a lemma stands in which relations, from trees or from a sketch grammar.

    \b
    Examples:
      paberki sketch hr grad
      paberki sketch hr grad..selo --min 5
      paberki sketch foreign grad --grammar relations.txt
    """
    corpus = request.open(directory)
    table = corpus.sketch(lemma, grammar=grammar, limit=per_relation, **request.rows)
    request.show_of(corpus, table, f"word sketch of {lemma}")
