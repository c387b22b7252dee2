"""Segmentation at full speed: the arrays that the kernel fills.

A :class:`Harvest` takes the pages of a batch one after the other; the kernel appends to its arrays. Texts stay bytes in
one buffer, which becomes the Arrow column as it is: no Python object is made per block. For callers that want objects,
:mod:`paberki.extraction.compiled.page_objects` makes them of one page.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.decoding.encoding_labels import SINGLE_BYTE
from paberki.extraction.compiled import kernel_layout
from paberki.extraction.compiled.tag_tables import TAGS, tables
from paberki.extraction.html.byte_spans import byte_offsets, mark_length
from paberki.extraction.html.collector import BLOCK_LIMIT, LINK_LIMIT
from paberki.extraction.html.elements import ElementsConfig
from paberki.extraction.html.page_blocks import Block, Segmented
from paberki.extraction.repair.edits import Edit
from paberki.extraction.repair.repeated_lines import lines_once
from paberki.kernels import load
from paberki.kernels.hash_constants import fnv

__all__ = ["Harvest", "encode"]

_Longs = npt.NDArray[np.int64]
_REPLACEMENT: Final = "\ufffd".encode()
_LEAST_BYTES, _LEAST_ROWS, _LEAST_PATHS = 1 << 16, 1 << 10, 1 << 10
_MARGIN: Final = 64
_LARGE: Final = 1 << 20
_SPACE_FOR_PARENT: Final = 4096
_PREFORMATTED: Final = TAGS.index("pre")
_CAPACITY: Final = (1 << 31) - 1
"""Offsets of Arrow strings have 32 bits."""


class Harvest:
    """The arrays of a batch of pages; :mod:`paberki.extraction.compiled.kernel_layout` names the rows of blocks and links and the slots of heads."""

    def __init__(self, elements: ElementsConfig | None = None) -> None:
        self._tables = tables(elements) if elements else tables()
        self.block_ends: list[int] = []
        """Number of blocks up to and including each page."""
        self.link_ends: list[int] = []
        self.element_ends: list[int] = []
        self.heads: list[npt.NDArray[np.int32]] = []
        self.truncated_pages: list[int] = []
        """Pages with more blocks than a page may have: those that follow were not read."""
        self.lines_once: dict[int, tuple[Edit, ...]] = {}
        """Blocks with repeated lines in them by number: what takes the repeats out."""
        self.exact_blocks: list[slice] = []
        """Blocks of imported pages, which nobody labels as repeats or repairs: their tokens are known."""
        self.titles: dict[int, str] = {}
        """Titles of imported pages."""
        self.state = np.zeros(kernel_layout.STATE_FIELDS, np.int64)
        self.state[kernel_layout.PATH_COUNT] = 1  # path 0 is that of the body: empty
        self.state[kernel_layout.EVERY_TAG] = elements is not None and elements.every_tag
        self.blocks = np.empty((kernel_layout.BLOCK_ROWS, _LEAST_ROWS), np.int32)
        self.elements = np.empty((kernel_layout.ELEMENT_ROWS, _LEAST_ROWS), np.int32)
        self.links = np.empty((kernel_layout.LINK_ROWS, _LEAST_ROWS), np.int32)
        self._bytes = [np.empty(_LEAST_BYTES, np.uint8) for _ in range(kernel_layout.BUFFERS)]
        self._path_bytes = np.empty(_LEAST_BYTES, np.uint8)
        self._paths = np.zeros((kernel_layout.PATH_ROWS, _LEAST_PATHS), np.int64)
        self._paths[kernel_layout.PATH_HASH, 0] = fnv(b"")
        self._path_slots = np.full(2 * _LEAST_PATHS, -1, np.int32)
        self._scratch = np.empty(_LEAST_BYTES, np.uint8)
        self._stack = np.empty((kernel_layout.STACK_ROWS, kernel_layout.STACK_DEPTH), np.int64)
        self._last_ends = np.empty(len(TAGS), np.int64)
        self._spans = np.empty((kernel_layout.ATTRIBUTES, 2), np.int64)

    def __len__(self) -> int:
        return len(self.heads)

    @property
    def block_count(self) -> int:
        """Blocks of all pages."""
        return int(self.state[kernel_layout.BLOCK_COUNT])

    @property
    def element_count(self) -> int:
        """Elements of all pages that hold blocks."""
        return int(self.state[kernel_layout.ELEMENT_COUNT])

    @property
    def link_count(self) -> int:
        """Links of all pages."""
        return int(self.state[kernel_layout.LINK_COUNT])

    @property
    def path_count(self) -> int:
        """Distinct paths of all pages, those of elements without blocks of their own included."""
        return int(self.state[kernel_layout.PATH_COUNT])

    @property
    def text(self) -> npt.NDArray[np.uint8]:
        """Texts of all blocks end to end, UTF-8."""
        return self._used_part(kernel_layout.TEXT_AT)

    @property
    def link_text(self) -> npt.NDArray[np.uint8]:
        """Texts of all links end to end."""
        return self._used_part(kernel_layout.LINK_TEXT_AT)

    @property
    def href(self) -> npt.NDArray[np.uint8]:
        """Targets of all links end to end."""
        return self._used_part(kernel_layout.HREF_AT)

    @property
    def rel(self) -> npt.NDArray[np.uint8]:
        """The rel attributes of all links end to end."""
        return self._used_part(kernel_layout.REL_AT)

    @property
    def head_bytes(self) -> npt.NDArray[np.uint8]:
        """What heads say, end to end."""
        return self._used_part(kernel_layout.HEAD_AT)

    @property
    def path_bytes(self) -> npt.NDArray[np.uint8]:
        """All paths end to end."""
        return self._path_bytes[: int(self.state[kernel_layout.PATH_AT])]

    @property
    def path_ends(self) -> npt.NDArray[np.int64]:
        """Offsets of the paths, one more than there are paths."""
        return self._paths[kernel_layout.PATH_END, : self.path_count + 1]

    def add_page(self, payload: bytes, text: str, encoding: str) -> None:
        """A page, with byte offsets into its payload; ``text`` is the decoded payload."""
        mark = mark_length(payload, encoding)
        if encoding == "utf-8" and _is_exact(payload, text):
            self._read_page(payload[mark:] if mark else payload)
            if mark:
                self._move(lambda offsets: offsets + mark)
            return
        source = encode(text)
        self._read_page(source)
        if encoding not in SINGLE_BYTE:
            self._move(
                lambda offsets: np.array(
                    byte_offsets(_characters(offsets, source).tolist(), payload, encoding), np.int64
                )
            )
        elif len(source) != len(text):
            self._move(lambda offsets: _characters(offsets, source))

    def add_text(self, text: str) -> None:
        """A page whose offsets shall count characters."""
        source = encode(text)
        self._read_page(source)
        if len(source) != len(text):
            self._move(lambda offsets: _characters(offsets, source))

    def add_blocks(self, page: Segmented | None) -> None:
        """A page whose blocks were found in another way, without paths and links; None for a page without text."""
        self.heads.append(np.full((kernel_layout.HEAD_SLOTS, 4), -1, np.int32))
        if page is not None:
            self._add_rows(page.blocks)
        self.block_ends.append(self.block_count)
        self.link_ends.append(self.link_count)
        self.element_ends.append(self.element_count)

    def add_exact_blocks(self, page: Segmented, title: str | None) -> None:
        """A page that was imported with its annotation."""
        first = self.block_count
        self.add_blocks(page)
        self.exact_blocks.append(slice(first, self.block_count))
        if title:
            self.titles[len(self) - 1] = title

    def _add_rows(self, blocks: list[Block]) -> None:
        data = [encode(block.text) for block in blocks]
        self._make_room(sum(map(len, data)), len(blocks), 1, 0)
        number, at = self.block_count, int(self.state[kernel_layout.TEXT_AT])
        end = at + sum(map(len, data))
        self._bytes[kernel_layout.TEXT_AT][at:end] = np.frombuffer(b"".join(data), np.uint8)
        rows = self.blocks[:, number : number + len(blocks)]
        rows[[kernel_layout.PATH, kernel_layout.TAG, kernel_layout.MARKUP]] = 0
        body = self.element_count
        rows[kernel_layout.ELEMENT] = body
        self.elements[:, body] = (body, number, 0, 0, 0)
        self.state[kernel_layout.ELEMENT_COUNT] = body + 1
        rows[kernel_layout.START] = [block.start for block in blocks]
        rows[kernel_layout.END] = [block.end for block in blocks]
        rows[kernel_layout.TEXT_END] = at + np.cumsum([len(text) for text in data], dtype=np.int64)
        rows[kernel_layout.CHARS] = [len(block.text) for block in blocks]
        rows[kernel_layout.WORDS] = [block.text.count(" ") + 1 for block in blocks]
        rows[kernel_layout.LINK_CHARS] = [block.link_chars for block in blocks]
        rows[kernel_layout.TAG_COUNT] = [block.tag_count for block in blocks]
        rows[kernel_layout.FIRST_CHAR] = [ord(block.text[0]) for block in blocks]
        rows[kernel_layout.LAST_CHAR] = [ord(block.text[-1]) for block in blocks]
        self.state[kernel_layout.TEXT_AT] = end
        self.state[kernel_layout.BLOCK_COUNT] = number + len(blocks)
        repeats = ((number + at, block.lines_once) for at, block in enumerate(blocks))
        self.lines_once.update((at, edits) for at, edits in repeats if edits)

    def head_text(self, page: int, slot: int) -> str | None:
        """What the head of a page says, by slot."""
        begin, end = self.heads[page][slot, :2].tolist()
        return _decode(self._bytes[kernel_layout.HEAD_AT][begin:end]) if begin >= 0 else None

    def _used_part(self, which: int) -> npt.NDArray[np.uint8]:
        return self._bytes[which][: int(self.state[which])]

    def _read_page(self, source: bytes) -> None:
        """Run the kernel over a page; only paths and elements can need more room than the page's size tells."""
        self._make_room(*_needs(source))
        before = self.state.copy()
        head = np.empty((kernel_layout.HEAD_SLOTS, 4), np.int32)
        self.state[kernel_layout.SHORT_PATHS] = 0
        while True:
            head.fill(-1)
            self.state[kernel_layout.RUN] += 1
            answer = _kernel().read_page(
                np.frombuffer(source, np.uint8), *self._tables, self.state, self.blocks, self.elements, self.links, head, *self._bytes,
                self._path_bytes, self._paths, self._path_slots, self._scratch, self._stack,
                self._spans, self._last_ends,
            )  # fmt: skip
            if answer in (kernel_layout.DONE, kernel_layout.PAGE_ENDS):
                break
            if answer == kernel_layout.PATHS_GROW:
                self.state[kernel_layout.SHORT_PATHS] = 1
            elif answer == kernel_layout.ELEMENTS_GROW:
                self.elements = _wider(self.elements, self.element_count, 2 * self.elements.shape[1])
            else:
                self._make_room_for_paths()
            self.state[: kernel_layout.PATH_COUNT] = before[: kernel_layout.PATH_COUNT]
        if answer == kernel_layout.PAGE_ENDS:
            self.truncated_pages.append(len(self))
        self.heads.append(head)
        self._look_at_lines(source, int(before[kernel_layout.BLOCK_COUNT]))
        self.block_ends.append(self.block_count)
        self.link_ends.append(self.link_count)
        self.element_ends.append(self.element_count)

    def _look_at_lines(self, source: bytes, first: int) -> None:
        """Preformatted blocks of the last page, from its first block on, whose source has line ends."""
        rows = self.blocks[:, first : self.block_count]
        for number in (first + np.flatnonzero(rows[kernel_layout.TAG] == _PREFORMATTED)).tolist():
            piece = source[int(self.blocks[kernel_layout.START, number]) : int(self.blocks[kernel_layout.END, number])]
            if b"\n" in piece or b"\r" in piece:
                once = lines_once(piece.decode("utf-8", "replace"), self._block_text(number))
                if once:
                    self.lines_once[number] = once

    def _block_text(self, number: int) -> str:
        begin = int(self.blocks[kernel_layout.TEXT_END, number - 1]) if number else 0
        return _decode(self._bytes[kernel_layout.TEXT_AT][begin : int(self.blocks[kernel_layout.TEXT_END, number])])

    def _make_room(self, size: int, blocks: int, elements: int, links: int) -> None:
        """Make room for one more page in every array; the kernel checks the room for paths only."""
        size += _MARGIN
        for which in range(kernel_layout.BUFFERS):
            used_size = int(self.state[which])
            if used_size + size > _CAPACITY:
                raise MemoryError(f"a batch of pages holds more than {_CAPACITY:,} bytes of text; make batches smaller")
            if used_size + size > len(self._bytes[which]):
                self._bytes[which] = _with_room(self._bytes[which], used_size, used_size + size)
        if size + _SPACE_FOR_PARENT > len(self._scratch):
            self._scratch = np.empty(size + _SPACE_FOR_PARENT, np.uint8)
        if self.block_count + blocks > self.blocks.shape[1]:
            self.blocks = _wider(self.blocks, self.block_count, self.block_count + blocks)
        if self.element_count + elements > self.elements.shape[1]:
            self.elements = _wider(self.elements, self.element_count, self.element_count + elements)
        if self.link_count + links > self.links.shape[1]:
            self.links = _wider(self.links, self.link_count, self.link_count + links)

    def _make_room_for_paths(self) -> None:
        count, used_size = self.path_count, int(self.state[kernel_layout.PATH_AT])
        if used_size >= _CAPACITY - _SPACE_FOR_PARENT:
            raise MemoryError(f"a batch of pages has more than {_CAPACITY:,} bytes of tag paths; make batches smaller")
        self._path_bytes = _with_room(self._path_bytes, used_size, min(4 * len(self._path_bytes), _CAPACITY))
        self._paths = _wider(self._paths, count + 1, 4 * self._paths.shape[1])
        self._path_slots = np.empty(4 * len(self._path_slots), np.int32)
        _kernel().index_paths(self._paths, count, self._path_slots)

    def _move(self, change: Any) -> None:
        """Change all offsets of the last page."""
        first_block = self.block_ends[-2] if len(self) > 1 else 0
        first_link = self.link_ends[-2] if len(self) > 1 else 0
        blocks = self.blocks[kernel_layout.START : kernel_layout.END + 1, first_block : self.block_count]
        links = self.links[kernel_layout.LINK_START : kernel_layout.LINK_END + 1, first_link : self.link_count]
        head = self.heads[-1]
        slots = [
            slot
            for slot in (kernel_layout.TITLE, kernel_layout.KEYWORDS, kernel_layout.DESCRIPTION)
            if head[slot, 0] >= 0
        ]
        spans = head[slots, 2:]
        new_offsets = change(np.concatenate([blocks.ravel(), links.ravel(), spans.ravel()]).astype(np.int64))
        blocks[:] = new_offsets[: blocks.size].reshape(blocks.shape)
        links[:] = new_offsets[blocks.size : blocks.size + links.size].reshape(links.shape)
        head[slots, 2:] = new_offsets[blocks.size + links.size :].reshape(spans.shape)


