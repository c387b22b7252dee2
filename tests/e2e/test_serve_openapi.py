"""The API does what its own description says, for whatever requests can be made from it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)

from paberki.serve.asgi_app import create_app
from paberki.serve.server_settings import ServerSettings
from smallcorpus import make_index

TOKEN = "a-token-of-this-test"
CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The description of an application over a small index."""
    base = tmp_path_factory.mktemp("described")
    make_index(base)
    app = create_app(
        [Path(base / "index")], ServerSettings(token=TOKEN, edit=True, hosts=frozenset({"localhost", "testserver"}))
    )
    return schemathesis.openapi.from_asgi("/api/v1/openapi.json", app)


def test_answers_are_as_described(described: Any) -> None:
    for one in described.get_all_operations():
        operation = one.ok()

        @given(case=operation.as_strategy())
        @settings(max_examples=5, phases=[Phase.generate], suppress_health_check=list(HealthCheck), deadline=None)
        def answers_as_described(case: Any) -> None:
            case.call_and_validate(headers={"X-Paberki-Token": TOKEN}, checks=CHECKS)

        answers_as_described()


def test_the_description_names_all_addresses(described: Any) -> None:
    paths = set(described.raw_schema["paths"])
    names = """corpus attributes values parse hits jobs/{id} frequency collocations distribution dispersion trend words ngrams
        keywords sketch similar search pages/{id} pages/{id}/original pages/{id}/text pages/{id}/tokens pages/{id}/tree
        pages/{id}/explain clusters/{id} select crawl codings labels saved export hits/{job}/events"""
    assert {f"/api/v1/{name}" for name in names.split()} <= paths
    assert described.raw_schema["openapi"] == "3.1.0"
