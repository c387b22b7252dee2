"""paberki build."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Annotated

import typer

from paberki.cli import show
from paberki.cli.options import Dir, Json, Quiet
from paberki.errors import ConfigError

if TYPE_CHECKING:
    from paberki.engine.runner import Result

REASONS = 3
"""Reasons that a build ends with."""


def _part(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise ConfigError(f"--part {text}: write i/n with i from 1 to n, e.g. --part 3/8")
    return int(found[1]), int(found[2])


def _share(text: str | None) -> float | None:
    """``1%``, ``0.01`` → .01."""
    if text is None:
        return None
    try:
        share = float(text.removesuffix("%")) / 100 if text.endswith("%") else float(text)
    except ValueError as error:
        raise ConfigError(f"--max-errors {text}: write a share such as 1% or 0.01") from error
    if not 0 <= share <= 1:
        raise ConfigError(f"--max-errors {text}: write a share from 0 to 1, or from 0% to 100%")
    return share


def run(
    directory: Dir,
    engine: Annotated[str, typer.Option(help="Where to run: local or ray.")] = "local",
    address: Annotated[
        str | None, typer.Option(help="Address of a Ray cluster; default: the running one, or a new local one.")
    ] = None,
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", min=1, help="Workers; default: one per core.")] = None,
    until: Annotated[str | None, typer.Option(metavar="STAGE", help="Stop after this stage.")] = None,
    refit: Annotated[bool, typer.Option("--refit", help="Learn models from the corpus again.")] = False,
    retry_errors: Annotated[bool, typer.Option("--retry-errors", help="Try failed records again.")] = False,
    max_errors: Annotated[
        str | None, typer.Option(metavar="SHARE", help="Stop when more records fail; default 1%.")
    ] = None,
    part: Annotated[
        str | None, typer.Option(metavar="I/N", help="Do the I-th of N shares of the map work, for batch systems.")
    ] = None,
    joins: Annotated[
        bool, typer.Option("--joins", help="Run only what needs all pages and is due: joins and fits, between parts.")
    ] = False,
    allow_commands: Annotated[
        bool,
        typer.Option(
            "--allow-commands", help="Let the recipe run programs: external.command, and taggers that are commands."
        ),
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Bring the corpus up to date: number new pages, run every stage that is not done, select.

    What is done and unchanged is skipped; after a stop or a kill the same command goes on where it was.

    \b
    Examples:
      paberki build hr
      paberki build hr --until extract --jobs 8
      paberki build hr --part 3/8        (eight of these at once, then --joins, until status names nothing missing)
      paberki build hr --joins
      paberki build hr --engine ray --address auto
    """
    from paberki.corpus import Corpus
    from paberki.engine.build_summary import warning
    from paberki.engine.workers.memory_limits import be_modest

    be_modest()
    corpus = Corpus(directory)
    with show.watching(quiet=quiet or json) as listen:
        result = corpus.build(
            engine=engine,
            jobs=jobs,
            until=until,
            refit=refit,
            retry_errors=retry_errors,
            max_errors=_share(max_errors),
            part=_part(part),
            joins=joins,
            allow_commands=allow_commands,
            address=address,
            listen=listen,
        )
    if json:
        show.as_json(dataclasses.asdict(result))
        return
    if quiet:
        return
    rows = [
        (
            tally.stage,
            show.count(tally.pages),
            show.count(tally.skipped),
            tally.errors or "",
            f"{tally.cpu_seconds:.1f}",
        )
        for tally in result.stages
    ]
    show.table(("stage", "pages", "up to date", "failed", "CPU s"), rows, right=(1, 2, 3, 4))
    for tally in result.stages:
        if tally.note:
            show.say(f"{tally.stage}: {tally.note}")
    show.say(f"{show.count(result.pages)} pages, {show.count(result.new_pages)} new, {result.seconds:.1f} s")
    for line in [*_outcome(result), *result.advice]:
        show.say(line)
    if result.incomplete:
        show.say(result.incomplete)
    elif result.summary and (warned := warning(result.summary, result.pages, str(directory))):
        show.say(warned)
    elif until is None:
        show.say(f"next: paberki report {directory}   or: paberki peek {directory}")


def _outcome(result: Result) -> list[str]:
    """Pages kept of all pages, their words, and the largest reasons why the others are not."""
    summary = result.summary
    if summary is None:
        return []
    kept = f"kept {show.count(summary.kept)} of {show.count(result.pages)} pages, {show.count(summary.words)} words"
    reasons = [f"{reason} {show.count(pages)}" for reason, pages in list(summary.reasons.items())[:REASONS]]
    return [f"{kept}; left out: {', '.join(reasons)}" if reasons else kept]
