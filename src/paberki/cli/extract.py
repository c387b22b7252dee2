"""paberki extract."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from paberki.cli import show
from paberki.cli.input_file import read_page
from paberki.cli.options import Json, Quiet

if TYPE_CHECKING:
    from paberki.extraction import Extraction


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE|-", help="HTML page as it was served; - for standard input.")],
    blocks: Annotated[
        bool, typer.Option("--blocks", help="Every block with its label, chance, place and reason, kept or not.")
    ] = False,
    method: Annotated[str | None, typer.Option("--method", "-m", help="Extraction method; learned by default.")] = None,
    url: Annotated[str | None, typer.Option("--url", help="Address of the page.")] = None,
    encoding: Annotated[str | None, typer.Option("--encoding", help="Read the page in this encoding.")] = None,
    comments: Annotated[bool, typer.Option("--comments", help="With the comments of readers.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print the text of a page, one block per line.

    \b
    Examples:
      paberki extract page.html
      curl -s https://example.hr/ | paberki extract - --url https://example.hr/ --json
      paberki extract page.html --blocks --method tagpath
    """
    from paberki.decoding.encoding_labels import resolve
    from paberki.errors import ConfigError
    from paberki.extraction import extract

    codec = resolve(encoding) if encoding else None
    if encoding and codec is None:
        raise ConfigError(f"unknown encoding {encoding!r}")
    page = extract(read_page(file), url=url, method=method, encoding=codec, comments=comments)
    if json:
        show.as_json(facts(page))
    elif quiet:
        return
    elif blocks:
        for block in page.blocks:
            sign = "+" if block.kept else "-"
            show.say(f"{sign} {block.score:.2f} {block.label:<11} {block.start:>7}-{block.end:<7} {block.text}")
    else:
        show.page_text(page.text + "\n" if page.text else "")


def facts(page: Extraction) -> dict[str, Any]:
    """Everything about a page, ready for JSON."""
    from paberki.store.columns import BLOCK_FIELDS

    fields = [field.name for field in BLOCK_FIELDS]
    names = ("url", "title", "date", "author", "site", "declared_language", "description", "keywords", "page_type")
    return {
        **{name: getattr(page, name) for name in names},
        "encoding": page.encoding,
        "text": page.text,
        "blocks": [{name: getattr(block, name) for name in fields if hasattr(block, name)} for block in page.blocks],
        "links": [asdict(link) for link in page.links],
    }
