"""A corpus and what can be done with it: the same words as on the command line.

>>> import paberki, tempfile
>>> corpus = paberki.new(tempfile.mkdtemp() + "/hr", lang="hr")
>>> corpus.recipe.lang
('hr',)
"""

from __future__ import annotations

import dataclasses
import json
import os
import shlex
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paberki.errors import ConfigError, ContractError, PaberkiError, StoreError
from paberki.languages import languages
from paberki.query.concordancer import Concordancer, OpenIndex
from paberki.store.directory import INDEX_FILE, Directory

if TYPE_CHECKING:
    from paberki.engine.plan import Plan
    from paberki.engine.progress import Progress
    from paberki.engine.runner import BuildResult
    from paberki.query.index.reader import Index
    from paberki.query.sources.corpus_index import Update
    from paberki.query.sources.vertical import Account
    from paberki.recipe.corpus_recipe import Recipe
    from paberki.recipe.decisions import Decisions
    from paberki.release.takedown import TakeDown
    from paberki.release.versions import Release
    from paberki.report.one_page.explain import Explanation
    from paberki.report.tuning import Tuning
    from paberki.search.searching import DocumentHits, DocumentSearch
    from paberki.search.updating import DocumentUpdate
    from paberki.store.built_layers import BuiltLayers
    from paberki.store.sql.relation import Pages, SqlAnswer
    from paberki.store.taken_down.tombstones import Tombstone


