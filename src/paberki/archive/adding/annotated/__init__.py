"""Files with tokens and their annotation, read as pages: vertical, CoNLL-U, TEI, Web Standard Format, Parquet."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

from paberki.archive.annotated_page import ImportedPage
from paberki.archive.reading.numbered_lines import OnError

Reader = Callable[[Path, OnError], Iterator[ImportedPage]]
_KINDS: Final = {
    ".vert": "vertical_file",
    ".vertical": "vertical_file",
    ".conllu": "conllu_file",
    ".conll": "conllu_file",
    ".tei": "tei_file",
    ".tei.xml": "tei_file",
    ".wsf": "standard_file",
    ".wsf.xml": "standard_file",
    ".parquet": "parquet_file",
}
_ROOTS: Final = {
    b"TEI": "tei_file",
    b"teiCorpus": "tei_file",
    b"StandardFormat": "standard_file",
    b"PageSet": "standard_file",
}
_ROOT: Final = re.compile(rb"<([A-Za-z][\w.:-]*)[\s/>]")
PACKED: Final = (".gz", ".zst", ".xz")


def reader_name(path: Path, head: bytes) -> str | None:
    """The module that reads a file, by its name; a file ``.xml`` by its root element. None for other files."""
    name = path.name.lower()
    for ending in PACKED:
        name = name.removesuffix(ending)
    module = next((own for ending, own in _KINDS.items() if name.endswith(ending)), None)
    if module is None and name.endswith(".xml") and (root := _ROOT.search(head)):
        return _ROOTS.get(root[1].rpartition(b":")[2])
    return module


def read_pages(path: Path, module: str, on_error: OnError) -> Iterator[ImportedPage]:
    """The pages of a file; what cannot be read is reported with its line and passed over."""
    reader: Reader = import_module(f"paberki.archive.adding.annotated.{module}").pages
    return reader(path, on_error)
