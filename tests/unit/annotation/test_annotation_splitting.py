"""Tokens and sentences: nothing is lost, places are right, addresses and faces stay whole."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_treebank import trees

from paberki.annotation.splitter_training import train_splitter
from paberki.annotation.splitting import MOST_TOKENS, Splitter

SPLITTER = Splitter("hr")


def forms(text: str) -> list[str]:
    starts, ends, _ = SPLITTER.split(text)
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("vidi https://www.example.hr/put?a=1&b=2, pa dođi", "https://www.example.hr/put?a=1&b=2"),
        ("piši na ana.horvat@example.com.", "ana.horvat@example.com"),
        ("baš lijepo :-) zar ne", ":-)"),
        ("super 😀 !", "😀"),
        ("#zagreb je lijep", "#zagreb"),
        ("@ana_h dođi", "@ana_h"),
        ("stoji 1.234,56 kn", "1.234,56"),
        ("u 12:30 sati", "12:30"),
        ("web-stranica radi", "web-stranica"),
        ("kaj... ne znam", "..."),
    ],
)
def test_kept_whole(text: str, whole: str) -> None:
    assert whole in forms(text)


@given(st.text(max_size=80))
def test_every_visible_character_is_in_exactly_one_token(text: str) -> None:
    starts, ends, edges = SPLITTER.split(text)
    covered = [at for start, end in zip(starts, ends, strict=True) for at in range(start, end)]
    assert len(covered) == len(set(covered))
    missing = set(range(len(text))) - set(covered)
    assert all(text[at].isspace() or not text[at].isprintable() for at in missing)
    assert starts == sorted(starts)
    assert edges == sorted(set(edges))
    assert edges[0] == 0
    assert edges[-1] == len(starts)


def test_sentences_do_not_cross_lines_and_are_never_endless() -> None:
    starts, _, edges = SPLITTER.split("naslov bez točke\ndrugi red")
    assert edges == [0, 3, 5]
    starts, _, edges = SPLITTER.split("a " * (2 * MOST_TOKENS + 7))
    assert edges == [0, MOST_TOKENS, 2 * MOST_TOKENS, len(starts)]


def test_sentence_ends_are_learnt() -> None:
    learnt = train_splitter(trees(), "hr")
    text = "Pas traži kuću. Mačka vidi vodu. Vuk voli rijeku."
    starts, ends, edges = learnt.split(text)
    assert [text[starts[a] : ends[b - 1]] for a, b in pairwise(edges)] == [
        "Pas traži kuću.",
        "Mačka vidi vodu.",
        "Vuk voli rijeku.",
    ]
