"""Citations name places that the papers have, and docs/papers.md names files that there are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAPERS = ROOT / "docs" / "papers.md"
NUMBER = r"\d+(?:\.\d+)*"
PLACE = rf"(?:§|(?:[Ss]ections?|[Ss]ec\.|Tables?|Figs?\.|Figures?|[Ee]qs?\.|(?:foot)?notes?|steps?) ){NUMBER}(?:[–-]{NUMBER})?"
CITATION = re.compile(rf"\b(P[1-5])(?:'s)?,? \(?({PLACE}(?:(?:,|;| and)? {PLACE})*)")
BARE = re.compile(rf"()({PLACE})")
KINDS = {"table": "Table", "fig": "Fig.", "eq": "eq.", "foot": "footnote", "note": "footnote", "step": "step"}


def _places(text: str) -> Iterator[str]:
    """Every place of a list such as ``§3.1, Tables 1–3``, ranges of whole numbers counted out."""
    for place in re.findall(PLACE, text):
        word = re.match(r"[^\d]*", place)[0].strip().lower()  # type: ignore[index]
        kind = next((name for start, name in KINDS.items() if word.startswith(start)), "§")
        first, _, last = place[len(re.match(r"[^\d]*", place)[0]) :].replace("-", "–").partition("–")  # type: ignore[index]
        if last and "." not in first + last:
            yield from (f"{kind}{number}" for number in range(int(first), int(last) + 1))
        else:
            yield from (f"{kind}{number}" for number in (first, last) if number)


def _table(columns: int) -> list[list[str]]:
    """The rows of all tables of docs/papers.md with so many columns."""
    rows = [
        line.strip().strip("|").split("|") for line in PAPERS.read_text("utf-8").splitlines() if line.startswith("|")
    ]
    return [[cell.strip() for cell in row] for row in rows if len(row) == columns]


def _known_places() -> set[tuple[str, str]]:
    """Paper and place, for every place that docs/papers.md lists."""
    return {
        (paper, place)
        for paper, cell, _ in _table(3)
        if re.fullmatch(r"P\d", paper) and re.match(PLACE, cell)
        for place in _places(cell)
    }


KNOWN = _known_places()


def unknown(text: str, paper: str = "") -> list[str]:
    """Citations in a text of places that the papers do not have; bare places are those of ``paper``, if there is one."""
    citations = (BARE if paper else CITATION).findall(text)
    return [
        f"{name or paper} {place}"
        for name, places in citations
        for place in _places(places)
        if (name or paper, place) not in KNOWN
    ]


def _sources() -> list[Path]:
    files = [path for folder in ("src", "docs", "benchmarks", "tests") for path in (ROOT / folder).rglob("*")]
    return [
        path
        for path in (*files, *ROOT.glob("*.md"))
        if path.suffix in (".py", ".md", ".toml") and path != Path(__file__).resolve()
    ]


def test_every_citation_names_a_place_that_the_paper_has() -> None:
    wrong = {str(path.relative_to(ROOT)): unknown(path.read_text("utf-8")) for path in _sources()}
    assert {path: places for path, places in wrong.items() if places} == {}


def test_citations_are_found_at_all() -> None:
    assert sum(len(CITATION.findall(path.read_text("utf-8"))) for path in _sources()) > 200


def test_presets_cite_their_own_paper() -> None:
    for path in (ROOT / "src" / "paberki" / "presets").glob("*.toml"):
        comments = "\n".join(line for line in path.read_text("utf-8").splitlines() if line.startswith("#"))
        paper = re.search(r"\((P[1-5])\)", comments.partition("\n")[0])
        assert paper is None or unknown(comments, paper[1]) == [], path.name


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("(P3 §6)", []),
        ("(P3 §4.1)", ["P3 §4.1"]),
        ("P5 §2, §9.1, Fig. 5", ["P5 §9.1", "P5 Fig.5"]),
        ("P1, footnote 1; P1's (§5)", ["P1 §5"]),
        ("P2 (§3, step 8)", ["P2 step8"]),
        ("P5 Fig. 1–3 and P5 §3.3, eq. 1–4", ["P5 eq.4"]),
        ("P4 section 3.3", ["P4 §3.3"]),
        ("al. 2022, §4.2; P1 §2.3, RFC 9110 §15.4", []),
    ],
)
def test_places_that_are_not_there_are_named(text: str, places: list[str]) -> None:
    assert unknown(text) == places


def _capabilities() -> list[list[str]]:
    return [row for row in _table(5) if re.match(r"\d", row[0])]


def test_rows_of_the_table_are_complete_and_in_order() -> None:
    numbers = [str(number) for number in range(1, 87)]
    numbers[68:69] = [f"69{letter}" for letter in "abcdefg"]
    assert [row[0] for row in _capabilities()] == numbers


@pytest.mark.parametrize("row", _capabilities(), ids=lambda row: row[0])
def test_modules_and_tests_of_a_row_exist(row: list[str]) -> None:
    modules, tests = re.findall("`([^`]+)`", row[3]), re.findall("`([^`]+)`", row[4])
    assert "not there yet" in row[3] or (modules and tests)
    assert bool(modules) == bool(tests)
    assert [path for path in modules if not (ROOT / "src" / "paberki" / path).is_file()] == []
    assert [path for path in tests if not (ROOT / "tests" / path).is_file()] == []


def test_every_paper_has_a_preset() -> None:
    presets = {paper: preset.strip("`") for paper, _, preset in _table(3) if preset.startswith("`presets/")}
    assert sorted(presets) == ["P1", "P2", "P3", "P4", "P5"]
    assert all((ROOT / "src" / "paberki" / path).is_file() for path in presets.values())
