"""What the sections of a report are counted from: the layers of a corpus, and its index, which is made where it is missing."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from paberki.engine.plan import Plan
from paberki.errors import PaberkiError
from paberki.query.concordancer import OpenIndex
from paberki.query.index.manifest import FILE
from paberki.query.index.reader import DIRECTORY
from paberki.recipe.corpus_recipe import Recipe
from paberki.report.page_counts import Counter
from paberki.report.words.word_source import WordSource
from paberki.store.directory import Directory


@dataclass
class CorpusView:
    """An open corpus; facts that several sections need are counted once."""

    counter: Counter
    directory: Directory
    plan: Plan
    recipe: Recipe
    memory: dict[str, Any] = field(default_factory=dict)
    references: list[WordSource] = field(default_factory=list)
    """Corpora that parts of speech, sentences and unknown words are shown beside."""

    def once(self, name: str, count: Callable[[], Any]) -> Any:
        """What was counted under a name, or is counted now."""
        if name not in self.memory:
            self.memory[name] = count()
        return self.memory[name]

    @cached_property
    def words(self) -> WordSource | str:
        """The tokens of the kept pages, or why there are none and what to type."""
        try:
            source = corpus_words(self.directory, self.plan, self.recipe)
        except PaberkiError as error:
            return f"The index cannot be read: {error}. Type: paberki index {self.directory.root}"
        return source if source.tokens else "No token is kept."

    @property
    def seed_files(self) -> list[Path]:
        """Files with seeds that the recipe names."""
        names = [str(seed) for seed in self.recipe.crawl.seeds if "://" not in str(seed)]
        return [path for name in names if (path := self.directory.root / name).is_file()]

    @property
    def seeds(self) -> list[str]:
        """Addresses that the recipe gives as seeds, and those that the crawl noted."""
        recipe_seeds = [str(seed) for seed in self.recipe.crawl.seeds if "://" in str(seed)]
        return recipe_seeds or crawl_seeds(self.directory.crawl)


def corpus_words(directory: Directory, plan: Plan, recipe: Recipe) -> WordSource:
    """The kept tokens of a corpus; the index is made first where there is none."""
    if not (directory.root / DIRECTORY / FILE).is_file():
        from paberki.query.sources.corpus_index import index_corpus

        index_corpus(directory, plan, name=recipe.name, lang=recipe.lang[0] if recipe.lang else None)
    index = OpenIndex(directory.root)
    return WordSource(recipe.name or directory.root.name, index._scope(), lang=index.reader.lang)


def crawl_seeds(folder: Path) -> list[str]:
    """Seeds that a crawl keeps in its own folder, one per line; none where it does not."""
    seeds: list[str] = []
    for path in (folder / "seeds.txt", *sorted(folder.glob("*/seeds.txt"))):
        with suppress(OSError):
            seeds += path.read_text("utf-8", "replace").split()
    return seeds
