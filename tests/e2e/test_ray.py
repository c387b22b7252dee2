"""The Ray engine on a cluster of two nodes on loopback: same bytes, same guard, a lost node costs nothing."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from disturbed import POISON, THIRD_PARTY, errors, poisoned_recipe

from corpora import layer_bytes
from paberki.corpus import Corpus

ray = pytest.importorskip("ray", reason="the extra paberki[ray] is not installed")
pytestmark = [
    pytest.mark.alone,
    pytest.mark.distributed,
    pytest.mark.filterwarnings("ignore"),  # Ray's own, not ours
]
Make = Callable[..., Corpus]
Pages = Callable[..., Path]


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two nodes with one core each; nodes and their workers see the third-party stages of the tests."""
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("PYTHONPATH", str(THIRD_PARTY))
    monkeypatch.setenv("RAY_DISABLE_IMPORT_WARNING", "1")
    here = {"num_cpus": 1, "object_store_memory": 80 << 20}
    started = Cluster(initialize_head=True, head_node_args={**here, "include_dashboard": False})
    started.second = started.add_node(**here)
    yield started
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
    from paberki import stage

    stage._load.cache_clear()
    made = corpus(pages(60, POISON))
    poisoned_recipe(made.directory.recipe)
    try:
        made.build(engine="ray", address=cluster.address)
    finally:
        stage._STAGES.pop("poison.test.v1", None)
        sys.modules.pop("poison_stages", None)
        stage._load.cache_clear()
    assert errors(made.root) == {
        "00010-raise.html": "exception",
        "00020-segfault.html": "crash",
        "00030-hang.html": "cpu",
        "00035-memory.html": "memory",
    }


def test_no_cluster_is_said_in_one_line(corpus: Make, pages: Pages) -> None:
    from paberki.errors import StoreError

    made = corpus(pages(3))
    began = time.monotonic()
    with pytest.raises(StoreError, match="no Ray cluster at 127.0.0.1:1"):
        made.build(engine="ray", address="127.0.0.1:1")
    assert time.monotonic() - began < 60
