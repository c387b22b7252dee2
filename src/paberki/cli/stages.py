"""paberki stages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from paberki.cli import show
from paberki.cli.options import Json, Quiet


def run(
    directory: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="Corpus, to see only the stages of its recipe.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List every stage: what it is for, what it needs and what it adds.

    Stages of other packages are listed too. A recipe takes one in with add = ["NAME"].

    \b
    Examples:
      paberki stages
      paberki stages hr
      paberki settings extract.learned.v1
    """
    from paberki.stage import Stage, stages

    if directory is None:
        stage_list: list[Stage] = list(stages().values())
    else:
        from paberki.corpus import Corpus

        stage_list = [step.stage for step in Corpus(directory).plan().steps]
    rows = [_row(stage) for stage in stage_list]
    if json:
        show.as_json(rows)
    elif not quiet:
        for row in rows:
            show.say(f"{row['name']}  ({row['kind']}, layer {row['layer']})")
            show.say(f"    {row['purpose']}")
            show.say(f"    needs: {', '.join(row['needs']) or 'what its settings name'}")
            models = f"; models: {', '.join(row['models'])}" if row["models"] else ""
            show.say(f"    adds: {', '.join(row['adds']) or 'a model'}{models}\n")


def _row(stage: Any) -> dict[str, Any]:
    return {
        "name": stage.name,
        "kind": stage.kind,
        "layer": stage.layer,
        "purpose": " ".join(stage.doc.split("\n\n")[0].split()),
        "needs": [] if callable(stage.needs) else list(stage.needs),
        "models": list(stage.models),
        "adds": [column.name for column in stage.adds],
    }
