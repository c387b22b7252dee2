"""Releases: a version of a corpus, frozen.

A release is a corpus directory of its own below ``releases/``: layers, models and index are linked, which costs no space,
because such files are replaced and never changed. So it can be opened, queried and compared like any corpus, whatever
becomes of the one that it was made from. Exports, card and citation stand beside them, with checksums of everything.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from paberki.amounts import several
from paberki.corpus_file import files_of
from paberki.errors import ConfigError, StoreError
from paberki.export.format_list import FORMATS, form_of
from paberki.release.card import card_text
from paberki.release.card_facts import card_facts
from paberki.release.changes import PAGES, changes_since, write_pages
from paberki.release.checksums import faults, write_checksums
from paberki.release.corpus_licence import licence_code, licence_statement
from paberki.release.erased_models import erase_from_models
from paberki.release.papers import citation, how_to_rebuild, notes
from paberki.store.directory import RECIPE, Directory
from paberki.store.directory import RELEASE as FACTS
from paberki.store.files import TEMPORARY, explain, read_json, write_json, write_text
from paberki.store.layer import SHARD
from paberki.store.lock import hold
from paberki.store.taken_down.blocked_pages import LOCK, now
from paberki.store.taken_down.hiding import hide, hide_anchors, rows_of_keys
from paberki.store.taken_down.tombstones import FILE as TOMBSTONES
from paberki.store.taken_down.tombstones import read_tombstones, write_tombstones

if TYPE_CHECKING:
    from paberki.corpus import Corpus

FOLDER: Final = "releases"
LIST: Final = "recipe-list"
_VERSION: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z._+-]{0,63}")
_LINKED: Final = ("layers", "models", "index", "search")
_NOT_RELEASED: Final = (".lock", ".parts", ".group", "cache")


@dataclass(frozen=True, slots=True)
class ReleaseFacts:
    """What a release says about itself."""

    version: str
    time: str
    name: str
    formats: tuple[str, ...]
    mask: bool
    doi: str
    authors: tuple[str, ...]
    archives: tuple[tuple[str, str], ...]
    """Archive files that the pages came from, with their digests."""
    before: str = ""
    """Version of the release before."""
    erased_later: tuple[str, ...] = ()
    """Keys of pages that were erased from the release after it was made."""


@dataclass(frozen=True, slots=True)
class Release:
    """A release that was made."""

    path: Path
    facts: ReleaseFacts
    pages: int
    files: int
    changes: dict[str, Any]


def make_release(
    corpus: Corpus,
    version: str,
    formats: Sequence[str] = ("jsonl",),
    *,
    mask: bool = False,
    doi: str = "",
    authors: Sequence[str] = (),
    tell: Callable[[str], None] | None = None,
) -> Release:
    """Freeze the corpus as it is."""
    directory = corpus.directory
    directory.refuse_release()
    _check_names(directory, version, formats)
    folder = directory.root / FOLDER
    beside = folder / f"{TEMPORARY}{version}-{secrets.token_hex(4)}"
    try:
        with ExitStack() as stack:
            stack.enter_context(hold(directory.lock("release"), doing="making a release"))
            stack.enter_context(hold(directory.lock(LOCK), doing="taking down pages", wait=True))
            stack.enter_context(hold(directory.lock("layers"), doing="building"))
            for leftover in folder.glob(f"{TEMPORARY}*"):
                shutil.rmtree(leftover, ignore_errors=True)
            archives = tuple((source.name, source.sha256) for source in directory.sources())
            before = latest(directory)
            facts = ReleaseFacts(
                version, now(), corpus.recipe.name, tuple(formats), mask, doi, tuple(authors), archives, before
            )
            _freeze(corpus, beside)
            pages, changes = _fill(beside, folder, facts, tell)
            files = write_checksums(beside)
            os.rename(beside, folder / version)
    except OSError as error:
        raise explain(error, f"making the release {version} of {directory.root}") from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return Release(folder / version, facts, pages, files, changes)


def verify(directory: Directory, version: str) -> list[tuple[str, str]]:
    """Files of a release that are not as they were released, with what is wrong."""
    return list(faults(_path_of(directory, version)))


def versions(directory: Directory) -> list[ReleaseFacts]:
    """All releases of a corpus, the oldest first."""
    folders = [path.parent for path in (directory.root / FOLDER).glob(f"[!.]*/{FACTS}")]
    return sorted((_facts_of(folder) for folder in folders), key=lambda one: (one.time, one.version))


def latest(directory: Directory) -> str:
    """Version of the last release; empty where there is none."""
    return next((one.version for one in reversed(versions(directory))), "")


def erase_from_releases(directory: Directory, keys: Collection[str]) -> list[str]:
    """Erase pages from releases too, make their exports again and sign them anew; a note for each release."""
    notes = []
    for facts in versions(directory):
        folder = directory.root / FOLDER / facts.version
        earlier_keys = _taken_down_before(folder)
        count = _erase(Directory(folder), keys)
        if count:
            later = dict.fromkeys((*facts.erased_later, *sorted(set(keys) - earlier_keys)))
            _fill(folder, folder.parent, replace(facts, erased_later=tuple(later)), None)
            write_checksums(folder)
            notes.append(
                f"release {facts.version} was made again without {several(count, 'erased page')}; its checksums are new"
            )
    return notes


def _erase(release_directory: Directory, keys: Collection[str]) -> int:
    from paberki.corpus import Corpus
    from paberki.release.erased_index import erase_from_indexes

    shards = range(len(release_directory.manifest().shards))
    rows = {shard: mine for shard in shards if (mine := rows_of_keys(release_directory, shard, keys))}
    if not rows:
        return 0
    for shard, mine in rows.items():
        hide(release_directory, shard, mine, saving=False)
    hide_anchors(
        release_directory, {f"{shard * SHARD + row:09d}" for shard, mine in rows.items() for row in mine}, saving=False
    )
    erase_from_models(release_directory, ())
    shutil.rmtree(release_directory.private, ignore_errors=True)  # hiding keeps what the archive layer had
    stones, released_stones = (
        read_tombstones(release_directory.root.parent.parent),
        read_tombstones(release_directory.root),
    )
    released_keys = {stone.key for stone in released_stones}
    write_tombstones(
        release_directory.root,
        [*released_stones, *(one for one in stones if one.key in keys and one.key not in released_keys)],
    )
    erase_from_indexes(release_directory, list(rows), Corpus(release_directory.root).index)
    return sum(map(len, rows.values()))


def _check_names(directory: Directory, version: str, formats: Sequence[str]) -> None:
    if not _VERSION.fullmatch(version):
        raise ConfigError(f"--version {version!r}: should be like 1.0 or 2026-11, without blanks and slashes")
    if (directory.root / FOLDER / version).exists():
        raise StoreError(f"{directory.root}: release {version} exists and does not change; choose another version")
    for form in formats:
        form_of(form)


def _path_of(directory: Directory, version: str) -> Path:
    path = directory.root / FOLDER / version
    if not _VERSION.fullmatch(version) or not (path / FACTS).is_file():
        version_list = ", ".join(one.version for one in versions(directory)) or "none"
        raise StoreError(f"{directory.root}: no release {version}; there are: {version_list}")
    return path


def _facts_of(folder: Path) -> ReleaseFacts:
    values = read_json(folder / FACTS)
    try:
        names = ReleaseFacts.__dataclass_fields__
        facts = {name: value for name, value in values.items() if name in names}
        lists = {name: tuple(facts[name]) for name in ("formats", "authors")}
        lists["erased_later"] = tuple(facts.get("erased_later", ()))
        return ReleaseFacts(**{**facts, **lists, "archives": tuple((a, b) for a, b in facts["archives"])})
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise StoreError(
            f"{folder / FACTS}: does not describe a release ({error}); restore it from a backup"
        ) from error


def _freeze(corpus: Corpus, folder: Path) -> None:
    """Link everything that is needed to read and query the corpus."""
    root = corpus.root
    folder.mkdir(parents=True)
    for name in _LINKED:
        for path in sorted((root / name).rglob("*")):
            relative = path.relative_to(root)
            if path.is_file() and not any(
                part.endswith(_NOT_RELEASED) or part.startswith(TEMPORARY) for part in relative.parts
            ):
                _link(path, folder / relative)
    for name in (RECIPE, TOMBSTONES):
        if (root / name).is_file():
            shutil.copyfile(root / name, folder / name)
    for _, config in corpus.recipe.stages:
        for _, file in files_of(config):
            if file and not file.missing() and file.path.resolve().is_relative_to(root.resolve()):
                _link(file.path, folder / file.path.resolve().relative_to(root.resolve()))


def _link(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.suffix == ".json":  # small, and some are written in place
        shutil.copyfile(source, target)
        return
    try:
        os.link(source.resolve(), target)
    except FileExistsError:
        return
    except OSError:  # another disk, or one without links
        shutil.copyfile(source, target)


def _fill(
    folder: Path, releases: Path, facts: ReleaseFacts, tell: Callable[[str], None] | None
) -> tuple[int, dict[str, Any]]:
    """Write exports and papers from the frozen corpus; the number of pages, and what changed."""
    from paberki.corpus import Corpus

    frozen_corpus = Corpus(folder)
    name = re.sub(r"[^\w.-]+", "-", facts.name).strip("-.") or "corpus"
    for form in dict.fromkeys((*facts.formats, LIST)):
        if tell:
            tell(f"writing {form}")
        out = folder / "formats" / f"{name}-{facts.version}{'.list' if form == LIST else ''}{form_of(form).suffix}"
        out.parent.mkdir(exist_ok=True)
        frozen_corpus.export(form, out, mask=facts.mask)
    pages = write_pages(frozen_corpus, folder / PAGES)
    before = releases / facts.before if facts.before else None
    earlier_keys = _taken_down_before(before) if before and before.is_dir() else frozenset()
    changes = changes_since(before if before and before.is_dir() else None, folder, facts.before, earlier_keys)
    _papers(frozen_corpus, folder, facts, f"formats/{name}-{facts.version}.list.jsonl", pages, changes)
    write_json(folder / FACTS, {**asdict(facts), "pages": pages, "changes": changes.as_json()})
    return pages, changes.as_json()


def _papers(frozen_corpus: Corpus, folder: Path, facts: ReleaseFacts, list_name: str, pages: int, changes: Any) -> None:
    numbers = card_facts(frozen_corpus.directory, frozen_corpus.plan(), frozen_corpus.recipe)
    old = _taken_down_before(folder.parent / facts.before) if facts.before else frozenset()
    stones = [stone for stone in read_tombstones(folder) if stone.key and stone.key not in old]
    date = facts.time[:10]
    write_text(folder / "README.md", card_text(frozen_corpus.recipe, numbers, release=facts.version, doi=facts.doi))
    write_text(folder / "NOTES.md", notes(facts.name, facts.version, date, pages, changes, stones))
    write_text(folder / "LICENCE.md", f"# Rights\n\n{licence_statement(numbers)}\n")
    authors, licence = facts.authors, licence_code(numbers)
    write_text(folder / "CITATION.cff", citation(facts.name, facts.version, date, authors, facts.doi, licence))
    write_text(folder / "REBUILD.md", how_to_rebuild(facts.name, facts.version, facts.archives, list_name))


def _taken_down_before(folder: Path) -> frozenset[str]:
    """Keys of pages that were taken down before a release was made; those erased from it later are not among them."""
    later = _facts_of(folder).erased_later if (folder / FACTS).is_file() else ()
    return frozenset(stone.key for stone in read_tombstones(folder)) - frozenset(later)


def known_formats() -> Sequence[str]:
    """Formats that a release can hold."""
    return tuple(FORMATS)
