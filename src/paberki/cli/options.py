"""Options that several verbs share, so that they are spelt and explained once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def one_language(name: str | None) -> str | None:
    """The code of the language that an option names."""
    from paberki.languages import language

    return language(name) if name else name


def several_languages(names: list[str]) -> list[str]:
    """The codes of the languages that an option names."""
    from paberki.languages import languages

    return list(languages(names))


Dir = Annotated[Path, typer.Argument(metavar="DIR", help="Directory of the corpus.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
Tld = Annotated[list[str], typer.Option("--tld", metavar="NAME", help="Top-level domain in scope; repeat for several.")]
Domains = Annotated[
    list[str],
    typer.Option("--domains", metavar="NAME", help="Domain in scope, with its subdomains; repeat for several."),
]
Everywhere = Annotated[bool, typer.Option("--everywhere", help="Follow links to any host on the web.")]
Where = Annotated[
    str | None,
    typer.Option("--where", metavar="CONDITION", help="Only pages for which this holds, e.g. \"lang = 'hr'\"."),
]


def split_commas(names: list[str]) -> tuple[str, ...]:
    """Values of an option that can be repeated and can hold several values separated by commas."""
    return tuple(name.strip() for part in names for name in part.split(",") if name.strip())
