"""The JSON form of a tree: every node is an object whose ``kind`` names it, with its fields beside."""

from __future__ import annotations

import re
from typing import Any, Final, get_args

from paberki.errors import QueryError
from paberki.query.syntax import tree
from paberki.query.syntax.tree import Node, Pattern
from paberki.record import Record

_WORD: Final = re.compile(r"(?<!^)(?=[A-Z])")
_CLASSES: Final[dict[str, type[Record]]] = {_WORD.sub("_", one.__name__).lower(): one for one in get_args(Node)}
_KINDS: Final = {one: kind for kind, one in _CLASSES.items()}


def to_json(node: Node) -> dict[str, Any]:
    """A node as an object; fields that have their default value are left out."""
    content: dict[str, Any] = {"kind": _KINDS[type(node)]}
    for name in node.fields:
        value = getattr(node, name)
        if name != "at" and (name not in node.defaults or value != node.defaults[name]):
            content[name] = _value_to_json(value)
    return content


def _value_to_json(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_value_to_json(one) for one in value]
    return to_json(value) if type(value) in _KINDS else value


def from_json(content: dict[str, Any]) -> Pattern:
    """The pattern of an object; an error names what cannot be understood."""
    pattern = _node(content)
    if not isinstance(pattern, get_args(tree.Pattern)):
        raise QueryError(f"the tree's outermost node is of kind {content.get('kind')!r}, which is no pattern")
    return pattern  # type: ignore[no-any-return]


def _node(content: dict[str, Any]) -> Any:
    kind = content.get("kind")
    if not isinstance(kind, str) or kind not in _CLASSES:
        raise QueryError(f"the tree has a node of kind {kind!r}, which does not exist")
    node_class = _CLASSES[kind]
    names = set(node_class.fields) - {"at"}
    if unknown := set(content) - names - {"kind"}:
        raise QueryError(f"a node of kind {kind!r} has no field {min(unknown)!r}")
    try:
        return node_class(**{name: _value(content[name]) for name in names & set(content)})
    except TypeError as error:
        raise QueryError(f"a node of kind {kind!r} is not complete: {error}") from None


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_value(one) for one in value)
    return _node(value) if isinstance(value, dict) else value
