"""Our own annotator, and on its trees the valency frames of a user's lexicon: ``valency:frames.tsv``.

Frames stand as ``Frame=`` in the last column, beside the verb. See :mod:`paberki.annotation.parsing.valency_frames`.
"""

from __future__ import annotations

from pathlib import Path

from paberki.annotation.document import Document
from paberki.annotation.files.model_catalogue import annotator
from paberki.annotation.parsing.valency_frames import Frame, frames_of, read_lexicon
from paberki.annotation.pipeline import Annotator
from paberki.errors import ConfigError


class Valency:
    """An annotator that knows frames."""

    def __init__(self, own: Annotator, lexicon: dict[str, list[Frame]]) -> None:
        self.own, self.lexicon = own, lexicon

    def annotate(self, text: str) -> Document:
        """All layers, and frames."""
        document = self.own.split(text)
        self.add_layers(document)
        return document

    def add_layers(self, document: Document) -> None:
        """Add the layers of the annotator and the frames to existing tokens."""
        self.own.add_layers(document)
        document.frame = frames_of(document, self.lexicon)


def open_tool(lang: str, detail: str) -> Valency:
    """The adapter."""
    if not detail:
        raise ConfigError("name the lexicon of frames: --tagger valency:frames.tsv")
    return Valency(annotator(lang), read_lexicon(Path(detail)))
