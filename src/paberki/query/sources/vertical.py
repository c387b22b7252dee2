"""Vertical files: a token per line, its attributes between tabs, structures as tags on lines of their own.

``<g/>`` means that no space stands before the next token. The column ``head`` counts from 1 in the sentence and becomes a
distance. A line that is neither token nor tag is left out and counted; columns that a line lacks are empty.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from paberki.errors import ConfigError, InputError
from paberki.kernels import load
from paberki.query.index.writing.building import IndexBuilder, check_place, making, manifest_before, put_in_force, sweep
from paberki.query.index.writing.segment_writer import Schema
from paberki.query.sources.input_blocks import LineBlocks
from paberki.query.sources.tag_regions import KERNEL, SegmentRegions
from paberki.query.statistics.prepared import prepare_lists

HEAD: Final = "head"
ALIASES: Final = {"tag": "xpos", "pos": "upos"}
_TOKENS: Final = 1 << 17
_TAGS: Final = 1 << 16
_FAULTS: Final = 100
_NUL: Final = b"\0"


class VerticalSource(Protocol):
    """Blocks of whole lines of vertical text."""

    def check(self) -> None:
        """Say at once what cannot work."""

    @property
    def share(self) -> float | None:
        """How much of it is read."""

    def __iter__(self) -> Iterator[bytes]: ...


@dataclass(slots=True)
class Account:
    """What became of the lines of a source."""

    tokens: int = 0
    lines: int = 0
    broken_count: int = 0
    broken_lines: list[int] = field(default_factory=list)
    """Numbers of the first of them."""
    short: int = 0
    """Lines with fewer columns than attributes."""
    unmatched: int = 0
    """End tags without a start tag."""
    unclosed: int = 0
    """Start tags without an end tag."""
    bytes: int = 0
    """Bytes of input so far, unpacked."""
    share: float | None = None
    """How much of the source is done, where that can be told."""


def schema_of(attributes: Sequence[str], *, lang: str | None = None, escaped: bool = True) -> Schema:
    """The schema of columns with these names; a star marks sets."""
    names = [name.strip() for name in attributes]
    plain = [name.rstrip("*") for name in names]
    for name in plain:
        if not name.replace("_", "").replace("-", "").isalnum():
            raise ConfigError(f"--attributes: {name!r} is no name of an attribute; write e.g. word,lemma,tag,feats*")
    if len(set(plain)) < len(plain):
        raise ConfigError(f"--attributes: a name stands twice in {','.join(names)}")
    if plain[0] == HEAD:
        raise ConfigError("--attributes: the first column is the word form, not the head")
    multi = frozenset(name.rstrip("*") for name in names if name.endswith("*"))
    own = tuple(name for name in plain if name != HEAD)
    return Schema(attributes=own, multi=multi, lang=lang, escaped=escaped, escaped_tags=True)


def aliases_of(attributes: Sequence[str]) -> dict[str, str]:
    """Short names for attributes that are there under long ones."""
    return {alias: name for alias, name in ALIASES.items() if name in attributes and alias not in attributes}


class VerticalReader:
    """Takes blocks of lines and puts tokens and regions into the segments of a builder."""

    def __init__(self, builder: IndexBuilder, columns: Sequence[str], account: Account) -> None:
        self._builder, self._columns, self.account = builder, columns, account
        self._kernels = load(KERNEL)
        self._starts = np.empty((len(columns), _TOKENS), np.int32)
        self._ends = np.empty((len(columns), _TOKENS), np.int32)
        self._glue = np.empty(_TOKENS, np.uint8)
        self._tags = np.empty((_TAGS, 3), np.int32)
        self._faults = np.zeros(_FAULTS, np.int64)
        self._state = np.zeros(self._kernels.STATES, np.int64)
        self._regions: SegmentRegions | None = None

    def read(self, block: bytes) -> None:
        """Add the lines of a block, which ends with a line feed."""
        data = np.frombuffer(self._mend(block), np.uint8)
        while len(data):
            room = self._builder.segment_tokens - self._builder.writer.tokens
            glue = self._glue[:room] if 0 < room < _TOKENS else self._glue
            at = self._kernels.split_lines(
                data, self._builder.full, self._starts, self._ends, glue, self._tags, self._faults, self._state
            )
            self._take(data)
            data = data[at:]
            if self._builder.full and (self._state[self._kernels.DEPTH] <= 0 or self._builder.overfull):
                self.cut()
        self.account.bytes += len(block)
        self._update()

    def _update(self) -> None:
        state, kernels, account = self._state, self._kernels, self.account
        account.lines = int(state[kernels.LINES])
        account.broken_count, account.short = int(state[kernels.FAULTS]), int(state[kernels.SHORT])
        account.broken_lines = sorted(self._faults[: account.broken_count].tolist())

    def _take(self, data: npt.NDArray[np.uint8]) -> None:
        writer = self._builder.writer
        if self._regions is None:
            self._regions = SegmentRegions(writer)
        tags = self._tags[: self._state[self._kernels.TAGS]]
        if len(tags):
            self._regions.add(data, tags, writer.tokens)
        count = int(self._state[self._kernels.TOKENS])
        if not count:
            return
        values, head = {}, None
        for column, name in enumerate(self._columns):
            starts, ends = self._starts[column, :count], self._ends[column, :count]
            if name == HEAD:
                head = np.empty(count, np.int32)
                self._kernels.numbers(data, starts, ends, head)
            else:
                values[name] = writer.interner.spans(data, starts, ends, name)
        writer.add(values, head=head, glue=self._glue[:count].view(np.bool_))
        self.account.tokens += count

    def cut(self) -> None:
        """End the segment."""
        if self._regions is not None:
            self.account.unclosed += self._regions.finish()
            self.account.unmatched += self._regions.unmatched
            self._regions = None
        self._builder.cut()

    def _mend(self, block: bytes) -> bytes:
        """The block without lines that are not UTF-8 or hold a zero byte, which are counted."""
        try:
            block.decode("utf-8")
            if _NUL not in block:
                return block
        except UnicodeDecodeError:
            pass
        lines = block.split(b"\n")[:-1]
        before, fine = int(self._state[self._kernels.LINES]), []
        for number, line in enumerate(lines, before + 1):
            if _is_text(line):
                fine.append(line)
                continue
            fine.append(b"")  # an empty line stands for it, so that later ones keep their numbers
            fault = int(self._state[self._kernels.FAULTS])
            if fault < _FAULTS:
                self._faults[fault] = number
            self._state[self._kernels.FAULTS] += 1
        return b"\n".join(fine) + b"\n"


def _is_text(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return _NUL not in line


def read_vertical(
    builder: IndexBuilder,
    columns: Sequence[str],
    pieces: Iterable[bytes],
    listen: Callable[[Account], None] | None = None,
) -> Account:
    """Put vertical text into segments; ``listen`` hears how far it is."""
    account = Account()
    reader = VerticalReader(builder, columns, account)
    try:
        for block in pieces:
            reader.read(block)
            account.share = getattr(pieces, "share", None)
            if listen:
                listen(account)
        reader.cut()
    except BaseException:
        builder.abandon()
        raise
    return account


def index_vertical(
    path: Path,
    out: Path,
    attributes: Sequence[str],
    *,
    lang: str | None = None,
    name: str | None = None,
    listen: Callable[[Account], None] | None = None,
    segment_tokens: int | None = None,
    separators: Mapping[str, str] | None = None,
) -> Account:
    """Make an index of a vertical file; a star marks an attribute whose values are sets.

    ``separators`` say what stands between the values of a set, where it is not ``|``.
    """
    schema = dataclasses.replace(schema_of(attributes, lang=lang), separators=dict(separators or {}))
    columns = [column.strip().rstrip("*") for column in attributes]
    return index_text(LineBlocks(path), out, columns, schema, "vertical", name or out.name, listen, segment_tokens)


def index_text(
    pieces: VerticalSource,
    out: Path,
    columns: Sequence[str],
    schema: Schema,
    source: str,
    name: str,
    listen: Callable[[Account], None] | None,
    segment_tokens: int | None = None,
) -> Account:
    """Make an index of vertical text; an old one stays in force until the new one is whole."""
    pieces.check()
    check_place(out)
    with making(out):
        old = manifest_before(out)
        sweep(out, old)
        builder = IndexBuilder(out, schema)
        builder.segment_tokens = segment_tokens or builder.segment_tokens
        try:
            account = read_vertical(builder, columns, pieces, listen)
            if not builder.segments:
                form = "CoNLL-U" if source == "conllu" else "vertical text"
                raise InputError(f"{name}: no tokens; is it {form}, a token per line?")
        except BaseException:
            sweep(out, old)
            raise
        put_in_force(out, builder.manifest(source, name, aliases_of(schema.attributes)))
    prepare_lists(out)
    return account
