"""Tokens for training: the numbers that a tokenizer gives the text of each page, as little-endian uint16 or uint32.

Beside each file stands an index, a Parquet table with a row for each page: its id, where its tokens begin, how many they are
and its weight, which is the number of its copies; and a JSON file with the type of the numbers and the tokenizer's digest.
Pages end with the tokenizer's end-of-text token, where it has one.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from paberki.errors import ConfigError, InputError, MissingExtra
from paberki.export.export_format import ExportedFile, ExportHead, ExportPiece, Form
from paberki.store.reading import TEXT

_ENDS: Final = ("<|endoftext|>", "<|end_of_text|>", "</s>", "<eos>", "<|eos|>", "[SEP]", "[EOS]")
_INDEX: Final = pa.schema(
    [("id", pa.string()), ("offset", pa.int64()), ("tokens", pa.int64()), ("weight", pa.float32())]
)
_SMALL: Final = 1 << 16


@lru_cache(maxsize=2)
def open_tokenizer(path: str) -> Any:
    """The tokenizer of a file ``tokenizer.json``."""
    if not path:
        raise ConfigError("tokens: name the tokenizer: --tokenizer tokenizer.json")
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise MissingExtra("tokenizers", "tokens") from None
    if not Path(path).is_file():
        raise InputError(f"{path}: no such file; a tokenizer.json is needed")
    try:
        return Tokenizer.from_file(path)
    except Exception as error:
        raise InputError(f"{path}: is no tokenizer: {str(error).splitlines()[0]}") from error


def number_type(tokenizer: Any) -> Any:
    """The smallest type that holds all numbers."""
    return np.dtype("<u2") if tokenizer.get_vocab_size() <= _SMALL else np.dtype("<u4")


def _end(tokenizer: Any) -> list[int]:
    numbers = [tokenizer.token_to_id(one) for one in _ENDS]
    return next(([number] for number in numbers if number is not None), [])


def render(pages: pa.Table, about: ExportHead) -> ExportPiece:
    """The numbers of some pages; the side has the rows of the index without offsets."""
    tokenizer = open_tokenizer(about.extra)
    end, kind = _end(tokenizer), number_type(tokenizer)
    texts = [text or "" for text in pages.column(TEXT).to_pylist()]
    numbers = [np.array([*one.ids, *end], kind) for one in tokenizer.encode_batch(texts, add_special_tokens=False)]
    weights = pages.column("dup_size").to_pylist() if "dup_size" in pages.column_names else [1] * len(texts)
    rows = [
        {"id": name, "tokens": len(own), "weight": float(weight or 1)}
        for name, own, weight in zip(pages.column("id").to_pylist(), numbers, weights, strict=True)
    ]
    counts = Counter(pages=len(texts), tokens=sum(map(len, numbers)))
    side = "".join(json.dumps(row) + "\n" for row in rows).encode()
    return ExportPiece(b"".join(one.tobytes() for one in numbers), counts, side=side)


def index(about: ExportHead, part: ExportedFile) -> Mapping[str, bytes]:
    """The index of a file, and what its numbers are."""
    out, offset = io.BytesIO(), 0
    with pq.ParquetWriter(out, _INDEX, compression="zstd") as writer:
        for side in part.sides:
            rows = [json.loads(line) for line in side.splitlines()]
            for row in rows:
                row["offset"], offset = offset, offset + row["tokens"]
            if rows:
                writer.write_table(pa.Table.from_pylist(rows, _INDEX))
    tokenizer = open_tokenizer(about.extra)
    facts = {
        "dtype": "uint16" if number_type(tokenizer).itemsize == 2 else "uint32",
        "byteorder": "little",
        "pages": part.counts["pages"],
        "tokens": part.counts["tokens"],
        "vocabulary": tokenizer.get_vocab_size(),
        "end_of_text": next(iter(_end(tokenizer)), None),
        "tokenizer_sha256": hashlib.sha256(Path(about.extra).read_bytes()).hexdigest(),
    }
    return {".index.parquet": out.getvalue(), ".json": (json.dumps(facts, indent=1) + "\n").encode()}


FORM = Form(render, ("id", "dup_size", TEXT), ".bin", index=index, compressed=True, attributes=False)
