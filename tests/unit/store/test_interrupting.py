"""Endless queries end with a signal, and the program after them."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

SCRIPT = """
import signal, sys
import duckdb
from paberki.store.sql.interrupting import Interruptible

def stop(number, frame):
    raise RuntimeError("stopped")

signal.signal(signal.SIGTERM, stop)
connection = duckdb.connect()
print("go", flush=True)
try:
    Interruptible(connection).run(lambda: connection.execute("select count(*) from range(100000000000) a, range(1000000) b").fetchall())
except RuntimeError as error:
    sys.exit(f"said: {error}")
"""


@pytest.mark.parametrize("wait", [0.05, 0.3])
def test_a_signal_ends_an_endless_query(wait: float) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(wait)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (1, "said: stopped\n")
