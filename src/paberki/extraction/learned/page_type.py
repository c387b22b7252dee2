"""What kind of page is it? Told by its address, by what it declares, and by what its text is like.

What a page declares (schema.org, Open Graph) is asked first, then words of the address, then the shape of the text. Each
is a hint; the type with the strongest hints wins, and an article needs prose.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.extraction.learned.features import KINDS, NAMES, Floats
from paberki.web.registered_domains import split_url

PAGE_TYPES: Final = ("article", "forum", "product", "listing", "documentation", "other")
ARTICLE, FORUM, PRODUCT, LISTING, DOCUMENTATION, OTHER = range(6)

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

_AT: Final = {name: number for number, name in enumerate(NAMES)}
_PRE: Final = KINDS.index("pre") + 1
_LOOKED_AT: Final = 300_000


def page_type(
    features: Floats,
    is_text: npt.NDArray[np.bool_],
    lengths: npt.NDArray[np.int32],
    html: str = "",
    url: str | None = None,
) -> int:
    """Kind of the page as number in :data:`PAGE_TYPES`, given what was kept of it."""
    hints = [0.0] * len(PAGE_TYPES)
    for name in _declared_types(html):
        kind, weight = _DECLARED.get(name, (OTHER, 0.0))
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
    _add_shape(hints, features, is_text, lengths)
    best = max(range(len(hints)), key=hints.__getitem__)
    return best if hints[best] > 0.5 else OTHER


def _declared_types(html: str) -> set[str]:
    """Types that JSON-LD and Open Graph name; found by two plain searches, since most of a page is neither."""
    kinds: set[str] = set()
    for mark, quoted in (("@type", '@type"'), ("og:type", "og:type")):
        # Six characters are searched for twice as fast as five, and a type follows the quote alone.
        at = html.find(mark, 0, _LOOKED_AT) if html.find(quoted, 0, _LOOKED_AT + 1) >= 0 else -1
        for _ in range(_TYPES):
            if at < 0:
                break
            match = _TYPE.match(html, at, at + 80)
            if match:
                kinds.add(match.group(1))
            at = html.find(mark, at + len(mark), _LOOKED_AT)
    return kinds


def _add_shape(
    hints: list[float], features: Floats, is_text: npt.NDArray[np.bool_], lengths: npt.NDArray[np.int32]
) -> None:
    mass = lengths * is_text
    total = float(mass.sum())
    if not total:
        hints[LISTING] += 1.0 if features[0, _AT["page_link"]] > 0.6 else 0.0
        return

    def share(flags: npt.NDArray[np.bool_]) -> float:
        return float((mass * flags).sum()) / total

    prose = share(features[:, _AT["sentences"]] > 0)
    listed = share((features[:, _AT["in_li"]] > 0) | (features[:, _AT["link"]] > 0.5))
    hints[FORUM] += 2.5 * share(features[:, _AT["words_forum"]] > 0) + 1.5 * share(
        features[:, _AT["words_comment"]] > 0
    )
    hints[DOCUMENTATION] += 6.0 * share(features[:, _AT["kind"]] == _PRE)
    hints[LISTING] += 2.0 * listed + 2.0 * max(0.0, float(features[0, _AT["page_link"]]) - 0.5)
    hints[ARTICLE] += 2.0 * prose + min(total / 3000, 1.0) * prose
