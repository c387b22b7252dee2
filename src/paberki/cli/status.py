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
from paberki.corpus_status import prometheus as metrics
from paberki.corpus_status import stage_costs, state

if TYPE_CHECKING:
    from paberki.corpus import Corpus

_SIZES = ("bytes_in", "peak_bytes")


def run(
    directory: Dir,
    watch: Annotated[bool, typer.Option("--watch", "-w", help="Keep showing a running build or crawl.")] = False,
    stages: Annotated[
        bool, typer.Option("--stages", help="What each stage did last: pages, bytes, CPU seconds, memory, errors.")
    ] = False,
    prometheus: Annotated[
        bool, typer.Option("--prometheus", help="Sizes and costs of stages as text for Prometheus.")
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
      paberki status hr --prometheus > hr.prom
    """
    from paberki.corpus import Corpus

    corpus = Corpus(directory)
    if prometheus:
        show.page_text(metrics(state(corpus), stage_costs(corpus.directory.runs)))
    elif json:
        show.as_json(state(corpus) | ({"stages": stage_costs(corpus.directory.runs)} if stages else {}))
    elif stages:
        if not quiet:
            _show_stages(stage_costs(corpus.directory.runs))
    elif watch:
        _watch(corpus)
    elif not quiet:
        for line in _lines(state(corpus)):
            show.say(line)


def _show_stages(costs: list[dict[str, Any]]) -> None:
    heads = ("stage", "pages in", "bytes in", "CPU s", "pages per CPU s", "peak memory", "errors")
    show.table(heads, [_costs(one) for one in costs], right=range(1, len(heads)))


def _costs(one: dict[str, Any]) -> tuple[str, ...]:
    rate, sizes = one["pages_per_cpu_second"], [show.size(one[key]) if one[key] else "–" for key in _SIZES]
    speed = "–" if rate is None else show.count(rate)
    return (
        one["stage"], show.count(one["pages_in"]), sizes[0], f"{one['cpu_seconds']:.2f}", speed, sizes[1],
        show.count(one["errors"]),
    )  # fmt: skip


def _lines(facts: dict[str, Any]) -> list[str]:
    languages = ", ".join(facts["lang"]) or "any language"
    lines = [
        f"{facts['directory']}: {languages}, preset {facts['preset']}",
        f"archive: {show.several(facts['archives'], 'file')}, {show.size(facts['archive_bytes'])}",
        f"pages:   {show.count(facts['pages'])} in {show.several(facts['shards'], 'shard')}",
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
