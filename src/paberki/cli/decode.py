"""paberki decode."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from paberki.cli import show
from paberki.cli.input_file import read_file
from paberki.cli.options import Json, Quiet, one_language

if TYPE_CHECKING:
    from paberki.decoding import Decoded


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE|-", help="Page as it was served; - for standard input.")],
    http_charset: Annotated[
        str | None,
        typer.Option("--http-charset", metavar="LABEL", help="Charset, or Content-Type, of the HTTP header."),
    ] = None,
    lang: Annotated[
        str | None, typer.Option("--lang", "-l", callback=one_language, help="Language that is expected, e.g. hr.")
    ] = None,
    model: Annotated[
        Path | None, typer.Option("--model", metavar="MODEL", help="File made by: paberki train charset.")
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Print the decoded text, as UTF-8, and nothing else.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find the encoding of a page: what was looked at, and what decided.

    \b
    Examples:
      paberki decode page.html
      paberki decode page.html --http-charset windows-1250 --lang hr
      curl -s http://example.hr/ | paberki decode - --text
    """
    from paberki.decoding import decode

    result = decode(read_file(file), http_charset=http_charset, lang=lang, model=model)
    if json:
        show.as_json(_facts(result) | ({"text": result.text} if text else {}))
    elif text:
        show.page_text(result.text)
    elif not quiet:
        _tell(result)


def _facts(result: Decoded) -> dict[str, object]:
    return {
        "encoding": result.encoding,
        "replaced_count": result.replaced_count,
        "invalid_count": result.invalid_count,
        "char_count": len(result.text),
        "evidence": [item._asdict() for item in result.evidence],
    }


def _tell(result: Decoded) -> None:
    losses = (
        f", {show.count(result.replaced_count)} byte sequences could not be decoded" if result.replaced_count else ""
    )
    show.say(f"{result.encoding}{losses}")
    show.table(("source", "says", ""), [(item.source, item.encoding or "-", item.detail) for item in result.evidence])
