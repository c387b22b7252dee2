"""What a page says of its type, by its address and by what it declares (schema.org, Open Graph), whatever its text is like."""

from __future__ import annotations

import re
from typing import Final

from paberki.web.registered_domains import split_url

PAGE_TYPES: Final = ("article", "forum", "product", "listing", "documentation", "other")
ARTICLE, FORUM, PRODUCT, LISTING, DOCUMENTATION, OTHER = range(6)
HINTED: Final = PAGE_TYPES[:OTHER]
"""Types that a page can hint at."""
NO_HINTS: Final = (0.0,) * len(HINTED)

_DECLARED: Final = {
    "NewsArticle": (ARTICLE, 2.0), "BlogPosting": (ARTICLE, 2.0), "ReportageNewsArticle": (ARTICLE, 2.0),
    "Article": (ARTICLE, 1.5), "article": (ARTICLE, 1.0), "DiscussionForumPosting": (FORUM, 4.0), "QAPage": (FORUM, 4.0),
    "Product": (PRODUCT, 1.5), "product": (PRODUCT, 4.0), "og:product": (PRODUCT, 4.0), "TechArticle": (DOCUMENTATION, 2.0),
    "CollectionPage": (LISTING, 2.5), "SearchResultsPage": (LISTING, 3.0),
}  # fmt: skip
"""Type that a page declares -> what it hints at, and how strongly."""

_MARKS: Final = (
    ("product:price", PRODUCT, 3.0), ("phpBB", FORUM, 2.5), ("vBulletin", FORUM, 2.5), ("XenForo", FORUM, 2.5),
    ("docsearch", DOCUMENTATION, 1.5),
)  # fmt: skip
"""What stands in the head of some kinds of page."""

_TYPE: Final = re.compile(r"""(?:@type"\s*:\s*\[?\s*"|og:type["']\s+content=["'])([\w:.]+)""")
_HEAD: Final = 20_000
_TYPES: Final = 40

_ADDRESS: Final = tuple(
    (re.compile(pattern), kind, weight)
    for pattern, kind, weight in (
        (r"forum|/threads?/|/topic|viewtopic|showthread|/questions/|/comments/|/discussions?/|community\.", FORUM, 3.0),
        (r"/products?/|/shop/[^/]+/|/dp/|/item/|/artikl|/proizvod|/p/\d|/app/\d|/listing/\d", PRODUCT, 3.0),
        (r"/(?:category|categories|collections?|archives?|tags?|search|kategorij\w*|rubrik\w*|shop|list|parts)(?:/|$)|/page/\d", LISTING, 2.0),
        (r"^docs?\.|/docs?/|/manual|/reference/|/documentation|/handbook|readthedocs|developer\.|/wiki/", DOCUMENTATION, 3.0),
        (r"/20\d\d/\d|/news/|/blog/|/article|\d{6,}|/vijesti/|/clanak", ARTICLE, 1.0),
        (r"^[^/]*/?$", LISTING, 1.0),
    )
)  # fmt: skip

_LOOKED_AT: Final = 300_000


def type_hints(html: str, url: str | None = None) -> list[float]:
    """How strongly a page hints at each type of :data:`HINTED`."""
    hints = list(NO_HINTS)
    for name in _declared_types(html):
        if name in _DECLARED:
            kind, weight = _DECLARED[name]
            hints[kind] += weight
    for mark, kind, weight in _MARKS:
        if html.find(mark, 0, _HEAD) >= 0:
            hints[kind] += weight
    if url:
        parts = split_url(url.lower())
        address = f"{parts.hostname or ''}{parts.path}"
        for pattern, kind, weight in _ADDRESS:
            if pattern.search(address):
                hints[kind] += weight
    return hints


def _declared_types(html: str) -> set[str]:
    """Types that JSON-LD and Open Graph name; found by two plain searches, since most of a page is neither."""
    kinds: set[str] = set()
    for mark, literal in (("@type", '@type"'), ("og:type", "og:type")):
        # Six characters are searched for twice as fast as five, and a type follows the quote alone.
        at = html.find(mark, 0, _LOOKED_AT) if html.find(literal, 0, _LOOKED_AT + 1) >= 0 else -1
        for _ in range(_TYPES):
            if at < 0:
                break
            match = _TYPE.match(html, at, at + 80)
            if match:
                kinds.add(match.group(1))
            at = html.find(mark, at + len(mark), _LOOKED_AT)
    return kinds
