"""paberki plan."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from paberki.cli import show
from paberki.cli.options import Dir, Json, Quiet

if TYPE_CHECKING:
    from paberki.corpus import Corpus


def run(directory: Dir, json: Json = False, quiet: Quiet = False) -> None:
    """Show the stages with their settings, and what a build would do now.

    \b
    Examples:
      paberki plan hr
      paberki plan hr --json
    """
    from paberki.corpus import Corpus
    from paberki.engine.noted_forecast import note_forecast, noted_forecast

    corpus = Corpus(directory)
    answer = noted_forecast(corpus.directory)
    if answer is None:
        answer = _answer(corpus)
        note_forecast(corpus.directory, corpus.recipe, answer)
    meanings = answer["meanings"]
    if json:
        show.as_json({name: answer[name] for name in ("new_bytes", "stages")})
        return
    if quiet:
        return
    if answer["new_bytes"]:
        show.say(f"{show.size(answer['new_bytes'])} of archive are not numbered yet")
    rows = [(one["stage"], show.count(one["done"]), show.count(one["todo"]), one["note"]) for one in answer["stages"]]
    show.table(("stage", "up to date", "to do", ""), rows, right=(1, 2))
    for one in answer["stages"]:
        lines = [
            f"  {key} = {_value(value)}"
            + ("" if isinstance(value, list) else f"    {meanings[one['stage']].get(key, '')}")
            for key, value in one["settings"].items()
            if value not in ([], "")
        ]
        if lines:
            show.say(f"\n{one['stage']}\n" + "\n".join(lines))


def _answer(corpus: Corpus) -> dict[str, Any]:
    """What a build would do, with the settings of every stage and what they mean."""
    from paberki.engine.dry_run import forecast
    from paberki.recipe.corpus_recipe import check_files
    from paberki.recipe.settings import plain
    from paberki.stage import field_help

    plan = corpus.plan()
    check_files(corpus.recipe, str(corpus.directory.recipe))
    waiting, stages = forecast(corpus.directory, plan)
    settings = {step.stage.name: plain(step.config) for step in plan.steps}
    meanings = {
        step.stage.name: {key: " ".join(text.split()) for key, text in field_help(step.stage.config).items()}
        for step in plan.steps
    }
    stage_rows = [{**dataclasses.asdict(one), "settings": settings[one.stage]} for one in stages]
    return {"new_bytes": waiting, "stages": stage_rows, "meanings": meanings}


def _value(value: object) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "".join(f"\n    {rule['reason']}: {rule['drop']}" for rule in value)
    return str(value)
