"""The recipe of a corpus: ``corpus.toml`` on top of a preset, checked before anything runs.

A recipe names a preset and says what is different: languages, scope of the crawl, settings of stages, rules of
selection. Rules with the same reason replace those of the preset, others are added after them. Presets are recipes
that come with the package; each carries the parameters of a paper.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paberki.crawl.config import CrawlConfig
from paberki.errors import ConfigError, PaberkiError
from paberki.nearest import nearest
from paberki.recipe_tables import TOP, languages_of, merged, place_in, preset_of, presets, text_of, toml_of
from paberki.settings import build
from paberki.stage import Stage, find
from paberki.store.columns import BLOCK_AND_VIEW, builtin
from paberki.store.condition import parse as parse_condition
from paberki.store.select import COUNTED

__all__ = ["DEDUP", "OFF", "SHARED", "BuildConfig", "Recipe", "load", "parse", "presets"]

OFF = ("off", False)
"""What ``dedup`` may be in place of a table: then no stage looks for duplicates, and select keeps them all."""
SHARED = ("against", "fold")
"""Settings under [dedup] for all stages that look for duplicates."""
DEDUP = "dedup."
"""How the names of stages that look for duplicates begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildConfig:
    """What one record may cost, and how many may fail."""

    max_errors: float | None = None
    """Share of records that may fail before a build stops; default 0.01 with some grace for small corpora."""
    record_cpu_seconds: float = 10.0
    """CPU time one page may take before it is given up."""
    record_memory_mb: int = 1024
    """Memory one page may take before it is given up."""
    record_idle_seconds: float = 30.0
    """Time one page may block without using any CPU before it is given up."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """A checked recipe."""

    name: str
    preset: str
    lang: tuple[str, ...]
    stages: tuple[tuple[Stage, Any], ...]
    crawl: CrawlConfig
    build: BuildConfig


def load(path: Path) -> Recipe:
    """Read and check the recipe of a corpus."""
    text = text_of(path)
    return parse(text, str(path), default_name=path.resolve().parent.name)


def parse(text: str, where: str, *, default_name: str = "") -> Recipe:
    """Check the text of a recipe; errors say where it came from."""
    own = toml_of(text, where)
    name, preset = preset_of(own, where, text)
    table = merged(_fitting(toml_of(preset, f"preset {name}"), own, where, text), own)
    if table.get("dedup") in OFF:
        table = _without_duplicates(table)
    stages = _stages(table, where, text)
    layers = [stage.layer for stage, _ in stages]
    for key in own:
        if key not in TOP and key not in layers and not (key == "dedup" and own[key] in OFF):
            choices = (*TOP, *layers)
            what = place_in(where, text, key)("") if isinstance(own[key], dict) else place_in(where, text, "")(key)
            raise ConfigError(f"{what}: unknown name {key!r}{nearest(key, choices)}; known: {', '.join(choices)}")
    return Recipe(
        name=str(table.get("name", default_name)),
        preset=name,
        lang=languages_of(table),
        stages=stages,
        crawl=build(CrawlConfig, table.get("crawl", {}), place_in(where, text, "crawl")),
        build=build(BuildConfig, table.get("build", {}), place_in(where, text, "build")),
    )


def _fitting(preset: dict[str, Any], own: Mapping[str, Any], where: str, text: str) -> dict[str, Any]:
    """The preset for a recipe with stages of its own: without rules that ask for columns which none of these adds."""
    if "stages" not in own or not isinstance(preset.get("select"), dict):
        return preset
    stages = [stage for stage, _ in _stages({"stages": own["stages"]}, where, text)]
    columns = {column.name for column in builtin("archive")} | {
        column.name for stage in stages for column in stage.adds
    }
    columns |= set(COUNTED)
    select = dict(preset["select"])
    if select.get("copies", "dup_exact") not in columns:
        select["copies"] = "dup_exact" if "dup_exact" in columns else ""
    columns |= {f"block.{field.name}" for field in BLOCK_AND_VIEW}
    for rules in ("pages", "blocks"):
        select[rules] = [rule for rule in select.get(rules, ()) if _mentioned(rule) <= columns]
    return {**preset, "select": select}


def _stages(table: Mapping[str, Any], where: str, text: str) -> tuple[tuple[Stage, Any], ...]:
    place = place_in(where, text, "")
    found: list[tuple[Stage, Any]] = []
    for name in table.get("stages", ()):
        try:
            stage = find(str(name))
        except PaberkiError as error:
            raise ConfigError(f"{place('stages')}: {error}") from error
        settings = table.get(stage.layer, {})
        if not isinstance(settings, dict):
            raise ConfigError(f"{place(stage.layer)}: [{stage.layer}] should be a table")
        fields = getattr(stage.config, "__dataclass_fields__", {})
        if "lang" in fields:
            settings = {"lang": list(languages_of(table)), **settings}
        if stage.name.startswith(DEDUP):
            settings = _shared(table, settings, fields)
        found.append((stage, build(stage.config, settings, place_in(where, text, stage.layer))))
    asked = table.get("dedup", {})
    if isinstance(asked, dict) and asked.get("against") and not any(hasattr(own, "against") for _, own in found):
        raise ConfigError(f"{place('dedup')}: no stage compares with other corpora; put dedup.near.v1 into the stages")
    return tuple(found)


def _shared(table: Mapping[str, Any], settings: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of a stage that looks for duplicates, with what [dedup] says for all of them."""
    common = table.get("dedup", {})
    signed = {"fold": table["signatures"]["fold"]} if "fold" in table.get("signatures", {}) else {}
    given = {name: value for name, value in {**signed, **common}.items() if name in SHARED and name in fields}
    own = {name: value for name, value in settings.items() if name in fields or name not in SHARED}
    return {**given, **own}


def _without_duplicates(table: Mapping[str, Any]) -> dict[str, Any]:
    """A recipe without the stages that look for duplicates, and without rules that ask for what these add."""
    gone = [name for name in table.get("stages", ()) if str(name).startswith(DEDUP)]
    columns = {column.name for name in gone for column in find(str(name)).adds}
    select = {**table.get("select", {}), "copies": ""}
    for rules in ("pages", "blocks"):
        if isinstance(select.get(rules), list):
            select[rules] = [rule for rule in select[rules] if not columns & _mentioned(rule)]
    layers = {find(str(name)).layer for name in gone}
    kept = {key: value for key, value in table.items() if key not in layers}
    return {**kept, "stages": [name for name in table.get("stages", ()) if name not in gone], "select": select}


def _mentioned(rule: Any) -> set[str]:
    drop = rule.get("drop", "") if isinstance(rule, dict) else ""
    return set(parse_condition(drop).names) if str(drop).strip() else set()
