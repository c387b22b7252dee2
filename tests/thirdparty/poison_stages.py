"""A third-party stage for tests: pages whose text holds a magic word do what bad pages do to bad parsers."""

import ctypes
import time

import pyarrow as pa

from paberki.stage import map_stage
from paberki.store.columns import Column

WORDS = Column("poison_words", "poison", pa.int32(), "words in the text of the page")


def _misbehave(text):
    if "POISON-RAISE" in text:
        raise ValueError("this page raises")
    if "POISON-SEGFAULT" in text:
        ctypes.string_at(0)
    if "POISON-HANG" in text:
        while True:
            pass
    if "POISON-SLEEP" in text:
        time.sleep(10_000)
    if "POISON-MEMORY" in text:
        hoard = []
        while True:
            hoard.append(bytearray(b"x") * (8 << 20))


@map_stage("poison.test.v1", layer="poison", needs=("decoded",), adds=(WORDS,))
def poison(batch, config):
    """Count words, unless the page is poisonous (test stage, no paper)."""
    found = []
    for text in batch["decoded"]:
        _misbehave(text or "")
        found.append(len((text or "").split()))
    return {"poison_words": found}
