"""The sentence pools and what is composed from them."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter

import pytest
from demo_client import resemblance

from paberki.demo.cyrillic_pages import to_cyrillic
from paberki.demo.pool import LANGUAGES, parse, pool
from paberki.demo.prose import Writer
from paberki.demo.web import Truth

ALPHABETS = {
    "hr": "abcčćdđefghijklmnoprsštuvzž",
    "sr": "abcčćdđefghijklmnoprsštuvzž",
    "sl": "abcčdefghijklmnoprsštuvzž",
    "cs": "aábcčdďeéěfghiíjklmnňoópqrřsštťuúůvwxyýzž",
    "de": "abcdefghijklmnopqrstuvwxyzäöüß",
    "en": "abcdefghijklmnopqrstuvwxyz",
}
CYRILLIC = "абвгдђежзијклљмнњопрстћуфхцчџш"
FUNCTION_WORDS = {
    "hr": {
        "što",
        "gdje",
        "tko",
        "vrijeme",
        "prije",
        "kako",
        "bi",
        "općina",
        "tisuća",
        "tjedan",
        "nogometaši",
    },
    "sr": {"šta", "gde", "vreme", "pre", "hiljada", "opštine", "evra", "odsto", "fudbaleri", "lane"},
    "sl": {"kaj", "kjer", "ki", "še", "so", "bo", "zato", "tisoč", "pri", "ker"},
    "cs": {"že", "když", "který", "která", "podle", "jsou", "protože", "až", "nebo", "než"},
    "de": {"der", "die", "das", "und", "nicht", "ist", "weil", "wird", "mit"},
    "en": {"the", "and", "of", "that", "is", "which", "with", "has", "by"},
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_pool_is_rich_and_complete(language: str) -> None:
    words = pool(language)
    assert len(words.subjects) == 8
    templates = [line for topic in words.topics.values() for line in topic.sentences]
    assert len(templates) >= 60
    assert len(set(templates)) == len(templates)
    lines = [*templates, *(x for t in words.topics.values() for x in (*t.titles, *t.subheads))]
    assert {slot for line in lines for slot in re.findall(r"\{([\w.]+)\}", line)} <= set(words.slots)
    assert all(line.count("[") == line.count("]") and line.count("{") == line.count("}") for line in lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_cases_of_a_slot_are_parallel(language: str) -> None:
    sizes: dict[str, set[int]] = {}
    for name, fillers in pool(language).slots.items():
        sizes.setdefault(name.partition(".")[0], set()).add(len(fillers))
        assert all(fillers)
    assert all(len(found) == 1 for found in sizes.values())


def test_labels_are_translated() -> None:
    english = set(pool("en").labels)
    assert all(english <= set(pool(language).labels) for language in LANGUAGES)


def test_every_template_can_be_filled() -> None:
    for language in LANGUAGES:
        writer = Writer(pool(language), "all")
        for topic in pool(language).topics.values():
            for template in (*topic.titles, *topic.subheads, *topic.sentences):
                assert not re.search(r"[\[\]{}|]|\s\s", writer.fill(template)), template


def test_pool_rejects_unknown_lines() -> None:
    with pytest.raises(ValueError, match="a line starts with 'oops'"):
        parse("hr", "oops what is this")


def test_same_identity_gives_the_same_text() -> None:
    one, two, other = (Writer(pool("hr"), name).article("sport") for name in ("a", "a", "b"))
    assert one == two
    assert one != other


def test_articles_have_four_to_fourteen_paragraphs(truth: dict[str, Truth]) -> None:
    articles = [page for page in truth.values() if page.kind in {"article", "post", "notice"}]
    for page in articles:
        assert 4 <= len(page.wanted.splitlines()) <= 18
    assert max(len(page.wanted.splitlines()) for page in articles) >= 12


def test_cyrillic_digraphs_and_capitals() -> None:
    assert to_cyrillic("Ljubav, njegov džem i Đurđević") == "Љубав, његов џем и Ђурђевић"
    assert to_cyrillic("Njegova šuma 15 km") == "Његова шума 15 км"


def test_letters_belong_to_the_language(truth: dict[str, Truth]) -> None:
    """No mojibake and no foreign letters, except in names of products and the English quotations."""
    for url, page in truth.items():
        if page.language == "ja" or (page.kind == "post" and page.host.startswith("z") and "hr.test" in page.host):
            continue
        letters = {char for char in page.wanted.lower() if char.isalpha()}
        assert letters <= set(CYRILLIC if page.script == "Cyrl" else ALPHABETS[page.language]), url


def test_japanese_is_japanese(truth: dict[str, Truth]) -> None:
    pages = [page.wanted for page in truth.values() if page.language == "ja" and page.wanted]
    assert pages
    for text in pages:
        kana = sum("ぁ" <= char <= "ヿ" for char in text)
        assert kana / len(text) > 0.35
        assert "\ufffd" not in text


def test_languages_differ_by_function_words(truth: dict[str, Truth]) -> None:
    counts = {language: Counter[str]() for language in FUNCTION_WORDS}
    for page in truth.values():
        if page.script == "Latn" and page.language in counts:
            counts[page.language].update(re.findall(r"\w+", page.wanted.lower()))
    for language, words in FUNCTION_WORDS.items():
        own = sum(counts[language][word] for word in words) / counts[language].total()
        for other in FUNCTION_WORDS.keys() - {language}:
            foreign = sum(counts[other][word] for word in words) / counts[other].total()
            assert own > 2 * foreign, (language, other)


def test_croatian_and_serbian_keep_apart(truth: dict[str, Truth]) -> None:
    text = {code: " ".join(p.wanted.lower() for p in truth.values() if p.language == code) for code in ("hr", "sr")}
    pairs = [
        ("vrijeme", r"vreme\b"),
        ("mlijek", "mlek"),
        ("tisuć", "hiljad"),
        ("nogomet", "fudbal"),
        ("tko", "ko"),
    ]
    for croatian, serbian in pairs:
        assert re.search(rf"\b{croatian}", text["hr"]), croatian
        assert not re.search(rf"\b{croatian}", text["sr"]), croatian
        assert re.search(rf"\b{serbian}", text["sr"]), serbian
        if serbian != "ko":
            assert not re.search(rf"\b{serbian}", text["hr"]), serbian


def test_different_articles_are_not_near_duplicates(truth: dict[str, Truth]) -> None:
    pages = [
        page
        for page in truth.values()
        if page.kind in {"article", "post", "notice", "thread", "product"}
        and page.duplicate_group is None
        and page.near_duplicate_group is None
    ]
    for language in LANGUAGES:
        own = [page for page in pages if page.language == language]
        pairs = list(itertools.combinations(own, 2))
        sample = random.Random(language).sample(pairs, min(1200, len(pairs)))
        values = sorted(resemblance(one, two) for one, two in sample)
        assert values[-1] < 0.3, (language, values[-3:])
