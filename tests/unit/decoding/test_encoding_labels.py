"""The label table: every target is a canonical Python codec, the web's meanings are kept."""

import codecs

import pytest

from paberki.decoding.encoding_labels import LABELS, SINGLE_BYTE, decode_as, resolve, single_byte_table


@pytest.mark.parametrize("codec", sorted(set(LABELS.values())))
def test_targets_are_canonical_codec_names(codec):
    assert codecs.lookup(codec).name == codec


def test_labels_are_lower_case_and_many():
    assert all(label == label.lower().strip() for label in LABELS)
    assert len(LABELS) > 200


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        ("ISO-8859-1", "cp1252"),
        (" latin1 ", "cp1252"),
        ("us-ascii", "cp1252"),
        ("shift_jis", "cp932"),
        ("x-sjis", "cp932"),
        ("gb2312", "gb18030"),
        ("EUC-KR", "cp949"),
        ("utf8", "utf-8"),
        ("iso-8859-9", "cp1254"),
        ("'windows-1250'", "cp1250"),
        ("koi8", "koi8-r"),
        ("utf-16", "utf-16-le"),
    ],
)
def test_labels_mean_what_browsers_take_them_for(label, codec):
    assert resolve(label) == codec


@pytest.mark.parametrize("label", [None, "", "klingon", "iso-2022-kr", "hz-gb-2312"])
def test_other_labels_mean_nothing(label):
    assert resolve(label) is None


def test_undefined_bytes_are_controls_where_the_standard_says_so():
    assert decode_as(b"\x81", "cp1252") == "\x81"
    assert decode_as(b"\x98", "cp1251") == "\x98"
    assert decode_as(b"\xaa", "cp1253") == "\ufffd"


@pytest.mark.parametrize("codec", sorted(SINGLE_BYTE))
def test_single_byte_tables_hold_one_character_per_byte(codec):
    assert len(single_byte_table(codec)) == 256
    assert len(decode_as(bytes(range(256)), codec)) == 256
