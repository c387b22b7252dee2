"""Settings of the stage, and whether they can work."""

from __future__ import annotations

import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from paberki.annotation.adapters import ADAPTERS, COMMANDS, FILES, adapter
from paberki.annotation.files.annotation_model_file import load_model
from paberki.annotation.files.model_catalogue import JAPANESE, languages, model_languages, shipped
from paberki.annotation.names.name_lists import FILE as NAME_LISTS
from paberki.annotation.parsing.valency_frames import read_lexicon
from paberki.annotation.pipeline import ALL_LAYERS
from paberki.corpus_file import NO_FILE, CorpusFile, content_digest, path_of
from paberki.errors import ConfigError, PaberkiError
from paberki.languages import Language
from paberki.nearest import nearest
from paberki.stage import Outside

OWN: Final = "paberki"
"""The tagger of the package."""


class Tagger(CorpusFile):
    """Who annotates: the name of an adapter and, after a colon, the model or package that it opens."""

    @property
    def kind(self) -> str:
        """``udpipe`` of ``udpipe:FILE``."""
        return self.partition(":")[0]

    @property
    def detail(self) -> str:
        """``FILE`` of ``udpipe:FILE``."""
        return self.partition(":")[2]

    @property
    def is_file(self) -> bool:
        """The detail is the name of a file."""
        return self.kind in FILES and bool(self.detail)

    @property
    def path(self) -> Path:
        """Where that file is."""
        return path_of(self.detail, self.folder)

    def opened_as(self) -> str:
        """The name of the adapter with an absolute path."""
        return f"{self.kind}:{self.path}" if self.is_file else str(self)

    def missing(self) -> str:
        """What is wrong with the file; packages are checked when they are opened."""
        return CorpusFile.missing(self) if self.is_file else ""

    def digest(self) -> str:
        """Digest of the file; empty for a package."""
        return content_digest(self.path) if self.is_file else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotateConfig:
    """What is annotated, how far, and by whom."""

    lang: tuple[Language, ...] = ()
    """Languages to annotate, if not those of the corpus; there must be a model for each."""
    corpus_lang: tuple[Language, ...] = ()
    """Languages of the corpus, as the recipe has them; those without a model are not annotated. Empty: all with one."""
    min_chars: int = 1
    """Pages with less kept text are not annotated."""
    max_chars: int = 500_000
    """Characters of a page that are annotated; blocks beyond are not."""
    layers: tuple[str, ...] = ALL_LAYERS
    """Of tag, lemma, parse and ner."""
    model: tuple[CorpusFile, ...] = ()
    """Files made by ``paberki train``, whose layers take the place of the package's in the languages they are for."""
    taggers: tuple[Tagger, ...] = (Tagger(OWN),)
    """Who annotates: paberki, paberki:FILE, udpipe:FILE, spacy:PACKAGE, stanza, classla. The first fills the columns of
    tokens; what the others say about the same tokens stands beside it under their names. Programs (command:…, vertical:…) run
    with ``build --allow-commands`` alone."""
    valency: CorpusFile = NO_FILE
    """Lexicon of valency frames that are looked for in the trees of the first tagger."""

    def __post_init__(self) -> None:
        for name in self.layers:
            if name not in ALL_LAYERS:
                raise ValueError(
                    f"layers: there is no layer {name!r}{nearest(name, ALL_LAYERS)}; known: {', '.join(ALL_LAYERS)}"
                )
        _check_names(self.taggers)
        if self.is_own and not self.model and not self.taggers[0].detail:
            for lang in self.lang:
                _check_language(lang)

    @property
    def is_own(self) -> bool:
        """The first tagger is ours."""
        return self.taggers[0].kind == OWN

    def known_languages(self) -> frozenset[str] | None:
        """Languages that pages must be in; None: any."""
        corpus_languages = frozenset(self.lang or self.corpus_lang)
        if not self.is_own:
            return corpus_languages or None
        paths = [*(path_of(name) for name in self.model), *([self.taggers[0].path] if self.taggers[0].detail else [])]
        model_codes = frozenset(languages()).union(*map(model_languages, paths))
        return model_codes & corpus_languages if corpus_languages else model_codes


def outside(config: AnnotateConfig) -> Outside:
    """Open whatever the settings name: programs that annotate, and the first file or program that cannot be opened."""
    programs = tuple(tagger.detail for tagger in config.taggers if tagger.kind in COMMANDS)
    try:
        _try(config)
    except PaberkiError as error:
        return Outside(programs, str(error))
    return Outside(programs)


def _try(config: AnnotateConfig) -> None:
    corpus_languages = set(config.lang or config.corpus_lang)
    for name in config.model:
        load_model(path_of(name))
        model_codes = model_languages(path_of(name))
        if corpus_languages and not model_codes & corpus_languages:
            raise ConfigError(
                f"model {name} is for {', '.join(sorted(model_codes))}, not for {', '.join(sorted(corpus_languages))}"
            )
    if config.valency:
        read_lexicon(path_of(config.valency))
        if "parse" not in config.layers:
            raise ConfigError('valency: frames are found in trees; put "parse" into layers')
    lang = next(iter(config.lang or config.corpus_lang), "")
    for tagger in config.taggers:
        if tagger.kind in COMMANDS:
            _check_program(tagger.detail)
        elif tagger != OWN:
            adapter(tagger.opened_as(), lang)


def _check_program(command: str) -> None:
    """A program is looked for, but not run."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ConfigError(f"taggers: the command {command!r} cannot be read: {error}") from error
    if not words or shutil.which(words[0]) is None:
        raise ConfigError(f"taggers: there is no program {words[0] if words else ''!r} to annotate with")


def reads(config: AnnotateConfig) -> list[str]:
    """Models of the package that may be used."""
    codes = set(languages()) & set(config.lang or config.corpus_lang or languages())
    paths = {path for lang in codes if (path := shipped(lang))}
    return [f"annotation/models/{path.name}" for path in sorted({*paths, NAME_LISTS})]


def _check_names(taggers: tuple[Tagger, ...]) -> None:
    if not taggers:
        raise ValueError(f"taggers: name at least one, for example {OWN!r}")
    for name in taggers:
        kind = name.kind
        if kind not in ADAPTERS:
            raise ValueError(f"taggers: no tagger {kind!r}{nearest(kind, ADAPTERS)}; known: {', '.join(ADAPTERS)}")
        if kind == "valency":
            raise ValueError(f'taggers: put the lexicon of frames into valency = "{name.detail}"')
        if taggers.count(name) > 1:
            raise ValueError(f"taggers: {str(name)!r} stands there twice")


def _check_language(lang: str) -> None:
    if lang not in languages():
        more = "; install paberki[ja]" if lang == JAPANESE else ""
        raise ValueError(
            f"lang: no model for {lang!r}{more or nearest(lang, languages())}; there are models for "
            f"{', '.join(languages())}; train one with paberki train tagger, and name it as model"
        )
