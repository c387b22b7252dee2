"""A corpus that is rebuilt from a list has the same pages with the same texts, or says which are gone."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from leftovers import SECRET_URL, WORDS

from paberki.archive.reading.warc import Archive
from paberki.corpus import Corpus
from paberki.errors import InputError, StoreError
from paberki.release.rebuild import rebuild
from paberki.release.toml_text import toml_text

Copied = Callable[[], Corpus]


def texts(corpus: Corpus) -> dict[str, tuple[str, str]]:
    return {page["key"]: (page["url"], page["text"]) for page in corpus.pages("key", "url", "text")}


def archives(corpus: Corpus) -> list[Path]:
    return sorted(corpus.root.glob("warc/*.warc.gz"))


def test_the_same_archives_give_the_same_corpus(copied: Copied, tmp_path: Path) -> None:
    corpus = copied()
    corpus.export("recipe-list", listing := tmp_path / "list.jsonl")
    content = listing.read_text("utf-8")
    assert not any(word in content for word in (*WORDS, "gradu bilo"))
    pages = [json.loads(line) for line in content.splitlines()]
    assert all({"url", "date", "digest", "spans"} <= page.keys() for page in pages)
    assert all(page["spans"] and all(start < end for start, end in page["spans"]) for page in pages)
    result = rebuild(listing, archives(corpus), tmp_path / "again", jobs=1)
    assert (result.restored, result.gone, result.different) == (len(pages), [], [])
    assert texts(Corpus(tmp_path / "again")) == texts(corpus)
    assert not Corpus(tmp_path / "again").build(jobs=1).new_pages


def test_pages_that_are_gone_are_named(copied: Copied, tmp_path: Path) -> None:
    corpus = copied()
    corpus.export("recipe-list", tmp_path / "list.jsonl.zst")
    corpus.takedown(SECRET_URL, reason="court", erase=True)
    result = rebuild(tmp_path / "list.jsonl.zst", archives(corpus), tmp_path / "again", jobs=1)
    assert [page["url"] for page in result.gone] == [SECRET_URL]
    assert result.restored == result.pages - 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "names no page"),
        ("not json\n", "line 1"),
        ("[]\n", "line 1"),
        ('{"key": "a", "url": "b", "date": null, "spans": []}\n', "has no digest"),
        ('{"key": "a", "url": "b", "date": null, "digest": "x", "spans": [["a", 2]]}\n', "line 1"),
        ('{"key": "' + "a" * 32 + '", "url": "b", "date": null, "digest": "x", "spans": []}\n', "has no recipe"),
    ],
)
def test_bad_lists_are_errors(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "list").write_text(text)
    with pytest.raises(InputError, match=message):
        rebuild(tmp_path / "list", [], tmp_path / "again")
    with pytest.raises(InputError, match="cannot be read"):
        rebuild(tmp_path / "missing", [], tmp_path / "again2")
    with pytest.raises(StoreError, match="not empty"):
        rebuild(tmp_path / "list", [], tmp_path)


def test_tables_are_written_as_they_were_read() -> None:
    table: dict[str, Any] = {
        "name": 'a "b"\n\\', "n": 1, "x": 0.5, "yes": True, "list": ["a", "ž"], "none": [],
        "crawl": {"tld": [], "in ner": {"a": 1}}, "select": {"pages": [{"reason": "r", "drop": ""}, {"reason": "s"}]},
    }  # fmt: skip
    assert tomllib.loads(toml_text(table)) == table


def test_blank_records_keep_all_positions(tmp_path: Path) -> None:
    from paberki.archive.blank_record import blank_record

    for form in ("warc", "warc.gz", "warc.zst", "arc", "arc.gz", "arc.zst"):
        for length in (331, 332, 333, 334, 335, 4096, 70_001):
            (path := tmp_path / f"a.{form}").write_bytes(blank_record(form, "0" * 32, length) * 3)
            with Archive(path) as archive:
                records = list(archive.scan())
            assert [(one.offset, one.length, one.error) for one in records] == [
                (at * length, length, None) for at in range(3)
            ]