class Corpus(Concordancer):
    """An open corpus directory; what can be asked of its index is in :mod:`paberki.query.concordancer`."""

    def __init__(self, root: Path | str) -> None:
        self.directory = Directory.open(root)
        self._reader: Index | None = None
        self._documents: DocumentSearch | None = None

    @property
    def root(self) -> Path:
        """The directory."""
        return self.directory.root

    @property
    def reader(self) -> Index:
        """The index, opened at first use: the state of that moment, also while a build makes another."""
        if self._reader is None:
            self._reader = OpenIndex(self.root).reader
        return self._reader

    @property
    def recipe(self) -> Recipe:
        """The checked recipe, read anew each time."""
        from paberki.recipe.corpus_recipe import load

        return load(self.directory.recipe)

    def plan(self, until: str | None = None) -> Plan:
        """The stages in order, checked against each other."""
        from paberki.engine.plan import make_plan

        plan = make_plan(self.recipe.stages)
        return plan.until(until) if until else plan

    def layout(self) -> Plan | BuiltLayers:
        """Layers and columns for reading: those of the recipe, or those on disk where the recipe or one of its stages is
        missing."""
        from paberki.store.built_layers import built_layers, remembered_layers

        if not self.directory.recipe.is_file():
            return built_layers(self.directory)
        if noted_layers := remembered_layers(self.directory):
            return noted_layers
        try:
            return self.plan()
        except ConfigError as error:
            if isinstance(error.__cause__, ContractError):  # a stage is not installed here
                return built_layers(self.directory)
            raise

    def decisions(self) -> Decisions:
        """What the recipe says about keeping pages, without the stages where a build has noted it."""
        from paberki.recipe.decisions import decisions_in, decisions_of
        from paberki.store.built_layers import remembered_layers

        if (noted_layers := remembered_layers(self.directory)) and (note := noted_layers.facts.get("decisions")):
            with suppress(ConfigError, KeyError, TypeError, ValueError):
                return decisions_in(note)
        return decisions_of(self.recipe)

    def build(
        self,
        *,
        engine: str = "local",
        jobs: int | None = None,
        until: str | None = None,
        refit: bool = False,
        retry_errors: bool = False,
        max_errors: float | None = None,
        part: tuple[int, int] | None = None,
        joins: bool = False,
        allow_commands: bool = False,
        address: str | None = None,
        listen: Callable[[Progress], None] | None = None,
    ) -> BuildResult:
        """Bring every layer up to date; see ``paberki build --help``. In a notebook a bar shows how far it is."""
        from paberki.engine import make_engine
        from paberki.engine.build_state import Options
        from paberki.engine.runner import build
        from paberki.engine.task import RecordBudget
        from paberki.notebook import notebook_listener
        from paberki.recipe.corpus_recipe import check_files

        listen = listen or notebook_listener()
        self.directory.refuse_release()
        if part and (joins or refit):
            raise ConfigError("a part runs map stages only: --joins and --refit go with a build of their own")
        if joins and retry_errors:
            raise ConfigError("--joins runs no map stage; --retry-errors goes with --part or with a plain build")
        recipe, plan = self.recipe, self.plan(until)
        programs = check_files(recipe, str(self.directory.recipe))
        if not allow_commands:
            self._refuse_programs(plan, programs)
        settings = recipe.build
        limits = RecordBudget(settings.record_cpu_seconds, settings.record_memory_mb, settings.record_idle_seconds)
        jobs = jobs or os.cpu_count() or 1
        error_limit = settings.max_errors if max_errors is None else max_errors
        options = Options(jobs, refit, retry_errors, error_limit, part, joins, limits)
        compile_kernels([stage.name for stage, _ in recipe.stages], listen)
        running = make_engine(engine, jobs, limits, address)
        try:
            # Nodes of a cluster have working directories of their own.
            directory = Directory(self.root.absolute()) if engine == "ray" else self.directory
            with_index = settings.index and until is None and not part and not joins and "annotate" in plan.layers

            whole = self.plan()

            def log(result: BuildResult) -> None:
                self._note_layout(recipe, whole, is_complete=result.incomplete is None)
                if with_index and result.incomplete is None:
                    self._index_built(result, listen)
                self._log_run(recipe, result, part)

            return build(directory, plan, running, options, listen, log)
        finally:
            running.close()

    def _note_layout(self, recipe: Recipe, plan: Plan, *, is_complete: bool) -> None:
        """Leave what readers must know of the recipe, for us and for DuckDB."""
        from paberki.export.recipe_facts import facts_of
        from paberki.recipe.decisions import decisions_of, note_of
        from paberki.store.built_layers import remember
        from paberki.store.sql.views_file import write_views

        facts = {"export": facts_of(recipe).as_json(), "decisions": note_of(decisions_of(recipe))}
        remember(self.directory, plan.layers, list(plan.columns.values()), facts)
        if is_complete:
            write_views(self.directory, plan)

    def index(self, *, listen: Callable[[Account], None] | None = None) -> Update:
        """Bring the index for queries up to date; see ``paberki index --help``."""
        from paberki.query.sources.corpus_index import index_corpus

        recipe = self.recipe
        lang = recipe.lang[0] if recipe.lang else None
        self._reader = None
        return index_corpus(self.directory, self.plan(), name=recipe.name, lang=lang, listen=listen)

    def index_documents(self, *, listen: Callable[[int, float], None] | None = None) -> DocumentUpdate:
        """Bring the index of documents up to date; ``paberki index`` does it too."""
        from paberki.search.updating import update_documents

        recipe = self.recipe
        self._documents = None
        return update_documents(self.directory, self.layout(), name=recipe.name, languages=recipe.lang, listen=listen)

    @property
    def documents(self) -> DocumentSearch:
        """The index of documents, brought up to date when it is first asked; that of the moment where that cannot be."""
        from paberki.search.opening import open_documents

        if self._documents is None or self._documents.is_replaced:
            self._documents = open_documents(self)
        return self._documents

    def search(self, words: str, *, where: str | None = None, **options: Any) -> DocumentHits:
        """The best pages for some words, see ``paberki search --help``; options: :class:`paberki.search.searching.SearchRequest`."""
        from paberki.search.opening import pages_where

        if where is not None:
            options["pages"] = pages_where(self, where)
        return self.documents.search(words, **options)

    def _index_built(self, result: BuildResult, listen: Callable[[Progress], None] | None) -> None:
        """Index what was built, and add what that took to the result. The layers are whole whatever happens here."""
        from paberki.engine.build_state import StageTally
        from paberki.engine.progress import Progress
        from paberki.query.sources.vertical import Account

        start, cpu_before = time.monotonic(), time.process_time()
        progress = Progress(stage="index", unit="tokens", started=time.time())

        def tell(account: Account) -> None:
            progress.done, progress.total = account.tokens, int(account.tokens / (account.share or 1))
            if listen:
                listen(progress)

        tally = StageTally("index")
        try:
            update = self.index(listen=tell)
            tally.note = f"{update.tokens:,} tokens" if update.changed else ""
            tally.pages, tally.skipped = (result.pages, 0) if update.changed else (0, result.pages)
            progress.stage, progress.unit = "index of documents", "pages"
            self.index_documents(listen=lambda done, share: tell(Account(tokens=done, share=share)))
        except PaberkiError as error:
            result.advice.append(f"the index was not brought up to date: {error}; type: paberki index {self.root}")
        tally.seconds, tally.cpu_seconds = time.monotonic() - start, time.process_time() - cpu_before
        result.stages.append(tally)
        result.seconds += tally.seconds

    def _refuse_programs(self, plan: Plan, programs: Mapping[str, Sequence[str]]) -> None:
        """Refuse to run a program that the recipe names unless the user allows it: recipes may come from anybody."""
        for step in plan.steps:
            if programs[step.stage.name]:
                raise ConfigError(
                    f"{step.stage.name} would run the program {programs[step.stage.name][0]!r}; "
                    f"if you trust this recipe, type: "
                    f"paberki build {shlex.quote(str(self.root))} --allow-commands (in Python: allow_commands=True)"
                )

    def _log_run(self, recipe: Recipe, result: BuildResult, part: tuple[int, int] | None) -> None:
        """Leave ``runs/<time>.json``: what was run, with which settings and versions, and what came out."""
        from importlib.metadata import version

        from paberki.recipe.settings import plain
        from paberki.store.files import write_json

        now = datetime.now(UTC)
        record = {
            "time": now.isoformat(timespec="seconds"),
            "paberki": version("paberki"),
            "preset": recipe.preset,
            "lang": list(recipe.lang),
            "stages": {stage.name: plain(config) for stage, config in recipe.stages},
            "part": f"{part[0]}/{part[1]}" if part else None,
            "result": dataclasses.asdict(result),
        }
        write_json(self.directory.runs / f"{now:%Y%m%dT%H%M%S.%f}Z.json", record)

    def add(self, sources: Path | str | Iterable[Path | str], **options: Any) -> list[Any]:
        """Import a file or directory, or several; see :func:`paberki.archive.adding.importing.add`."""
        from paberki.archive.adding.importing import add
        from paberki.archive.adding.wrap import sources_in

        several = [sources] if isinstance(sources, Path | str) else sources
        return [add(self.directory, path, **options) for source in several for path in sources_in(Path(source))]

    def status(self) -> dict[str, Any]:
        """What is in the corpus and what is running, as ``paberki status --json`` prints it."""
        from paberki.corpus_status import state

        return state(self)

    def explain(self, page: str) -> Explanation:
        """Every decision about the page with this address, id or key."""
        from paberki.report.one_page.explain import explain

        return explain(self.directory, self.layout(), self.decisions(), page)

    def tune(self, score: str, cut: str | None = None) -> Tuning:
        """How a score is distributed, and what a cut would keep and lose."""
        from paberki.report.tuning import tune

        return tune(self.directory, self.plan(), score, cut=cut)

    def report(self, out: Path | str | None = None) -> Path:
        """Write the report; the path of its page."""
        from paberki.report.written_report import write_report

        folder = None if out is None else Path(out)
        return write_report(self.directory, self.plan(), self.recipe, out=folder).page

    def scan(self, *columns: str, kept: bool = True) -> Any:
        """Pages as a lazy frame of polars: only the columns and rows that a question needs are read."""
        from paberki.store.sql.relation import lazy_frame

        return lazy_frame(self.directory, self.layout(), columns, kept=kept)

    def __len__(self) -> int:
        """Number of pages, kept or not."""
        return self.directory.manifest().pages

    def __bool__(self) -> bool:
        return True  # a corpus without pages is a corpus too

    def __repr__(self) -> str:
        facts = self.status()
        languages = ", ".join(facts["lang"]) or "any language"
        selection = "nothing selected yet" if facts["kept"] is None else f"{facts['kept']:,} kept"
        return f"<corpus {self.root}: {languages}, {facts['pages']:,} pages, {selection}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: how many pages stayed, and why the others did not."""
        from paberki.markup.html import element, table

        head = element("p", repr(self).strip("<>"))
        if self.status()["kept"] is None:
            return head
        question = "select coalesce(reason, 'kept') as verdict, count(*) from pages group by all order by 2 desc, 1"
        rows = [(verdict, f"{count:,}") for verdict, count in self.sql(question).fetchall()]
        return head + table(("verdict", "pages"), rows)

    def sql(self, query: str, *, seconds: float | None = None) -> SqlAnswer:
        """The answer to a read-only query over the views ``pages`` and ``blocks``."""
        from paberki.store.sql.views import answer

        return answer(self.directory, self.layout(), query, seconds=seconds)

    def pages(self, *columns: str, where: str | None = None, kept: bool = True) -> Pages:
        """Pages of the corpus, to loop over as dictionaries or to take as a frame; kept ones only, unless told otherwise."""
        from paberki.store.reading import read_pages

        return read_pages(self.directory, self.layout(), columns, where=where, kept=kept)

    def takedown(
        self,
        what: str,
        *,
        reason: str,
        copies: bool = False,
        erase: bool = False,
        wait: Callable[[str], None] | None = None,
    ) -> TakeDown:
        """Take down the pages that an address, a host, an id or a key names; see ``paberki takedown --help``."""
        from paberki.release.takedown import take_down

        self.directory.refuse_release()
        result = take_down(self.directory, self.layout(), what, reason=reason, copies=copies, erase=erase, wait=wait)
        if erase:
            from paberki.release.erased_index import erase_from_indexes
            from paberki.release.versions import erase_from_releases

            result.notes += erase_from_indexes(self.directory, result.shards, self.index)
            result.notes += erase_from_releases(self.directory, result.keys)
        return result

    def takedowns(self) -> list[Tombstone]:
        """What was taken down, in the order of time."""
        from paberki.store.taken_down.tombstones import read_tombstones

        return list(read_tombstones(self.root))

    def undo_takedown(self, what: str) -> tuple[list[Tombstone], bool]:
        """Bring back what was taken down; the tombstones removed, and whether all layers are as before without a build."""
        from paberki.release.takedown import undo

        self.directory.refuse_release()
        return undo(self.directory, what)

    def card(self) -> str:
        """Data sheet of the corpus as Markdown with a YAML head; see ``paberki card --help``."""
        from paberki.release.card import card

        return card(self.directory, self.plan(), self.recipe)

    def release(self, version: str, formats: Sequence[str] = ("jsonl",), **options: Any) -> Release:
        """Freeze a version of the corpus; see ``paberki release --help``."""
        from paberki.release.versions import make_release

        return make_release(self, version, formats, **options)

    def export(self, form: str, out: Path | str, *, where: str | None = None, **options: Any) -> int:
        """Write kept pages in a format (jsonl, parquet, vert); the number of pages written."""
        from paberki.export import export

        return export(self.directory, self.layout(), form, Path(out), where=where, **options)


