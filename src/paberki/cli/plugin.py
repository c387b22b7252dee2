"""paberki plugin."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from paberki.cli import show
from paberki.cli.options import Json, Quiet

if TYPE_CHECKING:
    from paberki.stage import Stage

app = typer.Typer(help="Write stages of your own, as a package.", no_args_is_help=True)


@app.callback()
def _all() -> None:
    """Write stages of your own, as a package."""


@app.command("new")
def new(
    word: Annotated[str, typer.Argument(metavar="NAME", help="Name of the plugin, e.g. shout.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FOLDER", help="Where; default: ./NAME.")] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write a package with a stage, a test and an entry point.

    \b
    Examples:
      paberki plugin new shout
      paberki plugin new shout --out plugins/shout
    """
    from paberki.plugin.template import new_plugin

    folder = out or Path(word)
    files = new_plugin(word, folder)
    if json:
        show.as_json({"folder": str(folder), "files": [str(path) for path in files]})
        return
    for path in files:
        show.say(str(path), quiet=quiet)
    show.say(f'next: pip install -e {folder}, then add = ["{word}.share.v1"] in a recipe', quiet=quiet)


@app.command("list")
def list_(json: Json = False, quiet: Quiet = False) -> None:
    """List the stages of other packages, and packages whose stages do not load.

    \b
    Examples:
      paberki plugin list
    """
    from paberki.stage import broken_plugins, stages

    own = [stage for stage in stages().values() if not _module(stage).startswith("paberki.")]
    failures = broken_plugins()
    if json:
        show.as_json({"stages": [stage.name for stage in own], "broken": failures})
        return
    for stage in own:
        show.say(f"{stage.name}  {stage.doc.partition(chr(10))[0]}", quiet=quiet)
    for module, why in failures.items():
        show.say(f"{module} does not load: {why}", quiet=quiet)
    if not own and not failures:
        show.say("no stage of another package is installed; make one with: paberki plugin new shout", quiet=quiet)


def _module(stage: Stage) -> str:
    """The module that defines a stage."""
    functions = {"map": "run", "fit": "observe", "join": "emit"}
    return str(getattr(stage.parts, functions[stage.kind]).__module__)
