"""The model in the package: small, named sources, costs that tell encodings apart."""

from __future__ import annotations

import codecs
import lzma
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paberki.decoding import charset_model
from paberki.decoding.byte_tables import CLASS_OF, CLASSES, load_tables
from paberki.decoding.charset_model import guess
from paberki.decoding.charsets import LANGUAGES, MODELLED, MULTI_BYTE, SAME_AS
from paberki.decoding.encoding_labels import SINGLE_BYTE
from paberki.decoding.letter_counts import SHIPPED, read_counts, write_counts
from paberki.errors import ConfigError

ASKED_FOR = (
    "hr",
    "sl",
    "bs",
    "sr",
    "cs",
    "sk",
    "pl",
    "hu",
    "ro",
    "ru",
    "uk",
    "de",
    "fr",
    "el",
    "tr",
    "ja",
    "zh",
    "ko",
    "en",
)


def test_it_is_small_and_names_its_sources():
    assert SHIPPED.stat().st_size < 1_000_000
    sources = " ".join(read_counts().sources)
    assert all(name in sources for name in ("Universal Dependencies", "GNOME", "DSL", "CC BY-SA"))


@pytest.mark.parametrize("language", ASKED_FOR)
def test_it_knows_the_languages(language):
    tables = load_tables()
    for name in SAME_AS.get(language, (language,)):
        assert len(tables.columns_in(name))


def test_serbian_has_two_scripts():
    tables = load_tables()
    scripts = {tables.encodings[column] for name in SAME_AS["sr"] for column in tables.columns_in(name)}
    assert {"cp1250", "iso8859-2", "cp1251", "iso8859-5"} <= scripts


def test_every_encoding_can_be_decoded():
    for encoding in MODELLED:
        assert codecs.lookup(encoding).name == encoding
        assert (encoding in SINGLE_BYTE) != (encoding in MULTI_BYTE)


def test_tables_fit_together():
    tables = load_tables()
    assert len(tables.languages) == len(tables.encodings) == tables.costs.shape[1] == len(tables.prior)
    assert len(tables.languages) == sum(len(one.usual) + len(one.rare) for one in LANGUAGES.values())
    assert int(tables.row_of.max()) == tables.costs.shape[0] - 1
    assert int(tables.block_of.max()) + CLASSES == len(tables.row_of)
    assert not tables.costs[0].any()
    assert (len(CLASS_OF), int(CLASS_OF.max())) == (256, CLASSES - 1)


def test_likely_letters_cost_less():
    tables = load_tables()

    def cost(text: str, language: str, encoding: str) -> int:
        first, second, third = (int(CLASS_OF[value]) for value in text.encode(encoding))
        column = next(i for i in tables.columns_in(language) if tables.encodings[i] == encoding)
        row = tables.row_of[tables.block_of[first * CLASSES + second] + third] or second * CLASSES + third
        return int(tables.costs[row, column])

    assert cost("reč", "hbs", "cp1250") < cost("reď", "hbs", "cp1250")
    assert cost("ост", "ru", "koi8-r") == cost("ост", "ru", "cp1251")


def test_the_prior_of_a_declaration_and_a_language():
    tables = load_tables()
    data = b"caf\xe9"
    assert guess(data, tables).encoding == "cp1252"
    assert guess(data, tables, declared=["cp1250"]).encoding == "cp1250"
    hinted = guess("grad Niš.".encode("iso8859-2"), tables, language="sr")
    assert hinted.language == "hbs"


def test_isolated_bytes_are_no_cyrillic():
    assert guess(b"\xa9 2009 Company \xa9 All rights \xa7 reserved" * 20, load_tables()).encoding == "cp1252"


def test_counts_come_back_from_a_file(tmp_path):
    counts = read_counts()
    write_counts(tmp_path / "copy.model", counts)
    again = read_counts(tmp_path / "copy.model")
    assert again.sources == counts.sources
    assert list(again.alphabetic) == list(counts.alphabetic)
    assert again.ideographic["ja"].letters == counts.ideographic["ja"].letters
    for name, one in counts.alphabetic.items():
        assert (again.alphabetic[name].triple_keys == one.triple_keys).all()
        assert (again.alphabetic[name].pair_counts == one.pair_counts).all()


@pytest.mark.parametrize("content", [b"", b"nonsense", lzma.compress(b"\xff" * 30), lzma.compress(b"\x02\0\0\0{}")])
def test_a_file_that_is_no_model(tmp_path, content):
    (tmp_path / "x.model").write_bytes(content)
    with pytest.raises(ConfigError, match="x.model"):
        read_counts(tmp_path / "x.model")
    with pytest.raises(ConfigError, match="no such file"):
        read_counts(tmp_path / "missing.model")


def test_one_page_does_not_load_numba():
    code = "import sys, paberki; paberki.decode('čaša'.encode('cp1250')); print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


PIECES = ("čaša žuči i šećer", "кафа и ћевап", "日本語の文章です", "Größe ", "<p class='x'>", " a b ", "•", "\u00a0")


@given(
    st.lists(st.sampled_from(PIECES) | st.text(max_size=8), min_size=1, max_size=40),
    st.sampled_from(["cp1250", "cp1251", "cp932", "utf-8", "cp1252"]),
)
@settings(max_examples=150, deadline=None)
def test_the_kernel_weighs_as_the_reference_does(pieces, codec):
    data = "".join(pieces).encode(codec, "ignore") + b"\xe6"
    tables = load_tables()
    values = np.frombuffer(data, np.uint8)
    expected, found = tables.prior.copy(), tables.prior.copy()
    one, other = charset_model.weigh(values, expected, tables), charset_model._fastest()(values, found, tables)
    assert charset_model._fastest() is not charset_model.weigh
    assert one._replace(strangeness=0.0) == other._replace(strangeness=0.0)
    assert one.strangeness == pytest.approx(other.strangeness)
    assert (expected == found).all()
