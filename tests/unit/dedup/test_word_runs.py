"""Runs of words seen before, against onion's rule written out in plain Python."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from paberki.dedup.repeats.word_runs import RunIndex, tokens_of
from paberki.dedup.signatures.word_places import shared_passages, word_spans, words

WIDTH, THRESHOLD, STUB = 5, 0.5, 20


def onion(pages: list[list[str]]) -> list[list[int]]:
    """The rule, word by word."""
    seen: set[tuple[str, ...]] = set()
    marks = []
    for page in pages:
        stream: list[str] = []
        blocks = []
        for block in page:
            mine = words(block)
            blocks.append((len(stream), len(stream) + len(mine)))
            stream += mine
        runs = {end: tuple(stream[end - WIDTH + 1 : end + 1]) for end in range(WIDTH - 1, len(stream))}
        here: set[tuple[str, ...]] = set()
        bad = []
        for low, high in blocks:
            covered: set[int] = set()
            for end in range(low, high):
                if end in runs:
                    if runs[end] in seen or runs[end] in here:
                        covered |= set(range(max(low, end - WIDTH + 1), end + 1))
                    here.add(runs[end])
            bad.append(int(len(covered) > THRESHOLD * (high - low)) if high > low else 0)
        marks.append(smoothed(bad, [high - low for low, high in blocks]))
        for (low, high), label in zip(blocks, marks[-1], strict=True):
            if not label:
                seen |= {runs[end] for end in range(low, high) if end in runs}
    return marks


def smoothed(bad: list[int], lengths: list[int]) -> list[int]:
    edges = [-1, *(at for at, label in enumerate(bad) if label), len(bad)]
    for low, high in itertools.pairwise(edges):
        if (low >= 0 or high < len(bad)) and sum(lengths[low + 1 : high]) <= STUB:
            for at in range(low + 1, high):
                bad[at] = int(bad[at] or lengths[at] > 0)
    return bad


def made_pages(seed: int, count: int) -> list[list[str]]:
    some = random.Random(seed)
    known = [" ".join(f"w{some.randrange(300)}" for _ in range(some.choice((3, 12, 40)))) for _ in range(60)]
    pages = []
    for _ in range(count):
        blocks = []
        for _ in range(some.randrange(0, 7)):
            block = some.choice(known).split()
            if some.random() < 0.5:
                block = [word if some.random() > 0.15 else f"n{some.random()}" for word in block]
            blocks.append(" ".join(block) if some.random() > 0.05 else "")
        pages.append(blocks)
    return [*pages, ["riječ " * 200], [""], []]


@pytest.mark.parametrize("limit", [10_000_000, 700])
def test_marks_are_onions(limit):
    """In memory, and with a table so small that it goes to disk again and again."""
    pages = made_pages(3, 400)
    found: list[list[int]] = []
    with RunIndex(WIDTH, THRESHOLD, STUB, limit) as seen:
        for first in range(0, len(pages), 37):
            some = pages[first : first + 37]
            edges = np.r_[0, np.cumsum([len(page) for page in some])].astype(np.int64)
            marks = seen.walk([block for page in some for block in page], edges)
            labels = (marks.flags > 0).astype(int).tolist()
            found += [labels[low:high] for low, high in itertools.pairwise(edges.tolist())]
        assert bool(seen._runs) == (limit == 700)
    wanted = onion(pages)
    assert found == wanted
    assert 100 < sum(map(sum, wanted)) < sum(map(len, wanted)) - 100


def test_a_block_names_the_one_that_it_repeats():
    first = " ".join(f"a{number}" for number in range(60))
    second = " ".join(f"b{number}" for number in range(60))
    with RunIndex() as seen:
        assert seen.walk([first, second], np.array([0, 1, 2])).repeats.tolist() == [-1, -1]
        marks = seen.walk(["nešto novo " + second, first + " i kraj"], np.array([0, 2]))
    assert marks.flags.tolist() == [1, 1]
    assert marks.repeats.tolist() == [1, 0]


def test_a_kept_run_of_words_costs_at_most_twenty_bytes():
    some = random.Random(1)
    texts = [" ".join(str(some.random()) for _ in range(500)) for _ in range(500)]
    with RunIndex() as seen:
        for at in range(0, 500, 10):
            seen.walk(texts[at : at + 10], np.arange(11))
        assert seen.memory / seen.run_count < 20
        assert seen.walk(texts, np.arange(501)).flags.all()  # nothing was forgotten as the table grew


def test_a_page_may_be_larger_than_the_table():
    page = " ".join(map(str, range(200_000)))
    with RunIndex(limit=1_000) as seen:
        for text in ("a b c d e f g", page, page, "a b c d e f g"):
            marks = seen.walk([text], np.array([0, 1]))
    assert marks.flags.tolist() == [1]
    assert seen.run_count == 3 + 200_000 - 4


def test_words_are_cut_as_the_kernel_cuts_them():
    texts = ["Dobar dan, svijete! 3,5 % x_y", "漢字仮名 mixed かな text ไทย", "", "…", "ǅ ß 𠀀𠀁 a\u0301b"]
    assert [len(word_spans(text)) for text in texts] == np.diff(np.r_[0, tokens_of(texts).ends]).tolist()
    hashes = [tokens_of([text]).values for text in texts]
    for text, mine in zip(texts, hashes, strict=True):
        assert [tokens_of([word]).values[0] for word in words(text)] == mine.tolist()


def test_shared_passages():
    left, right = (
        words("jedan dva tri četiri pet šest x y z a b c d e f"),
        words("q a b c d e f q jedan dva tri četiri pet šest"),
    )
    assert shared_passages(left, right) == [(0, 8, 6), (9, 1, 6)]
    assert shared_passages(left, []) == []
    assert shared_passages(["la"] * 3000, ["la"] * 2000)[0] == (0, 0, 2000)


def test_a_block_is_named_by_its_number_on_both_sides_of_the_32_bit_limit():
    first = 2**32 - 3
    blocks = [" ".join(f"w{at}x{word}" for word in range(12)) for at in range(6)]
    with RunIndex(WIDTH, THRESHOLD, 0, first=first) as seen:
        marks = seen.walk([*blocks, *blocks], np.arange(13))
    assert marks.repeats.tolist() == [-1] * 6 + [first + at for at in range(6)]
    assert marks.flags.tolist() == [0] * 6 + [1] * 6
