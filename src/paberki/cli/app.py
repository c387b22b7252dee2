"""All verbs together."""

from __future__ import annotations

from importlib import import_module

import typer

from paberki.cli.typer_app import add_verb, new_app
from paberki.cli.verbs import module_of, names

__all__ = ["app_of"]


def app_of(*verbs: str) -> typer.Typer:
    """The command line with these verbs; the modules of no others are imported."""
    app = new_app()
    for verb in verbs:
        add_verb(app, verb, import_module(module_of(verb)))
    return app


def __getattr__(name: str) -> typer.Typer:
    """``app`` has every verb; it is made when somebody asks for it."""
    if name == "app":
        return app_of(*names())
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
