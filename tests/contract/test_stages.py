"""The contract of stages, held against every stage that is registered, and against broken ones."""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import checks
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paberki.crawl.crawl_config import CrawlConfig
from paberki.engine.passes.map_tasks import run_map
from paberki.engine.plan import make_plan
from paberki.errors import ContractError
from paberki.recipe.corpus_recipe import BuildConfig, parse
from paberki.recipe.settings import build, plain
from paberki.stage import Map, NoConfig, Stage, stages
from paberki.store.batch import Batch
from paberki.store.columns import Column

ALL = list(stages())
MAP = [name for name, stage in stages().items() if stage.kind == "map"]
FIT = [name for name, stage in stages().items() if stage.kind == "fit"]
JOIN = [name for name, stage in stages().items() if stage.kind == "join"]
ENCODINGS = (
    "utf-8",
    "utf-16",
    "utf-16-be",
    "cp1250",
    "cp1252",
    "iso-8859-2",
    "koi8-r",
    "shift_jis",
    "euc-jp",
    "gb18030",
)


@pytest.mark.parametrize("name", ALL)
class TestEveryStage:
    def test_declaration(self, name: str) -> None:
        checks.check_declaration(stages()[name])

    def test_config(self, name: str) -> None:
        checks.check_config(stages()[name])

    def test_needs_resolve_in_a_plan(self, name: str) -> None:
        step = checks.step_of(name)
        assert step.reads
        assert set(step.after) <= set(checks.plan_with(name).layers)

    def test_same_bytes_in_another_process(self, name: str, elsewhere: dict[str, str]) -> None:
        assert elsewhere[name] == checks.digest(name)


@pytest.fixture(scope="module")
def elsewhere() -> dict[str, str]:
    """Digests made in a fresh process with other hashes."""
    env = {**os.environ, "PYTHONHASHSEED": "4711", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    script = Path(checks.__file__)
    done = subprocess.run([sys.executable, str(script)], env=env, cwd="/", capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize("name", [*MAP, *JOIN])
class TestColumns:
    def test_declared_columns_and_types(self, name: str) -> None:
        checks.check_result(checks.step_of(name), *checks.sample(name))

    def test_deterministic(self, name: str) -> None:
        checks.check_repeats(checks.step_of(name), *checks.sample(name))

    def test_input_is_left_alone(self, name: str) -> None:
        checks.check_leaves_input_alone(checks.step_of(name), *checks.sample(name))

    def test_empty_batch(self, name: str) -> None:
        checks.check_empty(checks.step_of(name), *checks.sample(name))

    @pytest.mark.parametrize("page", list(checks.ODD_PAGES))
    def test_odd_page(self, name: str, page: str) -> None:
        checks.check_result(checks.step_of(name), *odd(name, page))

    def test_odd_pages_among_ordinary_ones(self, name: str) -> None:
        small = [page for page in checks.ODD_PAGES.values() if len(page[0]) < 100_000]
        batch, models = checks.prepared(name, [*checks.ordinary_pages()[:3], *small])
        checks.check_result(checks.step_of(name), batch, models)
        if name in MAP:
            checks.check_rows_are_independent(checks.step_of(name), batch, models)


def odd(name: str, page: str) -> tuple[Batch, list[Any]]:
    """The odd page as the input of a stage, with the models of the sample: one page teaches nothing."""
    batch, _ = checks.prepared(name, [checks.ODD_PAGES[page]])
    return batch, checks.sample(name)[1]


@pytest.mark.parametrize("name", MAP)
class TestMap:
    def test_rows_are_independent(self, name: str) -> None:
        checks.check_rows_are_independent(checks.step_of(name), *checks.sample(name))

    @settings(max_examples=15, deadline=None)
    @given(
        text=st.text(st.characters(exclude_categories=()), max_size=300),
        encoding=st.sampled_from(ENCODINGS),
        declared=st.sampled_from(("", *ENCODINGS)),
        mime=st.sampled_from(("text/html", "text/plain")),
        wrapped=st.booleans(),
    )
    def test_any_unicode(self, name: str, text: str, encoding: str, declared: str, mime: str, wrapped: bool) -> None:
        page = f"<title>{text[:20]}</title><p class='{text[:5]}'>{text}</p><a href='{text}'>x</a>" if wrapped else text
        errors = "surrogatepass" if encoding.startswith("utf") else "replace"
        batch, _ = checks.prepared(name, [(page.encode(encoding, errors), mime, declared)])
        checks.check_result(checks.step_of(name), batch, checks.sample(name)[1])

    @settings(max_examples=15, deadline=None)
    @given(payload=st.binary(max_size=400), declared=st.sampled_from(("", *ENCODINGS)))
    def test_any_bytes(self, name: str, payload: bytes, declared: str) -> None:
        batch, _ = checks.prepared(name, [(payload, "text/html", declared)])
        checks.check_result(checks.step_of(name), batch, checks.sample(name)[1])


@pytest.mark.parametrize("name", FIT)
class TestFit:
    def test_batches_and_grouping_do_not_matter(self, name: str) -> None:
        checks.check_fit(checks.step_of(name), checks.sample(name)[0])

    @pytest.mark.parametrize("page", ["empty", "nuls", "deep", "surrogates"])
    def test_odd_page_is_observed(self, name: str, page: str) -> None:
        batch, _ = checks.prepared(name, [checks.ODD_PAGES[page]])
        checks.fitted(checks.step_of(name), [batch])


@pytest.mark.parametrize("name", JOIN)
class TestJoin:
    def test_groups_are_independent(self, name: str) -> None:
        checks.check_join(checks.step_of(name), checks.sample(name)[0])


@pytest.mark.parametrize("config", [BuildConfig(), BuildConfig(max_errors=0.5), CrawlConfig()])
def test_other_tables_of_a_recipe_survive_the_round_trip(config: Any) -> None:
    assert build(type(config), json.loads(json.dumps(plain(config))), str) == config


# ---- the checks catch broken stages ----

COUNT = Column("broken_count", "broken", pa.int32(), "number of something")
counter = itertools.count()


def run_fine(batch: Batch, config: object) -> dict[str, Any]:
    """Length of each payload (no paper)."""
    return {"broken_count": [len(one) for one in batch["payload"]]}


def broken(run: Callable[..., Any], **changes: Any) -> Stage:
    made = Stage("broken.test.v1", "broken", NoConfig, ("payload",), (COUNT,), Map(run), doc="Made (no paper).")
    return dataclasses.replace(made, **changes)


def tried(stage: Stage) -> Any:
    step = make_plan([(stage, NoConfig())]).steps[0]
    return step, checks.batch_of(checks.ordinary_pages()), []


def test_a_good_stage_passes() -> None:
    step, batch, models = tried(broken(run_fine))
    checks.check_declaration(step.stage)
    checks.check_config(step.stage)
    checks.check_result(step, batch, models)
    checks.check_repeats(step, batch, models)
    checks.check_leaves_input_alone(step, batch, models)
    checks.check_rows_are_independent(step, batch, models)
    checks.check_empty(step, batch, models)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda batch, _: {"broken_count": [1] * len(batch), "other": [1] * len(batch)}, "undeclared columns: other"),
        (lambda batch, _: {"broken_count": [1] * (len(batch) + 1)}, "wrong number of rows in broken_count"),
        (lambda batch, _: {}, "did not return: broken_count"),
        (lambda batch, _: {"broken_count": batch["archive.url"]}, "'archive.url' is used but not declared"),
        (lambda batch, _: {"broken_count": batch.arrow("archive.date")}, "'archive.date' is used but not declared"),
    ],
)
def test_broken_answers_are_refused(answer: Callable[..., Any], message: str) -> None:
    step, batch, models = tried(broken(answer))
    with pytest.raises(ContractError, match=message):
        run_map(step.stage, checks.run_of(step), batch, models)


