"""CLARIN's federated content search (FCS 2) at ``/fcs``, over SRU 2.0 and 1.2."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from paberki.serve.fcs.diagnostics import SruError, sru
from paberki.serve.fcs.fcs_search import search
from paberki.serve.fcs.resources import resources
from paberki.serve.fcs.sru_request import SruRequest, read_request, version_of
from paberki.serve.fcs.sru_xml import diagnostics_xml, explain_xml, search_xml
from paberki.serve.json_answers import ErrorAnswer
from paberki.serve.service import ServiceCall, endpoint

__all__ = ["routes"]


def routes() -> list[BaseRoute]:
    """Addresses of this part."""
    return [Route("/fcs", endpoint(_answer, _complain), methods=["GET", "POST"], name="fcs")]


def _answer(call: ServiceCall) -> Response:
    parameters = _parameters(call)
    try:
        request = read_request(parameters)
        return _xml(_answer_xml(call, request))
    except SruError as error:
        return _xml(diagnostics_xml(version_of(parameters), _operation(parameters), error.diagnostics, parameters))


def _answer_xml(call: ServiceCall, request: SruRequest) -> bytes:
    url = call.request.url
    base = f"{url.scheme}://{url.netloc}"
    available_resources = resources(call.service.library)
    if request.operation == "explain":
        port = url.port or (443 if url.scheme == "https" else 80)
        return explain_xml(request, available_resources, url.hostname or "", port, base)
    return search_xml(request, search(call.service, available_resources, request), base)


def _complain(call: ServiceCall, status: int, failure: ErrorAnswer, headers: dict[str, str]) -> Response:
    """Whatever goes wrong is a diagnostic, too; SRU has no other errors."""
    parameters = _parameters(call)
    diagnostics = [sru(1, failure.error)]
    content = diagnostics_xml(version_of(parameters), _operation(parameters), diagnostics, parameters)
    return Response(content, status, {**headers, "Content-Type": "application/sru+xml; charset=utf-8"})


def _operation(parameters: dict[str, str]) -> str:
    operation = parameters.get("operation")
    if operation == "scan" or (operation is None and "scanClause" in parameters):
        return "scan"
    return (
        "searchRetrieve"
        if operation == "searchRetrieve" or (operation is None and "query" in parameters)
        else "explain"
    )


def _parameters(call: ServiceCall) -> dict[str, str]:
    form_fields = parse_qsl(call.body.decode("utf-8", "replace"), keep_blank_values=True) if call.body else []
    return {**call.parameters, **dict(form_fields)}


def _xml(content: bytes) -> Response:
    return Response(content, headers={"Content-Type": "application/sru+xml; charset=utf-8"})
