"""The site model: what the mini-web consists of before any of it becomes HTML.

Nothing here knows addresses or ports, so the model is the same in every process and is built once.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from paberki.demo.prose import ProseBlock
from paberki.demo.truth import Truth


@dataclass(frozen=True)
class Charset:
    """How a page is encoded and what it says about that, which need not agree."""

    encoding: str = "utf-8"
    http: str | None = "utf-8"
    meta: str | None = "utf-8"

    @property
    def codec(self) -> str:
        """Python codec: what the web calls shift_jis is Microsoft's superset of it."""
        return "cp932" if self.encoding == "shift_jis" else self.encoding

    @property
    def declared(self) -> str:
        return self.http or self.meta or ""


@dataclass(frozen=True)
class ListingEntry:
    """A line of a listing, with the first words of the page it leads to."""

    path: str
    title: str
    teaser: str = ""


@dataclass(frozen=True)
class SitePage:
    """One finite page, or one page of a trap made for a single request."""

    host: str
    path: str
    kind: str
    language: str
    title: str
    script: str = "Latn"
    blocks: tuple[ProseBlock, ...] = ()
    comments: tuple[str, ...] = ()
    entries: tuple[ListingEntry, ...] = ()
    rows: tuple[tuple[str, str], ...] = ()
    filler: tuple[str, ...] = ()
    """Text that nobody wants: keyword salad."""
    byline: str = ""
    section: str = ""
    charset: Charset = Charset()
    content_type: str | None = "text/html"
    bare: bool = False
    """A print version: the text without the furniture."""
    variant: int = 0
    """Changes the furniture only, for pages that differ in nothing else."""
    duplicate_group: str | None = None
    near_duplicate_group: str | None = None
    trap: str | None = None
    should_fetch: bool = True

    @property
    def wanted(self) -> str:
        return "\n".join(block.text for block in self.blocks)

    def truth(self) -> Truth:
        return Truth(
            url_path=self.path,
            host=self.host,
            language=self.language,
            script=self.script,
            wanted=self.wanted,
            kind=self.kind,
            duplicate_group=self.duplicate_group,
            near_duplicate_group=self.near_duplicate_group,
            trap=self.trap,
            encoding=self.charset.encoding,
            declared=self.charset.declared,
            comments="\n".join(self.comments),
            should_fetch=self.should_fetch,
            title=self.title,
        )


@dataclass(frozen=True)
class Style:
    """How a host writes HTML."""

    frame: str = "html5"
    """``html5``, ``xhtml`` or ``table``."""
    sloppy: bool = False
    """Upper-case tags, unclosed ``<P>`` and ``<LI>``, unquoted attributes."""
    naming: int = 0
    """Which scheme of class names and ids, see ``furniture.py``."""
    links: str = "root"
    """``root`` (/a/b), ``relative`` (../b) or ``absolute``."""


@dataclass
class Site:
    """A host with everything that can be asked of it."""

    host: str
    name: str
    language: str
    template: str
    style: Style
    pages: dict[str, SitePage] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    """Second addresses of a page: same bytes."""
    redirects: dict[str, tuple[int, str, str]] = field(default_factory=dict)
    """Path to status, host and path of the target."""
    blobs: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    failures: dict[str, int] = field(default_factory=dict)
    service: list[ListingEntry] = field(default_factory=list)
    """Links in the service box of the home page: the way to odd pages."""
    menu: list[ListingEntry] = field(default_factory=list)
    friends: tuple[str, ...] = ()
    robots: str | None = "User-agent: *\nDisallow:\n"
    gzip: bool = False
    mirror_of: str | None = None

    def add(self, page: SitePage) -> SitePage:
        if page.path in self.pages:
            raise ValueError(f"{self.host}{page.path} exists twice")
        self.pages[page.path] = page
        return page
