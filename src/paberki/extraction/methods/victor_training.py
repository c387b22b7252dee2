"""Train Victor's conditional random field from coded pages (P2 §3)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from paberki.extraction.evaluation.coded_pages import CodedPage
from paberki.extraction.methods.victor import HEADER, OTHER, TEXT, VictorConfig, crfsuite, features


def train(pages: Iterable[CodedPage], out: Path, config: VictorConfig | None = None, *, iterations: int = 100) -> int:
    """Write a model; the result is the number of pages it learnt from."""
    trainer = crfsuite().Trainer(verbose=False)
    trainer.select("lbfgs")
    trainer.set_params({"c1": 1.0, "c2": 0.05, "max_iterations": iterations, "feature.minfreq": 10})
    count = 0
    for page in pages:
        if page.blocks:
            trainer.append(
                features(page.blocks, config or VictorConfig()), [label_of(block.label) for block in page.blocks]
            )
            count += 1
    if not count:
        raise ValueError("no blocks to learn from")
    trainer.train(str(out))
    return count


def label_of(coded: str) -> str:
    """P2's label of what a coder said."""
    return coded if coded in (HEADER, TEXT) else OTHER
