"""Which pages of a corpus are annotated, by whom, and why others are not."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from paberki.annotation.annotate_config import AnnotateConfig
from paberki.engine.plan import Plan
from paberki.errors import ConfigError
from paberki.store.reading import Table

ANNOTATED = "annotated"


def config_of(plan: Plan) -> AnnotateConfig | None:
    """Settings of the stage that annotates, if the recipe has one."""
    return next((step.config for step in plan.steps if isinstance(step.config, AnnotateConfig)), None)


def check_annotated(table: Table, plan: Plan, form: str, root: Path) -> None:
    """An error if the format needs annotation and the corpus has none."""
    if ANNOTATED in table.columns:
        return
    build = f"run: paberki build {root}"
    if config_of(plan) is None:
        build = f'put "annotate.v1" at the end of the stages in {root / "corpus.toml"}, then {build}'
    raise ConfigError(f"{form} holds annotation, and this corpus has none; {build}")


@dataclass(slots=True)
class AnnotationCoverage:
    """Counts the pages that a format leaves out because they have no annotation."""

    form: str
    config: AnnotateConfig | None
    written: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    """Pages by the reason."""
    blocks: int = 0
    """Kept blocks without annotation on pages that have one."""

    def split(self, chunk: pa.Table) -> pa.Table:
        """The pages of a chunk that are annotated."""
        there = chunk.column(ANNOTATED).is_valid()
        names = [name for name in ("lang", "selected_char_count") if name in chunk.column_names]
        for page in chunk.filter(pc.invert(there)).select(names).to_pylist():
            self.left_out[self._reason(page)] += 1
        annotated = chunk.filter(there)
        self.written += annotated.num_rows
        pages = zip(annotated.column("block_keep").to_pylist(), annotated.column("sent_block").to_pylist(), strict=True)
        for keep, sentences in pages:
            self.blocks += len({number for number, stays in enumerate(keep or ()) if stays} - set(sentences))
        return annotated

    def _reason(self, page: dict[str, Any]) -> str:
        lang = page.get("lang")
        languages = self.config.known_languages() if self.config else None
        if not lang:
            return "their language is not known"
        if languages is not None and lang not in languages:
            return f"no model for {lang}, or it is not among the languages of the corpus"
        if self.config and (page.get("selected_char_count") or 0) < self.config.min_chars:
            return f"shorter than [annotate] min_chars = {self.config.min_chars}"
        return "annotation failed (see: paberki status)"

    def check(self) -> None:
        """A file without any page is an error."""
        if self.left_out and not self.written:
            raise ConfigError(f"{self.form}: none of the pages is annotated: {self}")

    def __str__(self) -> str:
        parts = [f"{_count(count, 'page')}: {reason}" for reason, count in self.left_out.most_common()]
        if self.blocks:
            parts.append(
                f"{_count(self.blocks, 'block')} of other pages: beyond [annotate] max_chars, or kept by a rule against the "
                "extractor"
            )
        return "; ".join(parts)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' if number != 1 else ''}"
