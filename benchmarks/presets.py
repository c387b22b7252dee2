"""Every preset stage by stage: milliseconds of CPU time a page, and pages per CPU second of all stages together.

    python benchmarks/presets.py                          300 pages of 75 kB through all presets
    python benchmarks/presets.py --presets llm modern --pages 1000 --annotate

All tasks run in one process, which handles memory as a worker does, so that each stage can be timed on its own. Values
that several stages share (payload, text) have lines of their own; ``engine`` is everything that is no stage: numbering
pages, reading and writing layers.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pages import write_warc

import paberki
from paberki import engine
from paberki.engine.task import Caution, Work, nothing_follows
from paberki.engine.workers.memory_limits import be_modest
from paberki.recipe.corpus_recipe import parse, presets
from paberki.stage import registry

PARTS = ("run", "observe", "merge", "finish", "emit", "resolve", "check", "solve", "apply")
"""Functions of stages that are timed."""


class Clock:
    """CPU seconds by name; what is timed inside something else counts for itself alone."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self._inner = [0.0]

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, on the clock; a generator is on it whenever it is asked for its next value."""

        def run(*values: Any, **options: Any) -> Any:
            result = self._count(name, lambda: function(*values, **options))
            return self._steps(name, result) if isinstance(result, Iterator) else result

        return run

    def _steps(self, name: str, values: Iterator[Any]) -> Iterator[Any]:
        end = object()
        while (value := self._count(name, lambda: next(values, end))) is not end:
            yield value

    def _count(self, name: str, work: Callable[[], Any]) -> Any:
        began = time.process_time()
        self._inner.append(0.0)
        try:
            return work()
        finally:
            spent = time.process_time() - began
            self.seconds[name] += spent - self._inner.pop()
            self._inner[-1] += spent


class Here:
    """An engine without workers: tasks run one after the other in this process."""

    @property
    def cpu_seconds(self) -> float:
        """CPU time of this process."""
        return time.process_time()

    def take_peak(self) -> int:
        """Nobody asks here."""
        return 0

    def run(self, tasks: Sequence[Any], follow: Any = nothing_follows) -> Iterator[tuple[Any, Any]]:
        """Run the tasks, and those that follow from them."""
        waiting = list(tasks)
        while waiting:
            task = waiting.pop(0)
            result = task.run(Work(Caution(), lambda *_: None))
            waiting += follow(task, result)
            yield task, result

    def close(self) -> None:
        """Nothing to stop."""


def build(root: Path, warc: Path, preset: str, lang: str, annotate: bool) -> Clock:
    """Build a corpus with a preset, and tell what each stage took."""
    clock = Clock()
    corpus = paberki.new(root, lang=lang, preset=preset)
    recipe = corpus.directory.recipe
    names = [one.name for one, _ in parse(recipe.read_text("utf-8"), str(recipe)).stages]
    names = [name for name in names if annotate or not name.startswith("annotate.")]
    recipe.write_text(f"stages = {json.dumps(names)}\n{recipe.read_text('utf-8')}", "utf-8")
    corpus = paberki.open(root)
    corpus.add([warc])
    kept_stages, kept_values, kept_engine = dict(registry._STAGES), dict(registry._EPHEMERALS), engine.make_engine
    for name, one in kept_stages.items():
        functions = {part: getattr(one.parts, part) for part in PARTS if getattr(one.parts, part, None) is not None}
        timed = {part: clock.timed(name, function) for part, function in functions.items()}
        registry._STAGES[name] = dataclasses.replace(one, parts=dataclasses.replace(one.parts, **timed))
    for name, value in kept_values.items():
        registry._EPHEMERALS[name] = dataclasses.replace(value, provide=clock.timed(f"({name})", value.provide))
    engine.make_engine = lambda *_: Here()  # type: ignore[assignment, return-value]
    try:
        clock.timed("engine", paberki.open(root).build)(jobs=1)
    finally:
        registry._STAGES.update(kept_stages)
        registry._EPHEMERALS.update(kept_values)
        engine.make_engine = kept_engine
    return clock


def main() -> None:
    """Measure and print; the last line is JSON."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pages", type=int, default=300)
    options.add_argument("--presets", nargs="+", default=sorted(presets()), choices=sorted(presets()))
    options.add_argument("--lang", default="en", help="language of the corpus; pages in others are left out early")
    options.add_argument("--annotate", action="store_true", help="with annotation, which costs more than all the rest")
    arguments = options.parse_args()
    be_modest()
    rates: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory(prefix="paberki-bench-") as name:
        folder = Path(name)
        kind, size = write_warc(folder / "pages.warc.gz", arguments.pages)
        print(f"{arguments.pages} {kind}, {size / 1000:.0f} kB on average")
        write_warc(folder / "few.warc.gz", 20)
        for preset in arguments.presets:
            build(folder / f"{preset}-warm", folder / "few.warc.gz", preset, arguments.lang, arguments.annotate)
            clock = build(folder / preset, folder / "pages.warc.gz", preset, arguments.lang, arguments.annotate)
            total = sum(clock.seconds.values())
            rates[preset] = {one: 1000 * spent / arguments.pages for one, spent in clock.seconds.items()}
            rates[preset]["pages per CPU second"] = arguments.pages / total
            print(f"\n{preset}: {arguments.pages / total:.0f} pages per CPU second")
            for one, spent in clock.seconds.most_common():
                print(f"  {1000 * spent / arguments.pages:8.3f} ms  {one}")
    print(json.dumps(rates))


if __name__ == "__main__":
    main()
