"""Keys of layers: change one thing, and exactly the layers that depend on it get other keys. No page is read.

A stage depends on map layers as a whole, and on joins by the columns that it reads. Select reads the errors of every layer,
and paragraphs are those that select keeps, so both are stale whenever a map layer before them is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.engine.build_state import BuildState, Options
from paberki.engine.keys import digest
from paberki.engine.passes.apply_tasks import JoinLayer
from paberki.engine.plan import Plan, make_plan
from paberki.engine.progress import Reporter
from paberki.model import Pin
from paberki.recipe.corpus_recipe import parse
from paberki.store.directory import Directory, Manifest, Shard
from paberki.store.layer import CHUNK

STAGES = (
    "captures.v1", "decode.model.v1", "extract.learned.v1", "identify.words.v1", "quality.profile.v2",
    "quality.connected.v2", "quality.furniture.v1", "dedup.exact.v1", "select.v1", "dedup.paragraphs.v1",
)  # fmt: skip
ROWS = 2 * CHUNK + 10


def plan_of(settings: str = "") -> Plan:
    names = ", ".join(f'"{name}"' for name in STAGES)
    return make_plan(parse(f'lang = "hr"\nstages = [{names}]\n{settings}', "test").stages)


class Keys:
    """The keys of all layers of a plan, as a build would compute them, with invented content of joins and models."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.shards = [Shard(ROWS, "pages")]
        self.gone: list[frozenset[int]] = [frozenset()]
        self.columns: dict[str, tuple[str, ...]] = {}
        """Content of columns of joins, where it is not the usual one."""
        self.models: dict[str, str] = {}
        self.failed: dict[str, str] = {}

    def state(self) -> BuildState:
        nobody = cast("Any", None)
        state = BuildState(
            Directory("/nowhere"), nobody, Options(), Reporter(Path("/dev/null"), None, 0), Manifest(shards=self.shards)
        )
        state.tombstones = self.gone
        state.due_keys["archive"] = state.keys["archive"] = [shard.keys for shard in self.shards]
        return state

    def of_layers(self) -> dict[str, list[Any]]:
        """For each layer the keys of its shards, or of the chunks of its shards if it is a join."""
        state, keys = self.state(), dict[str, list[Any]]()
        for step in self.plan.steps:
            name = step.stage.layer
            if step.stage.kind == "fit":
                state.models[name] = Pin(step.stage.name, name, self.models.get(name, "model"), "", 0)
                keys[name] = [state.settings(step)]
            elif step.stage.kind == "map":
                keys[name] = [state.key(step, shard) for shard in state.shards]
                state.keys[name] = [key + self.failed.get(name, "") for key in keys[name]]
            else:
                keys[name] = [state.chunk_keys(step, shard) for shard in state.shards]
                made = {one.name: self.columns.get(one.full, ("same",) * 3) for one in step.stage.adds}
                state.join_layers[name] = [JoinLayer("key", (), made) for _ in state.shards]
                state.keys[name] = ["key" for _ in state.shards]
        return keys


def changed(change: Callable[[Keys], None], settings: str = "") -> set[str]:
    keys = Keys(plan_of(settings))
    change(keys)
    before, after = Keys(plan_of()).of_layers(), keys.of_layers()
    return {name for name in after if before[name] != after[name]}


def nothing(keys: Keys) -> None:
    """Leave all as it is."""


def column(name: str, *values: str) -> Callable[[Keys], None]:
    return lambda keys: keys.columns.update({name: values or ("same", "other", "same")})


def model(keys: Keys) -> None:
    keys.models["quality.profile"] = "learnt again"


def taken_down(keys: Keys) -> None:
    keys.gone = [frozenset((3,))]


def failed(keys: Keys) -> None:
    keys.failed["identify"] = "two rows"


AFTER_EXTRACT = {"identify", "quality.profile", "quality", "furniture", "select", "paragraphs"}


