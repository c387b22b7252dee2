"""Languages by any of their names."""

from __future__ import annotations

from pathlib import Path

import pytest

import paberki
from paberki.errors import ConfigError
from paberki.languages import english_name, language, languages


@pytest.mark.parametrize(
    ("name", "code"),
    [("hr", "hr"), ("HR", "hr"), ("hrv", "hr"), ("Croatian", "hr"), (" croatian ", "hr"), ("ger", "de"), ("deu", "de"),
     ("Slovene", "sl"), ("Slovenian", "sl"), ("jpn", "ja"), ("Norwegian Bokmål", "nb"), ("Farsi", "fa")],
)  # fmt: skip
def test_names(name: str, code: str) -> None:
    assert language(name) == code


@pytest.mark.parametrize(
    ("name", "said"),
    [("hr,sr", "one by one: 'hr', 'sr'"), ("xx", "no language 'xx'"), ("hrx", "did you mean 'hr"), ("", "no language"),
     ("no", "nb or nn"), ("sh", "bs or hr or sr"), ("Croatan", "did you mean 'croatian'"), ("sr-Latn", "did you mean 'sr'"), ("hr_HR", "did you mean 'hr'")],
)  # fmt: skip
def test_what_is_no_language(name: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        language(name)


def test_each_once() -> None:
    assert languages(["hr", "HRV", "sr"]) == ("hr", "sr")
    assert english_name("cs") == "Czech"


def test_recipes_say_where(tmp_path: Path) -> None:
    corpus = paberki.new(tmp_path / "c", lang="Croatian")
    assert corpus.recipe.lang == ("hr",)
    corpus.directory.recipe.write_text('lang = ["xx"]\n')
    with pytest.raises(ConfigError, match=r"corpus\.toml, line 1: there is no language 'xx'"):
        _ = corpus.recipe
    corpus.directory.recipe.write_text('lang = "HRV"\n[select]\nlang = ["hrx"]\n')
    with pytest.raises(ConfigError, match=r"line 3: there is no language 'hrx'"):
        _ = corpus.recipe


def test_functions_take_any_name() -> None:
    assert paberki.identify("Jučer je u gradu otvorena nova knjižnica.", languages=("Slovene", "ces")).lang == "sl"
    assert paberki.annotate("Ana živi u Zagrebu.", lang="Croatian").tokens[1].lemma == "živjeti"
