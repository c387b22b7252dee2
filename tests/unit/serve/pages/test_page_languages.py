"""Every text of the interface is there in every language."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import paberki.serve.pages
from paberki.serve.pages.frame import SCRIPT_WORDS
from paberki.serve.pages.languages import LANGUAGES, ONE, language_of, messages, translation

SOURCES = Path(paberki.serve.pages.__file__).parent


def spoken() -> set[str]:
    """Texts that are given to ``say`` in the sources."""
    texts = set()
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                if name == "say" and isinstance(node.args[0].value, str):
                    texts.add(node.args[0].value)
    return texts


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_nothing_is_left_in_english(language: str) -> None:
    assert spoken() - set(messages(language)) == set()
    assert all(text.strip() for text in messages(language).values())


def test_texts_of_scripts_are_brought_and_translated() -> None:
    scripts = (SOURCES.parent / "static" / "js").glob("*.js")
    texts = {text for path in scripts for text in re.findall(r'\bword\("([^"]+)"\)', path.read_text("utf-8"))}
    assert texts <= set(SCRIPT_WORDS)
    for language in ("hr", "sl", "cs"):
        assert set(SCRIPT_WORDS) <= set(messages(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_have_the_same_places_for_values(language: str) -> None:
    for text, other in messages(language).items():
        assert sorted(re.findall(r"\{\w+\}", text)) == sorted(re.findall(r"\{\w+\}", other)), text


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("hr-HR,hr;q=0.9,en;q=0.8", "hr"),
        ("de,cs;q=0.5", "cs"),
        ("en-US,sl;q=0.9", "en"),
        ("sr", "hr"),
        ("x" * 5000, "en"),
        ("sl;q=a", "sl"),
    ],
)
def test_the_browser_says_which_language(header: str, language: str) -> None:
    assert language_of(header) == language


def test_what_is_unknown_stays_english() -> None:
    assert translation("no such text", "hr") == "no such text"


def test_one_thing_is_said_in_the_singular() -> None:
    assert translation("{n} hits", "en", 1) == "{n} hit"
    assert translation("{n} hits", "en", 2) == translation("{n} hits", "en") == "{n} hits"
    assert translation("{n} hits", "hr", 1) == messages("hr")["{n} hits"]
    assert set(ONE) <= set(messages("en"))
