"""What a worker's guard books on a page, and what it does not."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from paberki.engine.task import RecordBudget
from paberki.engine.workers import machine_faults
from paberki.engine.workers.guard import Supervisor
from paberki.engine.workers.machine_faults import not_of_a_page
from paberki.errors import InputError, MachineFault

THIRD_PARTY = Path(__file__).parents[2] / "thirdparty"


@pytest.fixture
def supervisor(monkeypatch: pytest.MonkeyPatch) -> Iterator[Supervisor]:
    monkeypatch.syspath_prepend(str(THIRD_PARTY))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(THIRD_PARTY), os.environ.get("PYTHONPATH", "")]))
    made = Supervisor(RecordBudget(cpu_seconds=0.6))
    yield made
    made.close()


def test_what_is_prepared_once_does_not_count_against_the_first_page(supervisor: Supervisor) -> None:
    from guarded_tasks import FirstPage

    assert supervisor.run(FirstPage(prepares=1.5, works=0.2)) == "done"


def test_the_clock_goes_on_after_preparation(supervisor: Supervisor) -> None:
    from guarded_tasks import FirstPage

    assert supervisor.run(FirstPage(prepares=0.1, works=1.5))[0][0] == "cpu"


def test_a_worker_killed_from_outside_is_tried_again(supervisor: Supervisor, tmp_path: Path) -> None:
    from guarded_tasks import KilledFromOutside

    assert supervisor.run(KilledFromOutside(tmp_path, 2)) == "done"


def test_workers_killed_again_and_again_stop_the_task_and_cost_no_page(supervisor: Supervisor, tmp_path: Path) -> None:
    from guarded_tasks import KilledFromOutside

    with pytest.raises(MachineFault, match="killed from outside while working on a row"):
        supervisor.run(KilledFromOutside(tmp_path, 100))


def _wrapped(error: Exception) -> Exception:
    try:
        try:
            raise error
        except Exception as cause:
            raise InputError("cannot be read") from cause
    except InputError as outer:
        return outer


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.ENOMEM, errno.EMFILE, errno.EIO])
def test_a_full_disk_or_memory_is_not_the_fault_of_a_page(number: int) -> None:
    error = OSError(number, os.strerror(number))
    assert isinstance(not_of_a_page(error), MachineFault)
    assert isinstance(not_of_a_page(_wrapped(error)), MachineFault)


def test_a_library_that_does_not_load_is_not_the_fault_of_a_page() -> None:
    error = not_of_a_page(ImportError("libfoo.so: failed to map segment from shared object"))
    assert isinstance(error, MachineFault)
    assert "failed to map" in str(error)


@pytest.mark.parametrize("error", [ValueError("x"), OSError(errno.ENOENT, "x"), _wrapped(UnicodeError("x"))])
def test_what_a_page_does_is_booked_on_it(error: Exception) -> None:
    assert not_of_a_page(error) is None


def test_memory_is_the_fault_of_the_machine_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not_of_a_page(MemoryError()) is None, "an absurd request of a page"
    monkeypatch.setattr(machine_faults, "short_of_memory", lambda: True)
    assert isinstance(not_of_a_page(MemoryError()), MachineFault)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_killed_build_leaves_nothing_in_shared_memory(supervisor: Supervisor) -> None:
    """Memory that a worker shares with its guard has no name, so that it ends with them."""
    from guarded_tasks import FirstPage

    assert supervisor.run(FirstPage(prepares=0, works=0)) == "done"
    assert supervisor.child is not None
    mapped = Path(f"/proc/{supervisor.child.process.pid}/maps").read_text()
    assert "/memfd:paberki-heartbeat" in mapped
    assert "/dev/shm" not in mapped
