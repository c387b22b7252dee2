"""Exceptions of a worker as something that can travel to the parent."""

from __future__ import annotations

from paberki.engine.workers.machine_faults import NO_MEMORY
from paberki.errors import MachineFault, PaberkiError
from paberki.store.files import explain


class TaskFailed(Exception):
    """A worker met an error of the program itself, not of a page or the machine; the text is its traceback."""


def portable(error: Exception, trace: str) -> Exception:
    """The error itself when it is for people, a line for disk errors, the traceback for the rest."""
    if isinstance(error, PaberkiError):
        return type(error)(*error.args) if _plain(error) else PaberkiError(str(error))
    if isinstance(error, MemoryError):
        return MachineFault(NO_MEMORY)
    if isinstance(error, OSError) and error.errno is not None:
        return explain(error, "building")
    return TaskFailed(trace)


def _plain(error: PaberkiError) -> bool:
    return len(error.args) == 1 and isinstance(error.args[0], str)
