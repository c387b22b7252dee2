"""JSON-LD of pages, broken as it comes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.extraction.about.jsonld import OBJECTS, about_the_page, kinds, objects, text_of, texts_of

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


def page(script: str, tag: str = "script") -> str:
    return f'<html><{tag} type="application/ld+json">{script}</{tag}></html>'


@pytest.mark.parametrize(
    "script",
    [
        '{"name": "x"}',
        '<!--{"name": "x"}-->',
        '<![CDATA[{"name": "x"}]]>',
        '{"name": "x",}',
        '[{"name": "x"},]',
    ],
)
def test_scripts_are_read_leniently(script):
    assert objects(page(script)) == [{"name": "x"}]


def test_capitals_and_line_ends_in_strings():
    assert objects(page('{"name": "x\ny"}', "SCRIPT"))[0]["name"] == "x\ny"


def test_dates_of_a_script_that_cannot_be_read():
    script = '{"a": "b" "datePublished": "2020-01-02", "datePublished": "2021-01-02"'
    assert objects(page(script)) == [{"datePublished": "2020-01-02"}]


def test_nested_objects_follow_those_that_hold_them():
    script = '{"@graph": [{"@type": "A", "author": {"name": "b"}}, {"@type": "C"}]}'
    assert [kinds(one) or one.get("name") for one in objects(page(script))[1:]] == ["A", "C", "b"]


def test_articles_come_before_pages_and_all_else():
    things = [{"@type": "Organization"}, {"@type": "WebPage"}, {"@type": ["NewsArticle"], "headline": "x"}]
    assert [kinds(one) for one in about_the_page(things)] == ["NewsArticle", "WebPage", "Organization"]


def test_names_of_values():
    assert text_of([{"name": ""}, {"name": " Ana  Anić "}]) == "Ana Anić"
    assert text_of({"@value": "x &amp; y"}) == "x & y"
    assert text_of(3) is None
    assert texts_of(["more, otok", {"name": "brod"}, 3]) == ["more", "otok", "brod"]


@given(VALUES)
def test_any_value_is_read_and_bounded(value):
    things = objects(page(json.dumps(value)))
    assert len(things) <= OBJECTS
    for one in about_the_page(things):
        kinds(one)
        texts_of(list(one.values()))


def test_many_objects_are_cut():
    assert len(objects(page(json.dumps([{"a": 1}] * 3 * OBJECTS)))) == OBJECTS
