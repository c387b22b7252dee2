"""paberki keywords."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from paberki.cli.list_options import Attribute, Corpus, ListRequest, list_verb
from paberki.cli.listing import open_corpus


@list_verb()
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
    reference_where: Annotated[
        str | None, typer.Option("--reference-where", metavar="CONDITION", help="The same for the reference.")
    ] = None,
    *,
    request: ListRequest,
) -> None:
    """List what is typical of one corpus, or of a part of it, compared with another.

    \b
    Examples:
      paberki keywords hr sr
      paberki keywords hr hr --where "year >= 2020" --reference-where "year < 2020"
    """
    corpus = request.open(directory)
    is_same = directory.resolve() == reference.resolve()
    other = open_corpus(reference, reference_where, request.set_name, corpus if is_same else None)
    table = corpus.keywords(other, attribute, measure=measure, n=rare, limit=request.limit(1000), **request.rows)
    about = f"{attribute} typical compared with {other.reader.name} ({other._scope().name})"
    request.show_of(corpus, table, about, reference_tokens=other._scope().tokens)
