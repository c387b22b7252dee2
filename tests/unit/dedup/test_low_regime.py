"""Pairs that share few values: counted on disk as by brute force, with Rabin fingerprints, in foreign corpora."""

from __future__ import annotations

import gzip
import itertools
import json
import random

import numpy as np
import pytest

from paberki.dedup.near import sort_join, spool
from paberki.dedup.near.between_texts import near_duplicates
from paberki.dedup.near.foreign_documents import documents
from paberki.dedup.near.reduction import reduce
from paberki.dedup.near.resembling_pairs import resembling
from paberki.dedup.signatures import matching, rabin
from paberki.dedup.signatures.shingles import shingle
from paberki.dedup.signatures.signature_stage import sign
from paberki.dedup.signatures.spelling_folds import fold_letters
from paberki.errors import ConfigError


def together(found) -> tuple[np.ndarray, np.ndarray]:
    pairs, more = zip(*found.portions(), strict=True)
    return np.concatenate(pairs), np.concatenate(more)


def brute(signatures: np.ndarray, least: int) -> dict[tuple[int, int], int]:
    found = {}
    for i, j in itertools.combinations(range(len(signatures)), 2):
        count = int((signatures[i] == signatures[j]).sum())
        if count >= least:
            found[i, j] = count
    return found


@pytest.mark.parametrize("kind", [np.uint32, np.uint64])
@pytest.mark.parametrize("memory", [10_000_000, 500])
def test_pairs_are_counted_as_by_brute_force(kind, memory, monkeypatch):
    monkeypatch.setattr(spool, "SORTED_IN_MEMORY", memory)
    some = np.random.default_rng(5)
    signatures = some.integers(0, 60, (120, 40)).astype(kind) * kind(0x01000193)
    signatures[50:60] = kind(-1 % (1 << (8 * np.dtype(kind).itemsize)))  # without words
    found = sort_join.shared_values(lambda column: signatures[:, column], 40, 3)
    pairs, counts = together(found)
    left, right = matching.split(pairs)
    assert (np.diff(pairs.astype(np.int64)) > 0).all()
    told = dict(zip(zip(left.tolist(), right.tolist(), strict=True), counts.tolist(), strict=True))
    words = np.delete(np.arange(120), np.arange(50, 60))
    wanted = {
        (int(words[i]), int(words[j])): count for (i, j), count in brute(signatures[words], 3).items()
    }  # fmt: skip
    assert told == wanted
    assert wanted
    assert found.frequent == 0


def test_frequent_values_are_told_of():
    signatures = np.zeros((300, 10), np.uint32)
    signatures[:, 5:] = np.arange(300)[:, None]
    linked = sort_join.shared_values(lambda column: signatures[:, column], 10, 5, limit=20)
    left, right = matching.split(together(linked)[0])
    assert linked.frequent == 5
    assert set(right.tolist()) == set(range(1, 300))
    assert set(left[right >= 20].tolist()) == set(range(matching.HEADS))
    capped = sort_join.shared_values(lambda column: signatures[:, column], 10, 5, cap=200)
    assert (len(together(capped)[0]), capped.frequent) == (0, 5)


def irreducible(polynomial: int) -> bool:
    """Rabin's test: x^(2^64) = x, and x^(2^32) - x has no factor in common with the polynomial."""
    power = 2
    for turn in range(64):
        spread = int("".join("0" + bit for bit in f"{power:b}"), 2)
        while spread.bit_length() > 64:
            spread ^= polynomial << (spread.bit_length() - 65)
        power = spread
        if turn == 31:
            a, b = polynomial, power ^ 2
            while b:
                while a.bit_length() >= b.bit_length():
                    a ^= b << (a.bit_length() - b.bit_length())
                a, b = b, a
            if a != 1:
                return False
    return power == 2


def test_polynomials_are_irreducible_and_different():
    assert len(set(rabin.POLYNOMIALS)) == 100
    assert all(irreducible((1 << 64) | low) for low in rabin.POLYNOMIALS)
    assert not irreducible((1 << 64) | 0b10)


def test_fingerprints_are_remainders():
    found = shingle(["jedan dva tri četiri pet šest sedam", ""])
    signed = rabin.sign_rabin(found)
    values = found.values[: found.offsets[1]].tolist()
    wanted = [min(rabin.remainder(value, low) for value in values) for low in rabin.POLYNOMIALS]
    assert signed[0].tolist() == wanted
    assert (signed[1] == np.uint64(0xFFFFFFFFFFFFFFFF)).all()


def text_of(some: random.Random, count: int) -> str:
    return " ".join(f"riječ{some.randrange(5000)}" for _ in range(count))


