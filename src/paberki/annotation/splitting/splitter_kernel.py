# mypy: ignore-errors
"""Tokens and sentences, compiled: candidates are cut, joined with their full stops, taken apart at hyphens and grouped.

:mod:`paberki.annotation.splitting.splitter` says what the decisions look at, and that a feature is text: here its letters are
hashed one by one as its template names them, without any string being made. Weights are thousandths, so that sums are
exact.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Final

import numpy as np

from paberki.annotation.splitting.character_kinds import (
    ALPHA,
    DECIMAL,
    DIGIT,
    HEAD,
    LOWER,
    SIGN,
    SPACE,
    TITLE,
    UPPER,
    WORD,
)
from paberki.annotation.splitting.token_candidates import LONGEST, MOST_TOKENS
from paberki.annotation.splitting.token_candidates_kernel import candidate
from paberki.kernels import kernel, part
from paberki.kernels.hash_constants import FNV_PRIME, FNV_START, GOLDEN
from paberki.kernels.kernel_types import FLAG, INT, reads, types, writes

MOST_ATOMS: Final = 20
DOT, HYPHEN, BORDER, CASE, CUT, CLASS = range(6)
"""Decisions, the words that have a capital in mid-sentence, those that are two tokens, and those that are verbs or
conjunctions: each has its own seed."""
END_OF_TEMPLATE: Final = 1 << 30
_OFFSET: Final = np.uint64(FNV_START)
_PRIME: Final = np.uint64(FNV_PRIME)
_SPREAD: Final = np.uint64(GOLDEN)
_NONE: Final = np.uint64(0)
_ONE: Final = np.uint64(1)
_WORD, _OWN, _OTHER, _LENGTH, _SPACE, _AFTER, _CASE, _BEFORE = range(8)
"""Atoms of the decision about full stops, in the order of ``DOT_ATOMS``."""
_SIGN, _SHAPES, _LEFT, _RIGHT, _LEFT_LENGTH, _RIGHT_LENGTH, _LEFT_END, _RIGHT_END, _LEFT_SHAPE, _RIGHT_SHAPE = range(10)
"""Those about hyphens, in the order of ``HYPHEN_ATOMS``."""
(_FAR, _KIND, _TAIL, _HEAD, _UPPER, _LAST, _ENDING, _ENDED, _NEXT_WORD, _QUOTED, _GAP, _CLOSED, _NEXT, _EARLIER,
 _LAST_SHAPE, _NEXT_LOW, _CLAUSE, _AHEAD) = range(18)  # fmt: skip
"""Those about the ends of sentences, in the order of ``BORDER_ATOMS``."""
_WHOLE: Final = 8
"""Not in templates, but looked at."""
_SHAPED: Final = (_TAIL, _LAST_SHAPE, _HEAD, _NEXT)
_LOWERED: Final = (_EARLIER, _LAST, _NEXT_WORD, _NEXT_LOW)
"""Atoms of the two tokens before a place and the two after it."""
_NEWLINE, _FULL_STOP, _UNDERSCORE, _QUESTION, _MINUS, _ZERO, _SLASH, _AT, _PERCENT, _COLON, _COMMA, _PLUS = map(
    ord, "\n._?-0/@%:,+"
)
_ELLIPSIS: Final = 0x2026
_LONG_S: Final = 0x17F
_OUT: Final = tuple(map(ord, "end"))
_VERB, _CONJUNCTION = map(ord, "vc")
_BEHIND: Final = 25
_FORTH: Final = 9
"""How many tokens before and after a place are looked at for verbs."""

View = namedtuple("View", "text kinds low")
"""Characters, what kind each is, and each in lower case."""
Rules = namedtuple("Rules", "templates firsts keys weights shift")
"""Templates, where those of each decision begin, and the table of weights."""
Room = namedtuple("Room", "atoms lengths")
"""What a decision looks at, as texts."""


@part
def _is_strong(sign):
    return sign == 0x2E or sign == 0x21 or sign == 0x3F or sign == _ELLIPSIS


@part
def _is_end(sign):
    return _is_strong(sign) or sign == 0x3A or sign == 0x3B


@part
def _is_closing(sign):
    """One of " ” “ ’ ' » « ) ] › ‹."""
    if sign < 0x80:
        return sign == 0x22 or sign == 0x27 or sign == 0x29 or sign == 0x5D
    return (
        sign == 0x201D
        or sign == 0x201C
        or sign == 0x2019
        or sign == 0xBB
        or sign == 0xAB
        or sign == 0x203A
        or sign == 0x2039
    )


