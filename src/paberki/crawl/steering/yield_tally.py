"""Counts how often requests of one kind were useful."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class YieldTally:
    """How often a template was fetched and useful."""

    fetches: int = 0
    good: int = 0
    leads: int = 0
    """Fetches that were not good themselves but led to good templates."""
    dry: int = 0
    """Fetches since the last useful one."""

    def note(self, *, good: bool, leads: bool, copy: bool = False) -> None:
        """Count one fetch; a copy counts twice, since it says more about a template than a page without text."""
        self.fetches += 1
        self.good += good
        self.leads += leads and not good
        self.dry = 0 if good or leads else self.dry + 1 + copy

    def is_exhausted(self, patience: int) -> bool:
        """Whether it has been useless for longer than its past explains.

        A template that is useful once in ten fetches will at times be useless for thirty and more. It gets four times
        the mean distance between its useful fetches, and at least one and a half times the ``patience`` with templates
        that were never useful.
        """
        uses = self.good + self.leads
        if not uses:
            return self.dry >= patience
        return self.dry >= max(1.5 * patience, 4 * (self.fetches - self.dry) / uses)

    def worth(self, prior: float) -> float:
        """Expected use of one more fetch: good text counts 1, leads a half; ``prior`` is the host's mean."""
        return (self.good + 0.5 * self.leads + prior) / (self.fetches + 1.0)

    def promise(self, prior: float, lead: float = 1.0) -> float:
        """Expected share of good pages in future: a lead opens pages as good as the host's others, and costs a request, so
        that it is worth the share ``lead`` of one."""
        return (self.good + prior * (lead * self.leads + 1.0)) / (self.fetches + 1.0)


NOTHING = YieldTally()
"""Nothing was fetched."""
