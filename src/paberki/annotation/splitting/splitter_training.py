"""Learning where tokens and sentences end from sentences whose running text is known."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from paberki.annotation.files.conllu_reading import NO_SPACE, Tree, TreeWord
from paberki.annotation.splitting.logistic_decisions import learn
from paberki.annotation.splitting.splitter import (
    BORDER,
    CONJUNCTION,
    ENDING,
    ENDINGS,
    NEITHER,
    VERB,
    Splitter,
    border_atoms,
    class_of,
    clause_of,
    cut_place,
    dot_features,
    far_of,
    hyphen_features,
    takes_stop,
)
from paberki.annotation.splitting.token_candidates import TOKEN

_TOGETHER = 10
"""Sentences per line of the training text."""
CLEAR = 1.0
"""How much more must speak for the end of a sentence where no sign stands: it is better to miss a heading inside a line,
of which pages have few, than to cut a sentence before a name."""
_UNSIGNED = "c_0|-|"
"""Beginning of the features of places without a sign, also after brackets and quotations without one: see ``BORDER``."""
_WORDS = ("a", "A", "Aa", "AA", "1", "1x", "a.", "A.")
_SURE = 0.9
_SEEN = 3
_OFTEN = 20
_NEVER = 0.01
_DECAY = 0.02
_CLAUSES = frozenset(template[0] for template in BORDER if "{clause}" in template)
"""Beginnings of the features about verbs."""
_MOST_VOTES, _FEWEST_VOTES = 3, 5
"""How much a word counts for the class of its endings, and how many votes an ending needs."""


def surface(tree: Tree, parts: bool = False) -> list[str]:
    """The tokens as they stand in the text: a multiword token is one.

    With ``parts``, words that stand side by side in the text are tokens of their own: *do* and *n't*, but not *zu* and
    *dem* for *zum*.
    """
    pieces: list[str] = []
    until = 0
    for number, word in enumerate(tree.words):
        for line in tree.extras.get(number, ()):
            place, form = line.split("\t")[:2]
            if "-" in place and number >= until:
                end = int(place.split("-")[1])
                if parts and "".join(one.form for one in tree.words[number:end]) == form:
                    continue
                pieces.append(form)
                until = end
        if number >= until:
            pieces.append(word.form)
    return pieces


def spans_in(text: str, forms: Sequence[str]) -> list[tuple[int, int]] | None:
    """Places of the forms in the text; ``None`` unless all occur in order."""
    spans = []
    at = 0
    for form in forms:
        start = text.find(form, at)
        if start < 0 or text[at:start].strip():
            return None
        at = start + len(form)
        spans.append((start, at))
    return spans


_APART = frozenset(".,;:!?)]…")
"""Signs before which a text as people write it has no space."""
_USUAL = {"5%": True, "EU:s": True, "10:e": True, "rad-": True}
"""Whether most languages cut a candidate of this shape; used where the examples of a language have none."""


def running(trees: Sequence[Tree]) -> list[Tree]:
    """Sentences whose text is as people write it, with words and signs joined."""
    return [tree for tree in trees if any(NO_SPACE in word.misc for word in tree.words)]


def _plain(tree: Tree) -> bool:
    """Nothing in the sentence would be joined, as in a heading: its text is as people write it."""
    return not any(word.form in _APART for word in tree.words[1:])


def train_splitter(
    trees: Sequence[Tree],
    lang: str = "",
    seed: int = 1,
    others: Sequence[Sequence[Tree]] = (),
    clear: float = CLEAR,
    orders: int = 1,
    *,
    clauses: bool = True,
) -> Splitter:
    """Learn the decisions of a language.

    ``others`` are sentences of other languages, which show where sentences end that the language's own data may lack:
    questions, direct speech, headings. ``orders`` is in how many orders sentences are joined to learn where they end.
    Without ``clauses`` it is not looked at where verbs stand, which takes many sentences to learn.
    """
    splitter = Splitter(lang, cases=_cases(trees), cuts=_cuts(trees), classes=_classes(trees) if clauses else {})
    texts = _texts(trees)
    dots: list[tuple[list[str], bool]] = []
    hyphens: list[tuple[list[str], bool]] = []
    for text in texts:
        _token_examples(text.text, set(text.spans), splitter.cases, dots, hyphens)
    splitter.dot, splitter.hyphen = learn(dots, seed=seed), learn([*hyphens, *_usual(hyphens)], seed=seed)
    borders: list[tuple[list[str], bool]] = []
    for own in (trees, *filter(None, others)):
        cases = splitter.cases if own is trees else _cases(own)
        classes = splitter.classes if own is trees or not clauses else _classes(own)
        for order in range(orders):
            borders += _border_examples(_texts(_shuffled(own, order)), cases, classes)
    if not clauses:
        borders = [([one for one in features if one[0] not in _CLAUSES], answer) for features, answer in borders]
    splitter.border = learn(borders, seed=seed, rare=orders, decay=_DECAY if clauses else 0.0)
    weights = splitter.border.weights
    unsigned = {one for one in weights if one.startswith(_UNSIGNED)} | {f"{_UNSIGNED}{shape}" for shape in _WORDS}
    weights.update((one, round(weights.get(one, 0.0) - clear, 3)) for one in sorted(unsigned))
    return splitter


def _shuffled(trees: Sequence[Tree], order: int) -> Sequence[Tree]:
    """The sentences as they are, or in another order."""
    return random.Random(order).sample(trees, len(trees)) if order else trees  # noqa: S311 - examples, no secrets


def _texts(trees: Sequence[Tree]) -> list[_TrainingText]:
    """Sentences joined to lines of running text."""
    running_ids = {id(tree) for tree in running(trees)}
    real = [tree for tree in trees if id(tree) in running_ids or (running_ids and _plain(tree))]
    paragraphs = (_join(real[number : number + _TOGETHER]) for number in range(0, len(real), _TOGETHER))
    return [text for text in paragraphs if text]


def _border_examples(
    texts: Sequence[_TrainingText], cases: Mapping[str, str], classes: Mapping[str, str]
) -> list[tuple[list[str], bool]]:
    """Places where a sentence may end, and whether one does."""
    examples: list[tuple[list[str], bool]] = []
    for text in texts:
        first = 0
        word_classes = [class_of(text.text[start:stop], classes) for start, stop in text.spans]
        for number, atoms in border_atoms(text.text, text.spans, cases, word_classes):
            answer = text.spans[number][0] in text.begins
            atoms["far"] = far_of(number - first)
            atoms["clause"] = clause_of(word_classes, first, number)
            examples.append(([template.format_map(atoms) for template in BORDER], answer))
            first = number if answer else first
    return examples


def _classes(trees: Sequence[Tree]) -> dict[str, str]:
    """Which words are verbs or conjunctions, and which endings verbs have; words only where their ending says otherwise."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for tree in trees:
        for word in tree.words:
            if word.form[0].isalpha() and word.upos != "_":
                counts[word.form.lower()][_class(word)] += 1
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for lower, names in counts.items():
        for length in (length for length in ENDINGS if len(lower) > length):
            for name, count in names.items():
                votes[f"{ENDING}{lower[-length:]}"][name] += min(count, _MOST_VOTES)
    classes: dict[str, str] = {}
    for ending, names in sorted(votes.items(), key=lambda pair: (len(pair[0]), pair[0])):
        if names.total() >= _FEWEST_VOTES and (name := _usual_class(names)) != class_of(ending[1:], classes):
            classes[ending] = name
    endings = dict(classes)
    for lower, names in sorted(counts.items()):
        if names.total() >= _SEEN and (name := _usual_class(names)) != class_of(lower, endings):
            classes[lower] = name
    return classes


