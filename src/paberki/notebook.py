"""Progress in a notebook: a bar under the cell that runs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from paberki.amounts import progress_line
from paberki.markup.html import element

if TYPE_CHECKING:
    from paberki.engine.progress import Progress

__all__ = ["notebook_listener"]

_EVERY: Final = 0.25
"""Seconds between two pictures: a notebook keeps up with these, also over a network."""


class _Bar:
    """Draws the same output again and again."""

    def __init__(self, display: Callable[..., Any], html: Callable[[str], Any]) -> None:
        self._display, self._html = display, html
        self._handle: Any = None
        self._stage, self._draw_time = "", 0.0

    def __call__(self, progress: Progress) -> None:
        """Draw, if the stage is new or the picture is old."""
        now = time.monotonic()
        if progress.stage == self._stage and now - self._draw_time < _EVERY and progress.done < progress.total:
            return
        self._stage, self._draw_time = progress.stage, now
        bar = element("progress", value=str(progress.done), max=str(max(progress.total, 1)), style="width:20em")
        picture = self._html(element("div", bar, " ", progress_line(progress)))
        if self._handle is None:
            self._handle = self._display(picture, display_id=True)
        else:
            self._handle.update(picture)


def notebook_listener() -> Callable[[Progress], None] | None:
    """A listener that draws a bar, if this runs in a notebook; None elsewhere, where nothing is drawn unasked."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import HTML, display

    return _Bar(display, HTML)
