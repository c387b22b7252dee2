"""The hash that Python and kernels compute alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.kernels.hash_constants import FNV_START, FNV_START_SIGNED, fnv


@pytest.mark.parametrize(
    ("data", "digest"),
    [(b"", 0xCBF29CE484222325), (b"a", 0xAF63DC4C8601EC8C), (b"foobar", 0x85944171F73967E8)],
)
def test_published_values_of_fnv_1a(data, digest):
    assert fnv(data) % (1 << 64) == digest


@given(st.binary(max_size=20))
def test_the_number_fits_into_a_signed_one(data):
    assert -(1 << 63) <= fnv(data) < 1 << 63


def test_the_signed_start_is_the_same_64_bits():
    assert FNV_START_SIGNED % (1 << 64) == FNV_START
    assert fnv(()) == FNV_START_SIGNED
