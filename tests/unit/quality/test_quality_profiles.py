"""Badness in all variants, several profiles, function words."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from paberki.errors import ConfigError
from paberki.lexicon import texts_of
from paberki.quality.connected.common_words import RARE, SHIPPED, common_words
from paberki.quality.connected.profiles import Profiles, ProfileWord, learn, limit_of, read_profile, words_in

TEXTS = ["je i u na se je i je", "i je u u na se je je i je", "se je na i u je"]


def test_means_are_weighted_by_length() -> None:
    found = {one.word: one for one in learn(TEXTS, types=3)}
    assert found["je"].mean == pytest.approx(9 / 24)
    shares = [(3 / 8, 8), (4 / 10, 10), (2 / 6, 6)]
    variance = sum(weight * (share - 9 / 24) ** 2 for share, weight in shares) / 24
    assert found["je"].deviation == pytest.approx(math.sqrt(variance))


def test_badness_is_the_sum_of_shortfalls() -> None:
    words = learn(TEXTS, types=2)
    [found] = Profiles({"hr": words}).badness(["je x x x"], "hr", "2012")
    wanted = sum(max((one.mean - (0.25 if one.word == "je" else 0.0)) / one.deviation, 0.0) for one in words)
    assert found == pytest.approx(wanted)


def test_no_word_is_steadier_than_its_mean_allows() -> None:
    words = [ProfileWord("je", 0.04, 0.001, -1.4, 0.1)]
    assert Profiles({"xx": words}).badness(["brodovi luke otoci"], "xx") == [pytest.approx(2.0)]


CROATIAN = (
    "Jutros je na otoku puhao jak vjetar, pa brodovi nisu mogli isploviti iz luke.",
    "Stariji ljudi kažu da se takvo vrijeme ne pamti već dvadeset godina.",
    "Djeca su ipak otišla u školu, jer je put preko brda ostao otvoren.",
    "Načelnik je rekao da će se šteta moći procijeniti tek kad se more smiri.",
    "U selu nije bilo struje, ali nitko se nije žalio ni na mrak ni na hladnoću.",
    "Ribari su popravljali mreže i pričali o zimama koje su bile još gore.",
)
SLOVENE = (
    "Zjutraj je na otoku pihal močan veter, zato ladje niso mogle izpluti iz pristanišča.",
    "Starejši ljudje pravijo, da takega vremena ne pomnijo že dvajset let.",
    "Otroci so kljub temu odšli v šolo, saj je bila pot čez hrib še vedno odprta.",
    "Župan je povedal, da bo škodo mogoče oceniti šele, ko se bo morje umirilo.",
    "V vasi ni bilo elektrike, vendar se nihče ni pritoževal nad temo in mrazom.",
    "Ribiči so popravljali mreže in se pogovarjali o zimah, ki so bile še hujše.",
)


def test_another_language_gives_itself_away_by_its_common_words() -> None:
    profiles = Profiles({"hr": learn([" ".join(CROATIAN[:3]), " ".join(CROATIAN[3:])])})
    own, other = " ".join(CROATIAN[1:5]), " ".join(SLOVENE)
    assert profiles.connected([own, other], "hr") == [True, False]
    leads, names = profiles.look_up(texts_of([own, other])).lead("hr")
    assert leads[0] < 0 < leads[1]
    assert names[1] == "sl"


def test_a_language_by_another_name_is_no_rival_of_itself() -> None:
    profiles = Profiles({"croatian": learn(CROATIAN)})
    _, [name] = profiles.look_up(texts_of([" ".join(CROATIAN)])).lead("croatian")
    assert name not in ("hr", "croatian")


def test_the_words_of_forty_languages_name_their_source() -> None:
    assert len(common_words()) == 40
    assert all(RARE < share < 0.2 for words in common_words().values() for share in words.values())
    assert "Universal Dependencies" in SHIPPED.read_text("utf-8")[:200]


def test_the_limit_grows_with_the_profile() -> None:
    assert limit_of("contrast") == 10.0
    assert limit_of("2013", 20) == 70.0


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


def test_words_are_counted_as_they_are_learnt() -> None:
    texts = texts_of(["これは本です。 abc", "ภาษาไทย and more", "", "Brod, luka i otok", "漢字kanji漢字"])
    counted = Profiles({"ja": learn(["これは本です。"])}).look_up(texts)
    assert counted.words.tolist() == [len([word for word in words if word]) for words in words_in(texts).to_pylist()]
