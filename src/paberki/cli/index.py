"""paberki index."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from paberki.cli import show
from paberki.cli.options import Json, Quiet, one_language

if TYPE_CHECKING:
    from paberki.query.sources.corpus_index import Update
    from paberki.query.sources.vertical import Account

_SHOWN = 5
"""Numbers of broken lines that are shown."""

_Directory = Annotated[
    Path, typer.Argument(metavar="DIR|OUT", help="Directory of a corpus; or of an index that is to be made.")
]
_Vertical = Annotated[
    Path | None,
    typer.Option(
        "--vertical", metavar="FILE|-", help="Index this vertical file (.gz, .zst, .xz too) or registry file."
    ),
]
_Conllu = Annotated[
    Path | None, typer.Option("--conllu", metavar="FILE|-", help="Index this CoNLL-U file (.gz, .zst, .xz too).")
]
_Attributes = Annotated[
    str,
    typer.Option(
        "--attributes",
        "-a",
        metavar="NAMES",
        help="Names of the columns in order; a star marks sets, head is the head.",
    ),
]
_Registry = Annotated[
    Path | None,
    typer.Option("--registry", metavar="FILE", help="Take names of columns from a registry file of Manatee or CWB."),
]
_Lang = Annotated[
    str | None,
    typer.Option(
        "--lang", "-l", callback=one_language, help="Language of a foreign corpus: the order of its alphabet."
    ),
]
_Name = Annotated[str | None, typer.Option("--name", help="Name of a foreign corpus; default: that of OUT.")]


def run(
    directory: _Directory,
    vertical: _Vertical = None,
    conllu: _Conllu = None,
    attributes: _Attributes = "",
    registry: _Registry = None,
    lang: _Lang = None,
    name: _Name = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a corpus searchable: bring the index of a corpus up to date, or index any vertical or CoNLL-U file.

    The index of a corpus is DIR/index, that of its documents DIR/search. What is indexed and unchanged is skipped; the old index stays in force until the
    new one is whole. An index at OUT is replaced; anything else there is left alone.

    \b
    Examples:
      paberki index hr
      paberki index out --vertical corpus.vert.gz --attributes word,lemma,tag,feats*,head,deprel --lang hr
      paberki index out --vertical /corpora/registry/susanne
      paberki index out --conllu treebank.conllu --lang cs
    """
    from paberki.engine.workers.memory_limits import be_modest
    from paberki.errors import ConfigError

    be_modest()
    if vertical and conllu:
        raise ConfigError("give one of --vertical and --conllu; several files can be joined with cat and read from -")
    if not (vertical or registry or conllu) and (attributes or name or lang):
        raise ConfigError(
            f"{directory}: a corpus has its own attributes, name and language; they go with --vertical FILE"
        )
    start, cpu_before = time.monotonic(), time.process_time()
    with _watching(quiet=quiet or json) as listen:
        if conllu:
            from paberki.query.sources.conllu_source import index_conllu

            outcome: Account | Update = index_conllu(conllu, directory, lang=lang, name=name, listen=listen)
        elif vertical or registry:
            outcome = _vertical(directory, vertical, registry, attributes, lang, name, listen)
        else:
            outcome = _corpus(directory, listen)
    seconds, cpu = time.monotonic() - start, time.process_time() - cpu_before
    if json:
        show.as_json({**dataclasses.asdict(outcome), "seconds": round(seconds, 2), "cpu_seconds": round(cpu, 2)})
    elif not quiet:
        for line in _outcome(outcome, directory, seconds, cpu):
            show.say(line)


def _corpus(directory: Path, listen: Callable[[Account], None] | None) -> Update:
    from paberki.corpus import Corpus
    from paberki.errors import ConfigError, StoreError
    from paberki.query.index.manifest import FILE
    from paberki.store.lock import holder

    if (directory / FILE).is_file():
        raise ConfigError(
            f"{directory}: is an index of a foreign corpus; to make it again, name its file: --vertical FILE"
        )
    corpus = Corpus(directory)
    if builder := holder(corpus.directory.lock("layers")):
        # Layers of two states side by side would give an index of a corpus that never was.
        raise StoreError(
            f"{directory}: {builder} is building; it brings the index up to date at its end, until then queries use the "
            f"index as it was; to index now, stop the build and type: paberki index {directory}"
        )
    update = corpus.index(listen=listen)
    update.documents = corpus.index_documents(listen=_pages_told(listen)).documents
    return update


