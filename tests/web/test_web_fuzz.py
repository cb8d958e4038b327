"""The OpenAPI document, fuzzed: whatever is sent, the answer is one that the document promises."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from servers import create

from rings import by_ring

schemathesis = pytest.importorskip("schemathesis")

# ruff: noqa: E402  (not imported where schemathesis is missing)
from schemathesis.checks import not_a_server_error
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from duels.server.api import ALL_ROUTES
from duels.server.openapi import openapi_document

pytest_plugins = ["schemathesis.pytest.plugin"]  # loaded here alone: it is slow to import
pytestmark = pytest.mark.slow

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
]
FEW = settings(
    max_examples=by_ring(15, long=400),
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


# Bad input may also be too large (413).
REFUSED = {"checks": {"negative_data_rejection": {"expected-statuses": ["4xx", "5xx"]}}}
# An event stream has no end; test_web_process.py is about those.
schema = schemathesis.openapi.from_dict(
    openapi_document(ALL_ROUTES), config=SchemathesisConfig.from_dict(REFUSED)
).exclude(path_regex="/events$")


@pytest.fixture(scope="module")
def seat(http):
    """A match on one screen, so that its secret may always move."""
    return create(http, "number-line-duel", "here", options={"numbers": 200})


@schema.parametrize()
@FEW
def test_anything_gets_a_promised_answer(case, http):
    case.call_and_validate(str(http.base_url), checks=CHECKS)


@schema.include(path_regex="match_id").parametrize()
@FEW
def test_anything_from_a_player_gets_a_promised_answer(case, http, seat):
    case.path_parameters["match_id"] = seat["id"]
    headers = {"Authorization": f"Bearer {seat['token']}"}
    case.call_and_validate(str(http.base_url), checks=CHECKS[:4], headers=headers)