def test_plans_that_do_not_fit_are_refused() -> None:
    default = list(parse("", "default").stages)
    fine = broken(run_fine)
    with pytest.raises(ContractError, match="two stages write the layer 'broken'"):
        make_plan([(fine, NoConfig()), (broken(run_fine, name="other.test.v1"), NoConfig())])
    with pytest.raises(ContractError, match=r"'extract.blocks', which no stage before it adds; extract\.learned\.v1"):
        make_plan([(broken(run_fine, needs=("extract.blocks",)), NoConfig())])
    with pytest.raises(ContractError, match=r"needs 'payloed'.*did you mean 'payload'"):
        make_plan([(broken(run_fine, needs=("payloed",)), NoConfig())])
    with pytest.raises(ContractError, match=r"which archive\.url is called already"):
        make_plan([(broken(run_fine, adds=(Column("url", "broken", pa.string(), "an address"),)), NoConfig())])
    with pytest.raises(ContractError, match=r"adds elsewhere\.x but writes the layer 'broken'"):
        make_plan([(broken(run_fine, adds=(Column("x", "elsewhere", pa.string(), "a thing"),)), NoConfig())])
    with pytest.raises(ContractError, match=r"needs the model 'quality\.profile'"):
        make_plan([(broken(run_fine, models=("quality.profile",)), NoConfig())])
    assert make_plan([*default[:2], (fine, NoConfig()), *default[2:]]).layers.count("broken") == 1


@dataclasses.dataclass
class Loose:
    """Not frozen."""

    words: int = 3
    """A number."""


@dataclasses.dataclass(frozen=True)
class Silent:
    """Without a word about its setting."""

    words: int = 3


@dataclasses.dataclass(frozen=True)
class Odd:
    """With a type that no recipe can write."""

    words: frozenset[str] = frozenset()
    """A set."""


@pytest.mark.parametrize("config", [Loose, Silent, Odd])
def test_bad_configs_are_caught(config: type) -> None:
    with pytest.raises(AssertionError):
        checks.check_config(broken(run_fine, config=config))


def test_bad_declarations_are_caught() -> None:
    for stage in (
        broken(run_fine, doc="Made of nothing."),
        broken(lambda batch, config: {}),
        broken(run_fine, adds=(Column("broken_count", "broken", pa.int32(), ""),)),
        broken(run_fine, name="broken"),
    ):
        with pytest.raises((AssertionError, AttributeError, TypeError)):
            checks.check_declaration(stage)


def test_impure_stages_are_caught() -> None:
    def clockwork(batch: Batch, config: object) -> dict[str, Any]:
        return {"broken_count": [next(counter) for _ in range(len(batch))]}

    def neighbours(batch: Batch, config: object) -> dict[str, Any]:
        return {"broken_count": [len(batch)] * len(batch)}

    def vandal(batch: Batch, config: object) -> dict[str, Any]:
        payloads: Any = batch["payload"]
        payloads[0] = b"gone"
        return {"broken_count": [0] * len(batch)}

    with pytest.raises(AssertionError):
        checks.check_repeats(*tried(broken(clockwork)))
    with pytest.raises(AssertionError):
        checks.check_rows_are_independent(*tried(broken(neighbours)))
    with pytest.raises(AssertionError):
        checks.check_leaves_input_alone(*tried(broken(vandal)))


def test_the_sample_is_worth_testing_with() -> None:
    batch, models = checks.sample("select.v1")
    reasons = checks.values_of(checks.result(checks.step_of("select.v1"), batch, models))["reason"]
    assert reasons.count(None) >= 10
    assert {"duplicate", "other-language", "not-a-page", "no-text"} <= set(reasons)
