"""What other packages may import: everything that a stage needs, and nothing else.

These names follow semantic versioning: they change their meaning only with a new major version of paberki. Other modules
may change at any time.

>>> from paberki.plugin import Column, map_stage
>>> Column("upper_share", "shout", float32, "share of letters that are capitals").full
'shout.upper_share'
"""

from __future__ import annotations

import pyarrow as pa

from paberki.corpus_file import CorpusFile
from paberki.errors import ConfigError, ContractError, MissingExtra, PaberkiError, StoreError
from paberki.plugin.datatrove import datatrove_extractor, datatrove_filter
from paberki.stage import Columns, Memory, NoConfig, Read, Stage, fit_stage, join_stage, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import kept_texts
from paberki.store.columns import Column

__all__ = [
    "Batch",
    "Column",
    "Columns",
    "ConfigError",
    "ContractError",
    "CorpusFile",
    "Memory",
    "MissingExtra",
    "NoConfig",
    "PaberkiError",
    "Read",
    "Stage",
    "StoreError",
    "boolean",
    "datatrove_extractor",
    "datatrove_filter",
    "fit_stage",
    "float32",
    "int64",
    "join_stage",
    "kept_texts",
    "map_stage",
    "string",
]

boolean, float32, int64, string = pa.bool_(), pa.float32(), pa.int64(), pa.string()
"""Types of the columns that most stages add; any other type of pyarrow works too."""
