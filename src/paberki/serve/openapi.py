"""The OpenAPI 3.1 document, made from the list of addresses, the list of parameters and the dataclasses of answers."""

from __future__ import annotations

import re
import types
from collections.abc import Iterable, Sequence
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, get_args, get_origin, get_type_hints

from paberki.serve.api.address import PREFIX, Address
from paberki.serve.json_answers import ErrorAnswer
from paberki.serve.parameters import PARAMETERS, Parameter

__all__ = ["document"]

_ERRORS = {
    400: "the request is wrong", 401: "the read token is missing", 403: "the token is missing, or the server only reads",
    404: "there is no such thing", 408: "the body came too slowly", 409: "the corpus is another build, or not ready",
    413: "too long", 414: "the address is too long", 429: "too many requests", 503: "stopping, or the index is broken",
}  # fmt: skip
_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}
_PATH_NAME = re.compile(r"\{(\w+)\}")


def document(addresses: Sequence[Address], version: str) -> dict[str, Any]:
    """The whole document."""
    schemas: dict[str, Any] = {}
    failure = schema_of(ErrorAnswer, schemas)
    paths: dict[str, dict[str, Any]] = {}
    for one in addresses:
        paths.setdefault(f"{PREFIX}{one.path}", {})[one.method.lower()] = _operation(one, schemas, failure)
    return {
        "openapi": "3.1.0",
        "info": {"title": "paberki", "version": version, "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"}},
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": {"type": "apiKey", "in": "header", "name": "X-Paberki-Token"},
                "read": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def _operation(one: Address, schemas: dict[str, Any], failure: dict[str, Any]) -> dict[str, Any]:
    content = {one.media: {"schema": schema_of(one.result, schemas)} if one.result else {}}
    responses: dict[str, Any] = {"200": {"description": one.meaning, "content": content}}
    for status, meaning in _ERRORS.items():
        responses[str(status)] = {"description": meaning, "content": {"application/json": {"schema": failure}}}
    name = re.sub(r"\W+", "_", f"{one.method.lower()}{one.path}").strip("_")
    operation: dict[str, Any] = {
        "operationId": name,
        "summary": one.meaning,
        "description": " ".join((one.answer.__doc__ or "").split()),
        "parameters": [*_path_parameters(one.path), *_parameters(one.names, one.required_parameters)],
        "responses": responses,
    }
    if one.method != "GET":
        operation["security"] = [{"token": []}]
    if one.body is not None:
        body = {"application/json": {"schema": schema_of(one.body, schemas)}}
        operation["requestBody"] = {"required": True, "content": body}
    return operation


def _path_parameters(path: str) -> list[dict[str, Any]]:
    schema = {"type": "string", "minLength": 1, "maxLength": 200}
    return [{"name": name, "in": "path", "required": True, "schema": schema} for name in _PATH_NAME.findall(path)]


def _parameters(names: Iterable[str], required_names: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "query", "required": name in required_names, "description": PARAMETERS[name].meaning,
         "schema": _parameter_schema(PARAMETERS[name], is_required=name in required_names)}
        for name in names
    ]  # fmt: skip


def _parameter_schema(one: Parameter, *, is_required: bool) -> dict[str, Any]:
    default = {} if one.default is None else {"default": one.default}
    if one.kind is bool:
        return {"type": "boolean", **default}
    if one.kind is int:
        return {"type": "integer", "minimum": one.least, "maximum": one.most, **default}
    if is_required:
        return {"type": "string", "minLength": 1, "maxLength": one.most}
    return {"type": "string", "maxLength": one.most, **({"enum": list(one.choices)} if one.choices else {}), **default}


def schema_of(kind: Any, schemas: dict[str, Any]) -> dict[str, Any]:
    """The schema of a type; those of dataclasses are collected by name."""
    if is_dataclass(kind) and isinstance(kind, type):
        if kind.__name__ not in schemas:
            schemas[kind.__name__] = {}
            schemas[kind.__name__] = _object(kind, schemas)
        return {"$ref": f"#/components/schemas/{kind.__name__}"}
    if isinstance(kind, types.UnionType):
        return {"anyOf": [schema_of(part, schemas) for part in get_args(kind)]}
    if kind is type(None):
        return {"type": "null"}
    origin = get_origin(kind) or kind
    if origin in (list, tuple):
        return {"type": "array", "items": schema_of(get_args(kind)[0], schemas) if get_args(kind) else {}}
    if origin is dict:
        return {"type": "object"}
    return {"type": _PLAIN[origin]} if origin in _PLAIN else {}


def _object(kind: Any, schemas: dict[str, Any]) -> dict[str, Any]:
    hints = get_type_hints(kind)
    required_names = [one.name for one in fields(kind) if one.default is MISSING and one.default_factory is MISSING]
    description = " ".join((kind.__doc__ or "").split())
    properties = {one.name: schema_of(hints[one.name], schemas) for one in fields(kind)}
    return {"type": "object", "description": description, "properties": properties, "required": required_names}
