"""Pages at the other ends of links: ids of addresses, and addresses of ids."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki.extraction.about.inlinks import address
from paberki.store.directory import Directory
from paberki.store.group_hashes import hashes
from paberki.store.layer import CHUNK, SHARD, LayerFile, column_names

_GROUPS = 512
"""Row groups whose addresses stay in memory."""


class LinkedPages:
    """Finds pages by address. Sixteen bytes of memory for each page of the corpus."""

    def __init__(self, directory: Directory) -> None:
        self._directory = directory
        self._rows = [shard.rows for shard in directory.manifest().shards]
        self._keys: npt.NDArray[np.uint64] | None = None
        self._ids: npt.NDArray[np.int64] = np.zeros(0, np.int64)
        self._urls = lru_cache(_GROUPS)(self._read_urls)
        self._tombstones = directory.tombstones()

    def ids(self, targets: Sequence[str]) -> list[list[str]]:
        """For each address the ids of the pages that have it, after redirects."""
        if self._keys is None:
            self._load()
        assert self._keys is not None
        target_hashes = np.frombuffer(b"".join(map(_hash, targets)), "<u8")
        firsts, lasts = (
            np.searchsorted(self._keys, target_hashes, "left"),
            np.searchsorted(self._keys, target_hashes, "right"),
        )
        return [
            [f"{number:09d}" for number in self._ids[first:last].tolist()] if last > first else []
            for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True)
        ]

    def url(self, page: str) -> str | None:
        """The address of a page; None where there is no such page, or it was taken down."""
        shard, row = divmod(int(page), SHARD)
        if shard >= len(self._rows) or row >= self._rows[shard]:
            return None
        group, place = divmod(row, CHUNK)
        urls, keys = self._urls(shard, group)
        return None if keys[place] in self._tombstones else urls[place]

    def _read_urls(self, shard: int, group: int) -> tuple[list[str], list[str]]:
        with LayerFile(self._directory.layer("archive", shard)) as file:
            columns = file.read(group, ["url", "key"])
        return columns["url"].to_pylist(), columns["key"].to_pylist()

    def _load(self) -> None:
        keys, ids = [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)]
        for shard, rows in enumerate(self._rows):
            values = self._addresses(shard)
            there = values.is_valid().to_numpy(zero_copy_only=False)
            keys.append(hashes(values).drop_null().to_numpy(zero_copy_only=False))
            ids.append((shard * SHARD + np.arange(rows))[there])
        together = np.concatenate(keys)
        order = np.argsort(together, kind="stable")
        self._keys, self._ids = together[order], np.concatenate(ids)[order]

    def _addresses(self, shard: int) -> Any:
        """Addresses of the pages of a shard: after redirects where the corpus knows them."""
        path = self._directory.layer("links", shard)
        if path.is_file() and "address" in column_names(path):
            with LayerFile(path) as file:
                return file.read_all(["address"])["address"]
        with LayerFile(self._directory.layer("archive", shard)) as file:
            urls = file.read_all(["url"])["url"].to_pylist()
        return pa.array([address(url or "") for url in urls], pa.string())


@lru_cache(maxsize=1 << 14)
def _hash(text: str) -> bytes:
    """The hash of :func:`paberki.store.group_hashes.hashes` of one string."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
