"""paberki status."""

from __future__ import annotations

import json as jsonlib
import time
from collections.abc import Iterable
from pathlib import Path
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
    stages: Annotated[
        bool, typer.Option("--stages", help="What each stage did last: pages in, CPU seconds, errors.")
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show what is in the corpus and what is running.

    \b
    Examples:
      paberki status hr
      paberki status hr --watch
      paberki status hr --stages
    """
    from paberki.corpus import Corpus

    corpus = Corpus(directory)
    if json:
        show.as_json(state(corpus) | ({"stages": stage_costs(corpus.directory.runs)} if stages else {}))
    elif stages:
        if not quiet:
            _show_stages(stage_costs(corpus.directory.runs))
    elif watch:
        _watch(corpus)
    elif not quiet:
        for line in _lines(state(corpus)):
            show.say(line)


def stage_costs(runs: Path) -> list[dict[str, Any]]:
    """For every stage what it did when it last had something to do; parts of one build are added up."""
    costs: dict[str, dict[str, Any]] = {}
    parts: dict[str, set[str]] = {}
    for path in sorted(runs.glob("*.json"), reverse=True):
        run = _read(path)
        part = str(run.get("part") or "") if isinstance(run, dict) else ""
        tallies = run["result"]["stages"] if isinstance(run, dict) and "result" in run else []
        for tally in tallies:
            name, parts_of_stage = tally["stage"], parts.setdefault(tally["stage"], set())
            if (
                not tally.get("pages_in")
                or part in parts_of_stage
                or (parts_of_stage and (not part or "" in parts_of_stage))
            ):
                continue
            parts_of_stage.add(part)
            total = costs.setdefault(name, {"stage": name, "pages_in": 0, "cpu_seconds": 0.0, "errors": 0})
            for key in ("pages_in", "cpu_seconds", "errors"):
                total[key] += tally.get(key, 0)
            total.setdefault("time", run["time"])
    return [costs[name] for name in _in_order(runs, costs)]


def _in_order(runs: Path, names: Iterable[str]) -> list[str]:
    """Stages in the order of the last run that names each."""
    order: dict[str, int] = {}
    for path in sorted(runs.glob("*.json")):
        run = _read(path)
        if isinstance(run, dict) and "result" in run:
            order |= {tally["stage"]: at for at, tally in enumerate(run["result"]["stages"])}
    return sorted(names, key=lambda name: order.get(name, len(order)))


def _show_stages(costs: list[dict[str, Any]]) -> None:
    rows = [
        (one["stage"], show.count(one["pages_in"]), f"{one['cpu_seconds']:.2f}", _each(one), show.count(one["errors"]))
        for one in costs
    ]
    show.table(("stage", "pages in", "CPU s", "ms a page", "errors"), rows, right=(1, 2, 3, 4))


def _each(one: dict[str, Any]) -> str:
    return f"{1000 * one['cpu_seconds'] / one['pages_in']:.2f}" if one["pages_in"] else ""


def state(corpus: Corpus) -> dict[str, Any]:
    """Everything that status shows."""
    from paberki.engine.build_parts import missing
    from paberki.store.lock import holder

    directory = corpus.directory
    manifest, sources = directory.manifest(), directory.sources()
    waiting = sum(max(0, one.committed - manifest.covered.get(one.name, 0)) for one in sources)
    facts: dict[str, Any] = {
        "directory": str(directory.root),
        "preset": corpus.recipe.preset,
        "lang": list(corpus.recipe.lang),
        "archives": len(sources),
        "archive_bytes": sum(one.committed for one in sources),
        "unsealed_bytes": waiting,
        "pages": manifest.pages,
        "shards": len(manifest.shards),
        "kept": _kept_pages(corpus),
        "building": holder(directory.lock("layers")),
        "crawling": holder(directory.lock("crawl")),
    }
    if facts["building"]:
        facts["build"] = _read(_latest(directory.private))
    facts["missing"] = missing(directory, corpus.plan())
    if (directory.crawl / "status.json").exists():
        facts["crawl"] = _read(directory.crawl / "status.json")
    return facts


def _latest(folder: Path) -> Path:
    """The file about the progress of a build, or of one of its parts, that was written last."""
    files = {path: path.stat().st_mtime_ns for path in folder.glob("build*.json")}
    return max(files, key=files.__getitem__, default=folder / "build.json")


def _read(path: Any) -> Any:
    try:
        return jsonlib.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None


def _kept_pages(corpus: Corpus) -> int | None:
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


def _lines(facts: dict[str, Any]) -> list[str]:
    languages = ", ".join(facts["lang"]) or "any language"
    lines = [
        f"{facts['directory']}: {languages}, preset {facts['preset']}",
        f"archive: {show.count(facts['archives'])} files, {show.size(facts['archive_bytes'])}",
        f"pages:   {show.count(facts['pages'])} in {show.count(facts['shards'])} shards",
    ]
    if facts["kept"] is not None:
        lines.append(f"kept:    {show.count(facts['kept'])}")
    if facts["unsealed_bytes"]:
        lines.append(f"new:     {show.size(facts['unsealed_bytes'])} not numbered yet; type: paberki build")
    if facts["missing"]:
        lines.append(f"missing: {', '.join(facts['missing'])}")
    for doing, file in (("building", "build"), ("crawling", "crawl")):
        if facts[doing]:
            lines.append(f"{doing}: {facts[doing]}")
            if facts.get(file):
                lines.append(f"  {_running(file, facts[file])}")
    return lines


def _running(kind: str, progress: dict[str, Any]) -> str:
    if kind == "build":
        from paberki.engine.progress import Progress

        return show.progress_line(Progress(**progress))
    from paberki.cli.crawl import crawl_line
    from paberki.crawl import CrawlStats

    return crawl_line(CrawlStats.from_json(jsonlib.dumps(progress)))


def _picture(facts: dict[str, Any]) -> RenderableType:
    """What a terminal shows: the lines, and of a running crawl the whole dashboard."""
    lines = Text("\n".join(_lines(facts)))
    if not facts["crawling"] or not facts.get("crawl"):
        return lines
    from paberki.cli.dashboard import panel
    from paberki.crawl import CrawlStats

    return Group(lines, Text(), panel(CrawlStats.from_json(jsonlib.dumps(facts["crawl"]))))


def _watch(corpus: Corpus) -> None:
    """Until nothing runs any more, or ctrl-C."""
    from rich.live import Live

    if not show.out.is_terminal:
        while True:
            facts = state(corpus)
            show.say("\n".join(_lines(facts)))
            if not facts["building"] and not facts["crawling"]:
                return
            time.sleep(2)
    with Live(console=show.out, refresh_per_second=4) as live:
        while True:
            facts = state(corpus)
            live.update(_picture(facts))
            if not facts["building"] and not facts["crawling"]:
                return
            time.sleep(0.5)
