"""Which blocks are comments of readers, and which of them belong to one post.

Comments stand in elements that are named for them (:mod:`paberki.extraction.learned.attribute_words`); forms for writing
one, headings such as "40 responses" and lines that stand under every post ("Reply", "Rate this comment: 3") do not count.
A short block is a comment where longer ones have the same path. On a page that is nothing but comments they are its text. A
post is what one element with such a name holds.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.extraction.compiled import kernel_layout
from paberki.extraction.compiled.harvest import Harvest
from paberki.extraction.compiled.tag_tables import TAGS
from paberki.extraction.learned.attribute_words import FILED, GROUPS
from paberki.extraction.learned.features import KINDS, NAMES, Floats
from paberki.extraction.methods.block_labels import BlockLabels

Flags = npt.NDArray[np.bool_]

_AT: Final = {name: number for number, name in enumerate(NAMES)}
_NAMED: Final = [_AT["words_comment"], _AT["itemprop_comment"]]
_UNFIT: Final = [_AT["in_label"], _AT["in_nav"]]
_HEADINGS: Final = [KINDS.index(f"h{level}") + 1 for level in range(1, 6)]
_WORDS: Final = 4
_LINKS: Final = 0.4
_SHORT: Final = 12
_OFTEN: Final = 3
"""A block of few words that is there so often, numbers aside, belongs to the page."""
_DIGITS: Final = re.compile(rb"\d+")
_MACHINERY: Final = re.compile(
    r"hidden|captcha|error|loader|respond(?!ent)|preview|moderat|\.note|notice|policy|login|subscri"
)
"""Names of what surrounds comments: forms, messages, rules."""
_COLLAPSED: Final = re.compile("hidden")
"""Long threads show some posts only when asked: what such a post says is text all the same."""
_NUMBERED: Final = re.compile(rb"#(c[-_]?\d{3,}(?![\w.-])|(?:cmt|kom)[-_]?\d{3,}(?![\w-]))")
"""Ids of comments that are named by a letter and their number, ``c115884``."""
_CONTENT_ELEMENTS: Final = "typo3"
"""Makes such ids for pieces of text; most of them have a class as well, and paths of its files are all over the page."""
_MAYBE_NUMBERED: Final = re.compile(rb"#(?:c|cmt|kom)[-_]?\d{3}")
"""Told of all paths of a page at once; most pages have none."""
_CONTENT: Final = re.compile(r"comment[-_]?(?:content|body|text|entry|message)[^>]*(?:>[^>]*)?$")
"""The element that holds what was written, and nothing else."""
_TITLE: Final = re.compile(r"comment[-_]?(?:title|subject)[^>]*$")
"""The heading that a writer gave to a post."""
_COMMENT_WORD: Final = re.compile("|".join(word.strip("-") for word in GROUPS["comment"].split()))
_FILED: Final = re.compile(FILED)
_ITEMS: Final = frozenset(TAGS.index(tag) for tag in ("li", "article", "dd", "td"))
_STEPS: Final = 60


def comment_blocks(harvest: Harvest, blocks: slice, features: Floats, is_text: Flags, html: str) -> tuple[Flags, Flags]:
    """The blocks of a page that are comments, and those that tell who wrote them and when.

    ``is_text``: what the method takes for text; ``html``: the decoded page.
    """
    in_comment_element: Flags = np.asarray((features[:, _NAMED] > 0.5).any(axis=1), np.bool_)
    if not in_comment_element.all():
        in_comment_element |= _numbered(harvest, blocks, html)
    outside = is_text & ~in_comment_element
    prose_outside = outside & (features[:, _AT["in_h1"]] < 0.5) & (features[:, _AT["words"]] >= _WORDS)
    if not in_comment_element.any() or not prose_outside.any():  # a class of the body says nothing about a block
        return np.zeros(len(in_comment_element), np.bool_), np.zeros(len(in_comment_element), np.bool_)
    titles = _titles(harvest, blocks, features, in_comment_element)
    unfit: Flags = np.isin(features[:, _AT["kind"]], _HEADINGS) & ~titles
    unfit |= (features[:, _UNFIT] > 0.5).any(axis=1)
    in_form = features[:, _AT["in_form"]] > 0.5
    if not in_form[outside].any():  # some pages are one large form
        unfit |= in_form
    fit = in_comment_element & ~unfit & (titles | (features[:, _AT["link"]] < _LINKS))
    fit &= ~is_text | (np.cumsum(outside) > 0)
    fit &= ~(
        (features[:, _AT["own_about"]] > 0.5)
        & (features[:, _AT["ends_sentence"]] < 0.5)
        & (features[:, _AT["words"]] <= _SHORT)
    )
    places = np.flatnonzero(fit)
    names = {place: _path(harvest, blocks.start + place) for place in places.tolist()}
    filed = [place for place, name in names.items() if _is_filed(name)]
    in_comment_element[filed] = fit[filed] = False
    fit[[place for place, name in names.items() if _is_machinery(name)]] = False
    comment: Flags = fit & (features[:, _AT["words"]] >= _WORDS)
    refrains = _refrains(harvest, blocks, in_comment_element & (features[:, _AT["words"]] <= _SHORT))
    comment &= ~refrains
    paths = {names[place] for place in np.flatnonzero(comment).tolist()}
    short = [place for place, name in names.items() if fit[place] and (name in paths or _CONTENT.search(name))]
    comment[short] = ~refrains[short]
    comment &= ~_said_before(harvest, blocks, comment & (features[:, _AT["words"]] > _SHORT))
    return comment, _between(comment) & in_comment_element & ~comment & ~refrains & ~unfit


def _numbered(harvest: Harvest, blocks: slice, html: str) -> Flags:
    """Blocks in elements whose ids are numbers of comments, where there are several such elements."""
    numbers, back = np.unique(harvest.blocks[kernel_layout.PATH, blocks], return_inverse=True)
    ends, data = harvest.path_ends, harvest.path_bytes
    maybe = _MAYBE_NUMBERED.search(data[ends[numbers[0]] : ends[numbers[-1] + 1]].data)
    if not maybe or _CONTENT_ELEMENTS in html:
        return np.zeros(len(back), np.bool_)
    ids = [_NUMBERED.search(data[ends[path] : ends[path + 1]].tobytes()) for path in numbers.tolist()]
    several = len({match.group(1) for match in ids if match}) >= _OFTEN
    return np.array([several and match is not None for match in ids], np.bool_)[back]


def _titles(harvest: Harvest, blocks: slice, features: Floats, in_comment_element: Flags) -> Flags:
    """Headings of posts, links or not: the same path, numbers aside, comes back."""
    places = np.flatnonzero(in_comment_element & np.isin(features[:, _AT["kind"]], _HEADINGS)).tolist()
    names = {place: name for place in places if _TITLE.search(name := _path(harvest, blocks.start + place))}
    counts = Counter(names.values())
    titles = np.zeros(len(in_comment_element), np.bool_)
    titles[[place for place, name in names.items() if counts[name] >= _OFTEN]] = True
    return titles


def _is_machinery(name: str) -> bool:
    return _MACHINERY.search(_COLLAPSED.sub("", name) if _CONTENT.search(name) else name) is not None


def _is_filed(name: str) -> bool:
    """Whether nothing but the category of a page or a tag is named for comments: opinions are filed under *Kommentar*."""
    return _FILED.search(name) is not None and not _COMMENT_WORD.search(_FILED.sub("", name))


def _between(comment: Flags) -> Flags:
    """Blocks among comments: from the one before the first on to the one after the last."""
    among = np.zeros(len(comment), np.bool_)
    places = np.flatnonzero(comment)
    if len(places):
        among[max(places[0] - 1, 0) : places[-1] + 2] = True
    return among


def _path(harvest: Harvest, block: int) -> str:
    """The path of a block without numbers: ids of comments have some."""
    path = int(harvest.blocks[kernel_layout.PATH, block])
    begin, end = (int(harvest.path_ends[path + step]) for step in (0, 1))
    return _DIGITS.sub(b"0", bytes(harvest.path_bytes[begin:end])).decode("utf-8", "replace").lower()


def _texts(harvest: Harvest, blocks: slice, some: Flags) -> dict[int, bytes]:
    """The text of some blocks of a page."""
    ends, text = harvest.blocks[kernel_layout.TEXT_END], harvest.text.data
    texts = {}
    for number in np.flatnonzero(some).tolist():
        block = blocks.start + number
        texts[number] = bytes(text[int(ends[block - 1]) if block else 0 : int(ends[block])])
    return texts


def _said_before(harvest: Harvest, blocks: slice, long: Flags) -> Flags:
    """Long blocks that say the same as an earlier one: some pages show their best comments a second time."""
    again = np.zeros(len(long), np.bool_)
    texts: set[bytes] = set()
    for number, text in _texts(harvest, blocks, long).items():
        again[number] = text in texts
        texts.add(text)
    return again


def _refrains(harvest: Harvest, blocks: slice, short: Flags) -> Flags:
    """Short blocks that stand under many posts."""
    texts = {number: _DIGITS.sub(b"0", text) for number, text in _texts(harvest, blocks, short).items()}
    counts = Counter(texts.values())
    refrains = np.zeros(len(short), np.bool_)
    refrains[[number for number, one in texts.items() if counts[one] >= _OFTEN]] = True
    return refrains


def post_numbers(harvest: Harvest, blocks: slice, comment: Flags) -> npt.NDArray[np.int32]:
    """Of each block of a page the number of its post, from 1 on; 0 for blocks that are no comments."""
    posts = np.zeros(len(comment), np.int32)
    numbers: dict[int, int] = {}
    for block in np.flatnonzero(comment).tolist():
        element = _post_element(harvest, int(harvest.blocks[kernel_layout.ELEMENT, blocks.start + block]))
        posts[block] = numbers.setdefault(element, len(numbers) + 1)
    return posts


def _post_element(harvest: Harvest, element: int) -> int:
    """The innermost element around a block that is named for comments, or the innermost item of a list or table."""
    item = -1
    for _ in range(_STEPS):
        if item < 0 and harvest.elements[kernel_layout.ELEMENT_TAG, element] in _ITEMS:
            item = element
        name = _own_name(harvest, element)
        if _COMMENT_WORD.search(name) or _NUMBERED.search(name.encode()):
            return element
        parent = int(harvest.elements[kernel_layout.PARENT, element])
        if parent == element:
            break
        element = parent
    return item if item >= 0 else element


def _own_name(harvest: Harvest, element: int) -> str:
    """Tag, id and classes of an element: the last step of its path."""
    path = int(harvest.elements[kernel_layout.ELEMENT_PATH, element])
    begin, end = (int(harvest.path_ends[path + step]) for step in (0, 1))
    return bytes(harvest.path_bytes[begin:end]).rpartition(b">")[2].decode("utf-8", "replace").lower()


def label_named(harvest: Harvest, labels: BlockLabels) -> BlockLabels:
    """Label the kept blocks of other methods that stand in elements named for comments, where others do not; and their posts."""
    labels.labels, labels.reasons = [*labels.labels, "comment"], [*labels.reasons, "comment of a reader"]
    labels.posts, labels.fallbacks = np.zeros(harvest.block_count, np.int32), [None] * len(harvest)
    begin = 0
    for end in harvest.block_ends:
        blocks = slice(begin, end)
        paths = [_path(harvest, block) if labels.kept[block] else "" for block in range(begin, end)]
        comment = np.array([bool(_COMMENT_WORD.search(path)) and not _MACHINERY.search(path) for path in paths], bool)
        if comment.any() and (labels.kept[blocks] & ~comment).any():
            labels.label[blocks][comment], labels.reason[blocks][comment] = (
                len(labels.labels) - 1,
                len(labels.reasons) - 1,
            )
            labels.posts[blocks] = post_numbers(harvest, blocks, comment)
        begin = end
    return labels
