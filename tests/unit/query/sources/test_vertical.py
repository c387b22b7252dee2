"""Vertical files, against a plain reader and with everything that goes wrong in them."""

from __future__ import annotations

import gzip
import lzma
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plain_vertical import read

from paberki.errors import ConfigError, InputError, StoreError
from paberki.query.index.reader import Index, open_index
from paberki.query.sources.vertical import index_vertical, schema_of

Make = Callable[..., Index]
COLUMNS = ("word", "tag")

words = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="<>&\x85"),
    min_size=1,
    max_size=6,
)
values = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters='<>&"\x85'), max_size=6
)
tokens = st.builds(lambda *cells: "\t".join(cells), words, words) | words
opening = st.builds(
    lambda name, pairs: f"<{name}{''.join(f' {key}={chr(34)}{value}{chr(34)}' for key, value in pairs.items())}>",
    st.sampled_from(["s", "doc", "x.y"]),
    st.dictionaries(st.sampled_from(["id", "n", "a-b"]), values, max_size=2),
)
lines = st.lists(
    tokens | opening | st.sampled_from(["</s>", "</doc>", "</x.y>", "<g/>", "", "&lt;\t&amp;amp;", "<s n='&quot;'>"]),
    max_size=60,
)


def regions_of(index: Index) -> set[tuple[str, int, int, tuple[tuple[str, str], ...]]]:
    found = set()
    for segment in index.segments:
        for name in segment.structures:
            structure = segment.structure(name)
            own = {key: structure.attribute(key) for key in structure.attributes}
            for at in range(structure.size):
                pairs = tuple(
                    sorted((key, one.value(one.ids[at])) for key, one in own.items() if one.value(one.ids[at]))
                )
                place = (segment.base + int(structure.starts[at]), segment.base + int(structure.ends[at]))
                found.add((name, *place, pairs))
    return found


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(lines)
def test_it_agrees_with_a_plain_reader(tmp_path: Path, text: list[str]) -> None:
    source, out = tmp_path / "x.vert", tmp_path / "out"
    source.write_text("\n".join(text), "utf-8", newline="")
    plain = read("\n".join(text), 2)
    if not plain.rows:
        with pytest.raises(InputError, match="no tokens"):
            index_vertical(source, out, COLUMNS)
        return
    account = index_vertical(source, out, COLUMNS)
    assert (account.tokens, account.broken_count) == (len(plain.rows), 0)
    index = open_index(out)
    segment = index.segments[0]
    for column, name in enumerate(COLUMNS):
        attribute = segment.attribute(name)
        assert attribute.values(attribute.ids) == [row[column] for row in plain.rows]
    assert segment.glue.at(np.arange(segment.tokens)).tolist() == plain.glue
    expected = {
        (name, start, end, tuple(sorted((key, value) for key, value in values.items() if value)))
        for name, start, end, values in plain.regions
        if end > start
    }
    assert regions_of(index) == expected


def test_broken_lines_are_counted_and_left_out(tmp_path: Path) -> None:
    source = tmp_path / "x.vert"
    source.write_bytes(
        b'\xef\xbb\xbf<doc id="1">\r\nfine\tN\r\n\xff\xfe\tN\nshort\n<doc id="2\n\tN\nzero\0\tN\n<!-- no -->\n<?xml?>\n'
        b"<3\tX\n<\tZ\n< \textra\tmore\n</p>\n<g/>\nlast\tN"
    )
    account = index_vertical(source, tmp_path / "out", COLUMNS)
    assert account.broken_lines == [3, 5, 6, 7]
    assert (account.broken_count, account.short, account.unmatched, account.unclosed) == (4, 1, 1, 1)
    segment = open_index(tmp_path / "out").segments[0]
    word, tag = segment.attribute("word"), segment.attribute("tag")
    assert word.values(word.ids) == ["fine", "short", "<3", "<", "< ", "last"]
    assert tag.values(tag.ids) == ["N", "", "X", "Z", "extra", "N"]
    assert segment.structure("doc").ends.tolist() == [6]


