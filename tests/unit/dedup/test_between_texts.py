"""Near-duplicates among texts, against the definition computed pair by pair."""

from __future__ import annotations

import itertools
import random
import re
import resource
import signal
import tempfile
import weakref

import numpy as np
import pytest

import paberki
from corpora import WORDS
from paberki.dedup.near import input_texts, spool, text_search
from paberki.dedup.near.between_texts import near_duplicates
from paberki.dedup.signatures import matching, shingle_sets
from paberki.dedup.signatures.shingles import TURN, make_sets, shingle, sign_once
from paberki.errors import ConfigError, StoreError


def text_of(some: random.Random, words: int) -> str:
    return " ".join(some.choice(WORDS) + str(some.randrange(40)) for _ in range(words))


def changed(some: random.Random, text: str, share: float) -> str:
    return " ".join(f"x{some.random()}" if some.random() < share else word for word in text.split())


def shingles_of(text: str) -> set[tuple[str, ...]]:
    words = re.findall(
        r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+", text.lower()
    )
    return {tuple(words[at : at + 5]) for at in range(max(1, len(words) - 4))} if words else set()


def gold(texts: list[str], threshold: float) -> dict[tuple[int, int], float]:
    shingle_sets = [shingles_of(text) for text in texts]
    found = {}
    for i, j in itertools.combinations(range(len(texts)), 2):
        if shingle_sets[i] and shingle_sets[j]:
            alike = len(shingle_sets[i] & shingle_sets[j]) / len(shingle_sets[i] | shingle_sets[j])
            if alike >= threshold:
                found[i, j] = alike
    return found


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """Families of copies with a little or a lot changed, long and short, and texts without relatives."""
    some = random.Random(7)
    made = []
    for words in (1, 3, 6, 12, 25, 60, 120, 400, 900):
        for _ in range(6):
            base = text_of(some, words)
            made += [
                base,
                base.upper(),
                changed(some, base, 0.01),
                changed(some, base, 0.04),
                changed(some, base, 0.15),
            ]
            made.append(base + " " + text_of(some, words // 10))
    made += ["", "", "  …  ", "漢字仮名交じり文の例です", "漢字仮名交じり文の例です。", "漢字仮名交じりの文"]
    some.shuffle(made)
    return made


@pytest.mark.parametrize("threshold", [0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
def test_all_pairs_and_no_others(texts, threshold):
    found = {(i, j): alike for i, j, alike in near_duplicates(texts, threshold=threshold).pairs()}
    assert found == pytest.approx(gold(texts, threshold))


@pytest.mark.parametrize("threshold", [0.05, 0.3, 0.8])
def test_nothing_is_left_beside_a_copy_and_nothing_goes_without_one(texts, threshold):
    found = near_duplicates(texts, threshold=threshold)
    twins = {(i, j) for i, j, _ in found.pairs()}
    assert not [pair for pair in twins if found.keep[pair[0]] and found.keep[pair[1]]]
    gone = set(np.flatnonzero(~found.keep).tolist())
    assert gone <= {text for pair in twins for text in pair}
    for text, stays in enumerate(found.dup_of):
        assert (stays is None) == bool(found.keep[text])
        assert stays is None or (found.keep[stays] and found.cluster[stays] == found.cluster[text])


def test_a_low_resemblance_is_found(texts):
    found = {(i, j) for i, j, _ in near_duplicates(texts, threshold=0.1).pairs()}
    assert len(found & set(gold(texts, 0.2))) == len(gold(texts, 0.2))
    assert found <= set(gold(texts, 0.02))


@pytest.mark.parametrize("threshold", [0.1, 0.8])
def test_order_is_no_matter(texts, threshold):
    order = list(range(len(texts)))
    random.Random(1).shuffle(order)
    before = near_duplicates(texts, threshold=threshold)
    after = near_duplicates([texts[text] for text in order], threshold=threshold)
    kept = sorted(text for text, stays in zip(texts, before.keep, strict=True) if stays)
    assert kept == sorted(texts[order[place]] for place in np.flatnonzero(after.keep))


def test_the_longest_stays():
    text = text_of(random.Random(3), 200)
    found = near_duplicates([text, text + " i još malo više teksta", text.title()])
    assert found.dup_of == [1, None, 1]
    assert len(set(found.cluster.tolist())) == 1


def test_texts_without_words_are_nobodys_copy():
    found = near_duplicates(["", "", "...", "!"])
    assert found.keep.all()
    assert list(found.pairs()) == []


def test_nothing_at_all():
    found = near_duplicates([])
    assert (len(found.cluster), found.dup_of, list(found.pairs())) == (0, [], [])


def test_many_equal_texts_take_no_time():
    found = near_duplicates(["isti tekst na svakoj stranici opet i opet"] * 30_000 + ["nešto posve drugo"])
    assert int(found.keep.sum()) == 2
    assert len(list(found.pairs())) == 29_999  # those with the text that stays


def test_a_large_group_is_compared_with_its_first_members(monkeypatch):
    monkeypatch.setattr(matching, "RUN_LIMIT", 20)
    some = random.Random(5)
    base = text_of(some, 300)
    found = near_duplicates([f"{base} {text_of(some, 5)}" for _ in range(80)])
    assert int(found.keep.sum()) == 1


def test_one_word_again_and_again():
    found = near_duplicates(["riječ " * 100_000, "riječ " * 60_000, "riječ"])
    assert found.dup_of == [None, 0, None]


def test_hostile_texts():
    found = near_duplicates(["\ud800 a b", "\0" * 1000, "a" * 100_000, "\U0001f600 😀", "𠀀𠀁𠀂𠀃𠀄𠀅"])
    assert found.keep.all()


def test_wrong_arguments():
    with pytest.raises(ConfigError, match="between 0 and 1"):
        near_duplicates(["a"], threshold=0)
    with pytest.raises(ConfigError, match="known methods: auto, bands, shared"):
        near_duplicates(["a"], method="simhash")  # type: ignore[arg-type]


def everything(found):
    return found.cluster.tolist(), found.keep.tolist(), found.dup_of, found.exact, list(found.pairs())


def on_disk(monkeypatch) -> None:
    """What a few megabytes of memory would make of millions of texts."""
    monkeypatch.setattr(spool, "IN_MEMORY", 1_000)
    monkeypatch.setattr(spool, "SORTED_IN_MEMORY", 3_000)
    monkeypatch.setattr(spool, "_BLOCK", 64)
    monkeypatch.setattr(spool, "_STEP", 50)
    monkeypatch.setattr(shingle_sets, "SHINGLES_AT_ONCE", 700)
    monkeypatch.setattr(text_search, "_PAIRS_AT_ONCE", 100)
    monkeypatch.setattr(input_texts, "BATCH_BYTES", 20_000)


@pytest.mark.parametrize("threshold", [0.05, 0.3, 0.6, 0.8])
def test_what_waits_on_disk_makes_no_difference(texts, threshold, monkeypatch):
    held = everything(near_duplicates(texts, threshold=threshold))
    assert held[4]
    on_disk(monkeypatch)
    assert everything(near_duplicates(texts, threshold=threshold)) == held
    assert everything(near_duplicates((text for text in texts), threshold=threshold)) == held


def test_a_generator_is_not_held(monkeypatch):
    on_disk(monkeypatch)
    there = weakref.WeakSet()

    class Text(str):
        __slots__ = ("__weakref__",)

    def made():
        for number in range(3_000):
            there.add(text := Text(f"{WORDS[number % 18]} {number // 2} " * 9))
            most[0] = max(most[0], len(there))
            yield text

    most = [0]
    found = near_duplicates(made())
    assert int(found.keep.sum()) == 3_000
    assert 1 < most[0] < 600
    assert not there


@pytest.mark.parametrize("threshold", [0.05, 0.8])
def test_nothing_is_left_on_disk(texts, threshold, monkeypatch, tmp_path):
    on_disk(monkeypatch)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def broken():
        yield from texts
        raise OSError("the network is down")

    with pytest.raises(OSError, match="network"):
        near_duplicates(broken(), threshold=threshold)
    list(near_duplicates(texts, threshold=threshold).pairs())
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_told_in_one_line(texts, monkeypatch):
    on_disk(monkeypatch)
    full = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, full[1]))
        with pytest.raises(StoreError, match="while comparing texts") as told:
            near_duplicates(texts)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, full)
        signal.signal(signal.SIGXFSZ, before)
    assert "\n" not in str(told.value)


def test_what_is_no_text():
    with pytest.raises(ConfigError, match="one string"):
        near_duplicates("a b c")
    with pytest.raises(ConfigError, match="text 1 is of type NoneType"):
        near_duplicates(["a", None])  # type: ignore[list-item]


def test_it_is_in_the_package():
    assert paberki.near_duplicates is near_duplicates


@pytest.mark.parametrize("turn", [1, TURN])
def test_estimates_are_unbiased(turn):
    """Mean of the estimates over many pairs is the resemblance, for both draws of signatures."""
    some = random.Random(11)
    errors = []
    for share in (0.02, 0.05, 0.1, 0.2):
        for _ in range(40):
            base = text_of(some, 500)
            both = shingle([base, changed(some, base, share)])
            signatures = sign_once(both, 128, turn)
            estimate = float((signatures[0] == signatures[1]).mean())
            sizes = make_sets(both)
            left, right = (
                set(both.values[low : low + size].tolist()) for low, size in zip(both.offsets, sizes, strict=False)
            )
            errors.append(estimate - len(left & right) / len(left | right))
    assert abs(float(np.mean(errors))) < 0.01


def test_several_threads_find_the_same() -> None:
    rng = random.Random(5)
    words = [f"riječ{number}" for number in range(3000)]
    texts = [" ".join(rng.choices(words, k=300)) for _ in range(6000)]
    texts += [f"{text} i kraj" for text in texts[:200]] + texts[:50]
    for threshold in (0.8, 0.3):
        one, several = (near_duplicates(iter(texts), threshold=threshold, jobs=jobs) for jobs in (1, 3))
        assert one.dup_of == several.dup_of
        assert list(one.pairs()) == list(several.pairs())
        assert one.keep.sum() == 6000


def test_a_number_of_threads_below_nought_is_refused() -> None:
    with pytest.raises(ConfigError, match="jobs = -1"):
        near_duplicates(["a b c"], jobs=-1)
