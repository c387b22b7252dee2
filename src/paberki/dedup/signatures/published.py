"""Published signatures: with them, another corpus can be compared with this one without its texts.

A file of signatures is Parquet with the columns of the signatures layer, the stable key of each page and the name of its
corpus. ``against`` takes such files and whole corpora alike; of a corpus the kept pages count.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from paberki.errors import ConfigError, StoreError
from paberki.stage import Elsewhere
from paberki.store import layer
from paberki.store.columns import builtin
from paberki.store.directory import Directory
from paberki.store.files import replacing

SCHEMA: Final = pa.schema(
    [("key", pa.string()), ("corpus", pa.string()), *((one.name, one.type) for one in builtin("signatures"))]
)
_ROWS: Final = 10_000
_COLUMNS: Final = [one.name for one in builtin("signatures")]


def published_at(root: Path, name: str) -> Elsewhere:
    """A corpus or a file of signatures, by its path from the corpus directory."""
    path = (root / name).expanduser()
    if path.is_dir():
        return CorpusSignatures(path)
    if path.is_file():
        return SignatureFile(path)
    raise ConfigError(f"dedup.against: {name}: there is no such corpus or file")


@dataclass(frozen=True, slots=True)
class SignatureFile:
    """A published list of signatures."""

    path: Path

    @property
    def digest(self) -> str:
        """Digest of its content."""
        with open(self.path, "rb") as file:
            return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()

    def tables(self) -> Iterator[pa.Table]:
        """Its pages, some thousand at a time."""
        try:
            with pq.ParquetFile(self.path) as file:
                missing = [name for name in SCHEMA.names if name not in file.schema_arrow.names]
                if missing:
                    raise ConfigError(f"{self.path}: not a file of signatures (no column {missing[0]})")
                for batch in file.iter_batches(_ROWS, columns=SCHEMA.names, use_threads=False):
                    yield pa.table(batch).select(SCHEMA.names).cast(SCHEMA)
        except (pa.ArrowInvalid, OSError) as error:
            raise ConfigError(f"{self.path}: not a file of signatures ({str(error).splitlines()[0]})") from error


@dataclass(frozen=True, slots=True)
class CorpusSignatures:
    """Another corpus: its signatures layer."""

    path: Path

    @property
    def digest(self) -> str:
        """Digest of the keys of its signatures and of its selection."""
        directory = Directory.open(self.path)
        hasher = hashlib.blake2b(digest_size=16)
        for shard, about in enumerate(directory.manifest().shards):
            for name in ("signatures", "select"):
                footer = layer.footer(directory.layer(name, shard))
                hasher.update(f"{about.keys} {footer.key if footer else ''}".encode())
        return hasher.hexdigest()

    def tables(self) -> Iterator[pa.Table]:
        """Its kept pages, shard by shard; all of them where nothing was selected yet."""
        directory = Directory.open(self.path)
        name, tombstone_keys = _name(directory), directory.tombstones()
        for shard, about in enumerate(directory.manifest().shards):
            yield _shard(directory, shard, about.keys, name, tombstone_keys)


def _name(directory: Directory) -> str:
    recipe = tomllib.loads(directory.recipe.read_text("utf-8"))
    return str(recipe.get("name", directory.root.resolve().name))


def _shard(directory: Directory, shard: int, keys: str, name: str, tombstone_keys: Collection[str]) -> pa.Table:
    path = directory.layer("signatures", shard)
    footer = layer.footer(path)
    if footer is None or footer.keys != keys:
        raise StoreError(
            f"{directory.root}: has no signatures of all its pages; put dedup.signatures.v1 into its stages and build it"
        )
    with layer.LayerFile(path) as file:
        columns = file.read_all(_COLUMNS)
    with layer.LayerFile(directory.layer("archive", shard)) as file:
        key = file.read_all(["key"])["key"]
    table = pa.table({"key": key, "corpus": pa.array([name] * len(key), pa.string()), **columns}).cast(SCHEMA)
    keep = pa.array([one not in tombstone_keys for one in key.to_pylist()], pa.bool_())
    select_file = directory.layer("select", shard)
    if (there := layer.footer(select_file)) is not None and there.keys == keys:
        with layer.LayerFile(select_file) as file:
            keep = pc.and_(keep, file.read_all(["keep"])["keep"].fill_null(False))
    return table.filter(keep)


def write_signatures(root: Path, out: Path) -> int:
    """Publish the signatures of the kept pages of a corpus; how many there are."""
    count = 0
    with replacing(out) as beside, pq.ParquetWriter(beside, SCHEMA, compression="zstd") as writer:
        for table in CorpusSignatures(root).tables():
            count += table.num_rows
            writer.write_table(table, row_group_size=layer.CHUNK)
    return count
