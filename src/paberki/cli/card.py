"""paberki card."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from paberki.cli import show
from paberki.cli.options import Dir, Json, Quiet


def run(
    directory: Dir,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="File to write.")] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print the data sheet of the corpus: Markdown with a YAML head, as Hugging Face reads it, from its own numbers.

    \b
    Examples:
      paberki card hr
      paberki card hr -o README.md
    """
    from paberki.corpus import Corpus
    from paberki.store.files import explain, write_text

    text = Corpus(directory).card()
    if out is not None:
        try:
            write_text(out, text)
        except OSError as error:
            raise explain(error, f"writing {out}") from error
    if json:
        show.as_json({"file": str(out) if out else None, "card": text})
    elif out is not None:
        show.say(str(out), quiet=quiet)
    elif not quiet:
        sys.stdout.write(text)
