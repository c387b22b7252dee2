"""What answers look like: dataclasses that the OpenAPI document is made from.

Rows of lists have one more column than declared here: the attribute that the list is by, under its own name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from paberki.serve.json_answers import CountState, Envelope, Links

Fields = dict[str, Any]
"""An object whose names depend on the corpus."""


@dataclass(frozen=True, kw_only=True)
class HitRow:
    """A line of a concordance."""

    left: str
    node: str
    right: str
    page: str
    """The id under which ``pages/{id}`` has the page."""
    url: str | None
    host: str | None
    date: str | None
    title: str | None
    key: str | None
    lang: str | None
    start: int
    """Position of the first token of the hit."""
    end: int
    """Position behind its last token."""
    bytes: list[int] | None
    """Where the hit is in the bytes of the page."""
    labels: Fields
    reason: str | None = None
    """Why the page was left out."""
    attributes: Fields | None = None
    """With view=table: values of all attributes of the hit."""


@dataclass(frozen=True, kw_only=True)
class SpreadRow:
    """How often something occurs, and how widely."""

    hits: int
    pages: int
    hosts: int
    arf: float
    dp: float
    per_million: float


@dataclass(frozen=True, kw_only=True)
class GroupRow(SpreadRow):
    """Hits in a group of pages; ``per_million`` is relative to its tokens."""

    tokens: int


@dataclass(frozen=True, kw_only=True)
class CollocateRow(SpreadRow):
    """What stands around hits; the measure has its own name."""

    collocate: str


@dataclass(frozen=True, kw_only=True)
class PartRow:
    """A part of the corpus."""

    part: int
    hits: int


@dataclass(frozen=True, kw_only=True)
class ValueRow:
    """A value and how often it occurs."""

    value: str
    hits: int


@dataclass(frozen=True, kw_only=True)
class HitLines(Envelope):
    """Lines of a concordance."""

    rows: list[HitRow]  # type: ignore[assignment]


@dataclass(frozen=True, kw_only=True)
class Frequency(Envelope):
    """A frequency list."""

    rows: list[SpreadRow]  # type: ignore[assignment]


@dataclass(frozen=True, kw_only=True)
class Collocations(Envelope):
    """Collocations."""

    rows: list[CollocateRow]  # type: ignore[assignment]


@dataclass(frozen=True, kw_only=True)
class Groups(Envelope):
    """Hits by groups of pages."""

    rows: list[GroupRow]  # type: ignore[assignment]


@dataclass(frozen=True, kw_only=True)
class Trend(Envelope):
    """Hits by period, or values with trends."""

    rows: list[SpreadRow]  # type: ignore[assignment]


@dataclass(frozen=True, kw_only=True)
class Dispersion(Envelope):
    """Hits in parts of equal size, in corpus order."""

    rows: list[PartRow]  # type: ignore[assignment]
    figures: Fields = field(default_factory=dict)
    """For all hits: hits, pages, hosts, arf, dp, per_million; pages, hosts and tokens of the corpus."""


@dataclass(frozen=True, kw_only=True)
class ValueList(Envelope):
    """Values of an attribute."""

    rows: list[ValueRow]  # type: ignore[assignment]


@dataclass(frozen=True, kw_only=True)
class AnswerRows(Envelope):
    """A list whose columns depend on the corpus."""

    rows: list[Fields]


@dataclass(frozen=True, kw_only=True)
class AnswerHead:
    """What every answer that is no list says."""

    corpus: str
    build: str
    selection: str
    took_ms: float


@dataclass(frozen=True, kw_only=True)
class CorpusFacts(AnswerHead):
    """The corpus: sizes, languages, what can be asked."""

    name: str
    lang: str | None
    tokens: int
    pages: int
    kept_tokens: int
    kept_pages: int
    hosts: int
    attributes: list[str]
    structures: Fields
    selections: Fields
    """Tokens of each named selection."""
    corpora: list[str]
    """All corpora of this server."""
    edit: bool
    """Whether requests may write."""


@dataclass(frozen=True, kw_only=True)
class ParsedQuery(AnswerHead):
    """A query as a tree and as text."""

    query: str
    canonical: str
    strategy: str
    dialect: str
    tree: Fields


@dataclass(frozen=True, kw_only=True)
class PageDescription(AnswerHead):
    """A page: where it comes from, what is in it."""

    id: str
    key: str | None
    url: str | None
    host: str | None
    date: str | None
    title: str | None
    warc_file: str | None
    warc_offset: int | None
    encoding: str | None
    kept: bool | None
    reason: str | None
    blocks: list[Fields]
    columns: Fields
    """All columns of the page that can be told in a word or number."""


@dataclass(frozen=True, kw_only=True)
class PageText(AnswerHead):
    """Texts of the blocks of a page."""

    id: str
    blocks: list[str]
    text: str


@dataclass(frozen=True, kw_only=True)
class PageTokens(AnswerHead):
    """Tokens of a page, or of one sentence with its tree."""

    id: str
    sentences: int
    rows: list[Fields]


@dataclass(frozen=True, kw_only=True)
class Explained(AnswerHead):
    """Every decision about a page."""

    id: str
    explanation: Fields


@dataclass(frozen=True, kw_only=True)
class SelectAnswer(AnswerHead):
    """What the rules leave out, and what a cut would change."""

    rows: list[Fields]
    """A row for each reason."""
    cut: str | None
    replaces: str | None
    """The rule whose place the cut takes."""
    now: Fields
    then: Fields | None
    lost: Fields | None
    won: Fields | None
    written: str | None = None
    next_command: str | None = None
    """What to type so that a rule that was written takes effect."""


@dataclass(frozen=True, kw_only=True)
class CrawlAnswer(AnswerHead):
    """What a crawl says about itself; ``status`` is null where there was none."""

    running: bool
    status: Fields | None


@dataclass(frozen=True, kw_only=True)
class JobAnswer(AnswerHead):
    """A search or an export in the background."""

    id: str
    kind: str
    count: CountState
    links: Links
    file: str | None = None
    error: str | None = None


@dataclass(frozen=True, kw_only=True)
class SavedBody:
    """A query to be saved."""

    name: str
    q: str
    note: str = ""
    parameters: Fields = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class CodingBody:
    """A label that a coder gives a page or, with ``start`` and ``end``, a span of its bytes."""

    task: str
    coder: str
    key: str
    variable: str
    value: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, kw_only=True)
class LabelBody:
    """A label on a line: on a span of bytes of a page."""

    key: str
    start: int
    end: int
    label: str
    coder: str = "web"


@dataclass(frozen=True, kw_only=True)
class SelectBody:
    """A cut to look at, or to write into the recipe."""

    cut: str
    write: bool = False
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class ExportBody:
    """An export: pages in a format, or the hits of a query."""

    format: str
    q: str | None = None
    where: str | None = None
    set: str | None = None


@dataclass(frozen=True, kw_only=True)
class TreeBody:
    """A query as a tree."""

    tree: Fields
    dialect: str = "cqp"
