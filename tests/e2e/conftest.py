"""What several modules of end-to-end tests start from."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import fine, good, new, packed


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small corpus, built; tests only read it."""
    base = tmp_path_factory.mktemp("built")
    (base / "a.warc.gz").write_bytes(packed(*(good(f"http://a.hr/{number}", number) for number in range(12))))
    root = new(base / "corpus", base / "a.warc.gz")
    fine("build", root, "--jobs", 1, "--quiet")
    return root
