"""All scores of a text together: MB of text per CPU second on one core, and each of them alone."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.quality.connected.profiles import Profiles, learn
from paberki.quality.diacritics.restoration import count_letters
from paberki.quality.diacritics.restoration import learn as learn_diacritics
from paberki.quality.ngrams import ngram_models
from paberki.quality.ngrams.percentiles import Distribution
from paberki.quality.permissions.personal import SUSPECT, personal_data
from paberki.quality.rules.document_rules import measures, stop_lists

AT_ONCE = 256
"""Texts that are scored together, as in a build; what a build does block by block gets their lines."""


def cpu(run: Callable[[pa.StringArray], object], texts: list[pa.StringArray]) -> float:
    """CPU seconds of the quickest of three runs."""
    seconds = []
    for _ in range(3):
        began = time.process_time()
        for some in texts:
            run(some)
        seconds.append(time.process_time() - began)
    return min(seconds)


def personal(blocks: pa.StringArray) -> int:
    """As the stage does, block by block."""
    suspects = pc.indices_nonzero(pc.match_substring_regex(blocks, SUSPECT)).to_pylist()
    return sum(len(personal_data(blocks[at].as_py())) for at in suspects)


def run(rows, texts: int) -> None:
    sampled = [row for row in rows("dedup/dev.jsonl.xz") if not row["op"] and row["src"].startswith("web")]
    web = [row["text"] for row in sampled]
    web += [row["text"] for row in rows("encoding/texts.dev.jsonl.xz")]
    array = pa.array(web * (1 + 12_000_000 // sum(map(len, web))))
    size = array.nbytes / 1e6
    pages = [array[at : at + AT_ONCE] for at in range(0, len(array), AT_ONCE)]
    blocks = [pc.split_pattern(some, "\n").flatten() for some in pages]
    words = learn(web[:400], types=100)
    profiles = Profiles({"xx": words})
    stops = stop_lists({"xx": [one.word for one in words[:10]]})
    model = ngram_models.CharacterModel(ngram_models.finish(ngram_models.count(array)))
    restorer = learn_diacritics(web[:100])
    spread = Distribution(np.arange(-2000, 0, dtype=np.float32), np.linspace(0.0005, 1, 2000), 2000)

    def graphs(some: pa.StringArray) -> object:
        scores = model.score(some)
        return spread.ranks(scores.ngram3), spread.ranks(scores.ngram12)

    def connected(some: pa.StringArray) -> object:
        counts = profiles.look_up(some)
        return counts.badness("xx", "2012"), counts.function_words("xx")

    parts: dict[str, Callable[[pa.StringArray], object]] = {
        "rules (Gopher, C4, FineWeb, OSCAR, P1)": lambda some: measures(some, ["xx"] * len(some), stops),
        "badness, function words": connected,
        "3graph, 12graph, ranks, diacr_perc": graphs,
        "bare pages": lambda some: restorer.bare_among(count_letters(some)),
        "personal data": personal,
    }
    for run_part in parts.values():
        run_part(array[:10])  # loads the compiled parts
    total = 0.0
    for name, run_part in parts.items():
        spent = cpu(run_part, blocks if run_part is personal else pages)
        total += spent
        print(f"{name:42} {size / spent:7.1f} MB per CPU second")
    print(f"{'all together':42} {size / total:7.1f} MB per CPU second  ({len(array)} texts, {size:.0f} MB)")
