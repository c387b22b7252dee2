"""Personal data in text, as spans with a type: addresses, numbers of accounts and people, each with its checksum.

E-mail, telephone, IBAN (ISO 13616), IPv4 and IPv6, and the personal numbers of Croatia (OIB), Slovenia (EMŠO, davčna
številka), Serbia and its neighbours (JMBG), Czechia and Slovakia (rodné číslo). Eleven digits are a number only where
the checksum holds; eight digits, which many things have, only behind a word that says what they are.

Digits of all scripts, full-width forms, dashes and spaces count as those of ASCII; characters that nobody sees count as nothing.
"""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from paberki.nearest import nearest
from paberki.stage import Columns, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import kept_texts
from paberki.store.columns import PERSONAL, builtin

NEEDS: Final = ("extract.blocks.text", "extract.blocks.kept")
SUSPECT: Final = (
    r"[@\x{ff20}\x{fe6b}]|[({\[<] ?(?i:at|afna|manki|zavin[aá]č|majmun) ?[)}\]>]"
    r"|(?:\p{Nd}[ ./()\p{Pd}\p{Zs}\p{Cf}\x{2212}\x{ff0e}\x{ff0f}\x{ff08}\x{ff09}-]*){6}\p{Nd}"
    r"|(?:\p{Nd}{1,3}[.\x{ff0e}]){3}\p{Nd}|:[0-9A-Fa-f]{0,4}:"
)
"""What a text with any of it has: one look by RE2 before the real ones."""
_MOST_CHARS: Final = 2_000_000
"""Longer texts are read in pieces."""
_OVERLAP: Final = 500
_NUMBERS: Final = re.compile(r"[0-9][0-9 ./()-]{5,}[0-9]")
_LETTERS: Final = "A-Za-z\u00c0-\u052f\u1e00-\u1fff"
"""Letters of alphabets whose words stand between spaces."""
_AT: Final = r" ?[(\[{<] ?(?:at|@|afna|manki|zavin[aá]č|majmun) ?[)\]}>] ?"
"""How people write the sign, so that programs do not see it."""
_AT_SIGNS: Final = re.compile(rf"@|(?i:{_AT})")
_PLACES: Final = {"sign": _AT_SIGNS, "colon": re.compile(r":[0-9A-Fa-f]{0,4}:")}
_UNSEEN: Final = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
"""Soft hyphens, joiners and marks of direction."""
_NAMED: Final = "named number"
_AROUND: Final = {
    "sign": (80, 80),
    "colon": (80, 80),
    "number": (3, 3),
    "near number": (60, 60),
    _NAMED: (60, 3),
}
"""Places to look at closely, and how many characters before and after: what is all digits needs few, what has a name
is behind it."""
_IBAN_LENGTHS: Final = {
    "AD": 24, "AL": 28, "AT": 20, "BA": 20, "BE": 16, "BG": 22, "CH": 21, "CY": 28, "CZ": 24, "DE": 22, "DK": 18,
    "EE": 20, "ES": 24, "FI": 18, "FR": 27, "GB": 22, "GR": 27, "HR": 21, "HU": 28, "IE": 22, "IS": 26, "IT": 27,
    "LI": 21, "LT": 20, "LU": 20, "LV": 21, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MT": 31, "NL": 18, "NO": 15,
    "PL": 28, "PT": 25, "RO": 24, "RS": 22, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "TR": 26, "UA": 29, "XK": 20,
}  # fmt: skip


_Window = tuple[int, int, str]
"""First character, the one after the last, and what stands there in small letters."""


@dataclass(frozen=True, slots=True)
class Personal:
    """Characters ``start`` to ``end`` of a text, and what they are."""

    start: int
    end: int
    type: str


def _digits(text: str) -> list[int]:
    return [int(char) for char in text if char.isdigit()]


def is_iban(text: str) -> bool:
    """ISO 13616: the length of the country, and 97 divides it with a remainder of 1."""
    plain = re.sub(r"[ -]", "", text).upper()
    if len(plain) != _IBAN_LENGTHS.get(plain[:2]) or not plain.isalnum():
        return False
    number = "".join(str(int(char, 36)) for char in plain[4:] + plain[:4])
    return int(number) % 97 == 1


def is_oib(text: str) -> bool:
    """Croatia: eleven digits, ISO 7064 MOD 11,10."""
    digits = _digits(text)
    if len(digits) != 11:
        return False
    rest = 10
    for digit in digits[:10]:
        rest = (rest + digit) % 10 or 10
        rest = rest * 2 % 11
    return (11 - rest) % 10 == digits[10]


def _is_grouped_oib(text: str) -> bool:
    """The same in groups; groups of three are how large numbers are written."""
    return is_oib(text) and not re.fullmatch(r"\d{2}([ .])\d{3}\1\d{3}\1\d{3}", text)


