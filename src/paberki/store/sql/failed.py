"""The records that ended the last build, as a table of their own.

A build that gives up leaves layers that are not whole, and ``pages`` cannot show these. So it writes its failed records
to one file, which SQL knows as ``failed``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from paberki.store.directory import Directory
from paberki.store.files import replacing

SCHEMA: Final = pa.schema([(name, pa.string()) for name in ("id", "url", "stage", "code", "detail")])
QUERY: Final = "select id, url, stage, code, detail from failed"


def failed_file(directory: Directory) -> Path:
    """Where the records are; no file when the last build did not give up."""
    return directory.layers / "failed.parquet"


def write_failed(directory: Directory, records: Iterable[Mapping[str, Any]]) -> None:
    """Write the records that ended a build."""
    with replacing(failed_file(directory)) as beside:
        pq.write_table(pa.Table.from_pylist(list(records), SCHEMA), beside)


def forget_failed(directory: Directory) -> None:
    """Remove the file when a build goes on."""
    failed_file(directory).unlink(missing_ok=True)
