"""paberki train langid, paberki train siblings, paberki eval langid: sub-commands of these verbs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from paberki.cli import show
from paberki.cli.options import Json, Quiet

if TYPE_CHECKING:
    from paberki.identification.training.language_scores import JudgedPool, LanguageResult

Data = Annotated[
    list[Path],
    typer.Argument(
        metavar="DATA…", help="Texts: .jsonl with lang and text, .conllu or .txt named by language (hr.txt)."
    ),
]
Sources = Annotated[
    list[str], typer.Option("--source", help="Name of a source, kept in the model; repeat for several.")
]


def train_langid(
    data: Data,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="File to write.")] = Path(
        "langid.model"
    ),
    method: Annotated[
        str, typer.Option("--method", "-m", help="general, or classic for markov and ngram.")
    ] = "general",
    seed: Annotated[int, typer.Option("--seed", help="Seed of the order of examples.")] = 0,
    bits: Annotated[int, typer.Option("--bits", min=10, max=22, help="The model has 2 to this power rows.")] = 17,
    rounds: Annotated[int, typer.Option("--rounds", min=1, max=100, help="Rounds of learning.")] = 4,
    examples: Annotated[int, typer.Option("--examples", min=100, max=100_000, help="Examples per language.")] = 6000,
    source: Sources = [],  # noqa: B006 - typer wants a literal
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Learn to tell languages apart, from texts in each of them.

    \b
    Examples:
      paberki train langid hr.txt sl.txt more.jsonl.xz -o my.model
      paberki identify page.txt --model my.model
    Use it in a recipe: [identify] model = "my.model"
    """
    from paberki.decoding.training_texts import read_texts
    from paberki.errors import ConfigError
    from paberki.identification.language_model_file import write_model
    from paberki.identification.training.classic_training import train_classic
    from paberki.identification.training.general_training import TrainingSettings, code_of, languages_in, train

    files = [list(read_texts(path)) for path in data]
    names = source or [path.name for path in data]
    if method == "general":
        settings = TrainingSettings(bits=bits, rounds=rounds, examples=examples, seed=seed)
        model = train(files, names, settings, lambda line: show.say(line, quiet=quiet or json))
    elif method == "classic":
        model = train_classic(files, names)
    else:
        raise ConfigError(f"unknown method {method!r}: general or classic")
    write_model(output, *model)
    languages = languages_in(model[0])
    left_out = sorted({code_of(name) for file in files for name, _ in file} - set(languages))
    _tell_model(output, languages, json, quiet, left_out)


def train_siblings(
    data: Data,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="File to write.")] = Path(
        "siblings.model"
    ),
    source: Sources = [],  # noqa: B006 - typer wants a literal
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Count the words of close languages, to tell two or more of them apart (LM1 of P3).

    \b
    Examples:
      paberki train siblings hr.txt sr.txt -o hr-sr.model
      paberki identify page.txt --method siblings --model hr-sr.model
    """
    from paberki.decoding.training_texts import read_texts
    from paberki.errors import ConfigError
    from paberki.identification.methods.siblings import learn_siblings

    texts = [pair for path in data for pair in read_texts(path)]
    languages = sorted({name for name, _ in texts})
    if len(languages) < 2:
        raise ConfigError(f"texts in at least two languages are needed, and these are in {languages or 'none'}")
    learn_siblings(texts, source or [path.name for path in data], output)
    _tell_model(output, languages, json, quiet)


def _tell_model(output: Path, languages: Sequence[str], json: bool, quiet: bool, left_out: Sequence[str] = ()) -> None:
    from paberki.identification.training.general_training import FEWEST_TEXTS

    if json:
        facts = {"model": str(output), "languages": list(languages), "left_out": list(left_out)}
        show.as_json({**facts, "bytes": output.stat().st_size})
        return
    show.say(f"{output}: {len(languages)} languages, {show.size(output.stat().st_size)}", quiet=quiet)
    show.say(f"  {' '.join(languages)}", quiet=quiet)
    if left_out:
        show.say(f"left out, with fewer than {FEWEST_TEXTS} texts: {' '.join(left_out)}", quiet=quiet)


def eval_langid(
    data: Annotated[list[Path], typer.Argument(metavar="DATA…", help="Texts with their languages, as for train.")] = [],  # noqa: B006
    method: Annotated[
        list[str], typer.Option("--method", "-m", help="Method to measure; a second one is compared with the first.")
    ] = ["general"],  # noqa: B006 - typer wants a literal
    model: Annotated[Path | None, typer.Option("--model", metavar="MODEL", help="Model of the first method.")] = None,
    languages: Annotated[
        str | None, typer.Option("--languages", "-l", metavar="hr,sr,…", help="Languages to choose from.")
    ] = None,
    figure: Annotated[
        Path | None, typer.Option("--figure", metavar="FILE.svg", help="Confusion matrix of the first method.")
    ] = None,
    pool: Annotated[
        Path | None, typer.Option("--pool", metavar="FILE.jsonl", help="Disagreements of two methods, to be judged.")
    ] = None,
    size: Annotated[int, typer.Option("--size", min=1, max=100_000, help="Disagreements in the pool.")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the sample.")] = 0,
    judged: Annotated[
        Path | None, typer.Option("--judged", metavar="FILE.jsonl", help="Count a pool that was judged.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure how often languages are told right: by language, close ones merged, with the calibration error.

    With two methods also how often they agree. --pool writes a sample of 100 disagreements; write the right language
    (NA: several) into "right" of each line, then count them with --judged.

    \b
    Examples:
      paberki eval langid texts.jsonl.xz --figure confusion.svg
      paberki eval langid texts.jsonl --method general --method markov --pool pool.jsonl
      paberki eval langid --judged pool.jsonl
    """
    from paberki.identification.training.language_scores import agreement, read_pool, write_pool

    if judged is not None:
        _tell_judged(read_pool(judged), json, quiet)
        return
    texts, results = _measure(data, method, model, languages, pool)
    if figure is not None:
        _draw(figure, results[0], len(texts))
    facts: dict[str, Any] = {"texts": len(texts), "methods": [_facts(one) for one in results]}
    if len(results) == 2:
        facts["agreement"] = agreement(results[0], results[1])
    if pool is not None:
        facts["pool"] = {"file": str(pool), "size": write_pool(pool, texts, results[0], results[1], size, seed)}
    if json:
        show.as_json(facts)
    elif not quiet:
        _tell(results, facts)


