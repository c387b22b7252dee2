"""The corpus grows while you look: is there more than when this page was opened?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paberki.serve.pages.front import sizes

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = ["growth"]


def growth(visit: Visit) -> dict[str, Any]:
    """``/growth?since=BUILD&pages=N``: the build of now, and how many pages are new."""
    edition = visit.edition
    pages = sizes(edition)["kept_pages"]
    has_changed = bool(visit.value("since")) and visit.value("since") != edition.build
    new = max(0, pages - visit.number("pages", pages))
    text = (
        visit.say("{n} new pages since you opened this", n=new)
        if new
        else visit.say("The corpus has changed since you opened this")
    )
    return {
        "build": edition.build,
        "pages": pages,
        "changed": has_changed,
        "text": text,
        "take": visit.say("take them"),
        "stay": visit.say("stay"),
    }
