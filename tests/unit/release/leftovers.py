"""Looks for planted words in every file of a directory, also inside of compressed files and tables."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

PLANTED = ("Zaboravljena kvrgomarija", "Ovdje živi prastari šumbrekalj pod kamenom.", "trnobrzdu", "vodi do žužmuljave")
"""Title, paragraph, word and anchor of the page that is taken down."""
SECRET_URL = "http://tajna.hr/stranica"
COPY_URL = "http://zrcalo.hr/ista"
WORDS = ("kvrgomarij", "šumbrekalj", "trnobrzd", "žužmuljav")


def places_of(root: Path, words: tuple[str, ...] = WORDS) -> list[str]:
    """Names of files that hold one of the words."""
    needles = [word.encode() for word in words]
    return sorted(
        {
            str(path.relative_to(root))
            for path in root.rglob("*")
            if path.is_file()
            for content in _contents(path)
            if any(needle in content for needle in needles)
        }
    )


def _contents(path: Path) -> Iterator[bytes]:
    data = path.read_bytes()
    yield data
    if data[:2] == b"\x1f\x8b":
        yield from _members(data)
    elif data[:4] == b"\x28\xb5\x2f\xfd":
        yield zstandard.ZstdDecompressor().decompressobj().decompress(data)
    elif data[:4] == b"PAR1":
        yield from (_table(pq.read_table(path, use_threads=False)), *_dictionaries(path))
    elif data[:6] == b"ARROW1":
        yield _table(pa.ipc.open_file(pa.BufferReader(data)).read_all())


def _members(data: bytes) -> Iterator[bytes]:
    try:
        yield gzip.decompress(data)
    except (OSError, EOFError, zlib.error):
        return


def _table(table: pa.Table) -> bytes:
    return repr(table.to_pydict()).encode("utf-8", "surrogatepass")


def _dictionaries(path: Path) -> Iterator[bytes]:
    """Dictionaries of columns with all their words, also those that no row uses."""
    with pq.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            for column in file.read_row_group(group).columns:
                for chunk in column.chunks:
                    yield from _words(chunk)


def _words(values: pa.Array) -> Iterator[bytes]:
    if pa.types.is_dictionary(values.type):
        yield repr(values.dictionary.to_pylist()).encode("utf-8", "surrogatepass")
    elif pa.types.is_list(values.type):
        yield from _words(values.values)
    elif pa.types.is_struct(values.type):
        for part in values.flatten():
            yield from _words(part)
