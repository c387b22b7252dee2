"""What all passes of one build share: the sealed shards, the keys of their layers, the models, the counts."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from paberki.engine.applying import Made
from paberki.engine.keys import digest
from paberki.engine.mapping import StageRun
from paberki.engine.plan import Step
from paberki.engine.progress import Reporter
from paberki.engine.task import Engine, Limits
from paberki.errors import ConfigError, TooManyErrors
from paberki.model import Pin
from paberki.settings import plain
from paberki.store import layer
from paberki.store.directory import Directory, Manifest
from paberki.store.files import place_of

DEFAULT_MAX_ERRORS = 0.01
GRACE = 10
"""Failed records that are always tolerated under the default limit: one in a corpus of fifty pages is not 2 %."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to run a build; none of it changes what comes out."""

    jobs: int = 1
    refit: bool = False
    retry_errors: bool = False
    max_errors: float | None = None
    """Share of records that may fail; None is the default of 1 %, with some grace for small corpora."""
    part: tuple[int, int] | None = None
    """Do only this share of the map work: (i, n) with i from 1 to n."""
    limits: Limits = field(default_factory=Limits)


@dataclass(slots=True)
class Tally:
    """What one stage did in this build."""

    stage: str
    pages: int = 0
    skipped: int = 0
    errors: int = 0
    seconds: float = 0.0
    note: str = ""
    """What the stage has to tell about this corpus."""


@dataclass(slots=True)
class State:
    """One build on its way."""

    directory: Directory
    engine: Engine
    options: Options
    report: Reporter
    manifest: Manifest = field(default_factory=Manifest)
    wanted: dict[str, list[str]] = field(default_factory=dict)
    """Key that each layer file of each shard must carry after this build."""
    keys: dict[str, list[str]] = field(default_factory=dict)
    """The same with the failed rows added: what later stages depend on."""
    made: dict[str, list[Made]] = field(default_factory=dict)
    """Layers of joins: later stages depend on what stands in the columns that they read."""
    models: dict[str, Pin] = field(default_factory=dict)
    gone: list[frozenset[int]] = field(default_factory=list)
    """Rows of each shard that were taken down."""
    tallies: list[Tally] = field(default_factory=list)

    @property
    def shards(self) -> range:
        """Numbers of all shards."""
        return range(len(self.manifest.shards))

    def rows(self, shard: int) -> int:
        """Pages in a shard."""
        return self.manifest.shards[shard].rows

    def key(self, step: Step, shard: int) -> str:
        """Hash of everything that decides what a step makes of a shard."""
        columns = self._columns(step, shard)
        return digest(*self._parts(step, shard, self.gone[shard]), *([columns] if columns else []))

    def chunk_keys(self, step: Step, shard: int, without: Collection[str] = ()) -> tuple[str, ...]:
        """Hash of everything that decides what a step makes of each chunk of a shard, or of all but some columns."""
        columns, gone = self._columns(step, shard, without), self.gone[shard]
        same = digest(*self._parts(step, shard, ()))
        chunks = range(0, self.rows(shard), layer.CHUNK)
        if not columns and not gone:
            return (same,) * len(chunks)
        taken = (sorted(row for row in gone if first <= row < first + layer.CHUNK) for first in chunks)
        return tuple(digest(same, [column[at] for column in columns], rows) for at, rows in enumerate(taken))

    def _parts(self, step: Step, shard: int, gone: Collection[int]) -> list[Any]:
        """Settings, models, and the layers that map stages made."""
        models = [self.models[name].digest for name in step.stage.models]
        inputs = {name: self.keys[name][shard] for name in step.after if name not in self.made}
        files = [self._file(name) for setting in step.stage.files for name in _named(getattr(step.config, setting))]
        parts = [step.stage.name, plain(step.config), models, inputs, self.manifest.shards[shard].keys, sorted(gone)]
        revision = step.stage.revision(step.config) if step.stage.revision else ""
        return [*parts, *([files] if files else []), *([revision] if revision else [])]

    def _columns(self, step: Step, shard: int, without: Collection[str] = ()) -> list[tuple[str, ...]]:
        """Digests of the columns that a step reads from layers of joins, chunk by chunk."""
        reads = (read.split(".")[:2] for read in step.reads if read not in without)
        wanted = sorted({(name, column) for name, column in reads if name in self.made})
        unknown = ("",) * -(-self.rows(shard) // layer.CHUNK)  # an earlier version of the stage had fewer columns
        return [self.made[name][shard].columns.get(column, unknown) for name, column in wanted]

    def _file(self, name: str) -> str:
        """Digest of a file that a setting names."""
        path = place_of(self.directory.root, name)
        try:
            about = path.stat()
            return _content(path, about.st_mtime_ns, about.st_size)
        except OSError as error:
            raise ConfigError(f"{path}: cannot be read ({error.strerror})") from error

    def done(self, name: str, shard: int) -> bool:
        """Whether the layer of a shard is there, made by the right settings from the right input."""
        found = layer.footer(self.directory.layer(name, shard))
        if name not in self.wanted or found is None or found.key != self.wanted[name][shard]:
            return False
        return not (self.options.retry_errors and found.failed)

    def settle(self, name: str) -> None:
        """After a pass: later stages depend on the layer and on which of its rows failed."""
        settled = []
        for shard in self.shards:
            found = layer.footer(self.directory.layer(name, shard))
            settled.append(self.wanted[name][shard] + (found.failed if found else ""))
        self.keys[name] = settled

    def stage_run(self, step: Step, key: str) -> StageRun:
        """A step as a task takes it along."""
        models = tuple(self.directory.models / self.models[name].file for name in step.stage.models)
        return StageRun(step.stage.name, step.config, step.needs, key, models)

    def check_errors(self, stage: str, failed: int, seen: int) -> None:
        """Give up when more records failed than the user allows."""
        limit = self.options.max_errors
        allowed = limit * seen if limit is not None else max(DEFAULT_MAX_ERRORS * seen, GRACE)
        if failed > allowed:
            raise TooManyErrors(
                f"{failed} of {seen} records failed in {stage}, more than --max-errors allows; look at them with: "
                f'paberki sql {self.directory.root} "select id, url, error from pages where error is not null"'
            )


def _named(setting: str | Sequence[str]) -> Sequence[str]:
    """Files that a setting names: one, several or none."""
    return ([setting] if setting else []) if isinstance(setting, str) else setting


@lru_cache(maxsize=64)
def _content(path: Path, changed: int, size: int) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
