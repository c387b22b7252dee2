# mypy: ignore-errors
"""Where a candidate for a token ends, compiled: the regular expression of :mod:`paberki.annotation.splitting.token_candidates` by hand.

Its alternatives are tried in the same order. What a long run of characters has been found not to be (an address of
mail, a domain) is remembered, so that no text takes time that grows with its square. Pieces for
:mod:`paberki.annotation.splitting.splitter_kernel`, which cuts and decides in one go.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.annotation.splitting.character_kinds import (
    CJK,
    DECIMAL,
    HEAD,
    MAIL,
    MARK,
    PICTURE,
    SIGN,
    SPACE,
    STOP,
    TAIL,
    WORD,
)
from paberki.annotation.splitting.token_candidates import ENDINGS
from paberki.kernels import part
from paberki.kernels.byte_names import UPPER_A, UPPER_Z
from paberki.kernels.characters_kernel import is_digit, is_letter

MAIL_UNTIL, MAIL_END, DOMAIN_UNTIL = range(3)
"""What is remembered: how far a run of characters goes that may be in an address, where that address ends (or -1), and
how far there is no domain."""
_HTTPS: Final = tuple(map(ord, "https://"))
_HTTP: Final = tuple(map(ord, "http://"))
_FTP: Final = tuple(map(ord, "ftp://"))
_WWW: Final = tuple(map(ord, "www."))
_CRYING: Final = tuple(map(ord, ":'("))
_STARING: Final = tuple(map(ord, "o_O"))
_TIRED: Final = tuple(map(ord, "-_-"))
_TOP: Final = tuple(sum(ord(letter) << (8 * place) for place, letter in enumerate(name)) for name in ENDINGS)
_LONGEST_TOP: Final = max(map(len, ENDINGS))
(_A, _Z, _DOT, _COMMA, _COLON, _SEMICOLON, _AT, _HASH, _DASH, _UNDERSCORE, _SLASH, _LESS, _GREATER, _CARET, _EIGHT,
 _THREE, _STAR, _QUOTE, _EXCLAMATION, _QUESTION, _EQUALS, _TILDE, _PLUS, _CLOSE, _OPEN, _BIG_D, _SMALL_O,
 _SMALL_X, _BIG_X, _DOUBLE, _PERCENT, _BACKTICK, _DOLLAR) = map(ord, "az.,:;@#-_/<>^83*'!?=~+)(DoxX\"%`$")  # fmt: skip
_ELLIPSIS: Final = 0x2026
_EN_DASH, _EM_DASH = 0x2013, 0x2014
_RIGHT_QUOTE: Final = 0x2019
_JOINER, _SELECTOR = 0x200D, 0xFE0F
_FLAG_FIRST, _FLAG_LAST = 0x1F1E6, 0x1F1FF
_TONE_FIRST, _TONE_LAST = 0x1F3FB, 0x1F3FF


@part
def _starts(text, at, end, literal):
    if at + len(literal) > end:
        return False
    for k in range(len(literal)):
        if text[at + k] != literal[k]:
            return False
    return True


@part
def _run(kinds, at, end, flags):
    while at < end and kinds[at] & flags:
        at += 1
    return at


@part
def _word(kinds, at, end):
    """The end of a word that begins here; the place itself if none does."""
    if at < end and kinds[at] & HEAD:
        return _run(kinds, at + 1, end, WORD | MARK)
    return at


@part
def _letters(kinds, at, end):
    while at < end and kinds[at] & HEAD and not kinds[at] & DECIMAL:
        at += 1
    return at


@part
def _plain(text, kinds, at, end):
    """Most words, and commas and full stops before a space."""
    if kinds[at] & HEAD:
        stop = _letters(kinds, at, end)
        if at < stop < end:
            sign = text[stop]
            if kinds[stop] & SPACE or sign == _SEMICOLON or sign == _CLOSE:
                return stop
            if (sign == _COMMA or sign == _DOT) and stop + 1 < end and kinds[stop + 1] & SPACE:
                return stop
    elif text[at] == _COMMA or text[at] == _SEMICOLON or text[at] == _DOT:
        if at + 1 < end and kinds[at + 1] & SPACE:
            return at + 1
    return -1


@part
def _address(text, kinds, at, end):
    """An address with its protocol, or with www."""
    if _starts(text, at, end, _HTTPS):
        at += len(_HTTPS)
    elif _starts(text, at, end, _HTTP):
        at += len(_HTTP)
    elif _starts(text, at, end, _FTP):
        at += len(_FTP)
    elif _starts(text, at, end, _WWW):
        at += len(_WWW)
    else:
        return -1
    last = -1
    while at < end and not kinds[at] & STOP:
        if kinds[at] & TAIL:
            last = at + 1
        at += 1
    return last


@part
def _mail(text, kinds, at, end, memo):
    """An address of mail; the answer is the same from everywhere in the run before the sign."""
    if not kinds[at] & MAIL:
        return -1
    if at >= memo[MAIL_UNTIL]:
        sign = _run(kinds, at, end, MAIL)
        memo[MAIL_UNTIL] = sign
        memo[MAIL_END] = -1
        if sign < end and text[sign] == _AT:
            dot = _host(text, kinds, sign + 1, end)
            while dot > sign + 1 and dot < end and text[dot] == _DOT:
                after = _host(text, kinds, dot + 1, end)
                if after == dot + 1:
                    break
                memo[MAIL_END] = after
                dot = after
    return memo[MAIL_END]


@part
def _host(text, kinds, at, end):
    while at < end and (kinds[at] & WORD or text[at] == _DASH):
        at += 1
    return at


@part
def _hashtag(text, kinds, at, end):
    if text[at] != _AT and text[at] != _HASH:
        return -1
    stop = _run(kinds, at + 1, end, WORD | MARK)
    if stop == at + 1 or stop == _run(kinds, at + 1, end, DECIMAL):
        return -1
    while stop < end and text[stop] == _DASH:
        after = _run(kinds, stop + 1, end, WORD | MARK)
        if after == stop + 1:
            break
        stop = after
    return stop


@part
def _is_word(kinds, at, end):
    return at < end and kinds[at] & WORD


@part
def _is_eye(sign):
    return sign == _COLON or sign == _SEMICOLON or sign == _EQUALS


@part
def _is_nose(sign):
    return sign == _DASH or sign == _SMALL_O or sign == _STAR or sign == _QUOTE


@part
def _is_bracket(sign):
    return sign == _CLOSE or sign == _OPEN or sign == 0x5B or sign == 0x5D


@part
def _is_mouth(sign):
    # ) ] ( [ d D p P / \ : } { @ | *
    if sign < 0x50:
        return (
            sign == _CLOSE
            or sign == _OPEN
            or sign == _BIG_D
            or sign == _SLASH
            or sign == _COLON
            or sign == _AT
            or sign == _STAR
        )
    return (
        sign == 0x5D
        or sign == 0x5B
        or sign == 0x64
        or sign == 0x70
        or sign == 0x50
        or sign == 0x5C
        or sign == 0x7D
        or sign == 0x7B
        or sign == 0x7C
    )


@part
def _mouth(text, kinds, at, end):
    """The longest mouth that begins here and has no letter or digit after it."""
    stop = at
    while stop < end and _is_mouth(text[stop]):
        stop += 1
    while stop > at and _is_word(kinds, stop, end) and text[stop] != _UNDERSCORE:
        stop -= 1
    return stop if stop > at else -1


@part
def _face(text, kinds, at, end):
    """Emoticons: eyes first, eyes last, and some others."""
    if at > 0 and kinds[at - 1] & WORD:
        return -1
    sign = text[at]
    eye = at + 1 if sign == _LESS or sign == _GREATER else at
    if eye < end and _is_eye(text[eye]):
        nose = eye + 1
        if nose < end and _is_nose(text[nose]):
            stop = _mouth(text, kinds, nose + 1, end)
            if stop > 0:
                return stop
        stop = _mouth(text, kinds, nose, end)
        if stop > 0:
            return stop
    elif eye + 1 < end and text[eye] == _EIGHT and text[eye + 1] == _DASH:
        stop = _mouth(text, kinds, eye + 2, end)
        if stop > 0:
            return stop
    if _is_bracket(sign):
        eye = at + 1
        if eye < end and _is_nose(text[eye]):
            eye += 1
        if eye < end and _is_eye(text[eye]) and not _is_word(kinds, eye + 1, end):
            return eye + 1
    stop = at + 1
    if sign == _LESS:
        while stop < end and text[stop] == _THREE:
            stop += 1
        return stop if stop > at + 1 else -1
    if sign == _CARET:
        while stop < end and text[stop] == _UNDERSCORE:
            stop += 1
        return stop + 1 if stop > at + 1 and stop < end and text[stop] == _CARET else -1
    if sign == _SMALL_X or sign == _BIG_X:
        while stop < end and text[stop] == _BIG_D:
            stop += 1
        return stop if stop > at + 1 and not _is_word(kinds, stop, end) else -1
    if _starts(text, at, end, _CRYING) or _starts(text, at, end, _STARING) or _starts(text, at, end, _TIRED):
        return at + 3
    return -1


@part
def _emoji(text, kinds, at, end):
    """A flag, or a picture with its skin and what is joined to it."""
    if _FLAG_FIRST <= text[at] <= _FLAG_LAST and at + 1 < end and _FLAG_FIRST <= text[at + 1] <= _FLAG_LAST:
        return at + 2
    if not kinds[at] & PICTURE:
        return -1
    at += 1
    if at < end and (text[at] == _SELECTOR or _TONE_FIRST <= text[at] <= _TONE_LAST):
        at += 1
    while at + 1 < end and text[at] == _JOINER and kinds[at + 1] & PICTURE:
        at += 2
        if at < end and text[at] == _SELECTOR:
            at += 1
    return at


@part
def _in_domain(sign):
    return is_letter(sign) or is_digit(sign) or sign == _DASH or sign == _UNDERSCORE


@part
def _top_domain(text, kinds, at, end):
    """The end of the name of a top domain or of a file's kind that is a whole word, -1 if there is none."""
    code = 0
    stop = at
    while stop < end and stop < at + _LONGEST_TOP and (_A <= text[stop] <= _Z or is_digit(text[stop])):
        code |= np.int64(text[stop]) << (8 * (stop - at))
        stop += 1
    if _is_word(kinds, stop, end):
        return -1
    for name in _TOP:
        if name == code:
            return stop
    return -1


