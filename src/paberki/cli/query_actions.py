"""What ``paberki query`` does, apart from reading its options: nothing here waits for the library that reads them."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from paberki.amounts import several
from paberki.cli.caret import with_caret
from paberki.cli.listing import is_for_people, list_options, open_corpus, output, show_list, terminal_width, time_limit
from paberki.query.token_window import is_window, read_window

if TYPE_CHECKING:
    from paberki.query.hits.hits import Hits

__all__ = ["QueryRequest", "answer", "join_window"]

_LINES: Final = 20
"""Lines on a terminal."""
_VIEWS: Final = ("kwic", "sentence", "table")


@dataclass(frozen=True, kw_only=True)
class QueryRequest:
    """A query and everything that is asked about it; ``paberki query --help`` explains the options of these names."""

    directory: Path
    cql: str
    count: bool = False
    first: int | None = None
    view: str = "kwic"
    context: int | None = None
    sort: str | None = None
    sample: int | None = None
    seed: int = 1
    filters: list[str] | tuple[str, ...] = ()
    filter_window: str | None = None
    per_page: int | None = None
    no_overlap: bool = False
    fold: bool = False
    good: bool = False
    freq: str | None = None
    colloc: str | None = None
    measure: str = "logdice"
    within: str | None = None
    dist: str | None = None
    dispersion: bool = False
    least: int = 1
    regex: str | None = None
    include: Path | None = None
    exclude: Path | None = None
    where: str | None = None
    set_name: str | None = None
    strategy: str | None = None
    dialect: str = "cqp"
    form: str = "text"
    out: Path | None = None
    no_header: bool = False
    timeout: float | None = None
    json: bool = False
    quiet: bool = False


def join_window(args: list[str]) -> list[str]:
    """Join the attribute of ``--colloc`` and the window behind it."""
    if "--colloc" in args:
        at = args.index("--colloc")
        if at + 2 < len(args) and is_window(args[at + 2]):
            return [*args[: at + 1], f"{args[at + 1]} {args[at + 2]}", *args[at + 3 :]]
    return args


def answer(request: QueryRequest) -> None:
    """Search, and show what was asked for."""
    if request.json or request.quiet:
        form, no_header = ("jsonl" if request.json else request.form), request.no_header or request.quiet
        request = replace(request, form=form, no_header=no_header)
    with time_limit(request.timeout), with_caret(request.cql):
        hits = _hits(request)
        options = list_options(request.include, request.exclude, request.regex, request.least)
        if request.count:
            _print_count(hits, as_json=request.json)
        elif request.freq is not None:
            _show(hits.freq(request.freq, **options), hits, request, list=f"frequency by {request.freq}")
        elif request.colloc is not None:
            _show_collocations(hits, request, options)
        elif request.dist is not None:
            _show(hits.distribution(request.dist, **options), hits, request, list=f"hits by {request.dist}")
        elif request.dispersion:
            _print_dispersion(hits, request)
        else:
            _print_hits(hits, request)


def _hits(request: QueryRequest) -> Hits:
    """The hits after all steps, in the order: filters, pages, overlap, copies, sample, good examples, sort."""
    corpus = open_corpus(request.directory, request.where, request.set_name)
    hits = corpus.query(request.cql, strategy=request.strategy, dialect=request.dialect, seconds=request.timeout)
    for text in request.filters:
        hits = _filter(hits, text, request.filter_window)
    hits = hits.per_page(request.per_page) if request.per_page else hits
    hits = hits.no_overlap() if request.no_overlap else hits
    hits = hits.fold() if request.fold else hits
    hits = hits.sample(request.sample, request.seed) if request.sample is not None else hits
    hits = hits.good() if request.good else hits
    return hits.sort(request.sort) if request.sort else hits


def _show_collocations(hits: Hits, request: QueryRequest, options: dict[str, Any]) -> None:
    attribute, window = _window(request.colloc or "")
    limit = max(request.first or 0, 1000)
    table = hits.collocations(attribute, window, request.measure, within=request.within, limit=limit, **options)
    _show(table, hits, request, list=f"collocations by {attribute} in {window[0]}..{window[1]}")


def _filter(hits: Hits, text: str, window: str | None) -> Hits:
    from paberki.errors import ConfigError

    if text[:1] not in "+-" or not text[1:].strip():
        raise ConfigError(f"--filter {text!r}: begin with + (keep hits near a match) or - (drop them), then a query")
    span = read_window(window) if window and is_window(window) else window
    return hits.filter(text[1:], keep=text[0] == "+", window=span)


def _window(text: str) -> tuple[str, tuple[int, int]]:
    attribute, _, window = text.strip().partition(" ")
    return attribute, read_window(window or "-5..5")


def _print_count(hits: Hits, *, as_json: bool) -> None:
    number = hits.count()
    rate = number * 1e6 / max(hits.scope.tokens, 1)
    if as_json:
        from json import dumps

        count = {"hits": number, "per_million": rate, "tokens": hits.scope.tokens, "complete": hits.is_complete}
        sys.stdout.write(f"{dumps(count)}\n")
        return
    note = "" if hits.is_complete else f"; stopped after {hits.search.progress().searched:.0%} of the corpus"
    sys.stdout.write(
        f"{number} {'hit' if number == 1 else 'hits'}, {rate:.2f} per million of {hits.scope.tokens} tokens{note}\n"
    )


def _show(table: Any, hits: Hits, request: QueryRequest, **facts: Any) -> None:
    from paberki.query.hits.hit_export import header_of

    header = header_of(hits, **facts)
    show_list(table, header, form=request.form, out=request.out, first=request.first, no_header=request.no_header)


def _print_dispersion(hits: Hits, request: QueryRequest) -> None:
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
    if is_for_people(request.out, request.form):
        table = pa.table({"figure": names, "value": [f"{numbers[name]:,.10g}" for name in names]})
        sys.stdout.write(f"{bars}\n")
    _show(table, hits, request, list="dispersion")


def _print_hits(hits: Hits, request: QueryRequest) -> None:
    from paberki.errors import ConfigError

    if request.view not in _VIEWS:
        raise ConfigError(f"--view {request.view!r}: there are {', '.join(_VIEWS)}")
    if request.view != "table" and is_for_people(request.out, request.form):
        _print_lines(hits, request)
    elif request.form == "text" and request.view != "table":
        _pipe_lines(hits, request)
    else:
        _write(hits, request)


def _context(hits: Hits, request: QueryRequest, default: int) -> int | str:
    if request.view == "sentence" and "s" in hits.scope.places.index.structures:
        return "s"
    return default if request.context is None else request.context


def _print_lines(hits: Hits, request: QueryRequest) -> None:
    """A page of lines for a terminal."""
    from paberki.query.hits.kwic import kwic_lines, sentence_lines

    width, size = terminal_width(), request.first or _LINES
    lines = hits.page(0, size=size, context=_context(hits, request, width // 4))
    colour = "NO_COLOR" not in os.environ
    text_lines = (
        kwic_lines(lines, width, colour=colour) if request.view == "kwic" else sentence_lines(lines, colour=colour)
    )
    for line in text_lines:
        sys.stdout.write(line + "\n")
    sys.stdout.flush()
    if not request.no_header:
        sys.stdout.write(_summary(hits, len(lines)) + "\n")


def _summary(hits: Hits, line_count: int) -> str:
    from paberki.query.hits.hit_export import header_of

    header = header_of(hits)
    number = header.pop("hits")
    about = ", ".join(f"{name} {value}" for name, value in header.items())
    return (
        f"{line_count:,} of {several(number, 'hit')}; {about}"
        if line_count < number
        else f"{several(number, 'hit')}; {about}"
    )


def _pipe_lines(hits: Hits, request: QueryRequest) -> None:
    """Lines for a pipe or a file: header, then left, hit and right with tabs between them."""
    from paberki.query.hits.hit_export import header_of
    from paberki.query.hits.kwic import plain_line
    from paberki.query.hits.lines import CONTEXT, lines_of

    table = hits.table if request.first is None else hits.first_table(request.first)
    with output(request.out, "text") as stream:
        if not request.no_header:
            stream.writelines(f"# {name}: {value}\n" for name, value in header_of(hits).items())
        for line in lines_of(hits.scope.places, table, context=_context(hits, request, CONTEXT)):
            stream.write(plain_line(line) + "\n")


def _write(hits: Hits, request: QueryRequest) -> None:
    from paberki.query.hits.hit_export import header_of, write_hits
    from paberki.query.hits.lines import CONTEXT

    header = {} if request.no_header or request.form == "spans" else header_of(hits)
    context = _context(hits, request, CONTEXT)
    first = request.first or (_LINES if is_for_people(request.out, request.form) else None)
    with output(request.out, request.form) as stream:
        write_hits(stream, request.form, hits, first=first, view=request.view, header=header, context=context)
