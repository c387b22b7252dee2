"""Our own annotator with the interface of the adapters, so that a recipe can list it beside others; ``paberki:FILE`` names a model."""

from __future__ import annotations

from pathlib import Path

from paberki.annotation.files.model_catalogue import annotator
from paberki.annotation.pipeline import Annotator


def open_tool(lang: str, detail: str) -> Annotator:
    """The annotator."""
    return annotator(lang, (Path(detail),) if detail else ())
