"""One mini-web for the whole folder: it never changes, and the log is only ever appended to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from paberki.demo.web import MiniWeb, Truth


@pytest.fixture(scope="session")
def web() -> Iterator[MiniWeb]:
    with MiniWeb() as mini_web:
        yield mini_web


@pytest.fixture(scope="session")
def truth(web: MiniWeb) -> dict[str, Truth]:
    return web.truth()
