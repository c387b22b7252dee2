"""Words of class and id attributes that tell what an element is for, and the automaton that finds them all at once.

Page makers everywhere write these words, whatever language their pages are in, so they are no language list. A word may
stand anywhere in a name; ``-`` in it means that something other than a letter must be there.
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

GROUPS: Final[dict[str, str]] = {
    "navigation": "nav menu crumb toc- skip- sitemap -tabs",
    "footer": "foot copyright legal imprint impressum colophon",
    "side": "side widget rail- -rail aside right panel gadget",
    "comment": "comment disqus respond reply replies reaction diskus komment koment discuss reagow",
    "share": "share sharing social follow facebook twitter whatsapp addthis like- addtoany",
    "related": "relat recommend also- -also popular trending latest teaser promo readmore read-more more- -more similar "
    "outbrain taboola mostread carousel slider upsell cross-sell crosssell related next- prev-",
    "advertisement": "-ad- -ads- advert sponsor banner dfp- gpt- anzeige reklam oglas commerc adsense",
    "overlay": "cookie consent gdpr popup modal overlay lightbox paywall toast notice alert message",
    "about": "meta byline author date time tag categor label info credit source keyword publish posted",
    "head": "-head- header mast logo topbar top-bar toolbar brand subnav",
    "form": "subscri newsletter login signup sign-up regist search form input cart- price shop buy- product account donat",
    "content": "article content entry post story body text hentry main detail page blog news copy- single inhalt clanek "
    "vsebina prose rich sadrzaj tresc obsah",
    "title": "title headline heading lead intro summary abstract perex vorspann excerpt standfirst deck- kicker podnaslov",
    "media": "caption image photo galler figure media video foto picture embed",
    "hidden": "hidden hide- invisible sr-only screen-reader visually offscreen print-only no-display nodisplay collapse "
    "dropdown tooltip",
    "list": "list grid item card row index archive pager paging paginat result thumb",
    "forum": "forum thread topic postbody bbcode viewtopic signature avatar userinfo message-body postcontent",
    "quotation": "quote",
}  # fmt: skip
"""Group -> words; the number of a group is its place."""

FILED: Final = r"[.#](?:tag|category|cat|kategorie|kategorija|rubrik|rubrika|ressort|term|topic)-[^.#>]*"
"""Classes that name what a page is filed under (``category-kommentar``, ``tag-cookies``) and say nothing about an element."""
SYMBOLS: Final = 27
"""Letters are 1 to 26, everything else is 0."""


class WordAutomaton(NamedTuple):
    """Aho & Corasick's: state × symbol -> state, and the groups of the words that end in a state, as bits."""

    moves: npt.NDArray[np.int16]
    groups: npt.NDArray[np.int64]


@lru_cache(maxsize=1)
def automaton() -> WordAutomaton:
    """Made once per process."""
    children: list[dict[int, int]] = [{}]
    groups = [0]
    for number, words in enumerate(GROUPS.values()):
        for word in words.split():
            state = 0
            for char in word:
                symbol = ord(char) - 96 if char.isalpha() else 0
                if symbol not in children[state]:
                    children[state][symbol] = len(children)
                    children.append({})
                    groups.append(0)
                state = children[state][symbol]
            groups[state] |= 1 << number
    return _complete(children, groups)


def _complete(children: list[dict[int, int]], groups: list[int]) -> WordAutomaton:
    """Every state gets a move for every symbol: where no word goes on, that of the longest suffix that is a prefix."""
    moves = np.zeros((len(children), SYMBOLS), np.int16)
    fallback = [0] * len(children)
    waiting = deque([0])
    while waiting:
        state = waiting.popleft()
        groups[state] |= groups[fallback[state]]
        for symbol in range(SYMBOLS):
            missing = moves[fallback[state], symbol] if state else 0
            child = children[state].get(symbol)
            if child is None:
                moves[state, symbol] = missing
            else:
                moves[state, symbol] = child
                fallback[child] = int(missing)
                waiting.append(child)
    return WordAutomaton(moves, np.array(groups, np.int64))
