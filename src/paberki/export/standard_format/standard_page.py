"""A page of the format, put together from the columns of the corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from operator import eq
from typing import Any, Final

from paberki.annotation.document import EMPTY
from paberki.annotation.files.conllu_writer import misc_cell
from paberki.export.standard_format.imported_header import ImportedHeader, imported_header
from paberki.export.standard_format.linked_pages import LinkedPages
from paberki.export.standard_format.sentence_places import PlacedSentence, placed_sentences
from paberki.export.standard_format.standard_xml import Passage, StandardLink, StandardPage
from paberki.export.words.token_table import FIRST, LAYERS
from paberki.extraction.about.inlinks import address
from paberki.terminal import without_controls

COLUMNS: Final = (
    "id", "key", "url", "date", "mime", "encoding", "lang", "title", "title_span", "keywords", "keywords_span",
    "description", "description_span", "links", "targets", "inlinks", "author", "published", "blocks", "keep", "block_keep",
    "warc_file", "warc_offset", "warc_length", "annotated", "schemes", "sent_block", "sent_length", "tok_start", "tok_end",
    "tok_byte_start", "tok_byte_end", *(f"tok_{name}" for name in LAYERS), "tok_oov", "tok_frame", "other_annotations",
    "attributes", "block_attributes", "sent_comments", "tok_misc",
)  # fmt: skip
"""What is read of a page, where the corpus has it."""
BLOCK_FIELDS: Final = ("text", "start", "end", "label", "kept", "source", "breakpoints")
WORD_COLUMNS: Final = tuple(f"tok_{name}" for name in LAYERS if name != "head")
"""Columns of words, one for each token; an unknown one is ``_``."""
_COMMENT: Final = "comment"
_NO_TIME: Final = "0000-00-00 00:00:00"
_MOST_LINKS: Final = 5_000
_MOST_PAGES: Final = 1_000


def standard_page(page: Mapping[str, Any], pages: LinkedPages | None, payload: Callable[[], bytes]) -> StandardPage:
    """The page; ``payload`` gives its bytes if they are needed, ``pages`` the other ends of its links.

    Links are pairs: of words and target in ``links``, of words and the id of a page in ``inlinks``.
    """
    sentences = placed_sentences(page, payload)
    schemes = enumerate(_schemes(page))
    tag_cells = [(name, _token_cells(page, sentences, layers, at == 0)) for at, (name, layers) in schemes]
    comments = {number for number, block in enumerate(page["blocks"] or ()) if block["label"] == _COMMENT}
    header = imported_header(page)
    return StandardPage(
        url=page["url"] or "",
        encoding=page.get("encoding") or "",
        time=_time(page.get("date")),
        id=page["id"],
        language=page.get("lang") or "",
        title=_head(page, "title", header),
        keywords=_head(page, "keywords", header),
        description=_head(page, "description", header),
        in_links=header.links("InLink") if header else _in_links(page.get("inlinks") or (), pages) if pages else (),
        out_links=header.links("OutLink") if header else _out_links(page, pages) if pages else (),
        sentences=[_passage(one, tag_cells) for one in sentences if one.block not in comments],
        comments=[_passage(one, tag_cells) for one in sentences if one.block in comments],
        about_text=header.about_text() if header else _about(page),
    )


def _time(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}" if moment else _NO_TIME


def _about(page: Mapping[str, Any]) -> dict[str, str]:
    values = (("Author", page.get("author")), ("Date", page.get("published")))
    return {name: str(value) for name, value in values if value}


def _head(page: Mapping[str, Any], name: str, header: ImportedHeader | None) -> Passage | None:
    if header is not None:
        return header.passage(name.capitalize(), page.get(name))
    text, span = page.get(name), page.get(f"{name}_span")
    if not text or not span:
        return None
    return Passage(text, span["start"], span["end"] - span["start"])


def _in_links(links: Iterable[tuple[str | None, str]], pages: LinkedPages) -> list[StandardLink]:
    """Anchors of other pages, each once, with the pages that have it."""
    sources: dict[str, dict[str, str]] = {}
    for text, source in links:
        url = pages.url(source)
        if url is not None:
            sources.setdefault(text or "", {})[source] = url
    return [StandardLink(text, list(own.items())) for text, own in sources.items()]


def _out_links(page: Mapping[str, Any], pages: LinkedPages) -> list[StandardLink]:
    """Anchors of the page with where they lead, each pair once."""
    links = (page.get("links") or ())[:_MOST_LINKS]
    targets = page.get("targets")
    if targets is None:
        targets = [address(target or "", page["url"]) for _, target in links]
    places = dict.fromkeys(
        (text or "", target or href or "", bool(target)) for (text, href), target in zip(links, targets, strict=False)
    )
    ids = pages.ids([target if is_kept else "" for _, target, is_kept in places])
    return [
        StandardLink(text, [(one, url) for one in own[:_MOST_PAGES] if (url := pages.url(one)) is not None], target)
        for (text, target, _), own in zip(places, ids, strict=True)
    ]


def _schemes(page: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Taggers of a page with their layers."""
    if not page.get("annotated"):
        return []
    first = (page.get("schemes") or [FIRST])[0]
    own = {name: page.get(f"tok_{name}") for name in LAYERS}
    others = {one["scheme"]: _fill_layers(one) for one in page.get("other_annotations") or ()}
    return [(first, own), *others.items()]


