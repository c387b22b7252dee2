"""Replicate a paper: all of its tables and figures for a corpus, or for the bundled mini-web, and one page with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Final

from paberki.corpus import Corpus
from paberki.engine.progress import Progress
from paberki.errors import ConfigError
from paberki.nearest import nearest
from paberki.report.comparison.foreign_files import open_foreign
from paberki.report.papers.mini_web import NOTES, build_mini
from paberki.report.papers.paper_item import Item
from paberki.report.papers.paper_view import PaperView
from paberki.report.report_page import page
from paberki.report.sections import viewing
from paberki.report.words.word_source import WordSource
from paberki.store.files import explain, write_text
from paberki.store.scratch import scratch_folder

PAPERS: Final = ("P1", "P2", "P3", "P4", "P5")


def replicate(
    paper: str,
    root: Path | None,
    out: Path,
    *,
    reference: Path | None = None,
    listen: Callable[[Progress], None] | None = None,
) -> list[Item]:
    """Make all items of a paper and write them into a folder."""
    name = paper.upper()
    if name not in PAPERS:
        raise ConfigError(f"{paper}: there are {', '.join(PAPERS)}{nearest(name, PAPERS)}")
    with scratch_folder() as scratch:
        corpus = Corpus(root) if root is not None else build_mini(scratch, name, listen)
        with viewing(corpus) as view, _reference(reference, scratch) as other:
            items: list[Item] = import_module(f"paberki.report.papers.{name.lower()}").items(
                PaperView(view, root is None, other)
            )
    _write(name, items, out, "" if root is not None else NOTES[name])
    return items


@contextmanager
def _reference(path: Path | None, scratch: Path) -> Iterator[WordSource | None]:
    """The reference corpus: a corpus, an index or a file."""
    if path is None:
        yield None
    elif path.is_dir():
        from paberki.query.concordancer import OpenIndex

        index = OpenIndex(path)
        yield WordSource(path.resolve().name, index._scope(), lang=index.reader.lang)
    else:
        yield open_foreign(path, path.name.split(".")[0], scratch / "reference")


def _write(paper: str, items: list[Item], out: Path, note: str) -> None:
    try:
        for item in items:
            item.write(out)
        sections = {item.name: item.section() for item in items}
        caption = f"Tables and figures of {paper}, ours beside the published ones. {note}"
        text = page(f"{paper} replicated", f"{paper} replicated", caption, sections, version("paberki"))
        write_text(out / "index.html", text)
    except OSError as error:
        raise explain(error, f"writing {out}") from error
