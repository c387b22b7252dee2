"""``decode.declared.v1`` still does what it did."""

import pytest

from paberki.decoding.first_method import decode

CROATIAN = "<p>Željeznički promet između Zagreba i Šibenika ponovno je uspostavljen, kažu čelnici općine.</p>"


@pytest.mark.parametrize("codec", ["cp1250", "iso8859-2", "utf-8", "utf-16-le", "utf-8-sig"])
def test_encodings(codec):
    assert decode(CROATIAN.encode(codec)).text == CROATIAN


def test_declaration_decides_where_bytes_do_not():
    found = decode(b"<p>caf\xe9</p>", http_charset="windows-1250")
    assert (found.encoding, found.evidence[-1].source) == ("cp1250", "http")


def test_the_detector_speaks_last_where_nothing_is_declared():
    assert decode(CROATIAN.encode("cp1250")).evidence[-1].source == "detector"


def test_damage_is_counted():
    assert decode(CROATIAN.encode() + b"\xff").replaced_count == 1