@part
def _is_paired(sign):
    """One of “ ” „ " » « ( ) [ ]."""
    if sign < 0x80:
        return sign == 0x22 or sign == 0x28 or sign == 0x29 or sign == 0x5B or sign == 0x5D
    return sign == 0x201C or sign == 0x201D or sign == 0x201E or sign == 0xBB or sign == 0xAB


@part
def _seed(decision):
    return (_OFFSET ^ np.uint64(decision + 1)) * _PRIME


@part
def _weight(value, rules):
    """What the table says about a hash, 0 if nothing."""
    if value == _NONE:
        value = _ONE
    keys = rules.keys
    slot = np.int64((value * _SPREAD) >> rules.shift)
    while keys[slot] != _NONE:
        if keys[slot] == value:
            return np.int64(rules.weights[slot])
        slot = (slot + 1) & (keys.shape[0] - 1)
    return np.int64(0)


@kernel(
    reads(types.uint32),  # letters
    reads(types.int64),  # edges
    reads(types.int32),  # decisions
    reads(types.int32),  # values
    types.uint64,  # shift
    writes(types.uint64),  # keys
    writes(types.int32),  # weights
    returns=INT,
)
def fill(letters, edges, decisions, values, shift, keys, weights):
    """Put features and their weights into a table."""
    for one in range(edges.shape[0] - 1):
        value = _seed(decisions[one])
        for at in range(edges[one], edges[one + 1]):
            value = (value ^ np.uint64(letters[at])) * _PRIME
        if value == _NONE:
            value = _ONE
        slot = np.int64((value * _SPREAD) >> shift)
        while keys[slot] != _NONE and keys[slot] != value:
            slot = (slot + 1) & (keys.shape[0] - 1)
        keys[slot] = value
        weights[slot] = values[one]
    return 0


@part
def _score(decision, rules, room):
    """The sum of the weights of all features of a decision."""
    total = 0
    templates = rules.templates
    for t in range(rules.firsts[decision], rules.firsts[decision + 1]):
        value = _seed(decision)
        for p in range(templates.shape[1]):
            code = templates[t, p]
            if code == END_OF_TEMPLATE:
                break
            if code >= 0:
                value = (value ^ np.uint64(code)) * _PRIME
            else:
                for k in range(room.lengths[-code - 1]):
                    value = (value ^ np.uint64(room.atoms[-code - 1, k])) * _PRIME
        total += _weight(value, rules)
    return total


@part
def _say(atom, sign, room):
    room.atoms[atom, room.lengths[atom]] = sign
    room.lengths[atom] += 1


@part
def _clear(room):
    for atom in range(MOST_ATOMS):
        room.lengths[atom] = 0


@part
def _upper(view, start, stop):
    """Whether all letters of a word that have a case are capitals, and one does."""
    upper = False
    for at in range(start, stop):
        if view.kinds[at] & (LOWER | TITLE):
            return False
        upper = upper or view.kinds[at] & UPPER != 0
    return upper


@part
def _second(view, start, stop):
    """The second letter of a word's shape, 0 if it has but one."""
    kind = view.kinds[start]
    if kind & DIGIT:
        for at in range(start, stop):
            if not view.kinds[at] & DIGIT:
                return 0x78
        return 0
    if not kind & ALPHA:
        return 0
    for at in range(start, stop - 1):
        if view.text[at] == _FULL_STOP:
            return _FULL_STOP
    if kind & LOWER:
        return 0
    if not _upper(view, start, stop):
        return 0x61
    return 0x41 if stop > start + 1 else 0


@part
def _shape(atom, view, start, stop, room):
    """A short picture of a word, added to an atom: see ``splitting.shape``."""
    if start < stop:
        kind = view.kinds[start]
        first = 0x31 if kind & DIGIT else view.text[start] if not kind & ALPHA else 0x61 if kind & LOWER else 0x41
        second = _second(view, start, stop)
        _say(atom, first, room)
        if second:
            _say(atom, second, room)


@part
def _case(atom, rules, room):
    """Whether a word, given by an atom, has a capital in mid-sentence."""
    value = _seed(CASE)
    for k in range(room.lengths[atom]):
        value = (value ^ np.uint64(room.atoms[atom, k])) * _PRIME
    weight = _weight(value, rules)
    return weight if weight else _QUESTION


@part
def _is_alnum(view, at):
    return view.kinds[at] & WORD != 0 and view.text[at] != _UNDERSCORE


