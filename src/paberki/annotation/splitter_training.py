"""Learning where tokens and sentences end from sentences whose running text is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from paberki.annotation.conllu import NO_SPACE, Tree
from paberki.annotation.decisions import learn
from paberki.annotation.splitting import (
    _HYPHENS,
    Splitter,
    border_features,
    dot_features,
    hyphen_features,
)
from paberki.annotation.tokens import TOKEN

_TOGETHER = 10
"""Sentences that stand in one line of the text that is learnt from."""
_CLEAR = 4.0
"""How much more must speak for the end of a sentence where no sign stands: it is better to miss a heading inside a line,
of which pages have few, than to cut a sentence before a name."""
_WORDS = ("a", "A", "Aa", "AA", "1", "1x")
_SURE = 0.9
_SEEN = 3


def surface(tree: Tree, parts: bool = False) -> list[str]:
    """The tokens as they stand in the text: a multiword token is one.

    With ``parts``, words that stand side by side in the text are tokens of their own: *do* and *n't*, but not *zu* and
    *dem* for *zum*.
    """
    found: list[str] = []
    until = 0
    for number, word in enumerate(tree.words):
        for line in tree.extras.get(number, ()):
            place, form = line.split("\t")[:2]
            if "-" in place and number >= until:
                end = int(place.split("-")[1])
                if parts and "".join(one.form for one in tree.words[number:end]) == form:
                    continue
                found.append(form)
                until = end
        if number >= until:
            found.append(word.form)
    return found


def spans_in(text: str, forms: Sequence[str]) -> list[tuple[int, int]] | None:
    """Places of the forms in the text; ``None`` if they are not all there in order."""
    found = []
    at = 0
    for form in forms:
        start = text.find(form, at)
        if start < 0 or text[at:start].strip():
            return None
        at = start + len(form)
        found.append((start, at))
    return found


def running(trees: Sequence[Tree]) -> list[Tree]:
    """Sentences whose text is as people write it, with words and signs joined."""
    return [tree for tree in trees if any(NO_SPACE in word.misc for word in tree.words)]


def train_splitter(trees: Sequence[Tree], lang: str = "", seed: int = 1, others: Sequence[Tree] = ()) -> Splitter:
    """Learn the decisions of a language.

    ``others`` are sentences of other languages, which show where sentences end that the language's own data may lack:
    questions, direct speech, headings.
    """
    splitter = Splitter(lang, cases=_cases(trees))
    texts = _texts(trees)
    dots: list[tuple[list[str], bool]] = []
    hyphens: list[tuple[list[str], bool]] = []
    for text in texts:
        _token_examples(text.text, set(text.spans), splitter.cases, dots, hyphens)
    splitter.dot, splitter.hyphen = learn(dots, seed=seed), learn(hyphens, seed=seed)
    borders = _border_examples(texts, splitter.cases)
    if others:
        borders += _border_examples(_texts(others), _cases(others))
    splitter.border = learn(borders, seed=seed)
    for shape in _WORDS:
        splitter.border.weights[f"kw{shape}"] = round(splitter.border.weights.get(f"kw{shape}", 0.0) - _CLEAR, 3)
    return splitter


def _texts(trees: Sequence[Tree]) -> list[_Text]:
    """Sentences joined to lines of running text."""
    real = running(trees)
    made = (_joined(real[number : number + _TOGETHER]) for number in range(0, len(real), _TOGETHER))
    return [text for text in made if text]


def _border_examples(texts: Sequence[_Text], cases: dict[str, str]) -> list[tuple[list[str], bool]]:
    """Places where a sentence may end, and whether one does."""
    found: list[tuple[list[str], bool]] = []
    for text in texts:
        first = 0
        for number, features in border_features(text.text, text.spans, cases):
            answer = text.spans[number][0] in text.begins
            features.append(f"n{min((number - first) // 3, 6)}")
            found.append((features, answer))
            first = number if answer else first
    return found


def _cases(trees: Sequence[Tree]) -> dict[str, str]:
    """Which words have a capital in mid-sentence."""
    capital: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for tree in trees:
        for word in tree.words[1:]:
            if word.form[:1].isalpha():
                total[word.form.lower()] += 1
                capital[word.form.lower()] += word.form[:1].isupper()
    found = {}
    for lower, count in sorted(total.items()):
        share = capital[lower] / count
        if count >= _SEEN and (share > _SURE or share < 1 - _SURE):
            found[lower] = "A" if share > _SURE else "a"
    return found


class _Text(NamedTuple):
    text: str
    spans: list[tuple[int, int]]
    """Places of the tokens."""
    begins: set[int]
    """Where sentences begin."""


def _joined(trees: Sequence[Tree]) -> _Text | None:
    """Some sentences as one line; ``None`` if the places of their tokens cannot be found."""
    text = ""
    spans: list[tuple[int, int]] = []
    begins: set[int] = set()
    for tree in trees:
        own = spans_in(tree.text, surface(tree))
        if not own:
            continue
        text += " " if text else ""
        begins.add(len(text) + own[0][0])
        spans += [(len(text) + start, len(text) + end) for start, end in own]
        text += tree.text
    return _Text(text, spans, begins) if spans else None


def _token_examples(
    text: str,
    gold: set[tuple[int, int]],
    cases: dict[str, str],
    dots: list[tuple[list[str], bool]],
    hyphens: list[tuple[list[str], bool]],
) -> None:
    pieces = [one.span() for one in TOKEN.finditer(text)]
    for number, (start, stop) in enumerate(pieces):
        word = text[start:stop]
        if (
            number + 1 < len(pieces)
            and pieces[number + 1] == (stop, stop + 1)
            and text[stop] == "."
            and word[-1].isalnum()
        ):
            after = text[pieces[number + 2][0] : pieces[number + 2][1]] if number + 2 < len(pieces) else ""
            if (start, stop + 1) in gold or (stop, stop + 1) in gold:
                dots.append((dot_features(text, start, stop, after, cases), (start, stop + 1) in gold))
        sign = _HYPHENS.search(word)
        if sign and word[0].isalnum() and "/" not in word and "@" not in word:
            whole = (start, stop) in gold or (start, stop + 1) in gold
            if whole or (start, start + sign.start()) in gold:
                hyphens.append((hyphen_features(word, sign.start()), not whole))