def test_rabin_estimates_are_unbiased():
    some = random.Random(2)
    errors = []
    for _ in range(60):
        common = text_of(some, 200)
        both = shingle([common + " " + text_of(some, 300), common + " " + text_of(some, 250)])
        sets = [set(both.values[low:high].tolist()) for low, high in itertools.pairwise(both.offsets.tolist())]
        signed = rabin.sign_rabin(both)
        errors.append(float((signed[0] == signed[1]).mean()) - len(sets[0] & sets[1]) / len(sets[0] | sets[1]))
    assert abs(float(np.mean(errors))) < 0.02


def corpus_files(folder, texts):
    vertical, table, plain = folder / "c.vert", folder / "c.jsonl.gz", folder / "c.txt"
    with vertical.open("w", encoding="utf-8") as file:
        for number, text in enumerate(texts):
            lines = "\n".join(f"{word}\tN\tx" for word in text.split())
            file.write(f'<doc id="d{number}" n="1">\n<p>\n{lines}\n<g/>\n</p>\n</doc>\n')
    with gzip.open(table, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps({"id": f"d{number}", "text": text}) + "\n" for number, text in enumerate(texts))
    plain.write_text("\n\n".join(text.replace(" ", "\n", 1) for text in texts) + "\n", "utf-8")
    return vertical, table, plain


@pytest.mark.parametrize("kind", ["often", "rabin"])
def test_foreign_corpora_are_reduced(tmp_path, kind):
    some = random.Random(4)
    base = text_of(some, 400)
    texts = [
        text_of(some, 300),
        base,
        base + " " + text_of(some, 200),
        base.upper(),
        text_of(some, 100),
        text_of(some, 9),
    ]
    for path in corpus_files(tmp_path, texts):
        made = reduce(documents(path, "auto", pytest.fail), kind=kind)
        assert (made.documents, made.kept_documents, made.copies) == (6, 4, 1)
        assert made.words == sum(len(text.split()) for text in texts)
        assert [(number, other) for number, _, other, _, _ in made.removed] == [(1, 2), (3, 1)]
        assert made.share == pytest.approx(1 / 3)


def test_bad_files_are_told_of(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text('{"text": "a b"}\nnonsense\n{"no": 1}\n[1]\n')
    wrong = []
    assert len(list(documents(path, "auto", lambda *said: wrong.append(said)))) == 1
    assert [where for where, _ in wrong] == ["x.jsonl:2", "x.jsonl:3", "x.jsonl:4"]
    with pytest.raises(ConfigError, match="unknown kind"):
        reduce([], kind="md5")
    empty = reduce([])
    assert (empty.documents, empty.share) == (0, 0.0)


def test_folding_makes_spellings_equal():
    assert fold_letters("Ђоковић је чекао њега") == fold_letters("Đoković je čekao njega") == "dokovic je cekao njega"
    text = "Ђоковић је чекао њега и љубав у граду код џамије"
    latin = "Đoković je čekao njega i ljubav u gradu kod džamije"
    plain = "Dokovic je cekao njega i ljubav u gradu kod dzamije"
    assert int(near_duplicates([text, latin, plain], fold=True).keep.sum()) == 1
    assert near_duplicates([text, latin, plain]).keep.all()


def test_pairs_of_huge_groups_stay_within_the_limit():
    base = [f"r{number}" for number in range(60)]
    texts = [" ".join(base)] * 3000 + [" ".join(base[:-1])] * 3000
    told = list(near_duplicates(texts).pairs())
    assert len(told) < 1_100_000
    assert {text for i, j, _ in told for text in (i, j)} == set(range(6000))


def test_a_second_look_finds_what_five_of_a_hundred_values_leave_to_chance():
    some = random.Random(4)

    def words(count: int) -> list[str]:
        return [f"w{some.randrange(10**9)}" for _ in range(count)]

    texts, wanted, shares = [], set(), (0.02, 0.055, 0.065)
    for number in range(600):
        share = shares[number % 3]
        common = words(round(2 * 300 * share / (1 + share)) + 4)
        texts += [" ".join(common + words(300 - len(common))) for _ in range(2)]
        if share > 0.05:
            wanted.add((2 * number, 2 * number + 1))
    found = sign(shingle(texts), "often")
    values, sketches = np.asfortranarray(found[:, :100]), np.ascontiguousarray(found[:, 100:]).view(np.uint8)

    def told(look):
        left, right = matching.split(together(resembling(lambda at: values[:, at], 100, 0.05, look))[0])
        return set(zip(left.tolist(), right.tolist(), strict=True))

    plain, looked = told(None), told(sketches.__getitem__)
    assert len(plain & wanted) / len(wanted) < 0.8
    assert len(looked & wanted) / len(wanted) > 0.88
    assert len(looked & wanted) / len(looked) > 0.98
