"""Links that prove themselves: what a link promised, what it gives now, and the corpus as it was then.

Each state of the index that is served is remembered by its build, with the number of the update and the selection of then:
pages keep the number of the update they came with, selections are kept beside the new one.
"""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Final

from paberki.errors import PaberkiError
from paberki.markup.html import element, join_html

if TYPE_CHECKING:
    from paberki.serve.library import Edition
    from paberki.serve.pages.ask import Ask
    from paberki.serve.pages.visit import Visit

__all__ = ["remember_build", "state_of", "then_now"]

_FILE: Final = "builds.jsonl"
_MOST: Final = 2000


def remember_build(edition: Edition) -> None:
    """Note what this build is, once; a directory that cannot be written to has no memory."""
    if edition.corpus is None or edition.index.__dict__.get("_remembered"):
        return
    edition.index.__dict__["_remembered"] = True
    manifest = edition.index.manifest
    if edition.build in _builds(edition) or not manifest.selection:
        return
    line = json.dumps({"build": edition.build, "state": f"{manifest.commit}-{manifest.selection}"})
    with contextlib.suppress(OSError):
        folder = edition.corpus.directory.private
        folder.mkdir(exist_ok=True)
        with (folder / _FILE).open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def _builds(edition: Edition) -> dict[str, str]:
    if edition.corpus is None:
        return {}
    builds: dict[str, str] = {}
    with contextlib.suppress(OSError, ValueError, KeyError):
        for line in (edition.corpus.directory.private / _FILE).read_text("utf-8").splitlines()[-_MOST:]:
            one = json.loads(line)
            builds[str(one["build"])] = str(one["state"])
    return builds


def state_of(edition: Edition, build: str) -> str | None:
    """The state of the corpus at a build; None if it is no longer stored."""
    return _builds(edition).get(build)


def then_now(visit: Visit, ask: Ask, path: str) -> object:
    """Where the link is of another build: how many hits then, how many now."""
    edition, say = visit.edition, visit.say
    if ask.state:
        back = element("a", say("show it as it is now"), href=ask.at(path, state="", build="", count=""))
        return element(
            "div", element("p", say("The corpus as it was."), " ", back), class_="card", data_testid="then-now"
        )
    if not ask.build or ask.build == edition.build:
        return ""
    state = state_of(edition, ask.build)
    if state is None:
        return element(
            "p",
            say("This link is of the build {build}, which nobody remembers here.", build=ask.build),
            class_="card warning",
            data_testid="then-now",
        )
    then = _count(visit, ask.but(state=state))
    now = _count(visit, ask)
    link = element("a", say("as it was"), href=ask.at(path, state=state), data_testid="as-it-was", class_="button")
    text = say(
        "then {then}, now {now}",
        then="?" if then is None else visit.count(then),
        now="?" if now is None else visit.count(now),
    )
    stay = element("a", say("the link of now"), href=ask.at(path, build=edition.build, count=""), class_="button quiet")
    return element(
        "div", element("p", say("The corpus has changed since this link was made:"), " ", element("b", text)), element("div", join_html([link, stay]), class_="row"),
        class_="card stack tight", data_testid="then-now", data_then=None if then is None else str(then), data_now=None if now is None else str(now),
    )  # fmt: skip


def _count(visit: Visit, ask: Ask) -> int | None:
    try:
        count = visit.service.jobs.start(visit.edition, ask.as_search).wait(5.0)
    except PaberkiError:
        return None
    return count.value if count.state == "done" else None
