"""Close languages told apart by the crawl itself: ``siblings.words.v1`` learns LM1, ``identify.siblings.v1`` uses it,
``siblings.sites.v1`` decides by site, where sentences and pages cannot (after P3 §5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paberki.identification.answer import Identification, answer
from paberki.identification.methods.general import MODEL, General, load_general
from paberki.identification.methods.lm1 import BITS, LM1, words_in
from paberki.identification.stages.language_columns import BlockLanguages, langdistr, page_columns
from paberki.identification.written_letters import SOURCE, letters_written
from paberki.languages import Language
from paberki.lexicon import buffers
from paberki.model import Model
from paberki.stage import Columns, fit_stage, join_stage, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import KeptTexts, kept_texts
from paberki.store.columns import builtin
from paberki.store.group_hashes import hashes

NEEDS = ("extract.blocks.text", "extract.blocks.kept")
COUNTS = pa.schema([("word", pa.int32()), ("lang", pa.string()), ("count", pa.int64())])
_FEATURES: Final = 2000
_HEAT: Final = 0.3
"""What differences of log-probabilities are multiplied with to be probabilities: words of a text are not independent."""
_MOST_PER_PAGE: Final = 30.0
"""Nats that one page may add to what is known about its site."""


SERBO_CROATIAN: Final = (Language("bs"), Language("hr"), Language("sr"))


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsConfig:
    """What the models of close languages are learnt from."""

    languages: tuple[Language, ...] = SERBO_CROATIAN
    """Languages to tell apart: two or more."""
    tlds: tuple[str, ...] = ("ba", "hr", "rs")
    """Top-level domain whose pages stand for each of them, in the same order."""
    min_chars: int = 200
    """Pages with less kept text are not learnt from."""

    def __post_init__(self) -> None:
        if len(self.languages) != len(self.tlds) or len(set(self.languages)) < 2:
            raise ValueError("languages and tlds must be equally many, at least two")


@fit_stage(
    "siblings.words.v1", layer="siblings.words", needs=(*NEEDS, "archive.host", "extract.kept_char_count"),
    config=WordsConfig,
)  # fmt: skip
class SiblingWords:
    """Counts of words by top-level domain: LM1 of the noisy crawl (P3 §5), of pages in any of the close languages.

    Deviation: words are hashed to a million rows, so that a model of any crawl has the same size.
    """

    @staticmethod
    def observe(batch: Batch, config: WordsConfig, seen: pa.Table | None = None) -> pa.Table:
        """Words of the pages of this batch."""
        owners = [_owner(host, config) for host in batch["archive.host"]]
        long = pc.greater_equal(batch.arrow("extract.kept_char_count"), config.min_chars).fill_null(False).to_pylist()
        rows = [row for row, owner in enumerate(owners) if owner is not None and long[row]]
        kept_blocks = kept_texts(*(batch.arrow(name).take(pa.array(rows, pa.int64())) for name in NEEDS))
        close = _in_group(kept_blocks, load_general())
        words, edges = words_in(*buffers(kept_blocks.texts))
        names = np.array([owners[row] or "" for row in rows], object)
        per_block = names[kept_blocks.pages] if len(kept_blocks.pages) else names[:0]
        stays = np.repeat(close[kept_blocks.pages] if len(kept_blocks.pages) else close[:0], np.diff(edges))
        lang = np.repeat(per_block, np.diff(edges))[stays]
        table = pa.table({"word": pa.array(words[stays], pa.int32()), "lang": pa.array(lang.tolist(), pa.string())})
        return _sum_counts(table.append_column("count", pa.array(np.ones(len(table), np.int64))))

    @staticmethod
    def merge(tables: list[pa.Table], config: WordsConfig) -> pa.Table:
        """Counts added up."""
        return _sum_counts(pa.concat_tables(tables))

    @staticmethod
    def finish(table: pa.Table, config: WordsConfig) -> pa.Table:
        """The counts are the model."""
        return table


def _sum_counts(table: pa.Table) -> pa.Table:
    sums = table.group_by(["word", "lang"], use_threads=False).aggregate([("count", "sum")])
    columns = [sums.column("word"), sums.column("lang"), sums.column("count_sum")]
    word_counts = pa.table(columns, schema=COUNTS).sort_by([("word", "ascending"), ("lang", "ascending")])
    return word_counts.combine_chunks()


def _owner(host: str | None, config: WordsConfig) -> str | None:
    tld = (host or "").rpartition(".")[2]
    return config.languages[config.tlds.index(tld)] if tld in config.tlds else None


def _in_group(kept_blocks: KeptTexts, model: General) -> npt.NDArray[np.bool_]:
    """Which pages are in one of the close languages, whichever."""
    whole = model.identify_arrow(kept_blocks.texts, np.full(len(kept_blocks.texts), _FEATURES, np.int32)).of_groups(
        kept_blocks.edges
    )
    shares, _ = model.posteriors(whole, None)
    in_group: npt.NDArray[np.bool_] = shares[:, model.near_columns].sum(axis=1) > 0.5
    return in_group


@lru_cache(maxsize=4)
def lm1_of(model: Model) -> LM1:
    """The counts as a model that scores."""
    table = model.table
    languages = tuple(sorted(set(table.column("lang").to_pylist())))
    counts = np.zeros((1 << BITS, len(languages)), np.int64)
    owners = pc.index_in(table.column("lang"), value_set=pa.array(languages, pa.string())).to_numpy()
    counts[table.column("word").to_numpy(), owners] = table.column("count").to_numpy()
    return LM1(languages, counts)


@dataclass(frozen=True, slots=True, kw_only=True)
class SiblingsConfig:
    """How close languages are told apart."""

    classifier: Literal["lm1", "bl"] = "lm1"
    """``lm1``: unigram models; ``bl``: blacklists of words, the baseline of P3."""
    min_block_chars: int = 80
    """Kept blocks with fewer characters get no language of their own."""


@map_stage(
    "identify.siblings.v1",
    layer="identify",
    reads=(MODEL,),
    needs=(*NEEDS, SOURCE),
    adds=builtin("identify"),
    config=SiblingsConfig,
    models=("siblings.words",),
    behaviour="letters as written",
)
def identify_siblings(batch: Batch, config: SiblingsConfig, words: Model) -> Columns:
    """``general`` for all languages, and LM1 of this crawl for the close ones (P3 §5: ``lang``, ``langdistr``).

    Where the crawl has taught fewer than two of them, ``general`` decides between these too.
    """
    texts = batch.arrow(NEEDS[0])
    kept_blocks = kept_texts(texts, batch.arrow(NEEDS[1]))
    model, lm1 = load_general(), lm1_of(words)
    evidence = model.identify_arrow(
        kept_blocks.texts, np.full(len(kept_blocks.texts), _FEATURES, np.int32), kept_blocks.pages
    )
    whole = evidence.of_groups(kept_blocks.edges)
    pages = model.answers(*model.posteriors(whole, None))
    long = np.flatnonzero(kept_blocks.char_counts() >= config.min_block_chars)
    blocks = model.answers(*model.posteriors(evidence.take(long), None))
    logs: npt.NDArray[Any] | None = None
    if len(lm1.languages) > 1:
        hashed, edges = words_in(*buffers(kept_blocks.texts))
        logs = lm1.score(hashed, edges[kept_blocks.edges], blacklist=config.classifier == "bl")
        close = {model.languages[place] for place in model.near_columns.tolist()}
        pages = [_told_apart(page, row, lm1.languages, close) for page, row in zip(pages, logs, strict=True)]
        own = [pages[page] for page in kept_blocks.pages[long].tolist()]
        blocks = [_as_page(block, page, close) for block, page in zip(blocks, own, strict=True)]
    langs = BlockLanguages(long, [one.lang for one in blocks], [one.probs.get(one.lang or "") for one in blocks])
    sources = kept_texts(batch.arrow(SOURCE), batch.arrow(NEEDS[1])).texts
    columns = dict(
        page_columns(texts, kept_blocks, letters_written(model, evidence, kept_blocks, sources), pages, langs)
    )
    if logs is not None:
        columns["langdistr"] = _distributions(columns["langdistr"], pages, logs, lm1.languages)
    return columns


def _told_apart(
    page: Identification, logs: npt.NDArray[Any], languages: Sequence[str], close: set[str]
) -> Identification:
    if page.lang not in close:
        return page
    whole = sum(share for name, share in page.probs.items() if name in close)
    shares = np.exp((logs - logs.max()) * _HEAT)
    split = [(name, whole * float(share)) for name, share in zip(languages, shares / shares.sum(), strict=True)]
    return answer([*split, *((name, share) for name, share in page.probs.items() if name not in close)], page.script)


def _as_page(block: Identification, page: Identification, close: set[str]) -> Identification:
    """A block in one of the close languages is in that of its page."""
    if block.lang in close and page.lang in close:
        return Identification(page.lang, {page.lang or "": page.probs[page.lang or ""]}, block.script)
    return block


def _distributions(
    before: Any, pages: Sequence[Identification], logs: npt.NDArray[Any], languages: Sequence[str]
) -> list[str | None]:
    return [
        langdistr(zip(languages, row.tolist(), strict=True)) if old is not None and page.lang in languages else old
        for old, page, row in zip(before, pages, logs, strict=True)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class SitesConfig:
    """How the language of a site is decided."""

    languages: tuple[Language, ...] = SERBO_CROATIAN
    """Languages that are decided by site."""
    min_pages: int = 1
    """Sites with fewer pages in these languages keep what their pages say."""


@join_stage(
    "siblings.sites.v1",
    layer="sites",
    needs=("archive.domain", "identify.lang", "identify.lang_probs"),
    adds=builtin("sites"),
    config=SitesConfig,
)
class Sites:
    """The close language of a site: that under which all its pages together are likeliest (P3 §5 for pages; here by domain).

    A page that is in none of these languages stays what it is.
    """

    @staticmethod
    def emit(batch: Batch, config: SitesConfig) -> pa.Table:
        """Pages in close languages, by domain, with the logarithm of each language's probability."""
        domain = batch.arrow("archive.domain")
        lang = batch.arrow("identify.lang")
        logs = [_page_logs(probs, config.languages) for probs in batch["identify.lang_probs"]]
        table = pa.table(
            {
                "group": hashes(domain),
                "page": pa.array(batch.pages, pa.int64()),
                "domain": domain,
                "logs": pa.array(logs, pa.list_(pa.int64())),
            }
        )
        inside = pc.is_in(lang, value_set=pa.array(config.languages, pa.string()))
        return table.filter(pc.and_(inside, domain.is_valid()))

    @staticmethod
    def resolve(rows: pa.Table, config: SitesConfig) -> pa.Table:
        """One language for all pages of a site."""
        sums: dict[str, list[int]] = {}
        sizes: dict[str, int] = {}
        domains = rows.column("domain").to_pylist()
        for domain, logs in zip(domains, rows.column("logs").to_pylist(), strict=True):
            sums[domain] = [a + b for a, b in zip(sums.get(domain, [0] * len(logs)), logs, strict=True)]
            sizes[domain] = sizes.get(domain, 0) + 1
        best = {
            domain: config.languages[max(range(len(logs)), key=lambda place: (logs[place], -place))]
            for domain, logs in sums.items()
            if sizes[domain] >= config.min_pages
        }
        return pa.table(
            {
                "page": rows.column("page"),
                "site_lang": pa.array([best.get(domain) for domain in domains], pa.string()),
                "site_pages": pa.array([sizes[domain] for domain in domains], pa.int32()),
            }
        )

    @staticmethod
    def apply(batch: Batch, decisions: pa.Table, config: SitesConfig) -> Columns:
        """The decisions are the columns; a page in another language keeps its own."""
        return {
            "site_lang": pc.coalesce(decisions.column("site_lang"), batch.arrow("identify.lang")),
            "site_pages": decisions.column("site_pages"),
        }


def _page_logs(probs: list[dict[str, Any]] | None, languages: Sequence[str]) -> list[int] | None:
    """Whole thousandths of a nat, so that sums do not depend on their order."""
    if probs is None:
        return None
    shares = {one["lang"]: one["share"] for one in probs}
    return [round(1000 * max(float(np.log(max(shares.get(name, 0.0), 1e-9))), -_MOST_PER_PAGE)) for name in languages]
