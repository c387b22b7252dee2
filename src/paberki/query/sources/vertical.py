"""Vertical files: a token per line, its attributes between tabs, structures as tags on lines of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from paberki.query.index.manifest import Manifest, write_manifest
from paberki.query.index.writer import Schema, SegmentWriter

_TAG: Final = re.compile(r"<(/?)([A-Za-z_][\w.-]*)((?:\s[^>]*?)?)(/?)>\s*$")
_PAIR: Final = re.compile(r'([\w:.-]+)\s*=\s*"([^"]*)"')
GLUE: Final = "g"


def index_vertical(path: Path, out: Path, attributes: Sequence[str], *, lang: str | None = None) -> None:
    """Make an index of a vertical file; a star marks an attribute whose values are sets."""
    names = [name.rstrip("*") for name in attributes]
    multi = frozenset(name.rstrip("*") for name in attributes if name.endswith("*"))
    schema = Schema(attributes=tuple(name for name in names if name != "head"), multi=multi, lang=lang, escaped=True)
    writer = SegmentWriter(out, schema)
    rows: list[list[str]] = []
    glue: list[bool] = []
    open_tags: list[tuple[str, int, dict[str, str]]] = []
    regions: dict[str, list[tuple[int, int, dict[str, str]]]] = {}
    glued = False
    for line in path.read_text("utf-8").splitlines():
        tag = _TAG.match(line) if "\t" not in line else None
        if tag and tag[2] == GLUE:
            glued = True
        elif tag and tag[1]:
            at = next((k for k in range(len(open_tags) - 1, -1, -1) if open_tags[k][0] == tag[2]), None)
            if at is not None:
                name, start, values = open_tags.pop(at)
                regions.setdefault(name, []).append((start, len(rows), values))
        elif tag:
            open_tags.append((tag[2], len(rows), dict(_PAIR.findall(tag[3]))))
        elif line:
            rows.append((line.split("\t") + [""] * len(names))[: len(names)])
            glue.append(glued)
            glued = False
    for name, start, values in open_tags:
        regions.setdefault(name, []).append((start, len(rows), values))
    entries = {
        name: writer.interner.strings([row[at] for row in rows], name)
        for at, name in enumerate(names)
        if name != "head"
    }
    head = None
    if "head" in names:
        head = np.zeros(len(rows), np.int32)
        for start, end, _ in regions.get("s", []):
            for position in range(start, end):
                text = rows[position][names.index("head")]
                if text.isdigit() and int(text):
                    head[position] = start + int(text) - 1 - position
    writer.add(entries, head=head, glue=np.array(glue, bool))
    for name, found in regions.items():
        keys = list(dict.fromkeys(key for _, _, values in found for key in values))
        columns = {key: writer.interner.strings([v.get(key, "") for _, _, v in found], f"{name}.{key}") for key in keys}
        starts, ends = np.array([one[0] for one in found]), np.array([one[1] for one in found])
        writer.add_regions(name, starts, ends, columns)
    structures = writer.structures()
    entry = writer.close(out / "0001.segment")
    write_manifest(
        out,
        Manifest(
            source="vertical",
            name=out.name,
            lang=lang,
            attributes=schema.all_attributes,
            structures=structures,
            segments=(entry,),
            multi=tuple(sorted(multi)),
        ),
    )
