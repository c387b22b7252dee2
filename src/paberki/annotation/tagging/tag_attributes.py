"""Attributes of tags: many tags share them, so that a rare tag is learnt through its attributes."""

from __future__ import annotations

_PDT_LENGTH = 15
_PDT_PLACES = (2, 3, 4, 7, 8, 9, 10, 11)
_ROLES = {"N": "gnc", "A": "dgncf", "M": "gnc", "P": "pgnc", "V": "vpng"}
"""MULTEXT-East: what the places after the second mean. Gender, number and case of nouns, adjectives, pronouns and
numerals get one name each, because words that belong together agree in them."""


def attributes(tag: str) -> list[str]:
    """The attributes of a tag: MULTEXT-East, Prague positional, or a part of speech with features after bars."""
    if "=" in tag or "|" in tag:
        return tag.split("|")
    if len(tag) == _PDT_LENGTH:
        return [tag[:2], *(f"{place}{tag[place]}" for place in _PDT_PLACES if tag[place] != "-")]
    roles = _ROLES.get(tag[:1], "")
    pairs = [tag[:2]]
    for place, letter in enumerate(tag[2:]):
        if letter != "-":
            pairs.append((roles[place] if place < len(roles) else f"{tag[:1]}{place}") + letter)
    return pairs


def coarse(tag: str) -> str:
    """Part of speech and type: what decides which rules of a lemmatiser apply."""
    return tag.partition("|")[0] if "|" in tag else tag[:2]


_BROAD = ("c", "v", "4", "Case=", "VerbForm=")
"""Attributes of the three kinds of tags that tell case, or form of a verb."""


def broad(tag: str) -> str:
    """Part of speech and type with case or form of a verb: what tells most about the neighbours of a name."""
    first, *others = attributes(tag)
    return " ".join([first, *(one for one in others if one.startswith(_BROAD))])
