"""paberki import."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from paberki.cli import show
from paberki.cli.options import Dir, Json, Quiet
from paberki.errors import PaberkiError

MOST_SHOWN = 5
"""Most skipped rows that are listed; the rest is counted."""


def run(
    directory: Dir,
    sources: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Files or directories to import.")],
    copy: Annotated[bool, typer.Option("--copy", help="Copy archive files instead of linking them.")] = False,
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="Address that loose files are below; default file:///.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Add pages to a corpus: WARC, ARC, WET, HTML or text files, directories of them, CSV or JSONL with URL and HTML.

    Vertical, CoNLL-U, TEI, Web Standard Format and Parquet files are taken with their tokens, annotation, attributes and ids.
    Archive files are linked, everything else is wrapped as WARC. The next build numbers the pages.

    \b
    Examples:
      paberki import hr CC-MAIN-*.warc.gz
      paberki import hr saved-pages/ --base-url https://example.hr/
      paberki import hr pages.jsonl            (fields url, html; date if known)
      paberki import hr other-corpus.vert.gz   (also .conllu .tei.xml .wsf.xml .parquet)
    """
    from paberki.archive.adding.importing import Imported, add
    from paberki.archive.adding.wrap import sources_in
    from paberki.store.directory import Directory

    corpus = Directory.open(directory)
    results: list[Imported] = []
    errors: list[str] = []
    for source in (one for path in sources for one in sources_in(path)):
        try:
            results.append(add(corpus, source, copy=copy, base_url=base_url))
        except PaberkiError as error:
            errors.append(str(error))
            show.err.print(f"paberki: {error}", markup=False)
            continue
        if not json and not quiet:
            _tell(results[-1])
    if json:
        show.as_json({"imported": [dataclasses.asdict(one) for one in results], "failed": errors})
    elif results:
        show.say(f"next: paberki build {directory}", quiet=quiet)
    if errors:
        raise typer.Exit(2)


def _tell(one: object) -> None:
    from paberki.archive.adding.importing import Imported

    assert isinstance(one, Imported)
    if one.known:
        show.say(f"{one.source}: imported before, as {one.name}")
        return
    records = f", {show.several(one.records, 'page')}" if one.records is not None else ""
    show.say(f"{one.source}: {show.size(one.bytes)}{records}, as {one.name}")
    for line in one.skipped[:MOST_SHOWN]:
        show.say(f"  skipped {line}")
    if len(one.skipped) > MOST_SHOWN:
        show.say(f"  … and {len(one.skipped) - MOST_SHOWN} more")
