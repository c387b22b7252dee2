"""The templates of a host's URLs, and which of them are worth a request.

URLs of one template (``urls.template``) mostly come from one program and are of similar value. A template that for a
while brought neither good text nor links to good text is cut: its URLs stay in the queue and are not fetched, except
for a probe at doubling intervals, so that a template that was cut too early opens again. This alone stops calendars,
counters, facets, session ids and soft 404s, however they are made.

Endless paths and combinations of parameters create ever new templates, each too young to be cut. Templates are
therefore also counted together with their kin: all templates with one path, and all below one first directory.
Generated names and directories (session ids, soft 404s) are recognised by what new templates bring that differ only in
them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf

from paberki.crawl.steering.template_names import AGAIN, DRY_ELSEWHERE, LISTS, NEVER, TemplateNames
from paberki.crawl.steering.yield_tally import NOTHING, YieldTally

DRY_PATH = 30
"""The same for all templates with one path and different parameters together."""
DRY_FOLDER = 40
"""The same for all templates below one first directory together."""
DRY_NEW = 40
"""The same for the first fetches of all templates that differ only in one directory or in their last name."""
NEW = 2
"""Number of first fetches of a template that count for ``DRY_NEW``."""
PROBE = 100
"""Fetches from the host after which a cut template is probed; doubled each time."""
TEMPLATES = 500
"""Most templates of a host that are distinguished; the rest are counted as one."""
POOR, OLDER = AGAIN + "poor", AGAIN + "older"
"""Stored pages without good text, and pages that a sitemap dates before our copy: they come last."""
ALL, STEPS = ":all", ":steps"
"""Queues of strategies that do not choose by template: all URLs of a host, and the next steps of walks."""
OPENED, _MANY, _LATELY = 5.0, 20, 0.2
"""URLs that a lead is expected to add at first, the most that count, and the weight of the last page."""
_HOPELESS = 0.3
"""What must at least be expected of a kind of pages, where a mean one has 1, to be tried for its own sake."""
_EARLY = 10
"""First fetches from a host, for which the most frequent templates come first."""
_LAST = {POOR: 0.1, OLDER: 0.01}
_REST = "…"


class Kin(YieldTally):
    """The joint tally of templates that belong together."""

    __slots__ = ("_names", "_patience", "name", "of_new", "rule")

    def __init__(self, name: str, rule: str, patience: int, names: TemplateNames, *, of_new: bool = False) -> None:
        super().__init__()
        self.name, self.rule = name, rule
        self.of_new = of_new
        """Whether only the first fetches of each template count, to show what new templates bring."""
        self._patience, self._names = patience, names

    @property
    def new_name(self) -> str:
        """Under which name first fetches are counted over all hosts."""
        return f"new {self.name}"

    @property
    def is_spent(self) -> bool:
        """Whether it has been useless for too long, with less patience if it is useless on other hosts too."""
        return self.is_exhausted(DRY_ELSEWHERE if self._names.useless(self.name) else self._patience)


@dataclass(slots=True, eq=False)
class Template:
    """One template of one host."""

    id: int
    name: str
    tally: YieldTally = field(default_factory=YieldTally)
    waiting_urls: int = 0
    """Its URLs in the queue."""
    probe_at: int = 0
    """Number of the host's fetches at which a cut template is probed; 0 while it is not cut."""
    probe_gap: int = PROBE
    met_count: int = 0
    """Its URLs met in this run."""
    kin: tuple[Kin, ...] = ()
    """Groups to which it belongs."""
    opened_urls: float = OPENED
    """URLs of useful templates that a page without good text added lately, in this run."""
    mark: float = 1.0
    """Factor for the language that its name mentions."""

    def note_opened(self, count: int) -> None:
        """Count the URLs that a page without good text added."""
        self.opened_urls += _LATELY * (min(count, _MANY) - self.opened_urls)

    @property
    def lead_value(self) -> float:
        """Share of good pages among those that a lead costs, itself and what it adds, if all that it adds is good."""
        return self.opened_urls / (1.0 + self.opened_urls)

    @property
    def family(self) -> Kin | None:
        """The group of templates that differ from it in the last name or in their parameters only; None if there is none, or
        it holds whatever stands at the root."""
        return next((kin for kin in self.kin if kin.rule in ("names", "parameters") and kin.name != "/*"), None)

    @property
    def again(self) -> bool:
        """Whether its pages were stored before this recrawl."""
        return self.name == LISTS or self.name.startswith(AGAIN)

    @property
    def cut_rule(self) -> str:
        """The rule by which the template is cut; empty if it is not."""
        if self.probe_at:
            return "template"
        if not (self.tally.good or self.tally.leads):
            for kin in self.kin:
                if kin.is_spent:
                    return kin.rule
        return ""


