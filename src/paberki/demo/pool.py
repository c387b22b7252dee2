"""Reads the hand-written sentence pools in ``texts/``.

A pool is a plain text file, so that a speaker of the language can correct it without reading Python:

``@slot name: a | b | c``    fillers; ``town`` and ``town.loc`` are the same towns, in two cases
``@label name: text``        words of the site furniture (menus, cookie bars, footers)
``@topic key Name``          opens a topic; then lines of
``= text``                   a title template
``* text``                   a subheading
``- text``                   a sentence template

Templates hold slots ``{town.loc}``, numbers ``{n:20-90}`` and alternatives ``[one|two|three]``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

LANGUAGES = ("hr", "sr", "sl", "cs", "ja", "de", "en")


@dataclass(frozen=True)
class Subject:
    """Templates that belong to one subject."""

    key: str
    name: str
    titles: list[str] = field(default_factory=list)
    subheads: list[str] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Pool:
    """Everything that can be said in one language."""

    language: str
    slots: Mapping[str, tuple[str, ...]]
    labels: Mapping[str, str]
    topics: Mapping[str, Subject]

    @property
    def subjects(self) -> tuple[str, ...]:
        """Topics an article can be about."""
        special = {"general", "comment", "forum", "shop"}
        return tuple(key for key in self.topics if key not in special)

    @property
    def joiner(self) -> str:
        """What stands between two sentences: nothing in Japanese."""
        return "" if self.language == "ja" else " "


@cache
def pool(language: str) -> Pool:
    """The pool of ``language``, read once."""
    text = files("paberki.demo").joinpath("texts", f"{language}.txt").read_text(encoding="utf-8")
    return parse(language, text)


def parse(language: str, text: str) -> Pool:
    """Parse the pool format described at the top of this module."""
    slots: dict[str, tuple[str, ...]] = {}
    labels: dict[str, str] = {}
    topics: dict[str, Subject] = {}
    topic = Subject("", "")
    for line in filter(None, map(str.strip, text.splitlines())):
        mark, _, rest = line.partition(" ")
        name, _, value = rest.partition(":")
        match mark:
            case "@slot":
                slots[name] = tuple(item.strip() for item in value.split("|"))
            case "@label":
                labels[name] = value.strip()
            case "@topic":
                key, _, title = rest.partition(" ")
                topic = topics[key] = Subject(key, title)
            case "=" | "*" | "-":
                {"=": topic.titles, "*": topic.subheads, "-": topic.sentences}[mark].append(rest)
            case "#":
                pass
            case _:
                raise ValueError(f"{language}.txt: a line starts with {mark!r}: {line[:60]!r}")
    return Pool(language, slots, labels, topics)