def compile_kernels(stages: Iterable[str], listen: Callable[[Progress], None] | None = None) -> None:
    """Compile what these stages use and is not in the cache yet, before many workers would all try."""
    from paberki import kernels
    from paberki.engine.progress import Progress

    modules = kernels.used_by(stages)
    if kernels.cached(modules):
        return
    if listen:
        listen(Progress(stage="compiling kernels, once for this machine", unit="kernels", started=time.time()))
    kernels.compile_all(modules)


def open_corpus(root: Path | str) -> Any:
    """Open an existing corpus; or an index of a foreign one, which can be searched and nothing else."""
    return OpenIndex(root) if (Path(root) / INDEX_FILE).is_file() else Corpus(root)


def new_corpus(
    root: Path | str,
    *,
    lang: str | Iterable[str] = (),
    preset: str = "modern",
    tld: Iterable[str] = (),
    domains: Iterable[str] = (),
    everywhere: bool = False,
    seeds: Path | str | None = None,
    name: str | None = None,
) -> Corpus:
    """Make a corpus directory with a recipe."""
    from paberki.recipe.corpus_recipe import parse
    from paberki.store.files import explain, write_text

    directory = Directory(root)
    if directory.recipe.exists():
        raise StoreError(f"{root}: is a corpus already; type: paberki status {root}")
    if directory.root.exists() and (not directory.root.is_dir() or any(directory.root.iterdir())):
        raise StoreError(f"{root}: exists and is not empty; choose another name")
    codes = list(languages([lang] if isinstance(lang, str) else lang)) or _languages_of_preset(preset)
    scope = {"tld": list(tld), "domains": list(domains), "everywhere": everywhere}
    text = _recipe_text(name or directory.root.resolve().name, preset, codes, scope, seeds is not None)
    parse(text, "the new recipe")
    try:
        seed_text = Path(seeds).read_text("utf-8") if seeds else None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{seeds}: cannot be read ({error}); give a text file with one URL per line") from error
    try:
        directory.warc.mkdir(parents=True)
        if seed_text is not None:
            write_text(directory.root / "seeds.txt", seed_text)
        write_text(directory.recipe, text)
    except OSError as error:
        raise explain(error, f"making {root}") from error
    return Corpus(root)


def _languages_of_preset(preset: str) -> list[str]:
    """Languages that a preset is made for; P4's is Japanese."""
    from paberki.recipe.tables import languages_in, presets, toml_of

    return list(languages_in(toml_of(presets().get(preset, ""), preset), preset, ""))


def _recipe_text(name: str, preset: str, lang: list[str], scope: dict[str, Any], seeds: bool) -> str:
    lines = [
        "# The recipe of this corpus. Everything not said here comes from the preset; see: paberki plan DIR",
        f"preset = {json.dumps(preset)}",
        f"name = {json.dumps(name, ensure_ascii=False)}",
        f"lang = {json.dumps(lang)}",
        "",
        "[crawl]",
        *(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in scope.items() if value or key == "tld"),
    ]
    if seeds:
        lines.append('seeds = ["seeds.txt"]')
    lines += [
        'contact = ""  # web page or mail address of whoever runs the crawl; servers see it',
        "",
        "# Rules: the first that holds gives the reason why a page is left out. A rule with the reason of one in the",
        "# preset replaces it; drop = '' switches it off.",
        "# [[select.pages]]",
        '# reason = "too-short"',
        '# drop = "selected_char_count < 500"',
        "",
    ]
    return "\n".join(lines)
