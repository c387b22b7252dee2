"""The learned method: features, trees, labels and cut-offs."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paberki.errors import ConfigError
from paberki.extraction import extract
from paberki.extraction.compiled.harvest import Harvest
from paberki.extraction.html.block_parts import LABELS
from paberki.extraction.learned.attribute_words import GROUPS, automaton
from paberki.extraction.learned.block_classifier import LearnedConfig, cutoff, label_learned, model
from paberki.extraction.learned.boosted_trees import Forest
from paberki.extraction.learned.features import CONTEXT, NAMES, Measure
from paberki.extraction.learned.page_type import PAGE_TYPES
from paberki.extraction.repair.repeated_lines import REPEAT, label_repeats_of

SENTENCE = "Jučer je u gradu otvorena nova izložba starih knjiga, a posjetitelja je bilo više nego lani."
PAGE = f"""<html lang=hr><head><title>Nova izložba - Novine</title></head><body>
<nav><ul><li><a href=/>Naslovnica</a><li><a href=/sport>Sport</a></ul></nav>
<article><h1>Nova izložba</h1><p>{SENTENCE}</p><p>Kustosica kaže: „{SENTENCE}”</p>
<blockquote>{SENTENCE}</blockquote><ul><li>Prvo: {SENTENCE}<li>Drugo: {SENTENCE}</ul>
<figure><img src=x><figcaption>Pogled na dvoranu u kojoj je izložba.</figcaption></figure>
<p>{SENTENCE}</p></article>
<div class=comments><h3>Komentari</h3><div class=comment><p>Meni se jako svidjelo, ići ću opet sljedeći tjedan.</p></div></div>
<form><label>Traži <input name=q></label></form>
<footer><p>© 2026 Novine. Sva prava pridržana.</p></footer>"""
PIECES = [
    SENTENCE, "kratko", "日本語の文章です。", "<p>", "<div class='nav menu'>", "</div>", "<li>", "<a href=u>", "</a>", "<h1>",
    "<table><tr><td>", "</table>", "<br>", "<title>Naslov stranice</title>", "©", "<div id=c1 class=comment-2 role=main>",
    "\x00", "&nbsp;", "<meta name=description content='Jučer je u gradu otvorena nova izložba'>",
]  # fmt: skip
html = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def _measured(*pages: str) -> list[np.ndarray]:
    harvest = Harvest()
    for page in pages:
        harvest.add_text(page)
    measure = Measure(harvest)
    return [measure.features(number).copy() for number in range(len(pages)) if len(measure.features(number))]


@settings(max_examples=60, deadline=None)
@given(html, html)
def test_features_are_finite_and_do_not_depend_on_other_pages(one: str, other: str) -> None:
    alone = _measured(one) + _measured(other)
    together = _measured(one, other)
    assert len(alone) == len(together)
    for left, right in zip(alone, together, strict=True):
        assert left.shape[1] == len(NAMES)
        assert np.isfinite(left).all()
        np.testing.assert_array_equal(left, right)


def test_every_column_of_both_stages_is_written() -> None:
    harvest = Harvest()
    harvest.add_text(PAGE)
    measure = Measure(harvest)
    measure._table.fill(np.nan)
    measure._context.fill(np.nan)
    features = measure.features(0)
    assert np.isfinite(features).all()
    context = measure.context(0, np.full(len(features), 0.5, np.float32))
    assert context.shape[1] == len(CONTEXT)
    assert np.isfinite(context).all()
    by_name = dict(zip(NAMES, features.T, strict=True))
    assert by_name["in_nav"].tolist()[:3] == [1.0, 1.0, 0.0]
    assert by_name["title"].argmax() == 2
    assert by_name["words_comment"].sum() == 2


def test_a_letter_without_spaces_around_it_counts_three_times() -> None:
    spaced, unspaced = (
        dict(zip(NAMES, _measured(f"<p>{text[:10]}<a href=u>{text[10:]}</a></p>")[0][0], strict=True))
        for text in (
            "jučer je u gradu otvorena izložba starih knjiga i karata more",
            "昨天城里开了一个旧书展览有很多人来参观",
        )
    )
    assert unspaced["log_length"] == pytest.approx(np.log1p(3 * 19))
    assert abs(unspaced["log_length"] - spaced["log_length"]) < 0.1
    assert unspaced["unspaced_share"] == 1.0
    assert unspaced["link"] == pytest.approx(9 / 19)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([*"abxz-_.0", "nav", "comment", "ad", "ads", "more", "post", "header"]), max_size=12))
def test_the_automaton_finds_what_a_search_would(pieces: list[str]) -> None:
    name = "".join(pieces)
    moves, groups = automaton()
    state, found = int(moves[0, 0]), 0
    for char in name + "-":
        state = int(moves[state, ord(char) - 96 if char.isalpha() else 0])
        found |= int(groups[state])
    plain = re.sub("[^a-z]", "-", f"-{name}-")
    expected = [any(word in plain for word in words.split()) for words in GROUPS.values()]
    assert [bool(found >> bit & 1) for bit in range(len(GROUPS))] == expected


def test_parts_of_a_page_are_labelled() -> None:
    found = extract(PAGE, url="https://novine.hr/clanak/123456")
    labels = {block.text[:9]: (block.label, block.kept) for block in found.blocks}
    assert labels["Naslovnic"] == ("link", False)
    assert labels["Kustosica"] == ("text", True)
    assert labels["Meni se j"] == ("comment", False)
    assert labels["© 2026 No"] == ("footer", False)
    assert {block.label for block in found.blocks} <= {*LABELS, REPEAT}
    assert {"quote", "list"} <= {block.label for block in found.blocks if block.kept}
    assert found.page_type == "article"
    assert "svidjelo" in found.comments
    assert "svidjelo" not in found.text
    assert found.title == "Nova izložba - Novine"


def test_comments_can_be_kept() -> None:
    harvest = Harvest()
    harvest.add_text(PAGE)
    without = label_learned(harvest, (), LearnedConfig())
    with_them = label_learned(harvest, (), LearnedConfig(comments=True))
    assert with_them.kept.sum() > without.kept.sum()
    assert (with_them.label == without.label).all()


@settings(max_examples=40, deadline=None)
@given(st.lists(html, min_size=1, max_size=5))
def test_a_batch_gives_what_single_pages_give(pages: list[str]) -> None:
    harvest = Harvest()
    for page in pages:
        harvest.add_text(page)
    labels = label_repeats_of(harvest, label_learned(harvest, (), LearnedConfig(), [(page, None) for page in pages]))
    singles = [extract(page) for page in pages]
    assert labels.kept.tolist() == [block.kept for single in singles for block in single.blocks]
    assert [labels.labels[at] for at in labels.label] == [block.label for single in singles for block in single.blocks]
    assert labels.page_types == [single.page_type for single in singles]


def test_cutoffs_follow_the_expected_f() -> None:
    lengths = np.full(4, 100, np.int32)
    sure, unsure = np.array([1, 1, 0, 0], np.float32), np.array([0.4, 0.3, 0.3, 0.2], np.float32)
    article, listing = PAGE_TYPES.index("article"), PAGE_TYPES.index("listing")
    assert cutoff(sure, lengths, article, 0.5) == pytest.approx(0.5)
    assert cutoff(unsure, lengths, article, 0.5) < 0.5
    assert cutoff(unsure, lengths, listing, 0.5) < cutoff(unsure, lengths, article, 0.5)


def test_a_page_without_prose_has_no_text() -> None:
    assert extract("<ul>" + "<li><a href=/a>Stranica jedan</a>" * 30 + "</ul>").text == ""
    assert extract("").text == ""


def test_trees_say_what_lightgbm_says() -> None:
    lightgbm = pytest.importorskip("lightgbm")
    generator = np.random.default_rng(1)
    table = generator.normal(size=(400, 6)).astype(np.float32)
    label = (table[:, 0] * table[:, 1] > 0.1).astype(np.float32)
    settings = {"objective": "binary", "num_leaves": 7, "verbose": -1, "num_threads": 1}
    booster = lightgbm.train(settings, lightgbm.Dataset(table, label=label), 10)
    forest = Forest.from_lightgbm(booster)
    assert len(forest) == 10
    np.testing.assert_allclose(forest.chances(table), booster.predict(table), atol=1e-6)
    again = Forest.from_arrays("x", forest.arrays("x"), 6)
    np.testing.assert_array_equal(again.chances(table), forest.chances(table))


def test_the_model_says_what_it_was_trained_on() -> None:
    about = model().about
    assert not {"dragnet", "daniel", "l3sgn1"} & set(about["training_sets"])
    assert len(about["training_sets"]) == 11


def test_other_files_are_no_models(tmp_path: Path) -> None:
    (tmp_path / "x.npz").write_bytes(b"no model")
    with pytest.raises(ConfigError, match="not an extraction model"):
        model(str(tmp_path / "x.npz"))
