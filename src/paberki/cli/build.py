"""paberki build."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from paberki.cli import show
from paberki.cli.options import Dir, Json, Quiet
from paberki.errors import ConfigError

if TYPE_CHECKING:
    from paberki.engine.runner import BuildResult

REASONS = 3
"""Reasons that a build ends with."""


def _part(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise ConfigError(f"--part {text}: write i/n with i from 1 to n, e.g. --part 3/8")
    return int(match[1]), int(match[2])


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


Engine = Annotated[str, typer.Option(help="Where to run: local or ray.")]
Address = Annotated[
    str | None, typer.Option(help="Address of a Ray cluster; default: the running one, or a new local one.")
]
Jobs = Annotated[int | None, typer.Option("--jobs", "-j", min=1, help="Workers; default: one per core.")]
Until = Annotated[str | None, typer.Option(metavar="STAGE", help="Stop after this stage.")]
Refit = Annotated[bool, typer.Option("--refit", help="Learn models from the corpus again.")]
RetryErrors = Annotated[bool, typer.Option("--retry-errors", help="Try failed records again.")]
MaxErrors = Annotated[str | None, typer.Option(metavar="SHARE", help="Stop when more records fail; default 1%.")]
Part = Annotated[
    str | None, typer.Option(metavar="I/N", help="Do the I-th of N shares of the map work, for batch systems.")
]
Joins = Annotated[
    bool, typer.Option("--joins", help="Run only what needs all pages and is due: joins and fits, between parts.")
]
AllowCommands = Annotated[
    bool,
    typer.Option(
        "--allow-commands", help="Let the recipe run programs: external.command, and taggers that are commands."
    ),
]

Profile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write where the time went, for https://www.speedscope.app; local workers only."),
]


def run(
    directory: Dir,
    engine: Engine = "local",
    address: Address = None,
    jobs: Jobs = None,
    until: Until = None,
    refit: Refit = False,
    retry_errors: RetryErrors = False,
    max_errors: MaxErrors = None,
    part: Part = None,
    joins: Joins = False,
    allow_commands: AllowCommands = False,
    profile: Profile = None,
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
      paberki build hr --profile build.speedscope.json
    """
    from paberki.corpus import Corpus
    from paberki.engine.workers.memory_limits import be_modest
    from paberki.engine.workers.profiling import record_profile

    be_modest()
    corpus = Corpus(directory)
    with record_profile(profile), show.watching(quiet=quiet or json) as listen:
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
    elif not quiet:
        _print(result, str(directory), is_partial=until is not None)


def _print(result: BuildResult, root: str, *, is_partial: bool) -> None:
    """The stages as a table, what is in the corpus, and what to do next."""
    from paberki.engine.build_summary import warning

    _print_stages(result)
    show.say(f"{show.several(result.pages, 'page')}, {show.count(result.new_pages)} new, {result.seconds:.1f} s")
    for line in [*_outcome(result), *result.advice]:
        show.say(line)
    if result.incomplete:
        show.say(result.incomplete)
    elif result.summary and (sentence := warning(result.summary, result.pages, root)):
        show.say(sentence)
    elif not is_partial:
        show.say(f"next: paberki report {root}   or: paberki peek {root}")


def _print_stages(result: BuildResult) -> None:
    rows = [
        (one.stage, show.count(one.pages), show.count(one.skipped), one.errors or "", f"{one.cpu_seconds:.1f}")
        for one in result.stages
    ]
    show.table(("stage", "pages", "up to date", "failed", "CPU s"), rows, right=(1, 2, 3, 4))
    for tally in result.stages:
        if tally.note:
            show.say(f"{tally.stage}: {tally.note}")


def _outcome(result: BuildResult) -> list[str]:
    """Pages kept of all pages, their words, and the largest reasons why the others are not."""
    summary = result.summary
    if summary is None:
        return []
    sentence = f"kept {show.count(summary.kept)} of {show.several(result.pages, 'page')}, {show.several(summary.words, 'word')}"
    reasons = [f"{reason} {show.count(pages)}" for reason, pages in list(summary.reasons.items())[:REASONS]]
    return [f"{sentence}; left out: {', '.join(reasons)}" if reasons else sentence]
