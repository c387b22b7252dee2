"""paberki compare."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from paberki.cli import show
from paberki.cli.listing import time_limit
from paberki.cli.options import Json, Quiet, one_language, split_commas

if TYPE_CHECKING:
    from paberki.report.comparison import CorpusComparison

Inputs = Annotated[
    list[Path],
    typer.Argument(metavar="A B…", help="Corpora, indexes, or files: vertical, CoNLL-U, JSONL, Parquet, text."),
]
Out = Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="Folder to write to.")]
Columns = Annotated[
    list[str], typer.Option("--columns", metavar="NAMES", help="Columns of vertical files, divided by commas.")
]
Form = Annotated[
    str | None,
    typer.Option("--format", "-f", metavar="FORMAT", help="vert, conllu, jsonl, parquet or text; told from each file."),
]
Lang = Annotated[
    str | None,
    typer.Option("--lang", "-l", callback=one_language, help="Language of the files; told from each text."),
]
Topics = Annotated[bool, typer.Option("--topics", help="Learn topics too and say which are shared.")]
TopicCount = Annotated[int, typer.Option("--topic-count", min=2, max=1000, help="How many topics.")]
Dictionary = Annotated[
    Path | None,
    typer.Option("--dictionary", metavar="FILE", help="Bilingual word list for topics: two words and a tab on a line."),
]
Timeout = Annotated[float | None, typer.Option(metavar="SECONDS", min=0, help="Give up after this time.")]


def run(
    inputs: Inputs,
    out: Out,
    columns: Columns = ["word,lemma,tag"],  # noqa: B006 - typer wants a literal
    form: Form = None,
    lang: Lang = None,
    topics: Topics = False,
    topic_count: TopicCount = 20,
    dictionary: Dictionary = None,
    timeout: Timeout = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Corpora side by side: homogeneity, similarity, keywords, parts of speech, sentences, unknown words, duplication.

    Files of others are read as they are, packed (.gz, .xz, .bz2, .zst) or not; no corpus is built from them.

    \b
    Examples:
      paberki compare hr sr --out hr-sr
      paberki compare hr srwac.vert.gz --out both --lang sr
      paberki compare hr sl --topics --dictionary hr-sl.tsv --out both
    """
    from paberki.errors import ConfigError
    from paberki.report.comparison.compare import CompareOptions, compare
    from paberki.report.comparison.foreign_files import FORMATS

    if form is not None and form not in FORMATS:
        raise ConfigError(f"--format {form}: there are {', '.join(FORMATS)}")
    options = CompareOptions(
        columns=split_commas(columns),
        lang=lang,
        form=form,
        topics=topics or dictionary is not None,
        topic_count=topic_count,
        dictionary=dictionary,
    )
    with time_limit(timeout), show.watching(quiet=quiet or json) as listen:
        comparison = compare(inputs, out, options, listen)
    if json:
        show.as_json(comparison.as_json())
    elif not quiet:
        _print(comparison)


def _print(comparison: CorpusComparison) -> None:
    for warning in comparison.warnings:
        show.say(f"warning: {warning}")
    sections = comparison.sections
    for name, columns in (
        ("sizes", ("corpus", "lang", "tokens", "types", "pages", "skipped")),
        ("homogeneity", ("corpus", "mean", "sd", "runs")),
        ("similarity", ("a", "b", "spearman")),
        ("chi2", ("a", "b", "chi2", "chi2_per_df")),
        ("cross_entropy", ("a", "b", "cross_entropy", "perplexity")),
        ("known_similarity", ("measure", "judgements", "share")),
        ("kwic_duplication", ("corpus", "type", "occurrences", "share")),
    ):
        section = sections[name]
        rows = [[_cell(row.get(column)) for column in columns] for row in section.rows]
        if rows:
            show.table(columns, rows, title=section.title)
        else:
            show.say(f"{section.title}: {section.missing}")
        for note in section.notes if name == "sizes" else ():
            show.say(note)
        show.say("")
    show.say(f"page with figures: {comparison.page}")


def _cell(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.4g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
