"""Answers of SRU 2.0 and 1.2 as XML: explain, endpoint description, records with their data views, diagnostics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final
from urllib.parse import quote

from paberki.export.standard_format.standard_xml import DECLARATION, attribute, text
from paberki.serve.fcs.diagnostics import Diagnostic
from paberki.serve.fcs.fcs_search import VIEWS, FcsAnswer, FcsRecord
from paberki.serve.fcs.resources import FcsResource
from paberki.serve.fcs.sru_request import (
    DEFAULT_RECORDS,
    EXPLAIN_SCHEMA,
    MOST_RECORDS,
    RESOURCE_SCHEMA,
    SruRequest,
)

_SRU2: Final = "http://docs.oasis-open.org/ns/search-ws/sruResponse"
_SRU1: Final = "http://www.loc.gov/zing/srw/"
_SCAN2: Final = "http://docs.oasis-open.org/ns/search-ws/scan"
_DIAGNOSTIC2: Final = "http://docs.oasis-open.org/ns/search-ws/diagnostic"
_DIAGNOSTIC1: Final = "http://www.loc.gov/zing/srw/diagnostic/"
_DESCRIPTION: Final = "http://clarin.eu/fcs/endpoint-description"
_CAPABILITIES: Final = ("basic-search", "advanced-search")
_VIEW_TYPES: Final = {"hits": "application/x-clarin-fcs-hits+xml", "adv": "application/x-clarin-fcs-adv+xml"}
_LAYER: Final = "http://clarin.eu/fcs/layer/{}"
_PRECISION: Final = "info:srw/vocabulary/resultCountPrecision/1/"


def layer_id(name: str) -> str:
    """The identifier of a layer in answers."""
    return _LAYER.format(name)


def explain_xml(request: SruRequest, resources: Sequence[FcsResource], host: str, port: int, base: str) -> bytes:
    """The answer to explain."""
    record = "".join(_explain_record(request, resources, host, port))
    parts = [_element("version", request.version), _record(request, EXPLAIN_SCHEMA, record, None)]
    parts.append(_echo("echoedExplainRequest", request.version, request.parameters))
    if request.describes:
        parts.append(_parent_element("extraResponseData", "".join(_description(resources, base))))
    return _response("explainResponse", request.version, parts)


def search_xml(request: SruRequest, answer: FcsAnswer, base: str) -> bytes:
    """The answer to searchRetrieve."""
    parts = [_element("version", request.version), _element("numberOfRecords", str(answer.total))]
    records = [
        _record(request, RESOURCE_SCHEMA, "".join(_resource(one, base)), request.start + number)
        for number, one in enumerate(answer.records)
    ]
    if records:
        parts.append(_parent_element("records", "".join(records)))
    following = request.start + len(records)
    if records and following <= answer.total:
        parts.append(_element("nextRecordPosition", str(following)))
    parts.append(_echo("echoedSearchRetrieveRequest", request.version, request.parameters))
    if answer.diagnostics:
        parts.append(_diagnostics(request.version, answer.diagnostics))
    if not request.is_legacy:
        parts.append(_element("resultCountPrecision", _PRECISION + ("exact" if answer.is_exact else "minimum")))
    return _response("searchRetrieveResponse", request.version, parts)


def diagnostics_xml(
    version: str, operation: str, diagnostics: Sequence[Diagnostic], parameters: Mapping[str, str]
) -> bytes:
    """An answer that holds diagnostics alone."""
    if operation == "scan":
        space = _SCAN2 if version == "2.0" else _SRU1
        content = f"{_element('version', version)}{_diagnostics(version, diagnostics)}"
        return f'{DECLARATION}<sru:scanResponse xmlns:sru="{space}">{content}</sru:scanResponse>\n'.encode(
            "utf-8", "replace"
        )
    parts = [_element("version", version)]
    if operation == "searchRetrieve":
        parts.append(_element("numberOfRecords", "0"))
    echo = "echoedSearchRetrieveRequest" if operation == "searchRetrieve" else "echoedExplainRequest"
    parts += [_echo(echo, version, parameters), _diagnostics(version, diagnostics)]
    name = "searchRetrieveResponse" if operation == "searchRetrieve" else "explainResponse"
    return _response(name, version, parts)


def _response(name: str, version: str, parts: Iterable[str]) -> bytes:
    space = _SRU2 if version == "2.0" else _SRU1
    return f'{DECLARATION}<sru:{name} xmlns:sru="{space}">{"".join(parts)}</sru:{name}>\n'.encode("utf-8", "replace")


def _element(name: str, value: str) -> str:
    return f"<sru:{name}>{text(value)}</sru:{name}>"


def _parent_element(name: str, content: str) -> str:
    return f"<sru:{name}>{content}</sru:{name}>"


def _echo(name: str, version: str, parameters: Mapping[str, str]) -> str:
    """The parameters that were understood."""
    parameter_names = (
        ("query", "startRecord", "maximumRecords", "recordPacking", "recordSchema") if "Search" in name else ()
    )
    parts = [
        _element("version", version),
        *(_element(one, parameters[one]) for one in parameter_names if one in parameters),
    ]
    return _parent_element(name, "".join(parts))


def _record(request: SruRequest, schema: str, data: str, position: int | None) -> str:
    packing = "recordPacking" if request.is_legacy else "recordXMLEscaping"
    parts = [
        _element("recordSchema", schema),
        _element(packing, "string" if request.escaped else "xml"),
        _element("recordData", data) if request.escaped else _parent_element("recordData", data),
    ]
    if position is not None:
        parts.append(_element("recordPosition", str(position)))
    return _parent_element("record", "".join(parts))


def _diagnostics(version: str, diagnostics: Sequence[Diagnostic]) -> str:
    space = _DIAGNOSTIC2 if version == "2.0" else _DIAGNOSTIC1
    items = []
    for one in diagnostics:
        parts = [f"<diag:uri>{text(one.uri)}</diag:uri>"]
        parts += [f"<diag:details>{text(one.details)}</diag:details>"] if one.details else []
        parts += [f"<diag:message>{text(one.message)}</diag:message>"] if one.message else []
        items.append(f'<diag:diagnostic xmlns:diag="{space}">{"".join(parts)}</diag:diagnostic>')
    return _parent_element("diagnostics", "".join(items))


def _explain_record(request: SruRequest, resources: Sequence[FcsResource], host: str, port: int) -> Iterator[str]:
    title = resources[0].title if resources else "paberki"
    yield f'<zr:explain xmlns:zr="{EXPLAIN_SCHEMA}">'
    yield f'<zr:serverInfo protocol="SRU" version="{request.version}" transport="http https">'
    yield f"<zr:host>{text(host)}</zr:host><zr:port>{port}</zr:port><zr:database>fcs</zr:database></zr:serverInfo>"
    yield f'<zr:databaseInfo><zr:title lang="en" primary="true">{text(title)}</zr:title></zr:databaseInfo>'
    yield f'<zr:indexInfo><zr:set identifier="{RESOURCE_SCHEMA}" name="fcs">'
    yield '<zr:title lang="en" primary="true">CLARIN Content Search</zr:title></zr:set>'
    yield '<zr:index search="true" scan="false" sort="false"><zr:title lang="en" primary="true">Words</zr:title>'
    yield '<zr:map primary="true"><zr:name set="fcs">words</zr:name></zr:map></zr:index></zr:indexInfo>'
    yield f'<zr:schemaInfo><zr:schema identifier="{RESOURCE_SCHEMA}" name="fcs">'
    yield '<zr:title lang="en" primary="true">CLARIN Content Search</zr:title></zr:schema></zr:schemaInfo>'
    yield f'<zr:configInfo><zr:default type="numberOfRecords">{DEFAULT_RECORDS}</zr:default>'
    yield f'<zr:setting type="maximumRecords">{MOST_RECORDS}</zr:setting></zr:configInfo></zr:explain>'


def _description(resources: Sequence[FcsResource], base: str) -> Iterator[str]:
    """What the endpoint can do and which resources it has (FCS 2, endpoint description version 2)."""
    layers = list(dict.fromkeys(layer for one in resources for layer in one.layers))
    yield f'<ed:EndpointDescription xmlns:ed="{_DESCRIPTION}" version="2"><ed:Capabilities>'
    for name in _CAPABILITIES:
        yield f"<ed:Capability>http://clarin.eu/fcs/capability/{name}</ed:Capability>"
    yield "</ed:Capabilities><ed:SupportedDataViews>"
    for view in VIEWS:
        yield f'<ed:SupportedDataView id="{view}" delivery-policy="send-by-default">{_VIEW_TYPES[view]}'
        yield "</ed:SupportedDataView>"
    yield "</ed:SupportedDataViews><ed:SupportedLayers>"
    for layer in layers:
        yield f'<ed:SupportedLayer id="{layer}" result-id="{layer_id(layer)}">{layer}</ed:SupportedLayer>'
    yield "</ed:SupportedLayers><ed:Resources>"
    for resource in resources:
        yield from _resource_xml(resource, base)
    yield "</ed:Resources></ed:EndpointDescription>"


def _resource_xml(resource: FcsResource, base: str) -> Iterator[str]:
    yield f'<ed:Resource pid="{attribute(resource.pid)}">'
    yield f'<ed:Title xml:lang="en">{text(resource.title)}</ed:Title>'
    if resource.description:
        yield f'<ed:Description xml:lang="en">{text(resource.description)}</ed:Description>'
    yield f"<ed:LandingPageURI>{text(base)}/?corpus={quote(resource.edition.name)}</ed:LandingPageURI><ed:Languages>"
    yield "".join(f"<ed:Language>{text(code)}</ed:Language>" for code in resource.languages)
    yield f'</ed:Languages><ed:AvailableDataViews ref="{" ".join(VIEWS)}"/>'
    yield f'<ed:AvailableLayers ref="{" ".join(resource.layers)}"/></ed:Resource>'


def _resource(record: FcsRecord, base: str) -> Iterator[str]:
    address = record.url or f"{base}/?corpus={quote(record.resource.edition.name)}"
    yield f'<fcs:Resource xmlns:fcs="{RESOURCE_SCHEMA}" pid="{attribute(record.resource.pid)}" ref="{attribute(address)}">'
    yield f'<fcs:ResourceFragment ref="{attribute(address)}"><fcs:DataView type="{_VIEW_TYPES["hits"]}">'
    yield '<hits:Result xmlns:hits="http://clarin.eu/fcs/dataview/hits">'
    yield f"{text(record.left)}<hits:Hit>{text(record.node)}</hits:Hit>{text(record.right)}</hits:Result></fcs:DataView>"
    yield f'<fcs:DataView type="{_VIEW_TYPES["adv"]}">'
    yield '<adv:Advanced xmlns:adv="http://clarin.eu/fcs/dataview/advanced" unit="item"><adv:Segments>'
    count = len(record.layers["text"])
    yield "".join(f'<adv:Segment id="s{number}" start="{number}" end="{number}"/>' for number in range(1, count + 1))
    yield "</adv:Segments><adv:Layers>"
    for name, tokens in record.layers.items():
        yield f'<adv:Layer id="{layer_id(name)}">'
        for number, (value, _) in enumerate(tokens):
            mark = ' highlight="h1"' if record.first <= number < record.last else ""
            yield f'<adv:Span ref="s{number + 1}"{mark}>{text(value)}</adv:Span>'
        yield "</adv:Layer>"
    yield "</adv:Layers></adv:Advanced></fcs:DataView></fcs:ResourceFragment></fcs:Resource>"
