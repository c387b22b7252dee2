"""paberki explain."""

from __future__ import annotations

from typing import Annotated

import typer

from paberki.cli import show
from paberki.cli.options import Dir, Json, Quiet


def run(
    directory: Dir,
    page: Annotated[str, typer.Argument(metavar="URL|ID", help="Address, id or stable key of a page.")],
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Every decision about one page in plain words: bytes, encoding, blocks, language, scores, duplicates, verdict.

    \b
    Examples:
      paberki explain hr https://example.hr/article
      paberki explain hr 000012345
    """
    from paberki.corpus import Corpus
    from paberki.report.explain import explain

    corpus = Corpus(directory)
    found = explain(corpus.directory, corpus.plan(), corpus.recipe, page)
    if json:
        show.as_json(found.to_dict())
    else:
        show.say(found.text(), quiet=quiet)
