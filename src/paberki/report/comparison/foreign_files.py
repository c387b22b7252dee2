"""Corpora that others made, for the time of a comparison: vertical, CoNLL-U, JSONL, Parquet or text, packed or not.

A foreign file gets a temporary index; no corpus is built from it. Lines that cannot be read are counted, with their numbers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from paberki.errors import InputError
from paberki.query.concordancer import OpenIndex
from paberki.query.sources.conllu_source import index_conllu
from paberki.query.sources.input_blocks import LineBlocks
from paberki.query.sources.vertical import Account, index_text, schema_of
from paberki.report.comparison.checked_lines import CheckedVertical
from paberki.report.comparison.text_tokens import ForeignTexts, TokenBlocks
from paberki.report.words.word_source import WordSource

FORMATS: Final = ("vert", "conllu", "jsonl", "parquet", "text")
COLUMNS: Final = ("word", "lemma", "tag")
_PACKED: Final = (".gz", ".xz", ".bz2", ".zst")
_SUFFIXES: Final = {
    ".vert": "vert", ".vrt": "vert", ".vertical": "vert", ".conllu": "conllu", ".conll": "conllu", ".jsonl": "jsonl",
    ".ndjson": "jsonl", ".json": "jsonl", ".parquet": "parquet", ".txt": "text", ".text": "text",
}  # fmt: skip
_TEXT_FIELDS: Final = ("text", "content", "raw_content", "body")
_BEGIN: Final = 1 << 16
Listener = Callable[[Account], None]


def format_of(path: Path) -> str:
    """The format of a file, by its name and else by how it begins."""
    name = path.name.lower()
    for suffix in _PACKED:
        name = name.removesuffix(suffix)
    suffix_format = _SUFFIXES.get(Path(name).suffix)
    return suffix_format or _format_inside(path)


def _format_inside(path: Path) -> str:
    begin = next(iter(LineBlocks(path)), b"")[:_BEGIN]
    if begin[:4] == b"PAR1":
        return "parquet"
    if begin.count(0):
        raise InputError(f"{path}: is not text; give a vertical, CoNLL-U, JSONL, Parquet or text file, or a corpus")
    lines = [line for line in begin.split(b"\n") if line.strip()]
    if lines and lines[0].lstrip()[:1] == b"{":
        return "jsonl"
    if any(line.startswith(b"# ") for line in lines[:5]) or sum(line.count(b"\t") == 9 for line in lines[:20]) > 10:
        return "conllu"
    has_tags = any(line.startswith((b"<doc", b"<text", b"<s>", b"<p>")) for line in lines[:20])
    return "vert" if has_tags or sum(b"\t" in line for line in lines[:50]) > 25 else "text"


def open_foreign(
    path: Path,
    name: str,
    scratch: Path,
    *,
    columns: Sequence[str] = COLUMNS,
    lang: str | None = None,
    form: str | None = None,
    listen: Listener | None = None,
) -> WordSource:
    """The tokens of a file."""
    form = form or format_of(path)
    if form == "conllu":
        account = index_conllu(path, scratch, lang=lang, name=name, listen=listen)
    elif form == "vert":
        account = _index_vertical(path, name, scratch, columns, lang, listen)
    else:
        account = _index_documents(_documents(path, form), name, scratch, lang, listen)
    index = OpenIndex(scratch)
    return WordSource(name, index._scope(), account.broken_count, account.broken_lines, lang, form)


def _index_vertical(
    path: Path, name: str, scratch: Path, columns: Sequence[str], lang: str | None, listen: Listener | None
) -> Account:
    blocks = CheckedVertical(LineBlocks(path))
    schema = schema_of(columns, lang=lang)
    plain = [column.strip().rstrip("*") for column in columns]
    account = index_text(blocks, scratch, plain, schema, "vertical", name, listen)
    account.broken_count += blocks.broken_count
    account.broken_lines = sorted([*account.broken_lines, *blocks.broken_lines])[: len(account.broken_lines) + 100]
    return account


def _index_documents(
    documents: ForeignTexts, name: str, scratch: Path, lang: str | None, listen: Listener | None
) -> Account:
    blocks = TokenBlocks(documents, lang)
    try:
        account = index_text(blocks, scratch, ["word"], schema_of(["word"], lang=lang), "vertical", name, listen)
    except InputError as error:
        if not documents.broken_count:
            raise
        first = documents.broken_lines[0]
        raise InputError(
            f"{documents.path}: has no text in any line (fields {', '.join(_TEXT_FIELDS)}); line {first} is the first that "
            "cannot be read"
        ) from error
    account.broken_count += documents.broken_count
    account.broken_lines = documents.broken_lines
    return account


def _documents(path: Path, form: str) -> ForeignTexts:
    if form == "parquet":
        return ForeignTexts(path, lambda documents: _parquet_texts(path, documents))
    reader = _json_texts if form == "jsonl" else _plain_texts
    return ForeignTexts(path, lambda documents: reader(path, documents))


def _parquet_texts(path: Path, documents: ForeignTexts) -> Iterator[str]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(path)
        field = next((one for one in _TEXT_FIELDS if one in file.schema_arrow.names), None)
        if field is None:
            raise InputError(f"{path}: has none of the columns {', '.join(_TEXT_FIELDS)}")
        row = 0
        for batch in file.iter_batches(batch_size=1_000, columns=[field]):
            for text in batch.column(0).to_pylist():
                row += 1
                if isinstance(text, str):
                    yield text
                else:
                    documents.fault(row)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path}: cannot be read as Parquet ({error})") from error


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    number = 0
    for block in LineBlocks(path):
        for line in block.split(b"\n")[:-1]:
            number += 1
            yield number, line


def _json_texts(path: Path, documents: ForeignTexts) -> Iterator[str]:
    for number, line in _lines(path):
        if not line.strip():
            continue
        try:
            row: Any = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        text = (
            next((row[key] for key in _TEXT_FIELDS if isinstance(row.get(key), str)), None)
            if isinstance(row, dict)
            else None
        )
        if text is None:
            documents.fault(number)
        else:
            yield text


def _plain_texts(path: Path, documents: ForeignTexts) -> Iterator[str]:
    """A document ends with a blank line; lines that are not UTF-8 are left out."""
    some: list[str] = []
    for number, line in _lines(path):
        try:
            text = line.decode("utf-8").strip()
        except UnicodeDecodeError:
            documents.fault(number)
            continue
        if text:
            some.append(text)
        elif some:
            yield "\n".join(some)
            some = []
        if sum(map(len, some)) > 100_000:  # a file without blank lines
            yield "\n".join(some)
            some = []
    if some:
        yield "\n".join(some)
