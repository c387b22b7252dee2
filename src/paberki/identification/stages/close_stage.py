"""Close languages decided with all that is known: the text, what the page declares, its top-level domain, its site.

A few paragraphs do not tell Croatian from Serbian for sure. Evidence is added up in nats: the text's own probabilities,
a declared language and a top-level domain that stands for one language, and what the other pages of the domain say
together, up to a limit. Where the languages of the corpus are then neither likely nor unlikely, the page is
undecided, and select drops it as ``uncertain-language``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.languages import Language
from paberki.stage import Columns, join_stage
from paberki.store.batch import Batch
from paberki.store.columns import builtin
from paberki.store.group_hashes import hashes

NEEDS: Final = (
    "archive.host", "archive.domain", "extract.declared_language", "identify.lang", "identify.lang_p",
)  # fmt: skip
PROBS: Final = "identify.lang_probs"
GROUPS: Final = (("bs", "hr", "sr"), ("cs", "sk"), ("da", "nb", "nn"), ("bg", "mk"))
"""Groups of languages that are easily confused."""
HOMES: Final = {
    "ba": "bs", "hr": "hr", "rs": "sr", "срб": "sr", "cz": "cs", "sk": "sk", "dk": "da", "bg": "bg", "mk": "mk",
}  # fmt: skip
"""Top-level domains that stand for one of them."""
UNDECIDED: Final = "und"
_MILLI: Final = 1000
"""Evidence is in whole thousandths of a nat, so that sums do not depend on their order."""
_DECLARED: Final = 1500
_HOME: Final = 1500
_SITE: Final = 3000
"""The most that other pages of the domain may say."""
_LEAST: Final = -7000


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseConfig:
    """When close languages count as told apart."""

    sure: float = 0.8
    """Probability from which on a page is in the languages of the corpus, or in others."""
    lang: tuple[Language, ...] = ()
    """Languages of the corpus."""


def _needs(config: CloseConfig, columns: Mapping[str, str]) -> Sequence[str]:
    """Not every method gives probabilities of all languages; then that of the likeliest one must do."""
    return (*NEEDS, PROBS) if PROBS in columns.values() else NEEDS


@join_stage(
    "identify.close.v1", layer="close", needs=_needs, adds=builtin("close"), config=CloseConfig
)  # fmt: skip
class CloseLanguages:
    """The language of a page among close ones, by text, declaration, top-level domain and site (after P3 §5, which decides by text).

    Pages in languages without close relatives keep the language that their text says.
    """

    @staticmethod
    def emit(batch: Batch, config: CloseConfig) -> pa.Table:
        """Pages in close languages under their domain, with the evidence for each language of their group."""
        rows: list[dict[str, Any]] = []
        probabilities = batch[PROBS] if PROBS in batch.names() else [None] * len(batch)
        values = zip(batch.pages.tolist(), *(batch[name] for name in NEEDS), probabilities, strict=True)
        for page, host, domain, declared, lang, likeliest, probs in values:
            group = next((number for number, some in enumerate(GROUPS) if lang in some), None)
            if group is not None and domain:
                text = _of_text(GROUPS[group], probs or _shared_out(lang, likeliest or 0.0, GROUPS[group]))
                lean = _leanings(GROUPS[group], declared, host or "")
                rows.append({"page": page, "site": f"{domain} {group}", "family": group, "text": text, "said": lean})
        schema = [("page", pa.int64()), ("site", pa.string()), ("family", pa.int32())]
        table = pa.Table.from_pylist(
            rows, pa.schema([*schema, ("text", pa.list_(pa.int64())), ("said", pa.list_(pa.int64()))])
        )
        return table.append_column("group", hashes(table.column("site").combine_chunks()))

    @staticmethod
    def resolve(rows: pa.Table, config: CloseConfig) -> pa.Table:
        """The likeliest language of each page, given all others of its domain."""
        columns = {name: rows.column(name).to_pylist() for name in ("page", "site", "family", "text", "said")}
        sums: dict[str, Any] = {}
        for site, text in zip(columns["site"], columns["text"], strict=True):
            sums[site] = sums.get(site, 0) + np.array(text, np.int64)
        langs, shares = [], []
        for site, family, text, lean in zip(*(columns[name] for name in list(columns)[1:]), strict=True):
            others = sums[site] - np.array(text, np.int64)
            total = np.array(text) + np.array(lean) + np.maximum(others - others.max(), -_SITE)
            lang, share = _decide(GROUPS[family], total, config)
            langs.append(lang)
            shares.append(share)
        decisions = [
            pa.array(columns["page"], pa.int64()),
            pa.array(langs, pa.string()),
            pa.array(shares, pa.float32()),
        ]
        return pa.table(decisions, names=["page", "close_lang", "close_p"])

    @staticmethod
    def apply(batch: Batch, decisions: pa.Table, config: CloseConfig) -> Columns:
        """The decisions; other pages keep their language."""
        lang = pc.coalesce(decisions.column("close_lang").combine_chunks(), batch.arrow("identify.lang"))
        return {"close_lang": lang, "close_p": decisions.column("close_p")}


def _shared_out(lang: str, share: float, group: Sequence[str]) -> list[dict[str, Any]]:
    """Probabilities when only that of the likeliest is known: the others share the rest equally."""
    rest = max(1.0 - share, 0.0) / (len(group) - 1)
    return [{"lang": name, "share": share if name == lang else rest} for name in group]


def _of_text(group: Sequence[str], probs: Sequence[Mapping[str, Any]]) -> list[int]:
    """What the text says for each language: logarithms of its probabilities, 0 for the likeliest."""
    shares = {one["lang"]: float(one["share"]) for one in probs}
    logs = [round(_MILLI * math.log(max(shares.get(name, 0.0), 1e-9))) for name in group]
    return [max(log - max(logs), _LEAST) for log in logs]


def _leanings(group: Sequence[str], declared: str | None, host: str) -> list[int]:
    """What the page declares, and what its top-level domain stands for."""
    code = (declared or "").strip().lower().replace("_", "-").partition("-")[0]
    home = HOMES.get(host.rpartition(".")[2], "")
    return [_DECLARED * (name == code) + _HOME * (name == home) for name in group]


def _decide(group: Sequence[str], evidence: Any, config: CloseConfig) -> tuple[str, float]:
    """The likeliest language with its probability; undecided if the page may or may not be in a language of the corpus."""
    shares = np.exp((evidence - evidence.max()) / _MILLI)
    shares /= shares.sum()
    best = int(shares.argmax())
    inside = sum(float(share) for name, share in zip(group, shares, strict=True) if name in config.lang)
    likely = inside if config.lang else float(shares[best])
    open_question = (1.0 - config.sure if config.lang else 0.0) < likely < config.sure
    return UNDECIDED if open_question else group[best], round(float(shares[best]), 4)