def is_jmbg(text: str) -> bool:
    """EMŠO in Slovenia, JMBG elsewhere: day, month and year of birth, region, checksum modulo 11."""
    digits = _digits(text)
    if len(digits) != 13 or not _is_day(digits[0] * 10 + digits[1], digits[2] * 10 + digits[3]):
        return False
    year = digits[4] * 100 + digits[5] * 10 + digits[6]
    if not (year >= 850 or year <= 40):  # 1850 to 2040, written without the thousands
        return False
    weights = (7, 6, 5, 4, 3, 2) * 2
    rest = 11 - sum(weight * digit for weight, digit in zip(weights, digits[:12], strict=True)) % 11
    return rest != 10 and (0 if rest == 11 else rest) == digits[12]


def is_slovene_tax_number(text: str) -> bool:
    """Davčna številka: eight digits, weights 8 to 2, modulo 11."""
    digits = _digits(text)
    if len(digits) != 8 or digits[0] == 0:
        return False
    rest = 11 - sum(weight * digit for weight, digit in zip(range(8, 1, -1), digits[:7], strict=True)) % 11
    return rest != 11 and rest % 10 == digits[7]


def is_birth_number(text: str) -> bool:
    """Rodné číslo: six digits of a birthday, women's months plus 50, ten digits in all that eleven divides."""
    digits = _digits(text)
    if len(digits) != 10:
        return False
    month = digits[2] * 10 + digits[3]
    for shift in (70, 50, 20):
        if month > shift:
            month -= shift
            break
    number = int("".join(map(str, digits)))
    old = int("".join(map(str, digits[:9]))) % 11 == 10 and digits[9] == 0
    return _is_day(digits[4] * 10 + digits[5], month) and (number % 11 == 0 or old)


def _is_day(day: int, month: int) -> bool:
    return 1 <= day <= 31 and 1 <= month <= 12