def _class(word: TreeWord) -> str:
    """Finite verbs and participles in verb forms count as verbs; infinitives have another verb beside them."""
    if word.upos in ("VERB", "AUX"):
        return NEITHER if "VerbForm=Inf" in word.feats else VERB
    return CONJUNCTION if word.upos in ("CCONJ", "SCONJ") else NEITHER


def _usual_class(names: Counter[str]) -> str:
    return max(sorted(names), key=names.__getitem__)


def _cases(trees: Sequence[Tree]) -> dict[str, str]:
    """Which words have a capital in mid-sentence."""
    capital: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for tree in trees:
        for word in tree.words[1:]:
            if word.form[:1].isalpha():
                total[word.form.lower()] += 1
                capital[word.form.lower()] += word.form[:1].isupper()
    return {lower: _case(capital[lower] / count, count) for lower, count in sorted(total.items()) if count >= _SEEN}


def _case(share: float, count: int) -> str:
    """Class of a word by its frequency and the share of its capitalised occurrences."""
    if count >= _OFTEN and share < _NEVER:
        return "z"
    return "A" if share > _SURE else "a" if share < 1 - _SURE else "m"


def _cuts(trees: Sequence[Tree]) -> dict[str, int]:
    """Words of letters alone that are two tokens, with the length of the first."""
    whole: Counter[str] = Counter()
    parts: Counter[tuple[str, int]] = Counter()
    for tree in trees:
        whole.update(form.lower() for form in surface(tree))
        for number, lines in tree.extras.items():
            for place, form in (line.split("\t")[:2] for line in lines):
                pair = [word.form for word in tree.words[number : number + 2]]
                if place == f"{number + 1}-{number + 2}" and form.isalpha() and "".join(pair) == form:
                    parts[form.lower(), len(pair[0])] += 1
    return {word: at for (word, at), count in sorted(parts.items()) if count >= _SEEN and count > _SURE * whole[word]}


