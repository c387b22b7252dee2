"""Badness in both variants, several profiles, function words."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from paberki.errors import ConfigError
from paberki.quality.profiles import Profiles, learn, read_profile

TEXTS = ["je i u na se je i je", "i je u u na se je je i je", "se je na i u je"]


def test_means_are_weighted_by_length() -> None:
    found = {one.word: one for one in learn(TEXTS, types=3)}
    assert found["je"].mean == pytest.approx(9 / 24)
    shares = [(3 / 8, 8), (4 / 10, 10), (2 / 6, 6)]
    variance = sum(weight * (share - 9 / 24) ** 2 for share, weight in shares) / 24
    assert found["je"].deviation == pytest.approx(math.sqrt(variance))


def test_badness_is_the_sum_of_shortfalls() -> None:
    words = learn(TEXTS, types=2)
    [found] = Profiles({"hr": words}).badness(["je x x x"], "hr")
    wanted = sum(max((one.mean - (0.25 if one.word == "je" else 0.0)) / one.deviation, 0.0) for one in words)
    assert found == pytest.approx(wanted)


def test_the_variant_of_2013_is_clamped() -> None:
    profiles = Profiles({"hr": learn(TEXTS, types=5)})
    assert profiles.badness(["nothing of it here"], "hr", "2013") == [25.0]
    assert profiles.badness([TEXTS[0]], "hr", "2013")[0] < 10


def test_scripts_without_spaces_have_profiles() -> None:
    profiles = Profiles({"ja": learn(["これは本です。", "それは私の本です。", "本はここです"], types=3)})
    good, bad = profiles.badness(["これは私のです", "The cat sat on the mat"], "ja")
    assert good < bad


def test_a_profile_of_texprof_is_read(tmp_path: Path) -> None:
    file = tmp_path / "de.profile"
    file.write_text("DIE|-1.562|0.194|5\nUND|-1.6|0.2|5\n")
    words = read_profile(file)
    assert words[0].word == "die"
    assert words[0].mean == pytest.approx(10**-1.562)
    file.write_text("DIE and more\n")
    with pytest.raises(ConfigError, match="line 1"):
        read_profile(file)