def _is_address(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return not (address.is_loopback or address.is_unspecified)


def _is_telephone(text: str) -> bool:
    """Seven to fifteen digits (E.164), written as numbers are: from + or 0, or behind a word."""
    return 7 <= len(_digits(text)) <= 15


@dataclass(frozen=True, slots=True)
class _Kind:
    """One way to write one kind of personal data."""

    type: str
    where: str
    """At which places it is looked for."""
    pattern: re.Pattern[str]
    check: Callable[[str], bool] | None = None
    marks: tuple[str, ...] = ("",)
    """One of them, in small letters, is wherever the pattern matches: quicker to look for."""

    def spans(self, text: str, window: _Window) -> Sequence[tuple[int, int]]:
        """Where it stands within a window of the text."""
        first, last, small = window
        for mark in self.marks:
            if mark in small:
                break
        else:
            return ()
        group, check = min(self.pattern.groups, 1), self.check
        spans = [match.span(group) for match in self.pattern.finditer(text, first, last)]
        return [span for span in spans if check is None or check(text[slice(*span)])] if spans else ()


@lru_cache(maxsize=1)
def _kinds() -> tuple[_Kind, ...]:
    """All that is looked for; the more certain kinds first."""

    def number(pattern: str, *, has_context: bool = False) -> re.Pattern[str]:
        return re.compile(pattern if has_context else rf"(?<!\d)(?<!\d[.,/-]){pattern}(?!\d|[/-]\d)")

    phone = re.compile(
        r"(?:(?<![\w+])\+|(?<![\w.,+-])(?<!\d[ /])00)[1-9]\d{0,2}[ ./-]{0,2}(?:\(0?\d{1,4}\)[ ./-]?)?"
        r"\d(?:[ ./-]{0,2}\d){5,12}(?!\d)"
    )
    local_phone = re.compile(
        r"(?<![\w/.,+-])(?<!\d )(?:\(?0[1-9]\d{0,3}\)?(?:[ /-]{1,3}\d{2,4}){2,4}"
        r"|0[1-9]\d{7,8}|\(?0[1-9]\d{0,2}\)?[ /-]{1,3}\d{6,7}|0[1-9]\d{0,2}(?:\.\d{3,4}){2})(?![\d/-])"
    )
    named_phone = number(
        r"(?i:\b(?:tel|telefon\w?|mob|mobil|mobitel\w?|gsm|fax|faks|phone|viber|whatsapp|тел|телефон|моб|мобилни)\b)"
        r"[.: ]{1,4}(\(?\d[\d ./()-]{5,18}\d)(?!\d)",
        has_context=True,
    )
    name, host = rf"[{_LETTERS}0-9_][{_LETTERS}0-9_.+%-]{{0,63}}", rf"[{_LETTERS}0-9_-]{{1,63}}"
    end = rf"(?:xn--[A-Za-z0-9-]{{2,59}}|[{_LETTERS}]{{2,24}})(?![{_LETTERS}0-9])"
    email = re.compile(rf"{name}@(?:{host}\.){{1,8}}{end}")
    dot = r"(?: ?[(\[{<] ?(?:dot|to[čc]ka|ta[čc]ka|te[čc]ka|bod|punkt) ?[)\]}>] ?|\.)"
    spelt_email = re.compile(rf"(?i:{name}(?:{dot}{name}){{0,3}}(?:{_AT}| @ )(?:{host}{dot}){{1,8}}{end})")
    # Each country has its length: what follows after a blank may be another number.
    accounts = "|".join(
        rf"(?:{'|'.join(names)})\d{{2}}(?:[ -]?[A-Z0-9]){{{length - 4}}}"
        for length, names in _ibans_by_length().items()
    )
    iban = re.compile(rf"(?<![A-Za-z0-9])(?:{accounts})(?![A-Za-z0-9])")
    groups = r"(\d{2,5}([ .-])\d{2,5}(?:\2\d{2,5}){0,3})"
    named_oib = number(r"(?i:\boib\b)\D{0,5}(\d(?:[ .-]?\d){10})(?!\d)", has_context=True)
    ip4 = re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.]*\d)")
    ip6 = re.compile(r"(?<![0-9A-Za-z:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![0-9A-Za-z:])")
    birth = number(
        r"(?i:\br\. ?[čc]\.|\brč\b|rodn(?:é|e|ého|eho) [čc][íi]slo?\w?)\D{0,5}(\d{10})(?!\d)", has_context=True
    )
    tax = number(
        r"(?:(?i:davčna(?: št\w*| številka)?|ID ?(?:za|št\w*)?(?: DDV)?)\D{0,5}(?:SI ?)?|(?<![A-Z])SI ?)(\d{8})(?!\d)",
        has_context=True,
    )
    return (
        _Kind("email", "sign", email),
        _Kind("email", "sign", spelt_email, None, ("[", "(", "{", "<", " @ ")),
        _Kind("iban", "near number", iban, is_iban),
        _Kind("ip", "number", ip4, _is_address, (".",)),
        _Kind("ip", "colon", ip6, _is_address),
        _Kind("oib", "number", number(r"(?:HR)?\d{11}"), is_oib),
        _Kind("oib", _NAMED, named_oib, is_oib, ("oib",)),
        _Kind("jmbg", "number", number(r"\d(?:[ .-]?\d){12}"), is_jmbg),
        _Kind("oib", "number", number(groups), _is_grouped_oib),
        _Kind("rodne-cislo", "number", number(r"\d{6} ?[/ -] ?\d{4}"), is_birth_number),
        _Kind("rodne-cislo", _NAMED, birth, is_birth_number, ("č", "c")),
        _Kind("davcna", _NAMED, tax, is_slovene_tax_number, ("davčna", "id", "si")),
        _Kind("phone", "number", phone, _is_telephone, ("+", "00")),
        _Kind("phone", "number", local_phone, _is_telephone, ("0",)),
        _Kind(
            "phone",
            _NAMED,
            named_phone,
            _is_telephone,
            ("tel", "mob", "gsm", "fa", "phone", "viber", "app", "тел", "моб"),
        ),
    )


def _ibans_by_length() -> dict[int, list[str]]:
    """Countries whose account numbers have this length, the longest first."""
    countries: dict[int, list[str]] = {}
    for country, length in _IBAN_LENGTHS.items():
        countries.setdefault(length, []).append(country)
    return dict(sorted(countries.items(), reverse=True))


def types() -> tuple[str, ...]:
    """All types of personal data that are looked for."""
    return tuple(dict.fromkeys(kind.type for kind in _kinds()))


def personal_data(text: str) -> list[Personal]:
    """Spans of personal data, in order, none within another: the more certain kind counts."""
    if len(text) > _MOST_CHARS:
        return list(_in_pieces(text))
    plain, places = _plain(text)
    items = _search(plain, _kinds())
    return [Personal(places[one.start], places[one.end - 1] + 1, one.type) for one in items] if places else items


def named_phones(text: str) -> list[Personal]:
    """Numbers behind a word that says that they are telephone numbers."""
    return _search(text, [kind for kind in _kinds() if kind.type == "phone" and kind.where == _NAMED])


def _in_pieces(text: str) -> Iterator[Personal]:
    """Personal data of a long text, piece by piece; each begins a little before the end of the one before it."""
    begin, done = 0, 0
    while begin < len(text):
        last = begin + _MOST_CHARS >= len(text)
        for one in personal_data(text[begin : begin + _MOST_CHARS]):
            item = Personal(one.start + begin, one.end + begin, one.type)
            if item.start >= done and (last or one.start < _MOST_CHARS - _OVERLAP):
                done = item.end
                yield item
        if last:
            return
        begin += _MOST_CHARS - _OVERLAP


