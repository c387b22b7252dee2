"""An attribute answers in both directions: values of tokens, tokens of values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from paberki.query.index.reader import Index

Make = Callable[..., Index]


@pytest.fixture
def words(make: Make) -> tuple[Index, list[str]]:
    rng = np.random.default_rng(3)
    words = [f"w{min(int(rank), 3000)}" for rank in rng.zipf(1.3, 6000)]
    text = "\n".join(f"{word}\t{word[:2].upper()}" for word in words)
    return make(text + "\n", ("word", "tag")), words


def test_every_value_is_where_it_was(words: tuple[Index, list[str]]) -> None:
    index, forms = words
    attribute = index.segments[0].attribute("word")
    assert attribute.values(attribute.ids) == forms
    counts = Counter(forms)
    assert [(attribute.value(number), int(count)) for number, count in enumerate(attribute.counts)] == [
        (attribute.value(number), counts[attribute.value(number)]) for number in range(len(counts))
    ]
    assert (np.diff(attribute.counts) <= 0).all()
    for number in range(attribute.size):
        expected = [at for at, form in enumerate(forms) if form == attribute.value(number)]
        assert attribute.positions(number).tolist() == expected
        assert attribute.positions([number], 1000, 4000).tolist() == [at for at in expected if 1000 <= at < 4000]
        assert attribute.id_of(attribute.value(number)) == number
    assert attribute.id_of("there is none") == -1


def test_several_values_at_once(words: tuple[Index, list[str]]) -> None:
    index, forms = words
    attribute = index.segments[0].attribute("word")
    rare = np.arange(50, attribute.size)
    expected = [at for at, form in enumerate(forms) if attribute.id_of(form) >= 50]
    assert attribute.positions(rare).tolist() == expected
    assert attribute.positions(np.arange(attribute.size)).tolist() == list(range(len(forms)))
    assert attribute.positions([]).tolist() == []


def test_gathering_is_a_look_up_for_each_token(words: tuple[Index, list[str]]) -> None:
    index, _ = words
    for name in ("word", "lc", "tag"):
        attribute = index.segments[0].attribute(name)
        table = np.arange(attribute.size, dtype=np.uint32) * 2
        out = np.ones(500, np.uint32)
        attribute.gather(table, 700, 1200, out)
        assert (out == (attribute.ids_between(700, 1200) * 2 | 1)).all()
        wide = np.zeros(500, np.uint64)
        attribute.gather(table.astype(np.uint64), 700, 1200, wide)
        assert (wide == attribute.ids_between(700, 1200).astype(np.uint64) * 2).all()
        with pytest.raises(IndexError):
            attribute.gather(table[:-1], 0, 10, out)
        with pytest.raises(IndexError):
            attribute.ids_at(np.array([6000]))


def test_orders(words: tuple[Index, list[str]]) -> None:
    index, forms = words
    attribute = index.segments[0].attribute("word")
    by_code_point = attribute.values(attribute.by_code_point)
    assert by_code_point == sorted(set(forms))
    assert attribute.values(np.argsort(attribute.code_point_rank)) == by_code_point
    assert attribute.values(attribute.prefix_ids("w12")) == sorted(
        {form for form in forms if form.startswith("w12")}, key=attribute.id_of
    )
    assert attribute.strings.to_pylist() == attribute.values(range(attribute.size))


def test_small_letters_are_derived(make: Make) -> None:
    attribute = make().segments[0].attribute("lc")
    assert attribute.derived_from is not None
    assert attribute.derived_from.name == "word"
    boat = attribute.id_of("čamac")
    assert attribute.counts[boat] == 2
    assert attribute.positions(boat).tolist() == [0, 5]
    assert attribute.values(attribute.ids_at(np.array([0, 7]))) == ["čamac", "camac"]


def test_lemmas_are_derived_from_lempos(make: Make) -> None:
    text = "Psi\tpes-n\npes\tpes-n\nše\tše\npes\tpes-v\n-\t--x\n"
    index = make(text, ("word", "lempos"))
    assert index.attributes == ("word", "lc", "lempos", "lemma")
    lemma = index.segments[0].attribute("lemma")
    assert lemma.values(lemma.ids) == ["pes", "pes", "še", "pes", "-"]
    assert lemma.positions(lemma.id_of("pes")).tolist() == [0, 1, 3]
    assert lemma.counts[lemma.id_of("pes")] == 3
    assert lemma.value(int(np.argmax(lemma.collation_rank))) == "še"
    assert make(text, ("word", "lempos", "lemma")).attributes == ("word", "lc", "lempos", "lemma")
    assert make(text, ("word", "lempos*")).attributes == ("word", "lc", "lempos")


def test_folded_values(make: Make) -> None:
    word = make().segments[0].attribute("word")
    boats = [word.id_of(form) for form in ("Čamac", "čamac", "CAMAC")]
    for kind, count in (("c", 2), ("d", 3), ("cd", 1)):
        folded = word.folded_lexicon(kind)
        assert len(set(folded.ids[boats].tolist())) == count
        assert folded.value(folded.ids[boats[0]]) == {"c": "čamac", "d": "Camac", "cd": "camac"}[kind]


def test_large_lexicons_have_their_folded_values_stored(make: Make) -> None:
    text = "".join(f"Riječ{number}\n" for number in range(21_000))
    segment = make(text, ("word",)).segments[0]
    assert any(name.startswith("f/word/cd") for name in segment.sizes())
    word = segment.attribute("word")
    folded = word.folded_lexicon("cd")
    number = word.id_of("Riječ20999")
    assert folded.value(folded.ids[number]) == "rijec20999"
    assert folded.id_of("rijec7") >= 0


def test_sets(make: Make) -> None:
    feats = make().segments[0].attribute("feats")
    assert feats.multi
    assert feats.values(feats.ids) == [
        "|Case=Nom|Number=Sing|", "|Number=Sing|", "|Case=Ins|Number=Sing|", "|",
        "|Case=Nom|", "|Case=Nom|Number=Sing|", "|Number=Sing|", "|", "|",
    ]  # fmt: skip
    members = {
        feats.value(number): feats.set_values.values(
            feats.set_members[feats.set_offsets[number] : feats.set_offsets[number + 1]]
        )
        for number in range(feats.size)
    }
    assert members["|"] == []
    assert members["|Case=Ins|Number=Sing|"] == ["Case=Ins", "Number=Sing"]


@pytest.mark.parametrize(
    ("separator", "values"),
    [("|", ["X||Y", "|Z|", "||", "P|Q|", "|R||||S|"]), (",", ["X,,Y", "Z", ",", ",P,Q", "R,S,"]), ("", ["XY", "Z", "", "PQ", "RS"])],
)  # fmt: skip
def test_sets_with_empty_members_are_those_without(make: Make, separator: str, values: list[str]) -> None:
    text = "".join(f"w\t{value}\n" for value in values)
    sets = make(text, ("word", "m*"), separators={"m": separator}).segments[0].attribute("m")
    assert sets.values(sets.ids) == ["|X|Y|", "|Z|", "|", "|P|Q|", "|R|S|"]
    number = int(sets.ids[4])
    members = sets.set_members[sets.set_offsets[number] : sets.set_offsets[number + 1]]
    assert sets.set_values.values(members) == ["R", "S"]
    assert sets.set_offsets[-1] == len(sets.set_members)
