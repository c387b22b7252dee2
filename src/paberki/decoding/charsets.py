"""Which encodings the languages of the web were written in, and how common these encodings are.

A candidate of the model is a pair of a language and an encoding. ``usual`` encodings are judged by three bytes in a row,
``rare`` ones (of DOS and the old Macintosh) by two, which keeps the tables small.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Charsets:
    """Encodings of one language, as names of Python codecs."""

    usual: tuple[str, ...]
    rare: tuple[str, ...] = ()
    latin: bool = True


def _latin(usual: str, rare: str = "") -> Charsets:
    return Charsets(tuple(usual.split()), tuple(rare.split()))


def _other(usual: str, rare: str = "") -> Charsets:
    return Charsets(tuple(usual.split()), tuple(rare.split()), latin=False)


LANGUAGES: Final[dict[str, Charsets]] = {
    "hbs": _latin("cp1250 iso8859-2", "cp852"),
    "sl": _latin("cp1250 iso8859-2"),
    "cs": _latin("cp1250 iso8859-2", "cp852 mac-latin2"),
    "sk": _latin("cp1250 iso8859-2"),
    "pl": _latin("cp1250 iso8859-2", "cp852 mac-latin2"),
    "hu": _latin("cp1250 iso8859-2", "cp852 mac-latin2"),
    "ro": _latin("cp1250 iso8859-2", "iso8859-16"),
    **dict.fromkeys(("en", "it", "pt", "nl", "da", "is", "ca", "fi"), _latin("cp1252 iso8859-15")),
    "de": _latin("cp1252 iso8859-15", "mac-roman cp850"),
    "fr": _latin("cp1252 iso8859-15", "mac-roman cp850"),
    "es": _latin("cp1252 iso8859-15", "mac-roman cp850"),
    "sv": _latin("cp1252 iso8859-15", "mac-roman cp850"),
    "tr": _latin("cp1254", "mac-turkish cp857"),
    "et": _latin("cp1257"),
    "lv": _latin("cp1257 iso8859-13", "iso8859-4"),
    "lt": _latin("cp1257 iso8859-13", "iso8859-4"),
    "ru": _other("cp1251 koi8-r iso8859-5 cp866", "mac-cyrillic cp855"),
    "uk": _other("cp1251 koi8-u iso8859-5 cp866", "mac-cyrillic"),
    "be": _other("cp1251", "iso8859-5"),
    "bg": _other("cp1251 iso8859-5", "mac-cyrillic cp855"),
    "mk": _other("cp1251 iso8859-5"),
    "sr-Cyrl": _other("cp1251 iso8859-5", "cp855"),
    "el": _other("cp1253 iso8859-7", "cp737 mac-greek"),
    "he": _other("cp1255", "iso8859-8"),
    "ja": _other("cp932 euc_jp"),
    "zh": _other("gb18030"),
    "zh-Hant": _other("big5hkscs"),
    "ko": _other("cp949"),
}
"""Languages of the model. Bosnian, Croatian and Serbian in Latin script have the same letters and are one here (hbs);
Serbian is there in Cyrillic too, Chinese in both of its forms, Norwegian goes with Danish."""

MULTI_BYTE: Final = frozenset(("cp932", "euc_jp", "gb18030", "big5hkscs", "cp949"))

MODELLED: Final = frozenset(encoding for one in LANGUAGES.values() for encoding in (*one.usual, *one.rare))
"""Encodings of all candidates."""

SAME_AS: Final[dict[str, tuple[str, ...]]] = {
    "hr": ("hbs",),
    "bs": ("hbs", "sr-Cyrl"),
    "sr": ("hbs", "sr-Cyrl"),
    "sr-Latn": ("hbs",),
    "sh": ("hbs", "sr-Cyrl"),
    "zh": ("zh", "zh-Hant"),
    **dict.fromkeys(("nb", "nn", "no"), ("da",)),
}
"""Language code -> languages of the model that stand for it; other codes stand for themselves."""

PRIOR: Final[dict[str, float]] = {
    "cp1252": 3.0,
    "cp1250": 1.0,
    "cp1251": 1.0,
    "iso8859-5": -2.0,
    "cp866": -2.0,
    "koi8-u": -0.5,
    "iso8859-13": -3.0,
    "iso8859-16": -8.0,
    "iso8859-15": -4.0,
    "iso8859-4": -6.0,
    "iso8859-8": -1.0,
    **dict.fromkeys(("cp852", "cp850", "cp855", "cp857", "cp737"), -14.0),
    **dict.fromkeys(("mac-latin2", "mac-roman", "mac-turkish", "mac-cyrillic", "mac-greek"), -14.0),
}
"""Prior log-probability of an encoding, in nats, up to a constant."""

LANGUAGE_PRIOR: Final[dict[str, float]] = {"is": -4.0}
"""The same for languages: Icelandic ð and þ stand where Turkish, with a far larger web, has ğ and ş."""
