"""paberki query."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.core import TyperCommand

from paberki.cli.listing import (
    Corpus,
    Exclude,
    First,
    Include,
    Least,
    NoHeader,
    Out,
    Regex,
    Set,
    Timeout,
    Where,
    is_for_people,
    list_options,
    open_corpus,
    output,
    show_list,
    terminal_width,
    time_limit,
)  # fmt: skip

if TYPE_CHECKING:
    from paberki.query.hits.hits import Hits

_WINDOW: Final = re.compile(r"(-?\d+)\.\.([+-]?\d+)")
_LINES: Final = 20
"""Lines on a terminal."""
_VIEWS: Final = ("kwic", "sentence", "table")


class COMMAND(TyperCommand):
    """Lets ``--colloc lemma -5..5`` have its window without another option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Join the attribute and the window behind it."""
        if "--colloc" in args:
            at = args.index("--colloc")
            if at + 2 < len(args) and _WINDOW.fullmatch(args[at + 2]):
                args[at + 1 : at + 3] = [f"{args[at + 1]} {args[at + 2]}"]
        return super().parse_args(ctx, args)


@dataclass(frozen=True)
class _Output:
    """Where and how results go."""

    form: str
    out: Path | None
    first: int | None
    no_header: bool
    view: str
    context: int | None


def run(
    directory: Corpus,
    cql: Annotated[str, typer.Argument(metavar="CQL", help="A query, e.g. '[lemma=\"grad\"]'.")],
    count: Annotated[bool, typer.Option("--count", help="Print the number of hits.")] = False,
    first: First = None,
    view: Annotated[str, typer.Option("--view", metavar="NAME", help="kwic, sentence or table.")] = "kwic",
    context: Annotated[
        int | None, typer.Option("--context", metavar="N", min=0, max=1000, help="Tokens on each side.")
    ] = None,
    sort: Annotated[
        str | None,
        typer.Option("--sort", metavar="KEYS", help="left, right, node, ATTR, LABEL.ATTR, doc.COLUMN; -KEY turns it."),
    ] = None,
    sample: Annotated[int | None, typer.Option("--sample", metavar="N", min=0, help="A random sample.")] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another seed, another sample.")] = 1,
    filters: Annotated[
        list[str],
        typer.Option("--filter", metavar="±CQL", help="Keep (+) or drop (-) hits near a match; repeat for a chain."),
    ] = [],  # noqa: B006 - typer copies it
    filter_window: Annotated[
        str | None,
        typer.Option("--filter-window", metavar="A..B|STRUCTURE", help="How near: -5..5, s (default), p, doc."),
    ] = None,
    per_page: Annotated[
        int | None, typer.Option("--per-page", metavar="N", min=1, help="At most N hits of each page.")
    ] = None,
    no_overlap: Annotated[bool, typer.Option("--no-overlap", help="No hit that overlaps the one before.")] = False,
    fold: Annotated[bool, typer.Option("--fold", help="Near-copies once.")] = False,
    good: Annotated[bool, typer.Option("--good", help="Good examples first.")] = False,
    freq: Annotated[
        str | None, typer.Option("--freq", metavar="ATTRS", help="Frequency list: lemma, word,tag or A.lemma,B.lemma.")
    ] = None,
    colloc: Annotated[
        str | None, typer.Option("--colloc", metavar="ATTR [A..B]", help="Collocations, e.g. lemma -5..5.")
    ] = None,
    measure: Annotated[
        str, typer.Option("--measure", "-m", metavar="NAME", help="logdice, mi, mi3, t, ll or minsens.")
    ] = "logdice",
    within: Annotated[
        str | None, typer.Option("--within", metavar="STRUCTURE", help="Windows of collocations stop at its edges.")
    ] = None,
    dist: Annotated[
        str | None, typer.Option("--dist", metavar="COLUMN", help="Hits by host, year, month or a column of pages.")
    ] = None,
    dispersion: Annotated[bool, typer.Option("--dispersion", help="How evenly the hits are spread.")] = False,
    least: Least = 1,
    regex: Regex = None,
    include: Include = None,
    exclude: Exclude = None,
    where: Where = None,
    set_name: Set = None,
    strategy: Annotated[
        str | None,
        typer.Option("--strategy", metavar="NAME", help="standard, shortest, longest, traditional or all."),
    ] = None,
    dialect: Annotated[str, typer.Option("--dialect", metavar="NAME", help="cqp, manatee or blacklab.")] = "cqp",
    form: Annotated[
        str,
        typer.Option("--format", "-f", metavar="NAME", help="text, csv, tsv, jsonl, xlsx, conllu, vert or spans."),
    ] = "text",
    out: Out = None,
    no_header: NoHeader = False,
    timeout: Timeout = None,
) -> None:
    """Find where something occurs, in CQL, the query language of CQP and Sketch Engine.

    \b
    Examples:
      paberki query hr '[lemma="grad"]' --sort right
      paberki query hr '[tag="A.*"] [lemma="grad"]' --freq lemma --min 5
      paberki query hr '[lemma="grad"]' --colloc lemma -3..3 --measure ll
      paberki query hr '"u" [] within <s/>' --format csv --out hits.csv
    """
    from paberki.cli.caret import with_caret

    with time_limit(timeout), with_caret(cql):
        target = _Output(form, out, first, no_header, view, context)
        hits = open_corpus(directory, where, set_name).query(cql, strategy=strategy, dialect=dialect, seconds=timeout)
        for text in filters:
            hits = _filtered(hits, text, filter_window)
        hits = hits.per_page(per_page) if per_page else hits
        hits = hits.no_overlap() if no_overlap else hits
        hits = hits.fold() if fold else hits
        hits = hits.sample(sample, seed) if sample is not None else hits
        hits = hits.good() if good else hits
        hits = hits.sort(sort) if sort else hits
        options = list_options(include, exclude, regex, least)
        if count:
            _print_count(hits)
        elif freq is not None:
            _show(hits.freq(freq, **options), hits, target, list=f"frequency by {freq}")
        elif colloc is not None:
            attribute, window = _window(colloc)
            limit = max(first or 0, 1000)
            table = hits.collocations(attribute, window, measure, within=within, limit=limit, **options)
            _show(table, hits, target, list=f"collocations by {attribute} in {window[0]}..{window[1]}")
        elif dist is not None:
            _show(hits.distribution(dist, **options), hits, target, list=f"hits by {dist}")
        elif dispersion:
            _print_dispersion(hits, target)
        else:
            _print_hits(hits, target)


def _filtered(hits: Hits, text: str, window: str | None) -> Hits:
    from paberki.errors import ConfigError

    if text[:1] not in "+-" or not text[1:].strip():
        raise ConfigError(f"--filter {text!r}: begin with + (keep hits near a match) or - (drop them), then a query")
    span: Any = window
    if window and (match := _WINDOW.fullmatch(window)):
        span = (int(match[1]), int(match[2]))
    return hits.filter(text[1:], keep=text[0] == "+", window=span)


def _window(text: str) -> tuple[str, tuple[int, int]]:
    from paberki.errors import ConfigError

    attribute, _, window = text.strip().partition(" ")
    if not window:
        return attribute, (-5, 5)
    if not (match := _WINDOW.fullmatch(window.strip())):
        raise ConfigError(
            f"--colloc {text!r}: a window is two numbers of tokens with two dots between, for example -5..5"
        )
    return attribute, (int(match[1]), int(match[2]))


def _print_count(hits: Hits) -> None:
    number = hits.count()
    rate = number * 1e6 / max(hits.scope.tokens, 1)
    note = "" if hits.is_complete else f"; stopped after {hits.search.progress().searched:.0%} of the corpus"
    sys.stdout.write(f"{number} hits, {rate:.2f} per million of {hits.scope.tokens} tokens{note}\n")


def _show(table: Any, hits: Hits, target: _Output, **facts: Any) -> None:
    from paberki.query.hits.export import header_of

    header = header_of(hits, **facts)
    show_list(table, header, form=target.form, out=target.out, first=target.first, no_header=target.no_header)


def _print_dispersion(hits: Hits, target: _Output) -> None:
    import pyarrow as pa

    numbers = hits.dispersion()
    parts = numbers.pop("parts")
    most = max([*parts, 1])
    bars = "".join(" ▁▂▃▄▅▆▇█"[-(-8 * part // most)] for part in parts)
    names = list(numbers)
    table = pa.table(
        {
            "figure": [*names, "parts"],
            "value": [*(f"{numbers[name]:.10g}" for name in names), " ".join(map(str, parts))],
        }
    )
    if is_for_people(target.out, target.form):
        table = pa.table({"figure": names, "value": [f"{numbers[name]:,.10g}" for name in names]})
        sys.stdout.write(f"{bars}\n")
    _show(table, hits, target, list="dispersion")


def _print_hits(hits: Hits, target: _Output) -> None:
    from paberki.errors import ConfigError

    if target.view not in _VIEWS:
        raise ConfigError(f"--view {target.view!r}: there are {', '.join(_VIEWS)}")
    if target.view != "table" and is_for_people(target.out, target.form):
        _print_lines(hits, target)
    elif target.form == "text" and target.view != "table":
        _pipe_lines(hits, target)
    else:
        _write(hits, target)


def _context(hits: Hits, target: _Output, default: int) -> int | str:
    if target.view == "sentence" and "s" in hits.scope.places.index.structures:
        return "s"
    return default if target.context is None else target.context


def _print_lines(hits: Hits, target: _Output) -> None:
    """A page of lines for a terminal."""
    from paberki.query.hits.kwic import kwic_lines, sentence_lines

    width, size = terminal_width(), target.first or _LINES
    lines = hits.page(0, size=size, context=_context(hits, target, width // 4))
    colour = "NO_COLOR" not in os.environ
    shown = kwic_lines(lines, width, colour=colour) if target.view == "kwic" else sentence_lines(lines, colour=colour)
    for line in shown:
        sys.stdout.write(line + "\n")
    sys.stdout.flush()
    if not target.no_header:
        sys.stdout.write(_summary(hits, len(lines)) + "\n")


def _summary(hits: Hits, shown: int) -> str:
    from paberki.query.hits.export import header_of

    header = header_of(hits)
    number = header.pop("hits")
    about = ", ".join(f"{name} {value}" for name, value in header.items())
    return f"{shown:,} of {number:,} hits; {about}" if shown < number else f"{number:,} hits; {about}"


def _pipe_lines(hits: Hits, target: _Output) -> None:
    """Lines for a pipe or a file: header, then left, hit and right with tabs between them."""
    from paberki.query.hits.export import header_of
    from paberki.query.hits.kwic import plain_line
    from paberki.query.hits.lines import CONTEXT, lines_of

    table = hits.table if target.first is None else hits.first_table(target.first)
    with output(target.out, "text") as stream:
        if not target.no_header:
            stream.writelines(f"# {name}: {value}\n" for name, value in header_of(hits).items())
        for line in lines_of(hits.scope.places, table, context=_context(hits, target, CONTEXT)):
            stream.write(plain_line(line) + "\n")


def _write(hits: Hits, target: _Output) -> None:
    from paberki.query.hits.export import header_of, write_hits
    from paberki.query.hits.lines import CONTEXT

    header = {} if target.no_header or target.form == "spans" else header_of(hits)
    context = _context(hits, target, CONTEXT)
    first = target.first or (_LINES if is_for_people(target.out, target.form) else None)
    with output(target.out, target.form) as stream:
        write_hits(stream, target.form, hits, first=first, view=target.view, header=header, context=context)
