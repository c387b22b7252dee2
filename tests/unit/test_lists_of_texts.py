"""Lists of texts in Python: the same answers as one by one, on one core and on several."""

from __future__ import annotations

from typing import Any

import pytest

import paberki
from paberki.errors import ConfigError, PaberkiError

PAGE = (
    "<title>{0}</title><p>Jučer je u gradu {0} otvorena nova knjižnica, a čitatelja je bilo mnogo više nego lani.</p>"
)
PAGES = [PAGE.format(name) for name in ("Split", "Zadar", "Rijeka", "Osijek", "Pula")]


def test_every_function_takes_a_list() -> None:
    assert paberki.extract(PAGES) == [paberki.extract(page) for page in PAGES]
    payloads = [page.encode("cp1250") for page in PAGES]
    assert paberki.decode(payloads) == [paberki.decode(payload) for payload in payloads]
    assert paberki.identify(PAGES) == [paberki.identify(page) for page in PAGES]
    assert [one.lang for one in paberki.identify(tuple(PAGES))] == ["hr"] * 5  # type: ignore[call-overload]
    assert [one.forms[0] for one in paberki.annotate(["Dan.", "Noć."], lang="hr")] == ["Dan", "Noć"]
    assert paberki.extract([]) == []


def test_several_processes_give_the_same_in_order() -> None:
    assert [one.title for one in paberki.extract(PAGES * 3, jobs=2)] == [
        one.title for _ in range(3) for one in paberki.extract(PAGES)
    ]


@pytest.mark.parametrize(("texts", "jobs"), [(PAGES, -1), (5, 1), (None, 2)])
def test_what_is_no_list_is_refused(texts: Any, jobs: int) -> None:
    with pytest.raises(ConfigError, match=r"list of texts|number of processes"):
        paberki.extract(texts, jobs=jobs)


def test_an_error_of_one_text_is_the_error() -> None:
    with pytest.raises(PaberkiError, match="unknown extraction method"):
        paberki.extract(PAGES, method="magic", jobs=2)
