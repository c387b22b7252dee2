"""Vertical text read the plain way: what the compiled reader must agree with."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

TAG = re.compile(r"<(/?)([A-Za-z_\x80-\U0010ffff][^\s/>=]*)(.*?)(/?)>$")
PAIR = re.compile(r"""([^\s=/>]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")


@dataclass
class Plain:
    """Tokens, glue, and regions with their attributes in the order of their start tags."""

    rows: list[list[str]] = field(default_factory=list)
    glue: list[bool] = field(default_factory=list)
    regions: list[tuple[str, int, int, dict[str, str]]] = field(default_factory=list)


def read(text: str, columns: int) -> Plain:
    """Read vertical text without faults."""
    plain, opened, glued = Plain(), [], False
    for line in text.split("\n"):
        if not line:
            continue
        tag = TAG.match(line) if "\t" not in line else None
        if tag and tag[2] == "g":
            glued = True
        elif tag and tag[1]:
            at = next((k for k in reversed(range(len(opened))) if opened[k][0] == tag[2]), None)
            if at is not None:
                name, start, values, number = opened.pop(at)
                plain.regions[number] = (name, start, len(plain.rows), values)
        elif tag and not tag[4]:
            values = {key: html.unescape(one or two) for key, one, two in PAIR.findall(tag[3])}
            opened.append((tag[2], len(plain.rows), values, len(plain.regions)))
            plain.regions.append((tag[2], len(plain.rows), -1, values))
        elif not tag:
            cells = [html.unescape(cell) for cell in line.split("\t")]
            plain.rows.append((cells + [""] * columns)[:columns])
            plain.glue.append(glued)
            glued = False
    for name, start, values, number in opened:
        plain.regions[number] = (name, start, len(plain.rows), values)
    return plain
