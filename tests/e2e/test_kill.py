"""kill -9 at any moment, then the same command: the same bytes as if nothing had happened."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from disturbed import run, start

from corpora import layer_bytes
from paberki.corpus import Corpus

pytestmark = pytest.mark.waits

Make = Callable[..., Corpus]
Pages = Callable[..., Path]
KILLS = 10


def test_ten_kills_leave_no_trace(corpus: Make, pages: Pages) -> None:
    source = pages(500)
    calm, disturbed = corpus(source, name="calm"), corpus(source, name="disturbed")
    began = time.monotonic()
    assert run("build", str(calm.root), "--jobs", "2", "--quiet")[0] == 0
    whole = time.monotonic() - began
    moments = random.Random(11)
    for _ in range(KILLS):
        process = start("build", str(disturbed.root), "--jobs", "2", "--quiet")
        time.sleep(moments.uniform(0.1, 0.9) * whole)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    code, _, err = run("build", str(disturbed.root), "--jobs", "2", "--quiet")
    assert code == 0, err
    assert layer_bytes(disturbed) == layer_bytes(calm)
    assert not list(disturbed.root.glob("layers/**/.tmp-*"))
    assert not list(disturbed.root.glob("layers/**/*.parts"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_stop_within_two_seconds(corpus: Make, pages: Pages, number: int) -> None:
    made = corpus(pages(700))
    process = start("build", str(made.root), "--jobs", "2")
    time.sleep(1.5)
    children = psutil.Process(process.pid).children(recursive=True)
    began = time.monotonic()
    os.kill(process.pid, number)
    _, err = process.communicate(timeout=10)
    assert time.monotonic() - began < 2
    assert process.returncode == 130
    assert b"same command" in err
    assert err.count(b"\n") == 1
    assert not [child for child in children if child.is_running() and child.status() != psutil.STATUS_ZOMBIE]
    assert run("build", str(made.root), "--quiet")[0] == 0


def test_workers_die_with_a_killed_parent(corpus: Make, pages: Pages) -> None:
    made = corpus(pages(800))
    process = start("build", str(made.root), "--jobs", "2")
    time.sleep(1.2)
    children = psutil.Process(process.pid).children(recursive=True)
    os.kill(process.pid, signal.SIGKILL)  # the parent alone
    process.communicate()
    _, alive = psutil.wait_procs(children, timeout=3)
    assert not alive
