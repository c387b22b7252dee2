"""Where spaces are missing in sentences of a treebank that does not tell."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from paberki.annotation.files.conllu_reading import NO_SPACE, Tree

NO_SPACE_BEFORE, NO_SPACE_AFTER = frozenset(".,;:!?)]%…“”"), frozenset("([„")


def guessed(tree: Tree) -> Tree:
    """The sentence with spaces left out where people leave them out, if it tells of none that are."""
    if any(NO_SPACE in word.misc for word in tree.words) or all(word.form == "_" for word in tree.words):
        return tree
    words, quoted = [replace(word) for word in tree.words], False
    for word, after in pairwise(words):
        quoted ^= word.form == '"'
        opened, closing = word.form == '"' and quoted, after.form == '"' and quoted
        if opened or closing or word.form in NO_SPACE_AFTER or after.form in NO_SPACE_BEFORE:
            word.misc = NO_SPACE
    return Tree(words, extras=tree.extras)
