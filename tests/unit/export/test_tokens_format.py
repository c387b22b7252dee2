"""Numbers of a tokenizer: they are the text, in any order and any number of files."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from paberki.corpus import Corpus
from paberki.errors import ConfigError, InputError

tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One that knows bytes, a few pairs of them, and an end of text."""
    own = tokenizers.Tokenizer(tokenizers.models.BPE())
    own.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    own.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=300,
        special_tokens=["<|endoftext|>"],
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    own.train_from_iterator(["kroz grad teče rijeka, a na rijeci je most"] * 3, trainer)
    path = tmp_path_factory.mktemp("tokenizer") / "tokenizer.json"
    own.save(str(path))
    return path


def texts_in(path: Path, tokenizer: Path) -> dict[str, str]:
    own = tokenizers.Tokenizer.from_file(str(tokenizer))
    about = json.loads(path.with_name(path.name + ".json").read_text("utf-8"))
    numbers = np.fromfile(path, "<u2" if about["dtype"] == "uint16" else "<u4")
    index = pq.read_table(path.with_name(path.name + ".index.parquet")).to_pylist()
    assert sum(row["tokens"] for row in index) == len(numbers) == about["tokens"]
    assert about["tokenizer_sha256"] == hashlib.sha256(tokenizer.read_bytes()).hexdigest()
    texts = {}
    for row in index:
        page = numbers[row["offset"] : row["offset"] + row["tokens"]].tolist()
        assert page[-1] == about["end_of_text"] == own.token_to_id("<|endoftext|>")
        texts[row["id"]] = own.decode(page[:-1])
    return texts


def test_numbers_are_the_text(exported: Corpus, tokenizer: Path, tmp_path: Path) -> None:
    pages = {page["id"]: page["text"] for page in exported.pages("id", "text")}
    assert exported.export("tokens", tmp_path / "o.bin", tokenizer=tokenizer) == len(pages)
    own = texts_in(tmp_path / "o.bin", tokenizer)
    assert own == pages
    assert list(own) == list(pages)
    weights = {page["id"]: page["dup_size"] or 1 for page in exported.pages("id", "dup_size")}
    rows = pq.read_table(tmp_path / "o.bin.index.parquet").to_pylist()
    assert {row["id"]: row["weight"] for row in rows} == weights


def test_an_order_that_the_seed_decides(exported: Corpus, tokenizer: Path, tmp_path: Path) -> None:
    orders = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        exported.export("tokens", tmp_path / name, tokenizer=tokenizer, shuffle=True, seed=seed, shard_pages=5)
        own: dict[str, str] = {}
        for path in sorted((tmp_path / name).glob("*.bin")):
            part = texts_in(path, tokenizer)
            assert len(part) <= 5
            own |= part
        orders.append(own)
    pages = {page["id"]: page["text"] for page in exported.pages("id", "text")}
    assert all(own == pages for own in orders)
    assert list(orders[0]) == list(orders[1]) != list(orders[2])
    assert list(orders[0]) != list(pages)


def test_files_that_are_no_tokenizers(exported: Corpus, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{}", "utf-8")
    with pytest.raises(ConfigError, match="--tokenizer"):
        exported.export("tokens", tmp_path / "o.bin")
    for name in ("broken.json", "none.json"):
        with pytest.raises(InputError, match=name):
            exported.export("tokens", tmp_path / "o.bin", tokenizer=tmp_path / name)
    assert not (tmp_path / "o.bin").exists()