@part
def _domain(text, kinds, at, end, memo):
    """A name such as example.hr, with the path after it."""
    if at < memo[DOMAIN_UNTIL] or not _in_domain(text[at]):
        return -1
    before = at > 0 and kinds[at - 1] & WORD
    if (before != 0) == (kinds[at] & WORD != 0):
        return -1
    best = -1
    label = at
    stop = at
    while True:
        while stop < end and _in_domain(text[stop]):
            stop += 1
        if stop == label or stop >= end or text[stop] != _DOT:
            break
        label = stop + 1
        top = _top_domain(text, kinds, label, end)
        if top > 0:
            best = top
        stop = label
    if best < 0:
        memo[DOMAIN_UNTIL] = stop
    elif best < end and text[best] == _SLASH:
        last = -1
        at = best + 1
        while at < end and not kinds[at] & SPACE and text[at] != _LESS and text[at] != _GREATER and text[at] != _DOUBLE:
            if kinds[at] & WORD or text[at] == _SLASH:
                last = at + 1
            at += 1
        best = max(best, last)
    return best


@part
def _is_capital(sign):
    """A capital of Swedish."""
    return UPPER_A <= sign <= UPPER_Z or sign == 0xC5 or sign == 0xC4 or sign == 0xD6


@part
def _is_small(sign):
    return _A <= sign <= _Z or sign == 0xE5 or sign == 0xE4 or sign == 0xF6


