"""A whole build against gold: recall, precision, F, lost pages, wrong languages and copies left, beside a peer chain.

    python benchmarks/corpus.py [--lang en] [--python /tmp/peer/bin/python] [--folder /tmp/eval]
    python benchmarks/corpus.py --folder /tmp/eval --only-make

Pages with whole gold text in the language are taken from the sets of ``PABERKI_DATA/extraction``; every tenth one is
planted again as a copy (under another address, with another menu and date around it), and the pages of all other
languages stand between them. Pages of the sets that share most of their gold text (an agency's report in two newspapers)
are copies too. ``paberki eval corpus`` builds the preset ``modern`` of it. The peer, trafilatura, py3langid
and datasketch glued by hand (``corpus_peer.py``), runs where a Python is named that has them:

    python -m venv /tmp/peer && /tmp/peer/bin/pip install trafilatura py3langid datasketch warcio

The model that extraction uses was trained on most of these sets, so text scores are higher here than on new sites;
losses by rules, languages and copies are not concerned.
"""

from __future__ import annotations

import argparse
import json
import random
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from pages import data_directory

from paberki.archive.warc_writer import WarcWriter
from paberki.extraction.evaluation.gold_pages import GoldPage, read_gold
from paberki.extraction.evaluation.text_measures import tokens

COPIED = 10
"""Every so manieth page is planted again."""
GRAM, ALIKE = 6, 0.6
"""Pages whose gold texts share such a part of their runs of so many words are copies."""
MENU = '<div class="topnav"><a href="/">Home</a> <a href="/print">Print version</a> <a href="/{0}">{0}</a></div>'


def address(page: GoldPage) -> str:
    """Its own address, or one that is made from the set; pages of one site stay on one host."""
    if page.url and page.url.startswith(("http://", "https://")):
        return page.url
    return f"http://{page.set.replace('_', '-')}-{page.id.lower().replace('/', '-')}.example.org/"


def rows(pages: Sequence[GoldPage], lang: str) -> Iterator[tuple[dict[str, object], str]]:
    """Lines of the gold file, each with the page as HTML, in a shuffled order."""
    lines: dict[str, tuple[dict[str, object], str]] = {}
    earlier = EarlierTexts()
    number = 0
    for page in pages:
        url = address(page)
        if page.gold is None or url in lines:
            continue
        in_language = page.lang == lang
        row: dict[str, object] = {"url": url, "gold": page.gold if in_language else "", "lang": page.lang}
        original = earlier.original(url, page.gold) if in_language else None
        if original:
            row["copy_of"] = original
        lines[url] = ({**row, **({"gold_comments": page.comments} if page.comments and in_language else {})}, page.html)
        number += in_language
        if in_language and number % COPIED == 0:
            copy = f"http://mirror{number}.example.org/copy"
            lines[copy] = ({**row, "url": copy, "copy_of": url}, disguised(page.html, number))
    order = list(lines)
    random.Random(23).shuffle(order)
    yield from (lines[url] for url in order)


class EarlierTexts:
    """The gold texts so far, by their runs of words: which of them a new one repeats."""

    def __init__(self) -> None:
        self._owners: dict[tuple[str, ...], str] = {}
        self._sizes: Counter[str] = Counter()

    def original(self, url: str, text: str) -> str | None:
        words = tokens(text)
        grams = {tuple(words[at : at + GRAM]) for at in range(len(words) - GRAM + 1)}
        shares = Counter(self._owners[gram] for gram in grams if gram in self._owners)
        for other, count in shares.most_common(1):
            if count >= ALIKE * (len(grams) + self._sizes[other] - count):
                return other
        self._owners.update({gram: url for gram in grams if gram not in self._owners})
        self._sizes[url] = len(grams)
        return None


def disguised(html: str, number: int) -> str:
    """The same page with another menu and another line of dates."""
    at = html.lower().find("<body")
    at = html.find(">", at) + 1 if at >= 0 else 0
    return html[:at] + MENU.format(f"section-{number}") + html[at:] + f"<p>Retrieved {number % 28 + 1}.10.2026</p>"


def make(folder: Path, lang: str) -> tuple[Path, Path]:
    """Write the archive and its gold."""
    source = data_directory()
    if source is None:
        raise SystemExit("no pages with gold text: PABERKI_DATA/extraction has the sets (docs/training-data.md)")
    warc, gold = folder / "pages.warc.gz", folder / "gold.jsonl"
    warc.unlink(missing_ok=True)
    with WarcWriter(warc) as writer, gold.open("w", encoding="utf-8") as lines:
        for row, html in rows(list(read_gold(source)), lang):
            body = html.encode("utf-8", "surrogatepass")
            head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(
                body
            )
            writer.write("response", url=str(row["url"]), date="2026-11-01T00:00:00Z",
                         content_type="application/http; msgtype=response", block=head + body)  # fmt: skip
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")
    return warc, gold


def main() -> None:
    """Make the archive, build, compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lang", default="en")
    parser.add_argument("--preset", default="modern")
    parser.add_argument("--python", help="a Python that has trafilatura, py3langid, datasketch and warcio")
    parser.add_argument("--folder", type=Path, help="where archive, gold and log stay")
    parser.add_argument("--only-make", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="paberki-corpus-") as scratch:
        folder = options.folder or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        warc, gold = make(folder, options.lang)
        command = [sys.executable, "-m", "paberki", "eval", "corpus", str(warc), str(gold), "--lang", options.lang,
                   "--preset", options.preset, "--log", str(folder / "log.jsonl")]  # fmt: skip
        if options.python:
            chain = [options.python, str(Path(__file__).with_name("corpus_peer.py")), "{warc}", "{lang}"]
            command += ["--peer", shlex.join(chain)]
        if not options.only_make:
            raise SystemExit(subprocess.run(command, check=False).returncode)


if __name__ == "__main__":
    main()
