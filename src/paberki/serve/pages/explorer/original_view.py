"""The page as it was fetched, with the hits marked in its own bytes.

Marks are put into the raw bytes between the byte offsets of tokens: markup stays as it was, and nothing of it runs or loads,
because of the headers it is sent with. A hit over several text nodes gets several marks, one for each piece of text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starlette.responses import Response

from paberki.serve.pages.explorer.foreign import foreign_text
from paberki.serve.pages.explorer.page_source import page_number, page_of_index, page_row, payload_of
from paberki.serve.pages.explorer.token_places import MARK_STYLE, own_hit, page_hits, token_bytes
from paberki.serve.security import ORIGINAL_POLICY

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = ["original_page", "with_marks"]

Tint = tuple[int, int, bool]
"""First byte and end of a block, and whether it was kept."""
Insert = tuple[int, bytes, int, bytes]
"""What is put in at a byte, and at another."""

_KEPT_STYLE: Final = "background:#d5eef0;color:#000"
_OUT_STYLE: Final = "background:#f7dfb9;color:#000"
_MOST_MARKS: Final = 2000
_ASCII_BASED: Final = ("utf-16", "utf-32", "utf_16", "utf_32")


def original_page(visit: Visit) -> Response:
    """``/page/ID/original?q=``."""
    edition, page_id = visit.edition, str(visit.call.request.path_params["id"])
    if edition.corpus is None:
        return _answer(foreign_text(visit, page_id), "text/html", "utf-8")
    number = page_number(page_id)
    row = page_row(edition, number, layers=("archive", "decode"))
    payload = payload_of(edition, row)
    encoding = str(row["encoding"] or "utf-8")
    data = payload.data
    if not any(encoding.lower().startswith(one) for one in _ASCII_BASED):
        tints = _tints(visit, number) if visit.value("blocks") == "1" else []
        spans, own = _spans(visit, number, str(row["id"]))
        data = with_marks(data, spans, tints, own)
    mime = str(row["mime"] or "text/html")
    if mime not in ("text/html", "application/xhtml+xml", "text/plain"):
        mime = "text/plain"
    if mime == "application/xhtml+xml":
        mime = "text/html"  # one error in its XML would hide the page
    return _answer(data, mime, encoding)


def _answer(data: bytes, mime: str, encoding: str) -> Response:
    """What may be in our frame, and runs and loads nothing there."""
    headers = {
        "Content-Security-Policy": ORIGINAL_POLICY,
        "Content-Type": f"{mime}; charset={encoding}",
        "Cache-Control": "no-store",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
    return Response(data, 200, headers)


def _spans(visit: Visit, number: int, page_id: str) -> tuple[list[list[tuple[int, int]]], int]:
    """For every hit of the query on the page, the bytes of its tokens; and which of them the address asks for."""
    edition, ask = visit.edition, visit.ask
    index_page, spans = page_of_index(edition, page_id), token_bytes(edition, number)
    if index_page is None or spans is None or not ask.q:
        return [], 0
    hits = page_hits(edition, index_page, ask, visit.service.settings)
    starts, ends = spans
    out = []
    for start, end in list(zip(hits.starts.tolist(), hits.ends.tolist(), strict=True))[:_MOST_MARKS]:
        places = range(start - hits.first, min(end - hits.first, len(starts)))
        out.append([(int(starts[at]), int(ends[at])) for at in places])
    return out, own_hit(visit, hits)


def _tints(visit: Visit, number: int) -> list[Tint]:
    """The bytes of every block, and whether it was kept."""
    row = page_row(visit.edition, number)
    keep, tints = row["block_keep"] or [], []
    for at, block in enumerate(row["blocks"] or []):
        stays = keep[at] if at < len(keep) and keep[at] is not None else block["kept"]
        if block["start"] is not None and block["end"] is not None:
            tints.append((int(block["start"]), int(block["end"]), bool(stays)))
    return tints


def _tint_blocks(data: bytes, tints: list[Tint], marks: list[tuple[int, int]]) -> list[Insert]:
    """Pieces of text of blocks that no mark of a hit covers."""
    inserts: list[Insert] = []
    at = 0
    for low, high, stays in sorted(tints):
        kind, style = ("kept", _KEPT_STYLE) if stays else ("left-out", _OUT_STYLE)
        opening = f'<span data-block="{kind}" style="{style}">'.encode()
        for start, end in _pieces(data, [(max(low, at), high)]):
            for free_start, free_end in _without(start, end, marks):
                inserts.append((free_start, opening, free_end, b"</span>"))
        at = max(at, high)
    return inserts


def _without(start: int, end: int, marks: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """What is left of a piece where marks are taken out."""
    free = []
    for low, high in marks:
        if low < end and high > start:
            if low > start:
                free.append((start, low))
            start = max(start, high)
    return [*free, (start, end)] if start < end else free


def with_marks(data: bytes, hits: list[list[tuple[int, int]]], tints: list[Tint] | None = None, own: int = 0) -> bytes:
    """The bytes with a mark around each piece of text of each hit; overlapping hits share the marks of the first.

    The hit that somebody came for, ``own``, is the first; the others follow in the order of the page.
    ``tints`` are blocks: their text gets a ground of its own, one colour for kept ones and one for others.
    """
    inserts: list[Insert] = []
    end_of_last = 0
    for at, tokens in enumerate(hits):
        number = 1 if at == own else at + 1 + (at < own)
        pieces = _pieces(data, tokens)
        pieces = [(max(low, end_of_last), high) for low, high in pieces if high > end_of_last]
        for piece, (low, high) in enumerate(pieces):
            names = f' id="hit-{number}" data-testid="hit-{number}"' if not piece else ""
            opening = f'<mark{names} data-hit="{number}" style="{MARK_STYLE}">'.encode()
            inserts.append((low, opening, high, b"</mark>"))
            end_of_last = high
    if tints:
        inserts += _tint_blocks(data, tints, [(low, high) for low, _, high, _ in inserts])
    out: list[Any] = []
    copied_to = 0
    for low, opening, high, closing in sorted(inserts):
        if low < copied_to or high > len(data):
            continue
        out += [data[copied_to:low], opening, data[low:high], closing]
        copied_to = high
    return b"".join([*out, data[copied_to:]])


def _pieces(data: bytes, tokens: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Runs of text without markup between the first and the last byte of a hit."""
    pieces: list[tuple[int, int]] = []
    if not tokens:
        return pieces
    at, end = tokens[0][0], tokens[-1][1]
    while at < end:
        tag = data.find(b"<", at, end)
        stop = end if tag < 0 else tag
        if data[at:stop].strip():
            pieces.append((at, stop))
        if tag < 0:
            break
        close = data.find(b">", tag, end)
        if close < 0:
            break
        at = close + 1
    return pieces
