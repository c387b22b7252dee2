"""What a stage may be made of, and what it says about itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
import pytest

from paberki.errors import ContractError
from paberki.stage import Fit, Join, Map, NoConfig, Outside, Stage, fit_stage, join_stage, map_stage, registry, stages
from paberki.store.columns import Column

SHARE = Column("upper_share", "shout", pa.float32(), "share of capitals")


def nothing(*_: Any) -> Any:
    """A function that is never called."""


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Stage]]:
    """A registry of its own: stages of a test are gone after it."""
    stages()
    monkeypatch.setattr(registry, "_STAGES", dict(registry._STAGES))
    return registry._STAGES


def stage(parts: Map | Fit | Join, **fields: Any) -> Stage:
    return Stage("shout.caps.v1", "shout", NoConfig, ("archive.url",), (SHARE,), parts, **fields)


@pytest.mark.parametrize(
    ("parts", "kind"), [(Map(nothing), "map"), (Fit(nothing, nothing, nothing), "fit"), (Join(nothing, nothing, nothing), "join")]
)  # fmt: skip
def test_the_kind_is_that_of_the_parts(parts: Map | Fit | Join, kind: str) -> None:
    made = stage(parts)
    assert made.kind == kind
    assert getattr(made, kind) is parts
    for other in {"map", "fit", "join"} - {kind}:
        with pytest.raises(ContractError, match=f"is a {kind}, not a {other}"):
            getattr(made, other)


def test_a_join_must_decide_somewhere() -> None:
    with pytest.raises(ContractError, match="resolve, solve or both"):
        Join(nothing, nothing)
    with pytest.raises(ContractError, match="check needs"):
        Join(nothing, nothing, resolve=nothing, check=nothing)
    assert Join(nothing, nothing, solve=nothing).resolve is None


def test_what_depends_on_settings_may_be_plain() -> None:
    plain = stage(Map(nothing), reads=("a.npz",), behaviour="new")
    assert (plain.package_files(None), plain.behaviour_for(None), plain.outside_for(None)) == (
        ("a.npz",),
        "new",
        Outside(),
    )
    asked = replace(
        plain,
        reads=lambda config: [config],
        behaviour=lambda config: f"by {config}",
        outside=lambda config: Outside((config,)),
    )
    assert (asked.package_files("b"), asked.behaviour_for("b"), asked.outside_for("b").programs) == (
        ("b",),
        "by b",
        ("b",),
    )


def test_needs_of_solve_are_those_of_joins() -> None:
    join = Join(nothing, nothing, solve=nothing, solve_needs=lambda config, columns: [columns["text"]])
    assert stage(join).solve_needs_for(None, {"text": "extract.text"}) == ("extract.text",)
    assert stage(Map(nothing)).solve_needs_for(None, {}) == ()


def test_the_documented_decorators(registered: dict[str, Stage]) -> None:
    @dataclass(frozen=True)
    class ShoutConfig:
        limit: float = 0.3

    @map_stage("shout.caps.v1", layer="shout", needs=("extract.blocks.text",), adds=(SHARE,), config=ShoutConfig)
    def shout(batch: Any, config: Any) -> Any:
        """Share of capitals (no paper)."""

    @fit_stage("shout.model.v1", layer="shout.model", needs=("extract.blocks.text",))
    class Learn:
        """Capitals of the corpus (no paper)."""

        observe = merge = finish = staticmethod(nothing)

    @join_stage("shout.walk.v1", layer="walk", needs=("archive.url",), adds=())
    class Walk:
        """In order (no paper)."""

        emit = solve = apply = staticmethod(nothing)

    made = [registered[name] for name in ("shout.caps.v1", "shout.model.v1", "shout.walk.v1")]
    assert [one.kind for one in made] == ["map", "fit", "join"]
    assert [one.doc.split(" (")[0] for one in made] == ["Share of capitals", "Capitals of the corpus", "In order"]
    assert made[0].map.run is shout
    assert made[0].config is ShoutConfig
    assert made[1].fit.merge is Learn.merge
    assert made[2].join.resolve is None
    assert made[2].join.solve is Walk.solve


def test_names_have_versions(registered: dict[str, Stage]) -> None:
    with pytest.raises(ContractError, match="is not of the form"):
        map_stage("shout", layer="shout", needs=(), adds=())(nothing)
    assert "shout" not in registered
