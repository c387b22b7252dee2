"""CoNLL-U: the annotated sentences of the kept blocks, with page and paragraph as the format has them.

Where several taggers annotated a corpus, each sentence stands there once for each of them, with a comment ``# scheme``
that names it; the number of the tagger, from the second on, ends the ``sent_id``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import pyarrow as pa

from paberki.export.annotated_pages import ANNOTATION, FIRST, Sentence, sentences_of
from paberki.export.export_format import About, Form
from paberki.store.batch import field_of_blocks
from paberki.terminal import without_controls


def write(chunks: Iterable[pa.Table], file: BinaryIO, about: About) -> None:
    """All annotated pages, one after the other; pages without annotation have no sentences to give."""
    for chunk in chunks:
        texts = field_of_blocks(chunk.column("blocks"), "text").to_pylist()
        for page, blocks in zip(chunk.drop_columns(["blocks"]).to_pylist(), texts, strict=True):
            lines = document(page, blocks or [], about.schemes)
            file.write("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))


def document(page: dict[str, Any], texts: list[str], schemes: tuple[str, ...]) -> Iterator[str]:
    """Lines of one page."""
    found = sentences_of(page, schemes)
    if not found:
        return
    yield f"# newdoc id = {page['id']}"
    yield f"# url = {_cell(page.get('url') or '')}"
    keep = page["block_keep"] or [False] * len(texts)
    for number, (text, stays) in enumerate(zip(texts, keep, strict=True)):
        for place, sentence in enumerate(found.get(number, ()) if stays else ()):
            if place == 0:
                yield f"# newpar id = {page['id']}.{number}"
            yield from _sentence(f"{page['id']}.{number}.{place + 1}", sentence, text, schemes)


def _sentence(name: str, sentence: Sentence, text: str, schemes: tuple[str, ...]) -> Iterator[str]:
    """A sentence once for each tagger."""
    for number, scheme in enumerate(schemes):
        yield f"# sent_id = {name}" + (f"-{number + 1}" if number else "")
        yield f"# text = {_cell(text[sentence[0].start : sentence[-1].end])}"
        if schemes != (FIRST,):
            yield f"# scheme = {_cell(scheme)}"
        yield from _rows(sentence, text, number)
        yield ""


def _rows(sentence: Sentence, text: str, scheme: int) -> Iterator[str]:
    for number, token in enumerate(sentence, 1):
        said = token.schemes[scheme]
        after = sentence[number].start if number < len(sentence) else -1
        more = [f"NER={said.ner}"] if said.ner != "_" else []
        if scheme == 0:
            more += ["OOV=Yes"] if token.oov else []
            more += [f"Frame={token.frame}"] if token.frame != "_" else []
        more += ["SpaceAfter=No"] if after == token.end else []
        cells = (
            number,
            _cell(token.form(text)),
            _cell(said.lemma),
            said.upos,
            said.xpos,
            said.feats,
            said.head,
            said.deprel,
            "_",
            "|".join(more) or "_",
        )
        yield "\t".join(map(str, cells))


def _cell(value: str) -> str:
    return without_controls(" ".join(value.split())) or "_"


FORM = Form(write, ("blocks", "block_keep", *ANNOTATION), ".conllu", requires="annotated")