@part
def _ends_line(sign):
    """A line feed, form feed or carriage return, a next line, or the ends of lines and paragraphs of Unicode."""
    return sign == _NEWLINE or sign == 0x0D or sign == 0x0C or sign == 0x85 or sign == 0x2028 or sign == 0x2029


@part
def _belongs(view, start, stop, after, after_stop, rules, room):
    """Whether the full stop after a word is part of it; ``after`` is the next candidate, empty if there is none."""
    _clear(room)
    there = after < after_stop
    spaced = stop + 1 < view.text.shape[0] and view.kinds[stop + 1] & SPACE
    for k in range(2):
        _see(
            _OTHER if k else _OWN, _WHOLE if k else _WORD, view, after if k else start, after_stop if k else stop, room
        )
    if room.lengths[_OTHER] == 2 and room.atoms[_OTHER, 0] == 0x41 and room.atoms[_OTHER, 1] != _FULL_STOP:
        _say(_CASE, _case(_WHOLE, rules, room), room)
    _add(_AFTER, _WHOLE, 0, room)
    room.lengths[_AFTER] = min(room.lengths[_AFTER], 20)
    _say(_LENGTH, _ZERO + min(stop - start, 5), room)
    if not there:
        for k in range(3):
            _say(_OTHER, _OUT[k], room)
    if spaced:
        _say(_SPACE, _UNDERSCORE, room)
    elif not there:
        _add(_SPACE, _OTHER, 0, room)
    if start > 0:
        _say(_BEFORE, 0x61 if _is_alnum(view, start - 1) else view.text[start - 1], room)
    return _score(DOT, rules, room) > 0


@part
def _divided(view, start, stop, at, rules, room):
    """Whether a word is cut at its signs, or where letters follow digits; ``at`` is the first such place."""
    _clear(room)
    bare = view.kinds[at] & ALPHA != 0
    for k in range(2):
        _see(
            _RIGHT_SHAPE if k else _LEFT_SHAPE,
            _RIGHT if k else _LEFT,
            view,
            (at if bare else at + 1) if k else start,
            stop if k else at,
            room,
        )
        side = _RIGHT if k else _LEFT
        _say(_RIGHT_LENGTH if k else _LEFT_LENGTH, _ZERO + min(room.lengths[side], 4), room)
        _add(_RIGHT_END if k else _LEFT_END, side, room.lengths[side] - (2 if k else 1), room)
        _add(_SHAPES, _RIGHT_SHAPE if k else _LEFT_SHAPE, 0, room)
        if k == 0 and not bare:
            _say(_SHAPES, view.text[at], room)
    if not bare:
        _say(_SIGN, view.text[at], room)
    return _score(HYPHEN, rules, room) > 0


@part
def _plain_letter(sign):
    return 0x73 if sign == _LONG_S else sign


@part
def _is_apostrophe(sign):
    return sign == 0x27 or sign == 0x2019


@part
def _english_tail(view, start, stop):
    """Where *n't*, *'s*, *'ve* … begin at the end of a word, the end of the word if they do not; *1990's* is one word."""
    text, low = view.text, view.low
    n = stop - start
    last = _plain_letter(low[stop - 1])
    tail = stop
    if n >= 3 and last == 0x74 and _is_apostrophe(text[stop - 2]) and low[stop - 3] == 0x6E:
        tail = stop - 3
    elif n >= 2 and _is_apostrophe(text[stop - 2]) and (last == 0x73 or last == 0x6D or last == 0x64):
        tail = stop - 2
    elif n >= 3 and _is_apostrophe(text[stop - 3]):
        first = low[stop - 2]
        if ((first == 0x72 or first == 0x76) and last == 0x65) or (first == 0x6C and last == 0x6C):
            tail = stop - 3
    if start < tail < stop and view.kinds[tail - 1] & WORD and not view.kinds[tail - 1] & DECIMAL:
        return tail
    return stop


@part
def _number_end(view, at, stop):
    """The end of digits with signs between them: see ``splitting._NUMBER``."""
    while at < stop and view.kinds[at] & DECIMAL:
        at += 1
        if at + 1 < stop and view.kinds[at + 1] & DECIMAL:
            sign = view.text[at]
            if sign == _FULL_STOP or sign == _COMMA or sign == _COLON or sign == _SLASH:
                at += 1
    return at


@part
def _same(view, start, stop):
    """Whether it is one sign again and again."""
    for at in range(start + 1, stop):
        if view.text[at] != view.text[start]:
            return False
    return stop > start + 1


