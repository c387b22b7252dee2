"""3graph and 12graph: size of the model, independence of length, and agreement with a dictionary (P3 §6: r = .74)."""

from __future__ import annotations

import re
import time
from collections import defaultdict

import numpy as np
import pyarrow as pa

from paberki.quality.ngrams import ngram_models

WORD = re.compile(r"[^\W\d_]+")


def coverage(text: str, lang: str) -> float:
    """Share of words that simplemma's lexicon knows."""
    import simplemma

    words = WORD.findall(text)
    return sum(simplemma.is_known(word, lang=lang) for word in words) / max(1, len(words))


def run(rows, texts: int) -> None:
    pages = defaultdict(list)
    for row in rows("dedup/dev.jsonl.xz"):
        if not row["op"]:
            pages[row["lang"]].append((row["text"], row["src"]))
    for row in rows("encoding/texts.dev.jsonl.xz"):
        if not row["name"].startswith("gnome"):
            pages[row["lang"]].append((row["text"], row["name"]))
    for lang in ("cs", "sl"):
        long_texts = [text for text, _ in pages[lang] if len(text) >= 300]
        array = pa.array(long_texts)
        counts = ngram_models.count(array)
        model = ngram_models.CharacterModel(table := ngram_models.finish(counts))
        ngram_models.learn(["x" * 20]).score(pa.array(["x" * 200]))
        began = time.process_time()
        scores = model.score(array)
        rate = array.nbytes / 1e6 / max(time.process_time() - began, 1e-9)
        step = max(1, len(long_texts) // (texts * 4))
        some = np.arange(0, len(long_texts), step)
        coverages = np.array([coverage(long_texts[at][:20_000], lang) for at in some])
        r3, r12 = (float(np.corrcoef(one[some], coverages)[0, 1]) for one in (scores.ngram3, scores.ngram12))
        lengths = np.log([len(long_texts[at]) for at in some])
        halves = [
            text
            for at in some
            for text in (long_texts[at][: len(long_texts[at]) // 2], long_texts[at][len(long_texts[at]) // 2 :])
        ]
        halved = model.score(pa.array(halves))
        apart = np.abs(halved.ngram3.reshape(-1, 2).mean(axis=1) - scores.ngram3[some])
        print(
            f"{lang}: {len(long_texts)} texts, model {table.nbytes / 1e6:.1f} MB, {rate:.0f} MB per CPU second\n"
            f"    with dictionary coverage: 3graph r = {r3:.2f}, 12graph r = {r12:.2f}; 3graph and 12graph r = "
            f"{np.corrcoef(scores.ngram3, scores.ngram12)[0, 1]:.2f}; 3graph and length r = "
            f"{np.corrcoef(scores.ngram3[some], lengths)[0, 1]:.2f}\n"
            f"    halves of a text differ from the whole by {np.median(apart):.1f} (median), texts by "
            f"{np.std(scores.ngram3):.1f}"
        )