def _search(text: str, kinds: Sequence[_Kind]) -> list[Personal]:
    numbers = [match.span() for match in _NUMBERS.finditer(text)]
    spans = {pattern: [match.span() for match in by.finditer(text)] for pattern, by in _PLACES.items()}
    windows = {where: _windows(text, spans.get(where, numbers), *around) for where, around in _AROUND.items()}
    items: list[Personal] = []
    coverage = bytearray(len(text))
    for kind in kinds:
        for window in windows[kind.where]:
            for start, end in kind.spans(text, window):
                if not any(coverage[start:end]):
                    coverage[start:end] = b"\1" * (end - start)
                    items.append(Personal(start, end, kind.type))
    return sorted(items, key=lambda one: one.start)


def _plain(text: str) -> tuple[str, list[int]]:
    """The text as patterns read it, and the place of each of its characters where some were left out."""
    if text.isascii():
        return text, []
    plain = text.translate(_likenesses())
    if not _UNSEEN.search(plain):
        return plain, []
    places = [at for at, char in enumerate(plain) if not _UNSEEN.match(char)]
    return "".join([plain[at] for at in places]), places


@lru_cache(maxsize=1)
def _likenesses() -> dict[int, str]:
    """What characters count as: digits of all scripts, full-width forms, dashes, spaces."""
    table = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | {0xFE6B: "@", 0x2212: "-", 0x2044: "/"}
    for code in range(0x80, 0x20000):
        char = chr(code)
        match unicodedata.category(char):
            case "Nd":
                table[code] = str(unicodedata.decimal(char))
            case "Pd":
                table[code] = "-"
            case "Zs":
                table[code] = " "
    return table


def _windows(text: str, spans: Sequence[tuple[int, int]], before: int, after: int) -> list[_Window]:
    """Stretches around spans, which come in order, cut at nothing that a pattern could look at, merged where they meet."""
    windows: list[tuple[int, int]] = []
    most, close = len(text), -1
    for first, last in spans:
        start, end = max(0, first - before), min(most, last + after)
        if start <= close:
            windows[-1] = windows[-1][0], end
        else:
            windows.append((start, end))
        close = end
    return [(start, end, text[start:end].lower()) for start, end in windows] if windows else []


def masked(text: str, spans: Sequence[Personal]) -> str:
    """The text with every span replaced by its type in brackets: [email]."""
    parts, at = [], 0
    for span in sorted(spans, key=lambda one: one.start):
        if span.start >= at:
            parts += [text[at : span.start], f"[{span.type}]"]
            at = span.end
    return "".join([*parts, text[at:]])


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalConfig:
    """Which kinds are looked for."""

    types: tuple[str, ...] = ()
    """Kinds to keep: email, phone, iban, ip, oib, jmbg, davcna, rodne-cislo; all without a list. Exports mask these."""

    def __post_init__(self) -> None:
        for one in self.types:
            if one not in types():
                raise ValueError(f"types: there is no {one!r}{nearest(one, types())}; known: {', '.join(types())}")


@map_stage(
    "quality.personal.v1",
    layer="personal",
    needs=NEEDS,
    adds=builtin("personal"),
    config=PersonalConfig,
    behaviour="digits of all scripts, numbers in groups, spelt addresses",
)
def personal(batch: Batch, config: PersonalConfig) -> Columns:
    """Personal data in the kept blocks, as spans with a type (no paper; ISO 13616, ISO 7064, RFC 5322, E.164).

    Spans count characters of what readers get as the block's text. ``export --mask`` puts the type in their place.
    """
    kept_blocks = kept_texts(*(batch.arrow(name) for name in NEEDS))
    suspects = pc.indices_nonzero(pc.match_substring_regex(kept_blocks.texts, SUSPECT).fill_null(False)).to_pylist()
    spans: list[list[dict[str, Any]]] = [[] for _ in range(len(batch))]
    for page, block, one in _items(kept_blocks, suspects):
        if not config.types or one.type in config.types:
            spans[page].append({"block": block, "start": one.start, "end": one.end, "type": one.type})
    missing = batch.arrow(NEEDS[0]).is_null().to_pylist()
    span_lists = [None if absent else one for one, absent in zip(spans, missing, strict=True)]
    return {
        "personal": pa.array(span_lists, pa.list_(PERSONAL)),
        "personal_count": [None if one is None else len(one) for one in span_lists],
    }


def _items(kept_blocks: Any, suspects: Sequence[int]) -> Iterator[tuple[int, int, Personal]]:
    for number in suspects:
        for one in personal_data(kept_blocks.texts[number].as_py()):
            yield int(kept_blocks.pages[number]), int(kept_blocks.numbers[number]), one
