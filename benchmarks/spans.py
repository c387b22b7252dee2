"""Do the spans of blocks, titles and links hold what they say? Checked without any of the extractor's own code.

    python benchmarks/spans.py SETS [--methods learned,tagpath]

SETS is a directory of sets of pages (docs/training-data.md). The source of a span is its bytes without tags, comments
and script, style, noscript, template and svg elements; decoded and unescaped it must be the text, white space aside.
Every page is given as a string, as its bytes in the encoding of the set, and once more in UTF-16, in an encoding with
double bytes and with a byte order mark. Prints the spans that are wrong and ends with 1 if there are any.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import paberki

_UNSEEN = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))"
    r"|<(script|style|noscript|template|svg)(?=[\s/>])(?:[^>\"']|\"[^\"]*\"|'[^']*')*>.*?</\1(?=[\s/>])[^>]*>"
    r"|<[!?][^>]*>|</[^a-zA-Z][^>]*>|</>"
    r"|</?[a-zA-Z](?:[^>\"'=]|=\s*\"[^\"]*\"|=\s*'[^']*'|=|[\"'])*>",
    re.DOTALL | re.IGNORECASE,
)


def wording(source: str) -> str:
    """What a reader sees of a piece of a page, without white space."""
    return "".join(unescape(_UNSEEN.sub("", source)).split())


def pages(path: Path) -> Iterator[tuple[str, bytes, str]]:
    """Name, bytes and encoding of all pages of a set."""
    with tarfile.open(path) as archive:
        files = {member.name: member for member in archive.getmembers() if member.isfile()}

        def read(name: str) -> bytes:
            opened = archive.extractfile(files[name])
            assert opened is not None
            return opened.read()

        for line in read("gold.jsonl").decode("utf-8", "replace").split("\n"):
            if line.strip():
                row = json.loads(line)
                yield f"{path.name.partition('.')[0]}/{row['file']}", read(f"html/{row['file']}"), row["enc"] or "utf-8"


def views(data: bytes, encoding: str) -> Iterator[tuple[str, bytes, str | bytes, str | None]]:
    """A page as it may be given: what it is called, the payload that offsets count in, what is given, its encoding."""
    text = data.decode(encoding, "replace")
    yield "bytes", data, data, None
    yield "str", text.encode("utf-8", "surrogatepass"), text, None
    for name, codec, mark in (
        ("utf-8 with mark", "utf-8", "\ufeff"),
        ("utf-16", "utf-16-le", ""),
        ("gb18030", "gb18030", ""),
    ):
        coded = (mark + text).encode(codec, "surrogatepass" if codec != "gb18030" else "replace")
        yield name, coded, coded, codec


def wrong(page: paberki.Extraction, payload: bytes) -> Iterator[tuple[str, str, str]]:
    """Spans that do not hold their text."""
    spans = [("block", one) for one in page.blocks] + [("link", one) for one in page.links if one.text]
    for kind, one in spans:
        source = payload[one.start : one.end].decode(page.encoding, "replace")
        if wording(source) != "".join(one.text.split()):
            yield kind, source, one.text
    title = page.title_span
    if title:  # in a title there are no tags, only text that looks like them
        source = payload[title.start : title.end].decode(page.encoding, "replace")
        if unescape(source).split() != title.text.split():
            yield "title", source, title.text


def main() -> None:
    """Check all pages; the figures at the end."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", type=Path)
    parser.add_argument("--only", help="name of one set")
    parser.add_argument("--views", help="only views whose name holds this")
    parser.add_argument("--method", default="tagpath")
    options = parser.parse_args()
    totals, bad = Counter[str](), Counter[str]()
    for path in sorted(options.sets.glob("*.tar.xz")):
        if options.only and not path.name.startswith(options.only):
            continue
        for name, data, encoding in pages(path):
            for view, payload, page_input, codec in views(data, encoding):
                if options.views and options.views not in view:
                    continue
                page = paberki.extract(page_input, method=options.method, encoding=codec)
                totals[view] += len(page.blocks) + len(page.links)
                for kind, source, text in wrong(page, payload):
                    bad[f"{kind}, {view}"] += 1
                    print(f"{name} ({view}, {page.encoding}): {kind} {text[:300]!r} has the source {source[:600]!r}")
    print(dict(totals), "wrong:", dict(bad))
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
