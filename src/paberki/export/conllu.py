"""CoNLL-U: the annotated sentences of the kept blocks, with page and paragraph as the format has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import pyarrow as pa

from paberki.export.annotated import ANNOTATION, Sentence, sentences_of
from paberki.export.form import About, Form
from paberki.store.batch import field_of_blocks


def write(chunks: Iterable[pa.Table], file: BinaryIO, about: About) -> None:
    """All annotated pages, one after the other; pages without annotation have no sentences to give."""
    del about
    for chunk in chunks:
        texts = field_of_blocks(chunk.column("blocks"), "text").to_pylist()
        for page, blocks in zip(chunk.drop_columns(["blocks"]).to_pylist(), texts, strict=True):
            file.write("".join(f"{line}\n" for line in document(page, blocks or [])).encode("utf-8", "replace"))


def document(page: dict[str, Any], texts: list[str]) -> Iterator[str]:
    """Lines of one page."""
    found = sentences_of(page)
    if not found:
        return
    yield f"# newdoc id = {page['id']}"
    yield f"# url = {_cell(page.get('url') or '')}"
    keep = page["block_keep"] or [False] * len(texts)
    for number, (text, stays) in enumerate(zip(texts, keep, strict=True)):
        for place, sentence in enumerate(found.get(number, ()) if stays else ()):
            if place == 0:
                yield f"# newpar id = {page['id']}.{number}"
            yield f"# sent_id = {page['id']}.{number}.{place + 1}"
            yield f"# text = {_cell(text[sentence[0].start : sentence[-1].end])}"
            yield from _rows(sentence, text)
            yield ""


def _rows(sentence: Sentence, text: str) -> Iterator[str]:
    for number, token in enumerate(sentence, 1):
        after = sentence[number].start if number < len(sentence) else -1
        said = [f"NER={token.ner}"] if token.ner != "_" else []
        said += ["OOV=Yes"] if token.oov else []
        said += ["SpaceAfter=No"] if after == token.end else []
        cells = (
            number,
            _cell(token.form(text)),
            _cell(token.lemma),
            token.upos,
            token.xpos,
            token.feats,
            token.head,
            token.deprel,
            "_",
            "|".join(said) or "_",
        )
        yield "\t".join(map(str, cells))


def _cell(value: str) -> str:
    return " ".join(value.split()) or "_"


FORM = Form(write, ("blocks", "block_keep", *ANNOTATION), ".conllu")
