"""Failed records in the log: which archive file, which byte, which page, what went wrong."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from paberki.engine.passes.map_tasks import MapTask, StageCost
from paberki.store.directory import Directory
from paberki.store.layer import CHUNK, SHARD, LayerFile

_log = logging.getLogger(__name__)
_WHERE = ("warc_file", "warc_offset", "url")


def log_failures(directory: Directory, task: MapTask, costs: Sequence[StageCost]) -> None:
    """One line for each record that failed in a task; nothing is read where none did or nobody logs."""
    failures = [(run.name, *failure) for run, one in zip(task.runs, costs, strict=True) for failure in one.failures]
    if not failures or not _is_read():
        return
    with LayerFile(directory.layer("archive", task.shard)) as file:
        columns = file.read_all(_WHERE)
    for stage, row, code, detail in failures:
        place = task.chunk * CHUNK + row
        name, offset, url = (columns[column][place].as_py() for column in _WHERE)
        page = task.shard * SHARD + place
        _log.warning("%s, byte %s: page %09d (%s) failed in %s: %s: %s", name, offset, page, url, stage, code, detail)


def _is_read() -> bool:
    """Whether anybody asked for a log: builds are silent otherwise, and the places of records are not looked up."""
    logger: logging.Logger | None = _log
    while logger is not None:
        if any(not isinstance(one, logging.NullHandler) for one in logger.handlers):
            return True
        logger = logger.parent if logger.propagate else None
    return False
