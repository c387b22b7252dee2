"""Model files in the manner of fastText, brought by the user: lid.176.ftz, GlotLID and the like.

The file is read by the package ``fasttext``. Labels such as ``__label__hrv_Latn`` become the codes that we use.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from paberki.errors import ConfigError, MissingExtra
from paberki.identification.answer import Identification, answer
from paberki.identification.methods.general import load_general, script_name
from paberki.kernels.preparation import prepared

_PREFIX: Final = "__label__"
_LABELS: Final = 20
_CHARS: Final = 20_000
CODES: Final = {
    "hrv": "hr", "srp": "sr", "bos": "bs", "hbs": "sh", "slv": "sl", "ces": "cs", "slk": "sk", "pol": "pl", "deu": "de",
    "eng": "en", "fra": "fr", "ita": "it", "spa": "es", "por": "pt", "nld": "nl", "swe": "sv", "dan": "da", "nob": "nb",
    "nno": "nn", "fin": "fi", "est": "et", "ekk": "et", "lav": "lv", "lvs": "lv", "lit": "lt", "hun": "hu", "ron": "ro",
    "bul": "bg", "mkd": "mk", "rus": "ru", "ukr": "uk", "bel": "be", "ell": "el", "heb": "he", "jpn": "ja", "zho": "zh",
    "cmn": "zh", "kor": "ko", "tur": "tr", "isl": "is", "gle": "ga", "mlt": "mt", "cat": "ca", "glg": "gl", "eus": "eu",
    "no": "nb", "iw": "he", "sqi": "sq", "als": "sq", "arb": "ar", "ara": "ar", "hye": "hy", "kat": "ka", "tha": "th",
}  # fmt: skip
"""Codes that models use -> ours."""


class FastText:
    """A loaded model file."""

    def __init__(self, path: Path) -> None:
        try:
            import fasttext_pybind
        except ImportError as error:
            raise MissingExtra("fasttext, which reads such model files,", "fasttext") from error
        if not path.is_file():
            raise ConfigError(f"{path}: there is no such model file")
        self._model: Any = fasttext_pybind.fasttext()
        try:
            self._model.loadModel(str(path))
        except (ValueError, RuntimeError, MemoryError) as error:
            raise ConfigError(f"{path}: not a model of fastText ({error})") from error

    def identify(self, texts: Sequence[str], languages: Sequence[str] | None = None) -> list[Identification]:
        """Language of each text; the script is found as in ``general``."""
        general = load_general()
        letters = general.identify(texts)
        choices = None if languages is None else frozenset(languages)
        return [self._decide(text, by_letters, choices) for text, by_letters in zip(texts, letters, strict=True)]

    def _decide(self, text: str, by_letters: Identification, choices: frozenset[str] | None) -> Identification:
        if by_letters.script == script_name(0):
            return by_letters
        line = " ".join(text[:_CHARS].lower().split()) + "\n"
        count = _LABELS if choices is None else 1000
        shares: dict[str, float] = {}
        for share, label in self._model.predict(line.encode("utf-8", "replace").decode(), count, 0.0, "replace"):
            name = code_of(label)
            if choices is None or name in choices:
                shares[name] = shares.get(name, 0.0) + max(float(share), 0.0)
        total = sum(shares.values())
        return answer([(name, share / total) for name, share in shares.items()] if total else [], by_letters.script)


def code_of(label: str) -> str:
    """``hr`` for ``__label__hrv_Latn``; unknown labels stay as they are."""
    name = label.removeprefix(_PREFIX).partition("_")[0]
    return CODES.get(name, name)


@lru_cache(maxsize=2)
@prepared
def load_fasttext(path: Path) -> FastText:
    """The model in a file."""
    return FastText(path)
