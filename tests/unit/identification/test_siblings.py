"""LM1 and its stages: close languages told apart by the crawl."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from test_identify import PARAGRAPHS

from paberki.identification import identify
from paberki.identification.language_records import utf8_texts
from paberki.identification.methods.general import load_general
from paberki.identification.methods.lm1 import learn, words_in
from paberki.identification.methods.siblings import learn_siblings
from paberki.identification.stages.language_columns import langdistr
from paberki.identification.stages.sibling_stages import (
    SiblingsConfig,
    SiblingWords,
    Sites,
    SitesConfig,
    WordsConfig,
    identify_siblings,
)
from paberki.model import Model
from paberki.store.batch import Batch

TEXTS = [(lang, text) for lang in ("hr", "sr") for text in PARAGRAPHS[lang]]
HOSTS = {"hr": "a.hr", "sr": "b.rs"}


def batch_of(pages: list[tuple[str, str]]) -> Batch:
    """Pages given as host and text."""
    blocks = [[{"text": text, "kept": True}] for _, text in pages]
    columns = {
        "extract.blocks": pa.array(
            blocks, pa.list_(pa.struct([("text", pa.string()), ("kept", pa.bool_()), ("source", pa.string())]))
        ),
        "extract.kept_char_count": pa.array([len(text) for _, text in pages], pa.int32()),
        "archive.host": pa.array([host for host, _ in pages]),
        "archive.domain": pa.array([host for host, _ in pages]),
    }
    return Batch(np.arange(len(pages), dtype=np.int64), columns)


def test_the_formula() -> None:
    model = learn([("hr", "kruh kruh mlijeko"), ("sr", "hleb mleko mleko")])
    words, edges = words_in(*utf8_texts(["kruh", "nepoznato"]))
    found = model.score(words, edges)
    assert found[0] == pytest.approx([math.log(3 / 7), math.log(1 / 7)])
    assert found[1] == pytest.approx([0.0, 0.0])


def test_cyrillic_counts_as_latin() -> None:
    assert words_in(*utf8_texts(["Љубав"]))[0].tolist() == words_in(*utf8_texts(["ljubav"]))[0].tolist()


def test_blacklists() -> None:
    model = learn([("hr", "kruh " * 6 + "je"), ("sr", "hleb " * 6 + "je")])
    words, edges = words_in(*utf8_texts(["hleb je hleb"]))
    assert model.score(words, edges, blacklist=True).tolist() == [[-2.0, 0.0]]


def test_langdistr_is_as_published() -> None:
    told = langdistr([("hr", -329.0), ("bs", -324.0), ("sr", -347.0)])
    assert told == "bs:-0.324|hr:-0.329|sr:-0.347"
    assert langdistr([]) is None


def test_a_model_of_ones_own(tmp_path: Path) -> None:
    learn_siblings(TEXTS * 3, ["paragraphs"], tmp_path / "own.model")
    for lang, text in TEXTS:
        assert identify(text, method="siblings", model=tmp_path / "own.model").lang == lang
    assert identify("123", method="siblings", model=tmp_path / "own.model").lang is None


@pytest.mark.parametrize("classifier", ["lm1", "bl"])
def test_the_crawl_teaches(classifier: str) -> None:
    config = WordsConfig(languages=("hr", "sr"), tlds=("hr", "rs"), min_chars=50)
    crawl = batch_of(
        [(HOSTS[lang], text) for lang, text in TEXTS] * 6 + [("c.hr", PARAGRAPHS["en"][0]), ("d.com", TEXTS[0][1])]
    )
    counts = SiblingWords.finish(SiblingWords.merge([SiblingWords.observe(crawl, config)], config), config)
    assert sorted(set(counts.column("lang").to_pylist())) == ["hr", "sr"]
    pages = batch_of([("x.com", TEXTS[0][1]), ("x.com", TEXTS[-1][1]), ("x.com", PARAGRAPHS["en"][0])])
    found = identify_siblings(pages, SiblingsConfig(classifier=classifier), Model("m", counts))
    assert found["lang"] == ["hr", "sr", "en"]
    if classifier == "lm1":
        assert found["langdistr"][0].startswith("hr:-0.4")
        assert found["langdistr"][1].startswith("sr:-0.4")


def test_sites_decide() -> None:
    config = SitesConfig()
    probs = [
        [{"lang": "hr", "share": 0.9}, {"lang": "bs", "share": 0.1}],
        [{"lang": "bs", "share": 0.99}, {"lang": "hr", "share": 0.01}],
        [{"lang": "bs", "share": 0.8}, {"lang": "sr", "share": 0.2}],
        [{"lang": "en", "share": 1.0}],
        None,
    ]
    langs = ["hr", "bs", "bs", "en", None]
    columns = {
        "archive.domain": pa.array(["a.ba"] * 5),
        "identify.lang": pa.array(langs),
        "identify.lang_probs": pa.array(probs, pa.list_(pa.struct([("lang", pa.string()), ("share", pa.float32())]))),
    }
    batch = Batch(np.arange(5, dtype=np.int64), columns)
    decided = Sites.resolve(Sites.emit(batch, config), config)
    assert decided.column("site_lang").to_pylist() == ["bs"] * 3
    stretched = decided.take(pa.array([0, 1, 2, None, None])).combine_chunks()
    assert Sites.apply(batch, stretched, config)["site_lang"].to_pylist() == ["bs", "bs", "bs", "en", None]


def test_settings_are_checked() -> None:
    with pytest.raises(ValueError, match="equally many"):
        WordsConfig(languages=("hr",), tlds=("hr",))


def test_what_is_said_again_and_again_does_not_outvote_the_text() -> None:
    teasers = (
        "Vozovi za sever opet kasne, a putnici kažu da niko ne zna šta se desilo",
        "Deca iz dve ulice videla su belog konja pored reke i pozvala komšije",
        "Opština je obećala da će mleko i hleb u školama biti besplatni od ponedeljka",
    )
    label = "Pročitajte cijeli tekst vijesti"
    once = identify("\n".join(teasers) + "\n" + label, languages=("hr", "sr"))
    always = identify("\n".join(f"{teaser}… {label}" for teaser in teasers * 4), languages=("hr", "sr"))
    assert once.lang == always.lang == "sr"
    assert always.probs["sr"] > once.probs["sr"] - 0.02


def test_a_page_says_a_thing_once_in_whichever_block() -> None:
    model = load_general()
    blocks = pa.array(["Vlada je danas usvojila odluku.", "Vlada je danas usvojila odluku.", "Vlada je danas rekla."])
    apart = model.identify_arrow(blocks)
    page = model.identify_arrow(blocks, pages=np.zeros(3, np.int64))
    assert (apart.run_counts[:2] == apart.run_counts[0]).all()
    assert page.run_counts[1, 0] == 0
    assert 0 < page.run_counts[2, 0] < apart.run_counts[2, 0]
    assert (page.words[0] == apart.words[0]).all()
    assert (page.sums == apart.sums).all()  # between other languages every word counts
