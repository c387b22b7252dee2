"""Scores of quality: diacritics (P3 Fig. 1), 3graph against a dictionary (P3 §6), restoration on stripped text and
unknown words (P2)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from paberki.model import load_model, pins
from paberki.report.page_counts import Counter
from paberki.report.section import Section
from paberki.store.directory import Directory
from paberki.store.reading import TEXT, read_chunks
from paberki.store.sql.quoting import quote

SAMPLE: Final = 400
"""Pages of a language whose words are looked up."""
LEAST: Final = 20
_CHARS: Final = 5_000
_WORD: Final = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class DictionaryCoverage:
    """Correlation of 3graph with the share of words in a dictionary."""

    lang: str
    pages: int
    known: float
    """Mean share of words in the dictionary."""
    r: float
    """Pearson's correlation with ngram3."""


@dataclass(frozen=True, slots=True)
class Restoration:
    """Words of held-out pages that are right without diacritics, and when they are restored."""

    lang: str
    bare: float
    restored: float


@dataclass(frozen=True, slots=True)
class UnknownWords:
    """Tokens of annotated pages that no lexicon knows (P2 Fig. 3)."""

    lang: str
    pages: int
    tokens: int
    share: float
    quarter: float
    """A quarter of the pages have at most this share of them."""
    three_quarters: float


@dataclass(frozen=True, slots=True)
class QualityFacts:
    """What the report says about quality."""

    diacritics: tuple[tuple[int, int], ...] = ()
    """Kept pages by their ``diacr_perc``, in steps of one."""
    coverage: tuple[DictionaryCoverage, ...] = ()
    restoration: tuple[Restoration, ...] = ()
    unknown: tuple[UnknownWords, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.diacritics or self.coverage or self.restoration or self.unknown)


def quality_in(counter: Counter, directory: Directory, langs: Sequence[str]) -> QualityFacts:
    """What the stages of this corpus give."""
    graphs = counter.has("diacr_perc", "ngram3")
    return QualityFacts(
        _diacritics(counter) if graphs else (),
        tuple(_coverage(counter, langs)) if graphs else (),
        tuple(_restoration(directory)),
        tuple(_unknown_words(counter)) if counter.has("oov_count", "annotated") else (),
    )


def _unknown_words(counter: Counter) -> list[UnknownWords]:
    rows = counter.rows(
        "SELECT annotated, count(*), sum(token_count), sum(oov_count) / sum(token_count), "
        "quantile_cont(oov_count / token_count, 0.25), quantile_cont(oov_count / token_count, 0.75) "
        "FROM pages WHERE keep AND annotated IS NOT NULL AND token_count > 0 GROUP BY annotated ORDER BY 2 DESC, 1"
    )
    return [
        UnknownWords(str(lang), int(pages), int(tokens), *map(float, shares)) for lang, pages, tokens, *shares in rows
    ]


def _diacritics(counter: Counter) -> tuple[tuple[int, int], ...]:
    rows = counter.rows(
        "SELECT floor(diacr_perc)::INTEGER AS bin, count(*) FROM pages WHERE keep AND diacr_perc IS NOT NULL GROUP BY bin"
    )
    pages_by_bin = {int(at): int(pages) for at, pages in rows}
    return tuple((at, pages_by_bin.get(at, 0)) for at in range(min(30, max(pages_by_bin)) + 1)) if pages_by_bin else ()


def _coverage(counter: Counter, langs: Sequence[str]) -> list[DictionaryCoverage]:
    """Correlation for every language for which simplemma is installed and has a lexicon."""
    try:
        import simplemma
    except ImportError:
        return []
    coverage = []
    for lang in langs:
        try:
            simplemma.is_known("a", lang=lang)
        except ValueError:
            continue
        pairs = [(score, _share_in_lexicon(text, lang, simplemma)) for text, score in _sample(counter, lang)]
        scores, shares = np.array(pairs, float).reshape(-1, 2).T
        if len(scores) >= LEAST and scores.std() > 0 and shares.std() > 0:
            r = float(np.corrcoef(scores, shares)[0, 1])
            coverage.append(DictionaryCoverage(lang, len(scores), float(shares.mean()), r))
    return coverage


def _sample(counter: Counter, lang: str) -> list[tuple[str, float]]:
    """Texts and scores of a random sample: the pages with the smallest keys, which are hashes."""
    [(pages,)] = counter.rows("SELECT count(*) FROM pages WHERE lang = ? AND ngram3 IS NOT NULL", [lang])
    limit = f"{min(0xFFFF, 0xFFFF * SAMPLE // max(1, int(pages))):04x}"
    sample: list[tuple[str, float]] = []
    where = f"lang = {quote(lang)} and ngram3 is not null"
    for chunk in read_chunks(counter.table, ["key", "ngram3", TEXT], where=where, kept=False):
        for key, score, text in zip(*(chunk.column(name).to_pylist() for name in ("key", "ngram3", TEXT)), strict=True):
            if key[:4] <= limit and text:
                sample.append((text, score))
        if len(sample) >= 2 * SAMPLE:
            break
    return sample


def _share_in_lexicon(text: str, lang: str, simplemma: Any) -> float:
    words = _WORD.findall(text[:_CHARS])
    in_lexicon = sum(bool(simplemma.is_known(word, lang=lang)) for word in words)
    return in_lexicon / max(1, len(words))


def _restoration(directory: Directory) -> list[Restoration]:
    pin = pins(directory.models).get("quality.diacritics")
    if pin is None or not (directory.models / pin.file).exists():
        return []
    metadata = load_model(directory.models / pin.file).table.schema.metadata or {}
    facts = {lang.decode(): json.loads(value) for lang, value in metadata.items() if lang != b"ARROW:schema"}
    return [Restoration(lang, one["bare"], one["restored"]) for lang, one in sorted(facts.items())]


def quality_section(facts: QualityFacts) -> Section:
    """Dictionary, restoration, unknown words."""
    rows = [asdict(one) for one in facts.coverage]
    caption = (
        "3graph (ngram3) against the share of words in simplemma's lexicon, page by page (P3 §6: r = .74 for Croatian); words "
        "of held-out pages that are right when diacritics are stripped, and when they are restored; unknown words by language."
    )
    tables = {
        "Restoration": [asdict(one) for one in facts.restoration],
        "Unknown": [asdict(one) for one in facts.unknown],
    }
    values = asdict(facts)
    if not facts:
        missing = (
            'No stage scores pages; put add = ["quality.ngrams.v1", "quality.graphs.v1"] into the recipe and build.'
        )
        return Section("quality", "Quality", values=values, missing=missing)
    return Section("quality", "Quality", caption, values, rows, tables=tables)
