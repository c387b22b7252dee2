"""The most memory that this process held since it was last asked: what one stage or task took at its highest."""

from __future__ import annotations

import resource
import sys
from contextlib import suppress

_RESET = b"5"
"""Linux: start to look for the highest mark anew (proc_pid_clear_refs)."""


def forget_peak() -> None:
    """Look for the peak from here on. Where the system has no such switch, the peak is that of the whole process."""
    with suppress(OSError), open("/proc/self/clear_refs", "wb", buffering=0) as file:
        file.write(_RESET)


def peak_bytes() -> int:
    """Highest resident memory since :func:`forget_peak`."""
    with suppress(OSError, ValueError, IndexError), open("/proc/self/status", "rb") as file:
        for line in file:
            if line.startswith(b"VmHWM:"):
                return int(line.split()[1]) << 10
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most << 10
