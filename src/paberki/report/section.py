"""A section of a report: the same object becomes a part of the page, a JSON file, a CSV file and a view of the service.

``rows`` is the table twin of the figures. A section that cannot be computed says what is missing and how to get it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paberki.amounts import number, percent
from paberki.markup.html import Safe, element, link
from paberki.markup.svg import standalone
from paberki.store.files import replacing, write_json, write_text

SHOWN = 40
"""Rows of a table on the page; the files have all."""
_REMARK = "says"
"""A column of words in place of numbers: what a paper says where it gives none."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawn figure; ``name`` is unique in the page and names its file."""

    name: str
    svg: str


@dataclass(frozen=True, slots=True)
class Section:
    """One subject of a report."""

    name: str
    """Key in JSON and name of the files."""
    title: str
    caption: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    """Single numbers, by the words of the papers."""
    rows: Sequence[Mapping[str, Any]] = ()
    figures: Sequence[Figure] = ()
    notes: Sequence[str] = ()
    """What limits the numbers: samples and their seeds, warnings."""
    missing: str = ""
    """Why there is nothing, and what to type to get it."""
    heads: Mapping[str, str] = field(default_factory=dict)
    """Columns shown on the page and their headings; all columns by their names where it is empty."""
    tables: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    """Further tables, by heading; in JSON under their names."""

    def as_json(self) -> dict[str, Any]:
        """Values, rows and notes."""
        further = {name.lower().replace(" ", "_"): list(rows) for name, rows in self.tables.items()}
        about = {"title": self.title, "notes": list(self.notes)}
        gap = {"missing": self.missing} if self.missing else {}
        figure_names = {"figures": [one.name for one in self.figures]} if self.figures else {}
        return {**about, **gap, **figure_names, **self.values, "rows": list(self.rows), **further}

    def as_html(self) -> Safe:
        """The section as a part of a page."""
        inside: list[object] = [element("p", self.caption)] if self.caption else []
        if self.missing:
            inside.append(element("p", self.missing, class_="missing"))
        inside += [element("figure", Safe(one.svg)) for one in self.figures]
        inside += [element("p", note, class_="note") for note in self.notes]
        if self.rows:
            inside.append(_table(self.rows, self.heads))
            inside.append(_files(self.name, len(self.rows)))
        for heading, rows in self.tables.items():
            if rows:
                inside += [element("h3", heading), _table(rows, {})]
        return element("section", element("h2", self.title), *inside, id=self.name)

    def write(self, folder: Path) -> None:
        """JSON always; CSV where there are rows; each figure as a file of its own."""
        write_json(folder / f"{self.name}.json", self.as_json())
        write_csv(folder / f"{self.name}.csv", self.rows)
        for one in self.figures:
            write_text(folder / f"{one.name}.svg", standalone(one.svg))


def _files(name: str, count: int) -> Safe:
    row_note = f"the first {SHOWN} of {number(count)} rows; " if count > SHOWN else ""
    csv_link = element("a", f"{name}.csv", href=f"{name}.csv")
    json_link = element("a", f"{name}.json", href=f"{name}.json")
    return element("p", row_note, "files: ", csv_link, ", ", json_link, class_="files")


def _table(rows: Sequence[Mapping[str, Any]], heads: Mapping[str, str]) -> Safe:
    columns = [name for name in heads or _columns(rows) if name != _REMARK]
    kinds = {name: "number" if any(_is_number(row.get(name)) for row in rows) else "word" for name in columns}
    titles = [
        element("th", heads.get(name, name.replace("_", " ")), class_=kinds[name], scope="col") for name in columns
    ]
    lines = [_row(row, columns, kinds) for row in rows[:SHOWN]]
    inside = element("table", element("thead", element("tr", *titles)), element("tbody", *lines))
    return element("div", inside, class_="table")


def _row(row: Mapping[str, Any], columns: Sequence[str], kinds: Mapping[str, str]) -> Safe:
    """Cells; a remark in place of numbers takes the whole width."""
    if remark := row.get(_REMARK):
        first = element("td", _cell(columns[0], row.get(columns[0])), class_=kinds[columns[0]])
        return element("tr", first, element("td", str(remark), colspan=max(len(columns) - 1, 1)))
    return element("tr", *(element("td", _cell(name, row.get(name)), class_=kinds[name]) for name in columns))


def _columns(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _cell(name: str, value: Any) -> object:
    if value is None:
        return "–"
    if isinstance(value, float):
        if name == "share" or name.endswith("_share"):
            return percent(value)
        return f"{value:,.3f}" if abs(value) < 100 else number(value)
    if _is_number(value):
        return number(value)
    if isinstance(value, list | tuple):
        return ", ".join(str(one) for one in value)
    return link(value, value) if name == "url" else str(value)


def write_csv(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """All rows, whole or not at all; lists are joined by spaces."""
    some = list(rows)
    names = _columns(some)
    with replacing(path) as beside, open(beside, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows([_plain(row.get(name)) for name in names] for row in some)


def _plain(value: object) -> object:
    """Spreadsheets run a cell that begins like a formula; host names and words come from strangers."""
    if isinstance(value, float):
        return f"{value:.6f}"
    text = " ".join(str(one) for one in value) if isinstance(value, list | tuple) else value
    return f"'{text}" if isinstance(text, str) and text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
