"""The papers that go with a release: notes, citation, licence, how to rebuild it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from paberki.amounts import several
from paberki.release.changes import Changes
from paberki.release.markdown import escape, table, yaml
from paberki.store.taken_down.tombstones import Tombstone


def notes(name: str, release: str, date: str, pages: int, changes: Changes, stones: Sequence[Tombstone]) -> str:
    """What changed since the release before."""
    since = f"since {escape(changes.since)}" if changes.since else "this is the first release"
    lines = [
        f"# {escape(name)} {escape(release)}",
        f"Released on {date} with {several(pages, 'page')}; {since}:",
        f"- pages in: {changes.pages_in}\n- pages out: {changes.pages_out}\n- pages changed: {changes.changed}\n"
        f"- taken down: {changes.taken_down}",
    ]
    if stones:
        rows = [(stone.time, stone.id, stone.key, stone.reason) for stone in stones if stone.key]
        lines += ["## Taken down", table(("time", "id", "key", "reason"), rows, words=4)]
    return "\n\n".join(lines) + "\n"


def citation(name: str, release: str, date: str, authors: Sequence[str], doi: str, licence: str) -> str:
    """CITATION.cff; without a DOI, the fields wait as comments."""
    values: dict[str, Any] = {
        "cff-version": "1.2.0",
        "message": "If you use this corpus, please cite it as below.",
        "type": "dataset",
        "title": f"{name}: a web corpus",
        "version": release,
        "date-released": date,
        "authors": [{"name": author} for author in authors] or [{"name": f"The makers of {name}"}],
        "keywords": ["web corpus", "text corpus"],
    }
    if licence != "other":
        values["license"] = licence
    if doi:
        values |= {"doi": doi, "identifiers": [{"type": "doi", "value": doi, "description": "this version"}]}
    waiting = "" if doi else (
        "# When an archive has given the version a DOI:\n# doi: 10.NNNN/NNNN\n# identifiers:\n#   - type: doi\n#     value: 10.NNNN/NNNN\n"
    )  # fmt: skip
    return yaml(values) + waiting


def how_to_rebuild(name: str, release: str, archives: Sequence[tuple[str, str]], list_name: str) -> str:
    """Which archives it came from, and what to type to have it again."""
    rows = [(file, digest or "written by the crawl itself") for file, digest in archives]
    words = " ".join(f"--warc {file}" for file, _ in archives[:3]) + (" …" if len(archives) > 3 else "")
    return (
        "\n\n".join(
            [
                f"# How to rebuild {escape(name)} {escape(release)}",
                f"It was made with paberki {version('paberki')} from the archives below. `corpus.toml` is the recipe, `models/` holds "
                "what stages have learnt.",
                f"```\npip install paberki=={version('paberki')}\npaberki rebuild {list_name} {words} -o rebuilt\n```",
                "The list names every page by address, time and digest and holds nothing of the texts. Pages that are in none of the "
                "archives are named, and the command ends with exit code 1.",
                table(("archive", "SHA-256"), rows, words=2),
            ]
        )
        + "\n"
    )
