"""paberki eval annotate: a command of :mod:`paberki.cli.eval`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from paberki.cli import show
from paberki.cli.options import Json, Quiet

if TYPE_CHECKING:
    from paberki.annotation.annotation_scores import AnnotationScores
    from paberki.annotation.pipeline import Annotator


def annotate(
    gold: Annotated[list[Path], typer.Argument(metavar="GOLD…", help="CoNLL-U with gold columns, or .tsv with names.")],
    lang: Annotated[
        str, typer.Option("--lang", "-l", help="Language of the model; else by the name of the file.")
    ] = "",
    model: Annotated[
        list[Path], typer.Option("--model", "-m", metavar="FILE", help="Layers from this model; may be repeated.")
    ] = [],  # noqa: B006 - typer wants a literal
    figure: Annotated[
        Path | None, typer.Option("--figure", metavar="FILE.svg", help="Which parts of speech are mixed up.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare annotation with gold: all words, unknown words, by part of speech, tokens and sentences of raw text, names.

    Several files are several domains or languages: each gets a row, and the difference to the first (P3 §4).

    \b
    Examples:
      paberki eval annotate hr.dev.conllu.xz hr.web.dev.conllu.xz --lang hr
      paberki eval annotate sr.dev.conllu.xz --lang hr --figure confusion.svg
    """
    from paberki.annotation.annotation_scores import evaluate, evaluate_names, evaluate_raw
    from paberki.annotation.annotation_training import read_labelled
    from paberki.annotation.files.conllu_reading import read_trees
    from paberki.annotation.files.model_catalogue import annotator

    facts: list[dict[str, Any]] = []
    all_scores: list[AnnotationScores] = []
    for path in gold:
        tool = annotator(lang or path.name.partition(".")[0].partition("_")[0], tuple(model))
        if path.name.removesuffix(".xz").removesuffix(".gz").endswith(".conllu"):
            trees = list(read_trees(path))
            scores = evaluate(tool, trees, path.name)
            all_scores.append(scores)
            raw = {name: one.f for name, one in evaluate_raw(tool, trees).items() if one.gold}
            facts.append(_facts(scores, raw, tool))
        labelled_sentences = read_labelled(path) if tool.names is not None else []
        if labelled_sentences:
            names = evaluate_names(tool, labelled_sentences)
            facts.append({"name": path.name, "names": {kind: _three(one) for kind, one in names.items()}})
    if figure is not None and all_scores:
        from paberki.report.figures.confusion import confusion_figure

        figure.write_text(
            confusion_figure(all_scores[0].confused, f"{all_scores[0].name}: {all_scores[0].words} words"), "utf-8"
        )
    if json:
        show.as_json(facts)
    elif not quiet:
        _tell(facts)


def _three(counts: Any) -> dict[str, float]:
    return {"precision": counts.precision, "recall": counts.recall, "f": counts.f, "gold": counts.gold}


def _facts(scores: AnnotationScores, raw: dict[str, float], tool: Annotator) -> dict[str, Any]:
    from paberki.annotation.annotation_scores import FIGURES

    lemmas = {kind: share for kind, _, share in scores.by_class("Lemma")}
    return {
        "name": scores.name,
        "lang": tool.lang,
        "words": scores.words,
        "scores": {figure: scores.percent(figure) for figure in FIGURES},
        "unknown_words": scores.unknown_total["XPOS"] or scores.unknown_total["UPOS"],
        "unknown": {figure: scores.unknown_percent(figure) for figure in FIGURES},
        "raw": raw,
        "classes": {
            kind: {
                "words": count,
                "XPOS": share,
                "Lemma": lemmas.get(kind),
            }
            for kind, count, share in scores.by_class("XPOS") or scores.by_class("UPOS")
        },
        "confused": [
            {"gold": one, "given": other, "count": count}
            for (one, other), count in scores.confused.most_common()
            if one != other
        ][:20],
    }


def _tell(facts: list[dict[str, Any]]) -> None:
    from paberki.annotation.annotation_scores import FIGURES

    def number(value: float | None, base: float | None = None) -> str:
        if value is None:
            return ""
        return f"{value:.2f}" if base is None else f"{value:.2f} ({value - base:+.2f})"

    rows = [one for one in facts if "scores" in one]
    if rows:
        first = rows[0]["scores"]
        cells = [
            (
                row["name"],
                str(row["words"]),
                *(number(row["scores"][name], first[name] if row is not rows[0] else None) for name in FIGURES),
            )
            for row in rows
        ]
        unknown = [
            (
                f"{row['name']}, unknown words",
                str(row["unknown_words"]),
                *(number(row["unknown"][name]) for name in FIGURES),
            )
            for row in rows
        ]
        show.table(("gold tokens", "words", *FIGURES), [*cells, *unknown], right=range(1, 8))
        for row in rows:
            if row["raw"]:
                show.say(
                    f"{row['name']}, raw text: "
                    + ", ".join(f"{name} F {value:.2f}" for name, value in row["raw"].items())
                )
        show.table(
            ("class", "words", "tag", "lemma"),
            [
                (kind, str(one["words"]), number(one["XPOS"]), number(one["Lemma"]))
                for kind, one in rows[0]["classes"].items()
            ],
            right=range(1, 4),
        )
        wrong = [f"{one['gold']} as {one['given']} {one['count']}" for one in rows[0]["confused"][:10]]
        show.say("mixed up: " + ", ".join(wrong))
    for one in facts:
        if "names" in one:
            kinds = one["names"]
            cells = [
                (kind, str(three["gold"]), number(three["precision"]), number(three["recall"]), number(three["f"]))
                for kind, three in kinds.items()
            ]
            show.table((f"names of {one['name']}", "gold", "P", "R", "F1"), cells, right=range(1, 5))
