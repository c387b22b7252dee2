"""The Ray engine on a cluster of two nodes on loopback: same bytes, same guard, a lost node costs nothing."""

from __future__ import annotations

import json
import os
import random
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from disturbed import POISON, THIRD_PARTY, errors, poisoned_recipe

import paberki
from corpora import layer_bytes
from paberki.corpus import Corpus
from paberki.errors import ContractError

ray = pytest.importorskip("ray", reason="the extra paberki[ray] is not installed")
pytestmark = [
    pytest.mark.waits,
    pytest.mark.distributed,
    pytest.mark.filterwarnings("ignore"),  # Ray's own, not ours
]
_ALL_DEDUP = [
    *("captures.v1", "decode.model.v1", "extract.learned.v1", "identify.general.v1", "dedup.signatures.v1"),
    *("dedup.exact.v1", "dedup.near.v1", "dedup.documents.v1", "dedup.passages.v1", "select.v1", "dedup.paragraphs.v1"),
]
Make = Callable[..., Corpus]
Pages = Callable[..., Path]


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two nodes with one core each; nodes and their workers see the third-party stages of the tests."""
    from ray.cluster_utils import Cluster

    search = os.pathsep.join(part for part in (str(THIRD_PARTY), os.environ.get("PYTHONPATH", "")) if part)
    monkeypatch.setenv("PYTHONPATH", search)
    monkeypatch.setenv("RAY_DISABLE_IMPORT_WARNING", "1")
    here = {"num_cpus": 1, "object_store_memory": 80 << 20}
    started = Cluster(initialize_head=True, head_node_args={**here, "include_dashboard": False})
    started.second = started.add_node(**here)
    yield started
    ray.shutdown()
    started.shutdown()


@contextmanager
def one_node(monkeypatch: pytest.MonkeyPatch, **environment: str) -> Iterator[str]:
    """The address of a cluster of one node that has an environment of its own."""
    from ray.cluster_utils import Cluster

    with monkeypatch.context() as patch:
        patch.delenv("NUMBA_CACHE_DIR", raising=False)
        for name, value in environment.items():
            patch.setenv(name, value)
        started = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    yield started.address
    ray.shutdown()
    started.shutdown()


def test_two_nodes_give_the_same_bytes_though_one_is_killed(cluster: Any, corpus: Make, pages: Pages) -> None:
    source = pages(2600)
    local, spread = corpus(source, name="local"), corpus(source, name="spread")
    local.build(jobs=2)
    killed = threading.Event()

    def kill_when_busy(progress: Any) -> None:
        if progress.stage.startswith("decode") and progress.done >= 500 and not killed.is_set():
            killed.set()
            cluster.remove_node(cluster.second, allow_graceful=False)

    spread.build(engine="ray", address=cluster.address, listen=kill_when_busy)
    assert killed.is_set()
    assert layer_bytes(spread) == layer_bytes(local)


def test_poison_costs_exactly_the_poisonous_pages_on_ray(
    cluster: Any, corpus: Make, pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.syspath_prepend(str(THIRD_PARTY))
    from paberki.stage import registry

    registry._load.cache_clear()
    made = corpus(pages(60, POISON))
    poisoned_recipe(made.directory.recipe)
    try:
        made.build(engine="ray", address=cluster.address)
    finally:
        registry._STAGES.pop("poison.test.v1", None)
        sys.modules.pop("poison_stages", None)
        registry._load.cache_clear()
    assert errors(made.root) == {
        "00010-raise.html": "exception",
        "00020-segfault.html": "crash",
        "00030-hang.html": "cpu",
        "00035-memory.html": "memory",
    }


def test_a_fresh_node_compiles_before_its_first_page(
    corpus: Make, pages: Pages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node without any compiled kernel, and a corpus that is named by a relative path."""
    source = pages(8)
    limits = "[build]\nrecord_cpu_seconds = 2.0\n"
    local, spread = corpus(source, name="local", recipe=limits), corpus(source, name="spread", recipe=limits)
    local.build(jobs=1, until="decode")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    with one_node(monkeypatch, XDG_CACHE_HOME=str(tmp_path / "empty")) as address:
        result = Corpus("spread").build(engine="ray", address=address, until="decode")
    assert list((tmp_path / "empty").rglob("*.kernels"))
    assert result.errors == 0
    assert layer_bytes(spread) == layer_bytes(local)


def test_a_node_of_another_commit_is_refused(
    corpus: Make, pages: Pages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(Path(paberki.__file__).parent, tmp_path / "other" / "paberki")
    with (tmp_path / "other" / "paberki" / "errors.py").open("a") as file:
        file.write("# another commit\n")
    made = corpus(pages(3))
    with (
        one_node(monkeypatch, PYTHONPATH=str(tmp_path / "other")) as address,
        pytest.raises(ContractError, match=r"would not make the same bytes: paberki is \w+ there and \w+ here"),
    ):
        made.build(engine="ray", address=address, until="captures")


def test_no_cluster_is_said_in_one_line(corpus: Make, pages: Pages) -> None:
    from paberki.errors import StoreError

    made = corpus(pages(3))
    began = time.monotonic()
    with pytest.raises(StoreError, match="no Ray cluster at 127.0.0.1:1"):
        made.build(engine="ray", address="127.0.0.1:1")
    assert time.monotonic() - began < 60


def test_duplicates_are_found_alike_on_ray(tmp_path: Path) -> None:
    """All stages of dedup, another corpus among them: checks, links and pages from outside run as tasks anywhere."""
    some = random.Random(5)
    words = [f"riječ{number}" for number in range(500)]
    texts = [" ".join(some.choices(words, k=150)) for _ in range(20)]
    texts += [text.replace("riječ1 ", "riječ2 ") for text in texts]
    other = _corpus_of(tmp_path / "other", _rows(tmp_path / "few.jsonl", texts[:3]))
    other.build(jobs=1)
    recipe = f'stages = {json.dumps(_ALL_DEDUP)}\ndedup = {{ against = ["{other.root}"] }}\n'
    source = _rows(tmp_path / "all.jsonl", texts)
    local, spread = (_corpus_of(tmp_path / name, source, recipe) for name in ("local", "spread"))
    local.build(jobs=1)
    ray.init(num_cpus=1, include_dashboard=False, object_store_memory=80 << 20)
    try:
        spread.build(engine="ray")
    finally:
        ray.shutdown()
    assert layer_bytes(spread) == layer_bytes(local)
    told = spread.sql("select count(dup_cluster), count(dup_elsewhere), count(passages) from pages")[1]
    assert told[0][0] > 20
    assert told[0][1] == 6
    assert told[0][2] > 0


def _corpus_of(root: Path, source: Path, recipe: str = "") -> Corpus:
    corpus = paberki.new(root, lang="hr", preset="modern")
    off = '[[select.pages]]\nreason = "not-connected"\ndrop = ""\n'
    off += '[[select.pages]]\nreason = "other-language"\ndrop = ""\n'
    text = corpus.directory.recipe.read_text("utf-8").replace("\n[crawl]", f"\n{off}\n[crawl]", 1)
    corpus.directory.recipe.write_text(recipe + text, "utf-8")
    corpus.add([source])
    return corpus


def _rows(path: Path, texts: list[str]) -> Path:
    rows = [{"url": f"http://a.hr/{at}", "text": text, "date": "2020-01-01T00:00:00Z"} for at, text in enumerate(texts)]
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path
