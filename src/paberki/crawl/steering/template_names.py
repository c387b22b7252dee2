"""What is known about templates by their names, over all hosts, since the same programs run on many hosts."""

from __future__ import annotations

from collections.abc import Sequence

from paberki.crawl.steering.language_marks import LanguageMarks
from paberki.crawl.steering.yield_tally import NOTHING, YieldTally

DRY = 20
"""Consecutive useless fetches after which a template that was never useful is cut; copies count twice."""
DRY_ELSEWHERE = 8
"""The same for a template that was useless on ``HOSTS`` hosts that have other good pages."""
HOSTS = 3
AGAIN, LISTS = ":again ", ":lists"
"""Templates of a recrawl: stored pages by their first template, and pages that list others."""
NEVER = 1 << 30
_NAMES = 50_000
_ELSEWHERE = 8
"""Fetches over all hosts that say as much about a template as ``_OWN`` fetches from its host."""
_OWN = 2.0
_BETTER = 2.0
"""Largest factor by which the name of a template raises what is expected of it."""
_AS_GOOD = 0.8
"""Share of the mean of all templates from which on one counts as good."""


class TemplateNames:
    """Tallies of templates by name over all hosts with good pages, since the same programs run on many hosts."""

    def __init__(self, languages: Sequence[str] = ()) -> None:
        self.marks = LanguageMarks(languages)
        self._all = YieldTally()
        """Fetches of all templates together."""
        self._tallies: dict[str, YieldTally] = {}
        self._hosts: dict[str, set[int]] = {}

    def note(self, name: str, host: int, *, good: bool, leads: bool) -> None:
        """Count a fetch from a host."""
        if len(self._tallies) < _NAMES or name in self._tallies:
            self._tallies.setdefault(name, YieldTally()).note(good=good, leads=leads)
            hosts = self._hosts.setdefault(name, set())
            if len(hosts) < HOSTS:
                hosts.add(host)

    def note_page(self, *, good: bool, leads: bool) -> None:
        """Count a fetch of any template."""
        self._all.note(good=good, leads=leads)

    def factor(self, *names: str) -> float:
        """How much better than the mean of all templates those of a name are; of several names, the first known counts."""
        for name in names:
            tally = self._tally_of(name)
            if tally is not None:
                weight = min(tally.fetches, _ELSEWHERE)
                ratio = tally.worth(self._mean) / self._mean
                return min(_BETTER, (_OWN + weight * ratio) / (_OWN + weight))
        return 1.0

    def is_good(self, name: str) -> bool:
        """Whether templates of that name are known to be good on other hosts."""
        tally = self._tally_of(name)
        return tally is not None and tally.worth(self._mean) >= _AS_GOOD * self._mean

    def _tally_of(self, name: str) -> YieldTally | None:
        return self._tallies[name] if len(self._hosts.get(name, ())) >= HOSTS else None

    @property
    def _mean(self) -> float:
        return self._all.worth(0.5)

    def patience(self, name: str) -> int:
        """How many useless fetches a template of that name gets at first."""
        if name == LISTS or name.startswith(AGAIN):
            # Unchanged pages come later, but are never cut.
            return NEVER
        if name == ":feed" or self.useless(name):
            # Many sites have a feed for each page, which lists nothing that the page does not.
            return DRY_ELSEWHERE
        return DRY

    @property
    def change(self) -> float:
        """Share of pages, over all hosts, that had changed when fetched again."""
        tally = self._tallies.get(AGAIN, NOTHING)
        return (tally.good + 1.0) / (tally.fetches + 4.0)

    def useless(self, name: str) -> bool:
        """Whether templates of that name were fetched often enough and never useful."""
        if name.startswith(AGAIN):
            return False
        tally = self._tallies.get(name)
        if tally is None or tally.fetches < 2 * DRY or tally.good or tally.leads:
            return False
        return len(self._hosts[name]) >= HOSTS
