"""paberki plan."""

from __future__ import annotations

import dataclasses

from paberki.cli import show
from paberki.cli.options import Dir, Json, Quiet


def run(directory: Dir, json: Json = False, quiet: Quiet = False) -> None:
    """Show the stages with their settings, and what a build would do now.

    \b
    Examples:
      paberki plan hr
      paberki plan hr --json
    """
    from paberki.corpus import Corpus
    from paberki.engine.dry_run import forecast
    from paberki.recipe.corpus_recipe import check_files
    from paberki.recipe.settings import plain
    from paberki.stage import field_help

    corpus = Corpus(directory)
    plan = corpus.plan()
    check_files(corpus.recipe, str(corpus.directory.recipe))
    waiting, stages = forecast(corpus.directory, plan)
    settings = {step.stage.name: plain(step.config) for step in plan.steps}
    if json:
        listed = [{**dataclasses.asdict(one), "settings": settings[one.stage]} for one in stages]
        show.as_json({"new_bytes": waiting, "stages": listed})
        return
    if quiet:
        return
    if waiting:
        show.say(f"{show.size(waiting)} of archive are not numbered yet")
    rows = [(one.stage, show.count(one.done), show.count(one.todo), one.note) for one in stages]
    show.table(("stage", "up to date", "to do", ""), rows, right=(1, 2))
    for step in plan.steps:
        meaning = field_help(step.stage.config)
        lines = [
            f"  {key} = {_value(value)}"
            + ("" if isinstance(value, list) else f"    {' '.join(meaning.get(key, '').split())}")
            for key, value in settings[step.stage.name].items()
            if value not in ([], "")
        ]
        if lines:
            show.say(f"\n{step.stage.name}\n" + "\n".join(lines))


def _value(value: object) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "".join(f"\n    {rule['reason']}: {rule['drop']}" for rule in value)
    return str(value)