@pytest.mark.parametrize("name", ["x.vert", "x.vert.gz", "x.vert.xz", "x.vert.zst"])
def test_packed_files(tmp_path: Path, name: str) -> None:
    data = "".join(f"riječ{number}\tN\n" for number in range(1000)).encode()
    pack = {".gz": gzip.compress, ".xz": lzma.compress, ".zst": zstandard.compress}.get(Path(name).suffix, bytes)
    (tmp_path / name).write_bytes(pack(data))
    shares: list[float | None] = []
    account = index_vertical(tmp_path / name, tmp_path / "out", COLUMNS, listen=lambda one: shares.append(one.share))
    assert account.tokens == 1000
    assert shares == [1.0]
    if name != "x.vert":
        (tmp_path / name).write_bytes(pack(data)[:-30])
        if name.endswith(".zst"):
            return  # a frame that was cut off ends like one that was not
        with pytest.raises(InputError, match="damaged"):
            index_vertical(tmp_path / name, tmp_path / "out", COLUMNS)
        assert open_index(tmp_path / "out").tokens == 1000


def test_segments_end_where_no_structure_is_open(tmp_path: Path) -> None:
    source = tmp_path / "x.vert"
    source.write_text("".join(f"<doc id='{n}'>\n" + "a\nb\nc\n" * 3 + "</doc>\n" for n in range(40)), "utf-8")
    index_vertical(source, tmp_path / "out", ("word",), segment_tokens=50)
    index = open_index(tmp_path / "out")
    assert [segment.tokens for segment in index.segments] == [54, 54, 54, 54, 54, 54, 36]
    names = [one.structure("doc").attribute("id") for one in index.segments]
    assert sum(len(name) for name in names) == 40


def test_a_structure_that_never_ends_does_not_keep_a_segment_from_ending(tmp_path: Path) -> None:
    source = tmp_path / "x.vert"
    source.write_text("<doc>\n" + "a\n" * 1_000_000, "utf-8")
    index_vertical(source, tmp_path / "out", ("word",), segment_tokens=100_000)
    sizes = [segment.tokens for segment in open_index(tmp_path / "out").segments]
    assert sum(sizes) == 1_000_000
    assert max(sizes) < 400_000


def test_nothing_but_an_index_is_overwritten(tmp_path: Path, make: Make) -> None:
    index = make()
    shutil.rmtree(index.path / "cache")
    before = sorted(path.name for path in index.path.iterdir())
    make("x\n", ("word",))
    (index.path / "cache").mkdir(exist_ok=True)  # what lists leave there is no reason to refuse
    make("x\n", ("word",))
    shutil.rmtree(index.path / "cache")
    after = sorted(path.name for path in index.path.iterdir())
    assert len(before) == len(after) == 3
    assert before != after
    source = tmp_path / "some.vert"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.doc").touch()
    with pytest.raises(StoreError, match=r"is no index \(thesis.doc is in it\)"):
        index_vertical(source, tmp_path / "mine", ("word",))
    with pytest.raises(StoreError, match="is a file"):
        index_vertical(source, source, ("word",))
    with pytest.raises(InputError, match="no such file"):
        index_vertical(tmp_path / "none", tmp_path / "new", ("word",))
    assert not (tmp_path / "new").exists()
    (tmp_path / "mine" / "corpus.toml").touch()
    with pytest.raises(StoreError, match="is a corpus"):
        index_vertical(source, tmp_path / "mine", ("word",))


@pytest.mark.parametrize("names", [["word", "word"], ["head"], ["word", "le mma"], [""]])
def test_names_that_cannot_be(names: list[str]) -> None:
    with pytest.raises(ConfigError, match="--attributes"):
        schema_of(names)


def test_files_of_a_failed_run_are_removed(tmp_path: Path, make: Make) -> None:
    index = make()
    before = {path.name for path in index.path.iterdir()}

    def stop(account: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index_vertical(tmp_path / "some.vert", index.path, ("word",), listen=stop)
    assert {path.name for path in index.path.iterdir()} == before
    assert open_index(index.path).build == index.build
