"""Restoring diacritics: learnt from little text, better than leaving it, harmless where nothing is missing."""

from __future__ import annotations

import hashlib
import random

import numpy as np
import pyarrow as pa

from paberki.model import Model
from paberki.quality.diacritics.diacritics_stage import DiacriticsConfig, LearnDiacritics, RestoreConfig, restore
from paberki.quality.diacritics.restoration import accuracy, bare, having_diacritics, learn, without_words
from paberki.store.batch import Batch

SENTENCES = (
    "Danas je u gradu bilo lijepo vrijeme, a gosti su došli iz svih krajeva zemlje.",
    "Rekli su da se tu nalazi ono što traže već nekoliko godina, ali nitko im nije vjerovao.",
    "Predsjednik društva je najavio da će se radovi nastaviti i sljedeće godine na istom mjestu.",
    "Knjiga koju je napisala govori o djetinjstvu na otoku i o ljudima koji su otišli.",
    "Žena je čekala muža pred kućom, a đak je učio pjesmu.",
    "Što će se dogoditi kad dođe ljeto, to još nitko ne zna.",
)


def texts(seed: int, count: int) -> list[str]:
    pick = random.Random(seed)
    return [" ".join(pick.choices(SENTENCES, k=6)) for _ in range(count)]


def test_words_are_restored() -> None:
    restorer = learn(texts(1, 40))
    assert restorer.forms["c"][0] == "c"
    assert set(restorer.forms["c"]) == {"c", "č", "ć"}
    left, right = accuracy(restorer, texts(2, 5))
    assert left < 0.9
    assert right > 0.99
    assert restorer.restore("Sto ce se dogoditi kad dode ljeto") == "Što će se dogoditi kad dođe ljeto"
    assert restorer.restore("ZENA JE CEKALA").startswith("ŽENA")


def test_what_is_there_stays() -> None:
    restorer = learn(texts(1, 40))
    for text in texts(3, 3):
        assert restorer.restore(text) == text
    assert not restorer.is_bare(" ".join(texts(3, 2)))
    assert restorer.is_bare(bare(" ".join(texts(3, 2))))
    assert not restorer.is_bare("Ivan ide u grad")  # too short to tell


def test_views_have_the_places_of_the_text() -> None:
    restorer = learn(texts(1, 20))
    text = "zena 😀 ceka\nvec"
    view = restorer.restore(text)
    assert len(view) == len(text)
    assert bare("Žđšč ǅ ёж") == "Zdsc ǅ еж"
    assert restorer.restore("") == ""


def test_a_language_without_diacritics_has_nothing_to_restore() -> None:
    assert learn(["the cat sat on the mat " * 50]).forms == {}


def batch(pages: list[str]) -> Batch:
    blocks = pa.list_(pa.struct([("text", pa.string()), ("kept", pa.bool_())]))
    columns = {
        "extract.blocks": pa.array([[{"text": text, "kept": True}] for text in pages], blocks),
        "identify.lang": pa.array(["hr"] * len(pages), pa.string()),
        "archive.key": pa.array([f"{number:04d}" for number in range(len(pages))], pa.string()),
    }
    return Batch(np.arange(len(pages)), columns)


def test_only_words_of_bare_pages_are_dropped_and_only_good_pages_are_learnt_from() -> None:
    good = texts(1, 40)
    lacking = [bare(text) for text in texts(2, 60)]
    learnt_from = having_diacritics(good + lacking)
    assert set(learnt_from) <= set(good)
    assert len(learnt_from) > 35
    config = DiacriticsConfig()
    learnt = LearnDiacritics.finish(LearnDiacritics.observe(batch(lacking + good), config), config)
    model = Model(hashlib.sha256(str(learnt.to_pylist()).encode()).hexdigest(), learnt)
    pages = [good[0], bare(" ".join(texts(5, 2)))]
    dropped = restore(batch(pages), RestoreConfig(mode="drop"), model)
    views = dropped["restored"].to_pylist()
    assert views[0] is None
    words = views[1][0]["text"].split()
    assert "sto" not in words
    assert "vec" not in words
    assert {"u", "gradu", "je"} <= set(words)
    changed = zip(pages[1].split(), " ".join(texts(5, 2)).split(), strict=True)
    assert dropped["restored_count"][1] == sum(one != other for one, other in changed)
    restored = restore(batch(pages), RestoreConfig(), model)["restored"].to_pylist()
    assert restored[0] is None
    assert restored[1][0]["text"] == " ".join(texts(5, 2))


def test_what_is_left_after_words_were_dropped_points_into_the_text() -> None:
    text = "zena ceka u kuci, vec 10 dana cuva"
    view, breaks, count = without_words(text, "žena čeka u kući, već 10 dana čuva")
    assert view == "u , 10 dana "
    assert count == 5
    for (at, source), following in zip(breaks, [*breaks[1:], (len(view), 0)], strict=True):
        assert view[at : following[0]] == text[source : source + following[0] - at]
    assert without_words("cuva", "čuva") == ("", [(0, 0)], 1)
