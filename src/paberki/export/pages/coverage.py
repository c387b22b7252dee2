"""Which pages of a corpus are annotated, by whom, and why others are not."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki.amounts import several
from paberki.errors import ConfigError
from paberki.export.recipe_facts import RecipeFacts
from paberki.store.reading import LayerTable, ShardFiles

ANNOTATED = "annotated"


def check_annotated(table: LayerTable, facts: RecipeFacts, form: str, root: Path) -> None:
    """An error if the format needs annotation and the corpus has none."""
    if ANNOTATED in table.columns:
        return
    build = f"run: paberki build {root}"
    if not facts.taggers:
        build = f'put "annotate.v1" at the end of the stages in {root / "corpus.toml"}, then {build}'
    raise ConfigError(f"{form} holds annotation, and this corpus has none; {build}")


@dataclass(slots=True)
class AnnotationCoverage:
    """Counts the pages that a format leaves out because they have no annotation."""

    form: str
    facts: RecipeFacts
    written_pages: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    """Pages by the reason."""
    blocks: int = 0
    """Kept blocks without annotation on pages that have one."""

    def count(self, files: ShardFiles, group: int, left_out: npt.NDArray[np.bool_]) -> None:
        """Count pages of a row group that are left out, by their reasons."""
        names = [name for name in ("lang", "selected_char_count") if name in files.table.columns]
        pages = pa.table(files.read(group, names) or {"none": pa.nulls(len(left_out))})
        for page in pages.filter(pa.array(left_out)).to_pylist():
            self.left_out[self._reason(page)] += 1

    def _reason(self, page: dict[str, Any]) -> str:
        lang = page.get("lang")
        languages = self.facts.annotated_languages
        if not lang:
            return "their language is not known"
        if languages is not None and lang not in languages:
            return f"no model for {lang}, or it is not among the languages of the corpus"
        if (page.get("selected_char_count") or 0) < self.facts.min_chars:
            return f"shorter than [annotate] min_chars = {self.facts.min_chars}"
        return "annotation failed (see: paberki status)"

    def check(self) -> None:
        """A file without any page is an error."""
        if self.left_out and not self.written_pages:
            raise ConfigError(f"{self.form}: none of the pages is annotated: {self}")

    def __str__(self) -> str:
        parts = [f"{several(count, 'page')}: {reason}" for reason, count in self.left_out.most_common()]
        if self.blocks:
            parts.append(
                f"{several(self.blocks, 'block')} of other pages: beyond [annotate] max_chars, or kept by a rule against the "
                "extractor"
            )
        return "; ".join(parts)
