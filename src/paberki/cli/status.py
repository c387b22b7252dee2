"""paberki status."""

from __future__ import annotations

import json as jsonlib
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from paberki.cli import show
from paberki.cli.options import Dir, Json, Quiet

if TYPE_CHECKING:
    from paberki.corpus import Corpus


def run(
    directory: Dir,
    watch: Annotated[bool, typer.Option("--watch", "-w", help="Keep showing a running build or crawl.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show what is in the corpus and what is running.

    \b
    Examples:
      paberki status hr
      paberki status hr --watch
    """
    from paberki.corpus import Corpus

    corpus = Corpus(directory)
    if json:
        show.as_json(state(corpus))
    elif watch:
        _watch(corpus)
    elif not quiet:
        for line in _lines(state(corpus)):
            show.say(line)


def state(corpus: Corpus) -> dict[str, Any]:
    """Everything that status shows."""
    from paberki.store.lock import holder

    directory = corpus.directory
    manifest, sources = directory.manifest(), directory.sources()
    waiting = sum(max(0, one.committed - manifest.covered.get(one.name, 0)) for one in sources)
    found: dict[str, Any] = {
        "directory": str(directory.root),
        "preset": corpus.recipe.preset,
        "lang": list(corpus.recipe.lang),
        "archives": len(sources),
        "archive_bytes": sum(one.committed for one in sources),
        "unsealed_bytes": waiting,
        "pages": manifest.pages,
        "shards": len(manifest.shards),
        "kept": _kept(corpus),
        "building": holder(directory.lock("layers")),
        "crawling": holder(directory.lock("crawl")),
    }
    if found["building"]:
        found["build"] = _read(directory.private / "build.json")
    if (directory.crawl / "status.json").exists():
        found["crawl"] = _read(directory.crawl / "status.json")
    return found


def _read(path: Any) -> Any:
    try:
        return jsonlib.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None


def _kept(corpus: Corpus) -> int | None:
    """Kept pages, None before the first selection."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    directory, total = corpus.directory, 0
    shards = directory.manifest().shards
    for shard in range(len(shards)):
        path = directory.layer("select", shard)
        if not path.exists():
            return None
        total += pc.sum(pq.read_table(path, columns=["keep"]).column("keep")).as_py() or 0
    return total if shards else None


def _lines(found: dict[str, Any]) -> list[str]:
    languages = ", ".join(found["lang"]) or "any language"
    lines = [
        f"{found['directory']}: {languages}, preset {found['preset']}",
        f"archive: {show.count(found['archives'])} files, {show.size(found['archive_bytes'])}",
        f"pages:   {show.count(found['pages'])} in {show.count(found['shards'])} shards",
    ]
    if found["kept"] is not None:
        lines.append(f"kept:    {show.count(found['kept'])}")
    if found["unsealed_bytes"]:
        lines.append(f"new:     {show.size(found['unsealed_bytes'])} not numbered yet; type: paberki build")
    for doing, file in (("building", "build"), ("crawling", "crawl")):
        if found[doing]:
            lines.append(f"{doing}: {found[doing]}")
            if found.get(file):
                lines.append(f"  {_running(file, found[file])}")
    return lines


def _running(kind: str, said: dict[str, Any]) -> str:
    if kind == "build":
        from paberki.engine.progress import Progress

        return show.progress_line(Progress(**said))
    from paberki.cli.crawl import crawl_line
    from paberki.crawl import CrawlStats

    return crawl_line(CrawlStats.from_json(jsonlib.dumps(said)))


def _picture(found: dict[str, Any]) -> RenderableType:
    """What a terminal shows: the lines, and of a running crawl the whole dashboard."""
    lines = Text("\n".join(_lines(found)))
    if not found["crawling"] or not found.get("crawl"):
        return lines
    from paberki.cli.dashboard import panel
    from paberki.crawl import CrawlStats

    return Group(lines, Text(), panel(CrawlStats.from_json(jsonlib.dumps(found["crawl"]))))


def _watch(corpus: Corpus) -> None:
    """Until nothing runs any more, or ctrl-C."""
    from rich.live import Live

    if not show.out.is_terminal:
        while True:
            found = state(corpus)
            show.say("\n".join(_lines(found)))
            if not found["building"] and not found["crawling"]:
                return
            time.sleep(2)
    with Live(console=show.out, refresh_per_second=4) as live:
        while True:
            found = state(corpus)
            live.update(_picture(found))
            if not found["building"] and not found["crawling"]:
                return
            time.sleep(0.5)
