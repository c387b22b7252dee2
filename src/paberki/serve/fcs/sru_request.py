"""Requests of SRU 2.0 and 1.2: operation, version, numbers; what is wrong becomes a diagnostic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from paberki.serve.fcs.diagnostics import SruError, sru

Operation = Literal["explain", "searchRetrieve"]
RESOURCE_SCHEMA: Final = "http://clarin.eu/fcs/resource"
EXPLAIN_SCHEMA: Final = "http://explain.z3950.org/dtd/2.0/"
DEFAULT_RECORDS, MOST_RECORDS = 250, 1000
_LEGACY: Final = ("1.1", "1.2")
_NEW: Final = "2.0"
_DIGITS: Final = 9


@dataclass(frozen=True, slots=True)
class SruRequest:
    """A request that makes sense."""

    operation: Operation
    version: str
    query: str = ""
    query_type: str = "cql"
    start: int = 1
    size: int = DEFAULT_RECORDS
    escaped: bool = False
    """Records come as text."""
    contexts: tuple[str, ...] = ()
    """Identifiers of the resources that are asked; all without a list."""
    views: tuple[str, ...] = ()
    """Data views that are wanted in addition."""
    describes: bool = False
    """An endpoint description is wanted."""
    parameters: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_legacy(self) -> bool:
        """The answer is one of SRU 1.x."""
        return self.version in _LEGACY


def version_of(parameters: Mapping[str, str]) -> str:
    """The version that an answer has, also where the request is wrong."""
    version = parameters.get("version")
    if version in (*_LEGACY, _NEW):
        return version
    return "1.2" if "operation" in parameters else _NEW


def read_request(parameters: Mapping[str, str]) -> SruRequest:
    """The request of some parameters."""
    version = parameters.get("version")
    if version is not None and version not in (*_LEGACY, _NEW):
        raise SruError(sru(5, _NEW))
    operation = _operation(parameters)
    _check_packing(parameters)
    if operation == "explain":
        describes = parameters.get("x-fcs-endpoint-description", "").lower() == "true"
        return SruRequest(operation, version_of(parameters), describes=describes, parameters=parameters)
    return _search_request(parameters)


def _operation(parameters: Mapping[str, str]) -> Operation:
    operation = parameters.get("operation")
    if operation is None:
        if "scanClause" in parameters:
            raise SruError(sru(4, "scan"))
        return "searchRetrieve" if "query" in parameters else "explain"
    if operation == "explain":
        return "explain"
    if operation == "searchRetrieve":
        return "searchRetrieve"
    raise SruError(sru(4, operation[:80]))


def _check_packing(parameters: Mapping[str, str]) -> None:
    is_new = version_of(parameters) == _NEW
    packings = ("packed", "unpacked", "xml", "string") if is_new else ("xml", "string")
    for name, choices in (("recordPacking", packings), ("recordXMLEscaping", ("xml", "string"))):
        if parameters.get(name) not in (None, *choices):
            raise SruError(sru(71, parameters[name][:80]))


def _search_request(parameters: Mapping[str, str]) -> SruRequest:
    if not parameters.get("query", "").strip():
        raise SruError(sru(7, "query"))
    query_type = parameters.get("queryType") or "cql"
    if query_type not in ("cql", "fcs"):
        raise SruError(sru(6, f"queryType: {query_type[:80]}"))
    schema = parameters.get("recordSchema")
    if schema not in (None, "", RESOURCE_SCHEMA, "fcs"):
        raise SruError(sru(66, schema[:200] if schema else ""))
    if parameters.get("sortKeys"):
        raise SruError(sru(80))
    return SruRequest(
        "searchRetrieve",
        version_of(parameters),
        parameters["query"],
        query_type,
        _number(parameters, "startRecord", 1, 1),
        min(_number(parameters, "maximumRecords", DEFAULT_RECORDS, 0), MOST_RECORDS),
        "string" in (parameters.get("recordPacking"), parameters.get("recordXMLEscaping")),
        _list(parameters.get("x-fcs-context")),
        _list(parameters.get("x-fcs-dataviews")),
        parameters=parameters,
    )


def _number(parameters: Mapping[str, str], name: str, default: int, least: int) -> int:
    text = parameters.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS) or int(text) < least:
        raise SruError(sru(6, f"{name}: {text[:80]}"))
    return int(text)


def _list(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())
