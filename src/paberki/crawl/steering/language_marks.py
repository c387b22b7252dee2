"""Signs of a language in addresses: ``/en/about``, ``/index.php?lang=de``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from paberki.crawl.reading.more_function_words import MORE_FUNCTION_WORDS
from paberki.languages.telling_words import FUNCTION_WORDS

WANTED, OTHER = 1.5, 0.4
"""Factors for what is expected of a template whose addresses name a wanted language, or only another one."""
_BY_SCRIPT = ("ja", "ko", "zh", "th", "el", "he", "ar", "hy", "ka", "hi")
_COUNTRIES: Final[dict[str, str]] = {
    "jp": "ja", "cz": "cs", "rs": "sr", "dk": "da", "se": "sv", "gr": "el", "ua": "uk", "kr": "ko", "cn": "zh",
    "ee": "et", "gb": "en", "us": "en", "br": "pt", "at": "de",
}  # fmt: skip
"""Country codes that stand for languages in addresses."""
_CODES = frozenset((*FUNCTION_WORDS, *MORE_FUNCTION_WORDS, *_BY_SCRIPT))
_CODE = re.compile(r"(?:/|[?&]lang=)([A-Za-z]{2})(?:[-_][A-Za-z]{2,4})?(?=[/&]|\Z)")


class LanguageMarks:
    """Factors of templates by the languages that their names mention."""

    def __init__(self, languages: Sequence[str]) -> None:
        self._languages = frozenset(languages)

    def factor(self, template: str) -> float:
        """How much better than others pages of a template are expected to be, by its name alone."""
        if not self._languages:
            return 1.0
        codes = {_COUNTRIES.get(code, code) for code in map(str.lower, _CODE.findall(template))}
        if codes & self._languages:
            return WANTED
        return OTHER if codes & _CODES else 1.0
