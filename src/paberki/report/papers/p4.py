"""P4, TSUBAKI: tags of the Web standard format, file sizes, parameters, a document, an answer (P4 Tables 1–3, Figs. 1–2).

P4 and its manual differ (default of ``results`` 20 or 10, digits of an id nine or ten); the paper's figures stand here.
"""

from __future__ import annotations

import gzip
from collections import Counter as Tally
from collections.abc import Iterator
from importlib import import_module
from typing import Final
from urllib.parse import urlencode
from xml.etree.ElementTree import ParseError, fromstring

from paberki.errors import PaberkiError
from paberki.report.papers.paper_item import Item, listing, row
from paberki.report.papers.paper_view import PaperView
from paberki.store.scratch import scratch_folder

_TAGS: Final = (
    "StandardFormat", "Header", "Title", "InLinks", "InLink", "OutLinks", "OutLink", "DocIDs", "DocID", "Keywords",
    "Description", "Text", "S", "RawString", "Annotation",
)  # fmt: skip
_PARAMETERS: Final = {
    "query": "string", "start": "integer: default 1", "results": "integer: default 20",
    "logical_operator": "AND/OR: default AND", "snippets": "0/1: default 0", "filter_simpages": "0/1: default 0",
    "id": "string", "format": "html/xml",
}  # fmt: skip
_SIZES: Final = {"Web pages": 0.6, "Web standard format data": 3.1}
_PAGES: Final = 200
_WORD_LETTERS: Final = 4
_NO_EXPORT: Final = "This installation has no export format wsf; see: paberki export --help"


def items(view: PaperView) -> list[Item]:
    """Tables 1 to 3 and Figures 1 and 2."""
    documents = list(_documents(view))
    tags: Tally[str] = Tally(tag for document in documents for tag in _tags(document))
    missing = "" if documents else _NO_EXPORT
    first = [row(tag, tags.get(tag), "in the tag set") for tag in _TAGS]
    first += [row(tag, count, "–") for tag, count in tags.items() if tag not in _TAGS]
    sample = documents[0].decode("utf-8", "replace") if documents else ""
    about = "The first lines of a page of this corpus in the Web standard format."
    return [
        Item("Table 1", "The tag set of the Web standard format", first, missing=missing),
        _sizes(view, documents),
        _parameters(),
        Item(
            "Figure 1",
            "An example of the Web standard format",
            [{"corpus": "ours", "document": sample[:4000]}],
            listing("figure-1", "A page in the Web standard format", about, sample) if sample else "",
            missing=missing,
        ),
        _answer(view),
    ]


def _answer(view: PaperView) -> Item:
    """What the service answers to a search for a frequent word of this corpus."""
    title = "An example of a search result"
    word = _frequent_word(view)
    request = {"query": word, "start": 1, "results": 3, "logical_operator": "AND"}
    try:
        answer = import_module("paberki.serve.tsubaki.example").example_answer(view.corpus.directory.root, request)
    except PaberkiError as error:
        return Item("Figure 2", title, [{"request": f"/api?{urlencode(request)}"}], missing=str(error))
    rows = [{"corpus": "ours", "request": f"/api?{urlencode(request)}", "answer": answer[:4000]}]
    rows.append(
        {"corpus": "published", "request": "", "answer": "ResultSet with Result (Rank, Id, Score), Title, Url, Cache"}
    )
    about = "The first lines of the answer to a search in this corpus."
    return Item("Figure 2", title, rows, listing("figure-2", title, about, answer))


def _frequent_word(view: PaperView) -> str:
    """A word of some length that stands in many pages; without annotation, one of a title."""
    source = view.words
    if not isinstance(source, str):
        texts = source.values("word").texts(source.most_frequent(200))
        if word := next((str(text) for text in texts if len(str(text)) > _WORD_LETTERS and str(text).isalpha()), ""):
            return word
    titles = view.counter.rows("SELECT title FROM pages WHERE keep AND title IS NOT NULL LIMIT 20")
    words = [word for (title,) in titles for word in str(title).split() if word.isalpha()]
    return max(words, key=len, default="web")


def _documents(view: PaperView) -> Iterator[bytes]:
    """Pages in the Web standard format, as the export writes them; none where it cannot."""
    from paberki.export import export

    directory, plan = view.corpus.directory, view.corpus.plan
    with scratch_folder() as scratch:
        try:
            export(directory, plan, "wsf", scratch / "pages", where=None)
        except PaberkiError:
            return
        files = [path for path in sorted(scratch.rglob("*")) if path.is_file()]
        for path in files[:_PAGES]:
            data = path.read_bytes()
            yield gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def _tags(document: bytes) -> Iterator[str]:
    """Names of the elements of a document; it was written by our own export."""
    try:
        yield from (str(element.tag) for element in fromstring(document).iter())  # noqa: S314 - our own
    except ParseError:
        return


def _sizes(view: PaperView, documents: list[bytes]) -> Item:
    [(pages, size)] = view.counter.rows("SELECT count(*), coalesce(sum(warc_length), 0) FROM pages WHERE keep")
    packed_bytes = sum(len(gzip.compress(document)) for document in documents)
    ours = {"Web pages": int(size), "Web standard format data": packed_bytes or None}
    rows = [row(name, ours[name], published, unit="ours bytes, published TB") for name, published in _SIZES.items()]
    notes = [f"{int(pages):,} kept pages, both packed with gzip; P4 has 100 million pages."]
    return Item("Table 2", "File sizes", rows, notes=notes, missing="" if documents else _NO_EXPORT)


def _parameters() -> Item:
    """What the service answers to, asked at run time: reports know nothing about services."""
    parameters = import_module("paberki.serve.tsubaki").PARAMETERS
    rows = [
        row(name, "answered" if name in parameters else "ignored", published) for name, published in _PARAMETERS.items()
    ]
    rows += [row(name, "answered", "–") for name in parameters if name not in _PARAMETERS]
    missing = ""
    return Item("Table 3", "Request parameters of the API", rows, missing=missing)
