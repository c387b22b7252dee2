"""The format of a model file: a readable header, then all compressed parts.

``paberki annotation model``, the version of the format, the length of the header, the header as JSON (language,
layers, sources and licences, what the parts are), and the parts, each packed with zstd. Parts are arrays of numbers,
lines of text or JSON: nothing in a file is ever executed, and nothing is unpacked beyond the size the header admits to.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import zstandard

from paberki.errors import InputError
from paberki.store.files import replacing

MAGIC: Final = b"paberki annotation model\n"
VERSION: Final = 2
_HEAD: Final = struct.Struct("<II")
_MOST_HEADER: Final = 4 << 20
_MOST_BYTES: Final = 512 << 20
_TYPES: Final = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64")
_LEVEL: Final = 19

Part = npt.NDArray[Any] | list[str] | dict[str, Any]


@dataclass(slots=True)
class AnnotationModelFile:
    """Content of a file: facts about the model, and parts by name (``tagger/weights0``)."""

    about: dict[str, Any] = field(default_factory=dict)
    parts: dict[str, Part] = field(default_factory=dict)

    def layer(self, name: str) -> dict[str, Part]:
        """The parts of a layer, by their names within it."""
        start = f"{name}/"
        return {key[len(start) :]: part for key, part in self.parts.items() if key.startswith(start)}

    @property
    def layers(self) -> list[str]:
        """Layers that are there."""
        return sorted({name.partition("/")[0] for name in self.parts})

    def put(self, name: str, parts: Mapping[str, Part], about: Mapping[str, Any]) -> None:
        """Set a layer, in place of one of that name."""
        self.parts = {key: part for key, part in self.parts.items() if not key.startswith(f"{name}/")}
        self.parts.update({f"{name}/{key}": part for key, part in parts.items()})
        self.about.setdefault("layers", {})[name] = dict(about)


def save(model: AnnotationModelFile, path: Path) -> None:
    """Write a file; the same model gives the same bytes."""
    sections, blobs = [], []
    for name, part in sorted(model.parts.items()):
        section, blob = _pack(name, part)
        compressed = zstandard.ZstdCompressor(level=_LEVEL, threads=0).compress(blob)
        sections.append({**section, "packed": len(compressed)})
        blobs.append(compressed)
    header = json.dumps({**model.about, "sections": sections}, ensure_ascii=False, sort_keys=True).encode()
    with replacing(path) as beside:
        beside.write_bytes(MAGIC + _HEAD.pack(VERSION, len(header)) + header + b"".join(blobs))


def _pack(name: str, part: Part) -> tuple[dict[str, Any], bytes]:
    if isinstance(part, np.ndarray):
        blob = np.ascontiguousarray(part).tobytes()
        return {"name": name, "kind": part.dtype.name, "shape": list(part.shape), "bytes": len(blob)}, blob
    if isinstance(part, list):
        blob = "\n".join(part).encode("utf-8", "surrogatepass")
        return {"name": name, "kind": "lines", "shape": [len(part)], "bytes": len(blob)}, blob
    blob = json.dumps(part, ensure_ascii=False, sort_keys=True).encode("utf-8", "surrogatepass")
    return {"name": name, "kind": "json", "shape": [], "bytes": len(blob)}, blob


def read_header(path: Path) -> dict[str, Any]:
    """The header of a model file; the parts are not read."""
    return _header(_bytes(path), path)[0]


def load_model(path: Path) -> AnnotationModelFile:
    """Read a file, or say why it cannot be used."""
    data = _bytes(path)
    header, begin = _header(data, path)
    sections = header.pop("sections", None)
    try:
        sizes = [_checked(section) for section in sections]
        if sum(sizes) > _MOST_BYTES:
            raise ValueError("its parts are too large")
        parts, at = {}, begin
        for section, size in zip(sections, sizes, strict=True):
            compressed = data[at : at + section["packed"]]
            at += section["packed"]
            parts[section["name"]] = _unpack(section, _decompress(compressed, size))
        if at != len(data):
            raise ValueError("it is longer than its header says")
    except (zstandard.ZstdError, ValueError, TypeError, KeyError, AttributeError, EOFError, RecursionError) as error:
        raise InputError(f"{path}: is damaged or not a model: {error}") from error
    return AnnotationModelFile(header, parts)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: no such model") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a directory, not a model") from None


def _header(data: bytes, path: Path) -> tuple[dict[str, Any], int]:
    begin = len(MAGIC) + _HEAD.size
    if not data.startswith(MAGIC) or len(data) < begin:
        raise InputError(f"{path}: is not a model for annotation; make one with: paberki train tagger")
    version, length = _HEAD.unpack(data[len(MAGIC) : begin])
    if version != VERSION:
        raise InputError(
            f"{path}: a model of version {version}, this paberki reads version {VERSION}; train it again with: paberki train"
        )
    if length > _MOST_HEADER:
        raise InputError(f"{path}: is damaged: its header is too long")
    try:
        header = json.loads(data[begin : begin + length])
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: is damaged: its header cannot be read") from error
    if not isinstance(header, dict) or not isinstance(header.get("sections"), list):
        raise InputError(f"{path}: is damaged: its header says nothing about its parts")
    return header, begin + length


def _checked(section: Mapping[str, Any]) -> int:
    kind, shape, size = section["kind"], section["shape"], section["bytes"]
    length = section["packed"]
    if not isinstance(length, int) or length < 0:
        raise ValueError("a part without a place")
    if not isinstance(size, int) or size < 0 or not isinstance(section["name"], str):
        raise ValueError("a part without name or size")
    if kind in _TYPES:
        if not all(isinstance(side, int) and side >= 0 for side in shape):
            raise ValueError("an array of no shape")
        expected_size = int(np.prod(shape, dtype=object)) * np.dtype(kind).itemsize
        if expected_size != size:
            raise ValueError("an array of another size than its shape")
    elif kind not in ("lines", "json"):
        raise ValueError(f"a part of unknown kind {kind!r}")
    return size


def _decompress(compressed: bytes, size: int) -> bytes:
    """Decompress; an error if there are more bytes than the header says."""
    if zstandard.frame_content_size(compressed) != size:
        raise ValueError("a part is not as long as the header says")
    blob: bytes = zstandard.ZstdDecompressor().decompress(compressed, max_output_size=max(size, 1))
    if len(blob) != size:
        raise ValueError("a part is not as long as the header says")
    return blob


def _unpack(section: Mapping[str, Any], blob: bytes) -> Part:
    kind = section["kind"]
    if kind == "lines":
        lines = blob.decode("utf-8", "surrogatepass").split("\n") if section["shape"][0] else []
        if len(lines) != section["shape"][0]:
            raise ValueError("lines are missing")
        return lines
    if kind == "json":
        values = json.loads(blob)
        if not isinstance(values, dict):
            raise ValueError("a part that should be an object is none")
        return values
    return np.frombuffer(blob, kind).reshape(section["shape"])
