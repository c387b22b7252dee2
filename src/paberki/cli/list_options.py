"""Options that the verbs of the concordancer share, so that they are spelt and explained once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
