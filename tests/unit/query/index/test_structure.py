"""Regions and their attributes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from paberki.errors import QueryError
from paberki.query.index.reader import Index

Make = Callable[..., Index]


def test_regions(make: Make) -> None:
    index = make()
    segment = index.segments[0]
    assert index.structures == {"doc": ("id", "year", "host"), "np": (), "p": (), "s": ("id",)}
    sentences = segment.structure("s")
    assert list(zip(sentences.starts.tolist(), sentences.ends.tolist(), strict=True)) == [(0, 4), (4, 7), (7, 9)]
    assert sentences.region_of(np.array([8, 0, 3, 4])).tolist() == [2, 0, 0, 1]
    nested = segment.structure("np")
    assert list(zip(nested.starts.tolist(), nested.ends.tolist(), strict=True)) == [(4, 6), (5, 6)]
    assert nested.nested
    assert not sentences.nested
    assert nested.region_of(np.arange(9)).tolist() == [-1, -1, -1, -1, 0, 1, -1, -1, -1]


def test_attributes_as_strings_and_numbers(make: Make) -> None:
    pages = make().segments[0].structure("doc")
    year, host = pages.attribute("year"), pages.attribute("host")
    assert year.values(year.ids) == ["2019", "2021"]
    assert year.numbers.tolist() == [2019.0, 2021.0]
    assert host.values(host.ids) == ["x.example", "y.example"]
    assert host.numbers is None
    assert host.id_of("y.example") == 1
    with pytest.raises(QueryError, match="did you mean 'year'"):
        pages.attribute("yeer")


def test_regions_without_an_attribute_have_the_empty_value(make: Make) -> None:
    text = '<doc n="1">\na\n</doc>\n<doc>\nb\n</doc>\n<doc n="2.5" m="&quot;x&quot;">\nc\n</doc>\n<doc>\n</doc>\n'
    pages = make(text, ("word",)).segments[0].structure("doc")
    assert pages.size == 3
    number, mark = pages.attribute("n"), pages.attribute("m")
    assert number.values(number.ids) == ["1", "", "2.5"]
    assert number.numbers[[0, 2]].tolist() == [1.0, 2.5]
    assert np.isnan(number.numbers[1])
    assert mark.values(mark.ids) == ["", "", '"x"']
    assert make("a\n", ("word",)).segments[0].structures == ()


def test_a_structure_that_only_one_segment_has(make: Make) -> None:
    text = '<s>\na\nb\n</s>\n<s>\nc\n</s>\n<x k="v">\nd\n</x>\n'
    index = make(text, ("word",), segment_tokens=1)
    assert [segment.tokens for segment in index.segments] == [2, 1, 1]
    first, _, last = index.segments
    assert first.structure("x").size == 0
    assert first.structure("x").region_of(np.array([0, 1])).tolist() == [-1, -1]
    assert last.structure("x").attribute("k").values([0]) == ["v"]
    assert first.structure("x").attribute("k").ids.tolist() == []
    with pytest.raises(QueryError, match="no structure 'y'"):
        first.structure("y")
