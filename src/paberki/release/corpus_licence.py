"""What the columns about rights allow to say about the licence of a corpus."""

from __future__ import annotations

from paberki.amounts import number, percent, several
from paberki.release.card_facts import CardFacts
from paberki.release.markdown import table


def licence_code(facts: CardFacts) -> str:
    """``other``, since texts of many authors have no one licence; the licence itself if all pages name the same."""
    names = {name for name, _ in facts.licences}
    (only,) = names if len(names) == 1 else (None,)
    return str(only).lower().replace(" ", "-") if only else "other"


def licence_statement(facts: CardFacts) -> str:
    """Who owns the texts, and which pages may be handed on."""
    open_pages = sum(pages for name, pages in facts.licences if name)
    text = (
        "The texts belong to their authors; no licence for them is granted here. "
        f"{number(open_pages)} of {several(facts.pages, 'page')} ({percent(open_pages / facts.pages if facts.pages else 0)}) "
        "name an open licence of their own."
    )
    if facts.opted_out is not None:
        text += f" The owners of {several(facts.opted_out, 'page')} speak against their use, in robots.txt, headers or the page itself."
    rows = [(name or "none named", number(pages)) for name, pages in facts.licences]
    return (
        f"{text}\n\n{table(('licence', 'pages'), rows)}" if rows else f"{text} The recipe does not look for licences."
    )
