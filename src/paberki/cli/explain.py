"""paberki explain."""

from __future__ import annotations

from typing import Annotated

import typer

from paberki.cli import show
from paberki.cli.options import Dir, Json, Quiet


def run(
    directory: Dir,
    page: Annotated[str, typer.Argument(metavar="URL|ID", help="Address, id or stable key of a page.")],
    other: Annotated[
        str | None, typer.Argument(metavar="[URL|ID]", help="Another page, to see what the two have in common.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Every decision about one page in plain words: bytes, encoding, blocks, language, scores, duplicates, verdict.

    \b
    Examples:
      paberki explain hr https://example.hr/article
      paberki explain hr 000012345
      paberki explain hr 000012345 000023456       two pages side by side, shared passages marked
    """
    from paberki.corpus import Corpus
    from paberki.report.one_page.explain import explain

    corpus = Corpus(directory)
    if other is not None:
        from paberki.report.one_page.pair import compare_pages

        pair = compare_pages(corpus.directory, corpus.layout(), page, other)
        if json:
            show.as_json(pair.to_dict())
        else:
            show.say("\n".join(pair.lines(show.out.width)), quiet=quiet)
        return
    explanation = explain(corpus.directory, corpus.layout(), corpus.decisions(), page)
    if json:
        show.as_json(explanation.to_dict())
    else:
        show.say(explanation.text(), quiet=quiet)
