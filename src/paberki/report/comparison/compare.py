"""Several corpora side by side: all measures that need no building, one page, one JSON and CSV file for each section."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from paberki.engine.progress import Progress
from paberki.errors import InputError
from paberki.query.concordancer import OpenIndex
from paberki.query.sources.vertical import Account
from paberki.report.comparison.foreign_files import COLUMNS, open_foreign
from paberki.report.comparison.warnings import comparison_warnings, language_of
from paberki.report.report_page import page
from paberki.report.section import Section
from paberki.report.words.diacritics import diacritics
from paberki.report.words.frequent_runs import frequent_runs
from paberki.report.words.homogeneity import homogeneity
from paberki.report.words.keyness import keywords
from paberki.report.words.known_similarity import known_similarity
from paberki.report.words.kwic_duplication import kwic_duplication
from paberki.report.words.parts_of_speech import parts_of_speech
from paberki.report.words.sentence_lengths import sentence_lengths
from paberki.report.words.similarity import similarity
from paberki.report.words.topic_alignment import alignment_section, read_dictionary
from paberki.report.words.topics import NO_NOUNS, learn_topics
from paberki.report.words.unknown_words import unknown_words
from paberki.report.words.word_source import WordSource
from paberki.store.directory import INDEX_FILE
from paberki.store.files import explain, write_text
from paberki.store.scratch import scratch_folder

Listener = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class CorpusComparison:
    """What was written, and from what."""

    page: Path
    sections: dict[str, Section]
    warnings: Sequence[str]
    skipped: int

    def as_json(self) -> dict[str, Any]:
        """One object for ``--json``."""
        about = {"page": str(self.page), "skipped": self.skipped, "warnings": list(self.warnings)}
        return {**about, **{name: section.as_json() for name, section in self.sections.items()}}


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareOptions:
    """How corpora are read and what is computed."""

    columns: Sequence[str] = COLUMNS
    """Columns of vertical files."""
    lang: str | None = None
    """Language of foreign files."""
    form: str | None = None
    """Format of foreign files; told from each file where it is not given."""
    topics: bool = False
    topic_count: int = 20
    dictionary: Path | None = None
    """Bilingual word list for topics across languages."""


def compare(
    inputs: Sequence[Path], out: Path, options: CompareOptions | None = None, listen: Listener | None = None
) -> CorpusComparison:
    """Compare corpora, indexes and files, and write the result into a folder."""
    if len(inputs) < 2:
        raise InputError("compare needs two or more corpora; type: paberki compare A B --out FOLDER")
    options = options or CompareOptions()
    dictionary = read_dictionary(options.dictionary) if options.dictionary else None
    with open_sources(inputs, options, listen) as sources:
        for source in sources:
            if not source.tokens:
                raise InputError(f"{source.name}: has no tokens to compare")
        warnings = comparison_warnings(sources)
        sections = {one.name: one for one in _sections(sources, warnings, listen)}
        if options.topics:
            sections["topics"] = _topics(sources, options.topic_count, dictionary, warnings, listen)
    return _write(out, sections, [source.name for source in sources], warnings, sum(one.skipped for one in sources))


@contextmanager
def open_sources(
    inputs: Sequence[Path], options: CompareOptions, listen: Listener | None
) -> Iterator[list[WordSource]]:
    """The tokens of all inputs; temporary indexes go when the comparison is done."""
    names = _names(inputs)
    with scratch_folder() as scratch:
        sources = []
        for number, (path, name) in enumerate(zip(inputs, names, strict=True)):
            sources.append(_open(path, name, scratch / str(number), options, listen))
            language_of(sources[-1])
        yield sources


def _open(path: Path, name: str, scratch: Path, options: CompareOptions, listen: Listener | None) -> WordSource:
    if path.is_dir():
        if (path / INDEX_FILE).is_file():
            index = OpenIndex(path)
            return WordSource(name, index._scope(), lang=index.reader.lang, kind="index")
        from paberki.corpus import Corpus
        from paberki.report.report_sources import corpus_words

        corpus = Corpus(path)
        source = corpus_words(corpus.directory, corpus.plan(), corpus.recipe)
        source.name = name
        return source
    if not path.exists():
        raise InputError(f"{path}: no such file or directory")
    start = time.time()

    def tell(account: Account) -> None:
        if listen:
            total = int(account.tokens / account.share) if account.share else 0
            listen(Progress(f"reading {name}", account.tokens, total, "tokens", started=start))

    return open_foreign(path, name, scratch, columns=options.columns, lang=options.lang, form=options.form, listen=tell)


def _names(inputs: Sequence[Path]) -> list[str]:
    """Short names of corpora; where two are the same, whole names of files, or their numbers too."""
    names = [path.resolve().name.split(".")[0] or str(path) for path in inputs]
    names = [name if names.count(name) == 1 else path.resolve().name for name, path in zip(names, inputs, strict=True)]
    return [name if names.count(name) == 1 else f"{name}-{number}" for number, name in enumerate(names, 1)]


def _sections(sources: Sequence[WordSource], warnings: Sequence[str], listen: Listener | None) -> Iterator[Section]:
    makers: list[tuple[str, Callable[[], list[Section]]]] = [
        ("sizes", lambda: [_corpora(sources)]),
        ("homogeneity", lambda: [_each("homogeneity", "Homogeneity", sources, homogeneity)]),
        ("similarity", lambda: similarity(sources, warnings)),
        ("known_similarity", lambda: [known_similarity(sources[0], sources[1])]),
        ("pos", lambda: [parts_of_speech(sources)]),
        ("sentence_length", lambda: [sentence_lengths(sources)]),
        ("oov", lambda: [unknown_words(sources)]),
        ("kwic_duplication", lambda: [_all_rows("kwic_duplication", "Duplication", sources, kwic_duplication)]),
        ("diacritics", lambda: [_each("diacritics", "Diacritics", sources, diacritics)]),
        ("keywords", lambda: [keywords(sources)]),
        ("ngrams", lambda: [frequent_runs(sources, (2, 3, 5))]),
    ]
    start = time.time()
    for number, (name, make) in enumerate(makers):
        if listen:
            listen(Progress(f"compare, {name}", number, len(makers), "sections", started=start))
        yield from make()


def _corpora(sources: Sequence[WordSource]) -> Section:
    rows = [
        {
            "corpus": one.name,
            "kind": one.kind,
            "lang": one.lang,
            "tokens": one.tokens,
            "words": one.word_tokens,
            "types": int((one.counts()[one.is_word] > 0).sum()),
            "pages": int((one.scope.page_tokens > 0).sum()),
            "skipped": one.skipped,
            "skipped_lines": list(one.skipped_lines)[:20],
        }
        for one in sources
    ]
    notes = [
        f"{one.name}: {one.skipped:,} lines could not be read and were skipped, the first in line {one.skipped_lines[0]:,}."
        for one in sources
        if one.skipped and one.skipped_lines
    ]
    return Section("sizes", "Corpora", "What is compared.", {}, rows, (), notes)


def _each(name: str, title: str, sources: Sequence[WordSource], make: Callable[[WordSource], Section]) -> Section:
    """The single numbers of a section, a row for each corpus."""
    sections = [(source.name, make(source)) for source in sources]
    rows = [{"corpus": corpus, **one.values} for corpus, one in sections if not one.missing]
    notes = [f"{corpus}: {note}" for corpus, one in sections for note in (*one.notes, one.missing) if note]
    missing = "" if rows else sections[0][1].missing
    return Section(name, title, sections[0][1].caption, {}, rows, (), notes, missing=missing)


def _all_rows(name: str, title: str, sources: Sequence[WordSource], make: Callable[[WordSource], Section]) -> Section:
    """The rows of a section, corpus by corpus."""
    sections = [(source.name, make(source)) for source in sources]
    rows = [{"corpus": corpus, **row} for corpus, one in sections for row in one.rows]
    return Section(name, title, sections[0][1].caption, {}, rows, (), sections[0][1].notes)


def _topics(
    sources: Sequence[WordSource], count: int, dictionary: Any, warnings: Sequence[str], listen: Listener | None
) -> Section:
    start, models = time.time(), []
    for source in sources:

        def tell(rounds: int, total: int, name: str = source.name) -> None:
            if listen:
                listen(Progress(f"topics of {name}", rounds, total, "rounds", started=start))

        model = learn_topics(source, count=count, listen=tell)
        if model is not None:
            models.append((source.name, model))
    if len(models) < 2:
        return Section("topics", "Topics", missing=NO_NOUNS)
    return alignment_section(models, dictionary, () if dictionary else warnings)


def _write(
    out: Path, sections: dict[str, Section], names: Sequence[str], warnings: Sequence[str], skipped_count: int
) -> CorpusComparison:
    heading = " and ".join((", ".join(names[:-1]), names[-1]))
    caption = "Corpora side by side. " + " ".join(f"Warning: {one}" for one in warnings)
    try:
        for section in sections.values():
            section.write(out)
        write_text(out / "index.html", page(heading, f"{heading}: comparison", caption, sections, version("paberki")))
    except OSError as error:
        raise explain(error, f"writing the comparison in {out}") from error
    return CorpusComparison(out / "index.html", sections, warnings, skipped_count)