def _vertical(
    out: Path,
    vertical: Path | None,
    registry: Path | None,
    attributes: str,
    lang: str | None,
    name: str | None,
    listen: Callable[[Account], None] | None,
) -> Account:
    from paberki.errors import ConfigError
    from paberki.languages import language
    from paberki.query.sources.registry_reading import looks_like_registry, read_registry
    from paberki.query.sources.vertical import index_vertical

    if vertical and registry is None and looks_like_registry(vertical):
        vertical, registry = None, vertical
    separators: dict[str, str] = {}
    if registry:
        about = read_registry(registry)
        attributes = attributes or ",".join(about.attributes)
        vertical, name, separators = vertical or about.vertical, name or about.name or None, about.separators
        if about.lang and not lang:
            try:
                lang = language(about.lang)
            except ConfigError:
                lang = None
        if vertical is None:
            raise ConfigError(f"{registry}: does not name a vertical file; add: --vertical FILE")
    assert vertical is not None
    if not attributes:
        raise ConfigError("name the columns of the vertical file: --attributes word,lemma,tag")
    names = attributes.split(",")
    return index_vertical(vertical, out, names, lang=lang, name=name, listen=listen, separators=separators)


def _watching(*, quiet: bool) -> Any:
    """A listener that shows tokens, their rate and when all will be done."""
    from contextlib import contextmanager

    @contextmanager
    def watch() -> Any:
        with show.watching(quiet=quiet) as listen:
            yield _account_listener(listen) if listen else None

    return watch()


def _account_listener(listen: Callable[[Any], None]) -> Callable[[Account], None]:
    from paberki.engine.progress import Progress

    progress = Progress(stage="index", unit="tokens", started=time.time())

    def tell(account: Account) -> None:
        progress.done = account.tokens
        progress.total = int(account.tokens / account.share) if account.share else 0
        progress.errors = account.broken_count
        listen(progress)

    return tell


def _pages_told(listen: Callable[[Account], None] | None) -> Callable[[int, float], None] | None:
    """The same listener for pages."""
    from paberki.query.sources.vertical import Account

    return (lambda pages, share: listen(Account(tokens=pages, share=share))) if listen else None


def _outcome(outcome: Account | Update, directory: Path, seconds: float, cpu: float) -> list[str]:
    from paberki.query.sources.vertical import Account

    if isinstance(outcome, Account):
        lines = [
            f"{show.several(outcome.tokens, 'token')} indexed, {seconds:.1f} s, {cpu:.1f} CPU s",
            *_faults(outcome),
        ]
        return [*lines, f"next: paberki query {directory} 'CQL'"]
    if not outcome.changed:
        return [f"{show.several(outcome.tokens, 'token')}, {show.several(outcome.documents, 'document')}, up to date"]
    lines = [
        f"{show.several(outcome.tokens, 'token')} in {show.several(outcome.segments, 'segment')}, {show.count(outcome.new_tokens)} read, "
        f"{show.several(outcome.documents, 'document')}, "
        f"{seconds:.1f} s, {cpu:.1f} CPU s"
    ]
    if outcome.waiting_shards:
        lines.append(
            f"{outcome.waiting_shards} shards are not built yet; they are indexed when you type the same after the build"
        )
    return [*lines, f"next: paberki query {directory} 'CQL'"]


def _faults(account: Account) -> list[str]:
    lines = []
    if account.broken_count:
        numbers = ", ".join(map(str, account.broken_lines[:_SHOWN])) + (", …" if account.broken_count > _SHOWN else "")
        lines.append(f"{show.several(account.broken_count, 'broken line')} left out: {numbers}")
    for count, what, rest in (
        (account.short, "line", "with missing columns, which are empty"),
        (account.unmatched, "end tag", "without a start tag, left out"),
        (account.unclosed, "start tag", "without an end tag, closed at the end"),
    ):
        if count:
            lines.append(f"{show.several(count, what)} {rest}")
    return lines
