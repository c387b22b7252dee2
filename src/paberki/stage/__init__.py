"""Stages: what a stage is, how one is declared, and which ones there are.

A stage is a pure function from pages to columns. It declares a versioned name, the layer that it writes, a frozen
dataclass of settings whose field docstrings are the help text, the columns that it needs and the columns that it adds.
It reads no clock, no network and no global variable, so that the same input gives the same bytes with any number of
workers. There are three kinds (:mod:`paberki.stage.contract`):

``map``   ``run(batch)`` → new columns, row by row
``fit``   ``observe(batch)``, ``merge(partials)``, ``finish(partial)`` → a model learnt from the corpus
``join``  ``emit(batch)``, ``resolve(groups)``, ``solve(decisions)``, ``apply(batch, decisions)`` → new columns that
          depend on other pages

:func:`map_stage`, :func:`fit_stage` and :func:`join_stage` register a stage. Other packages add stages through the entry
point group ``paberki.stages``: each entry names a module that registers its stages when it is imported.
"""

from paberki.stage.contract import (
    Columns,
    Elsewhere,
    Ephemeral,
    Fit,
    Join,
    Kind,
    Map,
    Memory,
    NeedsOf,
    NoConfig,
    Outside,
    Read,
    Stage,
    field_help,
)
from paberki.stage.decorators import ephemeral, fit_stage, join_stage, map_stage
from paberki.stage.registry import ENTRY_POINTS, NAME, OWN_STAGES, broken_plugins, ephemerals, find, stages

__all__ = [
    "ENTRY_POINTS",
    "NAME",
    "OWN_STAGES",
    "Columns",
    "Elsewhere",
    "Ephemeral",
    "Fit",
    "Join",
    "Kind",
    "Map",
    "Memory",
    "NeedsOf",
    "NoConfig",
    "Outside",
    "Read",
    "Stage",
    "broken_plugins",
    "ephemeral",
    "ephemerals",
    "field_help",
    "find",
    "fit_stage",
    "join_stage",
    "map_stage",
    "stages",
]
