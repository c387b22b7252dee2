"""Dates and addresses of strangers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.archive.reading.archived_record import clean_url, normal_date


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2020-01-02T03:04:05Z", "2020-01-02T03:04:05Z"),
        ("2020-01-02T03:04:05.678901Z", "2020-01-02T03:04:05Z"),
        ("2020-01-02T03:04:05+01:00", "2020-01-02T02:04:05Z"),
        ("2020-01-02T03:04:05-0130", "2020-01-02T04:34:05Z"),
        (" 20200102030405 ", "2020-01-02T03:04:05Z"),
        ("202001020304", "2020-01-02T03:04:00Z"),
        ("2020", "2020-01-01T00:00:00Z"),
        ("2020-05", "2020-05-01T00:00:00Z"),
        ("2020-13-01T00:00:00Z", None),
        ("20200230000000", None),
        ("0000-01-01", None),
        ("0001-01-01T00:00:00+05:00", None),
        ("9999-12-31T23:59:59-05:00", None),
        ("٢٠٢٠-01-01", None),
        ("1970-01-01T00:00:00Z", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates(text, date):
    assert normal_date(text) == date


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        (" <http://a.hr/> ", "http://a.hr/"),
        ("http://a.hr/a b\tc\r\nd", "http://a.hr/a%20b%09c%0D%0Ad"),
        ("http://a.hr/\x00\x7f\x85\u2028x", "http://a.hr/%00%7F%C2%85%E2%80%A8x"),
        ("http://a.hr/č", "http://a.hr/č"),
        ("http://a.hr/\ud800", "http://a.hr/%3F"),
        ("<>", ""),
    ],
)
def test_addresses(raw, clean):
    assert clean_url(raw) == clean


@given(st.text())
def test_any_text_becomes_a_safe_address_and_stays_one(text):
    url = clean_url(text)
    assert not any(char.isspace() or ord(char) < 32 for char in url)
    assert len(url.encode().splitlines()) <= 1


@given(st.text(alphabet="0123456789-:TZ+. "))
def test_any_date_is_a_date_or_none(text):
    date = normal_date(text)
    assert date is None or normal_date(date) == date