@part
def _find(view, start, stop, sign):
    for at in range(start, stop):
        if view.text[at] == sign:
            return at
    return -1


@part
def _takes_stop(view, start, stop):
    """Whether a full stop behind a word may belong to it: see ``splitting.takes_stop``."""
    return _is_alnum(view, stop - 1) and _find(view, start, stop, _COLON) < 0


@part
def _is_dotted(view, start, stop):
    """Letters with full stops between them, one or two at a time: candidates have no others like that but addresses."""
    run = 0
    dots = 0
    for at in range(start, stop):
        if view.text[at] == _FULL_STOP and run > 0:
            dots += 1
            run = 0
        elif view.kinds[at] & HEAD and not view.kinds[at] & DECIMAL and run < 2:
            run += 1
        else:
            return False
    return 0 < dots <= 5 and run > 0


@part
def _cut_place(view, start, stop):
    """Where a candidate may be cut for the first time, -1 if nowhere: see ``splitting.cut_place``."""
    if not _is_alnum(view, start):
        return start if _same(view, start, stop) else -1
    if _find(view, start, stop, _AT) >= 0:
        return -1
    slash = _find(view, start, stop, _SLASH)
    if slash >= 0:
        return slash if _number_end(view, start, stop) == stop else -1
    for at in range(start, stop):
        if view.kinds[at] & SIGN:
            return at
    if view.text[stop - 1] == _PERCENT:
        return stop - 1
    if _is_dotted(view, start, stop):
        return _find(view, start, stop, _FULL_STOP)
    at = _number_end(view, start, stop)
    if at == start:
        at = _find(view, start, stop, _COLON)
    if at < 0 or at >= stop:
        return -1
    tail = at + 1 if view.text[at] == _COLON else at
    return at if tail < stop and _all_letters(view, tail, stop) else -1


@part
def _is_cut(view, at, first):
    """Whether a word that is cut at its first place is cut here too."""
    sign = view.text[first]
    return view.kinds[at] & SIGN != 0 if view.kinds[first] & SIGN else view.text[at] == sign


@part
def _put(start, stop, tokens, count):
    """One more token, unless it is empty; how many there are now."""
    if start >= stop:
        return count
    tokens[0, count] = start
    tokens[1, count] = stop
    return count + 1


@part
def _divide(view, start, stop, first, tokens, count):
    """The parts of a word; how many tokens there are now."""
    if view.kinds[first] & ALPHA:
        count = _put(start, first, tokens, count)
        return _put(first, stop, tokens, count)
    for at in range(first, stop):
        if _is_cut(view, at, first):
            if view.text[at] == _FULL_STOP and at > start:
                count = _put(start, at + 1, tokens, count)
            else:
                count = _put(start, at, tokens, count)
                count = _put(at, at + 1, tokens, count)
            start = at + 1
    return _put(start, stop, tokens, count)


@part
def _parts(view, start, stop, english, rules, room, tokens, count):
    """A candidate, or its parts if it is several tokens; how many tokens there are now."""
    whole = stop
    if english:
        tail = _english_tail(view, start, stop)
        while tail < stop:
            stop = tail
            tail = _english_tail(view, start, stop)
    first = _cut_place(view, start, stop) if stop > start + 1 else -1
    if first >= 0 and _divided(view, start, stop, first, rules, room):
        count = _divide(view, start, stop, first, tokens, count)
    else:
        count = _put(start, stop, tokens, count)
    while stop < whole:
        letter = _plain_letter(view.low[stop + 1])
        short = _is_apostrophe(view.text[stop]) and (letter == 0x73 or letter == 0x6D or letter == 0x64)
        count = _put(stop, stop + (2 if short else 3), tokens, count)
        stop += 2 if short else 3
    return count


@part
def _word_cut(view, start, stop, rules):
    """How long the first token of a word of letters is that is two tokens, 0 if it is one."""
    value = _seed(CUT)
    for at in range(start, min(stop, start + LONGEST)):
        value = (value ^ np.uint64(view.low[at])) * _PRIME
    return _weight(value, rules)


@part
def _candidates(view, begin, end, pieces, memo):
    """Candidates of a line; how many there are."""
    count = 0
    at = begin
    while at < end:
        if view.kinds[at] & SPACE:
            at += 1
            continue
        pieces[0, count] = at
        at = candidate(view.text, view.kinds, at, end, memo)
        pieces[1, count] = at
        count += 1
    return count


@part
def _all_letters(view, start, stop):
    for at in range(start, stop):
        if not view.kinds[at] & ALPHA:
            return False
    return True


