"""A table or figure of a paper: ours beside the published one, in the paper's own form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paberki.markup.svg import figure, standalone, text
from paberki.report.section import Figure, Section, write_csv
from paberki.store.files import write_json, write_text

Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Item:
    """One item; each row has ``ours`` and ``published`` where both are single numbers."""

    label: str
    """As the paper calls it: ``Table 1``, ``Figure 2``."""
    title: str
    rows: Rows
    svg: str = ""
    notes: Sequence[str] = ()
    missing: str = ""

    @property
    def name(self) -> str:
        """Name of its files."""
        return self.label.lower().replace(" ", "-")

    def as_json(self) -> dict[str, Any]:
        """The item as one object."""
        about = {"label": self.label, "title": self.title, "notes": list(self.notes)}
        return {**about, **({"missing": self.missing} if self.missing else {}), "rows": list(self.rows)}

    def write(self, folder: Path) -> None:
        """JSON and CSV; for a figure SVG too."""
        write_json(folder / f"{self.name}.json", self.as_json())
        write_csv(folder / f"{self.name}.csv", self.rows)
        if self.svg:
            write_text(folder / f"{self.name}.svg", standalone(self.svg))

    def section(self) -> Section:
        """The item as a part of a page."""
        figures = [Figure(self.name, self.svg)] if self.svg else []
        title = f"{self.label}. {self.title}"
        return Section(self.name, title, "", {}, self.rows, figures, self.notes, missing=self.missing)


def of_section(label: str, section: Section, published: Rows = (), rows: Rows | None = None) -> Item:
    """A section of the report as an item: its rows, then what the paper has."""
    own = [{"corpus": "ours", **row} for row in (section.rows if rows is None else rows)]
    svg = section.figures[0].svg if section.figures else ""
    notes = [section.caption, *section.notes]
    return Item(label, section.title, [*own, *published], svg, [note for note in notes if note], section.missing)


def row(what: str, ours: Any, published: Any, **others: Any) -> dict[str, Any]:
    """A line with ours and the published figure."""
    return {"what": what, "ours": ours, "published": published, **others}


def listing(name: str, title: str, about: str, source: str, lines: int = 28, wide: int = 60) -> str:
    """Lines of a document as a figure, long ones cut."""
    shown_lines = [line if len(line) <= wide else f"{line[: wide - 1]}…" for line in source.splitlines()[:lines]]
    parts = [
        text(0, 18 + 20 * number, line).replace(
            "<text ", '<text style="font-family: ui-monospace, monospace; font-size: 14px; white-space: pre" ', 1
        )
        for number, line in enumerate(shown_lines)
    ]
    return figure(name, title, about, 540, 20 * max(len(shown_lines), 1) + 16, parts)