@pytest.mark.parametrize(
    ("change", "settings", "layers"),
    [
        (nothing, "", set()),
        (nothing, "[quality]\nlimit = 9.0", {"quality", "select", "paragraphs"}),
        (nothing, "[select]\ncopies = ''", {"select"}),
        (nothing, "[paragraphs]\nstub = 3", {"paragraphs"}),
        (nothing, "[decode]\nmodel = 'none.model'", {"decode", "extract"} | AFTER_EXTRACT),
        (model, "", {"quality", "select", "paragraphs"}),
        (failed, "", {"quality", "select", "paragraphs"}),
        (column("furniture.furniture"), "", {"select"}),
        (column("select.keep"), "", {"paragraphs"}),
        (column("select.reason"), "", set()),
        (column("captures.last_seen"), "", set()),
    ],
)  # fmt: skip
def test_what_a_change_makes_stale(
    change: Callable[[Keys], None], settings: str, layers: set[str], tmp_path: Path
) -> None:
    if "none.model" in settings:
        (tmp_path / "none.model").write_bytes(b"")
        settings = settings.replace("none.model", str(tmp_path / "none.model"))
    assert changed(change, settings) == layers


def test_a_page_that_is_taken_down_makes_its_shard_stale() -> None:
    assert changed(taken_down) >= {"decode", "extract", "identify", "captures", "select"}


def test_only_the_chunk_that_differs_has_another_key() -> None:
    keys = Keys(plan_of())
    before = keys.of_layers()["paragraphs"][0]
    keys.columns["select.block_keep"] = ("same", "other", "same")
    after = keys.of_layers()["paragraphs"][0]
    assert [one == other for one, other in zip(before, after, strict=True)] == [True, False, True]


def test_a_take_down_changes_the_key_of_its_chunk_alone() -> None:
    keys = Keys(plan_of())
    before = keys.of_layers()["captures"][0]
    keys.gone = [frozenset((CHUNK + 1,))]
    after = keys.of_layers()["captures"][0]
    assert before[1] != after[1]


def test_new_shards_leave_the_keys_of_old_ones_alone() -> None:
    keys = Keys(plan_of())
    before = keys.of_layers()
    keys.shards, keys.gone = [*keys.shards, Shard(5, "more")], [frozenset(), frozenset()]
    after = keys.of_layers()
    for name, old in before.items():
        assert after[name][: len(old)] == old


def test_a_walk_does_not_go_back_when_pages_are_no_longer_kept() -> None:
    """Which pages are kept is known from the pages to walk over; the text of kept blocks is what counts."""
    keys = Keys(plan_of())
    step = next(one for one in keys.plan.steps if one.stage.layer == "paragraphs")

    def memory() -> tuple[str, ...]:
        state = keys.state()
        for one in keys.plan.steps:
            if one.stage.kind == "fit":
                state.models[one.stage.layer] = Pin(one.stage.name, "", "model", "", 0)
            made = {column.name: keys.columns.get(column.full, ("same",) * 3) for column in one.stage.adds}
            if one.stage.kind == "join":
                state.join_layers[one.stage.layer] = [JoinLayer("key", (), made)]
            state.keys[one.stage.layer] = ["key"]
        return state.chunk_keys(step, 0, step.solve_needs)

    before = memory()
    keys.columns["select.keep"] = ("same", "other", "same")
    assert memory() == before
    keys.columns["select.block_keep"] = ("same", "other", "same")
    assert [one == other for one, other in zip(before, memory(), strict=True)] == [True, False, True]


def test_behaviour_and_package_files_are_part_of_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of()
    step = next(one for one in plan.steps if one.stage.layer == "extract")
    state = Keys(plan).state()
    state.keys["decode"] = ["key"]
    before = state.key(step, 0)
    assert state.key(replace(step, stage=replace(step.stage, behaviour="another")), 0) != before
    assert state.key(replace(step, stage=replace(step.stage, reads=())), 0) != before
    assert state.key(replace(step, stage=replace(step.stage, doc="another", provides=("x",))), 0) == before


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda some: st.lists(some) | st.dictionaries(st.text(), some),
    max_leaves=8,
)


@given(VALUES, VALUES)
def test_digests_are_equal_exactly_for_equal_values(one: Any, other: Any) -> None:
    assert (digest(one) == digest(other)) == (repr(_sorted(one)) == repr(_sorted(other)))


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(one) for one in value] if isinstance(value, list) else value


def test_a_digest_is_the_same_on_every_machine() -> None:
    assert digest("a", {"b": 1, "a": [True, None]}) == digest("a", {"a": [True, None], "b": 1})
    assert digest("\udcff") != digest("?")
    assert len(digest()) == 32
