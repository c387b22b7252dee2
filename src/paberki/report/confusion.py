"""Which classes are taken for which: a square for each pair, the darker the more often."""

from __future__ import annotations

from collections.abc import Mapping

from paberki.report.svg import clean, figure, standalone, text

_CELL, _LEFT, _TOP = 30.0, 70.0, 60.0


def confusion_figure(counts: Mapping[tuple[str, str], int], title: str) -> str:
    """A figure in a file of its own; rows are gold, columns what was given, shares of a row."""
    totals: dict[str, int] = {}
    for (gold, _), count in counts.items():
        totals[gold] = totals.get(gold, 0) + count
    kinds = sorted(set(totals) | {given for _, given in counts}, key=lambda kind: (-totals.get(kind, 0), kind))
    parts = []
    for number, kind in enumerate(kinds):
        middle = _CELL * (number + 0.5)
        parts.append(text(_LEFT - 6, _TOP + middle + 4, kind, anchor="end"))
        parts.append(f'<g transform="translate({_LEFT + middle + 4:.1f} {_TOP - 6:.1f}) rotate(-60)">{text(0, 0, kind)}</g>')
    for (gold, given), count in sorted(counts.items()):
        share = count / totals[gold]
        x, y = _LEFT + _CELL * kinds.index(given), _TOP + _CELL * kinds.index(gold)
        colour = "kept" if gold == given else "dropped"
        said = clean(f"{gold} taken for {given}: {count} ({100 * share:.1f} %)")
        parts.append(
            f'<rect class="{colour}" x="{x:.1f}" y="{y:.1f}" width="{_CELL - 2}" height="{_CELL - 2}" '
            f'fill-opacity="{min(1.0, share if gold == given else share * 5):.3f}"><title>{said}</title></rect>'
        )
    side = _CELL * len(kinds)
    about = "Rows are the right classes, columns the given ones; mistakes are drawn five times as strong"
    return standalone(figure("confusion", title, about, _LEFT + side + 60, _TOP + side + 10, parts))
