"""The query language with examples that run on this corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starlette.responses import Response

from paberki.markup.html import element
from paberki.serve.pages.ask import Ask
from paberki.serve.pages.examples import example_queries
from paberki.serve.pages.frame import document

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = ["help_page"]

_LANGUAGE: Final = (
    ('"WORD"', "a word; the value is a regular expression that must match all of it"),
    ('[lemma="WORD" & upos="NOUN"]', "conditions on one token; also !=, |, ! and brackets"),
    ('"WORD"%cd', "without capitals (%c), without diacritics (%d), literally (%l)"),
    ('[] "WORD" []', "any token"),
    ('[upos="ADJ"]{1,2} [upos="NOUN"]', "so many times; also ? * +"),
    ('("WORD" | [upos="NUM"]) [upos="NOUN"]', "one or the other"),
    ('<s> [upos="NOUN"]', "the beginning of a sentence; </s> is its end"),
    ('[upos="VERB"] []* [lemma="WORD"] within <s/>', "in one sentence"),
    ('[lemma="WORD"] within <doc badness=in[0,8]/>', "on pages with such a score"),
    ('A:[upos="NOUN"] []{1,3} B:[upos="NOUN"] :: A.lemma = B.lemma', "labels, and a condition on them"),
    ('(meet [lemma="WORD"] [upos="VERB"] -5 5)', "words near each other"),
    ('[feats contains "Case=Gen"]', "one value of a set"),
    ('[upos="VERB"] -nsubj-> [upos="NOUN"]', "a dependency relation; --> is any, -->> any depth"),
    ('[upos="VERB"] !-obj-> [] ', "a token without such a dependent"),
)


def help_page(visit: Visit) -> Response:
    """``/help``."""
    say, index = visit.say, visit.edition.index
    first = example_queries(visit.edition)[0][0]
    word = first.split('"')[1] if '"' in first else "grad"
    has = set(index.attributes) | set(index.aliases)
    items = []
    for pattern, meaning in _LANGUAGE:
        query = pattern.replace("WORD", word).strip()
        if any(f"{name}=" in query and name not in has for name in ("lemma", "upos", "feats")) or (
            "feats contains" in query and "feats" not in has
        ):
            continue
        link = Ask(q=query, mode="cql", corpus=visit.value("corpus")).at("/concordance")
        items.append(
            element(
                "li",
                element("a", element("code", query), href=link),
                element("span", say(meaning), class_="muted"),
                class_="example",
            )
        )
    attributes = element("p", say("Attributes of tokens"), ": ", element("code", ", ".join(index.attributes)))
    return visit.answer(
        document(
            visit,
            say("Help"),
            element("h1", say("How to ask")),
            element(
                "p",
                say(
                    "Words in the simple box find all forms. CQL says exactly what is meant. Every example runs on this corpus."
                ),
            ),
            element("ul", *items),
            attributes,
            element("p", say("Press ? for the list of keys.")),
            kind="narrow",
        )
    )
