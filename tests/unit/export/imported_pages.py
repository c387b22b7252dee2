"""Pages with tokens for tests of round trips: what a file says, whatever its format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from paberki.archive.adding.annotated import read_pages, reader_name
from paberki.archive.annotated_page import ImportedPage

LAYERS = ("lemma", "upos", "xpos", "feats", "deprel", "ner")


def read(path: Path) -> tuple[list[ImportedPage], list[str]]:
    """The pages of a file, and what could not be read."""
    errors: list[str] = []
    module = reader_name(path, path.read_bytes()[:4096])
    assert module is not None
    return list(read_pages(path, module, lambda where, why: errors.append(f"{where}: {why}"))), errors


def forms(page: ImportedPage) -> list[list[str]]:
    """The words of each sentence."""
    words, at = [], 0
    for block, length in page.sentences:
        text = page.blocks[block].text
        words.append([text[page.starts[one] : page.ends[one]] for one in range(at, at + length)])
        at += length
    return words


def content(page: ImportedPage, layers: tuple[str, ...] = LAYERS) -> dict[str, Any]:
    """What must survive a round trip."""
    count = len(page.starts)
    return {
        "id": page.id,
        "sentences": forms(page),
        "paragraphs": [block for block, _ in page.sentences],
        "texts": [block.text for block in page.blocks],
        "heads": page.heads or [-1] * count,
        **{name: page.layers.get(name) or ["_"] * count for name in layers},
    }
