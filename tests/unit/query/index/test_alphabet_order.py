"""The order of alphabets."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from paberki.query.index.alphabet_order import code_point_order, collation_of, collation_ranks


def ordered(words: list[str], lang: str | None) -> list[str]:
    values = pa.array(words, pa.large_string())
    ranks = collation_ranks(values, lang, code_point_order(values))
    return [words[at] for at in np.argsort(ranks)]


def test_the_alphabet_of_the_language_decides() -> None:
    words = ["njiva", "nuž", "čamac", "cvijet", "ćuk", "zec", "žaba", "dan", "džep", "đak", "nebo"]
    croatian = ["cvijet", "čamac", "ćuk", "dan", "džep", "đak", "nebo", "nuž", "njiva", "zec", "žaba"]
    assert ordered(words, "hr") == croatian
    assert ordered(words, "sr") == croatian
    assert ordered(words, "ja") == sorted(words)
    assert ordered(words, None) == sorted(words)
    assert ordered(["chata", "cukr", "hora", "id"], "cs") == ["cukr", "hora", "chata", "id"]


def test_languages_that_nobody_knows_go_by_code_point() -> None:
    assert collation_of("hr-HR") == "hr"
    assert ordered(["b", "a", "č", "c"], "tlh") == ["a", "b", "c", "č"]
