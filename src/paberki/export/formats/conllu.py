"""CoNLL-U: the annotated sentences of the kept blocks, with page and paragraph as the format has them.

Where several taggers annotated a corpus, each sentence is written once for each of them, with a comment ``# scheme`` that
names the tagger. From the second tagger on, the ``sent_id`` ends in the tagger's number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import pyarrow as pa

from paberki.annotation.document import EMPTY
from paberki.annotation.files.conllu_writer import misc_cell, one_line, token_line
from paberki.export.annotated_pages import ANNOTATION, FIRST, Sentence, sentences_of
from paberki.export.export_format import About, Form
from paberki.store.batch import field_of_blocks


def write(chunks: Iterable[pa.Table], file: BinaryIO, about: About) -> None:
    """All annotated pages, one after the other; pages without annotation have no sentences."""
    for chunk in chunks:
        texts = field_of_blocks(chunk.column("blocks"), "text").to_pylist()
        for page, blocks in zip(chunk.drop_columns(["blocks"]).to_pylist(), texts, strict=True):
            lines = document(page, blocks or [], about.schemes)
            file.write("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))


def document(page: dict[str, Any], texts: list[str], schemes: tuple[str, ...]) -> Iterator[str]:
    """Lines of one page."""
    sentences = sentences_of(page, schemes)
    if not sentences:
        return
    yield f"# newdoc id = {page['id']}"
    yield f"# url = {one_line(page.get('url') or '')}"
    keep = page["block_keep"] or [False] * len(texts)
    for number, (text, stays) in enumerate(zip(texts, keep, strict=True)):
        for place, sentence in enumerate(sentences.get(number, ()) if stays else ()):
            if place == 0:
                yield f"# newpar id = {page['id']}.{number}"
            yield from _sentence(f"{page['id']}.{number}.{place + 1}", sentence, text, schemes)


def _sentence(name: str, sentence: Sentence, text: str, schemes: tuple[str, ...]) -> Iterator[str]:
    """A sentence once for each tagger."""
    for number, scheme in enumerate(schemes):
        yield f"# sent_id = {name}" + (f"-{number + 1}" if number else "")
        yield f"# text = {one_line(text[sentence[0].start : sentence[-1].end])}"
        if schemes != (FIRST,):
            yield f"# scheme = {one_line(scheme)}"
        yield from _rows(sentence, text, number)
        yield ""


def _rows(sentence: Sentence, text: str, scheme: int) -> Iterator[str]:
    """The lines of the tokens; unknown words and frames belong to the first tagger."""
    for number, token in enumerate(sentence, 1):
        layers = token.schemes[scheme]
        after = sentence[number].start if number < len(sentence) else -1
        misc = misc_cell(
            _or_none(layers.ner),
            token.oov and scheme == 0,
            _or_none(token.frame) if scheme == 0 else None,
            after == token.end,
        )
        yield token_line(
            number,
            one_line(token.form(text)),
            one_line(layers.lemma),
            layers.upos,
            layers.xpos,
            layers.feats,
            layers.head,
            layers.deprel,
            misc,
        )


def _or_none(value: str) -> str | None:
    return None if value == EMPTY else value


FORM = Form(write, ("blocks", "block_keep", *ANNOTATION), ".conllu", requires="annotated")
