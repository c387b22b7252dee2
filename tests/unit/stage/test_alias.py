"""An alias is the same stage with a layer, settings and columns of its own, whatever its kind."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from paberki.dedup.exact import ExactConfig
from paberki.engine.passes.apply_tasks import one_per_page
from paberki.engine.passes.map_tasks import StageRun, run_apply
from paberki.errors import ContractError
from paberki.recipe.corpus_recipe import parse
from paberki.stage import find, stages
from paberki.store.batch import Batch


@pytest.mark.parametrize("name", sorted(stages()))
def test_every_stage_can_have_an_alias(name: str) -> None:
    stem, _, version = name.rpartition(".")
    stage, alias = stages()[name], find(f"{stem}.mine.{version}")
    assert (alias.name, alias.layer) == (f"{stem}.mine.{version}", f"{stage.layer}_mine")
    assert (alias.kind, alias.config, alias.source) == (stage.kind, stage.config, stage.source)
    names = [column.name for column in alias.adds]
    assert len(set(names)) == len(stage.adds)
    assert all(one.startswith("mine_") for one in names)
    assert {column.layer for column in alias.adds} <= {alias.layer}


def test_columns_keep_their_whole_name_where_last_parts_are_equal() -> None:
    assert [column.name for column in find("dedup.exact.mine.v1").adds] == ["mine_exact", "mine_count"]
    names = [column.name for column in find("links.incoming.mine.v1").adds]
    assert len(set(names)) == len(names)


def test_an_alias_of_a_join_labels_under_its_own_columns() -> None:
    stage = find("dedup.exact.mine.v1")
    columns = {
        "archive.sha224": pa.array(["a", "b", "a"]),
        "archive.key": pa.array(["k0", "k1", "k2"]),
        "archive.payload_bytes": pa.array([1, 1, 1]),
    }
    batch, config = Batch(np.arange(3), columns), ExactConfig()
    assert stage.join.resolve is not None
    decisions = one_per_page(stage.join.resolve(stage.join.emit(batch, config), config).sort_by("page"), batch.pages)
    labels = run_apply(stage, StageRun(stage.name, config, tuple(columns), ""), batch, decisions)
    assert labels["mine_exact"].to_pylist() == ["k0", None, "k0"]
    assert labels["mine_count"].to_pylist() == [2, 1, 2]


def test_a_recipe_sets_an_alias_up_under_its_layer() -> None:
    recipe = parse('lang = "hr"\nadd = ["quality.marks.mine.v1"]\n[marks_mine]\nlists = ["a.txt"]\n', "test")
    configs = {stage.layer: config for stage, config in recipe.stages}
    assert configs["marks_mine"].lists == ("a.txt",)
    assert "marks" not in configs or configs["marks"].lists == ()


@pytest.mark.parametrize("name", ["quality.linear.Mine.v1", "quality.linear.mine.v2", "quality.linear.9.v1", "mine.v1"])
def test_what_is_no_alias_is_an_error(name: str) -> None:
    with pytest.raises(ContractError, match="there is no stage"):
        find(name)
