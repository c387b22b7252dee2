"""The numbers of a report are counted once: those that are returned are those that are written."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from paberki.report.written_report import report, write_report


def test_sections_are_those_of_the_files(parts: tuple[Any, ...], tmp_path: Path) -> None:
    page, sections = write_report(*parts, out=tmp_path)
    assert page == tmp_path / "index.html"
    for name, section in sections.items():
        assert json.loads((tmp_path / f"{name}.json").read_text("utf-8")) == json.loads(json.dumps(section.as_json()))
        with (tmp_path / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            assert len(list(csv.DictReader(file))) == len(section.rows)
    with (tmp_path / "hosts.csv").open(encoding="utf-8", newline="") as file:
        hosts = list(csv.DictReader(file))
    summary = sections["documents_per_host"].values
    assert len(hosts) == summary["hosts"]
    kept = sections["attrition"].rows[-1]["pages"]
    assert sum(int(host["kept"]) for host in hosts) == summary["kept"] == kept


def test_sections_agree_on_the_pages(parts: tuple[Any, ...], tmp_path: Path) -> None:
    sections = write_report(*parts, out=tmp_path).sections
    crawled, kept = (sections["attrition"].rows[at]["pages"] for at in (0, -1))
    assert sections["documents_per_host"].values["pages"] == crawled
    assert sections["lengths"].values["pages"] == kept
    assert sum(row["kept"] for row in sections["languages"].rows) == kept
    assert sections["duplicates"].values["after"][0] == kept
    for name in ("status", "mime", "opt_out", "licence", "charset"):
        assert sum(row["pages"] for row in sections[name].rows) == crawled, name
        assert sum(row["kept"] for row in sections[name].rows) == kept, name
    assert sections["diacritics"].values["pages"] == kept
    assert sections["sizes"].rows[1]["pages"] == kept


def test_the_same_corpus_gives_the_same_report(parts: tuple[Any, ...], tmp_path: Path) -> None:
    first, second = report(*parts, out=tmp_path / "a"), report(*parts, out=tmp_path / "b")
    assert first.read_bytes() == second.read_bytes()
