"""Restoring diacritics: learnt from little text, better than leaving it, harmless where nothing is missing."""

from __future__ import annotations

import random

from paberki.quality.diacritics import accuracy, bare, breakpoints, learn

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
    assert breakpoints(text, view) == [(0, 0)]
    assert bare("Žđšč ǅ ёж") == "Zdsc ǅ еж"
    assert restorer.restore("") == ""


def test_a_language_without_diacritics_has_nothing_to_restore() -> None:
    assert learn(["the cat sat on the mat " * 50]).forms == {}
