"""Options that several verbs share, so that they are spelt and explained once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Dir = Annotated[Path, typer.Argument(metavar="DIR", help="Directory of the corpus.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
Where = Annotated[
    str | None,
    typer.Option("--where", metavar="CONDITION", help="Only pages for which this holds, e.g. \"lang = 'hr'\"."),
]
