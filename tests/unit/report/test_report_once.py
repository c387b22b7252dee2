"""The numbers of a report are counted once: those that are returned are those that are written."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from paberki.report import report, write_report


def test_findings_are_those_of_the_files(parts: tuple[Any, ...], tmp_path: Path) -> None:
    page, findings = write_report(*parts, out=tmp_path)
    assert page == tmp_path / "index.html"
    rows = json.loads((tmp_path / "attrition.json").read_text("utf-8"))["rows"]
    assert [row["pages"] for row in rows] == [row.pages for row in findings.attrition]
    with (tmp_path / "hosts.csv").open(encoding="utf-8", newline="") as file:
        hosts = list(csv.DictReader(file))
    assert len(hosts) == findings.hosts.hosts
    assert sum(int(host["kept"]) for host in hosts) == findings.hosts.kept == findings.attrition[-1].pages


def test_sections_agree_on_the_pages(parts: tuple[Any, ...], tmp_path: Path) -> None:
    findings = write_report(*parts, out=tmp_path).findings
    crawled, kept = findings.attrition[0].pages, findings.attrition[-1].pages
    assert findings.hosts.pages == crawled
    assert findings.lengths.pages == kept
    assert sum(one.kept for one in findings.languages) == kept
    assert findings.duplicates.after[0] == kept


def test_the_same_corpus_gives_the_same_report(parts: tuple[Any, ...], tmp_path: Path) -> None:
    first, second = report(*parts, out=tmp_path / "a"), report(*parts, out=tmp_path / "b")
    assert first.read_bytes() == second.read_bytes()
