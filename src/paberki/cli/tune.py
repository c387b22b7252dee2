"""paberki tune."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from paberki.cli import show
from paberki.cli.options import Dir, Json, Quiet

if TYPE_CHECKING:
    from paberki.corpus import Corpus
    from paberki.report.tuning import CutEffect, Tuning

BAR = 40


def run(
    directory: Dir,
    score: Annotated[
        str | None, typer.Argument(metavar="[SCORE]", help="Column to look at; a list without it.")
    ] = None,
    cut: Annotated[
        str | None, typer.Option("--cut", metavar="CONDITION", help='What should stay, e.g. "badness < 10".')
    ] = None,
    write: Annotated[bool, typer.Option("--write", help="Write the cut into the recipe as a rule.")] = False,
    reason: Annotated[
        str | None, typer.Option(metavar="WORD", help="Name of that rule; default low- or high-SCORE.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Directory for the page; default DIR/report.")] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """How a score is distributed, texts along the way, and what a cut would keep and lose.

    12graph (ngram12) measures redundancy rather than quality: it is high where the corpus repeats itself.

    \b
    Examples:
      paberki tune hr
      paberki tune hr badness
      paberki tune hr 3graph_cumul --cut "ngram3_rank > 10"
      paberki tune hr badness --cut "badness < 10" --write
    """
    from paberki.corpus import Corpus
    from paberki.errors import ConfigError
    from paberki.report.tuning import scores, tune, write_page

    corpus = Corpus(directory)
    plan = corpus.plan()
    score_name = score or _first_score(corpus, cut)
    if score_name is None:
        if write:
            raise ConfigError('there is nothing to write; say what should stay: --cut "badness < 10"')
        rows = [(one.name, one.attribute, one.layer, one.meaning) for one in scores(plan)]
        if json:
            show.as_json([{"score": name, "layer": layer, "meaning": meaning} for name, _, layer, meaning in rows])
        elif not quiet:
            show.table(("score", "in papers", "layer", "meaning"), rows)
        return
    tuning = tune(corpus.directory, plan, score_name, cut=cut)
    page = write_page(tuning, corpus.recipe.name, out or corpus.directory.report)
    rule = _write(corpus, tuning, cut, reason) if write else None
    if json:
        show.as_json({**dataclasses.asdict(tuning), "page": str(page), "written": rule})
        return
    if not quiet:
        _print(tuning)
        show.say(f"\npage with figures: {page}")
        if rule:
            show.say(f"{corpus.directory.recipe}: {rule}; run: paberki build {directory}")


def _first_score(corpus: Corpus, cut: str | None) -> str | None:
    """The first score that the cut names."""
    from paberki.report.tuning import scores
    from paberki.store.selection.condition import parse

    names = {one.name for one in scores(corpus.plan())}
    return next((name for name in parse(cut).names if name in names), None) if cut else None


def _write(corpus: Corpus, tuning: Tuning, cut: str | None, reason: str | None) -> str:
    from paberki.errors import ConfigError
    from paberki.report.rule_writing import write_rule

    if cut is None:
        raise ConfigError('there is nothing to write; say what should stay: --cut "badness < 10"')
    name = reason or f"{'high' if '<' in cut else 'low'}-{tuning.score}".replace("_", "-")
    drop = write_rule(corpus.directory.recipe, name, cut)
    return f"rule {name}: drop = {drop}"


def _print(tuning: Tuning) -> None:
    show.say(f"{tuning.score}: {tuning.meaning}")
    show.say(
        f"{show.count(tuning.pages)} kept pages have it, {show.count(tuning.missing)} have not; mean {tuning.mean:.4g}\n"
    )
    most = max((pages for _, pages in tuning.bins), default=0) or 1
    rows = [(f"{start:.4g}", show.count(pages), "█" * round(BAR * pages / most)) for start, pages in tuning.bins]
    show.table(("from", "pages", ""), rows, right=(0, 1))
    show.say("")
    along = [
        (f"{one.percent} %", f"{one.value:.4g}", show.count(one.pages_below), show.count(one.words_below),
         one.samples[0].text[:80] if one.samples else "")
        for one in tuning.places
    ]  # fmt: skip
    show.table(("percentile", "value", "pages below", "words below", "for example"), along, right=(0, 1, 2, 3))
    if tuning.cut is not None:
        show.say("\n" + cut_line(tuning.cut))


def cut_line(cut: CutEffect) -> str:
    """What the cut does, in a sentence."""
    return (
        f"{cut.condition} keeps {show.several(cut.kept_pages, 'page')} ({cut.kept_share:.1%}) with "
        f"{show.several(cut.kept_words, 'word')} ({cut.kept_word_share:.1%}), loses {show.several(cut.lost_pages, 'page')} with "
        f"{show.several(cut.lost_words, 'word')}; {show.several(cut.undecided, 'page')} without the score stay"
    )