def _usual(examples: Sequence[tuple[list[str], bool]]) -> list[tuple[list[str], bool]]:
    """Default examples of shapes that the examples of the language do not have."""
    sign_features = {feature for features, _ in examples for feature in features if feature[0] == "s"}
    usual = [(hyphen_features(word, cut_place(word)), answer) for word, answer in _USUAL.items()]
    return [one for one in usual if not sign_features.intersection(one[0])] * _SEEN


class _TrainingText(NamedTuple):
    text: str
    spans: list[tuple[int, int]]
    """Places of the tokens."""
    begins: set[int]
    """Where sentences begin."""


def _join(trees: Sequence[Tree]) -> _TrainingText | None:
    """Some sentences as one line; ``None`` if their tokens cannot be located in it."""
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
    return _TrainingText(text, spans, begins) if spans else None


def _token_examples(
    text: str,
    gold: set[tuple[int, int]],
    cases: dict[str, str],
    dots: list[tuple[list[str], bool]],
    hyphens: list[tuple[list[str], bool]],
) -> None:
    pieces = [one.span() for one in TOKEN.finditer(text)]
    begins = {end: start for start, end in gold}
    for number, (start, stop) in enumerate(pieces):
        word = text[start:stop]
        if (
            number + 1 < len(pieces)
            and pieces[number + 1] == (stop, stop + 1)
            and text[stop] == "."
            and takes_stop(word)
        ):
            after = text[pieces[number + 2][0] : pieces[number + 2][1]] if number + 2 < len(pieces) else ""
            is_one_token = start <= begins.get(stop + 1, -1) < stop
            if is_one_token or (stop, stop + 1) in gold:
                dots.append((dot_features(text, start, stop, after, cases), is_one_token))
        at = cut_place(word)
        if at >= 0:
            whole = (start, stop) in gold or (start, stop + 1) in gold
            first = start + max(at, 1) + (word[at] == "." and at > 0)
            if whole or (start, first) in gold:
                hyphens.append((hyphen_features(word, at), not whole))
