"""Small pieces of SVG: figures that need no script, read well in print and follow the reader's light or dark mode.

Colours are CSS variables. Inside a page they come from the page; a figure in a file of its own carries them along.
Text is measured by a rough rule (no fonts here), generously enough that labels do not run into each other.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from html import escape

FONT = 15
"""Size of letters in figures, in units of the figure."""
MARGIN = 16
"""Around a figure in a file of its own."""
_VIEW = re.compile(r'viewBox="0 0 (\d+) (\d+)"')
_LETTER, _CAPITAL, _BROAD, _ROOM = 0.6, 0.76, 0.99, 0.15
"""Width of an average letter in sizes of the font, of capitals, of the broadest; wide letters (Chinese, Japanese) take a whole one."""
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
COLOURS = """:root { color-scheme: light dark; --paper: #ffffff; --ink: #1c2430; --muted: #5b6675; --line: #dde2e9;
  --soft: #f4f6f9; --kept: #1f6f8b; --other: #a9c6d3; --dropped: #e0a458; --link: #175b9e; --third: #8a4f9e; --fourth: #555e6b; }
@media (prefers-color-scheme: dark) { :root { --paper: #12161c; --ink: #e4e8ee; --muted: #9aa5b4; --line: #2c3440;
  --soft: #1a2029; --kept: #55b0cc; --other: #34596a; --dropped: #d99a45; --link: #8cbcf0; --third: #c79ad6; --fourth: #a3adba; } }
@media print { :root { --paper: #ffffff; --ink: #000000; --muted: #444444; --line: #cccccc; --soft: #ffffff;
  --kept: #1f6f8b; --other: #a9c6d3; --dropped: #e0a458; --link: #000000; --third: #8a4f9e; --fourth: #555e6b; } }
"""
STYLE = """svg.figure { width: 100%; height: auto; display: block; font-family: system-ui, sans-serif; }
svg.figure text { fill: var(--ink); font-size: 15px; }
svg.figure text.muted { fill: var(--muted); font-size: 14px; }
svg.figure .kept { fill: var(--kept); } svg.figure .other { fill: var(--other); }
svg.figure .dropped { fill: var(--dropped); } svg.figure .track { fill: var(--soft); }
svg.figure .grid { stroke: var(--line); stroke-width: 1; }
svg.figure .curve { fill: none; stroke: var(--kept); stroke-width: 2.5; stroke-linejoin: round; }
svg.figure .dot { fill: var(--kept); }
svg.figure .series1 { --series: var(--kept); } svg.figure .series2 { --series: var(--dropped); }
svg.figure .series3 { --series: var(--third); } svg.figure .series4 { --series: var(--fourth); }
svg.figure .line { fill: none; stroke: var(--series); stroke-width: 2.5; stroke-linejoin: round; }
svg.figure .line.series2 { stroke-dasharray: 9 4; } svg.figure .line.series3 { stroke-dasharray: 2 4; }
svg.figure .line.series4 { stroke-dasharray: 12 4 2 4; }
svg.figure .fill { fill: var(--series); } svg.figure .frame { fill: var(--soft); stroke: var(--series); stroke-width: 2; }
svg.figure .point { fill: none; stroke: var(--series); stroke-width: 1.5; }
"""


def clean(value: object) -> str:
    """Text for HTML and SVG: no control characters, everything that could be markup escaped."""
    return escape(_FORBIDDEN.sub("\ufffd", str(value)))


def width(label: str, size: float = FONT) -> float:
    """About how wide a text will be."""
    return size * (_ROOM + sum(map(_letter_width, label))) if label else 0.0


@lru_cache(maxsize=4096)
def _letter_width(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.0
    if letter in "mwMW@%":
        return _BROAD
    return _CAPITAL if letter.isupper() else _LETTER


def fit(label: str, room: float, size: float = FONT) -> str:
    """The label, shortened in the middle if it is too wide, because both ends of a host name are informative."""
    if width(label, size) <= room:
        return label
    for letters in range(len(label) - 1, 1, -1):
        head = letters // 2
        short = f"{label[: letters - head]}…{label[len(label) - head :]}"
        if width(short, size) <= room:
            return short
    return "…"


def text(
    x: float, y: float, label: str, *, anchor: str = "start", muted: bool = False, room: float | None = None
) -> str:
    """One line of text; a shortened text has the whole text as its tooltip."""
    fitted_label = label if room is None else fit(label, room)
    kind = ' class="muted"' if muted else ""
    tip = f"<title>{clean(label)}</title>" if fitted_label != label else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{kind}>{tip}{clean(fitted_label)}</text>'


def box(x: float, y: float, wide: float, high: float, kind: str, tip: str = "") -> str:
    """A filled rectangle; empty if it has no area."""
    if wide <= 0 or high <= 0:
        return ""
    inside = f"<title>{clean(tip)}</title>" if tip else ""
    place = f'x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}"'
    return f'<rect {place} rx="2" class="{kind}">{inside}</rect>'


def line(x1: float, y1: float, x2: float, y2: float) -> str:
    """A thin line of the grid."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="grid"/>'


def figure(name: str, title: str, about: str, wide: float, high: float, parts: Iterable[str]) -> str:
    """A figure with a title and a description for those who cannot see it; ``name`` is unique in the page."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="figure" viewBox="0 0 {wide:.0f} {high:.0f}" role="img" '
        f'aria-labelledby="{clean(name)}-title {clean(name)}-about">'
        f'<title id="{clean(name)}-title">{clean(title)}</title>'
        f'<desc id="{clean(name)}-about">{clean(about)}</desc>'
    )
    return head + "".join(parts) + "</svg>"


def standalone(svg: str) -> str:
    """The figure as a separate file, with its own colours and background."""
    ground = f'<rect x="{-MARGIN}" y="{-MARGIN}" width="100%" height="100%" style="fill: var(--paper)"/>'
    svg = _VIEW.sub(_with_margin, svg, count=1)
    at = svg.index("</desc>") + len("</desc>")
    style = f"<style>{COLOURS}{STYLE}</style>"
    return f'<?xml version="1.0" encoding="utf-8"?>\n{svg[:at]}{style}{ground}{svg[at:]}\n'


def _with_margin(match: re.Match[str]) -> str:
    wide, high = (int(size) + 2 * MARGIN for size in match.groups())
    return f'viewBox="{-MARGIN} {-MARGIN} {wide} {high}"'
