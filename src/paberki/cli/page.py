"""paberki page."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from paberki.cli.options import Dir


def run(
    directory: Dir,
    page: Annotated[str, typer.Argument(metavar="ID", help="Id of a page; its address or stable key will do.")],
    form: Annotated[str, typer.Option("--format", "-f", metavar="NAME", help="html, xml, text or json.")] = "text",
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="File to write.")] = None,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors and the page.")] = False,
) -> None:
    """One page: html is what was received, byte for byte; xml is Web Standard Format; text is what select keeps.

    \b
    Examples:
      paberki page hr 000012345 --format html > page.html
      paberki page hr 000012345 --format xml
      paberki page hr https://example.hr/article
    """
    from paberki.corpus import Corpus
    from paberki.export.page_forms import page_form
    from paberki.store.files import replacing

    content = page_form(Corpus(directory), page, "json" if json else form)
    if out is not None:
        with replacing(out) as beside:
            beside.write_bytes(content.data)
        return
    if sys.stdout.isatty() and content.media_type.startswith("text/"):
        from paberki.terminal import visible

        sys.stdout.write(visible(content.data.decode("utf-8", "replace"), lines=True))
        return
    sys.stdout.buffer.write(content.data)
    sys.stdout.buffer.flush()