@part
def _tokens(view, begin, end, english, cutting, pieces, memo, rules, room, tokens, count):
    """Tokens of a line; how many there are now."""
    n = _candidates(view, begin, end, pieces, memo)
    for number in range(n):
        start = pieces[0, number]
        stop = pieces[1, number]
        if stop == start + 1 and view.text[start] == _FULL_STOP and number > 0 and pieces[1, number - 1] == start:
            after = pieces[0, number + 1] if number + 1 < n else 0
            after_stop = pieces[1, number + 1] if number + 1 < n else 0
            word = pieces[0, number - 1]
            if _takes_stop(view, word, start) and _belongs(view, word, start, after, after_stop, rules, room):
                tokens[1, count - 1] = stop
                continue
        if stop == start + 1:
            count = _put(start, stop, tokens, count)
        elif _all_letters(view, start, stop):
            cut = _word_cut(view, start, stop, rules) if cutting else 0
            count = _put(start, start + cut, tokens, count)
            count = _put(start + cut, stop, tokens, count)
        else:
            count = _parts(view, start, stop, english, rules, room, tokens, count)
    return count


@part
def _see(shape_atom, low_atom, view, start, stop, room):
    """The shape of a word and the word in lower case, as far as decisions look."""
    stop = min(stop, start + LONGEST)
    _shape(shape_atom, view, start, stop, room)
    for at in range(start, stop):
        _say(low_atom, view.low[at], room)


@part
def _add(atom, other, first, room):
    """Letters of another atom, from some place on, added to an atom."""
    for k in range(max(first, 0), room.lengths[other]):
        _say(atom, room.atoms[other, k], room)


@part
def _class_of(view, start, stop, rules):
    """Whether a token is a verb, a conjunction, a comma or neither: see ``splitter.class_of``."""
    if not view.kinds[start] & ALPHA:
        return _COMMA if view.text[start] == _COMMA else _MINUS
    stop = min(stop, start + LONGEST)
    value = _seed(CLASS)
    for at in range(start, stop):
        value = (value ^ np.uint64(view.low[at])) * _PRIME
    weight = _weight(value, rules)
    length = 4
    while weight == 0 and length > 1:
        if stop - start > length:
            value = (_seed(CLASS) ^ np.uint64(_MINUS)) * _PRIME
            for at in range(stop - length, stop):
                value = (value ^ np.uint64(view.low[at])) * _PRIME
            weight = _weight(value, rules)
        length -= 1
    return weight if weight else _MINUS


@part
def _see_clause(view, first, number, tokens, rules, room):
    """Verbs before a place in its sentence: see ``splitter.clause_of``."""
    nearest = _MINUS
    verb = _ZERO
    at = number
    while at > max(first, number - _BEHIND) and verb == _ZERO:
        at -= 1
        name = _class_of(view, tokens[0, at], tokens[1, at], rules)
        if name == _VERB:
            verb += 1
            nearest = _VERB if nearest == _MINUS else nearest
        elif name == _CONJUNCTION or name == _COMMA:
            nearest = _COMMA
    _say(_CLAUSE, nearest, room)
    _say(_CLAUSE, verb, room)


@part
def _see_ahead(view, number, count, tokens, rules, room):
    """Whether a verb follows before the clause ends."""
    verb = _ZERO
    for at in range(number, min(count, number + _FORTH)):
        if _class_of(view, tokens[0, at], tokens[1, at], rules) == _VERB:
            verb += 1
            break
        sign = _last_sign(view, tokens, at)
        if at > number and (_is_end(sign) or sign == _COMMA):
            break
    _say(_AHEAD, verb, room)


