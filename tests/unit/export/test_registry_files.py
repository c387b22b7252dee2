"""Registry files declare what imported files gave pages, paragraphs and sentences beside the columns of the corpus."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pyarrow as pa

from paberki.export.export_format import ExportedFile, ExportHead
from paberki.export.registry_files import names_of_imported, registry_files


def pair(name: str, value: str = "x") -> dict[str, str]:
    return {"name": name, "value": value}


def test_imported_attributes_are_declared() -> None:
    pages = pa.table(
        {
            "attributes": [[pair("genre"), pair("url"), pair("žanr"), pair("3graph")], None],
            "block_attributes": [[[pair("heading")], None], [[pair("a-b")]]],
            "sent_comments": [["# n = 1\n# text = Danas.", None], ["# mood = ind"]],
        }
    )
    side = names_of_imported(pages, {"doc": ["url"], "p": []})
    files = registry_files(
        ExportHead("c", pa.schema([])), ExportedFile("o.vert", Counter(pages=2), [side, b""], Path("o")), ["word"]
    )
    manatee, cwb = files[".registry"].decode(), files[".cwb"].decode()
    assert "STRUCTURE doc {\n\tATTRIBUTE 3graph\n\tATTRIBUTE genre\n}" in manatee
    assert "STRUCTURE p {\n\tATTRIBUTE type\n\tATTRIBUTE heading\n}" in manatee
    assert "STRUCTURE s {\n\tATTRIBUTE mood\n\tATTRIBUTE n\n}" in manatee
    assert "-S doc:0+ngram3+genre -S p:0+type+heading -S s:0+mood+n -0 g" in cwb
    assert "STRUCTURE s_mood # [annotations]" in cwb


def test_pages_of_the_web_have_none() -> None:
    pages = pa.table({"attributes": pa.nulls(2), "url": ["a", "b"]})
    assert names_of_imported(pages, {"doc": [], "p": []}) == b""
