"""``3graph``, ``12graph`` and ``diacr_perc`` as stages (P3 §6)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.kernels.preparation import prepared
from paberki.languages import Language
from paberki.model import Model
from paberki.quality.ngrams import ngram_models
from paberki.quality.ngrams.ngram_models import CharacterModel
from paberki.stage import Columns, fit_stage, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import kept_texts
from paberki.store.columns import builtin

NEEDS: Final = ("extract.blocks.text", "extract.blocks.kept")


@dataclass(frozen=True, slots=True, kw_only=True)
class NgramsConfig:
    """Which pages the character models are learnt from."""

    lang: tuple[Language, ...] = ()
    """Languages of the corpus; pages in others are not learnt from. All pages when there are none."""


@fit_stage("quality.ngrams.v1", layer="quality.ngrams", needs=(*NEEDS, "identify.lang"), config=NgramsConfig)
class LearnNgrams:
    """Counts of character pairs, triples and 12-grams in the whole corpus, hashed (P3 §6).

    Deviation: counts share places in tables of fixed size, so that a model has at most 13 MB however large the corpus.
    """

    @staticmethod
    def observe(batch: Batch, config: NgramsConfig, seen: pa.Table | None = None) -> pa.Table:
        """The n-grams of the pages in the corpus's languages."""
        texts = kept_texts(batch.arrow(NEEDS[0]), batch.arrow(NEEDS[1])).joined()
        if config.lang:
            texts = texts.filter(pc.is_in(batch.arrow("identify.lang"), value_set=pa.array(config.lang, pa.string())))
        return ngram_models.count(texts)

    @staticmethod
    def merge(tables: list[pa.Table], config: NgramsConfig) -> pa.Table:
        """Counts added up."""
        return ngram_models.merge(tables)

    @staticmethod
    def finish(table: pa.Table, config: NgramsConfig) -> pa.Table:
        """Logarithms of the counts."""
        return ngram_models.finish(table)


@map_stage("quality.graphs.v1", layer="graphs", needs=NEEDS, adds=builtin("graphs"), models=("quality.ngrams",))
def graphs(batch: Batch, config: Any, model: Model) -> Columns:
    """Mean log-probability of 100 characters under the corpus's own character models, and the share of diacritics (P3 §6).

    ``ngram3`` (3graph) is low for odd text. ``ngram12`` (12graph) measures redundancy rather than quality: high where
    the corpus repeats itself, low in rare genres. Null for pages with less than twelve characters of kept text.
    """
    texts = kept_texts(batch.arrow(NEEDS[0]), batch.arrow(NEEDS[1])).joined()
    character_model = _character_model(model)
    scores = character_model.score(texts)
    empty = np.array(pc.equal(pc.binary_length(texts), 0).fill_null(True))
    columns = {"ngram3": scores.ngram3, "ngram12": scores.ngram12, "perplexity": scores.perplexity}
    return {
        **{name: pa.array(np.nan_to_num(one), pa.float32(), mask=np.isnan(one)) for name, one in columns.items()},
        "diacr_perc": pa.array(scores.diacr_perc, pa.float32(), mask=empty),
    }


@lru_cache(maxsize=4)
@prepared
def _character_model(model: Model) -> CharacterModel:
    return CharacterModel(model.table)
