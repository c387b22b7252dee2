"""What a stage is: a pure function from pages to columns, with its contract written down.

Three kinds (see ARCHITECTURE.md):

``map``   a batch of pages → new columns, row by row
``fit``   ``observe(batch) → partial``, ``merge(partials) → model``: something learnt from the corpus, pinned in models/
``join``  ``emit(batch) → rows with a group``, ``resolve(rows of whole groups) → decisions``, ``apply(batch, decisions)``

A stage declares a versioned name, the layer it writes, a frozen config dataclass whose field docstrings are the help
text, what it needs and what it adds. It reads no clock, no network and no global; the same input gives the same bytes
with any number of workers. Other packages add stages through the entry point group ``paberki.stages``: each entry
names a module that registers its stages when imported.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

from paberki.errors import ContractError

if TYPE_CHECKING:
    import pyarrow as pa

    from paberki.store.batch import Batch
    from paberki.store.columns import Column

ENTRY_POINTS = "paberki.stages"
OWN_STAGES = (
    "paberki.archive.archive_stage",
    "paberki.decoding.decode_stage",
    "paberki.extraction.extract_stage",
    "paberki.extraction.method_stages",
    "paberki.extraction.about.metadata_stage",
    "paberki.extraction.echo_stage",
    "paberki.extraction.about.inlinks",
    "paberki.extraction.external_command",
    "paberki.identification.stages.words_stage",
    "paberki.identification.stages.page_stages",
    "paberki.identification.stages.sibling_stages",
    "paberki.identification.stages.transliteration_stage",
    "paberki.identification.stages.close_stage",
    "paberki.quality.connected.connected_stage",
    "paberki.quality.rules.rules_stage",
    "paberki.quality.ngrams.ngrams_stage",
    "paberki.quality.ngrams.percentiles",
    "paberki.quality.diacritics.diacritics_stage",
    "paberki.quality.linear",
    "paberki.quality.permissions.personal",
    "paberki.quality.permissions.rights_stage",
    "paberki.quality.marks.marks_stage",
    "paberki.quality.furniture",
    "paberki.dedup.exact",
    "paberki.dedup.signatures.signature_stage",
    "paberki.dedup.near.near_stage",
    "paberki.dedup.near.shared_stage",
    "paberki.dedup.repeats.domain_repeats",
    "paberki.dedup.repeats.passages",
    "paberki.dedup.repeats.contamination",
    "paberki.dedup.repeats.word_run_stages",
    "paberki.annotation.annotate_stage",
    "paberki.store.selection.select",
    "paberki.store.selection.copy_choice",
)
NAME = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)*\.v[1-9][0-9]*")
_NAMED = re.compile(r"(?P<stem>.+)\.(?P<word>[a-z][a-z0-9_]{0,40})\.(?P<version>v[1-9][0-9]*)")

Columns = Mapping[str, "pa.Array | Sequence[Any]"]
Kind = Literal["map", "fit", "join"]
Read = Callable[..., "Iterable[Batch]"]
"""What check and link of a join are given: ``read(pages, columns)`` → batches of these pages, in order, with some columns or
all that the stage needs."""
NeedsOf = Callable[[Any, Mapping[str, str]], Sequence[str]]
"""Needs that depend on the settings: from the config and the full names of all columns so far, by short name."""


@dataclasses.dataclass(frozen=True, slots=True)
class NoConfig:
    """For stages without settings."""


@dataclasses.dataclass(frozen=True, slots=True)
class Stage:
    """A registered stage. ``needs`` names columns as ``layer.column`` (or one field of a list of structs as
    ``layer.column.field``) and ephemeral values by their bare name."""

    name: str
    kind: Kind
    layer: str
    config: type
    needs: tuple[str, ...] | NeedsOf
    adds: tuple[Column, ...]
    gives: tuple[str, ...] = ()
    """Ephemeral values that the stage has at hand anyway, so that nobody computes them again."""
    models: tuple[str, ...] = ()
    """Layers of the fit stages whose models it is handed after the config."""
    revisits: bool = False
    """A join whose groups also take in the revisit records of the archive, as rows with page −1."""
    reads: Callable[[Any], Sequence[str]] | None = None
    """From the settings: files of this package that the stage reads, ``extraction/learned.npz``. Their content counts as
    a setting, as does that of every :class:`~paberki.corpus_file.CorpusFile` that the settings name."""
    fault: Callable[[Any], str] | None = None
    """From the settings: why they cannot work on this machine, checked before any page is touched; empty if they can."""
    programs: Callable[[Any], Sequence[str]] | None = None
    """From the settings: programs that the stage starts. They run only for users who say ``--allow-commands``."""
    later: tuple[str, ...] = ()
    """Columns that only the check and link of a join read: emit and apply go without them."""
    revision: Callable[[Any], str] | None = None
    """From the settings: a word that changes whenever the behaviour changes under the same settings."""
    run: Callable[..., Any] | None = None
    observe: Callable[..., Any] | None = None
    merge: Callable[..., Any] | None = None
    finish: Callable[..., Any] | None = None
    emit: Callable[..., Any] | None = None
    combine: Callable[..., Any] | None = None
    resolve: Callable[..., Any] | None = None
    check: Callable[..., Any] | None = None
    link: Callable[..., Any] | None = None
    remembers: Callable[[Path], None] | None = None
    """For a join whose link gets a folder that stays between builds, and the keys of all chunks, as a last argument:
    removes files from that folder that are not in force. The engine calls it while no link is running."""
    told: tuple[str, ...] = ()
    """Columns that say no more than the rows that link is given do, and so do not count in these keys."""
    elsewhere: Callable[..., Any] | None = None
    apply: Callable[..., Any] | None = None
    doc: str = ""
    named: Callable[[Stage, str], Stage] | None = None
    """Makes the same stage under a name of the user's, for recipes that want it more than once."""

    def needs_for(self, config: Any, columns: Mapping[str, str]) -> tuple[str, ...]:
        """What the stage needs under these settings."""
        needs = tuple(self.needs(config, columns)) if callable(self.needs) else self.needs
        return (*needs, *self.later)

    @property
    def source(self) -> str:
        """The module that it is written in."""
        function = self.run or self.observe or self.emit
        return str(getattr(function, "__module__", ""))

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


