"""paberki eval: how good are the parts of paberki on data with known answers? One sub-command per task."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from paberki.cli import eval_annotation, eval_corpus, langid, show
from paberki.cli.options import Json, Quiet

if TYPE_CHECKING:
    from paberki.extraction.evaluation.method_scores import Evaluation, MethodSummary

app = typer.Typer(help="Measure against known answers.", no_args_is_help=True, rich_markup_mode="rich")


@app.callback()
def _all() -> None:
    """Measure against known answers."""


@app.command()
def extract(
    data: Annotated[
        list[Path], typer.Argument(metavar="DATA…", help="Sets (.tar.xz or folder with gold.jsonl) or coded pages.")
    ],
    method: Annotated[
        list[str], typer.Option("--method", "-m", help="Method to measure; repeat to compare several.")
    ] = ["learned"],  # noqa: B006 - typer wants a literal
    model: Annotated[
        Path | None, typer.Option("--model", metavar="FILE.npz", help="Model of yours for the method learned.")
    ] = None,
    figure: Annotated[
        Path | None, typer.Option("--figure", metavar="FILE.svg", help="Precision, recall and F against the cut-off.")
    ] = None,
    log: Annotated[
        Path | None, typer.Option("--log", metavar="FILE.jsonl", help="Every decision about every block.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare extracted texts with gold texts: by set, by language, by page type, with 95 % intervals.

    \b
    Examples:
      paberki eval extract sets/ --method learned --method tagpath
      paberki eval extract sets/ --model mine.npz
      paberki eval extract czech.tar.xz --figure cutoff.svg --log decisions.jsonl
    """
    from paberki.errors import ConfigError
    from paberki.extraction import DEFAULT_METHOD, method_names
    from paberki.extraction.evaluation.gold_pages import read_gold
    from paberki.extraction.evaluation.method_scores import evaluate

    for name in method:
        if name not in method_names():
            raise ConfigError(f"unknown extraction method {name!r}; known methods: {', '.join(method_names())}")
    pages = [page for path in data for page in read_gold(path)]
    if not pages:
        raise ConfigError("no pages with gold text in this data")
    evaluations = [evaluate(pages, name, model=str(model or "") if name == DEFAULT_METHOD else "") for name in method]
    if figure is not None:
        from paberki.report.figures.cutoff import cutoff_figure

        figure.write_text(
            cutoff_figure(evaluations[0].curve(), f"{evaluations[0].method}: {len(pages)} pages"), "utf-8"
        )
    if log is not None:
        _log(evaluations, log)
    if json:
        show.as_json([_facts(one) for one in evaluations])
    elif not quiet:
        for one in evaluations:
            _tell(one)


def _facts(one: Evaluation) -> dict[str, Any]:
    from paberki.extraction.evaluation.method_scores import GROUPINGS

    best = one.best()
    return {
        "method": one.method,
        "mean": one.mean,
        "milliseconds": one.milliseconds,
        "best_cutoff": best.cutoff if best else None,
        **{f"by_{name}": [_row(group) for group in one.by(name)] for name in GROUPINGS},
    }


def _row(group: MethodSummary) -> dict[str, Any]:
    return {
        "name": group.name, "pages": group.pages, "precision": group.precision, "recall": group.recall,
        "f": group.f.mean, "low": group.f.low, "high": group.f.high, "bag": group.bag, "shingles": group.shingles,
        "comments": group.comments,
    }  # fmt: skip


def _tell(one: Evaluation) -> None:
    from paberki.extraction.evaluation.method_scores import GROUPINGS

    show.say(f"{one.method}: mean F over sets {one.mean:.4f}, {one.milliseconds:.2f} ms CPU per page")
    for grouping in GROUPINGS:
        groups = one.by(grouping)
        if groups:
            heads = ("pages", "P", "R", "F", "95 %", "bag F", "4-gram F", "comments F")
            columns = heads if any(group.comments is not None for group in groups) else heads[:-1]
            show.table((grouping, *columns), [_cells(group)[: len(columns) + 1] for group in groups], right=range(1, 9))


def _cells(group: MethodSummary) -> Sequence[str]:
    def number(value: float | None) -> str:
        return "" if value is None else f"{value:.3f}"

    interval = f"{group.f.low:.3f}-{group.f.high:.3f}"
    return (
        group.name, str(group.pages), number(group.precision), number(group.recall), number(group.f.mean), interval,
        number(group.bag), number(group.shingles), number(group.comments),
    )  # fmt: skip


def _log(evaluations: Sequence[Evaluation], path: Path) -> None:
    from json import dumps

    from paberki.extraction.evaluation.method_scores import decisions

    with path.open("w", encoding="utf-8") as file:
        for one in evaluations:
            for judged_page in one.judged:
                for row in decisions(judged_page):
                    file.write(dumps({"method": one.method, **row}, ensure_ascii=False) + "\n")


app.command()(eval_annotation.annotate)
app.command(name="langid")(langid.eval_langid)
app.command()(eval_corpus.corpus)