def _measure(
    data: Sequence[Path], methods: Sequence[str], model: Path | None, languages: str | None, pool: Path | None
) -> tuple[list[tuple[str, str]], list[LanguageResult]]:
    """The texts with their languages, and what each method answers to them."""
    from paberki.decoding.training_texts import read_texts
    from paberki.errors import ConfigError
    from paberki.identification.methods.method_registry import find_method
    from paberki.identification.training.language_scores import evaluate

    texts = [pair for path in data for pair in read_texts(path)]
    if not texts:
        raise ConfigError("no texts to measure with; see: paberki eval langid --help")
    if pool is not None and len(methods) != 2:
        raise ConfigError("--pool compares two methods: give --method twice")
    candidates = [name.strip() for name in languages.split(",") if name.strip()] if languages is not None else None
    models = [model, *[None] * (len(methods) - 1)]
    pairs = zip(methods, models, strict=True)
    return texts, [evaluate(texts, name, find_method(name, path), candidates) for name, path in pairs]


def _draw(figure: Path, result: LanguageResult, text_count: int) -> None:
    from paberki.report.figures.confusion import confusion_figure
    from paberki.store.files import write_text

    write_text(figure, confusion_figure(result.confusion(), f"{result.method}: {text_count} texts"))


def _facts(one: LanguageResult) -> dict[str, Any]:
    return {
        "method": one.method,
        "accuracy": one.accuracy,
        "merged": one.merged,
        "calibration_error": one.calibration,
        "texts_per_second": len(one.right) / max(one.seconds, 1e-9),
        "by_language": [
            {"lang": lang, "texts": texts, "recall": recall, "precision": precision}
            for lang, texts, recall, precision in one.by_language()
        ],
        "confusion": [
            {"right": right, "answered": answer, "texts": count}
            for (right, answer), count in one.confusion().most_common()
            if right != answer
        ],
    }


def _tell(results: Sequence[LanguageResult], facts: dict[str, Any]) -> None:
    for one in results:
        show.say(
            f"{one.method}: {100 * one.accuracy:.2f} % of {len(one.right)} texts right, {100 * one.merged:.2f} % with "
            f"close languages as one; calibration error {one.calibration:.4f}; "
            f"{len(one.right) / max(one.seconds, 1e-9):,.0f} texts per second"
        )
        rows = [
            (lang, str(texts), f"{100 * recall:.1f}", f"{100 * precision:.1f}")
            for lang, texts, recall, precision in one.by_language()
        ]
        show.table(("language", "texts", "recall", "precision"), rows, right=range(1, 4))
    if "agreement" in facts:
        show.say(f"they agree about {100 * facts['agreement']:.2f} % of the texts")
    if "pool" in facts:
        show.say(f"{facts['pool']['file']}: {facts['pool']['size']} disagreements to judge")


def _tell_judged(verdicts: JudgedPool, json: bool, quiet: bool) -> None:
    one, other = verdicts.methods
    facts = {
        one: verdicts.first,
        other: verdicts.second,
        "neither": verdicts.neither,
        "mixed": verdicts.mixed,
        "open": verdicts.open,
    }
    if json:
        show.as_json(facts)
        return
    show.table(("right", "texts"), [(name, str(count)) for name, count in facts.items()], right=(1,))
