"""Pages as they were made in the 1990s and 2000s: how much of their text is found, by kind of markup.

    python benchmarks/old_pages.py [--languages hr,de,en,ru,ja,tr,pl,zh]

Texts are paragraphs of ``PABERKI_DATA/langid``, put into tables, fonts, bare lines, frames, unclosed links and so on, with a
menu of links beside them. *empty* counts pages of which less than a tenth is found, *again* those that were read a second
time (``extract_fallback``).
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import fmean

from charset_model import data_directory

from paberki.extraction import extract
from paberki.extraction.evaluation.text_measures import lcs, tokens

EACH = 6
UNSPACED = ("ja", "zh")
"""Languages that do not put spaces between words; as many letters make a word of theirs."""
LETTERS = 3


def words_of(text: str, lang: str) -> list[str]:
    if lang not in UNSPACED:
        return text.split()
    return [text[at : at + LETTERS] for at in range(0, len(text), LETTERS)]


def menu(words: Sequence[str], between: str = "<br>") -> str:
    return between.join(f'<a href="p{number}.htm">{word.capitalize()}</a>' for number, word in enumerate(words))


def pages(texts: Sequence[str], words: Sequence[str], lang: str) -> Iterator[tuple[str, str]]:
    """The same texts in different markup."""
    links, cut, blank = menu(words), [words_of(text, lang) for text in texts], "" if lang in UNSPACED else " "
    lines = [blank.join(one[at : at + 9]) for one in cut for at in range(0, len(one), 9)]
    rows = "".join(f"<tr><td><font size=2>{text}</font></td></tr>" for text in texts)
    cells = "".join(f"<tr><td>{text}</td></tr>" for text in texts)
    terms = "".join(f"<dt>{words[number % len(words)]}<dd>{text}" for number, text in enumerate(texts))
    yield "table", f"<table><tr><td width=120>{links}</td><td>{'<BR><BR>'.join(texts)}</td></tr></table>"
    yield "bare lines", f"{'<br>'.join(texts)}<hr>{menu(words, ' | ')}"
    yield (
        "fonts",
        f"<table><tr><td><font>{links}</font></td><td><font>{'<br><br>'.join(texts)}</font></td></tr></table>",
    )
    yield "nested tables", f"<table><tr><td>{links}</td><td><table>{rows}</table></td></tr></table>"
    yield "cells", f"<table>{cells}</table>{links}"
    yield "centred", f"<center><font color=red><b>{words[0]}</b></font><br><font>{'<p>'.join(texts)}</font></center>"
    yield "preformatted", f"<h1>{words[0]}</h1><pre>" + "\n\n".join(texts) + "</pre>"
    yield "heading", f"<h3>{'<br>'.join(texts)}</h3><hr>{menu(words, ' | ')}"
    yield "bold lines", f"<b>{'</b><br><b>'.join(texts)}</b><br>{links}"
    yield "short lines", f"{'<br>'.join(lines)}<hr>{links}"
    yield "terms", f"<dl>{terms}</dl>"
    yield "list", "<ul>" + "".join(f"<li>{text}" for text in texts) + "</ul>"
    yield "form", f"<form action=x><table><tr><td>{links}</td><td>{'<br>'.join(texts)}</td></tr></table></form>"
    yield "link left open", f'<a href="index.htm">{words[0]}<p>{"<p>".join(texts)}'
    yield "title left open", f"<title>{words[0]}</titl<p>{links}<p>{'<p>'.join(texts)}"
    yield "frames", f"<frameset><frame src=a.htm><noframes><body>{'<p>'.join(texts)}</body></noframes></frameset>"
    yield "hidden", f"<div>{links}</div><div hidden>{'<p>'.join(texts)}</div>"


def main() -> None:
    """One line per kind of markup."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--languages", default="hr,de,en,ru,ja,tr,pl,zh")
    languages = parser.parse_args().languages.split(",")
    paragraphs: dict[str, list[str]] = defaultdict(list)
    with lzma.open(data_directory() / "langid/ud_paragraphs_dev.jsonl.xz", "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            paragraphs[row["lang"]].append(row["text"])
    pick = random.Random(4)
    scores: dict[str, list[tuple[float, float, bool]]] = defaultdict(list)
    for lang in languages:
        for _ in range(EACH):
            texts = pick.sample(paragraphs[lang], pick.choice((2, 5, 12)))
            words = words_of(" ".join(pick.sample(paragraphs[lang], 3)), lang)[: pick.choice((6, 25))]
            for kind, body in pages(texts, words, lang):
                page = extract(f"<html><body bgcolor=white>{body}</body></html>")
                score = lcs(tokens(page.text), tokens("\n".join(texts)))
                scores[kind].append((score.f, score.recall or 0.0, page.fallback is not None))
    for kind, some in scores.items():
        f, recall, again = zip(*some, strict=True)
        empty = sum(one < 0.1 for one in recall)
        print(f"{kind:18} F {fmean(f):.3f}  recall {fmean(recall):.3f}  empty {empty} of {len(f)}  again {sum(again)}")


if __name__ == "__main__":
    main()
