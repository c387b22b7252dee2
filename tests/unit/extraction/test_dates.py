"""Dates as pages write them."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.extraction.about.dates import MONTHS, find_dates, machine_date, month, short_date

DAYS = st.dates(date(1996, 1, 1), date(2035, 12, 31))


@given(DAYS)
def test_numbers_come_back(day):
    for text in (f"{day:%Y-%m-%d}", f"{day:%Y%m%d}", f"{day:%d.%m.%Y.}", f"{day.year}年{day.month}月{day.day}日"):
        assert machine_date(text) == day, text


@given(DAYS, st.sampled_from(sorted(MONTHS)))
def test_month_names_of_every_language_come_back(day, lang):
    name = MONTHS[lang].split()[day.month - 1].split(",")[0]
    if 3 <= len(name) <= 12 and name.isalpha():
        assert dict(find_dates(f"x {day.day}. {name} {day.year}", lang=lang)) == {2: day}


@given(DAYS)
def test_seconds_since_1970_are_a_date(day):
    seconds = (day - date(1970, 1, 1)) // timedelta(seconds=1)
    if seconds >= 10**9:
        assert machine_date(str(seconds)) == day
        assert machine_date(f"{seconds}000") == day


@pytest.mark.parametrize("text", ["31.02.2020", "2020-13-01", "1.1.1850", "1:2:2020 sati", "12345", ""])
def test_what_is_no_date(text):
    assert machine_date(text) is None


def test_the_order_of_day_and_month_is_that_of_the_country():
    assert machine_date("3/4/2020") == date(2020, 4, 3)
    assert machine_date("3/4/2020", month_first=True) == date(2020, 3, 4)
    assert machine_date("30/4/2020", month_first=True) == date(2020, 4, 30)


def test_years_of_two_digits():
    assert short_date("01/11/11-10:18") == date(2011, 11, 1)
    assert short_date("01.11.98") == date(1998, 11, 1)
    assert short_date("01.11.85") is None
    assert short_date("01/11/11", month_first=True) == date(2011, 1, 11)
    assert short_date("1.2.3.4") is None


def test_dates_of_a_text_come_in_order():
    text = "Objavljeno 5. ožujka 2019., izmijenjeno 2020-01-02"
    assert [day for _, day in find_dates(text, lang="hr")] == [date(2019, 3, 5), date(2020, 1, 2)]


def test_a_word_that_is_no_month():
    assert month("stol") == 0
    assert month("Listopada", "hr") == 10
    assert month("listopada", "pl") == 11
