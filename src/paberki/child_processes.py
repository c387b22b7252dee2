"""Child processes end with their parent, and do not run the script that started it."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Final

_PR_SET_PDEATHSIG: Final = 1
_MAIN: Final = "__main__"
_swapping: Final = threading.Lock()


def end_with(parent: int) -> None:
    """End with the parent: on Linux the kernel kills us when its thread ends; elsewhere a closed socket tells."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)


@contextmanager
def without_main() -> Iterator[None]:
    """Start processes inside: they import the main module of their parent, and a script without a guard would run again."""
    with _swapping:
        main = sys.modules[_MAIN]
        sys.modules[_MAIN] = ModuleType(_MAIN)
        try:
            yield
        finally:
            sys.modules[_MAIN] = main
