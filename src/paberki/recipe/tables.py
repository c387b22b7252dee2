"""Recipes as tables: read, and put on top of their preset.

This module does not import the stages, which need much memory: a crawl reads only its languages and its own settings. The
whole recipe is checked in :mod:`paberki.recipe.corpus_recipe`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paberki.errors import ConfigError
from paberki.languages import languages
from paberki.nearest import nearest
from paberki.recipe.settings import Place, build, line_of

if TYPE_CHECKING:
    from paberki.crawl.crawl_config import CrawlConfig

TOP = ("preset", "name", "lang", "stages", "add", "remove", "crawl", "build", "fcs")
DEFAULT_PRESET = "modern"


def presets() -> dict[str, str]:
    """Text of every preset by name."""
    texts = {}
    for entry in files("paberki.presets").iterdir():
        if entry.name.endswith(".toml"):
            texts[entry.name.removesuffix(".toml")] = entry.read_text("utf-8")
    return dict(sorted(texts.items()))


def text_of(path: Path) -> str:
    """The text of a recipe."""
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read ({error})") from error


def crawl_settings(path: Path) -> tuple[tuple[str, ...], CrawlConfig] | None:
    """Languages and settings of a crawl; None for a recipe with other tables, which must be checked as a whole."""
    from paberki.crawl.crawl_config import CrawlConfig

    text, where = text_of(path), str(path)
    own = toml_of(text, where)
    if not set(own) <= set(TOP):
        return None
    table = merge(toml_of(preset_of(own, where, text)[1], where), own)
    return languages_in(table, where, text), build(CrawlConfig, table.get("crawl", {}), place_in(where, text, "crawl"))


def preset_and_languages(path: Path) -> tuple[str, tuple[str, ...]]:
    """Name of the preset, and languages, of a recipe; nothing else in it is checked."""
    text, where = text_of(path), str(path)
    own = toml_of(text, where)
    name, preset = preset_of(own, where, text)
    return name, languages_in(merge(toml_of(preset, where), own), where, text)


def preset_of(own: Mapping[str, Any], where: str, text: str) -> tuple[str, str]:
    """Name and text of the preset that a recipe is on top of."""
    name, texts = own.get("preset", DEFAULT_PRESET), presets()
    if name not in texts:
        place = place_in(where, text, "")
        raise ConfigError(
            f"{place('preset')}: no preset {name!r}{nearest(str(name), texts)}; known: {', '.join(texts)}"
        )
    return name, texts[name]


def toml_of(text: str, where: str) -> dict[str, Any]:
    """The table of a recipe's text."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{where}: {error}") from error


def place_in(where: str, text: str, table: str) -> Place:
    """Where a setting of a table stands."""

    def place(key: str) -> str:
        line = line_of(text, table, key)
        return f"{where}, line {line}" if line else where

    return place


def languages_in(table: Mapping[str, Any], where: str, text: str) -> tuple[str, ...]:
    """The languages of a recipe, as ISO 639-1 codes."""
    lang = table.get("lang", ())
    place = place_in(where, text, "")("lang")
    if not isinstance(lang, str | list | tuple) or not all(isinstance(one, str) for one in lang):
        raise ConfigError(f'{place}: lang = {lang!r} should be a language or a list of languages, e.g. ["hr"]')
    try:
        return languages([lang] if isinstance(lang, str) else lang)
    except ConfigError as error:
        raise ConfigError(f"{place}: {error}") from error


def merge(preset: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """A recipe on top of its preset."""
    both: dict[str, Any] = dict(preset)
    for key, value in own.items():
        before = both.get(key)
        if isinstance(value, dict) and isinstance(before, dict):
            both[key] = merge(before, value)
        elif isinstance(before, list) and _is_rules(value) and _is_rules(before):
            both[key] = _merged_rules(before, value)
        else:
            both[key] = value
    return both


def _is_rules(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) and "reason" in one for one in value)


def _merged_rules(preset: list[Any], own: list[Any]) -> list[Any]:
    own_rules = {rule["reason"]: rule for rule in own}
    preset_rules = [own_rules.pop(rule["reason"], rule) for rule in preset]
    return preset_rules + list(own_rules.values())
