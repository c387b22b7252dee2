"""paberki similar."""

from __future__ import annotations

from typing import Annotated

import typer

from paberki.cli.list_options import Corpus, ListRequest, list_verb


@list_verb()
def run(
    directory: Corpus,
    lemma: Annotated[str, typer.Argument(help="A lemma.")],
    *,
    request: ListRequest,
) -> None:
    """List lemmas that stand in the same relations with the same words.

    \b
    Examples:
      paberki similar hr grad
    """
    corpus = request.open(directory)
    request.show_of(corpus, corpus.similar(lemma, limit=request.limit(50), **request.rows), f"similar to {lemma}")
