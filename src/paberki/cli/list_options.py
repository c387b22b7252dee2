"""Options that the verbs of the concordancer share, so that they are spelt and explained once."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from paberki.cli.listing import list_options, open_corpus, show_list, time_limit

if TYPE_CHECKING:
    from paberki.query.concordancer import Concordancer

Corpus = Annotated[Path, typer.Argument(metavar="DIR", help="Directory of a corpus or of an index.")]
Attribute = Annotated[str, typer.Option("--attr", "-a", metavar="NAME", help="Positional attribute.")]
Include = Annotated[Path | None, typer.Option("--include", metavar="FILE", help="Only these values, one per line.")]
Exclude = Annotated[Path | None, typer.Option("--exclude", metavar="FILE", help="Not these values, one per line.")]
Regex = Annotated[str | None, typer.Option("--regex", metavar="PATTERN", help="Only values that match as a whole.")]
Least = Annotated[int, typer.Option("--min", metavar="N", min=1, help="Only rows with at least so many hits.")]
First = Annotated[int | None, typer.Option("--first", "-n", metavar="N", min=1, help="Only the first rows or lines.")]
Set = Annotated[
    str | None, typer.Option("--set", metavar="NAME", help="kept (the default where there is one), dropped, all.")
]
Where = Annotated[
    str | None,
    typer.Option("--where", metavar="CONDITION", help='Only pages for which this holds, e.g. "year >= 2020".'),
]
Format = Annotated[str, typer.Option("--format", "-f", metavar="NAME", help="text, csv, tsv, jsonl or xlsx.")]
Out = Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write to a file.")]
NoHeader = Annotated[bool, typer.Option("--no-header", help="Leave out the lines that say what this is about.")]
Timeout = Annotated[
    float | None, typer.Option("--timeout", metavar="SECONDS", min=0, help="Stop a search that takes longer.")
]
JsonLines = Annotated[bool, typer.Option("--json", help="JSON Lines: the same as --format jsonl.")]
Bare = Annotated[bool, typer.Option("--quiet", "-q", help="Only the rows: the same as --no-header.")]


@dataclass(frozen=True, kw_only=True)
class ListRequest:
    """What all lists can be asked for, apart from what they list."""

    least: Least = 1
    regex: Regex = None
    include: Include = None
    exclude: Exclude = None
    where: Where = None
    set_name: Set = None
    first: First = None
    form: Format = "text"
    out: Out = None
    no_header: NoHeader = False
    json: JsonLines = False
    quiet: Bare = False
    timeout: Timeout = None

    @property
    def rows(self) -> dict[str, Any]:
        """Which rows are wanted, as the functions of lists take it."""
        return list_options(self.include, self.exclude, self.regex, self.least)

    def limit(self, usual: int) -> int:
        """How many rows to make."""
        return max(self.first or 0, usual)

    def open(self, directory: Path) -> Concordancer:
        """The corpus, or the part of it that is asked."""
        return open_corpus(directory, self.where, self.set_name)

    def show(self, table: Any, header: dict[str, Any]) -> None:
        """The list on the terminal or in a file."""
        form, bare = "jsonl" if self.json else self.form, self.no_header or self.quiet
        show_list(table, header, form=form, out=self.out, first=self.first, no_header=bare)

    def show_of(self, corpus: Concordancer, table: Any, name: str, **facts: Any) -> None:
        """A list that is counted from a whole corpus."""
        from paberki.query.hits.hit_export import list_header

        self.show(table, list_header(corpus._scope(), list=name, **facts))


def list_verb(defaults: Mapping[str, Any] | None = None) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a verb whose last parameter is ``request`` the options of all lists, with other defaults for some."""

    def decorate(run: Callable[..., None]) -> Callable[..., None]:
        types = {name: kind for name, kind in get_type_hints(run, include_extras=True).items() if name != "request"}
        parameters = inspect.signature(run).parameters.values()
        own = [one.replace(annotation=types[one.name]) for one in parameters if one.name != "request"]
        option_types = get_type_hints(ListRequest, include_extras=True)
        usual = {field.name: field.default for field in fields(ListRequest)} | dict(defaults or {})

        def verb(**values: Any) -> None:
            request = ListRequest(**{name: values.pop(name) for name in usual})
            with time_limit(request.timeout):
                run(**values, request=request)

        options = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=option_types[name])
            for name, default in usual.items()
        ]
        verb.__signature__ = inspect.Signature([*own, *options])  # type: ignore[attr-defined]
        verb.__annotations__ = {**types, **{name: option_types[name] for name in usual}}
        verb.__doc__, verb.__name__, verb.__module__ = run.__doc__, run.__name__, run.__module__
        return verb

    return decorate
