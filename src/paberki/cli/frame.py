"""The program without its verbs: name, help, ``--version``."""

from __future__ import annotations

from typing import Annotated

import typer


def _version(is_asked: bool) -> None:
    if is_asked:
        from paberki import __version__

        typer.echo(f"paberki {__version__}")
        raise typer.Exit


def new_app() -> typer.Typer:
    """A command line that verbs can be added to."""
    app = typer.Typer(
        name="paberki",
        help="From a national web to a clean, annotated, searchable, documented text corpus.",
        epilog="Start with: paberki demo",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
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
