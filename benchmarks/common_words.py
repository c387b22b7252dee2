"""Count the common words that are in the package: ``python benchmarks/common_words.py``.

Texts are looked for in ``PABERKI_DATA`` (default ``../shared/data``); they stay there, the file holds frequencies of the
commonest words only. Sentences with signs set apart are left out where there are others: their words are cut too.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict

from charset_model import data_directory

from paberki.decoding.training_texts import read_texts
from paberki.quality.connected.common_words import RARE, SHIPPED
from paberki.quality.connected.profiles import learn

SOURCES = (
    "Universal Dependencies treebanks, training parts (nb, nn, zh: development parts) in 40 languages, text only "
    "(CC BY-SA 3.0/4.0, some CC BY-NC-SA)",
)
WORDS = 200
APART = re.compile(r" [.,;!?]")
ENOUGH = 0.2


def common(texts: list[str]) -> dict[str, int]:
    """Parts in a million of the commonest words."""
    whole = [text for text in texts if not APART.search(text)]
    chosen = whole if len(whole) > ENOUGH * len(texts) else texts
    return {one.word: round(1e6 * one.mean) for one in learn(chosen, types=WORDS) if one.mean > RARE}


if __name__ == "__main__":
    by_language: dict[str, list[str]] = defaultdict(list)
    for lang, text in read_texts(data_directory() / "langid/ud_train_text.jsonl.xz"):
        by_language[lang].append(text)
    languages = {lang: common(by_language[lang]) for lang in sorted(by_language)}
    about = {"sources": SOURCES, "languages": languages}
    SHIPPED.write_text(json.dumps(about, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
    print(f"{SHIPPED}: {SHIPPED.stat().st_size:,} bytes, {sum(map(len, languages.values())):,} words")
