"""Languages that addresses mention."""

from __future__ import annotations

import pytest

from paberki.crawl.steering.language_marks import OTHER, WANTED, LanguageMarks


@pytest.mark.parametrize(
    ("template", "factor"),
    [
        ("/hr/vijesti/0", WANTED),
        ("/hr-HR/", WANTED),
        ("/index.php?id&lang=hr", WANTED),
        ("/en/news/0", OTHER),
        ("/index.php?id&lang=en", OTHER),
        ("/prijevod/en/hr", WANTED),
        ("/vijesti/0", 1.0),
        ("/xx/0", 1.0),
        ("/index.php?hr&en", 1.0),
    ],
)
def test_factors(template: str, factor: float) -> None:
    assert LanguageMarks(("hr",)).factor(template) == factor
    assert LanguageMarks(()).factor(template) == 1.0


def test_countries_stand_for_languages() -> None:
    assert LanguageMarks(("ja",)).factor("/jp/0") == WANTED
