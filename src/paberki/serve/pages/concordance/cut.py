"""Move the cut: a slider on a score, and the lines that it loses and wins."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from paberki.errors import PaberkiError
from paberki.markup.html import Safe, element, join_html, void
from paberki.query.counting.page_columns import page_numbers
from paberki.report.preset_rules import preset_names

if TYPE_CHECKING:
    from paberki.serve.pages.ask import Ask
    from paberki.serve.pages.visit import Visit

__all__ = ["cut_form", "limit_now", "score_names"]

_CUT: Final = re.compile(r"\s*([a-z][a-z0-9_]*)\s*(<=|>=|<|>)\s*(-?\d+(?:\.\d+)?(?:e-?\d+)?)\s*", re.IGNORECASE)
_SCORES: Final = (
    "badness",
    "ngram3",
    "perplexity",
    "ngram3_rank",
    "selected_char_count",
    "selected_word_count",
    "lang_p",
    "close_p",
)
_LARGE_IS_GOOD: Final = frozenset(
    {"ngram3", "ngram3_rank", "selected_char_count", "selected_word_count", "lang_p", "close_p"}
)
_SHOWN: Final = 5


def score_names(visit: Visit) -> list[str]:
    """Scores of pages on which a cut can be made."""
    attributes = visit.edition.index.structures.get("doc", ())
    return [name for name in _SCORES if name in attributes]


def limit_now(visit: Visit, name: str) -> float | None:
    """Where the recipe cuts this score."""
    if name != "badness" or visit.edition.corpus is None:
        return None
    from paberki.quality.connected.connected_stage import ConnectedConfig, limit_in

    try:
        own = next((own for stage, own in visit.edition.recipe.stages if stage.layer == "quality"), None)
    except PaberkiError:
        return None
    limit = limit_in(own) if isinstance(own, ConnectedConfig) else getattr(own, "limit", None)
    return float(limit) if limit is not None else None


def cut_form(visit: Visit, ask: Ask, path: str) -> object:
    """The slider and, where it was moved, what that changes."""
    say, names = visit.say, score_names(visit)
    match = _CUT.fullmatch(ask.cut or "")
    name = (
        match[1]
        if match and match[1] in names
        else visit.value("score")
        if visit.value("score") in names
        else (names[0] if names else "")
    )
    if not name:
        return ""
    scores = page_numbers(visit.edition.concordancer._places, name)
    scores = scores[np.isfinite(scores)]
    if not len(scores):
        return ""
    low, high = float(scores.min()), float(scores.max())
    sign = match[2] if match else (">=" if name in _LARGE_IS_GOOD else "<=")
    now = limit_now(visit, name)
    value = float(match[3]) if match else now if now is not None else (low if sign[0] == ">" else high)
    low, high = min(low, value), max(high, value)
    step = _step(high - low)
    hidden_fields = [
        void("input", type="hidden", name=key, value=text) for key, text in ask.but(cut=None, side="", start=0).pairs
    ]
    slider = void(
        "input", type="range", min=f"{np.floor(low / step) * step:.6g}", max=f"{np.ceil(high / step) * step:.6g}", step=f"{step:.6g}",
        value=f"{value:.6g}", data_testid="cut", data_score=name, data_sign=sign, id="cut", aria_label=say("cut on {name}", name=name),
    )  # fmt: skip
    condition = f"{name} {sign} {value:.6g}"
    limit_text = f"{name} {'≥' if sign[0] == '>' else '≤'} {value:.3g}"
    inside: list[Any] = [
        element("label", say("keep pages with"), " ", element("output", limit_text, id="cut-value", for_="cut")),
        slider,
        void("input", type="hidden", name="cut", value=condition, id="cut-condition"),
        element("button", say("what if?")),
    ]
    parts: list[Any] = [
        element("h3", say("Move the cut")),
        element("form", *hidden_fields, *inside, action=path, method="get", id="cut-form", class_="slider"),
    ]
    parts.append(_preset_form(visit, ask, path))
    if ask.cut:
        parts.append(_changes(visit, ask, path) if ask.q else _back(visit, ask, path))
    return element("section", *parts, class_="facet cut")


def _preset_form(visit: Visit, ask: Ask, path: str) -> Safe:
    """Instead of a cut, the rules of another preset."""
    hidden_fields = [
        void("input", type="hidden", name=key, value=text) for key, text in ask.but(cut=None, side="").pairs
    ]
    choices = [element("option", "–", value="")]
    choices += [
        element("option", name, value=f"preset {name}", selected=ask.cut == f"preset {name}") for name in preset_names()
    ]
    choice = element("select", *choices, name="cut", data_submit="change", data_testid="preset")
    label = element("label", visit.say("or the rules of"), choice)
    return element(
        "form", *hidden_fields, label, element("noscript", element("button", "→")), action=path, method="get"
    )


def _step(span: float) -> float:
    """About a hundred steps, each a round number."""
    return float(10 ** np.floor(np.log10(span / 100))) if span > 0 else 1.0


def _changes(visit: Visit, ask: Ask, path: str) -> Safe:
    say = visit.say
    parts: list[Any] = []
    for side, label in (("lost", say("lines lost")), ("won", say("lines won"))):
        question = ask.but(side=side, sort=None, sample=None)
        try:
            job = visit.service.jobs.start(visit.edition, question.as_search)
            count = job.wait(5.0)
        except PaberkiError as error:
            parts.append(element("p", str(error), class_="warning"))
            continue
        link = element("a", visit.count(count.value), " ", label, href=question.at(path))
        hits = question.hits(visit.edition, visit.service.settings)
        lines = [
            element("li", f"…{line.left[-30:]} ", element("b", line.node), f" {line.right[:30]}…")
            for line in hits.page(0, _SHOWN, 8)
        ]
        parts.append(
            element(
                "div",
                element("p", link),
                element("ol", *lines, class_="lines-list tiny"),
                data_testid=f"lines-{side}",
                data_value=str(count.value),
            )
        )
    return join_html([*parts, _back(visit, ask, path)])


def _back(visit: Visit, ask: Ask, path: str) -> Safe:
    """The way back, and the button that writes the rule."""
    back = element("a", visit.say("as it is"), href=ask.at(path, cut=None, side=""), class_="button")
    return element("div", back, _write(visit, ask), class_="row")


def _write(visit: Visit, ask: Ask) -> object:
    """A button that writes the rule, where the server may."""
    if not visit.service.settings.edit or (ask.cut or "").startswith("preset "):
        return ""
    return element("button", visit.say("write this rule"), type="button", id="write-cut", data_cut=ask.cut)
