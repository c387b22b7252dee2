"""What tags of three schemes are made of."""

from __future__ import annotations

import pytest

from paberki.annotation.tagging.tag_attributes import attributes, broad, coarse


@pytest.mark.parametrize(
    ("tag", "parts"),
    [
        ("Ncmsn", ["Nc", "gm", "ns", "cn"]),
        ("Vmr3s", ["Vm", "vr", "p3", "ns"]),
        ("Rgp", ["Rg", "R0p"]),
        ("Agpfsny", ["Ag", "dp", "gf", "ns", "cn", "fy"]),
        ("NOUN|Case=Nom|Number=Sing", ["NOUN", "Case=Nom", "Number=Sing"]),
        ("NNFS1-----A----", ["NN", "2F", "3S", "41", "10A"]),
        ("Z", ["Z"]),
        ("", [""]),
    ],
)
def test_attributes(tag: str, parts: list[str]) -> None:
    assert attributes(tag) == parts


def test_nouns_and_adjectives_that_agree_share_attributes() -> None:
    assert {"gf", "ns", "cn"} <= set(attributes("Ncfsn")) & set(attributes("Agpfsny"))


@pytest.mark.parametrize(("tag", "part"), [("Ncmsn", "Nc"), ("VERB|Mood=Ind", "VERB"), ("Z", "Z")])
def test_coarse(tag: str, part: str) -> None:
    assert coarse(tag) == part


@pytest.mark.parametrize(
    ("tag", "part"), [("Ncmsl", "Nc cl"), ("Vmr3s", "Vm vr"), ("NOUN|Case=Loc|Number=Sing", "NOUN Case=Loc")]
)
def test_broad_keeps_case_or_form(tag: str, part: str) -> None:
    assert broad(tag) == part
