"""Selections of our own corpora: what ``select`` made of the blocks that are indexed, now and before."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from paberki.query.index.container import Container, ContainerWriter
from paberki.query.index.manifest import IndexManifest, SelectionEntry
from paberki.query.index.segment import Segment
from paberki.query.index.selection import BLOCK, Bits, selected_tokens
from paberki.query.index.writing.building import SELECTION_SUFFIX
from paberki.query.sources.layers import BLOCK_NUMBER, PAGE, Ints
from paberki.query.sources.page_attributes import LayerPlaces
from paberki.store import layer
from paberki.store.blocks import lengths_of
from paberki.store.directory import Directory

LAYER: Final = "select"
_BLOCKS_PER_PAGE: Final = 1 << 24


def select_key(directory: Directory, shards: Sequence[int]) -> str | None:
    """What names the selection of these shards; None where one has none yet."""
    digest = hashlib.blake2b(digest_size=4)
    for shard in shards:
        footer = layer.footer(directory.layer(LAYER, shard))
        if footer is None:
            return None
        digest.update(f"{shard} {footer.key} {footer.keys}\n".encode())
    return digest.hexdigest()


def selected_blocks(directory: Directory, places: LayerPlaces) -> Bits:
    """Which blocks of a segment are selected: those that ``select`` keeps, on pages that it keeps."""
    bits = np.zeros(len(places.block_numbers), np.bool_)
    for shard in np.unique(places.shards).tolist():
        with layer.LayerFile(directory.layer(LAYER, shard)) as file:
            columns = file.read_all(["keep", "block_keep"])
        keep: Bits = columns["keep"].fill_null(False).to_numpy(zero_copy_only=False).astype(np.bool_)
        lengths = lengths_of(columns["block_keep"])
        first = np.concatenate([[0], np.cumsum(lengths)])
        flat = pc.fill_null(columns["block_keep"].flatten(), False).to_numpy(zero_copy_only=False).astype(np.bool_)
        own = np.flatnonzero(places.shards[places.block_pages] == shard)
        rows, numbers = places.rows[places.block_pages[own]], places.block_numbers[own]
        there = keep[rows] & (numbers < lengths[rows])
        bits[own[there]] = flat[first[rows[there]] + numbers[there]]
    return bits


def block_keys(segment: Segment) -> Ints:
    """A number for each block that is the same in every segment: that of its page and its own."""
    blocks, pages = segment.structure(BLOCK), segment.structure("doc")
    page = pages.attribute(PAGE).whole_numbers[pages.region_of(blocks.starts)]
    return page * _BLOCKS_PER_PAGE + blocks.attribute(BLOCK_NUMBER).whole_numbers


def write_selection(directory: Path, key: str, bits: Mapping[str, Bits], segments: Sequence[Segment]) -> SelectionEntry:
    """Write a selection: bits of the blocks of each segment, by the name of its file."""
    path = directory / f"{key}-{secrets.token_hex(4)}{SELECTION_SUFFIX}"
    out = ContainerWriter(path)
    tokens = dropped_tokens = 0
    for segment in segments:
        own = bits[segment.file]
        out.add(segment.file, np.packbits(own, bitorder="little"))
        tokens += selected_tokens(segment, own)
        dropped_tokens += selected_tokens(segment, ~own)
    out.close({"key": key})
    return SelectionEntry(path.name, tokens, dropped_tokens)


def carried_over(
    directory: Path, old: IndexManifest, before: Sequence[Segment], segments: Sequence[Segment]
) -> dict[str, SelectionEntry]:
    """Selections of before over the blocks of the segments of now; blocks that they did not know are in none."""
    unchanged = {segment.file for segment in before} >= {segment.file for segment in segments}
    if unchanged and len(before) == len(segments):
        return dict(old.selections)
    old_keys = [block_keys(segment) for segment in before]
    all_keys = np.concatenate([*old_keys, np.zeros(0, np.int64)])
    order = np.argsort(all_keys)
    new_entries = {}
    for key, entry in old.selections.items():
        bits = _bits_of(Container(directory / entry.file), before)[order]
        new_entries[key] = write_selection(
            directory, key, {one.file: _looked_up(block_keys(one), all_keys[order], bits) for one in segments}, segments
        )
    return new_entries


def _bits_of(container: Container, segments: Sequence[Segment]) -> Bits:
    pieces: list[npt.NDArray[np.uint8]] = [np.zeros(0, np.uint8)]
    for segment in segments:
        count = segment.structure(BLOCK).size
        packed_bits = (
            container.array(segment.file) if segment.file in container else np.zeros((count + 7) // 8, np.uint8)
        )
        pieces.append(np.unpackbits(packed_bits, count=count, bitorder="little"))
    return np.concatenate(pieces).astype(np.bool_)


def _looked_up(keys: Ints, old_keys: Ints, bits: Bits) -> Bits:
    places = np.minimum(np.searchsorted(old_keys, keys), max(0, len(old_keys) - 1))
    return (old_keys[places] == keys) & bits[places] if len(old_keys) else np.zeros(len(keys), np.bool_)
