"""What the items of a paper are made from: an open corpus, its words, a reference, and whether the truth is known."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from paberki.report.page_counts import Counter
from paberki.report.report_sources import CorpusView
from paberki.report.section import Section
from paberki.report.words.word_source import WordSource


@dataclass
class PaperView:
    """An open corpus of a paper."""

    corpus: CorpusView
    is_mini: bool = False
    """Whether it is the mini-web, whose truth is known."""
    reference: WordSource | None = None
    topic_count: int = 20
    memory: dict[str, Any] = field(default_factory=dict)

    @property
    def counter(self) -> Counter:
        """The pages."""
        return self.corpus.counter

    @property
    def words(self) -> WordSource | str:
        """The tokens, or why there are none."""
        return self.corpus.words

    def of_words(self, name: str, title: str, make: Any) -> Section:
        """A section about tokens, or what is missing for it."""
        source = self.words
        return Section(name, title, missing=source) if isinstance(source, str) else make(source)

    @cached_property
    def comparison_sources(self) -> Sequence[WordSource]:
        """The corpus and its reference; of the mini-web its largest host is the reference of the rest."""
        source = self.words
        if isinstance(source, str):
            return []
        if self.reference is not None:
            return [source, self.reference]
        return _split_by_host(source) if self.is_mini else [source]

    def count(self, condition: str) -> int:
        """Pages for which a condition holds."""
        return int(self.counter.rows(f"SELECT count(*) FROM pages WHERE {condition}")[0][0])

    @cached_property
    def runs(self) -> list[dict[str, Any]]:
        """What builds of this corpus noted about themselves, the first one first."""
        runs = []
        for path in sorted(self.corpus.directory.runs.glob("*.json")):
            try:
                runs.append(json.loads(path.read_text("utf-8")))
            except (OSError, ValueError):
                continue
        return runs

    def throughput(self, *stages: str) -> float | None:
        """Pages per second of CPU time that stages of these layers took in all builds."""
        pages, seconds = 0, 0.0
        for run in self.runs:
            tallies = [one for one in run["result"]["stages"] if one["stage"].startswith(stages)]
            pages += max((one["pages"] for one in tallies), default=0)
            seconds += sum(one.get("cpu_seconds") or 0.0 for one in tallies)
        return pages / seconds if seconds and pages else None


def _split_by_host(source: WordSource) -> list[WordSource]:
    places = source.scope.places
    tokens = np.asarray(source.scope.page_tokens)
    hosts = np.asarray(places.hosts)
    sizes = np.bincount(hosts[hosts >= 0], weights=tokens[hosts >= 0]) if (hosts >= 0).any() else np.zeros(0)
    if (sizes > 0).sum() < 2:
        return [source]
    largest = int(sizes.argmax())
    own = WordSource("other hosts", source.scope.of_pages(hosts != largest, "rest"), lang=source.lang)
    name = places.host_names[largest]
    return [own, WordSource(name, source.scope.of_pages(hosts == largest, name), lang=source.lang)]