def _fill_layers(layers: Mapping[str, Any]) -> dict[str, Any]:
    return {name: [EMPTY if one is None else one for one in layers.get(name) or ()] for name in LAYERS}


def _passage(sentence: PlacedSentence, tag_cells: Sequence[tuple[str, list[str]]]) -> Passage:
    """A sentence with its annotation, as lines of CoNLL-U."""
    annotations = []
    if sentence.first >= 0:
        for scheme, cells in tag_cells:
            lines = [f"{number}{own}" for number, own in enumerate(cells[sentence.first : sentence.last], 1)]
            annotations.append((scheme, "\n".join(lines)))
    return Passage(sentence.text, sentence.offset, sentence.length, annotations)


def _token_cells(
    page: Mapping[str, Any], sentences: Sequence[PlacedSentence], layers: Mapping[str, Any], is_first: bool
) -> list[str]:
    """For every token of the page its line of CoNLL-U without the number; of tokens outside of the text, nonsense."""
    count = len(page["tok_start"])
    forms, glued = _forms(page, sentences, count)
    unknown, nothing = [EMPTY] * count, [None] * count
    upos, xpos, feats, lemmas, heads, deprels, ners = (layers.get(name) or unknown for name in LAYERS)
    names = [None if ner == EMPTY else ner for ner in ners] if EMPTY in ners else ners
    oov = (page.get("tok_oov") or nothing) if is_first else nothing
    frames = (page.get("tok_frame") or nothing) if is_first else nothing
    miscs = map(misc_cell, names, oov, frames, glued)
    if not all(map(str.isprintable, lemmas)):
        lemmas = list(map(_cell, lemmas))
    return [
        f"\t{form}\t{lemma}\t{pos}\t{tag}\t{feat}\t{head}\t{deprel}\t_\t{misc}"
        for form, lemma, pos, tag, feat, head, deprel, misc in zip(
            forms, lemmas, upos, xpos, feats, heads, deprels, miscs, strict=True
        )
    ]


def _forms(page: Mapping[str, Any], sentences: Sequence[PlacedSentence], count: int) -> tuple[list[str], list[bool]]:
    """The tokens of the sentences, and whether the next one follows without a space."""
    forms, starts, ends = [""] * count, page["tok_start"], page["tok_end"]
    glued = list(map(eq, ends, [*starts[1:], -1]))
    for sentence in sentences:
        first, last = sentence.first, sentence.last
        if first >= 0:
            text = page["blocks"][sentence.block]["text"]
            own = [text[start:end] for start, end in zip(starts[first:last], ends[first:last], strict=True)]
            forms[first:last] = own if text[starts[first] : ends[last - 1]].isprintable() else map(_cell, own)
            glued[last - 1] = False
    return forms, glued


def _cell(value: str) -> str:
    if value.isprintable():
        return value
    return without_controls(" ".join(value.split())) or EMPTY


def plain_row(page: Mapping[str, Any]) -> dict[str, Any]:
    """A row of the store with links as pairs, as :func:`standard_page` takes them."""
    links = [(one["text"], one["target"]) for one in page.get("links") or ()]
    inlinks = [(one["text"], one["source"]) for one in page.get("inlinks") or ()]
    words = {name: [word or EMPTY for word in page[name]] for name in WORD_COLUMNS if page.get(name)}
    return {**page, **words, "blocks": page.get("blocks") or [], "links": links, "inlinks": inlinks}
