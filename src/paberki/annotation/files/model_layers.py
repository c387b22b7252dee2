"""Layers of a model as parts of a file, as parts ready for use, and as what works.

A file holds words as lines, small and the same everywhere. Ready for use they are arrays and tables of hashes
(``…_ready``): making them takes most of the time of loading, so they are kept and shared, see
:mod:`paberki.annotation.files.model_catalogue`. What a file says is checked on the way, before a kernel works on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from paberki.annotation.files.annotation_model_file import AnnotationModelFile, Part
from paberki.annotation.lemmas.ending_rules import LITERAL, EndingRule, rule_of
from paberki.annotation.lemmas.lemmatiser import LearntLemmas, LemmaArrays, Lemmatiser, Pairs
from paberki.annotation.names.name_finder import OUTSIDE, NameFinder
from paberki.annotation.parsing.parser import FEWEST_TEMPLATES, TEMPLATES, Parser, rows_of
from paberki.annotation.splitting.logistic_decisions import Decision
from paberki.annotation.splitting.splitter import Splitter
from paberki.annotation.tagging.tag_attributes import coarse
from paberki.annotation.tagging.tag_lexicon import LexiconArrays, TagLexicon
from paberki.annotation.tagging.tag_table import TagTable
from paberki.annotation.tagging.tagger import PerceptronTagger

Parts = dict[str, Part]
_MOST_BITS: Final = 26
_MOST_TAGS: Final = 60_000
_MOST_LINES: Final = 50_000_000
_MOST_MARGIN: Final = 1 << 30
_NONE: Final = np.zeros(0, np.int32)


def _numbers(part: Any, below: int, least: int = 0) -> Any:
    """Whole numbers from ``least`` on and below a limit: kernels trust what they are given."""
    if not isinstance(part, np.ndarray) or part.ndim != 1 or part.dtype.kind not in "iu":
        raise ValueError("a list of numbers that is none")
    if len(part) and not least <= int(part.min()) <= int(part.max()) < below:
        raise ValueError("numbers of something that is not there")
    return part


def _lines(part: Any, most: int = _MOST_LINES) -> list[str]:
    if not isinstance(part, list) or len(part) > most or not all(isinstance(line, str) for line in part):
        raise ValueError("a list of words that is none")
    return part


def _setting(settings: Any, name: str, least: int, most: int) -> int:
    value = settings[name]
    if not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"a setting {name} that makes no sense")
    return value


def _checked_tags(lengths: Any, values: Any, below: int) -> None:
    _numbers(lengths, 256, 1)
    _numbers(values, below)
    if int(lengths.astype(np.int64).sum()) != len(values):
        raise ValueError("a lexicon with tags that do not exist")


def tagger_parts(tagger: PerceptronTagger) -> Parts:
    """A tagger as parts."""
    lexicon = tagger.lexicon
    parts: Parts = {
        "tags": list(tagger.tags),
        "words": list(lexicon.words),
        "word_counts": lexicon.counts,
        "word_lengths": np.diff(lexicon.edges).astype(np.uint8),
        "word_tags": lexicon.tags,
        "endings": list(lexicon.endings),
        "ending_lengths": np.diff(lexicon.ending_edges).astype(np.uint8),
        "ending_tags": lexicon.ending_tags,
        "settings": {
            "bits": tagger.passes[0].bits,
            "unsure": tagger.unsure,
            "passes": len(tagger.passes),
            "dictionary": tagger.lang,
        },
    }
    for number, weights in enumerate(tagger.passes):
        parts[f"weights{number}"] = weights.weights
    return parts


def tagger_ready(parts: Mapping[str, Any]) -> Parts:
    """The parts of a tagger, ready for use."""
    tags = _lines(parts["tags"], _MOST_TAGS)
    settings = parts["settings"]
    count = len(_lines(parts["words"]))
    passes = _setting(settings, "passes", 1, 2)
    _setting(settings, "bits", 1, _MOST_BITS)
    _setting(settings, "unsure", -_MOST_MARGIN, _MOST_MARGIN)
    if not tags:
        raise ValueError("a tagger without tags")
    if not count == len(_numbers(parts["word_counts"], 256)) == len(parts["word_lengths"]):
        raise ValueError("a lexicon of another size than its counts")
    if len(_lines(parts["endings"])) != len(parts["ending_lengths"]):
        raise ValueError("endings without tags")
    _checked_tags(parts["word_lengths"], parts["word_tags"], len(tags))
    _checked_tags(parts["ending_lengths"], parts["ending_tags"], len(tags))
    lexicon = LexiconArrays.of(
        parts["words"], parts["word_counts"].astype(np.uint8), parts["word_lengths"],
        parts["word_tags"].astype(np.uint16), parts["endings"], parts["ending_lengths"], parts["ending_tags"].astype(np.uint16),
    )  # fmt: skip
    weights = {name: parts[name] for name in ("weights0", "weights1")[:passes]}
    return {"tags": tags, "settings": settings, **weights, **lexicon._asdict()}


def tagger_of(ready: Mapping[str, Any]) -> PerceptronTagger:
    """A tagger from its parts."""
    tags, settings = ready["tags"], ready["settings"]
    lexicon = TagLexicon(LexiconArrays(*(ready[name] for name in LexiconArrays._fields)), [coarse(tag) for tag in tags])
    tagger = PerceptronTagger(tags, lexicon, settings["bits"], settings["passes"], str(settings["dictionary"]))
    tagger.unsure = int(settings["unsure"])
    for number, weights in enumerate(tagger.passes):
        weights.weights = _weights(ready[f"weights{number}"], weights.weights.shape)
    return tagger


def _weights(values: Any, shape: tuple[int, ...]) -> Any:
    if values.shape != shape or values.dtype != np.int8:
        raise ValueError("weights of another size than the settings say")
    return np.asarray(values)


def table_parts(table: TagTable) -> Parts:
    """What tags stand for, as parts."""
    return {
        "analyses": ["\t".join(one) for one in table.analyses],
        "defaults": {"of": table.defaults},
        "special": {"of": table.special},
    }


def table_of(parts: Mapping[str, Any]) -> TagTable:
    """What tags stand for, from parts."""
    analyses = [line.split("	") for line in parts["analyses"]]
    if not all(len(one) == 3 for one in analyses):
        raise ValueError("an analysis should have three parts")
    defaults, special = parts["defaults"]["of"], parts["special"]["of"]
    if any(not 0 <= number < len(analyses) for table in (defaults, special) for number in table.values()):
        raise ValueError("a tag that stands for nothing")
    return TagTable([(one[0], one[1], one[2]) for one in analyses], dict(defaults), dict(special))


def lemmatiser_parts(lemmatiser: LearntLemmas, others: Mapping[str, Mapping[tuple[str, str], str]]) -> Parts:
    """The parts of a lemmatiser; ``others`` are the tables of further languages that share it."""
    pairs = [*lemmatiser.training_lemmas, *lemmatiser.rules, *(pair for own in others.values() for pair in own)]
    tags = sorted({tag for _, tag in pairs})
    tag_numbers = {tag: number for number, tag in enumerate(tags)}
    rules: dict[EndingRule, int] = {}
    parts: Parts = {"tags": tags}
    for name, table in (
        ("seen", lemmatiser.training_lemmas),
        *((f"own_{lang}", own) for lang, own in sorted(others.items())),
    ):
        parts[f"{name}_forms"] = [form for form, _ in table]
        parts[f"{name}_tags"] = np.array([tag_numbers[tag] for _, tag in table], np.uint16)
        numbers = [rules.setdefault(rule_of(form, lemma), len(rules)) for (form, _), lemma in table.items()]
        parts[f"{name}_rules"] = np.array(numbers, np.uint32)
    parts["endings"] = [ending for ending, _ in lemmatiser.rules]
    parts["ending_tags"] = np.array([tag_numbers[tag] for _, tag in lemmatiser.rules], np.uint16)
    numbers_of = [[rules.setdefault(rule, len(rules)) for rule in own] for own in lemmatiser.rules.values()]
    parts["ending_lengths"] = np.array([len(one) for one in numbers_of], np.uint8)
    parts["ending_rules"] = np.array([number for one in numbers_of for number in one], np.uint32)
    parts["rules"] = [f"{rule.cut}\t{rule.case}\t{rule.add}" for rule in rules]
    doubtful = sorted(lemmatiser.doubtful)
    parts["doubtful_ways"] = [way for way, _ in doubtful]
    parts["doubtful_tags"] = np.array([tag_numbers[tag] for _, tag in doubtful], np.uint16)
    return parts


def lemmatiser_ready(parts: Mapping[str, Any], lang: str) -> Parts:
    """The parts of a lemmatiser, ready for use in one of its languages."""
    rules = _rules(parts["rules"])
    if any(rule.cut < 0 or not 0 <= rule.case <= LITERAL for rule in rules):
        raise ValueError("a rule that cannot be applied")

    names = _lines(parts["tags"])

    def tags_of(numbers: Any) -> list[str]:
        return [names[number] for number in _numbers(numbers, len(names)).tolist()]

    def pairs(name: str) -> Pairs:
        forms, numbers = parts.get(f"{name}_forms", []), parts.get(f"{name}_rules", _NONE)
        tags = tags_of(parts.get(f"{name}_tags", _NONE))
        if len(tags) != len(forms) or not len(numbers) == len(forms):
            raise ValueError("forms without a tag or a rule")
        return Pairs(_lines(forms), tags, _rule_numbers(numbers, len(rules)))

    lengths = _numbers(parts["ending_lengths"], 256).astype(np.int64)
    tags = tags_of(parts["ending_tags"])
    if not len(lengths) == len(tags) == len(_lines(parts["endings"])) or int(lengths.sum()) != len(
        parts["ending_rules"]
    ):
        raise ValueError("endings without a tag or a rule")
    endings = Pairs(parts["endings"], tags, _rule_numbers(parts["ending_rules"], len(rules)))
    edges = np.r_[0, np.cumsum(lengths)]
    arrays = LemmaArrays.of(rules, pairs("seen"), pairs(f"own_{lang}"), endings, edges)
    doubted = tags_of(parts.get("doubtful_tags", _NONE))
    doubtful = [list(pair) for pair in zip(parts.get("doubtful_ways", []), doubted, strict=True)]
    return {"rules": parts["rules"], "doubtful": {"of": doubtful}, **arrays._asdict()}


def lemmatiser_of(ready: Mapping[str, Any], lang: str) -> Lemmatiser:
    """A lemmatiser from its parts."""
    arrays = LemmaArrays(*(ready[name] for name in LemmaArrays._fields))
    return Lemmatiser(lang, _rules(ready["rules"]), arrays, {(way, tag) for way, tag in ready["doubtful"]["of"]})


def _rules(lines: Sequence[str]) -> list[EndingRule]:
    cells = [line.split("\t", 2) for line in lines]
    return [EndingRule(int(cut), add, int(case)) for cut, case, add in cells]


def _rule_numbers(numbers: Any, below: int) -> Any:
    return _numbers(numbers, below).astype(np.int32)


def parser_parts(parser: Parser) -> Parts:
    """A parser as parts."""
    return {
        "labels": list(parser.labels),
        "settings": {"bits": parser.bits, "own_tags": parser.own_tags, "templates": len(parser.templates)},
        "weights": parser.weights,
    }


def parser_ready(parts: Mapping[str, Any]) -> Parts:
    """The parts of a parser, ready for use."""
    bits = _setting(parts["settings"], "bits", 1, _MOST_BITS)
    if not _lines(parts["labels"], 1000) or parts["weights"].dtype != np.int8:
        raise ValueError("a parser without relations or weights")
    if parts["weights"].shape != (1 << bits, 1 + 2 * len(parts["labels"])):
        raise ValueError("weights of another size than the settings say")
    if not 1 <= parts["settings"].get("templates", FEWEST_TEMPLATES) <= len(TEMPLATES):
        raise ValueError("a parser that looks at more than this version of paberki knows")
    return {"labels": parts["labels"], "settings": parts["settings"], "rows": rows_of(parts["weights"])}


def parser_of(ready: Mapping[str, Any]) -> Parser:
    """A parser from its parts."""
    settings = ready["settings"]
    return Parser.from_arrays(
        ready["labels"],
        settings["bits"],
        ready["rows"],
        bool(settings.get("own_tags", True)),
        settings.get("templates", FEWEST_TEMPLATES),
    )


def names_parts(names: NameFinder) -> Parts:
    """A finder of names as parts."""
    return {
        "labels": list(names.labels.names),
        "known": [f"{part}\t{kind}" for part, kind in names.usual_labels.items()],
        "plain": sorted(names.plain),
        "settings": {"bits": names.weights.bits, "lists": names.lists, "lemmas": names.lemmas},
        "weights": names.weights.weights,
    }


def names_of(parts: Mapping[str, Any]) -> NameFinder:
    """A finder of names from its parts."""
    bits = _setting(parts["settings"], "bits", 1, _MOST_BITS)
    if OUTSIDE not in _lines(parts["labels"], 1000) or len(set(parts["labels"])) != len(parts["labels"]):
        raise ValueError("names without labels or weights")
    labels_of_forms = dict(line.rsplit("\t", 1) for line in parts["known"])
    lists, lemmas = bool(parts["settings"].get("lists", False)), parts["settings"].get("lemmas")
    names = NameFinder(
        parts["labels"], labels_of_forms, set(parts["plain"]), bits, lists, None if lemmas is None else str(lemmas)
    )
    names.weights.weights = _weights(parts["weights"], names.weights.weights.shape)
    return names


def splitter_parts(splitter: Splitter) -> Parts:
    """A splitter as parts."""
    return {
        "decisions": {"dot": splitter.dot.weights, "hyphen": splitter.hyphen.weights, "border": splitter.border.weights},
        "cases": splitter.cases,
        "cuts": splitter.cuts,
        **({"classes": splitter.classes} if splitter.classes else {}),
    }  # fmt: skip


def splitter_ready(parts: Mapping[str, Any], lang: str) -> Parts:
    """The parts of a splitter, ready for use."""
    decisions = parts["decisions"]
    dot, hyphen, border = (
        Decision({str(one): float(value) for one, value in decisions[name].items()})
        for name in ("dot", "hyphen", "border")
    )
    cases, cuts, classes = (dict(parts.get(name, {})) for name in ("cases", "cuts", "classes"))
    keys, weights = Splitter(lang, dot, hyphen, border, cases, cuts, classes).table
    return {"keys": keys, "weights": weights}


def splitter_of(ready: Mapping[str, Any], lang: str) -> Splitter:
    """A splitter from its parts."""
    return Splitter.from_arrays(lang, ready["keys"], ready["weights"])


def ready(model: AnnotationModelFile, lang: str) -> AnnotationModelFile:
    """A model with all its layers ready for use."""
    unfolded = AnnotationModelFile()
    ways: dict[str, Callable[[dict[str, Part]], Parts]] = {
        "tokens": lambda parts: splitter_ready(parts, lang),
        "tagger": tagger_ready,
        "lemmas": lambda parts: lemmatiser_ready(parts, lang),
        "parser": parser_ready,
    }
    for name in model.layers:
        parts = model.layer(name)
        unfolded.put(name, ways[name](parts) if name in ways else parts, {})
    return unfolded
