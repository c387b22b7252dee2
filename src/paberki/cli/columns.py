"""paberki columns."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from paberki.cli import show
from paberki.cli.options import Json, Quiet


def run(
    directory: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="Corpus, to see the columns of its own stages.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List every column: its layer, type and meaning.

    \b
    Examples:
      paberki columns
      paberki columns hr --json
    """
    from paberki.store.columns import BUILTIN

    if directory is None:
        columns = list(BUILTIN)
    else:
        from paberki.corpus import Corpus

        columns = list(Corpus(directory).layout().columns.values())
    if json:
        show.as_json(
            [
                {"layer": one.layer, "name": one.name, "type": str(one.type), "meaning": one.meaning,
                 "unit": one.unit, "source": one.source}
                for one in columns
            ]
        )  # fmt: skip
    elif not quiet:
        rows = [(one.layer, one.name, _kind(str(one.type)), one.meaning, one.source) for one in columns]
        show.table(("layer", "column", "type", "meaning", "source"), rows)


def _kind(text: str) -> str:
    return text.split("<")[0]
