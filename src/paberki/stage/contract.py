"""The contract of a stage: three kinds, each with a small object of functions.

All functions are pure and importable by their name, since tasks run in other processes. ``config`` is an instance of the
stage's settings; a ``batch`` shows the columns that the stage declares in ``needs`` and nothing else.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

from paberki.errors import ContractError

if TYPE_CHECKING:
    import pyarrow as pa

    from paberki.store.batch import Batch
    from paberki.store.columns import Column

Columns = Mapping[str, "pa.Array | Sequence[Any]"]
Kind = Literal["map", "fit", "join"]
P = TypeVar("P", "Map", "Fit", "Join")
Read = Callable[..., "Iterable[Batch]"]
"""How check and solve of a join read pages: ``read(pages, columns)`` gives batches of these pages, in order, with the
named columns, or with all columns of ``solve_needs`` when none are named."""
NeedsOf = Callable[[Any, Mapping[str, str]], Sequence[str]]
"""Needs that depend on the settings: from the config and the full name of every column so far, by short name."""


@dataclasses.dataclass(frozen=True, slots=True)
class NoConfig:
    """The settings of a stage without any."""


@dataclasses.dataclass(frozen=True, slots=True)
class Map:
    """New columns of a page from columns of the same page."""

    run: Callable[..., Columns]
    """``run(batch, config, *models)`` → the columns of ``adds``, one value for each page."""


@dataclasses.dataclass(frozen=True, slots=True)
class Fit:
    """A model learnt from all pages. The engine pins it in ``models/`` and hands it to the stages that name it."""

    observe: Callable[..., pa.Table]
    """``observe(batch, config, seen=None)`` → partial table. ``seen`` is the merged table of the shard so far: rows that
    cannot matter beside it may be left out."""
    merge: Callable[..., pa.Table]
    """``merge(tables, config)`` → table. It is associative, since tables are merged in groups."""
    finish: Callable[..., pa.Table]
    """``finish(table, config)`` → the model, from the merged table of all shards."""


@dataclasses.dataclass(frozen=True, slots=True)
class Memory:
    """What a join may keep between builds, so that it need not look again at pages that have not changed.

    Two copies of a task may run at once. So a solve writes files under new names and puts them in force by renaming one
    JSON file that names them, without their endings. The engine removes the files that no JSON file names, while no
    solve is running.
    """

    folder: Path
    chunks: tuple[tuple[str, ...], ...]
    """For each chunk of each shard the key of all that solve reads from it."""


@dataclasses.dataclass(frozen=True, slots=True)
class Join:
    """Columns of a page that depend on other pages.

    A join decides in groups: rows with the same group meet in ``resolve``. A join without ``resolve`` is a *walk*: ``solve``
    goes over the emitted pages in order, because what it says about a page depends on all pages before it.
    """

    emit: Callable[..., pa.Table]
    """``emit(batch, config)`` → rows with ``page`` (int64), with ``group`` (uint64) unless the join is a walk, and with
    whatever the next function reads. It must not depend on how pages are cut into batches."""
    apply: Callable[..., Columns]
    """``apply(batch, decisions, config)`` → the columns of ``adds``. ``decisions`` has one row for each page of the
    batch, null where none was made."""
    resolve: Callable[..., pa.Table] | None = None
    """``resolve(rows, config)`` → decisions with ``page``, from whole groups."""
    check: Callable[..., Any] | None = None
    """``check(portions, read, config)`` → those of the decisions that hold. For joins whose resolve proposes pairs
    (``page``, ``other``) that must be verified against the texts. Pairs never vanish when pages are added, so the engine
    resolves and checks only pairs with new pages. This is not a part of solve, because only the engine knows which
    groups have new rows, and to check all pairs again would make a small growth cost as much as a first build."""
    solve: Callable[..., Any] | None = None
    """``solve(portions, read, config, memory)`` → the decisions that count, one row for each page, as a table or several,
    in the order of pages. It sees the decisions of all groups as :class:`~paberki.store.portions.Portions`. A ``note`` in
    the metadata of its table is shown to the user."""
    solve_needs: tuple[str, ...] | NeedsOf = ()
    """Columns that check and solve read; those of ``needs`` if there are none. Emit and apply do not see them, and only
    they count in the keys of ``memory``."""
    other_corpora: Callable[[Any, Path], Sequence[Elsewhere]] | None = None
    """``other_corpora(config, root)`` → pages of other corpora that take part, with negative page numbers."""
    revisits: bool = False
    """Groups also hold the revisit records of the archive, with page −1. These records are not pages: emit cannot make
    rows of them, so they are stored as rows when the archive is numbered."""

    def __post_init__(self) -> None:
        if self.resolve is None and self.solve is None:
            raise ContractError("a join needs resolve, solve or both")
        if self.check is not None and (self.resolve is None or self.solve is None):
            raise ContractError("a join with check needs resolve and solve")


@dataclasses.dataclass(frozen=True, slots=True)
class Outside:
    """What a stage uses outside Python under some settings."""

    programs: tuple[str, ...] = ()
    """Programs that the stage starts. They run only for users who say ``--allow-commands``."""
    problem: str = ""
    """Why the settings cannot work on this machine; empty if they can."""


class Elsewhere(Protocol):
    """Pages of another corpus that take part in a join: a corpus or a file. It is sent to workers, so it is small."""

    @property
    def digest(self) -> str:
        """Digest of its content."""
        ...

    def tables(self) -> Iterator[pa.Table]:
        """Its pages, with ``key``, ``corpus`` and the columns that emit reads, by their short names."""
        ...


@dataclasses.dataclass(frozen=True, slots=True)
class Stage:
    """A registered stage."""

    name: str
    """Name with a version: ``quality.rules.v1``."""
    layer: str
    """Layer that it writes, or name of the model that it learns."""
    config: type
    """Dataclass of its settings."""
    needs: tuple[str, ...] | NeedsOf
    """Columns that it reads, as ``layer.column`` (or one field of a list of structs as ``layer.column.field``), and
    ephemeral values by their bare name."""
    adds: tuple[Column, ...]
    """Columns that it adds; a fit adds none."""
    parts: Map | Fit | Join
    """Its functions."""
    models: tuple[str, ...] = ()
    """Layers of the fit stages whose models it is handed after the config."""
    provides: tuple[str, ...] = ()
    """Ephemeral values that a map stage computes anyway and returns beside its columns, so that nobody repeats the work."""
    reads: tuple[str, ...] | Callable[[Any], Sequence[str]] = ()
    """Files of this package that it reads, ``extraction/learned.npz``, or a function of the settings that names them. Their
    content is part of the key, as is the content of every :class:`~paberki.corpus_file.CorpusFile` in the settings."""
    outside: Callable[[Any], Outside] | None = None
    """From the settings: what it uses outside Python; asked before any page is touched."""
    behaviour: str | Callable[[Any], str] = ""
    """A word that is part of the key; bump it when behaviour changes under the same settings and no release has had the
    old one. After a release, a changed behaviour is a new version of the stage."""
    doc: str = ""

    @property
    def kind(self) -> Kind:
        """The kind of the stage."""
        return "map" if isinstance(self.parts, Map) else "fit" if isinstance(self.parts, Fit) else "join"

    @property
    def map(self) -> Map:
        """The functions of a map stage."""
        return self._parts_of(Map)

    @property
    def fit(self) -> Fit:
        """The functions of a fit stage."""
        return self._parts_of(Fit)

    @property
    def join(self) -> Join:
        """The functions of a join stage."""
        return self._parts_of(Join)

    def _parts_of(self, kind: type[P]) -> P:
        if not isinstance(self.parts, kind):
            raise ContractError(f"{self.name} is a {self.kind}, not a {kind.__name__.lower()}")
        return self.parts

    def needs_for(self, config: Any, columns: Mapping[str, str]) -> tuple[str, ...]:
        """Columns that run, observe, emit and apply read under these settings."""
        return tuple(self.needs(config, columns)) if callable(self.needs) else self.needs

    def solve_needs_for(self, config: Any, columns: Mapping[str, str]) -> tuple[str, ...]:
        """Columns that only check and solve of a join read under these settings."""
        needs = self.parts.solve_needs if isinstance(self.parts, Join) else ()
        return tuple(needs(config, columns)) if callable(needs) else needs

    def package_files(self, config: Any) -> tuple[str, ...]:
        """Files of this package that it reads under these settings."""
        return tuple(self.reads(config)) if callable(self.reads) else self.reads

    def behaviour_for(self, config: Any) -> str:
        """The word for its behaviour under these settings."""
        return self.behaviour(config) if callable(self.behaviour) else self.behaviour

    def outside_for(self, config: Any) -> Outside:
        """What it uses outside Python under these settings."""
        return self.outside(config) if self.outside else Outside()

    @property
    def functions(self) -> tuple[Callable[..., Any], ...]:
        """All functions of the stage, in the order in which they run."""
        names = ("run", "observe", "merge", "finish", "other_corpora", "emit", "resolve", "check", "solve", "apply")
        return tuple(one for name in names if (one := getattr(self.parts, name, None)) is not None)

    @property
    def source(self) -> str:
        """The module that the stage is written in."""
        return str(getattr(inspect.unwrap(self.functions[0]), "__module__", ""))

    @property
    def version(self) -> str:
        """The ``v1`` at the end of the name."""
        return self.name.rsplit(".", 1)[1]


@dataclasses.dataclass(frozen=True, slots=True)
class Ephemeral:
    """A value that exists only while a batch is worked on: payload, decoded page."""

    name: str
    needs: tuple[str, ...]
    provide: Callable[[Batch], Sequence[Any]]


def field_help(config: type) -> dict[str, str]:
    """Docstrings under the fields of a config dataclass: the help text of every setting."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(config))).body[0]
    assert isinstance(tree, ast.ClassDef)
    texts: dict[str, str] = {}
    for field, after in zip(tree.body, tree.body[1:], strict=False):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
        ):
            texts[field.target.id] = inspect.cleandoc(str(after.value.value))
    return texts
