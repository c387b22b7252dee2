"""Which models exist, and how the layers of one or several files become an annotator."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.annotation.files import model_layers
from paberki.annotation.files.annotation_model_file import AnnotationModelFile, Part, load_model, read_header
from paberki.annotation.pipeline import Annotator
from paberki.annotation.splitting.splitter import Splitter
from paberki.errors import ConfigError, InputError
from paberki.kernels import digest
from paberki.kernels.array_cache import derived
from paberki.kernels.preparation import prepared

DIRECTORY: Final = Path(__file__).parents[1] / "models"
_SHAPING: Final = ("files.model_layers", "tagging.word_features_kernel", "splitting.splitter_kernel")
"""Modules that determine the layout of the prepared arrays of a model."""
SUFFIX: Final = ".annotation"
SHARED: Final = {"hr": "hbs", "sr": "hbs", "bs": "hbs"}
"""Languages with a joint model."""
JAPANESE: Final = "ja"
BROKEN: Final = (KeyError, ValueError, TypeError, AttributeError, IndexError, OverflowError)
"""Errors that parts of different models can cause."""
LAYERS: Final = {"tokens": "tokens", "tagger": "tags", "lemmas": "lemmas", "parser": "trees", "names": "names"}
"""Layers of a model file and their names in messages."""
_FACTS: Final = "facts"
_SLASH: Final = "--"
"""Replaces the slash of a part's name in its file name."""


def languages() -> list[str]:
    """Languages with a model in the package; Japanese if the extra ``ja`` is installed."""
    codes = {path.stem for path in DIRECTORY.glob(f"*{SUFFIX}")}
    alone = codes - set(SHARED.values())
    japanese = {JAPANESE} if find_spec("fugashi") and find_spec("unidic_lite") else set()
    return sorted(alone | {lang for lang, shared in SHARED.items() if shared in codes} | japanese)


def shipped(lang: str) -> Path | None:
    """The model file of the package for a language."""
    path = DIRECTORY / f"{SHARED.get(lang, lang)}{SUFFIX}"
    return path if path.is_file() else None


def annotator(lang: str, files: tuple[Path, ...] = ()) -> Annotator:
    """The annotator of a language: the layers of these files; missing layers come from the package."""
    if lang == JAPANESE and not files:
        from paberki.annotation.japanese import Japanese

        return Japanese()
    own = shipped(lang)
    paths = (*([own] if own else []), *files)
    if not paths:
        raise ConfigError(
            f"no model for the language {lang!r}; there are models for {', '.join(sorted({*languages(), JAPANESE}))}; "
            "train one with: paberki train tagger, and name it with --model"
        )
    return _open_annotator(lang, paths, tuple(age(path) for path in paths))


def age(path: Path) -> tuple[int, int]:
    """Distinguishes a file from an earlier one of the same name; a missing file is reported when it is read."""
    try:
        return path.stat().st_mtime_ns, path.stat().st_size
    except OSError:
        return 0, 0


@lru_cache(maxsize=8)
@prepared
def _open_annotator(lang: str, paths: tuple[Path, ...], ages: tuple[tuple[int, int], ...]) -> Annotator:
    """Annotators stay in memory: loading one takes most of a second."""
    return _assemble(lang, paths)


@lru_cache(maxsize=8)
@prepared
def shipped_splitter(lang: str) -> Splitter:
    """The splitter of a language alone: a search needs no tagger, which would take most of its time."""
    path = shipped(lang)
    if path is None:
        return annotator(lang).splitter
    try:
        model = _map_arrays(lang, path)
        return model_layers.splitter_of(model.layer("tokens"), lang) if "tokens" in model.layers else Splitter(lang)
    except BROKEN as error:
        raise InputError(f"{path}: is damaged or not a model: {error}") from error


def _assemble(lang: str, paths: Sequence[Path]) -> Annotator:
    try:
        return annotator_of(lang, _map_arrays(lang, paths[0]) if paths == (shipped(lang),) else _ready(lang, paths))
    except BROKEN as error:
        raise InputError(f"{paths[-1]}: is damaged or not a model: {error}") from error


def _ready(lang: str, paths: Sequence[Path]) -> AnnotationModelFile:
    """The layers of some files, ready for use; later files replace layers of earlier ones."""
    together = AnnotationModelFile()
    for path in paths:
        model = load_model(path)
        for name in model.layers:
            together.put(name, model.layer(name), {"path": str(path)})
    return model_layers.ready(together, lang)


def _map_arrays(lang: str, path: Path) -> AnnotationModelFile:
    """A model of the package, prepared once per machine and memory-mapped, so that all processes share one copy."""
    arrays = derived(f"annotation-{path.stem}-{lang}-{_state()}", [path], lambda: _arrays(_ready(lang, [path])))
    parts: dict[str, Part] = {name.replace(_SLASH, "/"): np.asarray(array) for name, array in arrays.items()}
    parts.update(json.loads(parts.pop(_FACTS).tobytes()))  # type: ignore[union-attr]
    return AnnotationModelFile({}, parts)


def _arrays(model: AnnotationModelFile) -> dict[str, npt.NDArray[Any]]:
    """All parts as arrays; lists and tables together as JSON in one."""
    arrays = {name.replace("/", _SLASH): part for name, part in model.parts.items() if isinstance(part, np.ndarray)}
    facts = {name: part for name, part in model.parts.items() if not isinstance(part, np.ndarray)}
    return {**arrays, _FACTS: np.frombuffer(json.dumps(facts).encode(), np.uint8)}


@lru_cache(maxsize=1)
def _state() -> str:
    """What the prepared arrays depend on besides the file: the code that makes them and the hash of words."""
    return "-".join(digest(f"paberki.annotation.{name}") for name in _SHAPING)


def annotator_of(lang: str, model: AnnotationModelFile) -> Annotator:
    """The annotator of a model that is ready for use."""
    there = model.layers
    return Annotator(
        lang,
        splitter=model_layers.splitter_of(model.layer("tokens"), lang) if "tokens" in there else None,
        tagger=model_layers.tagger_of(model.layer("tagger")) if "tagger" in there else None,
        table=model_layers.table_of(model.layer("table")) if "table" in there else None,
        lemmatiser=model_layers.lemmatiser_of(model.layer("lemmas"), lang) if "lemmas" in there else None,
        parser=model_layers.parser_of(model.layer("parser")) if "parser" in there else None,
        names=model_layers.names_of(model.layer("names")) if "names" in there else None,
    )


def layers_of(lang: str) -> list[str]:
    """Layers that the package has for a language."""
    path = shipped(lang)
    if path is None:
        return ["tokens", "tags", "lemmas"] if lang == JAPANESE else []
    there = {str(section.get("name")).partition("/")[0] for section in read_header(path)["sections"]}
    return [word for layer, word in LAYERS.items() if layer in there]


def model_languages(path: Path) -> frozenset[str]:
    """Languages that a model file is for."""
    return _model_languages(path, age(path))


@lru_cache(maxsize=16)
def _model_languages(path: Path, _age: tuple[int, int]) -> frozenset[str]:
    header = read_header(path)
    codes = header.get("langs") or [header.get("lang")]
    own = {str(lang) for lang in codes if lang} if isinstance(codes, list) else set()
    return frozenset(own | {lang for lang, shared in SHARED.items() if shared in own})


def describe(path: Path) -> dict[str, object]:
    """What a model says about itself."""
    header = read_header(path)
    header.pop("sections", None)
    return header
