"""The program without its verbs: name, help, ``--version``."""

from __future__ import annotations

from types import ModuleType
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

__all__ = ["Verb", "VerbGroup", "add_verb", "new_app"]


class _OwnHelp:
    """Help by :mod:`paberki.cli.help_page`."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the page of this verb."""
        from paberki.cli.help_page import page

        formatter.write(page(self, ctx.command_path))


class Verb(_OwnHelp, TyperCommand):
    """A verb."""


class VerbGroup(_OwnHelp, TyperGroup):
    """A verb with verbs of its own."""


def _version(is_asked: bool) -> None:
    if is_asked:
        from paberki import __version__

        typer.echo(f"paberki {__version__}")
        raise typer.Exit


def new_app() -> typer.Typer:
    """A command line that verbs can be added to."""
    app = typer.Typer(
        name="paberki",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @app.callback()
    def _all(
        version: Annotated[
            bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
        ] = False,
    ) -> None:
        """From a national web to a clean, annotated, searchable, documented text corpus."""

    return app


def add_verb(app: typer.Typer, verb: str, module: ModuleType) -> None:
    """Add the verb that a module holds: its function ``run``, or its ``app`` with verbs of its own."""
    inner = getattr(module, "app", None)
    if inner is None:
        app.command(name=verb, cls=getattr(module, "COMMAND", Verb))(module.run)
        return
    for command in inner.registered_commands:
        command.cls = Verb
    app.add_typer(inner, name=verb, cls=VerbGroup)