class Elsewhere(Protocol):
    """Pages that are not in this corpus, as a join takes them in: a corpus or a file, small enough to be sent about."""

    @property
    def digest(self) -> str:
        """Of its content."""
        ...

    def tables(self) -> Iterator[pa.Table]:
        """Its pages, with ``key``, ``corpus`` and the columns that emit reads, by their short names."""
        ...


_STAGES: dict[str, Stage] = {}
_EPHEMERALS: dict[str, Ephemeral] = {}
F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)


def _register(stage: Stage) -> None:
    if not NAME.fullmatch(stage.name):
        raise ContractError(f"stage name {stage.name!r} is not of the form word.word.v1")
    _STAGES[stage.name] = stage


def map_stage(
    name: str,
    *,
    layer: str,
    needs: Sequence[str] | NeedsOf,
    adds: Sequence[Column],
    config: type = NoConfig,
    gives: Sequence[str] = (),
    models: Sequence[str] = (),
    reads: Callable[[Any], Sequence[str]] | None = None,
    fault: Callable[[Any], str] | None = None,
    programs: Callable[[Any], Sequence[str]] | None = None,
    revision: Callable[[Any], str] | None = None,
    named: Callable[[Stage, str], Stage] | None = None,
) -> Callable[[F], F]:
    """Register ``f(batch, config, *models) → {column: values}`` as a map stage.

    With ``named`` a recipe can have it several times: ``quality.linear.WORD.v1`` is what ``named(stage, WORD)`` makes of
    ``quality.linear.v1``, with a layer and columns of its own.
    """

    def register(function: F) -> F:
        _register(
            Stage(
                name,
                "map",
                layer,
                config,
                needs if callable(needs) else tuple(needs),
                tuple(adds),
                tuple(gives),
                tuple(models),
                reads=reads,
                fault=fault,
                programs=programs,
                revision=revision,
                run=function,
                doc=inspect.getdoc(function) or "",
                named=named,
            )
        )
        return function

    return register


def fit_stage(
    name: str,
    *,
    layer: str,
    needs: Sequence[str] | NeedsOf,
    config: type = NoConfig,
    revision: Callable[[Any], str] | None = None,
) -> Callable[[C], C]:
    """Register a class with static ``observe(batch, config, seen=None) → table``, ``merge(tables, config) → table`` and
    ``finish(table, config) → table``.

    ``observe`` may leave out what could not matter beside what the shard has ``seen`` so far. ``merge`` must be
    associative; ``finish`` turns what all shards together have seen into the model.
    """

    def register(cls: C) -> C:
        parts: Any = cls
        doc = inspect.getdoc(cls) or ""
        _register(
            Stage(
                name,
                "fit",
                layer,
                config,
                needs if callable(needs) else tuple(needs),
                (),
                revision=revision,
                observe=parts.observe,
                merge=parts.merge,
                finish=parts.finish,
                doc=doc,
            )
        )
        return cls

    return register