@part
def _look(view, first, number, count, far, in_quotes, state, tokens, rules, room):
    """What is seen between two tokens: see ``splitting.border_atoms``."""
    _clear(room)
    for place in range(4):
        token = number - 2 + place
        if token < first or token >= count:
            _say(_SHAPED[place], 0x5E if place == 0 else 0x24, room)
            _say(_LOWERED[place], 0x5E, room)
        else:
            _see(_SHAPED[place], _LOWERED[place], view, tokens[0, token], tokens[1, token], room)
    last, last_stop = tokens[0, number - 1], min(tokens[1, number - 1], tokens[0, number - 1] + LONGEST)
    if last_stop - last <= 3 and not _is_alnum(view, last):
        for at in range(last, last_stop):
            _say(_KIND, view.text[at], room)
    else:
        _say(_KIND, _FULL_STOP if view.text[last_stop - 1] == _FULL_STOP else 0x77, room)
        _add(_KIND, _LAST_SHAPE, 0, room)
    _add(_ENDING, _LAST, room.lengths[_LAST] - 3, room)
    case = _MINUS
    if view.kinds[tokens[0, number]] & UPPER:
        case = _case(_NEXT_WORD, rules, room)
    _say(_UPPER, case, room)
    _say(_FAR, _ZERO + min(far // 3, 6), room)
    _say(_QUOTED, _ZERO + in_quotes, room)
    if tokens[1, number - 1] < tokens[0, number]:
        _say(_GAP, _UNDERSCORE, room)
    leans = number + 1 < count and tokens[1, number] == tokens[0, number + 1]
    if leans and not _is_alnum(view, tokens[0, number]):
        _say(_HEAD, _PLUS, room)
    _say(_CLOSED, _ZERO + (1 if state & 4 else 0), room)
    strong = _is_strong(_last_sign(view, tokens, number - 1))
    _say(_ENDED, _FULL_STOP if strong else _COLON if state & 2 else _MINUS, room)
    _see_clause(view, number - far, number, tokens, rules, room)
    _see_ahead(view, number, count, tokens, rules, room)


@part
def _last_sign(view, tokens, token):
    return view.text[min(tokens[1, token], tokens[0, token] + LONGEST) - 1]


@part
def _may_end(view, first, number, tokens):
    """Whether a sentence may end before a token: 0, or 1 with 2 for a sign of an end and 4 for a closed quotation."""
    last = tokens[0, number - 1]
    sign = _last_sign(view, tokens, number - 1)
    small = view.kinds[tokens[0, number]] & LOWER
    closing = tokens[1, number - 1] == last + 1 and _is_closing(sign)
    ends_sentence = _is_end(sign)
    if not ends_sentence and not closing and (small or not _is_alnum(view, last)):
        return 0
    after_end = closing and number - 1 > first and _is_end(_last_sign(view, tokens, number - 2))
    if not ends_sentence and not after_end and small:
        return 0
    if (
        tokens[1, number - 1] == tokens[0, number]
        and not after_end
        and sign != 0x21
        and sign != 0x3F
        and sign != _ELLIPSIS
    ):
        return 0
    return 1 + (2 if ends_sentence else 0) + (4 if after_end else 0)


@kernel(
    reads(types.uint32),  # text
    reads(types.uint16),  # kinds
    reads(types.uint32),  # low
    FLAG,  # english
    reads(types.int32, 2),  # templates
    reads(types.int64),  # firsts
    reads(types.uint64),  # keys
    reads(types.int32),  # weights
    types.uint64,  # shift
    writes(types.uint32, 2),  # atoms
    writes(types.int64),  # lengths
    writes(types.int64),  # memo
    writes(types.int32, 2),  # pieces
    writes(types.int32, 2),  # tokens
    writes(types.int32),  # edges
    returns=INT,
)
def split(
    text, kinds, low, english, templates, firsts, keys, weights, shift, atoms, lengths, memo, pieces, tokens, edges
):
    """Starts and ends of tokens, and the tokens at which sentences begin, with the total at the end; how many edges."""
    view = View(text, kinds, low)
    rules = Rules(templates, firsts, keys, weights, shift)
    room = Room(atoms, lengths)
    cutting = _word_cut(view, 0, 0, rules) != 0
    count = 0
    edge_count = 1
    edges[0] = 0
    end = 0
    while end < text.shape[0]:
        begin = end
        while end < text.shape[0] and not _ends_line(text[end]):
            end += 1
        first = count
        count = _tokens(view, begin, end, english, cutting, pieces, memo, rules, room, tokens, count)
        in_quotes = 0
        since = first
        for number in range(first + 1, count + 1):
            over = number == count
            if not over:
                if tokens[1, number - 1] == tokens[0, number - 1] + 1 and _is_paired(text[tokens[0, number - 1]]):
                    in_quotes = 1 - in_quotes
                state = _may_end(view, first, number, tokens)
                if state:
                    _look(view, first, number, count, number - since, in_quotes, state, tokens, rules, room)
                    over = _score(BORDER, rules, room) > 0
            if over:
                since = number
                while number - edges[edge_count - 1] > MOST_TOKENS:
                    edges[edge_count] = edges[edge_count - 1] + MOST_TOKENS
                    edge_count += 1
                edges[edge_count] = number
                edge_count += 1
        end += 1
    return edge_count
