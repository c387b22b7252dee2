"""The recipe of a corpus: ``corpus.toml`` on top of a preset, checked before anything runs.

A recipe names a preset and says what is different: languages, scope of the crawl, settings of stages, rules of
selection. Rules with the same reason replace those of the preset, others are added after them. Presets are recipes
that come with the package; each carries the parameters of a paper.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paberki.corpus_file import files_of
from paberki.crawl.crawl_config import CrawlConfig
from paberki.errors import ConfigError
from paberki.nearest import nearest
from paberki.recipe.settings import build
from paberki.recipe.stage_list import stage_names, stage_of
from paberki.recipe.tables import TOP, languages_in, merge, place_in, preset_of, presets, text_of, toml_of
from paberki.stage import Stage, find
from paberki.store.columns import BLOCK, builtin
from paberki.store.selection.condition import parse as parse_condition
from paberki.store.selection.select import COUNTED

__all__ = ["DEDUP", "OFF", "SHARED", "BuildConfig", "Recipe", "load", "parse", "presets"]

OFF = ("off", False)
"""Values that ``dedup`` may have instead of a table; then no stage looks for duplicates, and select keeps them all."""
SHARED = ("against", "fold")
"""Settings under [dedup] for all stages that look for duplicates."""
SURVIVAL = "select"
"""Setting of stages that look at surviving pages only: the rules of [select] whose columns exist before the stage."""
SELECT, COPIES = "select", "copies.v1"
EXACT = "dup_exact"
DEDUP = "dedup."
"""How the names of stages that look for duplicates begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildConfig:
    """What one record may cost, how many may fail, and what follows the stages."""

    max_errors: float | None = None
    """Share of records that may fail before a build stops; default 0.01 with some grace for small corpora."""
    record_cpu_seconds: float = 10.0
    """CPU time one page may take before it is given up."""
    record_memory_mb: int = 1024
    """Memory one page may take before it is given up."""
    record_idle_seconds: float = 30.0
    """Time one page may block without using any CPU before it is given up."""
    index: bool = True
    """Bring the index for queries up to date at the end of a build, where the corpus is annotated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FcsConfig:
    """How the corpus introduces itself to CLARIN's federated content search."""

    pid: str = ""
    """Persistent identifier; the name of the corpus if it has none."""
    title: str = ""
    """English title; the name of the corpus if it has none."""
    description: str = ""
    """A sentence in English."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """A checked recipe."""

    name: str
    preset: str
    lang: tuple[str, ...]
    stages: tuple[tuple[Stage, Any], ...]
    crawl: CrawlConfig
    build: BuildConfig
    fcs: FcsConfig


def load(path: Path) -> Recipe:
    """Read and check the recipe of a corpus."""
    text = text_of(path)
    folder = path.resolve().parent
    return parse(text, str(path), default_name=folder.name, folder=folder)


def parse(text: str, where: str, *, default_name: str = "", folder: Path | None = None) -> Recipe:
    """Check the text of a recipe; errors say where it came from. Files that it names are those of ``folder``."""
    own = toml_of(text, where)
    name, preset = preset_of(own, where, text)
    base = toml_of(preset, f"preset {name}")
    names = stage_names(merge(base, own), place_in(where, text, ""))
    if names != list(base.get("stages", ())):
        base = _fitting(base, [stage_of(one, place_in(where, text, "")) for one in names])
    table = {**merge(base, own), "stages": names}
    table["stages"] = _in_time_for_rules(table, place_in(where, text, ""))
    if table.get("dedup") in OFF:
        table = _without_duplicates(table)
    crawl = build(CrawlConfig, table.get("crawl", {}), place_in(where, text, "crawl"))
    stages = _stages(table, where, text, folder, crawl.scope)
    layers = [stage.layer for stage, _ in stages]
    for key in own:
        if key not in TOP and key not in layers and not (key == "dedup" and own[key] in OFF):
            choices = (*TOP, *layers)
            what = place_in(where, text, key)("") if isinstance(own[key], dict) else place_in(where, text, "")(key)
            raise ConfigError(f"{what}: unknown name {key!r}{nearest(key, choices)}; known: {', '.join(choices)}")
    return Recipe(
        name=str(table.get("name", default_name)),
        preset=name,
        lang=languages_in(table, where, text),
        stages=stages,
        crawl=crawl,
        build=build(BuildConfig, table.get("build", {}), place_in(where, text, "build")),
        fcs=build(FcsConfig, table.get("fcs", {}), place_in(where, text, "fcs")),
    )


def check_files(recipe: Recipe, where: str) -> dict[str, tuple[str, ...]]:
    """The programs that each stage starts. A missing file, or settings that cannot work here, are an error."""
    programs = {}
    for stage, config in recipe.stages:
        for setting, file in files_of(config):
            if problem := file.missing():
                raise ConfigError(f"{where}: [{stage.layer}] {setting} = {str(file)!r}: {problem}")
        outside = stage.outside_for(config)
        if outside.problem:
            raise ConfigError(f"{where}: [{stage.layer}] {outside.problem}")
        programs[stage.name] = outside.programs
    return programs


def _fitting(preset: dict[str, Any], stages: Sequence[Stage]) -> dict[str, Any]:
    """The preset for a recipe with other stages: without settings that these do not have, and without the rules that need
    columns which no stage adds."""
    preset = {**preset, **{stage.layer: _fitting_settings(preset, stage) for stage in stages if stage.layer in preset}}
    if not isinstance(preset.get("select"), dict):
        return preset
    columns = _column_names(stages) | set(COUNTED)
    select = dict(preset["select"])
    if select.get("copies", "dup_exact") not in columns:
        select["copies"] = "dup_exact" if "dup_exact" in columns else ""
    columns |= {f"block.{field.name}" for field in BLOCK}
    for rules in ("pages", "blocks"):
        fitting = (_fitting_rule(rule, columns) for rule in select.get(rules, ()))
        select[rules] = [rule for rule in fitting if rule is not None]
    return {**preset, "select": select}


def _fitting_settings(preset: dict[str, Any], stage: Stage) -> Any:
    """What the preset sets for a layer, as far as the stage that writes it has such settings."""
    settings = preset[stage.layer]
    fields = getattr(stage.config, "__dataclass_fields__", {})
    return {key: value for key, value in settings.items() if key in fields} if isinstance(settings, dict) else settings


def _fitting_rule(rule: dict[str, Any], columns: set[str]) -> dict[str, Any] | None:
    """The rule if its columns exist, else its ``or_else``, else None."""
    choices = (rule, {**rule, "drop": rule["or_else"]} if rule.get("or_else") else None)
    return next((one for one in choices if one is not None and _columns_of_rule(one) <= columns), None)


def _stages(
    table: Mapping[str, Any], where: str, text: str, folder: Path | None = None, scope: tuple[str, ...] = ()
) -> tuple[tuple[Stage, Any], ...]:
    place = place_in(where, text, "")
    langs = list(languages_in(table, where, text))
    uses: list[tuple[Stage, Any]] = []
    for name in table.get("stages", ()):
        stage = stage_of(str(name), place)
        settings = table.get(stage.layer, {})
        if not isinstance(settings, dict):
            raise ConfigError(f"{place(stage.layer)}: [{stage.layer}] should be a table")
        fields = getattr(stage.config, "__dataclass_fields__", {})
        if "corpus_lang" in fields:
            settings = {"corpus_lang": langs, **settings}
        elif "lang" in fields:
            settings = {"lang": langs, **settings}
        if "scope" in fields:
            settings = {"scope": list(scope), **settings}
        if SURVIVAL in fields and not any(one.layer == SELECT for one, _ in uses):
            rules = _rules_so_far(table, [one for one, _ in uses])
            settings = {SURVIVAL: {**rules, "lang": langs, "scope": list(scope)}, **settings}
        if stage.name.startswith(DEDUP):
            settings = _with_shared_settings(table, settings, fields, stage.layer)
        uses.append((stage, build(stage.config, settings, place_in(where, text, stage.layer), folder)))
    dedup = table.get("dedup", {})
    if isinstance(dedup, dict) and dedup.get("against") and not any(hasattr(own, "against") for _, own in uses):
        raise ConfigError(f"{place('dedup')}: no stage compares with other corpora; put dedup.near.v1 into the stages")
    if isinstance(dedup, dict) and "fold" in dedup and not any(hasattr(own, "fold") for _, own in uses):
        raise ConfigError(
            f"{place('dedup')}: fold: no stage compares words; put dedup.signatures.v1 and dedup.near.v1, "
            "dedup.documents.v1 or dedup.paragraphs.v1 into the stages"
        )
    return tuple(uses)


def _in_time_for_rules(table: Mapping[str, Any], place: Callable[[str], str]) -> list[str]:
    """The names of the stages in order. A stage after select moves before it if rules use the columns that it adds.

    It then looks at the pages that survive all other rules, so ``copies.v1`` is put before it to choose among copies.
    """
    names = [str(name) for name in table["stages"]]
    stages = [stage_of(name, place) for name in names]
    last = next((at for at, stage in enumerate(stages) if stage.layer == SELECT), len(stages))
    select = table.get("select", {})
    rules = [rule for kind in ("pages", "blocks") for rule in select.get(kind, ())] if isinstance(select, dict) else []
    rule_columns: set[str] = set().union(*(_columns_of_rule(rule) for rule in rules)) if rules else set()
    early_stages = [
        stage.name
        for stage in stages[last + 1 :]
        if SURVIVAL in getattr(stage.config, "__dataclass_fields__", {})
        and rule_columns & {one.name for one in stage.adds}
    ]
    if not early_stages:
        return names
    copies = [] if COPIES in names[:last] else [COPIES]
    return [*names[:last], *copies, *early_stages, *(name for name in names[last:] if name not in early_stages)]


def _rules_so_far(table: Mapping[str, Any], stages: Sequence[Stage]) -> dict[str, Any]:
    """The rules of [select] that use only columns of these stages: what is known about survivors at this point."""
    select = table.get("select", {})
    columns = _column_names(stages)
    blocks = columns | {f"block.{field.name}" for field in BLOCK}
    rules = {
        "pages": [rule for rule in select.get("pages", ()) if _columns_of_rule(rule) <= columns | set(COUNTED)],
        "blocks": [rule for rule in select.get("blocks", ()) if _columns_of_rule(rule) <= blocks],
    }
    copies_setting = select.get("copies", EXACT)
    copies = next((name for name in (copies_setting, EXACT) if copies_setting and name in columns), "")
    return {**rules, "copies": copies}


def _column_names(stages: Sequence[Stage]) -> set[str]:
    return {column.name for column in builtin("archive")} | {column.name for one in stages for column in one.adds}


def _with_shared_settings(
    table: Mapping[str, Any], settings: Mapping[str, Any], fields: Mapping[str, Any], layer: str
) -> dict[str, Any]:
    """Settings of a stage that looks for duplicates, with those of [dedup] that hold for all of them."""
    common = table.get("dedup", {})
    fold_setting = {"fold": table["signatures"]["fold"]} if "fold" in table.get("signatures", {}) else {}
    shared_settings = {
        name: value for name, value in {**fold_setting, **common}.items() if name in SHARED and name in fields
    }
    own = {name: value for name, value in settings.items() if name in fields or name not in SHARED or layer != "dedup"}
    return {**shared_settings, **own}


def _without_duplicates(table: Mapping[str, Any]) -> dict[str, Any]:
    """A recipe without the stages that look for duplicates, and without the rules that use their columns."""
    dedup_stages = [name for name in table.get("stages", ()) if str(name).startswith(DEDUP)]
    columns = {column.name for name in dedup_stages for column in find(str(name)).adds}
    select = {**table.get("select", {}), "copies": ""}
    for rules in ("pages", "blocks"):
        if isinstance(select.get(rules), list):
            select[rules] = [rule for rule in select[rules] if not columns & _columns_of_rule(rule)]
    layers = {find(str(name)).layer for name in dedup_stages}
    other_tables = {key: value for key, value in table.items() if key not in layers}
    return {
        **other_tables,
        "stages": [name for name in table.get("stages", ()) if name not in dedup_stages],
        "select": select,
    }


def _columns_of_rule(rule: Any) -> set[str]:
    drop = rule.get("drop", "") if isinstance(rule, dict) else ""
    return set(parse_condition(drop).names) if str(drop).strip() else set()