def join_stage(
    name: str,
    *,
    layer: str,
    needs: Sequence[str] | NeedsOf,
    adds: Sequence[Column],
    config: type = NoConfig,
    revisits: bool = False,
    later: Sequence[str] = (),
    revision: Callable[[Any], str] | None = None,
) -> Callable[[C], C]:
    """Register a class with static ``emit``, ``resolve``, ``apply`` and, where groups overlap, ``link`` and ``check``.

    ``emit(batch, config)`` → table with ``group`` (uint64), ``page`` (int64) and what else resolve wants;
    ``combine(table, config)``, if there is one, leaves out emitted rows of a shard that can make no difference;
    ``resolve(table, config)`` gets whole groups and gives a table with ``page`` and decisions;
    ``check(portions, read, config)`` gets pairs of ``page`` and ``other``, which never go away when pages are added, as
    :class:`~paberki.store.portions.Portions`, with ``read(pages, columns)`` → batches of these pages with some columns,
    or all that the stage needs, and gives those that hold: each is checked once in the life of a corpus;
    ``link(portions, read, config)`` gets all of these and gives the decisions that count; what it has to tell people
    goes into the metadata of its table as ``note``. Both give a table or yield several, in the order of pages;
    with ``remembers(folder)`` in the class it is also given a folder that stays between builds and the keys of what every
    chunk of every shard is, so that it need not look again at what has not changed; ``told`` names columns that do not
    count there, since the rows say the same. Link writes files with new names only and puts them in force by one rename,
    as two copies of a task may run at once; ``remembers(folder)`` removes files that are not in force;
    ``elsewhere(config, root)`` names pages of other corpora that take part, with negative numbers;
    ``apply(batch, decisions, config)`` → columns, where decisions has one row per page of the batch (nulls: none).
    """

    def register(cls: C) -> C:
        parts: Any = cls
        _register(
            Stage(
                name,
                "join",
                layer,
                config,
                needs if callable(needs) else tuple(needs),
                tuple(adds),
                revisits=revisits,
                later=tuple(later),
                revision=revision,
                emit=parts.emit,
                combine=getattr(parts, "combine", None),
                resolve=parts.resolve,
                check=getattr(parts, "check", None),
                link=getattr(parts, "link", None),
                remembers=getattr(parts, "remembers", None),
                told=getattr(parts, "told", ()),
                elsewhere=getattr(parts, "elsewhere", None),
                apply=parts.apply,
                doc=inspect.getdoc(cls) or "",
            )
        )
        return cls

    return register


def ephemeral(name: str, *, needs: Sequence[str]) -> Callable[[F], F]:
    """Register the provider of an ephemeral value: ``f(batch) → one value per row``."""

    def register(function: F) -> F:
        _EPHEMERALS[name] = Ephemeral(name, tuple(needs), function)
        return function

    return register


@lru_cache(maxsize=1)
def _load() -> None:
    for module in OWN_STAGES:
        importlib.import_module(module)
    for entry in sorted(entry_points(group=ENTRY_POINTS), key=lambda entry: (entry.name, entry.value)):
        try:
            entry.load()
        except Exception as error:
            raise ContractError(f"the stages of {entry.value} do not load: {error}") from error


def stages() -> dict[str, Stage]:
    """All registered stages by name, third-party ones included."""
    _load()
    return dict(sorted(_STAGES.items()))


def ephemerals() -> dict[str, Ephemeral]:
    """All ephemeral values by name."""
    _load()
    return dict(_EPHEMERALS)


def find(name: str) -> Stage:
    """The stage of that name, or an error that names the nearest one."""
    from paberki.nearest import nearest

    known = stages()
    if name not in known and (again := _again(name, known)) is not None:
        return again
    if name not in known:
        raise ContractError(f"there is no stage {name!r}{nearest(name, known)}; installed: {', '.join(known)}")
    return known[name]


def _again(name: str, known: Mapping[str, Stage]) -> Stage | None:
    """The stage that a name with a word of the user's in it stands for."""
    found = _NAMED.fullmatch(name)
    stage = known.get(f"{found['stem']}.{found['version']}") if found else None
    return stage.named(stage, found["word"]) if found and stage and stage.named else None


def field_help(config: type) -> dict[str, str]:
    """Docstrings under the fields of a config dataclass: the help text of every setting."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(config))).body[0]
    assert isinstance(tree, ast.ClassDef)
    found: dict[str, str] = {}
    for field, after in zip(tree.body, tree.body[1:], strict=False):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
        ):
            found[field.target.id] = inspect.cleandoc(str(after.value.value))
    return found
