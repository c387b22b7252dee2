"""paberki takedown."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated

import typer

from paberki.cli import show
from paberki.cli.options import Dir, Json, Quiet

if TYPE_CHECKING:
    from paberki.corpus import Corpus
    from paberki.release.takedown import TakeDown

MOST_SHOWN = 20
"""Most pages that are listed; the rest is counted."""


def run(
    directory: Dir,
    what: Annotated[
        str | None,
        typer.Argument(metavar="URL|HOST|ID|KEY", help="Page, all pages of a host, or one page by id or key."),
    ] = None,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it is kept with the tombstone.")] = "",
    copies: Annotated[bool, typer.Option("--copies", help="Take down pages with the same text too.")] = False,
    erase: Annotated[
        bool, typer.Option("--erase", help="Also overwrite the record in its archive; this cannot be undone.")
    ] = False,
    undo: Annotated[str | None, typer.Option("--undo", metavar="WHAT", help="Bring back what was taken down.")] = None,
    list_all: Annotated[bool, typer.Option("--list", help="List what was taken down.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Take pages down: gone at once for every reader, also while a build runs or a service answers.

    \b
    Examples:
      paberki takedown hr https://example.hr/page --reason "request of the author"
      paberki takedown hr example.hr --reason "request of the owner" --erase
      paberki takedown hr --list
      paberki takedown hr --undo https://example.hr/page
    """
    from paberki.corpus import Corpus
    from paberki.errors import ConfigError

    if (what is not None) + (undo is not None) + list_all != 1:
        raise ConfigError("give one of: a page or host to take down, --undo WHAT, --list")
    corpus = Corpus(directory)
    if list_all:
        _list(corpus, json=json, quiet=quiet)
    elif undo is not None:
        _undo(corpus, undo, json=json, quiet=quiet)
    else:
        assert what is not None

        def wait(text: str) -> None:
            if not quiet:
                show.err.print(text, markup=False)

        result = corpus.takedown(what, reason=reason, copies=copies, erase=erase, wait=wait)
        if json:
            show.as_json(result.as_json())
        elif not quiet:
            _tell(result, copies=copies)


def _tell(result: TakeDown, *, copies: bool) -> None:
    for page in result.pages[:MOST_SHOWN]:
        show.say(f"taken down: {page.id} {page.url or page.key}")
    if len(result.pages) > MOST_SHOWN:
        show.say(f"… and {show.count(len(result.pages) - MOST_SHOWN)} more")
    fate = "taken down too" if copies else "still there; to take it down too, add --copies"
    for page in result.copies[:MOST_SHOWN]:
        others = fate if copies or page.keep else "not in the corpus, and never takes its place"
        show.say(f"copy: {page.id} {page.url or page.key} ({others})")
    if len(result.copies) > MOST_SHOWN:
        show.say(f"… and {show.count(len(result.copies) - MOST_SHOWN)} more copies")
    show.say(f"never fetched again: {result.blocked}")
    for path in result.removed:
        show.say(f"removed, since it showed the page: {path}")
    if result.erased:
        show.say("erased: the record in the archive was overwritten")
    for note in result.notes:
        show.say(f"note: {note}")


def _list(corpus: Corpus, *, json: bool, quiet: bool) -> None:
    stones = corpus.takedowns()
    if json:
        show.as_json({"takedowns": [dataclasses.asdict(stone) for stone in stones]})
    elif not quiet:
        rows = [
            (one.time, one.id, one.url or f"all of {one.host}" if not one.key else one.url or one.key, one.reason,
             "erased" if one.erased else "")
            for one in stones
        ]  # fmt: skip
        show.table(("time", "id", "what", "reason", ""), rows)


def _undo(corpus: Corpus, what: str, *, json: bool, quiet: bool) -> None:
    stones, whole = corpus.undo_takedown(what)
    if json:
        show.as_json({"restored": [dataclasses.asdict(stone) for stone in stones], "build_needed": not whole})
        return
    for stone in stones:
        show.say(f"brought back: {stone.url or stone.key or stone.host}", quiet=quiet)
    if not whole:
        show.say(f"some layers were built without it; type: paberki build {corpus.root}", quiet=quiet)
