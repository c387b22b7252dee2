"""Faults of the machine: no memory, no disk, a library that does not load. No page is to blame for them.

A page that fails keeps its error until somebody asks for another try. So an error is booked on a page only where the page
is its cause; for all others the task stops, and the next build tries the page again.
"""

from __future__ import annotations

import errno
import resource
from collections.abc import Iterator
from typing import Final

import psutil

from paberki.errors import ConfigError, ContractError, MachineFault, MissingExtra, StoreError
from paberki.store.files import explain

LITTLE: Final = 256 << 20
"""Bytes of free memory below which any request may fail."""
NO_MEMORY: Final = "no memory left for a worker; free some or use fewer --jobs, then run the same command"
_ERRNOS: Final = frozenset(
    {
        *(errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.ESTALE, errno.ENOMEM),
        *(errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENODEV, errno.ENXIO),
    }
)
"""What the system says when it has no space, no memory, no file handles, or no access to its disks."""


def not_of_a_page(error: Exception) -> Exception | None:
    """What to raise instead of booking an error on a page; None if the page is its cause."""
    if isinstance(error, ContractError | StoreError | ConfigError | MissingExtra | MachineFault):
        return error
    for one in _chain(error):
        if isinstance(one, MemoryError) and short_of_memory():
            return MachineFault(NO_MEMORY)
        if isinstance(one, ImportError):
            return MachineFault(f"a library does not load ({one}); see: paberki doctor")
        if isinstance(one, OSError) and one.errno in _ERRNOS:
            return MachineFault(str(explain(one, "building")))
    return None


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An exception and those that it came from."""
    visited_ids: set[int] = set()
    one: BaseException | None = error
    while one is not None and id(one) not in visited_ids:
        visited_ids.add(id(one))
        yield one
        one = one.__cause__ or one.__context__


def short_of_memory() -> bool:
    """Whether a request for memory may have failed because there is none, and not because it was absurd."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY:
        return bool(limit - psutil.Process().memory_info().vms < LITTLE)
    return bool(psutil.virtual_memory().available < LITTLE)
