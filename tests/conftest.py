"""What all tests share: small corpora made of real files, and no way to the network but loopback."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from hypothesis import settings

from corpora import corpus_of, write_pages
from paberki.corpus import Corpus
from paberki.query.counting.token_scope import TokenScope
from paberki.query.index.reader import Index
from searchcorpus import shared_corpus
from smallcorpus import make_index, whole_scope

# The same examples in every run: a change is judged by what it changes. HYPOTHESIS_PROFILE=search looks for new ones.
settings.register_profile("same", derandomize=True, deadline=None, max_examples=40)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# A shell makes what it runs in the background deaf to interrupts, and that is inherited; tests send them.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def pages(tmp_path: Path) -> Callable[..., Path]:
    """Write a directory of articles; ``extra`` adds files with given names and bytes."""

    def make(count: int = 40, extra: dict[str, bytes] | None = None, name: str = "pages") -> Path:
        return write_pages(tmp_path / name, count, extra)

    return make


@pytest.fixture
def corpus(tmp_path: Path) -> Callable[..., Corpus]:
    """Make a corpus with sources imported, not yet built."""

    def make(*sources: Path, name: str = "corpus", recipe: str = "", **options: str) -> Corpus:
        return corpus_of(tmp_path / name, *sources, recipe=recipe, **options)

    return make


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests may talk to this machine only."""
    real = socket.socket.connect
    own = {one.address for addresses in psutil.net_if_addrs().values() for one in addresses}

    def connect(self: socket.socket, address: object) -> None:
        host = str(address[0]) if isinstance(address, tuple) else ""
        if host and host not in own and not host.startswith(("127.", "::1", "localhost")):
            raise AssertionError(f"a test tried to reach {address}")
        real(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """The index of a small corpus that is written down in ``smallcorpus.py``."""
    return make_index(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="session")
def scope(small: Index) -> TokenScope:
    """All of the small corpus."""
    return whole_scope(small)


@pytest.fixture(scope="session")
def search_corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built corpus with documents in many encodings that link to each other; tests only read it."""
    own = tmp_path_factory.getbasetemp()
    return shared_corpus(own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own)
