"""Lines of a concordance with what pages show beside them: glosses, copies, reasons, categories."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from paberki.query.counting.values import values_of
from paberki.query.hits.lines import CONTEXT, Line, TokenTexts, lines_of

if TYPE_CHECKING:
    from paberki.query.matching import HitTable
    from paberki.serve.library import Edition

__all__ = ["GLOSSES", "ShownLine", "shown_lines"]

GLOSSES: Final = ("lemma", "upos", "xpos", "feats", "deprel", "ner")
"""Attributes that can be shown under the words of a hit, where the corpus has them."""
_FACTS: Final = ("id", "key", "url", "host", "title", "date", "year", "lang", "dup_cluster", "dup_size", "reason")
_NODE_TOKENS: Final = 30
"""Words of a hit that get glosses."""


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line, the words of its hit with their attributes, and why it was left out."""

    line: Line
    words: list[tuple[str, bool, dict[str, str]]]
    """Word, whether it follows without a space, attributes."""
    reason: str = ""
    facts: dict[str, str] = field(default_factory=dict)


def shown_lines(edition: Edition, places: Any, table: HitTable, view: str, width: int) -> list[ShownLine]:
    """Lines of some hits."""
    index = edition.index
    context: int | str = "s" if view == "sentence" and "s" in index.structures else CONTEXT
    attributes = index.structures.get(places.structure or "", ())
    names = [name for name in _FACTS if name in attributes]
    lines = list(lines_of(places, table, context=context, references=names))
    words = _words(index, table)
    reasons = _block_reasons(index, table)
    rows = []
    for line, own_words, reason in zip(lines, words, reasons, strict=True):
        if width and view == "kwic":
            line = _cut(line, width)
        rows.append(ShownLine(line, own_words, line.reference.get("reason") or reason, line.reference))
    return rows


def _cut(line: Line, width: int) -> Line:
    """So many words on each side; in texts without spaces, so many pairs of characters."""
    left, right = line.left.split(), line.right.split()
    if len(left) == 1 and len(line.left) > 2 * width > 0 and len(line.left) > 30:
        return Line(line.left[-2 * width :], line.node, line.right[: 2 * width], line.start, line.end, line.page, line.reference, line.labels)  # fmt: skip
    return Line(" ".join(left[-width:]), line.node, " ".join(right[:width]), line.start, line.end, line.page, line.reference, line.labels)  # fmt: skip


def _words(index: Any, table: HitTable) -> list[list[tuple[str, bool, dict[str, str]]]]:
    ends = np.minimum(table.ends, table.starts + _NODE_TOKENS)
    tokens = TokenTexts(index, index.default).between(table.starts, ends)
    lengths = ends - table.starts
    positions = np.repeat(table.starts - np.cumsum(lengths) + lengths, lengths) + np.arange(int(lengths.sum()))
    columns = {}
    for name in GLOSSES:
        if name in index.attributes and len(positions):
            values = values_of(index, name)
            columns[name] = values.texts(values.at(positions))
    out, at = [], 0
    for own in tokens:
        row = []
        for number, (word, glued) in enumerate(own):
            row.append((word, glued and number > 0, {name: column[at] for name, column in columns.items()}))
            at += 1
        out.append(row)
    return out


def _block_reasons(index: Any, table: HitTable) -> list[str]:
    """Why the block of each hit was left out, where the index says."""
    reasons = [""] * len(table.starts)
    if "block_reason" not in index.structures.get("p", ()):
        return reasons
    for segment in index.segments:
        mine = np.flatnonzero((table.starts >= segment.base) & (table.starts < segment.base + segment.tokens))
        if not len(mine):
            continue
        blocks = segment.structure("p")
        regions = blocks.region_of(table.starts[mine] - segment.base)
        attribute = blocks.attribute("block_reason")
        for number, region in zip(mine.tolist(), regions.tolist(), strict=True):
            if region >= 0 and int(attribute.ids[region]) >= 0:
                reasons[number] = str(attribute.value(int(attribute.ids[region])) or "")
    return reasons
