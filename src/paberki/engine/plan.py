"""The plan: stages in order, checked against each other before anything runs, grouped into passes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from paberki.corpus_file import CorpusFile, files_of
from paberki.engine.keys import digest
from paberki.errors import ContractError
from paberki.nearest import nearest
from paberki.recipe.settings import plain
from paberki.stage import Kind, Stage, ephemerals, stages
from paberki.store.batch import base_column
from paberki.store.columns import Column, builtin
from paberki.store.selection.select import SelectConfig, check_rules


@dataclass(frozen=True, slots=True)
class Step:
    """A stage with its settings, its resolved needs and where they come from."""

    stage: Stage
    config: Any
    needs: tuple[str, ...]
    solve_needs: tuple[str, ...]
    """What check and solve of a join read; the needs of other stages."""
    reads: tuple[str, ...]
    """Columns behind the needs, those of ephemeral values included."""
    after: tuple[str, ...]
    """Layers that it depends on, directly or indirectly: rows that failed in one of them are skipped."""
    settings: str
    """Key of its settings and of all that it builds on."""
    files: tuple[CorpusFile, ...] = ()
    """Files that these settings name."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Steps that run together over a chunk (map), or one step on its own (fit, join)."""

    kind: Kind
    steps: tuple[Step, ...]


@dataclass(slots=True)
class Plan:
    """The whole build in order."""

    passes: list[Pass] = field(default_factory=list)
    columns: dict[str, Column] = field(default_factory=dict)
    """All columns by their full name."""

    @property
    def steps(self) -> list[Step]:
        """All steps in order."""
        return [step for one in self.passes for step in one.steps]

    @property
    def layers(self) -> list[str]:
        """Layers on disk in order, the archive first."""
        return ["archive", *(step.stage.layer for step in self.steps if step.stage.kind != "fit")]

    def until(self, name: str) -> Plan:
        """The plan up to and including a stage, named in full or by its layer."""
        stages_so_far = [step.stage for step in self.steps]
        last = next((at for at, stage in enumerate(stages_so_far) if name in (stage.name, stage.layer)), None)
        if last is None:
            choices = [stage.layer for stage in stages_so_far]
            raise ContractError(f"no stage {name!r} in the recipe{nearest(name, choices)}; it has {', '.join(choices)}")
        return make_plan([(step.stage, step.config) for step in self.steps[: last + 1]])


def make_plan(uses: Sequence[tuple[Stage, Any]]) -> Plan:
    """Check that every stage finds what it needs, and group map stages that can run in one pass."""
    plan = Plan(columns={column.full: column for column in builtin("archive")})
    short = {column.name: column.full for column in builtin("archive")}
    steps: dict[str, Step] = {}
    for stage, config in uses:
        step = _step(stage, config, short, steps)
        if isinstance(config, SelectConfig):
            check_rules(config, {name: plan.columns[full].type for name, full in short.items()})
        _claim(plan, short, steps, stage)
        steps[stage.layer] = step
        if stage.kind == "map" and plan.passes and plan.passes[-1].kind == "map":
            plan.passes[-1] = Pass("map", (*plan.passes[-1].steps, step))
        else:
            plan.passes.append(Pass(stage.kind, (step,)))
    return plan


def _claim(plan: Plan, short: dict[str, str], steps: dict[str, Step], stage: Stage) -> None:
    if stage.layer in steps or stage.layer == "archive":
        raise ContractError(f"two stages write the layer {stage.layer!r}; leave one of them out of the recipe")
    for column in stage.adds:
        if column.layer != stage.layer:
            raise ContractError(f"{stage.name} adds {column.full} but writes the layer {stage.layer!r}")
        if column.name in short:
            raise ContractError(f"{stage.name} adds {column.name!r}, which {short[column.name]} is called already")
        short[column.name] = column.full
        plan.columns[column.full] = column


def _step(stage: Stage, config: Any, short: dict[str, str], steps: dict[str, Step]) -> Step:
    needs = stage.needs_for(config, short)
    solve_needs = stage.solve_needs_for(config, short) or needs
    reads = tuple(dict.fromkeys(_behind(stage, (*needs, *solve_needs), short)))
    layers = dict.fromkeys(base_column(read).partition(".")[0] for read in reads)
    for model in stage.models:
        if model not in steps or steps[model].stage.kind != "fit":
            raise ContractError(f"{stage.name} needs the model {model!r}; put its fit stage before it in the recipe")
    sources = [steps[name] for name in (*layers, *stage.models) if name in steps]
    after = tuple(dict.fromkeys(("archive", *(layer for one in sources for layer in (*one.after, one.stage.layer)))))
    after = tuple(layer for layer in after if layer == "archive" or steps[layer].stage.kind != "fit")
    settings = digest(stage.name, plain(config), sorted(one.settings for one in sources))
    files = dict.fromkeys(file for _, file in files_of(config) if file)
    files |= dict.fromkeys(file for one in sources for file in one.files)
    return Step(stage, config, needs, solve_needs, reads, after, settings, tuple(files))


def _behind(stage: Stage, needs: Sequence[str], short: dict[str, str]) -> list[str]:
    """Columns behind these needs; for an ephemeral value, the columns that its provider needs."""
    full_names, reads = set(short.values()), []
    for need in needs:
        layer_error = need.endswith(".error") and any(full.startswith(need[:-5]) for full in full_names)
        if base_column(need) in full_names or layer_error:
            reads.append(need)
        elif "." not in need and need in ephemerals():
            reads.extend(_behind(stage, ephemerals()[need].needs, short))
        else:
            raise ContractError(f"{stage.name} needs {need!r}, which no stage before it adds{_adders(need)}")
    return reads


def _adders(need: str) -> str:
    adders = [one.name for one in stages().values() if any(column.full == base_column(need) for column in one.adds)]
    return f"; {' or '.join(adders)} does" if adders else nearest(need, [*ephemerals()])
