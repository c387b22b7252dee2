"""All stages and ephemeral values, ours and those of other packages."""

from __future__ import annotations

import importlib
import re
from functools import lru_cache

from paberki.errors import ContractError, Stopped
from paberki.nearest import nearest
from paberki.stage.alias import alias_of
from paberki.stage.contract import Ephemeral, Stage

ENTRY_POINTS = "paberki.stages"
OWN_STAGES = (
    "paberki.archive.archive_stage",
    "paberki.decoding.decode_stage",
    "paberki.extraction.extract_stage",
    "paberki.extraction.method_stages",
    "paberki.extraction.about.metadata_stage",
    "paberki.extraction.echo_stage",
    "paberki.extraction.about.inlinks",
    "paberki.extraction.external_command",
    "paberki.identification.stages.words_stage",
    "paberki.identification.stages.page_stages",
    "paberki.identification.stages.sibling_stages",
    "paberki.identification.stages.transliteration_stage",
    "paberki.identification.stages.close_stage",
    "paberki.quality.connected.connected_stage",
    "paberki.quality.connected.calibrated_stage",
    "paberki.quality.rules.rules_stage",
    "paberki.quality.ngrams.ngrams_stage",
    "paberki.quality.ngrams.percentiles",
    "paberki.quality.diacritics.diacritics_stage",
    "paberki.quality.linear",
    "paberki.quality.permissions.personal",
    "paberki.quality.permissions.rights_stage",
    "paberki.quality.marks.marks_stage",
    "paberki.quality.furniture",
    "paberki.dedup.exact",
    "paberki.dedup.signatures.signature_stage",
    "paberki.dedup.near.near_stage",
    "paberki.dedup.near.shared_stage",
    "paberki.dedup.repeats.domain_repeats",
    "paberki.dedup.repeats.passages",
    "paberki.dedup.repeats.contamination",
    "paberki.dedup.repeats.word_run_stages",
    "paberki.annotation.annotate_stage",
    "paberki.store.selection.select",
    "paberki.store.selection.copy_choice",
    "paberki.store.selection.list_choice",
)
NAME = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)*\.v[1-9][0-9]*")
_STAGES: dict[str, Stage] = {}
_BROKEN: dict[str, str] = {}
"""Modules of other packages that do not load, and why. They cost only the recipes that use their stages."""
_EPHEMERALS: dict[str, Ephemeral] = {}


def register(stage: Stage) -> None:
    """Add a stage; the last one of a name counts."""
    if not NAME.fullmatch(stage.name):
        raise ContractError(f"stage name {stage.name!r} is not of the form word.word.v1")
    _STAGES[stage.name] = stage


def register_ephemeral(value: Ephemeral) -> None:
    """Add an ephemeral value."""
    _EPHEMERALS[value.name] = value


@lru_cache(maxsize=1)
def _load() -> None:
    for module in OWN_STAGES:
        importlib.import_module(module)
    from importlib.metadata import entry_points  # when needed: reading a corpus needs no stages

    for entry in sorted(entry_points(group=ENTRY_POINTS), key=lambda entry: (entry.name, entry.value)):
        try:
            entry.load()
        except Stopped:
            raise
        except Exception as error:  # noqa: BLE001 - code of strangers can raise anything
            _BROKEN[entry.value] = f"{type(error).__name__}: {error}"


def stages() -> dict[str, Stage]:
    """All registered stages by name, those of other packages included."""
    _load()
    return dict(sorted(_STAGES.items()))


def ephemerals() -> dict[str, Ephemeral]:
    """All ephemeral values by name."""
    _load()
    return dict(_EPHEMERALS)


def broken_plugins() -> dict[str, str]:
    """Modules with stages that do not load, and why."""
    _load()
    return dict(_BROKEN)


def find(name: str) -> Stage:
    """The stage of that name, or the stage that it is an alias of; else an error that names the nearest one."""
    stage_by_name = stages()
    stage = stage_by_name.get(name) or alias_of(name, stage_by_name)
    if stage is None:
        stage_names = ", ".join(stage_by_name)
        load_failures = "".join(f"; the stages of {module} do not load ({why})" for module, why in _BROKEN.items())
        raise ContractError(
            f"there is no stage {name!r}{nearest(name, stage_by_name)}{load_failures}; installed: {stage_names}"
        )
    return stage
