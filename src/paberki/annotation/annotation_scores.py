"""How good is an annotation? Scores against gold sentences: all words, unknown words, by class, and confusions.

Words are compared one by one on gold tokens; relations without their subtypes, as the CoNLL shared tasks did. On raw
text, tokens and sentences are compared by their places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from paberki.annotation.document import EMPTY, Document
from paberki.annotation.files.conllu_reading import Tree, document_of
from paberki.annotation.names.name_finder import OUTSIDE
from paberki.annotation.pipeline import Annotator
from paberki.annotation.splitting.splitter_training import running, spans_in, surface

FIGURES: Final = ("UPOS", "XPOS", "UFeats", "Lemma", "UAS", "LAS")
_TOGETHER: Final = 10


@dataclass(slots=True)
class AnnotationScores:
    """Right answers and possible answers, by figure."""

    name: str
    right: Counter[str] = field(default_factory=Counter)
    total: Counter[str] = field(default_factory=Counter)
    unknown_right: Counter[str] = field(default_factory=Counter)
    unknown_total: Counter[str] = field(default_factory=Counter)
    class_right: Counter[tuple[str, str]] = field(default_factory=Counter)
    class_total: Counter[tuple[str, str]] = field(default_factory=Counter)
    confused: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(gold, given) part of speech."""
    words: int = 0

    def percent(self, figure: str) -> float | None:
        """Share of right answers."""
        return 100 * self.right[figure] / self.total[figure] if self.total[figure] else None

    def unknown_percent(self, figure: str) -> float | None:
        """The same for words that were not in training."""
        return 100 * self.unknown_right[figure] / self.unknown_total[figure] if self.unknown_total[figure] else None

    def by_class(self, figure: str) -> list[tuple[str, int, float]]:
        """Part of speech, number of words, share of right answers."""
        rows = [
            (kind, count, 100 * self.class_right[kind, figure] / count)
            for (kind, name), count in self.class_total.items()
            if name == figure
        ]
        return sorted(rows, key=lambda row: (-row[1], row[0]))


def without_subtype(relation: str) -> str:
    """``nsubj:pass`` → ``nsubj``."""
    return relation.partition(":")[0]


def score(
    gold: Sequence[Tree], document: Document, name: str, in_lexicon: Sequence[bool] | None = None
) -> AnnotationScores:
    """Compare sentences with the annotation of the same tokens."""
    scores = AnnotationScores(name)
    upos, xpos, feats, lemma = (document.column(one) for one in ("upos", "xpos", "feats", "lemma"))
    head, relation = document.column("head"), document.column("deprel")
    lemmatised = any(one != EMPTY for one in lemma)
    at = 0
    for tree in gold:
        for word in tree.words:
            arc = head[at] == word.head
            answers = {
                "UPOS": (word.upos != "_", upos[at] == word.upos),
                "XPOS": (word.xpos != "_", xpos[at] == word.xpos),
                "UFeats": (word.upos != "_" or word.feats != "_", feats[at] == word.feats),
                "Lemma": (lemmatised and word.lemma != EMPTY, lemma[at] == word.lemma),
                "UAS": (word.head >= 0, arc),
                "LAS": (word.head >= 0, arc and without_subtype(relation[at]) == without_subtype(word.deprel)),
            }
            if document.head is None:
                del answers["UAS"], answers["LAS"]
            _count(scores, answers, word.upos, in_lexicon is not None and not in_lexicon[at])
            scores.confused[word.upos, upos[at]] += 1
            at += 1
    scores.words = at
    return scores


def _count(scores: AnnotationScores, answers: dict[str, tuple[bool, bool]], kind: str, unknown: bool) -> None:
    for figure, (counts, right) in answers.items():
        if counts:
            scores.total[figure] += 1
            scores.right[figure] += right
            scores.class_total[kind, figure] += 1
            scores.class_right[kind, figure] += right
            if unknown:
                scores.unknown_total[figure] += 1
                scores.unknown_right[figure] += right


def evaluate(annotator: Annotator, gold: Sequence[Tree], name: str) -> AnnotationScores:
    """Annotate gold tokens and compare."""
    document = document_of(gold, annotator.lang)
    annotator.add_layers(document, ("tag", "lemma", "parse"))
    in_lexicon = None
    if annotator.tagger:
        in_lexicon = (annotator.tagger.lexicon.find([form.lower() for form in document.forms]) >= 0).tolist()
    return score(gold, document, name, in_lexicon)


