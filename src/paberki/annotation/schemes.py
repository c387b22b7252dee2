"""The taggers of a recipe at work: one annotation of the tokens, and further ones beside it under their names (P4 §2.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from paberki.annotation.adapters import Tool, adapter
from paberki.annotation.adapters.aligned import split
from paberki.annotation.annotate_config import OWN, AnnotateConfig, Tagger
from paberki.annotation.document import Document
from paberki.annotation.files.model_catalogue import age, annotator, model_languages
from paberki.annotation.parsing.valency_frames import Frame, frames_of, read_lexicon
from paberki.annotation.pipeline import Annotator
from paberki.corpus_file import path_of
from paberki.kernels.preparation import prepared


class Schemes:
    """The taggers for pages in one language. All of them see the same tokens, which are those of our own rules."""

    def __init__(self, config: AnnotateConfig, lang: str) -> None:
        self.config, self.lang = config, lang
        files = tuple(path for name in config.model if lang in model_languages(path := path_of(name)))
        self.tools = {str(name): _tool(name, lang, files) for name in config.taggers}
        self.lexicon = _lexicon(path_of(config.valency)) if config.valency else None

    def documents(self, texts: Sequence[str]) -> Iterator[Document]:
        """Texts with all their annotations, the first tagger's in place and the ``others`` by name."""
        (_, first), *rest = self.tools.items()
        for document in self._first(first, texts):
            if self.lexicon is not None:
                document.frame = frames_of(document, self.lexicon)
            for name, tool in rest:
                document.others[name] = self._other(tool, document)
            yield document

    def _first(self, tool: Tool, texts: Sequence[str]) -> Iterator[Document]:
        if isinstance(tool, Annotator):
            yield from tool.annotate_all(texts, self.config.layers)
            return
        for text in texts:
            document = split(text, self.lang)
            self._add(tool, document)
            yield document

    def _other(self, tool: Tool, document: Document) -> Document:
        other = Document(
            text=document.text,
            lang=self.lang,
            forms=document.forms,
            starts=document.starts,
            ends=document.ends,
            edges=document.edges,
        )
        self._add(tool, other)
        return other

    def _add(self, tool: Tool, document: Document) -> None:
        if isinstance(tool, Annotator):
            tool.add_layers(document, self.config.layers)
        elif document.forms:
            tool.add_layers(document)


def _tool(tagger: Tagger, lang: str, files: tuple[Path, ...]) -> Any:
    if tagger.kind == OWN:
        return annotator(lang, (*files, *([tagger.path] if tagger.detail else [])))
    return _open_tool(tagger.opened_as(), lang, age(tagger.path))


@lru_cache(maxsize=8)
@prepared
def _open_tool(name: str, lang: str, _age: tuple[int, int]) -> Tool:
    """Tools stay open: loading one takes seconds."""
    return adapter(name, lang)


def _lexicon(path: Path) -> dict[str, list[Frame]]:
    return _read_lexicon(path, age(path))


@lru_cache(maxsize=2)
@prepared
def _read_lexicon(path: Path, _age: tuple[int, int]) -> dict[str, list[Frame]]:
    return read_lexicon(path)
