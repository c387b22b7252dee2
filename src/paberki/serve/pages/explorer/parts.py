"""The views of one page: original, text, blocks, bytes, tokens, provenance, explanation, copies, captures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

import numpy as np

from paberki.errors import PaberkiError
from paberki.markup.html import Safe, element, join_html, table
from paberki.serve.pages.explorer.citing import citations
from paberki.serve.pages.explorer.page_source import page_of_index, payload_of
from paberki.serve.pages.explorer.token_places import page_hits, token_bytes
from paberki.serve.pages.pieces import breaking, text_attributes
from paberki.store.sql.quoting import quote

if TYPE_CHECKING:
    from paberki.report.one_page.row import Row
    from paberki.serve.pages.visit import Visit

_LINE: Final = 16
_SHOWN_BYTES: Final = 4096
_SHOWN_TOKENS: Final = 1000


def original_frame(visit: Visit, row: Row) -> object:
    """The page itself, in a frame in which nothing runs."""
    has_tints = visit.value("blocks") == "1"
    pairs = {name: visit.value(name) for name in ("q", "corpus")}
    pairs |= {"hit": visit.value("start"), "blocks": "1" if has_tints else ""}
    parameters = urlencode({name: value for name, value in pairs.items() if value})
    address = f"/page/{row['id']}/original{'?' if parameters else ''}{parameters}#hit-1"
    frame = element(
        "iframe",
        src=address,
        class_="original",
        data_testid="original",
        sandbox=True,
        title=visit.say("the page as it was fetched"),
        referrerpolicy="no-referrer",
    )
    alone = element("a", visit.say("by itself"), href=address)
    other = visit.here(
        f"/page/{row['id']}", q=visit.value("q"), start=visit.value("start"), blocks=None if has_tints else "1"
    )
    tint = element(
        "a", "☑ " if has_tints else "☐ ", visit.say("tint kept and left-out blocks"), href=other, role="button", class_="button",
        aria_pressed="true" if has_tints else "false", data_testid="tint",
    )  # fmt: skip
    return element(
        "section",
        element("div", tint, class_="row"),
        frame,
        element(
            "p", visit.say("As it was fetched: no script runs, nothing is loaded."), " ", alone, class_="small muted"
        ),
        class_="stack tight",
    )


def text(visit: Visit, row: Row) -> object:
    """The kept text, hits marked; what was left out on demand."""
    everything = visit.value("all") == "1"
    blocks, keep = row["blocks"] or [], row["block_keep"] or []
    hits = _hit_texts(visit, row)
    paragraphs = []
    for number, block in enumerate(blocks):
        stays = keep[number] if number < len(keep) and keep[number] is not None else block["kept"]
        if stays or everything:
            paragraphs.append(
                element(
                    "p",
                    _with_marks(block["text"] or "", hits.get(number, [])),
                    class_=None if stays else "out",
                    **text_attributes(row["lang"]),
                )
            )
    switch = visit.here(f"/page/{row['id']}/text", q=visit.value("q"), all=None if everything else "1")
    link = element(
        "a",
        visit.say("only what was kept") if everything else visit.say("show what was left out too"),
        href=switch,
        class_="button",
    )
    return join_html([element("div", link), element("div", *paragraphs, class_="running")])


def _hit_texts(visit: Visit, row: Row) -> dict[int, list[tuple[int, int]]]:
    """Characters of hits by block."""
    page = page_of_index(visit.edition, str(row["id"]))
    out: dict[int, list[tuple[int, int]]] = {}
    if page is None or not visit.ask.q or not row["tok_start"]:
        return {}
    try:
        hits = page_hits(visit.edition, page, visit.ask, visit.service.settings)
    except PaberkiError:
        return {}
    owners = np.repeat(row["sent_block"], row["sent_length"])
    for start, end in zip(hits.starts.tolist(), hits.ends.tolist(), strict=True):
        low, high = start - hits.first, end - 1 - hits.first
        if high < len(owners) and owners[low] == owners[high]:
            out.setdefault(int(owners[low]), []).append((row["tok_start"][low], row["tok_end"][high]))
    return out


def _with_marks(words: str, spans: list[tuple[int, int]]) -> Safe:
    parts: list[object] = []
    at = 0
    for low, high in sorted(spans):
        if low >= at:
            parts += [words[at:low], element("mark", words[low:high])]
            at = high
    return join_html([*parts, words[at:]])


def blocks(visit: Visit, row: Row) -> object:
    """Every block with label, score and reason."""
    keep, why = row["block_keep"] or [], row["block_reason"] or []
    items = []
    for number, block in enumerate(row["blocks"] or []):
        stays = keep[number] if number < len(keep) and keep[number] is not None else block["kept"]
        reason = ", ".join(
            dict.fromkeys(str(one) for one in (why[number] if number < len(why) else None, block["reason"]) if one)
        )
        facts = [
            str(number), str(block["label"] or ""), f"{block['score']:.2f}" if block["score"] is not None else "",
            visit.say("bytes {low}–{high}", low=str(block["start"]), high=str(block["end"])), str(block["path"] or "")[-80:],
        ]  # fmt: skip
        mark = (
            element("span", visit.say("kept"), class_="mark-in")
            if stays
            else element("span", visit.say("left out"), class_="mark-out")
        )
        head = element("header", mark, *(element("span", fact) for fact in facts if fact), element("span", reason))
        items.append(
            element(
                "article",
                head,
                element("p", block["text"] or "", class_="text", **text_attributes(row["lang"])),
                class_="block" if stays else "block out",
                id=f"block-{number}",
            )
        )
    return element("div", *items, class_="stack")


def raw_bytes(visit: Visit, row: Row) -> object:
    """Bytes as they were received, sixteen to a line."""
    data = payload_of(visit.edition, row).data
    start = min(visit.number("at", 0) // _LINE * _LINE, max(len(data) - 1, 0))
    lines = []
    for at in range(start, min(start + _SHOWN_BYTES, len(data)), _LINE):
        piece = data[at : at + _LINE]
        printable_text = "".join(chr(byte) if 32 <= byte < 127 else "·" for byte in piece)
        lines.append(f"{at:08d}  {piece.hex(' '):<{_LINE * 3}} {printable_text}")
    here = f"/page/{row['id']}/bytes"
    links: list[object] = []
    if start:
        links.append(
            element(
                "a",
                "◂ ",
                visit.say("previous"),
                href=visit.here(here, at=max(0, start - _SHOWN_BYTES)),
                class_="button",
            )
        )
    if start + _SHOWN_BYTES < len(data):
        links.append(
            element("a", visit.say("next"), " ▸", href=visit.here(here, at=start + _SHOWN_BYTES), class_="button")
        )
    about = visit.say("{n} bytes, read as {encoding}", n=len(data), encoding=str(row["encoding"]))
    dump = element("pre", "\n".join(lines), class_="bytes", tabindex="0", role="region", aria_label=visit.say("Bytes"))
    return join_html([element("p", about, class_="muted small"), dump, element("div", *links, class_="row")])


def tokens(visit: Visit, row: Row) -> object:
    """Tokens with their attributes, their bytes, and the tree of each sentence."""
    if not row["tok_start"]:
        return element("p", visit.say("This page is not annotated."), class_="muted")
    spans = token_bytes(visit.edition, row.number)
    owners = np.repeat(row["sent_block"], row["sent_length"]).tolist()
    sentences = np.repeat(np.arange(len(row["sent_length"])), row["sent_length"]).tolist()
    rows, last = [], -1
    for at in range(min(len(owners), _SHOWN_TOKENS)):
        form = (row["blocks"][owners[at]]["text"] or "")[row["tok_start"][at] : row["tok_end"][at]]
        sentence = (
            element(
                "a",
                str(sentences[at]),
                href=visit.here(f"/page/{row['id']}/tree/{sentences[at]}"),
                title=visit.say("Tree"),
            )
            if sentences[at] != last
            else ""
        )
        last = sentences[at]
        place = f"{int(spans[0][at])}–{int(spans[1][at])}" if spans is not None else ""
        rows.append(
            (
                sentence,
                form,
                *(
                    breaking(_at(row[f"tok_{name}"], at))
                    for name in ("lemma", "upos", "xpos", "feats", "head", "deprel", "ner")
                ),
                place,
            )
        )
    head = (
        visit.say("sentence"),
        visit.say("word"),
        "lemma",
        "upos",
        "xpos",
        "feats",
        visit.say("head"),
        visit.say("relation"),
        "ner",
        visit.say("bytes"),
    )
    more = (
        element("p", visit.say("the first {n} tokens", n=_SHOWN_TOKENS), class_="muted")
        if len(owners) > _SHOWN_TOKENS
        else ""
    )
    return join_html([_region(visit, table(head, rows, words=10)), more])


def _region(visit: Visit, inside: object) -> Safe:
    return element("div", inside, tabindex="0", role="region", aria_label=visit.say("Table"))


def _at(values: Any, at: int) -> str:
    return "" if not values or at >= len(values) or values[at] is None else str(values[at])


def provenance(visit: Visit, row: Row) -> object:
    """Where the page comes from, on one sheet."""
    facts = provenance_facts(visit, row)
    rows = join_html(join_html([element("dt", visit.say(name)), element("dd", value)]) for name, value in facts)
    return element(
        "section",
        element("dl", rows, class_="facts"),
        citations(visit, row),
        class_="card stack",
        data_testid="provenance",
        id="fragment",
    )


PROVENANCE: Final = frozenset({
    "id", "key", "url", "date", "title", "status", "warc_file", "warc_offset", "warc_length", "encoding", "http_charset", "lang", "lang_p",
    "badness", "dup_cluster", "dup_size", "signals", "open_licence", "schemes", "keep", "reason", "sha224",
})  # fmt: skip
"""Columns that say where a page comes from."""


def provenance_facts(visit: Visit, row: Row) -> list[tuple[str, object]]:
    """Facts in the order in which people ask for them."""
    declared_charset = row["http_charset"]
    facts: list[tuple[str, object]] = [
        ("address", element("a", str(row["url"] or ""), href=visit.here(f"/page/{row['id']}"))),
        ("fetched", f"{row['date'] or ''} · HTTP {row['status']}"),
        ("archive", f"{row['warc_file']} · {visit.say('offset')} {row['warc_offset']} · {row['warc_length']} {visit.say('bytes')}"),
        ("encoding", f"{row['encoding']}" + (f" ({visit.say('declared')} {declared_charset})" if declared_charset else "")),
        ("language", f"{row['lang'] or ''} {row['lang_p'] or 0:.2f}" if row["lang"] else ""),
        ("badness", "" if row["badness"] is None else f"{row['badness']:.2f}"),
        ("copies", "" if not row["dup_cluster"] else element("a", f"{row['dup_size']} · {row['dup_cluster']}", href=visit.here(f"/cluster/{row['id']}"))),
        ("rights", ", ".join(map(str, [*(row["signals"] or []), *([row["open_licence"]] if row["open_licence"] else [])]))),
        ("annotated by", ", ".join(map(str, row["schemes"] or []))),
        ("verdict", visit.say("kept") if row["keep"] else f"{visit.say('left out')}: {row['reason']}"),
        ("key", element("code", str(row["key"]))),
        ("SHA-224", element("code", str(row["sha224"] or ""))),
    ]  # fmt: skip
    return [(name, value) for name, value in facts if value not in ("", None)]


def explain(visit: Visit, row: Row) -> object:
    """Everything that ``paberki explain`` says."""
    from paberki.report.one_page.explain import explain as explain_page

    corpus = visit.edition.pages
    lines = explain_page(corpus.directory, visit.edition.layout, corpus.decisions(), str(row["id"])).lines()
    sections: list[object] = []
    title, inside = "", []  # type: ignore[var-annotated]
    for line in [*lines, ""]:
        if not line.strip():
            if title:
                sections.append(
                    element(
                        "section",
                        element("h2", title),
                        element("pre", "\n".join(inside), class_="small", tabindex="0"),
                        class_="card stack tight",
                    )
                )
            title, inside = "", []
        elif not title:
            title = line
        else:
            inside.append(line.strip())
    command = element("p", element("code", f"paberki explain {corpus.root} {row['id']}"), class_="small muted")
    return element("section", *sections, command, class_="stack", id="fragment", aria_label=visit.say("Explain"))


def copies(visit: Visit, row: Row) -> object:
    """Pages that are copies of this one."""
    from paberki.serve.pages.explorer.copies import cluster_table

    return cluster_table(visit, row)


def captures(visit: Visit, row: Row) -> object:
    """All captures of the same address over time."""
    corpus = visit.edition.pages
    names, rows = corpus.sql(
        "SELECT id, date, status, capture, keep, reason, sha224 FROM pages"
        f" WHERE url = {quote(str(row['url'] or ''))} ORDER BY date LIMIT 200"
    )
    cells = []
    for one in rows:
        values = dict(zip(names, one, strict=True))
        link = element(
            "a",
            str(values["id"]),
            href=visit.here(f"/page/{values['id']}"),
            aria_current="true" if values["id"] == row["id"] else None,
        )
        compare = (
            ""
            if values["id"] == row["id"]
            else element("a", visit.say("compare"), href=visit.here(f"/compare/{row['id']}/{values['id']}"))
        )
        fate = visit.say("kept") if values["keep"] else str(values["reason"] or "")
        cells.append(
            (
                link,
                str(values["date"] or ""),
                str(values["status"] or ""),
                fate,
                str(values["sha224"] or "")[:12],
                compare,
            )
        )
    head = (visit.say("page"), visit.say("fetched"), "HTTP", visit.say("verdict"), "SHA-224", "")
    return _region(visit, table(tuple(name or "·" for name in head), cells, words=6))
