"""What is in a corpus, what is running in it, and what its stages have cost."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from paberki.corpus import Corpus

__all__ = ["prometheus", "stage_costs", "state"]


_SUMS: Final = ("pages_in", "bytes_in", "cpu_seconds", "errors")
_METRICS: Final = {
    "pages_in": "Pages that came to the stage when it last ran.",
    "bytes_in": "Bytes of these pages as they were fetched.",
    "cpu_seconds": "CPU time of the stage.",
    "pages_per_cpu_second": "Pages for each second of CPU time.",
    "peak_bytes": "Most memory of a worker while it ran the stage.",
    "errors": "Pages that failed in the stage.",
}


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
            total = costs.setdefault(name, {"stage": name, **dict.fromkeys(_SUMS, 0), "peak_bytes": 0})
            for key in _SUMS:
                total[key] += tally.get(key, 0)
            total["peak_bytes"] = max(total["peak_bytes"], tally.get("peak_bytes", 0))
            total.setdefault("time", run["time"])
    for total in costs.values():
        cpu_seconds = total["cpu_seconds"]
        total["pages_per_cpu_second"] = round(total["pages_in"] / cpu_seconds, 2) if cpu_seconds else None
    return [costs[name] for name in _in_order(runs, costs)]


def prometheus(facts: Mapping[str, Any], stages: Sequence[Mapping[str, Any]]) -> str:
    """Sizes of a corpus and costs of its stages in the text format of Prometheus, for a node exporter's folder."""
    corpus = _label(Path(facts["directory"]).name)
    lines = []
    for name, meaning, value in (
        ("pages", "Pages of the corpus.", facts["pages"]),
        ("kept_pages", "Pages that are kept.", facts["kept"]),
        ("archive_bytes", "Bytes of archive.", facts["archive_bytes"]),
    ):
        if value is not None:
            lines += [*_head(f"paberki_{name}", meaning), f'paberki_{name}{{corpus="{corpus}"}} {value}']
    for key, meaning in _METRICS.items():
        lines += _head(f"paberki_stage_{key}", meaning)
        lines += [
            f'paberki_stage_{key}{{corpus="{corpus}",stage="{_label(one["stage"])}"}} {one[key]}'
            for one in stages
            if one[key] is not None
        ]
    return "\n".join(lines) + "\n"


def _head(name: str, meaning: str) -> list[str]:
    return [f"# HELP {name} {meaning}", f"# TYPE {name} gauge"]


def _label(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _in_order(runs: Path, names: Iterable[str]) -> list[str]:
    """Stages in the order of the last run that names each."""
    order: dict[str, int] = {}
    for path in sorted(runs.glob("*.json")):
        run = _read(path)
        if isinstance(run, dict) and "result" in run:
            order |= {tally["stage"]: at for at, tally in enumerate(run["result"]["stages"])}
    return sorted(names, key=lambda name: order.get(name, len(order)))


def state(corpus: Corpus) -> dict[str, Any]:
    """Everything that status shows."""
    from paberki.recipe.tables import preset_and_languages
    from paberki.store.lock import holder

    directory = corpus.directory
    manifest, sources = directory.manifest(), directory.sources()
    waiting = sum(max(0, one.committed - manifest.covered.get(one.name, 0)) for one in sources)
    preset, languages = preset_and_languages(directory.recipe)
    facts: dict[str, Any] = {
        "directory": str(directory.root),
        "preset": preset,
        "lang": list(languages),
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
    facts["missing"] = _missing(corpus)
    if (directory.crawl / "status.json").exists():
        facts["crawl"] = _read(directory.crawl / "status.json")
    return facts


def _missing(corpus: Corpus) -> list[str]:
    """What a build in parts still lacks."""
    if not corpus.directory.parts.is_dir():
        return []
    from paberki.engine.build_parts import missing

    return missing(corpus.directory, corpus.plan())


def _latest(folder: Path) -> Path:
    """The file about the progress of a build, or of one of its parts, that was written last."""
    files = {path: path.stat().st_mtime_ns for path in folder.glob("build*.json")}
    return max(files, key=files.__getitem__, default=folder / "build.json")


def _read(path: Any) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None


def _kept_pages(corpus: Corpus) -> int | None:
    """Kept pages, None before the first selection."""
    import pyarrow.parquet as pq

    directory, total = corpus.directory, 0
    shards = directory.manifest().shards
    for shard in range(len(shards)):
        path = directory.layer("select", shard)
        if not path.exists():
            return None
        total += sum(chunk.true_count for chunk in pq.ParquetFile(path).read(["keep"]).column("keep").chunks)
    return total if shards else None
