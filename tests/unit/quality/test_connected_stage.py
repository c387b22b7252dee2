"""Profiles of a language that is written in more than one script, and pages measured against them."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from corpora import SENTENCES
from paberki.languages.transliteration import to_cyrillic
from paberki.model import Model
from paberki.quality.connected.connected_stage import ConnectedConfig, LearnProfiles, ProfilesConfig, connected
from paberki.store.batch import Batch

UZBEK = {
    "Latn": (
        "Bu kitob va bu daftar bilan men maktabga bordim, lekin u yerda hech kim yo'q edi.",
        "Men va u bilan bozorga bordik, lekin bu kun bozorda non va sut yo'q edi.",
        "U bu haqda hech narsa demadi va biz bilan uyga qaytdi, lekin bu uzoq edi.",
    ),
    "Cyrl": (
        "Бу китоб ва бу дафтар билан мен мактабга бордим, лекин у ерда ҳеч ким йўқ эди.",
        "Мен ва у билан бозорга бордик, лекин бу кун бозорда нон ва сут йўқ эди.",
        "У бу ҳақда ҳеч нарса демади ва биз билан уйга қайтди, лекин бу узоқ эди.",
    ),
}
SERBIAN = {"Latn": SENTENCES, "Cyrl": tuple(to_cyrillic(one) for one in SENTENCES)}
CONFIG = ProfilesConfig(min_chars=50)


def batch(pages: list[tuple[str, str, str]]) -> Batch:
    """Pages as language, script and text."""
    blocks = pa.list_(pa.struct([("text", pa.string()), ("kept", pa.bool_())]))
    columns = {
        "identify.lang": pa.array([lang for lang, _, _ in pages], pa.string()),
        "identify.script": pa.array([script for _, script, _ in pages], pa.string()),
        "archive.key": pa.array([f"{number:04d}" for number in range(len(pages))], pa.string()),
        "extract.kept_char_count": pa.array([len(text) for _, _, text in pages], pa.int32()),
        "extract.blocks": pa.array([[{"text": text, "kept": True}] for _, _, text in pages], blocks),
    }
    return Batch(np.arange(len(pages)), columns)


def texts(sentences: tuple[str, ...], turn: int) -> str:
    """The sentences, beginning with another one each time."""
    return " ".join(sentences[turn % len(sentences) :] + sentences[: turn % len(sentences)])


def measured(learnt: list[tuple[str, str, str]], judged: list[tuple[str, str, str]]) -> Any:
    table = LearnProfiles.finish(LearnProfiles.merge([LearnProfiles.observe(batch(learnt), CONFIG)], CONFIG), CONFIG)
    digest = hashlib.sha256(str(table.to_pylist()).encode()).hexdigest()
    return connected(batch(judged), ConnectedConfig(), Model(digest, table))


@pytest.mark.parametrize(("lang", "sentences"), [("sr", SERBIAN), ("uz", UZBEK)])
def test_both_scripts_of_a_language_are_connected(lang: str, sentences: dict[str, tuple[str, ...]]) -> None:
    pages = [(lang, script, texts(some, turn)) for script, some in sentences.items() for turn in range(8)]
    lists = [
        (lang, script, " ".join(word for one in some for word in one.split() if len(word) > 6))
        for script, some in sentences.items()
    ]
    assert measured(pages, pages + lists)["connected"].to_pylist() == [True] * 16 + [False] * 2


def test_a_page_in_both_scripts_is_measured_against_both() -> None:
    pages = [("sr", script, texts(some, turn)) for script, some in SERBIAN.items() for turn in range(8)]
    mixed = ("sr", "Latn", texts(SERBIAN["Latn"], 1) + " " + texts(SERBIAN["Cyrl"], 3))
    assert measured(pages, [mixed])["badness"][0].as_py() < 5


def test_mixed_pages_teach_each_script_its_own_words() -> None:
    both = [
        ("sr", script, " ".join(texts(some, turn) for some in SERBIAN.values()))
        for turn in range(8)
        for script in SERBIAN
    ]
    pure = [("sr", script, texts(some, 1)) for script, some in SERBIAN.items()]
    assert all(score < 5 for score in measured(both, pure)["badness"].to_pylist())


def test_a_script_without_a_profile_is_not_judged() -> None:
    latin = [("sr", "Latn", texts(SERBIAN["Latn"], turn)) for turn in range(8)]
    found = measured(latin, [("sr", "Cyrl", texts(SERBIAN["Cyrl"], 0)), ("sr", "Latn", texts(SERBIAN["Latn"], 0))])
    assert found["connected"].to_pylist() == [None, True]
