"""What a build leaves in the corpus: pages and words, and why the others were left out."""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import dataclass, field

import pyarrow.compute as pc

from paberki.amounts import several
from paberki.store import layer
from paberki.store.directory import Directory, Manifest

KEEP = "select.keep"
"""Column that says which pages are in the corpus; without it there is nothing to count."""
MOST = 0.9
"""Share of the pages that one reason may cost before somebody should look at it."""


@dataclass(slots=True)
class BuildSummary:
    """Pages and words of a corpus after selection."""

    kept: int = 0
    words: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    """Pages left out, by reason, the largest number first."""


def summarise(directory: Directory, manifest: Manifest) -> BuildSummary:
    """Count kept pages, their words and the reasons of the others, shard by shard."""
    kept_pages = words = 0
    reasons: Counter[str] = Counter()
    for shard in range(len(manifest.shards)):
        with layer.LayerFile(directory.layer(KEEP.partition(".")[0], shard)) as file:
            columns = file.read_all(["keep", "reason", "selected_word_count"])
        keep = columns["keep"].fill_null(False)
        kept_pages += pc.sum(keep).as_py() or 0
        words += pc.sum(columns["selected_word_count"].filter(keep)).as_py() or 0
        for one in pc.value_counts(columns["reason"].filter(pc.invert(keep))).to_pylist():
            reasons[one["values"] or "no reason"] += one["counts"]
    by_count = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
    return BuildSummary(int(kept_pages), int(words), dict(by_count))


def warning(summary: BuildSummary, pages: int, root: str) -> str | None:
    """A sentence about a build that keeps nothing, or loses nearly everything to one reason; None if all is well."""
    reason, count = next(iter(summary.reasons.items()), ("", 0))
    look = f"look at: paberki peek {shlex.quote(root)} --reason {shlex.quote(reason)}"
    if pages and not summary.kept:
        return f"no page is kept; the largest reason is {reason}, {count:,} of {several(pages, 'page')}; {look}"
    if count > MOST * pages:
        return f"{reason} leaves out {count:,} of {several(pages, 'page')} ({count / pages:.0%}); {look}"
    return None
