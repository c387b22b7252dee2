"""Declarations are found where browsers find them, and nowhere else."""

import pytest

from paberki.decoding.declared import byte_order_mark, http_label, meta_label


@pytest.mark.parametrize(
    ("page", "label"),
    [
        (b'<meta charset="windows-1250">', "windows-1250"),
        (b"<META CHARSET=utf-8>", "utf-8"),
        (b'<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">', "iso-8859-2"),
        (b"<?xml version='1.0' encoding='koi8-r'?><html>", "koi8-r"),
        (b'<!-- <meta charset="utf-8"> --><meta charset="cp1251">', "cp1251"),
        (b'<!-- <meta charset="utf-8">', None),
        (b"<p>charset=utf-8</p>", None),
        (b" " * 5000 + b'<meta charset="utf-8">', None),
        (b"", None),
    ],
)
def test_meta_label(page, label):
    assert meta_label(page) == label


@pytest.mark.parametrize(
    ("value", "label"),
    [
        ("text/html; charset=UTF-8", "UTF-8"),
        ('text/html;charset="windows-1251"', "windows-1251"),
        ("windows-1250", "windows-1250"),
        ("text/html", None),
        ("", None),
        (None, None),
    ],
)
def test_http_label(value, label):
    assert http_label(value) == label


def test_the_longer_mark_wins():
    assert byte_order_mark("x".encode("utf-32")) == ("utf-32-le", 4)
    assert byte_order_mark(b"\xff\xfex\x00") == ("utf-16-le", 2)
    assert byte_order_mark(b"\xef\xbb\xbfx") == ("utf-8", 3)
    assert byte_order_mark(b"<html>") is None
