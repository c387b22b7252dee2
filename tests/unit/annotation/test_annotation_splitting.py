"""Tokens and sentences: nothing is lost, places are right, addresses and faces stay whole."""

from __future__ import annotations

import random
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_splitter import plain_split
from small_treebank import trees

from paberki.annotation.files.annotation_model_file import load_model
from paberki.annotation.files.conllu_reading import Tree, TreeWord
from paberki.annotation.files.model_catalogue import shipped
from paberki.annotation.splitting.logistic_decisions import Decision
from paberki.annotation.splitting.splitter import MOST_TOKENS, Splitter
from paberki.annotation.splitting.splitter_training import train_splitter

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


_ODD = (
    *" .,:;!?-_'’/@#<>()[]{}|*=8dDpPxXo3^…–—“”„»«\"&\n\t\u00a0abcčŠĐ12٣²½Ⅳ漢カ한😀👍🏽\u200d❤\ufe0f🇭🇷ǅßİΣςſ\u0301\ud800",
    "www.", "http://", "https://a", "ftp://", ".hr", ".com", "info", "n't", "'s", "cannot", "'ve", "@x.hr", "a.b", "x-y", "12.5",
    " A", " a", "2-", "o_O", ":-)", "xD", "<3", "^_^", ":'(", "-_-", "it's ", "dr. ", "itd. ", "Ivan ", "kuća ", "je ", "10. ", "A. ",
)  # fmt: skip


@pytest.mark.parametrize("lang", ["hr", "en"])
def test_kernel_and_plain_python_agree(lang: str) -> None:
    path = shipped(lang)
    assert path is not None
    parts = load_model(path).layer("tokens")
    dot, hyphen, border = (Decision(parts["decisions"][name]) for name in ("dot", "hyphen", "border"))
    splitter = Splitter(lang, dot, hyphen, border, parts["cases"], parts.get("cuts"), parts.get("classes"))
    rng = random.Random(8)
    for _ in range(1500):
        text = "".join(rng.choice(_ODD) for _ in range(rng.randrange(60)))
        assert splitter.split(text) == plain_split(splitter, text), text


@pytest.mark.parametrize(
    "piece", ["a", "a.", "a-", "x's", "a.b@", "-.", "www.", ":d", "#a-", "1.", "😀\u200d", "9'a", '"a', "_-"]
)
def test_no_run_of_characters_takes_long(piece: str) -> None:
    english = Splitter("en")
    text = piece * (200_000 // len(piece))
    begun = time.process_time()
    starts, ends, _ = english.split(text)
    assert time.process_time() - begun < 2
    assert sum(ends) - sum(starts) == len(text)


def test_other_languages_show_ends_of_sentences_that_the_own_data_lack() -> None:
    def tree(*forms: str) -> Tree:
        words = [TreeWord(form, form) for form in forms]
        words[-2].misc = "SpaceAfter=No"
        return Tree(words)

    # Capitals in mid-sentence, so that a capital alone ends nothing.
    own = [tree("Zakon", "Karel", "Nový", one, ".") for one in ("platí", "končí", "začíná")] * 10
    others = [tree("Kdo", one, "?") for one in ("ide", "vidi", "zna")] * 10
    text = "Spí? Karel platí."
    assert len(train_splitter(own, "cs").split(text)[2]) == 2
    assert len(train_splitter(own, "cs", others=[others]).split(text)[2]) == 3
