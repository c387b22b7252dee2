"""Give memory back to the system: a worker that has processed one large page must not stay large."""

from __future__ import annotations

import ctypes
import sys
from functools import cache

from paberki import kernels
from paberki.import_guard import leave_pandas_alone

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
_LARGE, _SPARE = 8 << 20, 32 << 20
"""Smaller pieces are used again: pages that the system has to clear anew took a tenth of the time of a build."""


@cache
def _c_library() -> ctypes.CDLL:
    """Opened once: each handle is a ring of objects that only the garbage collector removes."""
    return ctypes.CDLL(None)


def give_back() -> None:
    """Return what lies between pieces in use, and tables that are mapped: those that are needed come back by themselves."""
    if sys.platform == "linux":
        libc = _c_library()
        if hasattr(libc, "malloc_trim"):
            libc.malloc_trim(0)
        kernels.unmapped(str(kernels.cache_directory()), "r--")


def be_modest() -> None:
    """Use one core and one heap, and take large pieces of memory directly from the system."""
    import pyarrow as pa

    if sys.platform == "linux":
        libc = _c_library()
        if hasattr(libc, "mallopt"):  # not in every C library
            libc.mallopt(_M_ARENA_MAX, 1)
            libc.mallopt(_M_MMAP_THRESHOLD, _LARGE)
            libc.mallopt(_M_TRIM_THRESHOLD, _SPARE)
    leave_pandas_alone()
    pa.set_memory_pool(pa.system_memory_pool())
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
