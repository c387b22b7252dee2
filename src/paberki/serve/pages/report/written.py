"""Sections of a report or a comparison that were written to files: figures, tables, notes; cells lead to pages and lines."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import FileResponse, Response

from paberki.markup.html import Safe, element, join_html, void
from paberki.serve.json_answers import not_found
from paberki.serve.pages.pieces import scrolling_table
from paberki.serve.pages.report.leading import cell

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = ["report_file", "written_sections"]

_FILES: Final = {".json": "application/json", ".csv": "text/csv; charset=utf-8", ".svg": "image/svg+xml"}
_SVG_POLICY: Final = "sandbox; default-src 'none'; style-src 'unsafe-inline'"
_ROWS: Final = 12
_MOST_BYTES: Final = 4_000_000
_LAST: Final = ("recipe", "crawl", "failures", "samples")


def _folder(visit: Visit, name: str) -> Path:
    """The folder of the report, or a folder in it; never one elsewhere."""
    report = visit.edition.pages.directory.report
    if not name:
        return report
    if name not in _comparisons(report):
        raise not_found(f"the report has no folder {name[:80]!r}")
    return report / name


def _comparisons(report: Path) -> list[str]:
    """Folders of the report that hold a page of their own: comparisons."""
    return sorted(path.parent.name for path in report.glob("*/index.html")) if report.is_dir() else []


def written_sections(visit: Visit, folder: str = "") -> Safe:
    """All sections, with a list of them at the top."""
    place, say = _folder(visit, folder), visit.say
    sections = _read(place)
    links = [element("a", content["title"], href=f"#section-{name}") for name, content in sections]
    others = [] if folder else _comparisons(place)
    comparison_links = [element("a", name, href=visit.here("/report", folder=name), class_="button") for name in others]
    commands = [
        f"paberki report {visit.edition.root} --topics",
        f"paberki compare {visit.edition.root} OTHER --out {place / 'compare'}",
    ]
    advice = element(
        "p",
        say("Written by:"),
        " ",
        join_html(join_html([element("code", one), " "]) for one in commands),
        class_="small muted",
    )
    parts = [
        element("h2", say("The written report")),
        element("p", say("Comparisons:"), " ", *comparison_links, class_="row") if comparison_links else "",
        element("nav", *links, class_="tabs contents", aria_label=say("Sections")) if links else "",
        *(_section(visit, folder, name, content) for name, content in sections),
        advice,
    ]
    return element("section", *parts, class_="stack", data_testid="written-report")


def _read(folder: Path) -> list[tuple[str, dict[str, Any]]]:
    """Contents of the files of sections; those that are no sections, or cannot be read, are passed over."""
    sections = []
    for path in sorted(folder.glob("*.json"), key=lambda one: (one.stem in _LAST, one.stem)) if folder.is_dir() else []:
        try:
            content = json.loads(path.read_text("utf-8")) if path.stat().st_size < _MOST_BYTES else {}
        except (OSError, ValueError):
            continue
        if isinstance(content, dict) and isinstance(content.get("title"), str):
            sections.append((path.stem, content))
    return sections


def _section(visit: Visit, folder: str, name: str, content: Mapping[str, Any]) -> Safe:
    inside: list[object] = [element("h3", content["title"])]
    if content.get("missing"):
        inside.append(element("p", str(content["missing"]), class_="muted"))
    inside += [
        element("figure", void("img", src=visit.here("/report/file", name=f"{figure}.svg", folder=folder), alt=str(content["title"]), loading="lazy", decoding="async"), class_="report-figure")
        for figure in content.get("figures") or []
        if isinstance(figure, str)
    ]  # fmt: skip
    inside += [element("p", str(note), class_="small muted") for note in content.get("notes") or []]
    tables = {
        "": content.get("rows"),
        **{key: value for key, value in content.items() if key not in ("rows", "notes", "figures")},
    }
    for key, rows in tables.items():
        if isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows):
            inside.append(_table(visit, name, f"{content['title']} {key}".strip(), rows))
    files = [
        element("a", f"{name}{kind}", href=visit.here("/report/file", name=f"{name}{kind}", folder=folder))
        for kind in (".csv", ".json")
    ]
    inside.append(element("p", *joined_links(files), class_="tiny muted"))
    return element("section", *inside, class_="card stack tight", id=f"section-{name}", data_testid=f"section-{name}")


def joined_links(links: Sequence[Safe]) -> list[object]:
    """Links with a point between them."""
    return [part for at, link in enumerate(links) for part in ([" · ", link] if at else [link])]


def _table(visit: Visit, section: str, title: str, rows: Sequence[Mapping[str, Any]]) -> Safe:
    names = list(dict.fromkeys(name for row in rows[:_ROWS] for name in row))[:12]
    numeric = [name for name in names if all(_is_number(row.get(name)) for row in rows[:_ROWS])]
    order = [name for name in names if name not in numeric] + numeric
    cells = [tuple(cell(visit, section, name, row) for name in order) for row in rows[:_ROWS]]
    heads = [name.replace("_", " ") for name in order]
    return scrolling_table(title, heads, cells, len(order) - len(numeric))


def _is_number(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def report_file(visit: Visit) -> Response:
    """``/report/file?name=&folder=``: a file of the report, never one of another folder."""
    folder, name = _folder(visit, visit.value("folder")), visit.value("name")
    if name not in {path.name for path in folder.glob("*") if path.suffix in _FILES and path.is_file()}:
        raise not_found(f"the report has no file {name[:80]!r}")
    suffix = Path(name).suffix
    if suffix == ".svg":
        return FileResponse(folder / name, media_type=_FILES[suffix], headers={"Content-Security-Policy": _SVG_POLICY})
    return FileResponse(folder / name, media_type=_FILES[suffix], filename=name)
