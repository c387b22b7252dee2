"""Diacritics: words right when left bare, by a word list, and restored; other texts than those learnt from."""

from __future__ import annotations

import re
import time
import unicodedata
from collections import Counter, defaultdict

from paberki.quality.diacritics.restoration import accuracy, bare, learn

WORD = re.compile(r"[^\W\d_]+")


def word_list(train: list[str], test: list[str]) -> float:
    """The most frequent form of each bare word."""
    forms = defaultdict(Counter)
    for text in train:
        for word in WORD.findall(text.lower()):
            forms[bare(word)][word] += 1
    best = {plain: counts.most_common(1)[0][0] for plain, counts in forms.items()}
    words = [word for text in test for word in WORD.findall(unicodedata.normalize("NFC", text).lower())]
    return sum(best.get(bare(word), bare(word)) == word for word in words) / len(words)


def run(rows, texts: int) -> None:
    train, test = defaultdict(list), defaultdict(list)
    same = {"sr": "sr-Latn", "sr@latin": "sr-Latn"}
    for row in rows("langid/ud_train_text.jsonl.xz"):
        train[same.get(row["lang"], row["lang"])].append(row["text"])
    for name in ("langid/hbs_train.jsonl.xz", "langid/hbs_dev.jsonl.xz"):
        for row in rows(name):
            train[same.get(row["lang"], row["lang"])].append(row["text"])
    for row in rows("dedup/dev.jsonl.xz"):
        if not row["op"] and not row["src"].startswith(("web", "UD", "ud")):
            train[same.get(row["lang"], row["lang"])].append(row["text"])
    for row in rows("encoding/texts.dev.jsonl.xz"):
        if row["name"].startswith(("UD", "web")):
            test[row["lang"]].append(row["text"])
    for lang in ("hr", "sl", "cs", "sr-Latn"):
        whole = "\n".join(test[lang])
        train[lang] = [text for text in train[lang] if text[:80] not in whole]  # no sentence of the test is learnt from
        count = sum(len(WORD.findall(text)) for text in train[lang])
        began = time.process_time()
        restorer = learn(train[lang])
        learning = time.process_time() - began
        left, right = accuracy(restorer, test[lang])
        stripped = bare(whole)
        began = time.process_time()
        restorer.restore(stripped)
        restoring = time.process_time() - began
        print(
            f"{lang:8} learnt from {count:,} words in {learning:.1f} s, {restorer.values.nbytes * 1.5 / 1e6:.1f} MB; "
            f"bare {left:.1%}  word list {word_list(train[lang], test[lang]):.1%}  restored {right:.1%}  "
            f"({len(stripped) / max(1e-9, restoring) / 1e6:.1f} M characters per CPU second)"
        )
