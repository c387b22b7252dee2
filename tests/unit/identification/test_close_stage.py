"""Close languages: text, declaration, top-level domain and site together; doubt is told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from paberki.engine.passes.apply_tasks import one_per_page
from paberki.identification.stages.close_stage import CloseConfig, CloseLanguages
from paberki.languages import Language
from paberki.store.batch import Batch
from paberki.store.columns import SHARE

CROATIAN = CloseConfig(lang=(Language("hr"),))


def decided(*pages: tuple[str, str | None, dict[str, float]], config: CloseConfig = CROATIAN) -> list[str | None]:
    """Host, declared language and probabilities of each page."""
    best = [max(probs, key=lambda name: probs[name]) if probs else None for _, _, probs in pages]
    shares = [[{"lang": name, "share": share} for name, share in probs.items()] for _, _, probs in pages]
    columns = {
        "archive.host": pa.array([host for host, _, _ in pages], pa.string()),
        "archive.domain": pa.array([".".join(host.split(".")[-2:]) for host, _, _ in pages], pa.string()),
        "extract.declared_language": pa.array([said for _, said, _ in pages], pa.string()),
        "identify.lang": pa.array(best, pa.string()),
        "identify.lang_p": pa.array([max(probs.values(), default=None) for _, _, probs in pages], pa.float32()),
        "identify.lang_probs": pa.array(shares, pa.list_(SHARE)),
    }
    numbers = np.arange(len(pages), dtype=np.int64)
    batch = Batch(numbers, columns)
    rows = CloseLanguages.resolve(CloseLanguages.emit(batch, config), config).sort_by("page")
    found: Any = CloseLanguages.apply(batch, one_per_page(rows, numbers), config)["close_lang"]
    return list(found.to_pylist())


OPEN = {"hr": 0.56, "sr": 0.44}


def test_declaration_and_domain_decide_what_the_text_leaves_open() -> None:
    assert decided(("vesti.rs", "sr", OPEN)) == ["sr"]
    assert decided(("vijesti.hr", "hr_HR", OPEN)) == ["hr"]


def test_in_doubt_nobody_can_tell() -> None:
    assert decided(("blog.com", None, OPEN)) == ["und"]
    assert decided(("blog.com", None, {"hr": 0.97, "sr": 0.03})) == ["hr"]
    both = CloseConfig(lang=(Language("hr"), Language("sr")))
    assert decided(("blog.com", None, OPEN), config=both) == ["hr"]


def test_the_other_pages_of_a_site_are_heard() -> None:
    serbian = [("vesti.com", None, {"sr": 0.99, "hr": 0.01}) for _ in range(3)]
    assert decided(("vesti.com", None, OPEN), *serbian) == ["sr"] * 4


def test_a_clear_text_is_believed_and_other_languages_stay() -> None:
    assert decided(("vesti.rs", "sr", {"hr": 0.9995, "sr": 0.0005})) == ["hr"]
    assert decided(("a.de", "de", {"de": 0.6, "nl": 0.4}), ("b.hr", None, {})) == ["de", None]
