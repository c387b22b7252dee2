"""All sections of a report by name: each a function from an open corpus to a section.

The report, the command line and the service take sections from here, so that a number is counted in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from paberki.recipe.settings import plain
from paberki.report.figures.annotation_models import models_section
from paberki.report.figures.attrition import attrition_in, attrition_section
from paberki.report.figures.crawl_summary import crawl_facts, crawl_section
from paberki.report.figures.documents_per_host import hosts_in, hosts_section
from paberki.report.figures.duplicate_clusters import deduplicated_sizes, duplicates_in, duplicates_section
from paberki.report.figures.encodings import charset_section, encodings_in
from paberki.report.figures.failed_pages import failures_in, failures_section
from paberki.report.figures.host_bias import host_bias
from paberki.report.figures.identifiers import identifiers_section
from paberki.report.figures.language_shares import by_tld, languages_in, languages_section
from paberki.report.figures.page_shares import licence_section, mime_section, opt_out_section, status_section
from paberki.report.figures.quality_scores import quality_in, quality_section
from paberki.report.figures.repeated_passages import passages_section
from paberki.report.figures.score_distributions import scores_section
from paberki.report.figures.sizes import sizes_section
from paberki.report.figures.text_lengths import lengths_in, lengths_section
from paberki.report.figures.text_samples import samples_section
from paberki.report.page_counts import counting
from paberki.report.report_sources import CorpusView
from paberki.report.section import Section
from paberki.report.words.diacritics import diacritics
from paberki.report.words.frequent_runs import frequent_runs
from paberki.report.words.homogeneity import homogeneity
from paberki.report.words.kwic_duplication import kwic_duplication
from paberki.report.words.parts_of_speech import parts_of_speech
from paberki.report.words.sentence_lengths import sentence_lengths
from paberki.report.words.topic_names import FILE, read_names, write_names
from paberki.report.words.topics import learn_topics, topics_section
from paberki.report.words.unknown_words import unknown_words
from paberki.report.words.word_source import WordSource

if TYPE_CHECKING:
    from paberki.corpus import Corpus

Maker = Callable[[CorpusView], Section]


def _attrition(view: CorpusView) -> Section:
    return attrition_section(view.once("attrition", lambda: attrition_in(view.counter, view.recipe)))


def _hosts(view: CorpusView) -> Section:
    return hosts_section(view.once("hosts", lambda: hosts_in(view.counter)))


def _host_bias(view: CorpusView) -> Section:
    return host_bias(view.counter, view.seed_files, view.seeds)


def _languages(view: CorpusView) -> Section:
    return languages_section(languages_in(view.counter), by_tld(view.counter))


def _duplicates(view: CorpusView) -> Section:
    facts = duplicates_in(view.counter)
    return duplicates_section(facts, deduplicated_sizes(view.counter, facts))


def _lengths(view: CorpusView) -> Section:
    return lengths_section(view.once("lengths", lambda: lengths_in(view.counter)))


def _quality(view: CorpusView) -> Section:
    return quality_section(quality_in(view.counter, view.directory, view.recipe.lang))


def _recipe(view: CorpusView) -> Section:
    rows = [{"stage": stage.name, "settings": _settings(plain(config))} for stage, config in view.recipe.stages]
    return Section("recipe", "Recipe", "The stages that made this corpus, in order, with their settings.", {}, rows)


def _settings(values: object) -> str:
    if not isinstance(values, dict) or not values:
        return "–"
    settings = {name: value for name, value in values.items() if name not in ("pages", "blocks")}
    return "; ".join(f"{name} = {_setting(value)}" for name, value in settings.items())


def _setting(value: object) -> str:
    return ", ".join(str(one) for one in value) or "none" if isinstance(value, list) else str(value)


def _of_words(name: str, title: str, make: Callable[[WordSource], Section]) -> Maker:
    """A section about tokens; it says what is missing where the corpus has none."""

    def section(view: CorpusView) -> Section:
        source = view.words
        return Section(name, title, missing=source) if isinstance(source, str) else _then_rest(source, make(source))

    return section


def _then_rest(source: WordSource, section: Section) -> Section:
    """Each section reads all of the index; between two of them its memory is given back."""
    source.scope.places.index.rest()
    return section


def _beside(name: str, title: str, make: Callable[[Sequence[WordSource]], Section]) -> Maker:
    """The same for sections that show references beside the corpus."""

    def section(view: CorpusView) -> Section:
        source = view.words
        return (
            Section(name, title, missing=source)
            if isinstance(source, str)
            else _then_rest(source, make([source, *view.references]))
        )

    return section


def topics(view: CorpusView, *, count: int = 20, listen: Callable[[int, int], None] | None = None) -> Section:
    """The section of topics, which takes longer than all others together."""
    source = view.words
    if isinstance(source, str):
        return Section("topics", "Topics", missing=source)
    model = learn_topics(source, count=count, listen=listen)
    path = view.directory.root / FILE
    names = read_names(path)
    if model is not None:
        write_names(path, [one.first for one in model.topics], names)
    return topics_section(source.name, model, names)


SECTIONS: Final[dict[str, Maker]] = {
    "attrition": _attrition,
    "sizes": lambda view: sizes_section(view.counter),
    "documents_per_host": _hosts,
    "host_bias": _host_bias,
    "languages": _languages,
    "identifiers": lambda view: identifiers_section(view.counter),
    "status": lambda view: status_section(view.counter),
    "mime": lambda view: mime_section(view.counter),
    "charset": lambda view: charset_section(encodings_in(view.counter)),
    "licence": lambda view: licence_section(view.counter),
    "opt_out": lambda view: opt_out_section(view.counter),
    "lengths": _lengths,
    "duplicates": _duplicates,
    "kwic_duplication": _of_words("kwic_duplication", "Duplication left", kwic_duplication),
    "passages": lambda view: passages_section(view.counter),
    "diacritics": _of_words("diacritics", "Diacritics", diacritics),
    "scores": lambda view: scores_section(view.counter),
    "quality": _quality,
    "pos": _beside("pos", "Parts of speech", parts_of_speech),
    "sentence_length": _beside("sentence_length", "Length of sentences", sentence_lengths),
    "oov": _beside("oov", "Unknown words", unknown_words),
    "homogeneity": _of_words("homogeneity", "Homogeneity", homogeneity),
    "ngrams": _of_words("ngrams", "Frequent runs of words", lambda source: frequent_runs([source])),
    "models": lambda view: models_section(view.counter),
    "samples": lambda view: samples_section(view.counter),
    "crawl": lambda view: crawl_section(crawl_facts(view.directory.crawl)),
    "failures": lambda view: failures_section(failures_in(view.counter)),
    "recipe": _recipe,
}
"""In the order of the page; topics come beside them when they are asked for."""


@contextmanager
def viewing(corpus: Corpus) -> Iterator[CorpusView]:
    """A corpus open for sections."""
    plan = corpus.plan()
    with counting(corpus.directory, plan) as counter:
        yield CorpusView(counter, corpus.directory, plan, corpus.recipe)


def section_of(corpus: Corpus, name: str, **options: Any) -> Section:
    """One section of a corpus.

    >>> from paberki.report.sections import SECTIONS
    >>> "host_bias" in SECTIONS
    True
    """
    with viewing(corpus) as view:
        return topics(view, **options) if name == "topics" else SECTIONS[name](view)
