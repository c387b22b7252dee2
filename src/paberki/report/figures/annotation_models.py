"""Which models annotated the corpus: what they were trained on, under which licences, and how good they are where that is
known (P1 §2.3, P3 §4 give such figures for their taggers)."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files
from typing import Any, Final

from paberki.report.page_counts import Counter
from paberki.report.section import Section

_MEASURES: Final = {
    "tagger": ("upos", "xpos"), "lemmas": ("lemma",), "parser": ("uas", "las"), "tokens": ("tokens", "sentences"), "names": ("names",),
}  # fmt: skip
"""Layers of a model, and what is measured of each."""


def models_section(counter: Counter) -> Section:
    """One row for each layer of each model in use."""
    from paberki.annotation.files.annotation_model_file import load_model
    from paberki.annotation.files.model_catalogue import shipped

    title = "Models"
    if not counter.has("annotated"):
        missing = 'The corpus is not annotated; put add = ["annotate.v1"] into the recipe and build.'
        return Section("models", title, missing=missing)
    counts = counter.rows(
        "SELECT annotated, count(*), sum(token_count) FROM pages WHERE keep AND annotated IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1"
    )
    rows: list[dict[str, Any]] = []
    held_out = held_out_scores()
    for lang, pages, tokens in counts:
        path = shipped(str(lang))
        about = load_model(path).about if path is not None else {}
        sources = ", ".join(f"{name} ({licence})" for name, licence in (about.get("sources") or {}).items())
        for layer, facts in (about.get("layers") or {"unknown": {}}).items():
            rows.append(
                {"lang": lang, "pages": int(pages), "tokens": int(tokens), "layer": layer}
                | {
                    "trained_on_sentences": facts.get("sentences"),
                    "scores": _scores(facts) or _of_layer(held_out.get(str(lang), {}), layer),
                }
                | {"sources": sources}
                | {"licence": about.get("licence", "")}
            )
    caption = (
        "Models that annotated the kept pages. Scores (% correct, F1 for tokens, sentences and names) are held-out ones of models "
        "made in the same way without the development parts of the treebanks; to measure on gold data of your own: paberki eval "
        "annotate GOLD.conllu --lang LANG"
    )
    return Section("models", title, caption, {}, rows)


def _scores(facts: dict[str, Any]) -> str:
    """What the header of the model says about its quality."""
    numbers = {key: value for key, value in facts.items() if isinstance(value, float)}
    return ", ".join(f"{key} {value:.2f}" for key, value in numbers.items())


@cache
def held_out_scores() -> dict[str, dict[str, float]]:
    """By language and measure, as docs/annotation.md has them; change both together."""
    text = (files("paberki.report.figures") / "held_out_scores.tsv").read_text("utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t")
    return {row.pop("lang"): {name: float(value) for name, value in row.items() if value} for row in rows}


def _of_layer(scores: dict[str, float], layer: str) -> str:
    """The measures that a layer of a model answers for."""
    return ", ".join(f"{name} {scores[name]:g}" for name in _MEASURES.get(layer, ()) if name in scores)
