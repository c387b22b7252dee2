"""paberki train perceptron, paberki train victor: commands of :mod:`paberki.cli.train`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from paberki.cli import show
from paberki.cli.options import Json, Quiet

if TYPE_CHECKING:
    from paberki.extraction.evaluation.coded_pages import CodedPage

Data = Annotated[
    list[Path],
    typer.Argument(
        metavar="DATA…", help="Coded pages (.jsonl), sets with gold text (gold.jsonl or .tar.xz), or folders."
    ),
]


def perceptron(
    data: Data,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="File to write.")] = Path(
        "perceptron.json"
    ),
    epochs: Annotated[int, typer.Option("--epochs", min=1, max=100_000, help="Rounds of training.")] = 400,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the first weights.")] = 1,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Train both variants of P5's perceptron and choose cut-offs on pages that are held back.

    \b
    Examples:
      paberki train perceptron coded.jsonl -o mine.json
      then in corpus.toml: stages = ["extract.method.v1", …]
      [extract]  method = "perceptron"  perceptron = { weights = "mine.json" }
    """
    from json import dumps

    from paberki.errors import ConfigError
    from paberki.extraction.evaluation.text_measures import best_cutoff, cutoff_curve
    from paberki.extraction.methods.perceptron import Variant, features, plain
    from paberki.extraction.methods.perceptron_training import train
    from paberki.store.files import write_text

    pages = _pages(data)
    held_out = pages[::5] if len(pages) >= 10 else pages
    rest = [page for number, page in enumerate(pages) if number % 5] if len(pages) >= 10 else pages
    variants: tuple[Variant, ...] = ("2012", "2015")
    models, facts = {}, {}
    for variant in variants:
        try:
            network = train(rest, variant, epochs=epochs, seed=seed)
        except ValueError as error:
            raise ConfigError(f"nothing to learn from: {error}") from error
        scores = [float(one) for page in held_out for one in network.score(features(page.blocks, variant))]
        right = [1.0 - one for one in scores] if variant == "2015" else scores
        blocks = [block for page in held_out for block in page.blocks]
        best = best_cutoff(cutoff_curve(right, [block.kept for block in blocks], [len(block.text) for block in blocks]))
        cutoff = round(1.0 - best.cutoff, 2) if variant == "2015" else best.cutoff
        facts[variant] = {"cutoff": cutoff, "precision": best.precision, "recall": best.recall, "f": best.f}
        models[variant] = plain(network)
    write_text(output, dumps(models, separators=(",", ":")))
    if json:
        show.as_json({"model": str(output), "pages": len(pages), "held_back": len(held_out), **facts})
        return
    show.say(f"{output}: learnt from {len(rest)} pages, {len(held_out)} held back", quiet=quiet)
    for variant, figures in facts.items():
        show.say(
            f"  {variant}: best cut-off {figures['cutoff']:.2f}, P {figures['precision']:.3f} R {figures['recall']:.3f} "
            f"F {figures['f']:.3f} of characters",
            quiet=quiet,
        )


def victor(
    data: Data,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="File to write.")] = Path("victor.crf"),
    iterations: Annotated[int, typer.Option("--iterations", min=1, max=10_000, help="Rounds of training.")] = 60,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Train the conditional random field of Victor (P2); needs python-crfsuite.

    \b
    Examples:
      paberki train victor coded.jsonl -o mine.crf
      then in corpus.toml: [extract]  method = "victor"  victor = { model = "mine.crf" }
    """
    from paberki.errors import ConfigError
    from paberki.extraction.methods.victor_training import train

    pages = _pages(data, "victor")
    try:
        count = train(pages, output, iterations=iterations)
    except ValueError as error:
        raise ConfigError(f"nothing to learn from: {error}") from error
    if json:
        show.as_json({"model": str(output), "pages": count, "bytes": output.stat().st_size})
        return
    show.say(f"{output}: learnt from {count} pages, {show.size(output.stat().st_size)}", quiet=quiet)


def _pages(data: list[Path], method: str = "") -> list[CodedPage]:
    from paberki.errors import ConfigError
    from paberki.extraction.evaluation.coded_pages import read_coded

    pages = [page for path in data for page in read_coded(path, method)]
    if not pages:
        raise ConfigError(f"{', '.join(map(str, data))}: no coded pages")
    for page in pages:
        page.html = ""
    return pages
