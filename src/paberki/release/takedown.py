"""Take pages down: at once for every reader, for good with ``erase``, and back again where nothing was erased.

The tombstone comes first, and every reader honours it. Then the pages are hidden in the layers, so that other programs that
read the files find nothing either. Both can happen while a build runs or a service answers. A killed take-down is finished
by the same command.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from paberki.coding.coding_store import CodingStore
from paberki.errors import ConfigError, StoreError
from paberki.release.cached_pages import remove_cached, texts_of, traces_of
from paberki.release.erased_models import erase_from_models
from paberki.release.erasing import erase_pages
from paberki.release.named_pages import NamedPage, NamedPages, copies_of, pages_named, stones_named
from paberki.store.directory import Directory
from paberki.store.files import explain
from paberki.store.layer import SHARD
from paberki.store.lock import hold, holder
from paberki.store.taken_down.blocked_pages import LOCK, note_change, now
from paberki.store.taken_down.hiding import COMMIT_LOCK, hide, hide_anchors, restore, rows_of_keys, shards_with_saved
from paberki.store.taken_down.tombstones import Tombstone, read_tombstones, write_tombstones

Rows = dict[int, list[int]]
"""Rows of pages by their shard."""


@dataclass(slots=True)
class TakeDown:
    """What was done."""

    pages: list[NamedPage]
    copies: list[NamedPage]
    """Pages with the same or nearly the same text; they are gone too if the request said so."""
    copies_taken_down: bool
    blocked: str
    """Address or host that is never asked for again."""
    erased: bool = False
    during_build: bool = False
    removed: list[Path] = field(default_factory=list)
    """Files for people that showed a page."""
    notes: list[str] = field(default_factory=list)

    @property
    def _all(self) -> list[NamedPage]:
        return [*self.pages, *(self.copies if self.copies_taken_down else ())]

    @property
    def keys(self) -> frozenset[str]:
        """Keys of all pages that are gone."""
        return frozenset(page.key for page in self._all)

    @property
    def shards(self) -> frozenset[int]:
        """Shards that they are in."""
        return frozenset(_rows(self._all))

    def as_json(self) -> dict[str, Any]:
        """The same for ``--json``."""
        return {
            "taken_down": [_public(page) for page in self.pages],
            "copies": [asdict(page) for page in self.copies],
            "copies_taken_down": self.copies_taken_down,
            "blocked": self.blocked,
            "erased": self.erased,
            "during_build": self.during_build,
            "removed": [str(path) for path in self.removed],
            "notes": self.notes,
        }


def _public(page: NamedPage) -> dict[str, Any]:
    return {"id": page.id, "key": page.key, "url": page.url, "host": page.host}


def take_down(
    directory: Directory,
    layout: Any,
    what: str,
    *,
    reason: str,
    copies: bool = False,
    erase: bool = False,
    wait: Callable[[str], None] | None = None,
) -> TakeDown:
    """Take down the pages that ``what`` names; ``wait`` is called with the process that an erasure has to wait for."""
    if not reason.strip():
        raise ConfigError("a take-down needs a reason; add: --reason TEXT")
    try:
        with hold(directory.lock(LOCK), doing="taking down pages", wait=True):
            request = pages_named(directory, layout, what)
            alike = copies_of(directory, layout, request.pages)
            pages = [*request.pages, *(alike if copies else ())]
            result = TakeDown(list(request.pages), alike, copies, request.host or (request.pages[0].url))
            rows = _rows(pages)
            _remember(directory, request, alike, reason.strip(), copies=copies)
            traces = traces_of(directory, rows, [page.url for page in pages])
            texts = texts_of(directory, rows) if erase else []
            result.during_build = _hide(directory, rows, [page.id for page in pages], saving=not erase)
            if erase:
                _erase(directory, rows, pages, texts, result, wait)
            result.removed = remove_cached(directory, directory.report, traces)
            if codings := CodingStore(directory).hide(result.keys):
                names = ", ".join(str(path.relative_to(directory.root)) for path in codings)
                result.notes.append(f"its address and text in {names} are blank now")
    except OSError as error:
        raise explain(error, f"taking down {what}") from error
    return result


def undo(directory: Directory, what: str) -> tuple[list[Tombstone], bool]:
    """Bring pages back that were taken down; which ones, and whether all layers are as before without a build."""
    try:
        with (
            hold(directory.lock(LOCK), doing="taking down pages", wait=True),
            hold(directory.lock("layers"), doing="building"),
        ):
            stones = read_tombstones(directory.root)
            matches = set(stones_named(directory, what))
            matches |= {one for one in stones if one.because in {f"copy of {stone.key}" for stone in matches}}
            if erased_stones := [stone for stone in matches if stone.erased]:
                raise StoreError(
                    f"{erased_stones[0].url or erased_stones[0].key}: was erased and cannot come back; import it again"
                )
            remaining = [stone for stone in stones if stone not in matches]
            whole = _bring_back(directory, remaining)
            write_tombstones(directory.root, remaining)
    except OSError as error:
        raise explain(error, f"bringing back {what}") from error
    return [stone for stone in stones if stone in matches], whole


def _bring_back(directory: Directory, remaining: Sequence[Tombstone]) -> bool:
    keys, pages = {stone.key for stone in remaining}, {stone.id for stone in remaining}
    shards = shards_with_saved(directory)
    results = [restore(directory, shard, rows_of_keys(directory, shard, keys), pages) for shard in shards]
    return all(results)


def _rows(pages: Collection[NamedPage]) -> Rows:
    rows: Rows = {}
    for page in pages:
        shard, row = divmod(int(page.id), SHARD)
        rows.setdefault(shard, []).append(row)
    return rows


def _remember(
    directory: Directory, request: NamedPages, alike: Sequence[NamedPage], reason: str, *, copies: bool
) -> None:
    """Write the tombstones, but for pages that have one."""
    stones = list(read_tombstones(directory.root))
    tombstone_keys = {stone.key for stone in stones if stone.key}
    common: dict[str, Any] = {"time": now(), "reason": reason}
    if request.host and not any(not stone.key and stone.host == request.host for stone in stones):
        stones.append(Tombstone(host=request.host, **common))
    held_back = () if copies else tuple(page.key for page in alike if not page.keep)
    new_stones = [Tombstone(**_public(page), because=request.host, **common) for page in request.pages]
    new_stones[0] = replace(new_stones[0], copies=held_back)  # once for all pages of the request
    because = f"copy of {request.pages[0].key}"
    new_stones += [Tombstone(**_public(page), because=because, **common) for page in (alike if copies else ())]
    stones += [stone for stone in new_stones if stone.key not in tombstone_keys]
    write_tombstones(directory.root, stones)


def _hide(directory: Directory, rows: Rows, pages: Collection[str], *, saving: bool) -> bool:
    """Hide the pages in all layers; whether a build is running, which then makes these shards again next time."""
    with ExitStack() as stack:
        during_build = not _take_lock(stack, directory)
        if during_build:
            note_change(directory, rows.keys())
        stack.enter_context(hold(directory.lock(COMMIT_LOCK), doing="writing layers", wait=True))
        for shard, mine in rows.items():
            hide(directory, shard, mine, saving=saving and not during_build)
        hide_anchors(directory, pages, saving=saving and not during_build)
    return during_build


def _take_lock(stack: ExitStack, directory: Directory) -> bool:
    """Take the lock of the layers, unless a build has it."""
    try:
        stack.enter_context(hold(directory.lock("layers"), doing="building"))
    except StoreError:
        return False
    return True


@contextmanager
def _after_build(directory: Directory, wait: Callable[[str], None] | None) -> Iterator[None]:
    who = holder(directory.lock("layers"))
    if who and wait:
        wait(f"taken down; to erase it, waiting for {who} to end")
    with hold(directory.lock("layers"), doing="building", wait=True):
        yield


def _erase(
    directory: Directory,
    rows: Rows,
    pages: Sequence[NamedPage],
    texts: Sequence[str],
    result: TakeDown,
    wait: Callable[[str], None] | None,
) -> None:
    ids = {page.id for page in pages}
    with _after_build(directory, wait):
        for shard, mine in rows.items():
            hide(directory, shard, mine, saving=False)  # what the build has written meanwhile
        hide_anchors(directory, ids, saving=False)
        result.notes += erase_pages(directory, rows, ids)
        result.notes += erase_from_models(directory, texts)
    keys = {page.key for page in pages}
    stones = [replace(one, erased=True) if one.key in keys else one for one in read_tombstones(directory.root)]
    write_tombstones(directory.root, stones)
    result.erased = True
