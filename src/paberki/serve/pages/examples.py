"""Examples of queries that find something in this corpus: made from its own frequent words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from paberki.markup.html import Safe, element
from paberki.serve.pages.ask import Ask

if TYPE_CHECKING:
    from paberki.serve.library import Edition
    from paberki.serve.pages.visit import Visit

__all__ = ["example_list", "example_queries"]

_LOOKED_AT: Final = 400
"""Values from which examples are chosen, the most frequent first."""
_TOKENS: Final = 500_000
"""Tokens that are looked through for nouns."""


def example_queries(edition: Edition) -> list[tuple[str, str]]:
    """Queries and what they ask for; made once for each state of a corpus."""
    memory: dict[str, Any] = edition.index.__dict__
    if "examples" not in memory:
        memory["examples"] = _example_queries(edition)
    examples: list[tuple[str, str]] = memory["examples"]
    return examples


def _example_queries(edition: Edition) -> list[tuple[str, str]]:
    index = edition.index
    lemma = "lemma" if "lemma" in index.attributes else index.default
    words = _good_words(index, lemma)
    tag = next((name for name in ("upos", "tag", "xpos") if name in index.attributes or name in index.aliases), "")
    noun = {"upos": "NOUN"}.get(tag, "N.*")
    examples = [(f'[{lemma}="{words[0]}"]', "one word in all its forms" if lemma == "lemma" else "one word")]
    if tag:
        adjective = "ADJ" if tag == "upos" else "A.*"
        examples.append((f'[{tag}="{adjective}"] [{lemma}="{words[0]}"]', "an adjective before it"))
        examples.append(
            (
                f'[{lemma}="{words[-1]}"] []{{0,3}} [{tag}="{noun}"] within <s/>',
                "up to three words between them, in one sentence",
            )
        )
    if "deprel" in index.attributes and tag == "upos":
        examples.append(('[upos="VERB"] -obj-> [upos="NOUN"]', "verbs with their objects"))
    examples.append((f'"{words[0][:3]}.*"%c', "words that begin alike"))
    return examples


def _good_words(index: Any, lemma: str) -> list[str]:
    """Frequent nouns where the corpus knows them, else frequent long words."""
    words = _frequent_nouns(index, lemma) if "upos" in index.attributes else []
    words = words or _frequent(index, lemma)
    return [word for word in words if len(word) > 3 and word.isalpha()][:3] or words[:1] or ["grad"]


def _frequent_nouns(index: Any, lemma: str) -> list[str]:
    from paberki.query.counting.values import values_of

    tags, lemmas = values_of(index, "upos"), values_of(index, lemma)
    noun = tags.number_of("NOUN")
    first = np.arange(min(index.tokens, _TOKENS))
    mine = first[tags.at(first) == noun] if noun >= 0 else first[:0]
    if not len(mine):
        return []
    numbers, counts = np.unique(lemmas.at(mine), return_counts=True)
    best = numbers[np.argsort(-counts, kind="stable")[:50]]
    return [str(text) for text in lemmas.texts(best)]


def _frequent(index: Any, attribute: str) -> list[str]:
    from paberki.query.counting.values import values_of

    values = values_of(index, attribute)
    best = np.argsort(-values.counts, kind="stable")[:_LOOKED_AT]
    return [str(text) for text in values.texts(best)]


def example_list(visit: Visit) -> Safe:
    """The examples as links."""
    links = [
        element("li", element("a", element("code", query), element("span", visit.say(meaning), class_="small muted"), href=Ask(q=query, corpus=visit.value("corpus")).at("/concordance")))
        for query, meaning in example_queries(visit.edition)
    ]  # fmt: skip
    return element("ul", *links, class_="examples")
