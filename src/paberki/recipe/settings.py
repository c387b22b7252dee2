"""TOML tables into frozen config dataclasses, with errors that name the line and the nearest right spelling."""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from paberki.corpus_file import CorpusFile
from paberki.errors import ConfigError
from paberki.languages import Language, language
from paberki.nearest import nearest

T = TypeVar("T")
Place = Callable[[str], str]
"""Gives "file, line n" for a key."""


def line_of(text: str, table: str, key: str) -> int | None:
    """Line of ``key`` in ``[table]`` (or of the table's header when key is empty); tables are matched by their first
    name, which is how far our recipes nest."""
    current = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[\[?\s*([^\]]+?)\s*\]", line):
            current = header[1]
            if current.split(".")[0] == table and (not key or current.split(".")[-1] == key):
                return number
        elif re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line) and current.split(".")[0] == table:
            return number
    return None


def build(config: type[T], table: Mapping[str, Any], place: Place, folder: Path | None = None) -> T:
    """An instance of a config dataclass from a TOML table; unknown names and wrong types are errors.

    Files that it names are those of ``folder``.
    """
    hints = typing.get_type_hints(config)
    fields = {field.name for field in dataclasses.fields(config)}  # type: ignore[arg-type]
    values = {}
    if not isinstance(table, Mapping):
        raise ConfigError(f"{place('')}: {table!r} should be a table of settings")
    for key, value in table.items():
        if key not in fields:
            choices = ", ".join(sorted(fields)) or "none"
            raise ConfigError(f"{place(key)}: unknown setting {key!r}{nearest(key, fields)}; known: {choices}")
        values[key] = _convert(value, hints[key], key, place, folder)
    try:
        return config(**values)
    except TypeError as error:
        raise ConfigError(f"{place('')}: {error}") from error
    except ValueError as error:
        raise ConfigError(f"{place('')}: {error}") from error


def _convert(value: Any, hint: Any, key: str, place: Place, folder: Path | None) -> Any:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        if value is None and type(None) in arguments:
            return None
        return _convert(value, next(one for one in arguments if one is not type(None)), key, place, folder)
    if origin is typing.Literal:
        if value not in arguments:
            choices = ", ".join(repr(one) for one in arguments)
            raise ConfigError(
                f"{place(key)}: {key} = {value!r} is not one of {choices}{nearest(str(value), map(str, arguments))}"
            )
        return value
    if origin is tuple:
        items = value if isinstance(value, list | tuple) else [value]
        return tuple(_convert(item, arguments[0], key, place, folder) for item in items)
    if dataclasses.is_dataclass(hint) and isinstance(value, Mapping):
        return build(typing.cast("type[Any]", hint), value, place, folder)
    if hint is Language and isinstance(value, str):
        try:
            return Language(language(value))
        except ConfigError as error:
            raise ConfigError(f"{place(key)}: {error}") from error
    if isinstance(hint, type) and issubclass(hint, CorpusFile) and isinstance(value, str):
        return hint.beside(value, folder)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, hint) or (isinstance(value, bool) and hint is not bool):
        type_name = getattr(hint, "__name__", str(hint))
        raise ConfigError(f"{place(key)}: {key} = {value!r} should be of type {type_name}")
    return value


def plain(config: Any) -> Any:
    """A config as JSON-able values, for keys and run files."""
    if dataclasses.is_dataclass(config) and not isinstance(config, type):
        return {field.name: plain(getattr(config, field.name)) for field in dataclasses.fields(config)}
    if isinstance(config, tuple | list):
        return [plain(one) for one in config]
    return config