@part
def _with_ending(text, kinds, at, end):
    """Capitals or digits with an ending after a colon: EU:s, 10:e."""
    stop = _run(kinds, at, end, DECIMAL)
    if stop == at:
        while stop < end and _is_capital(text[stop]):
            stop += 1
        if stop < at + 2:
            return -1
    if stop >= end or text[stop] != _COLON:
        return -1
    first = stop + 1
    stop = first
    while stop < end and _is_small(text[stop]):
        stop += 1
    if first < stop <= first + 3 and not (stop < end and kinds[stop] & (WORD | MARK)):
        return stop
    return -1


@part
def _digits(text, kinds, at, end, slash):
    """The end of digits with signs between them."""
    stop = _run(kinds, at, end, DECIMAL)
    while stop < end and (
        text[stop] == _DOT or text[stop] == _COMMA or text[stop] == _COLON or (slash and text[stop] == _SLASH)
    ):
        after = _run(kinds, stop + 1, end, DECIMAL)
        if after == stop + 1:
            break
        stop = after
    return stop


@part
def _number(text, kinds, at, end):
    """Digits with signs between them and a unit; or with words after them."""
    digits = _run(kinds, at, end, DECIMAL)
    if digits == at:
        return -1
    stop = _digits(text, kinds, at, end, False)
    if stop < end and text[stop] == _PERCENT and not _is_word(kinds, stop + 1, end):
        return stop + 1
    stop = _digits(text, kinds, at, end, True)
    if stop > digits:
        return _word(kinds, stop, end)
    while stop < end:
        sign = text[stop]
        first = stop + 1 if sign == _DASH or sign == _QUOTE or sign == _RIGHT_QUOTE else stop
        after = _word(kinds, first, end)
        if after == first:
            break
        stop = after
    return stop


