"""paberki code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from paberki.cli import show
from paberki.cli.options import Dir, Json, Quiet, Where

if TYPE_CHECKING:
    from paberki.coding import CodingFile, Scheme

app = typer.Typer(
    no_args_is_help=True,
    help="""Which genres are in the corpus? Draw a sample, code it, measure how far coders agree.

\b
From a corpus to a table of genres with intervals:
  paberki code draw hr -n 200 --seed 7 -o sample.csv     two people fill copies of it: ana.csv, ivo.csv
  paberki code agree ana.csv ivo.csv
  paberki code shares ana.csv
""",
)

Scheme_ = Annotated[
    Path | None,
    typer.Option("--scheme", metavar="FILE", help="TOML file with variable = ['value', …]; default: genre as in P5."),
]
Files = Annotated[list[Path], typer.Argument(metavar="FILE…", help="Coding files, one per coder.")]


@app.command()
def draw(
    directory: Dir,
    count: Annotated[int, typer.Option("-n", "--count", min=1, help="How many pages; P5 takes 200.")] = 200,
    seed: Annotated[int, typer.Option(help="Equal seeds give equal samples.")] = 1,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="File to write.")] = None,
    scheme: Scheme_ = None,
    blocks: Annotated[
        bool, typer.Option("--blocks", help="List the blocks of each page, to label text and boilerplate.")
    ] = False,
    task: Annotated[
        str | None, typer.Option(metavar="NAME", help="Begin a task of this name for the coding page too.")
    ] = None,
    where: Where = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Draw kept pages at random into a coding file, one empty column for each variable.

    \b
    Examples:
      paberki code draw hr -n 200 --seed 7 -o sample.csv
      paberki code draw hr --scheme registers.toml -o sample.csv
      paberki code draw hr -n 20 --blocks -o blocks.csv
    """
    from paberki.coding import GENRE, CodingStore, write_coding
    from paberki.coding.coding_scheme import BLOCKS
    from paberki.coding.drawing import draw as draw_pages
    from paberki.coding.drawing import draw_blocks
    from paberki.errors import ConfigError
    from paberki.store.directory import Directory
    from paberki.store.reading import open_table

    if out is None and task is None:
        raise ConfigError("say where to: -o FILE.csv, or --task NAME for the coding page")
    table = open_table(Directory.open(directory))
    rows = (draw_blocks if blocks else draw_pages)(table, count, seed, where=where)
    chosen_scheme = _scheme(scheme) or (BLOCKS if blocks else GENRE)
    if task is not None:
        CodingStore(table.directory).create(task, rows, chosen_scheme)
    if out is not None:
        write_coding(out, rows, chosen_scheme, blocks=blocks)
    pages = len({row.place.key for row in rows})
    if json:
        file = str(out) if out else None
        show.as_json({"file": file, "task": task, "pages": pages, "rows": len(rows), "seed": seed})
        return
    fewer = f" (the corpus has no more; {count} were asked for)" if pages < count else ""
    show.say(f"{out or f'task {task}'}: {show.several(pages, 'page')}{fewer}, seed {seed}", quiet=quiet)


