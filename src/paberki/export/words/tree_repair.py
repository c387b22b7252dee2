"""Trees that are trees: one root, heads within the sentence, no cycle, ``root`` at the root and nowhere else.

Parsers give such trees; masking merges tokens, and foreign files hold anything. All sentences are checked at once; the few
that break a rule are mended one by one: the first root stays, and what cannot be reached from it depends on it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from paberki.export.words.string_columns import CodedColumn
from paberki.export.words.token_table import NOTHING, TokenTable

Ints = npt.NDArray[np.int64]


def valid_trees(table: TokenTable, heads: CodedColumn, relations: CodedColumn) -> tuple[CodedColumn, CodedColumn]:
    """Heads and relations that are valid; sentences without any head stay without."""
    numbers = np.array(
        [int(word) if word.isdigit() and len(word) < 9 else -1 for word in heads.distinct_strings()], np.int64
    )
    values = numbers[heads.codes]
    if not len(values) or (values < 0).all():
        return heads, relations
    is_root_label = relations.equal("root")
    broken_sentences = _broken_sentences(table, values, is_root_label)
    if not len(broken_sentences):
        return heads, relations
    words, codes = list(relations.distinct_strings()), relations.codes.copy()
    values = values.copy()
    for sentence in broken_sentences.tolist():
        span = slice(int(table.edges[sentence]), int(table.edges[sentence + 1]))
        own = values[span]
        if (own < 0).all():
            continue
        own, labels = _mend(own, [words[code] for code in codes[span]])
        values[span] = own
        codes[span] = [_code(label, words) for label in labels]
    return _coded_numbers(values), CodedColumn(codes, words)


def _broken_sentences(table: TokenTable, heads: Ints, is_root_label: npt.NDArray[np.bool_]) -> Ints:
    """Sentences that break a rule."""
    sentence = np.repeat(np.arange(table.sentences), table.sentence_length)
    lengths, firsts = table.sentence_length[sentence], table.edges[:-1][sentence]
    own = np.arange(len(heads))
    wrong = (heads < 0) | (heads > lengths) | ((heads == 0) != is_root_label)
    up = np.where((heads > 0) & (heads <= lengths), firsts + heads - 1, own)
    for _ in range(int(lengths.max()).bit_length()):
        up = up[up]
    wrong |= heads[up] != 0
    roots = np.bincount(sentence, heads == 0, table.sentences)
    wrong_sentences = np.bincount(sentence, wrong, table.sentences) > 0
    return np.flatnonzero(wrong_sentences | (roots != 1))


def _mend(heads: Ints, labels: list[str]) -> tuple[Ints, list[str]]:
    count = len(heads)
    root = next((at for at, head in enumerate(heads.tolist()) if head == 0), 0)
    new = heads.copy()
    new[root] = 0
    for at in range(count):
        if at != root and not 1 <= new[at] <= count:
            new[at] = root + 1
    for at in range(count):
        _cut_cycle(new, at, root)
    relations = ["root" if at == root else _inner(label) for at, label in enumerate(labels)]
    return new, relations


def _cut_cycle(heads: Ints, at: int, root: int) -> None:
    """Let the token where a walk to the root meets itself depend on the root."""
    seen_tokens = set()
    while at != root:
        if at in seen_tokens:
            heads[at] = root + 1
            return
        seen_tokens.add(at)
        at = int(heads[at]) - 1


def _inner(label: str) -> str:
    return "dep" if label in ("root", NOTHING) else label


def _code(label: str, words: list[str]) -> int:
    if label not in words:
        words.append(label)
    return words.index(label)


def _coded_numbers(values: Ints) -> CodedColumn:
    words = [*(str(number) for number in range(int(values.max()) + 1)), NOTHING]
    return CodedColumn(np.where(values < 0, len(words) - 1, values).astype(np.int32), words)