class Templates:
    """All templates of a host."""

    def __init__(self, names: TemplateNames) -> None:
        self._names = names
        self._by_name: dict[str, Template] = {}
        self._by_id: dict[int, Template] = {}
        self._kin: dict[str, Kin] = {}
        self.unsaved_templates: set[Template] = set()

    def __iter__(self) -> Iterator[Template]:
        return iter(self._by_id.values())

    def __getitem__(self, number: int) -> Template:
        return self._by_id[number]

    def load(self, template: Template) -> None:
        """Add a template as it was saved."""
        self._by_name[template.name] = template
        self._by_id[template.id] = template
        template.kin = self._kin_of(template.name)
        template.mark = self._names.marks.factor(template.name)
        most = template.tally.fetches
        for tally in template.kin:
            fetches = min(NEW, most) if tally.of_new else most
            tally.fetches += fetches
            tally.good += min(fetches, template.tally.good)
            tally.leads += min(fetches, template.tally.leads)
            tally.dry = 0 if tally.good + tally.leads else tally.fetches

    def by_name(self, name: str) -> Template:
        """The template of that name, created on first use."""
        template = self._by_name.get(name)
        if template is None:
            if len(self._by_name) >= TEMPLATES:
                name = _REST
                if name in self._by_name:
                    return self._by_name[name]
            template = Template(len(self._by_id) + 1, name, kin=self._kin_of(name), mark=self._names.marks.factor(name))
            self._by_name[name] = self._by_id[template.id] = template
        return template

    def note(self, template: Template, fetches: int, *, good: bool, leads: bool, copy: bool = False) -> tuple[str, int]:
        """Count a fetch for a template and its kin; ``fetches`` is the number of the host's fetches.

        Returns the rule by which the template is now cut, empty if it is not, and the number of requests wasted on it.
        """
        before = template.cut_rule
        template.tally.note(good=good, leads=leads, copy=copy)
        for tally in template.kin:
            if not tally.of_new or template.tally.fetches <= NEW:
                tally.note(good=good, leads=leads, copy=copy)
        self.unsaved_templates.add(template)
        if good or leads:
            template.probe_at, template.probe_gap = 0, PROBE
        elif template.probe_at:
            template.probe_gap *= 2
            template.probe_at = fetches + template.probe_gap
        elif template.tally.is_exhausted(self._names.patience(template.name)):
            template.probe_at = fetches + template.probe_gap
        after = template.cut_rule
        return after, 0 if not after else 1 if before else template.tally.dry

    def begin_again(self) -> None:
        """Begin a new round: pages that did not change in the last one may have changed since."""
        for template in self._by_id.values():
            if template.name.startswith(AGAIN):
                template.tally.dry = template.probe_at = 0
                for tally in template.kin:
                    tally.dry = 0
                self.unsaved_templates.add(template)

    def wait(self, template: Template, change: int) -> None:
        """Note that URLs entered the queue or left it."""
        template.waiting_urls += change
        self.unsaved_templates.add(template)

    def best(
        self, fetches: int, prior: float, *, stored_only: bool = False, untried_mark: float = inf
    ) -> tuple[Template | None, float]:
        """The template to fetch next and its worth: one that is due for a probe, else the best that is not cut.

        With ``stored_only``, only pages that were stored before; kinds of pages that were not tried come first if they
        have this language mark or a better one.
        """
        best, most, largest = None, -1.0, 0
        sizes = self._sizes() if fetches <= _EARLY else {}
        for template in self._by_id.values():
            if not template.waiting_urls or (stored_only and not template.again):
                continue
            if template.cut_rule:
                if template.probe_at and template.probe_at <= fetches:
                    return template, 0.0
                continue
            worth = template.tally.worth(self._prior(template, prior)) * _LAST.get(template.name, 1.0)
            if template.name == ":sitemap":
                # The first request to a host is for a page, since hosts with long gaps may not get many requests.
                worth = 2.0 if fetches else 0.0
            elif template.name == LISTS or (template.mark >= untried_mark and self._is_untried(template)):
                worth += 1.0
            # Among unknown templates, the most frequent one says most about the host.
            size = sizes.get(template.id, template.waiting_urls)
            if worth > most or (worth == most and size > largest):
                best, most, largest = template, worth, size
        return best, most

    def _sizes(self) -> dict[int, int]:
        """Waiting URLs of each template together with its kin: where every page has its own name or directory, each page is
        a template."""
        urls_of_kin: Counter[str] = Counter()
        for template in self._by_id.values():
            for kin in template.kin:
                urls_of_kin[kin.name] += template.waiting_urls
        return {
            template.id: max([template.waiting_urls, *(urls_of_kin[kin.name] for kin in template.kin)])
            for template in self._by_id.values()
        }

    def has_untried(self, least_mark: float) -> bool:
        """Whether URLs wait of a kind that was not tried yet and has this language mark or a better one."""
        return any(
            template.waiting_urls and template.mark >= least_mark and self._is_untried(template)
            for template in self._by_id.values()
        )

    def _is_untried(self, template: Template) -> bool:
        """Whether nothing of a kind of pages was fetched from the host, and not in vain from others."""
        if template.tally.fetches or template.mark < 1.0 or template.cut_rule or not template.name.startswith("/"):
            return False
        kin = any(kin.fetches for kin in template.kin if kin.rule != "directories" and kin.name != "/*")
        if kin and template.mark == 1.0:
            return False
        return self._unseen(template, 1.0) > _HOPELESS

    def promise(self, prior: float) -> float:
        """The highest promise of a waiting template that is not cut; ``prior`` is the host's yield."""
        candidates = (template for template in self._by_id.values() if template.waiting_urls and not template.cut_rule)
        promises = (
            template.tally.promise(self._prior(template, prior), template.lead_value) * _LAST.get(template.name, 1.0)
            for template in candidates
        )
        return max(promises, default=0.0)

    def _prior(self, template: Template, prior: float) -> float:
        """Expected use of a template before its first fetch: for stored pages, how often the host's pages changed,
        smoothed with the pages of all hosts."""
        if not template.name.startswith(AGAIN):
            return self._unseen(template, prior)
        own = self._kin.get(AGAIN, NOTHING)
        return (own.good + 2.0 * self._names.change) / (own.fetches + 2.0)

    def _unseen(self, template: Template, prior: float) -> float:
        """Expected use of a template before its first fetch: the host's mean, corrected by what the name says, and by
        first fetches of templates that differ in one name only."""
        family = template.family
        names = (template.name,) if family is None else (template.name, family.new_name)
        expected_use = min(1.0, prior * self._names.factor(*names) * template.mark)
        return (
            expected_use
            if family is None
            else (2 * expected_use + family.good + 0.5 * family.leads) / (2 + family.fetches)
        )

    def _group(self, name: str, rule: str, patience: int, *, of_new: bool = False) -> Kin:
        if name not in self._kin:
            self._kin[name] = Kin(name, rule, patience, self._names, of_new=of_new)
        return self._kin[name]

    def _kin_of(self, name: str) -> tuple[Kin, ...]:
        if name.startswith(":"):
            again = name.startswith(AGAIN) and name not in _LAST
            return (self._group(AGAIN, "unchanged", NEVER),) if again else ()
        path, question, _ = name.partition("?")
        groups = [self._group(f"{path}?", "parameters", DRY_PATH)] if question else []
        first, _, rest = path.strip("/").partition("/")
        if rest.count("/") >= 1:
            groups.append(self._group(f"/{first}/", "folder", DRY_FOLDER))
        if first and not question:
            directory = path.rstrip("/").rpartition("/")[0]
            groups.append(self._group(f"{directory}/*", "names", DRY_NEW, of_new=True))
            if rest:
                groups.append(self._group(f"/*/{rest}", "directories", DRY_NEW, of_new=True))
        return tuple(groups)
