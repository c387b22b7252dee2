"""Two pages side by side: how much they have in common, and which passages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from paberki.amounts import several
from paberki.dedup.signatures.word_places import shared_passages, word_spans
from paberki.report.one_page.explain_text import clean
from paberki.report.one_page.find import find
from paberki.report.one_page.row import Row, read_row
from paberki.store.built_layers import Layout
from paberki.store.directory import Directory

WIDTH = 5
"""Words in a run, as resemblance is defined (P5 §3.4)."""
LONGEST = 200_000
"""Words of a page that are looked at."""
LABELS = ("dup_exact", "dup_cluster", "dup_similarity", "dup_share", "dup_of", "dup_corpus", "keep", "reason")


@dataclass(frozen=True, slots=True)
class Pair:
    """What two pages have in common."""

    left: dict[str, Any]
    right: dict[str, Any]
    resemblance: float
    """Share of the runs of five words that both have, among those that either has."""
    left_share: float
    """Share of the words of the left page in passages that the right one has too."""
    right_share: float
    passages: list[dict[str, Any]]
    left_text: str
    right_text: str

    def to_dict(self) -> dict[str, Any]:
        """All facts, ready for JSON."""
        facts = {name: getattr(self, name) for name in ("left", "right", "resemblance", "left_share", "right_share")}
        return {**facts, "passages": self.passages, "left_text": self.left_text, "right_text": self.right_text}

    def lines(self, columns: int = 100) -> list[str]:
        """The same for a terminal: the two texts beside each other, what both have between brackets."""
        width = max(20, (columns - 3) // 2)
        head = [f"resemblance {self.resemblance:.3f}: the share of runs of {WIDTH} words that both have"]
        head += [
            f"{name}: {page['id']}  {page['url'] or '(no address)'}  {_verdict(page)}  {several(page['words'], 'word')}, "
            f"{share:.1%} of them in {len(self.passages)} shared passages"
            for name, page, share in (
                ("left ", self.left, self.left_share),
                ("right", self.right, self.right_share),
            )
        ]
        sides = [
            _wrap(_bracket(text, [(one[f"{side}_start"], one[f"{side}_end"]) for one in self.passages]), width)
            for side, text in (("left", self.left_text), ("right", self.right_text))
        ]
        rows = max(map(len, sides))
        left, right = ([*side, *[""] * (rows - len(side))] for side in sides)
        body = [f"{one:<{width}} │ {other}".rstrip() for one, other in zip(left, right, strict=True)]
        return [clean(line) for line in (*head, "", *body)]


def _verdict(page: dict[str, Any]) -> str:
    if page.get("keep") is None:
        return "not selected yet"
    return "kept" if page["keep"] else f"left out: {page['reason']}"


def compare_pages(directory: Directory, layout: Layout, left: str, right: str) -> Pair:
    """Two pages, each by its id, stable key or address."""
    rows = [read_row(directory, layout, find(directory, layout, page).number) for page in (left, right)]
    texts = [_text(row) for row in rows]
    spans = [word_spans(text)[:LONGEST] for text in texts]
    words = [[text[low:high].lower() for low, high in mine] for text, mine in zip(texts, spans, strict=True)]
    passages = [
        {
            "words": length,
            "left_start": spans[0][at][0],
            "left_end": spans[0][at + length - 1][1],
            "right_start": spans[1][other][0],
            "right_end": spans[1][other + length - 1][1],
        }
        for at, other, length in shared_passages(words[0], words[1], WIDTH)
    ]
    about = [_about(row, mine) for row, mine in zip(rows, words, strict=True)]
    shared_words = sum(one["words"] for one in passages)
    shares = [shared_words / max(1, len(mine)) for mine in words]
    covered_words = _covered_words(passages, spans[1])
    return Pair(
        about[0], about[1], _resemblance(*words), shares[0], covered_words / max(1, len(words[1])), passages, *texts
    )  # fmt: skip


def _covered_words(passages: list[dict[str, Any]], spans: list[tuple[int, int]]) -> int:
    """Words of the right text in passages; several of the left one may lead to one place there."""
    inside: set[int] = set()
    starts = {low: at for at, (low, _) in enumerate(spans)}
    for one in passages:
        first = starts[one["right_start"]]
        inside.update(range(first, first + one["words"]))
    return len(inside)


def _text(row: Row) -> str:
    """The kept blocks, one per line; those that select left out are not shown."""
    return "\n".join(row.selected_texts())


def _about(row: Row, words: list[str]) -> dict[str, Any]:
    facts = {name: row[name] for name in ("id", "key", "url", "title", *LABELS)}
    return {**facts, "words": len(words)}


def _resemblance(left: list[str], right: list[str]) -> float:
    sets = [
        {tuple(words[at : at + WIDTH]) for at in range(max(1, len(words) - WIDTH + 1))} if words else set()
        for words in (left, right)
    ]
    either = len(sets[0] | sets[1])
    return len(sets[0] & sets[1]) / either if either else 0.0


def _bracket(text: str, spans: list[tuple[int, int]]) -> str:
    """Passages between brackets; overlapping ones become one."""
    merged_spans: list[list[int]] = []
    for low, high in sorted(spans):
        if merged_spans and low <= merged_spans[-1][1]:
            merged_spans[-1][1] = max(merged_spans[-1][1], high)
        else:
            merged_spans.append([low, high])
    pieces, at = [], 0
    for low, high in merged_spans:
        pieces += [text[at:low], "⟦", text[low:high], "⟧"]
        at = high
    return "".join([*pieces, text[at:]])


def _wrap(text: str, width: int) -> list[str]:
    import textwrap

    return [line for part in text.splitlines() for line in (textwrap.wrap(part, width) or [""])]
