"""paberki peek."""

from __future__ import annotations

from typing import Annotated

import typer

from paberki.cli import show
from paberki.cli.options import Dir, Json, Quiet, Where


def run(
    directory: Dir,
    number: Annotated[int, typer.Option("--number", "-n", min=1, help="How many pages.")] = 5,
    where: Where = None,
    dropped: Annotated[bool, typer.Option("--dropped", help="Pages that were left out instead of kept ones.")] = False,
    reason: Annotated[str | None, typer.Option(help="Only pages left out for this reason.")] = None,
    seed: Annotated[int, typer.Option(help="Another seed, another sample.")] = 1,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Look at a random sample of pages.

    \b
    Examples:
      paberki peek hr -n 3
      paberki peek hr --reason too-short
      paberki peek hr --where "host = 'example.hr'"
    """
    from paberki.corpus import Corpus
    from paberki.report.peek import peek

    corpus = Corpus(directory)
    only_kept = not (dropped or reason)
    if dropped and not reason:
        where = f"not keep and ({where})" if where else "not keep"
    pages = peek(corpus.directory, corpus.layout(), n=number, where=where, kept=only_kept, reason=reason, seed=seed)
    if json:
        show.as_json(pages)
    elif not quiet:
        for page in pages:
            why = f"  left out: {page['reason']}" if page.get("reason") else ""
            show.say_with_link(f"{page['id']}  {page.get('lang') or '-'}  {page['url']}{why}", page["url"])
            show.say("    " + (page["text"] or "(no text)").replace("\n", "\n    ") + "\n")
        if not pages:
            show.say("no such page")
