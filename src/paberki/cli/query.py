"""paberki query."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from paberki.cli.list_options import (
    Bare,
    Corpus,
    Exclude,
    First,
    Include,
    JsonLines,
    Least,
    NoHeader,
    Out,
    Regex,
    Set,
    Timeout,
    Where,
)
from paberki.cli.query_actions import QueryRequest, answer, join_window
from paberki.cli.typer_app import Verb


class COMMAND(Verb):
    """Lets ``--colloc lemma -5..5`` have its window without another option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Join the attribute and the window behind it."""
        return super().parse_args(ctx, join_window(args))


_Cql = Annotated[str, typer.Argument(metavar="CQL", help="A query, e.g. '[lemma=\"grad\"]'.")]
_Count = Annotated[bool, typer.Option("--count", help="Print the number of hits.")]
_View = Annotated[str, typer.Option("--view", metavar="NAME", help="kwic, sentence or table.")]
_Context = Annotated[int | None, typer.Option("--context", metavar="N", min=0, max=1000, help="Tokens on each side.")]
_Sort = Annotated[
    str | None,
    typer.Option("--sort", metavar="KEYS", help="left, right, node, ATTR, LABEL.ATTR, doc.COLUMN; -KEY turns it."),
]
_Sample = Annotated[int | None, typer.Option("--sample", metavar="N", min=0, help="A random sample.")]
_Seed = Annotated[int, typer.Option("--seed", min=0, help="Another seed, another sample.")]
_Filters = Annotated[
    list[str],
    typer.Option("--filter", metavar="±CQL", help="Keep (+) or drop (-) hits near a match; repeat for a chain."),
]
_FilterWindow = Annotated[
    str | None,
    typer.Option("--filter-window", metavar="A..B|STRUCTURE", help="How near: -5..5, s (default), p, doc."),
]
_PerPage = Annotated[int | None, typer.Option("--per-page", metavar="N", min=1, help="At most N hits of each page.")]
_NoOverlap = Annotated[bool, typer.Option("--no-overlap", help="No hit that overlaps the one before.")]
_Fold = Annotated[bool, typer.Option("--fold", help="Near-copies once.")]
_Good = Annotated[bool, typer.Option("--good", help="Good examples first.")]
_Freq = Annotated[
    str | None, typer.Option("--freq", metavar="ATTRS", help="Frequency list: lemma, word,tag or A.lemma,B.lemma.")
]
_Colloc = Annotated[str | None, typer.Option("--colloc", metavar="ATTR [A..B]", help="Collocations, e.g. lemma -5..5.")]
_Measure = Annotated[str, typer.Option("--measure", "-m", metavar="NAME", help="logdice, mi, mi3, t, ll or minsens.")]
_Within = Annotated[
    str | None, typer.Option("--within", metavar="STRUCTURE", help="Windows of collocations stop at its edges.")
]
_Dist = Annotated[
    str | None, typer.Option("--dist", metavar="COLUMN", help="Hits by host, year, month or a column of pages.")
]
_Dispersion = Annotated[bool, typer.Option("--dispersion", help="How evenly the hits are spread.")]
_Strategy = Annotated[
    str | None,
    typer.Option("--strategy", metavar="NAME", help="standard, shortest, longest, traditional or all."),
]
_Dialect = Annotated[str, typer.Option("--dialect", metavar="NAME", help="cqp, manatee or blacklab.")]
_Form = Annotated[
    str,
    typer.Option("--format", "-f", metavar="NAME", help="text, csv, tsv, jsonl, xlsx, conllu, vert or spans."),
]


def run(
    directory: Corpus,
    cql: _Cql,
    count: _Count = False,
    first: First = None,
    view: _View = "kwic",
    context: _Context = None,
    sort: _Sort = None,
    sample: _Sample = None,
    seed: _Seed = 1,
    filters: _Filters = [],  # noqa: B006 - typer copies it
    filter_window: _FilterWindow = None,
    per_page: _PerPage = None,
    no_overlap: _NoOverlap = False,
    fold: _Fold = False,
    good: _Good = False,
    freq: _Freq = None,
    colloc: _Colloc = None,
    measure: _Measure = "logdice",
    within: _Within = None,
    dist: _Dist = None,
    dispersion: _Dispersion = False,
    least: Least = 1,
    regex: Regex = None,
    include: Include = None,
    exclude: Exclude = None,
    where: Where = None,
    set_name: Set = None,
    strategy: _Strategy = None,
    dialect: _Dialect = "cqp",
    form: _Form = "text",
    out: Out = None,
    no_header: NoHeader = False,
    timeout: Timeout = None,
    json: JsonLines = False,
    quiet: Bare = False,
) -> None:
    """Find where something occurs, in CQL, the query language of CQP and Sketch Engine.

    \b
    Examples:
      paberki query hr '[lemma="grad"]' --sort right
      paberki query hr '[tag="A.*"] [lemma="grad"]' --freq lemma --min 5
      paberki query hr '[lemma="grad"]' --colloc lemma -3..3 --measure ll
      paberki query hr '"u" [] within <s/>' --format csv --out hits.csv
    """
    values = {name: value for name, value in locals().items() if name != "directory"}
    answer(QueryRequest(directory=directory, **values))
