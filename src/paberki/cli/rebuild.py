"""paberki rebuild."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from paberki.cli import show
from paberki.cli.options import Json, Quiet

MOST_SHOWN = 20


def run(
    listing: Annotated[Path, typer.Argument(metavar="LIST", help="List made with: paberki export DIR recipe-list.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Directory of the new corpus.")],
    warc: Annotated[
        list[Path], typer.Option("--warc", metavar="FILE", help="Archive with the pages; repeat for several.")
    ],
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", min=1, help="Processes; default: all cores.")] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Restore a corpus from a list of its pages and the archives that hold them; exit 1 if pages are gone.

    \b
    Examples:
      paberki export hr recipe-list -o hr.list.jsonl
      paberki rebuild hr.list.jsonl --warc crawl-00001.warc.gz --warc crawl-00002.warc.gz -o hr-again
    """
    from paberki.release.rebuild import rebuild

    with show.watching(quiet=quiet or json) as listen:
        result = rebuild(listing, warc, out, jobs=jobs, listen=listen)
    if json:
        facts = {"directory": str(result.root), "pages": result.pages, "restored": result.restored}
        show.as_json({**facts, "gone": result.gone, "different": result.different})
    else:
        show.say(f"{out}: {show.count(result.restored)} of {show.several(result.pages, 'page')} restored", quiet=quiet)
        for word, pages in (("gone", result.gone), ("different", result.different)):
            for page in pages[:MOST_SHOWN]:
                show.say(f"{word}: {page['url'] or page['key']} ({page['date']})")
            if len(pages) > MOST_SHOWN:
                show.say(f"… and {show.count(len(pages) - MOST_SHOWN)} more {word}")
    if result.gone or result.different:
        raise typer.Exit(1)