@app.command()
def agree(
    files: Files,
    scheme: Scheme_ = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Raw agreement and Cohen's kappa per variable; with three or more coders, means over all pairs.

    \b
    Examples:
      paberki code agree ana.csv ivo.csv
      paberki code agree ana.csv ivo.csv eva.csv --json
    """
    from paberki.coding import agree as measure

    coder_files = _read(files, scheme, quiet=quiet)
    answer = measure(coder_files)
    if json:
        show.as_json(answer)
    elif not quiet:
        _print_agreement(answer, len(coder_files))


@app.command()
def shares(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Coding file of one coder.")],
    scheme: Scheme_ = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """The share of each value with its interval at 90 % confidence, as in Table 6 of P5.

    \b
    Examples:
      paberki code shares ana.csv
    """
    from paberki.coding import shares as measure

    answer = measure(_read([file], scheme, quiet=quiet)[0])
    if json:
        show.as_json(answer)
    elif not quiet:
        rows = [
            (name if at == 0 else "", one["value"], one["count"], f"{one['share']:.1%}", f"± {one['interval']:.1%}")
            for name, values in answer.items()
            for at, one in enumerate(values)
        ]
        show.table(("variable", "value", "pages", "share", "90 %"), rows, right=(2, 3, 4))


@app.command()
def pool(
    files: Files,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="File to write.")],
    count: Annotated[int, typer.Option("-n", "--count", min=1, help="How many disagreements; P3 takes 100.")] = 100,
    seed: Annotated[int, typer.Option(help="Equal seeds give equal samples.")] = 1,
    scheme: Scheme_ = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Draw items on which coders (or two classifiers) differ, with an empty column for a verdict.

    Write the right value into the column verdict, or na where the item is mixed. Then: paberki code verdicts FILE

    \b
    Examples:
      paberki code pool ana.csv ivo.csv -n 100 -o pool.csv
    """
    from paberki.coding.pooling import write_pool

    row_count, total = write_pool(out, _read(files, scheme, quiet=quiet), count, seed)
    if json:
        show.as_json({"file": str(out), "rows": row_count, "disagreements": total, "seed": seed})
    else:
        show.say(f"{out}: {show.count(row_count)} of {show.count(total)} disagreements, seed {seed}", quiet=quiet)


@app.command()
def verdicts(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Pool of disagreements with verdicts.")],
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Who was right where coders (or classifiers) differ, as in Table 3 of P3.

    \b
    Examples:
      paberki code verdicts pool.csv
    """
    from paberki.coding.pooling import verdicts as count_verdicts

    answer = count_verdicts(file)
    if json:
        show.as_json(answer)
    elif not quiet:
        rows = [(name, one["judged"], *one["right"].values(), one["na"], one["open"]) for name, one in answer.items()]
        coders = [f"{coder} right" for coder in next(iter(answer.values()))["right"]] if answer else []
        heads = ("variable", "judged", *coders, "neither", "open")
        show.table(heads, rows, right=range(1, len(heads)))


@app.command()
def blocks(
    directory: Dir,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Coding file of blocks: paberki code draw --blocks.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Coded pages to write, .jsonl.")],
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Labelled blocks as coded pages, from which paberki train learns extractors.

    \b
    Examples:
      paberki code blocks hr blocks.csv -o coded.jsonl
    """
    from paberki.coding.coded_blocks import write_coded_blocks
    from paberki.coding.coding_scheme import BLOCKS
    from paberki.store.directory import Directory
    from paberki.store.reading import open_table

    table = open_table(Directory.open(directory))
    [coding] = _read([file], None, quiet=quiet, own_scheme=BLOCKS)
    pages, incomplete = write_coded_blocks(table, coding, out)
    if json:
        show.as_json({"file": str(out), "pages": pages, "incomplete": incomplete})
    else:
        note = (
            f"; {show.count(incomplete)} left out, because not all of their blocks have a label" if incomplete else ""
        )
        show.say(f"{out}: {show.several(pages, 'page')}{note}", quiet=quiet)


def _scheme(path: Path | None) -> Scheme | None:
    from paberki.coding import load_scheme

    return load_scheme(path) if path else None


def _read(paths: list[Path], scheme: Path | None, *, quiet: bool, own_scheme: Scheme | None = None) -> list[CodingFile]:
    """All files; their problems are printed to standard error, a few lines each."""
    from paberki.coding import read_coding

    own_scheme = own_scheme or _scheme(scheme)
    files = [read_coding(path, own_scheme) for path in paths]
    if len({file.coder for file in files}) < len(files):  # two folders with files of the same name
        files = [replace(file, coder=f"{number}:{file.coder}") for number, file in enumerate(files, 1)]
    for path, file in zip(paths, files, strict=True):
        if quiet:
            continue
        for problem in file.problems[:_SHOWN]:
            show.err.print(
                f"{path}, line {problem.line}: {problem.value!r} {problem.message}; not counted", markup=False
            )
        if len(file.problems) > _SHOWN:
            show.err.print(f"{path}: {len(file.problems) - _SHOWN} more problems like these", markup=False)
    return files


_SHOWN = 5
"""Problems of one file that are printed; the JSON answer has all."""


def _print_agreement(answer: dict[str, dict[str, Any]], coders: int) -> None:
    rows = [
        (
            name,
            one["items"],
            "–" if one["agreement"] is None else f"{one['agreement']:.1%}",
            "–" if one["kappa"] is None else f"{one['kappa']:.2f}",
            one["missing"] or "",
            len(one["unknown"]) or "",
        )
        for name, one in answer.items()
    ]
    heads = ("variable", "items", "agreement", "kappa", "missing", "unknown")
    show.table(heads, rows, right=(1, 2, 3, 4, 5))
    if coders > 2:
        show.say(f"means over all pairs of {coders} coders")
