"""Where the time of a build goes: stacks sampled in every process, as one file for https://www.speedscope.app.

A thread looks at the stack of the main thread a hundred times a second; compiled kernels count for the function that
calls them. Each process writes what it saw after every task, so that a killed one loses little.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final

from paberki.store.files import write_text
from paberki.store.scratch import scratch_folder

PLACE: Final = "PABERKI_PROFILE"
"""Variable of the environment: the folder where processes leave their samples."""
_EVERY: Final = 0.01
_SCHEMA: Final = "https://www.speedscope.app/file-format-schema.json"

Stack = tuple[tuple[str, str, int], ...]
"""Function, file and line of every frame, the outermost first."""


class Sampler:
    """Samples the main thread of this process until it ends."""

    def __init__(self, folder: Path) -> None:
        self.samples: Counter[Stack] = Counter()
        self.file = folder / f"{os.getpid()}.json"
        self._main = threading.main_thread().ident or 0
        threading.Thread(target=self._run, name="profile", daemon=True).start()

    def _run(self) -> None:
        last_cpu = time.process_time()
        while True:
            time.sleep(_EVERY)
            frame, now = sys._current_frames().get(self._main), time.process_time()
            if frame is not None and now - last_cpu > _EVERY / 4:  # a process that waits is not asked
                self.samples[_stack(frame)] += 1
            last_cpu = now

    def write(self) -> None:
        """Leave the samples so far."""
        rows = [{"stack": stack, "count": count} for stack, count in self.samples.copy().items()]
        write_text(self.file, json.dumps(rows))


def sampler_of_child() -> Sampler | None:
    """A sampler, if the build that started this process is profiled."""
    folder = os.environ.get(PLACE)
    return Sampler(Path(folder)) if folder else None


@contextmanager
def record_profile(out: Path | None) -> Iterator[None]:
    """Sample this process and its children inside, and write the profile at the end, also after an error."""
    if out is None:
        yield
        return
    with scratch_folder() as folder:
        os.environ[PLACE] = str(folder)
        own = Sampler(folder)
        try:
            yield
        finally:
            del os.environ[PLACE]
            own.write()
            write_text(out, json.dumps(_speedscope(folder, own.file)))


def _stack(frame: FrameType | None) -> Stack:
    frames = []
    while frame is not None:
        code = frame.f_code
        frames.append((code.co_qualname, code.co_filename, code.co_firstlineno))
        frame = frame.f_back
    return tuple(reversed(frames))


def _speedscope(folder: Path, own: Path) -> dict[str, Any]:
    """One profile for each process, with a table of frames that all share."""
    frames: dict[tuple[str, str, int], int] = {}
    profiles = []
    for file in sorted(folder.glob("*.json"), key=lambda file: (file != own, file.name)):
        rows = json.loads(file.read_text("utf-8"))
        stacks = [[frames.setdefault(tuple(one), len(frames)) for one in row["stack"]] for row in rows]
        weights = [round(row["count"] * _EVERY, 3) for row in rows]
        name = "build" if file == own else f"worker {file.stem}"
        total = {
            "type": "sampled",
            "name": name,
            "unit": "seconds",
            "startValue": 0,
            "endValue": round(sum(weights), 3),
        }
        profiles.append(total | {"samples": stacks, "weights": weights})
    frame_rows = [{"name": name, "file": file, "line": line} for name, file, line in frames]
    return {"$schema": _SCHEMA, "exporter": "paberki", "shared": {"frames": frame_rows}, "profiles": profiles}
