"""paberki similar."""

from __future__ import annotations

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
    lemma: Annotated[str, typer.Argument(help="A lemma.")],
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
    """List lemmas that stand in the same relations with the same words.

    \b
    Examples:
      paberki similar hr grad
    """
    from paberki.query.hits.export import list_header

    with time_limit(timeout):
        corpus = open_corpus(directory, where, set_name)
        table = corpus.similar(lemma, limit=max(first or 0, 50), **list_options(include, exclude, regex, least))
        header = list_header(corpus._scope(), list=f"similar to {lemma}")
        show_list(table, header, form="jsonl" if json else form, out=out, first=first, no_header=no_header or quiet)
