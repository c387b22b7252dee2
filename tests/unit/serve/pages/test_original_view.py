"""Marks in raw bytes."""

from __future__ import annotations

import re

from paberki.serve.pages.explorer.original_view import with_marks

MARK = re.compile(rb'<mark[^>]*data-hit="(\d+)"[^>]*>(.*?)</mark>')


def texts(data: bytes) -> list[tuple[int, bytes]]:
    return [(int(match[1]), match[2]) for match in MARK.finditer(data)]


def test_a_hit_is_marked_where_it_stands() -> None:
    data = "<p>Stari čamac</p>".encode("cp1250")
    at = data.index(b"amac") - 1
    done = with_marks(data, [[(at, at + 5)]])
    assert texts(done) == [(1, "čamac".encode("cp1250"))]
    assert b'id="hit-1"' in done
    assert MARK.sub(rb"\2", done) == data


def test_markup_inside_a_hit_stays_outside_the_marks() -> None:
    data = b"<p>u <b>gra</b>du <i>lijepo</i></p>"
    done = with_marks(data, [[(8, 17)], [(21, 27)]])
    assert texts(done) == [(1, b"gra"), (1, b"du"), (2, b"lijepo")]
    assert done.count(b' id="hit-1"') == 1


def test_overlapping_hits_do_not_nest() -> None:
    data = b"<p>a b c d</p>"
    done = with_marks(data, [[(3, 4), (5, 6)], [(5, 6), (7, 8)]])
    assert MARK.sub(rb"\2", done) == data
    assert [number for number, _ in texts(done)] == [1, 2]


def test_places_outside_the_page_are_left_alone() -> None:
    assert with_marks(b"short", [[(2, 90)], [(100, 120)]]) == b"short"


def test_blocks_are_tinted_around_marks() -> None:
    data = b"<p>a b c</p><div>menu <b>x</b></div>"
    done = with_marks(data, [[(5, 6)]], [(3, 8, True), (17, 30, False)])
    assert texts(done) == [(1, b"b")]
    tints = re.findall(rb'<span data-block="([a-z-]+)"[^>]*>(.*?)</span>', done)
    assert tints == [(b"kept", b"a "), (b"kept", b" c"), (b"left-out", b"menu "), (b"left-out", b"x")]
    assert MARK.sub(rb"\2", re.sub(rb"</?span[^>]*>", b"", done)) == data
