"""paberki settings."""

from __future__ import annotations

import dataclasses
import typing
from typing import Annotated, Any

import typer

from paberki.cli import show
from paberki.cli.options import Json, Quiet


def run(
    stage: Annotated[str, typer.Argument(metavar="STAGE", help="A stage, e.g. extract.learned.v1, or its layer.")],
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List the settings of a stage: type, default and meaning of each.

    They stand in the recipe under the name of the stage's layer.

    \b
    Examples:
      paberki settings extract.learned.v1
      paberki settings select.v1 --json
    """
    chosen_stage = _stage(stage)
    rows = [_row(field, chosen_stage.config) for field in dataclasses.fields(chosen_stage.config)]
    if json:
        show.as_json({"stage": chosen_stage.name, "layer": chosen_stage.layer, "settings": rows})
    elif not quiet:
        show.say(
            f"{chosen_stage.name}\n    {' '.join(chosen_stage.doc.split(chr(10) * 2)[0].split())}\n\n[{chosen_stage.layer}]"
        )
        for row in rows:
            show.say(f"{row['name']} = {row['default']}")
            show.say(f"    {row['meaning']} ({row['type']})")
        if not rows:
            show.say("(no settings)")


def _stage(name: str) -> Any:
    from paberki.errors import ConfigError
    from paberki.stage import find, stages

    by_layer = [stage for stage in stages().values() if stage.layer == name]
    if len(by_layer) > 1:
        names = ", ".join(stage.name for stage in by_layer)
        raise ConfigError(f"several stages write the layer {name!r}; name one of them: {names}")
    return by_layer[0] if by_layer else find(name)


def _row(field: Any, config: type) -> dict[str, Any]:
    from paberki.recipe.settings import plain
    from paberki.stage import field_help

    default = field.default
    if default is dataclasses.MISSING:
        default = field.default_factory() if field.default_factory is not dataclasses.MISSING else None
    return {
        "name": field.name,
        "type": _type(typing.get_type_hints(config)[field.name]),
        "default": plain(default),
        "meaning": " ".join(field_help(config).get(field.name, "").split()),
    }


def _type(hint: Any) -> str:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return "one of " + ", ".join(map(str, arguments))
    if origin is tuple:
        return f"list of {_type(arguments[0])}"
    if arguments:
        return " or ".join(_type(one) for one in arguments if one is not type(None))
    if dataclasses.is_dataclass(hint):
        return "table"
    words = {"str": "text", "int": "whole number", "float": "number", "bool": "true or false", "CorpusFile": "file"}
    return words.get(getattr(hint, "__name__", ""), getattr(hint, "__name__", str(hint)).lower())