@lru_cache(maxsize=1)
def _kernel() -> Any:
    """The compiled functions, loaded when the first page comes: numba is slow to import."""
    return load("paberki.extraction.compiled.segmenter_kernel")


def _is_exact(payload: bytes, text: str) -> bool:
    """Whether nothing was replaced when a UTF-8 payload was decoded: as many U+FFFD in the text as in the payload."""
    return "\ufffd" not in text or text.count("\ufffd") == payload.count(_REPLACEMENT)


def encode(text: str) -> bytes:
    """UTF-8 of a page; unpaired surrogates, which no decoder makes, become question marks."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def _decode(data: npt.NDArray[np.uint8]) -> str:
    return str(data.data, "utf-8", "replace")


def _characters(offsets: _Longs, source: bytes) -> _Longs:
    """Byte offsets of UTF-8 -> character offsets; a piece of the page at a time, to need little memory."""
    characters = np.empty_like(offsets)
    order = np.argsort(offsets, kind="stable")
    in_order = offsets[order]
    before = 0
    for begin in range(0, len(source) + 1, _LARGE):
        first, last = np.searchsorted(in_order, [begin, begin + _LARGE]).tolist()
        continuation = np.flatnonzero(np.frombuffer(source[begin : begin + _LARGE], np.int8) < -64)
        inside = in_order[first:last]
        characters[order[first:last]] = inside - before - np.searchsorted(continuation, inside - begin)
        before += len(continuation)
    return characters


def _needs(source: bytes) -> tuple[int, int, int, int]:
    """Bytes of each buffer, blocks and links that a page can at most need, and elements that it needs as a rule.

    No reference is more than a fifth longer in UTF-8 than as written, and NUL may become U+FFFD. A block needs a
    character and a tag. Counting takes time and is for large pages only: memory that is never written costs nothing.
    """
    size = len(source)
    if size < _LARGE:
        return 3 * size, min(size // 4, BLOCK_LIMIT) + 2, size // 8 + 2, min(size // 4, LINK_LIMIT) + 1
    tags = source.count(b"<")
    return size + size // 4 + 2 * source.count(0), min(tags, BLOCK_LIMIT) + 2, tags // 2 + 2, LINK_LIMIT + 1


def _with_room(array: Any, used_size: int, needed: int) -> Any:
    larger = np.empty(min(max(2 * len(array), needed), _CAPACITY), array.dtype)
    larger[:used_size] = array[:used_size]
    return larger


def _wider(array: Any, used_size: int, needed: int) -> Any:
    wider = np.empty((len(array), max(2 * array.shape[1], needed)), array.dtype)
    wider[:, :used_size] = array[:, :used_size]
    return wider
