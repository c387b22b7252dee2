"""``paberki.extract``, ``decode``, ``identify`` and ``annotate``: for one text, or for a list of them on several cores.

A list gives a list, in the same order. ``jobs`` says how many processes share the work: 1 is this one alone, 0 as many
as there are cores. Processes are the guarded workers of builds: a text that takes too much memory or time ends its
worker and is named in the error, nothing else is lost. They start in about a second, so a short list is quicker alone.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast, overload

from paberki.errors import ConfigError, PaberkiError

if TYPE_CHECKING:
    from paberki.annotation import Document
    from paberki.decoding import Decoded
    from paberki.engine.task import Work
    from paberki.extraction import Extraction
    from paberki.identification import Identification

__all__ = ["annotate", "decode", "extract", "identify"]

In = TypeVar("In")
_PIECE: Final = 64
"""Texts of one task: large enough that sending them costs little, small enough that all cores end together."""


@overload
def extract(
    html_or_bytes: str | bytes, *, url: str | None = None, method: str | None = None, encoding: str | None = None,
    model: str = "", comments: bool = False, jobs: int = 1,
) -> Extraction: ...  # fmt: skip
@overload
def extract(
    html_or_bytes: list[str] | list[bytes] | list[str | bytes], *, url: str | None = None, method: str | None = None,
    encoding: str | None = None, model: str = "", comments: bool = False, jobs: int = 1,
) -> list[Extraction]: ...  # fmt: skip
def extract(html_or_bytes: Any, *, jobs: int = 1, **options: Any) -> Any:
    """Blocks of an HTML page, which of them are the text, and where they stand; of a list, one answer for each page.

    Options are those of :func:`paberki.extraction.extract`: ``url``, ``method``, ``encoding``, ``model``, ``comments``.

    >>> import paberki
    >>> page = "<h1>Grad</h1><p>Jučer je u gradu otvorena nova knjižnica, a čitatelja je bilo mnogo.</p>"
    >>> [one.title for one in paberki.extract([page, "<title>Dva</title>" + page])]
    [None, 'Dva']
    """
    return _answers("paberki.extraction", "extract", html_or_bytes, options, jobs)


@overload
def decode(
    data: bytes, *, http_charset: str | None = None, lang: str | None = None, model: Path | None = None, jobs: int = 1
) -> Decoded: ...
@overload
def decode(
    data: list[bytes], *, http_charset: str | None = None, lang: str | None = None, model: Path | None = None,
    jobs: int = 1,
) -> list[Decoded]: ...  # fmt: skip
def decode(data: Any, *, jobs: int = 1, **options: Any) -> Any:
    """The text of a page and its encoding, with the evidence; never fails. Of a list, one answer for each page.

    Options are those of :func:`paberki.decoding.decode`: ``http_charset``, ``lang``, ``model``.
    """
    return _answers("paberki.decoding", "decode", data, options, jobs)


@overload
def identify(
    text: str, *, languages: Sequence[str] | None = None, method: str = "general", model: str | Path | None = None,
    jobs: int = 1,
) -> Identification: ...  # fmt: skip
@overload
def identify(
    text: list[str], *, languages: Sequence[str] | None = None, method: str = "general",
    model: str | Path | None = None, jobs: int = 1,
) -> list[Identification]: ...  # fmt: skip
def identify(text: Any, *, jobs: int = 1, **options: Any) -> Any:
    """Language and script of a text, with a probability for each language; of a list, one answer for each text.

    Options are those of :func:`paberki.identification.identify`: ``languages``, ``method``, ``model``.

    >>> import paberki
    >>> [one.lang for one in paberki.identify(["Dobar dan, kako ste danas?", "Guten Tag, wie geht es Ihnen heute?"])]
    ['hr', 'de']
    """
    if jobs == 1 and not isinstance(text, str):
        from paberki.identification import identify_texts

        return identify_texts(_as_list(text), **options)
    return _answers("paberki.identification", "identify", text, options, jobs)


@overload
def annotate(
    text: str, lang: str = "", *, model: str | Path | Sequence[str | Path] | None = None, tagger: str | None = None,
    jobs: int = 1,
) -> Document: ...  # fmt: skip
@overload
def annotate(
    text: list[str], lang: str = "", *, model: str | Path | Sequence[str | Path] | None = None,
    tagger: str | None = None, jobs: int = 1,
) -> list[Document]: ...  # fmt: skip
def annotate(text: Any, lang: str = "", *, jobs: int = 1, **options: Any) -> Any:
    """Tokens, sentences, tags, lemmas and trees of a text in a language; of a list, one document for each text.

    Options are those of :func:`paberki.annotation.annotate`: ``model``, ``tagger``.

    >>> import paberki
    >>> [token.lemma for token in paberki.annotate("Ana živi u Zagrebu.", lang="hr").tokens]
    ['Ana', 'živjeti', 'u', 'Zagreb', '.']
    """
    return _answers("paberki.annotation", "annotate", text, {"lang": lang, **options}, jobs)


@dataclass(frozen=True, slots=True)
class _ListTask:
    """A piece of the list, for a worker."""

    first: int
    texts: list[Any]
    module: str
    name: str
    options: dict[str, Any]

    @property
    def title(self) -> str:
        """For error messages."""
        return f"running {self.name} on texts {self.first} to {self.first + len(self.texts) - 1} of the list"

    def run(self, work: Work) -> list[Any]:
        """The answers; a text that ended a worker twice is named."""
        one = getattr(importlib.import_module(self.module), self.name)
        answers = []
        for place, text in enumerate(self.texts):
            if place in work.caution.banned_rows:
                raise PaberkiError(f"text {self.first + place} of the list: {work.caution.banned_rows[place][1]}")
            work.beat(place, place + 1)
            answers.append(one(text, **self.options))
        return answers


def _answers(module: str, name: str, texts: Any, options: dict[str, Any], jobs: int) -> Any:
    if isinstance(texts, str | bytes | bytearray | memoryview):
        return getattr(importlib.import_module(module), name)(texts, **options)
    several = _as_list(texts)
    jobs = min(_process_count(jobs), max(1, len(several)))
    if jobs == 1:
        one = getattr(importlib.import_module(module), name)
        return [one(text, **options) for text in several]
    return _on_several_cores(module, name, several, options, jobs)


def _as_list(texts: Any) -> list[Any]:
    try:
        return list(texts)
    except TypeError as error:
        raise ConfigError(f"a text or a list of texts is needed, not {type(texts).__name__}") from error


def _process_count(jobs: int) -> int:
    if jobs < 0:
        raise ConfigError(f"jobs = {jobs}: a number of processes, or 0 for one on each core")
    return jobs or os.cpu_count() or 1


def _on_several_cores(module: str, name: str, texts: list[In], options: dict[str, Any], jobs: int) -> list[Any]:
    from paberki.engine.task import RecordBudget
    from paberki.engine.workers.local import LocalEngine

    piece = max(1, min(_PIECE, -(-len(texts) // (4 * jobs))))
    tasks = [_ListTask(at, texts[at : at + piece], module, name, options) for at in range(0, len(texts), piece)]
    engine = LocalEngine(jobs, RecordBudget())
    try:
        answers = {cast("_ListTask", task).first: answer for task, answer in engine.run(tasks)}
    finally:
        engine.close()
    return [answer for at in sorted(answers) for answer in answers[at]]