@dataclass(frozen=True, slots=True)
class MatchCounts:
    """How many items are right, how many gold has, and how many the tool returned."""

    right: int
    gold: int
    answers: int

    @property
    def precision(self) -> float:
        """Share of the returned items that are right, in per cent."""
        return 100 * self.right / self.answers if self.answers else 0.0

    @property
    def recall(self) -> float:
        """Share of the gold items that the tool returned, in per cent."""
        return 100 * self.right / self.gold if self.gold else 0.0

    @property
    def f(self) -> float:
        """Their harmonic mean."""
        return 200 * self.right / (self.gold + self.answers) if self.gold + self.answers else 0.0


Spans = set[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class RawText:
    """Sentences as running text, and the places of its tokens and sentences."""

    text: str
    tokens: Spans
    sentences: Spans


def raw_texts(gold: Sequence[Tree]) -> Iterator[RawText]:
    """Lines of ten sentences, as they stand in the file; none if it does not tell where spaces are missing."""
    for number in range(0, len(gold) if running(gold) else 0, _TOGETHER):
        text, tokens, sentences = "", set(), set()
        for tree in gold[number : number + _TOGETHER]:
            own = spans_in(tree.text, surface(tree, parts=True))
            if own:
                text += " " if text else ""
                tokens |= {(len(text) + start, len(text) + end) for start, end in own}
                sentences.add((len(text) + own[0][0], len(text) + own[-1][1]))
                text += tree.text
        yield RawText(text, tokens, sentences)


def evaluate_raw(annotator: Annotator, gold: Sequence[Tree]) -> dict[str, MatchCounts]:
    """Tokens and sentences of running text."""
    return compare_raw((raw, places(annotator.split(raw.text))) for raw in raw_texts(gold))


def places(document: Document) -> tuple[Spans, Spans]:
    """Where tokens and sentences of a document are."""
    edges = zip(document.edges, document.edges[1:], strict=False)
    cut = {(document.starts[first], document.ends[last - 1]) for first, last in edges if last > first}
    return set(zip(document.starts, document.ends, strict=True)), cut


def compare_raw(answers: Iterable[tuple[RawText, tuple[Spans, Spans]]]) -> dict[str, MatchCounts]:
    """Compare the places of tokens and sentences with gold."""
    counts = {"tokens": [0, 0, 0], "sentences": [0, 0, 0]}
    for raw, (tokens, sentences) in answers:
        for name, gold, mine in (("tokens", raw.tokens, tokens), ("sentences", raw.sentences, sentences)):
            for place, count in enumerate((len(gold & mine), len(gold), len(mine))):
                counts[name][place] += count
    return {name: MatchCounts(*three) for name, three in counts.items()}


def entities(labels: Sequence[str]) -> set[tuple[int, int, str]]:
    """Begin, end and kind of the names in a sentence."""
    spans = set()
    start, kind = -1, ""
    for at, label in enumerate([*labels, OUTSIDE]):
        if start >= 0 and (label[:2] != "I-" or label[2:] != kind):
            spans.add((start, at, kind))
            start = -1
        if label != OUTSIDE and start < 0:
            start, kind = at, label[2:]
    return spans


def evaluate_names(annotator: Annotator, gold: Sequence[Sequence[tuple[str, str]]]) -> dict[str, MatchCounts]:
    """Names, all together and by kind."""
    document = Document(text="", lang=annotator.lang)
    for sentence in gold:
        document.forms += [form for form, _ in sentence]
        document.edges.append(len(document.forms))
    document.starts = document.ends = [0] * len(document.forms)
    annotator.add_layers(document, ("tag", "ner"))
    labels = document.column("ner")
    counts: dict[str, Counter[str]] = {"all": Counter()}
    for sentence, first in zip(gold, document.edges, strict=False):
        gold_spans = entities([label for _, label in sentence])
        mine = entities(labels[first : first + len(sentence)])
        for name, ones in (("right", gold_spans & mine), ("gold", gold_spans), ("given", mine)):
            for *_, kind in ones:
                counts["all"][name] += 1
                counts.setdefault(kind, Counter())[name] += 1
    return {kind: MatchCounts(one["right"], one["gold"], one["given"]) for kind, one in sorted(counts.items())}
