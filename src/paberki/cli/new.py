"""paberki new."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from paberki.cli import show
from paberki.cli.options import Dir, Domains, Everywhere, Json, Quiet, Tld, split_commas


def run(
    directory: Dir,
    lang: Annotated[
        list[str], typer.Option("--lang", "-l", help="Language of the corpus, ISO 639-1; repeat for several.")
    ] = [],  # noqa: B006 - typer wants a literal
    preset: Annotated[str, typer.Option(help="Recipe to start from: modern, llm, or one of the papers'.")] = "modern",
    tld: Tld = [],  # noqa: B006
    domains: Domains = [],  # noqa: B006
    everywhere: Everywhere = False,
    seeds: Annotated[Path | None, typer.Option(metavar="FILE", help="Seed URLs, one per line.")] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a corpus directory with a recipe.

    --tld and --domains are the scope: a crawl stays there, and pages from elsewhere that are imported are labelled
    out-of-scope.

    \b
    Examples:
      paberki new hr --lang hr --tld hr --seeds seeds.txt
      paberki new news --lang sr --preset hbs2014
    """
    from paberki.corpus import new_corpus

    corpus = new_corpus(
        directory,
        lang=lang,
        preset=preset,
        tld=split_commas(tld),
        domains=split_commas(domains),
        everywhere=everywhere,
        seeds=seeds,
    )
    if json:
        show.as_json({"directory": str(directory), "preset": corpus.recipe.preset, "lang": list(corpus.recipe.lang)})
        return
    show.say(f"{directory}: new corpus, recipe in {corpus.directory.recipe}", quiet=quiet)
    scope = "" if corpus.recipe.crawl.scope or corpus.recipe.crawl.everywhere else " --tld NAME"
    show.say(f"next: paberki import {directory} FILE…   or: paberki crawl {directory}{scope}", quiet=quiet)