@part
def _year(text, kinds, at, end):
    """Two digits after an apostrophe: '99."""
    if text[at] != _QUOTE and text[at] != _RIGHT_QUOTE:
        return -1
    if at > 0 and kinds[at - 1] & WORD:
        return -1
    stop = _run(kinds, at + 1, end, DECIMAL)
    return stop if stop == at + 3 and not _is_word(kinds, stop, end) else -1


@part
def _dotted(text, kinds, at, end):
    """Letters with full stops between them: see ``tokens.DOTTED``."""
    best = -1
    first = at
    for number in range(6):
        stop = _letters(kinds, first, end)
        if stop == first or stop > first + 2 or (stop < end and kinds[stop] & (WORD | MARK)):
            return best
        if number:
            best = stop
        if stop >= end or text[stop] != _DOT:
            return best
        first = stop + 1
    return best


@part
def _compound(text, kinds, at, end):
    """A word, or several with hyphens, apostrophes or ampersands between them, and a hyphen that stands for more."""
    stop = _word(kinds, at, end)
    if stop == at:
        return -1
    while stop < end and kinds[stop] & SIGN:
        after = _word(kinds, stop + 1, end)
        if after == stop + 1:
            break
        stop = after
    if stop + 1 < end and text[stop] == _DASH:
        after = text[stop + 1]
        if kinds[stop + 1] & SPACE or after == _COMMA or after == _CLOSE:
            stop += 1
    return stop


@part
def _is_mark(sign):
    return (
        sign == _EXCLAMATION
        or sign == _QUESTION
        or sign == _STAR
        or sign == _EQUALS
        or sign == _UNDERSCORE
        or sign == _TILDE
        or sign == _PLUS
        or sign == _DASH
        or sign == _EN_DASH
        or sign == _EM_DASH
        or sign == _DOT
        or sign == _ELLIPSIS
        or sign == _LESS
        or sign == _GREATER
        or sign == _QUOTE
        or sign == _RIGHT_QUOTE
        or sign == _BACKTICK
        or sign == _DOLLAR
    )


@part
def _signs(text, at, end):
    """The same sign several times, or exclamation and question marks in any order, or one sign."""
    sign = text[at]
    if not _is_mark(sign):
        return at + 1
    stop = at + 1
    while stop < end and text[stop] == sign:
        stop += 1
    if stop == at + 1 and (sign == _EXCLAMATION or sign == _QUESTION):
        while stop < end and (text[stop] == _EXCLAMATION or text[stop] == _QUESTION):
            stop += 1
    return stop


@part
def candidate(text, kinds, at, end, memo):
    """The end of the candidate that begins here, with a character that is no space."""
    stop = _plain(text, kinds, at, end)
    if stop < 0:
        stop = _address(text, kinds, at, end)
    if stop < 0:
        stop = _mail(text, kinds, at, end, memo)
    if stop < 0:
        stop = _hashtag(text, kinds, at, end)
    if stop < 0:
        stop = _face(text, kinds, at, end)
    if stop < 0:
        stop = _emoji(text, kinds, at, end)
    if stop < 0:
        stop = _domain(text, kinds, at, end, memo)
    if stop < 0:
        stop = _with_ending(text, kinds, at, end)
    if stop < 0:
        stop = _number(text, kinds, at, end)
    if stop < 0:
        stop = _year(text, kinds, at, end)
    if stop < 0:
        stop = _dotted(text, kinds, at, end)
    if stop < 0:
        stop = _compound(text, kinds, at, end)
    if stop < 0:
        stop = at + 1 if kinds[at] & CJK else _signs(text, at, end)
    return stop
