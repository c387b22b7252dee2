"""Bodies of requests: JSON objects, read into dataclasses field by field."""

from __future__ import annotations

import json
import types
from dataclasses import MISSING, fields
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from paberki.nearest import nearest
from paberki.serve.json_answers import Refusal
from paberki.serve.service import ServiceCall

__all__ = ["body_of"]

T = TypeVar("T")
_MOST_CHARACTERS = 10_000
_WORDS = {str: "a text", int: "a whole number", bool: "true or false", dict: "an object", float: "a number"}


def body_of(call: ServiceCall, kind: type[T]) -> T:
    """The body as an object of that class; a wrong body is answered with 400 and the reason."""
    try:
        content = json.loads(call.body or b"{}")
    except (ValueError, RecursionError) as error:
        raise Refusal(400, "the body is not JSON") from error
    if not isinstance(content, dict):
        raise Refusal(400, "the body is not a JSON object")
    hints = get_type_hints(kind)
    names = {one.name: one for one in fields(kind)}  # type: ignore[arg-type]
    for name in content:
        if name not in names:
            raise Refusal(
                400, f"the body has no field {name[:80]!r}{nearest(name[:80], names)}; there are: {', '.join(names)}"
            )
    for name, one in names.items():
        if name not in content and one.default is MISSING and one.default_factory is MISSING:
            raise Refusal(400, f"the body needs the field {name!r}")
    return kind(**{name: _body_value(name, value, hints[name]) for name, value in content.items()})


def _body_value(name: str, value: Any, hint: Any) -> Any:
    choices = get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    if value is None and type(None) in choices:
        return None
    for choice in choices:
        kind = get_origin(choice) or choice
        if kind is not type(None) and isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
            return _check_size(name, value)
    raise Refusal(400, f"{name} is not {_WORDS.get(get_origin(choices[0]) or choices[0], 'of the right kind')}")


def _check_size(name: str, value: Any) -> Any:
    if isinstance(value, str) and (len(value) > _MOST_CHARACTERS or "\0" in value):
        raise Refusal(
            413 if len(value) > _MOST_CHARACTERS else 400,
            f"{name}: a text of at most {_MOST_CHARACTERS} characters, without the character 0",
        )
    if isinstance(value, int) and abs(value) >= 1 << 62:
        raise Refusal(400, f"{name}: the number is too large")
    return value
