"""Measures of the document rules, against plain Python on small texts and against known values."""

from __future__ import annotations

import random
import re
from collections import Counter

import pyarrow as pa
import pytest

from paberki.quality.rules.document_rules import PUBLISHED, count, failed, gopher_stop_list, measures, rules, stop_lists

WORDS = ["the", "cat", "sat", "on", "a", "mat", "of", "straw", "kuća", "и", "žena", "x1"]


def row(text: str) -> dict:
    return rules([text]).to_pylist()[0]


def texts(count: int = 60) -> list[str]:
    pick = random.Random(5)
    made = []
    for _ in range(count):
        lines = [
            " ".join(pick.choices(WORDS[: pick.randint(2, 12)], k=pick.randint(0, 12)))
            + pick.choice(["", ".", "...", "!"])
            for _ in range(pick.randint(0, 12))
        ]
        made.append(pick.choice(["\n", "\n\n", "\n"]).join(lines))
    return made


def tokens(text: str) -> list[str]:
    """What these simple texts are made of."""
    return re.findall(r"\w+|\.\.\.|[^\w\s]", text)


def top(words: list[str], size: int) -> int:
    grams = [" ".join(words[at : at + size]) for at in range(len(words) - size + 1)]
    if not grams:
        return 0
    gram, times = Counter(grams).most_common(1)[0]
    return len(gram) * times


def repeated(words: list[str], size: int) -> int:
    seen, chars, at = set(), 0, 0
    while at <= len(words) - size:
        gram = tuple(words[at : at + size])
        if gram in seen:
            chars += sum(map(len, gram))
            at += size
        else:
            seen.add(gram)
            at += 1
    return chars


def duplicates(parts: list[str]) -> tuple[int, int]:
    seen, number, chars = set(), 0, 0
    for part in parts:
        number += part in seen
        chars += len(part) if part in seen else 0
        seen.add(part)
    return number, chars


@pytest.mark.parametrize("text", texts())
def test_the_kernel_measures_what_the_definitions_say(text: str) -> None:
    found, words = row(text), tokens(text)
    chars = max(1, len(text))
    for size in (2, 3, 4):
        assert (found[f"gopher_top_{size}gram_share"] or 0) == pytest.approx(top(words, size) / chars, abs=1e-6)
    for size in range(5, 11):
        assert (found[f"gopher_dup_{size}gram_share"] or 0) == pytest.approx(repeated(words, size) / chars, abs=1e-6)
    solid = [word for word in words if any(char.isalnum() for char in word)]
    assert found["gopher_word_count"] == len(solid)
    lines = text.splitlines()
    if lines:
        dotted = sum(line.rstrip().endswith("...") for line in lines) / len(lines)
        assert found["gopher_ellipsis_line_share"] == pytest.approx(dotted)
    parts = re.split("\n+", text)
    number, extent = duplicates(parts)
    assert found["gopher_dup_line_share"] == pytest.approx(number / len(parts))
    assert (found["gopher_dup_line_char_share"] or 0) == pytest.approx(extent / chars)
    full = [line for line in text.split("\n") if line.strip()]
    if full:
        assert found["fineweb_short_line_share"] == pytest.approx(sum(len(one) <= 30 for one in full) / len(full))
        ended = sum(one.endswith((".", "!")) for one in full) / len(full)
        assert found["fineweb_terminal_line_share"] == pytest.approx(ended)
        assert found["fineweb_dup_char_share"] == pytest.approx(duplicates(full)[1] / len(text.replace("\n", "")))


def test_words_keep_numbers_addresses_and_abbreviations_together() -> None:
    counts = count(
        pa.array(["It's 3.14 or 1,000 at http://a.hr/b?c=d, covid-19 me@x.org e.g. -x"]), ["en"], gopher_stop_list()
    )
    from paberki.quality.rules.rules_kernel import TOKENS

    # It 's 3.14 or 1,000 at http… covid-19 me@x.org e.g . -x ; the comma belongs to the address
    assert counts[0, TOKENS] == 12


def test_c4_keeps_lines_that_are_sentences() -> None:
    found = row(
        "This line is fine. It has two sentences.\nno full stop here\nShort one.\nPlease enable JavaScript to go on.\n"
        "We use cookies to be nice.\nA function has { in it.\nLorem ipsum dolor sit amet.\nEnds in dots we go...\nCited here now.[1]"
    )
    assert found["c4_line_count"] == 4
    assert found["c4_sentence_count"] == 5
    assert (found["c4_javascript_line_count"], found["c4_policy_line_count"]) == (1, 1)
    assert (found["c4_bracket_line_count"], found["c4_lorem_ipsum_count"]) == (1, 1)


def test_annotations_follow_oscar() -> None:
    assert "tiny" in row("One line.")["annotations"]
    assert "noisy" in row("1234 5678 *** /// a b\n" * 10)["annotations"]
    body = [f"word{n} and more of it " * 25 for n in range(20)]
    assert row("\n".join(body))["annotations"] == []
    assert row("\n".join(["menu"] * 5 + body[:20]))["annotations"] == ["header"]
    assert row("\n".join(body[:20] + ["menu"] * 5))["annotations"] == ["footer"]


def test_stop_words_are_those_of_the_list() -> None:
    lists = stop_lists({"hr": ["je", "i", "u"], "en": ["the", "of"]})
    texts = pa.array(["on je i ona je u kući", "on je i ona je u kući", "the end of it", "je i u"])
    found = measures(texts, ["hr", "en", "en", None], lists).column("gopher_stop_word_count").to_pylist()
    assert found == [3, 0, 2, 0]


def test_published_thresholds_name_what_fails() -> None:
    good = "\n".join(
        f"The committee number {n} decided that the meeting of yesterday was to be repeated with others {n * 7}."
        for n in range(40)
    )
    assert "gopher_word_count" in failed(rules(["too short"]))[0]
    assert failed(rules([good]), PUBLISHED[:8]) == [[]]


def test_nothing_is_measured_of_nothing() -> None:
    table = rules(["", " \n \n", "\u2028\u0085"])
    assert table.num_rows == 3
    assert table.column("gopher_word_count").to_pylist() == [0, 0, 0]
    assert rules([]).num_rows == 0
