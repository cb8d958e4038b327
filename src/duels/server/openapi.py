"""The OpenAPI document, generated from the table of routes and the declared structs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec

from duels import __version__
from duels.core.errors import TITLE
from duels.server.events import EVENTS
from duels.service.problems import MEDIA_TYPE, ProblemBody
from duels.service.requests import JSON
from duels.service.routes import MATCH, Route
from duels.service.views import MatchView

Schema = dict[str, Any]
REFERENCE = "#/components/schemas/{name}"
TAGS = {
    "/api/matches": "matches",
    "/api/qr": "matches",
    "/api/classes": "classes",
    "/api/": "analysis",
    "/": "health",
}
"""The tag of a route, by the beginning of its path."""
DESCRIPTIONS = {
    400: "The request cannot be understood.",
    401: "The token of a seat is missing.",
    403: "The token gives no access here, or it is not your turn.",
    404: "There is nothing with this id.",
    409: "The match has moved on, and its state is in the response; "
    "or its game is not on this server.",
    413: "The body is too large.",
    422: "The request was understood, but it is invalid or breaks the rules.",
    429: "There are too many requests from one address.",
    503: "The database does not respond, the server is busy, or it is stopping; try again.",
}

LAST_EVENT_ID = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "The version that was seen last; a browser sends it when it reconnects.",
    "required": False,
    "schema": {"type": "string"},
}


@lru_cache(maxsize=4)
def openapi_document(routes: tuple[Route, ...], root_path: str = "") -> Schema:
    """Return the OpenAPI document of a server with these routes at this path."""
    kinds: set[type[Any]] = {ProblemBody, *(one.view for one in routes if one.view)}
    kinds |= {one.sent for one in routes if one.sent and one.sent is not bytes}
    ordered = sorted(kinds, key=lambda kind: kind.__name__)
    _, schemas = msgspec.json.schema_components(ordered, ref_template=REFERENCE)
    schemas["ProblemBody"]["properties"]["state"] = _reference(MatchView)
    paths: dict[str, Schema] = {}
    for one in routes:
        paths.setdefault(one.path, {})[one.method.lower()] = _described(one, schemas)
    for one in routes:
        if one.sent and one.method == "GET":
            schemas.pop(one.sent.__name__, None)  # its fields are parameters
    bearer = {"type": "http", "scheme": "bearer", "description": "The token of a seat or a class."}
    document: Schema = {
        "openapi": "3.1.0",
        "info": {
            "title": TITLE,
            "summary": "Two-player number games: play, watch, and get exact verdicts.",
            "version": __version__,
        },
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"HTTPBearer": bearer}},
    }
    return document | ({"servers": [{"url": root_path}]} if root_path else {})


def _described(one: Route, schemas: Schema) -> Schema:
    words, _, more = (inspect.getdoc(one.handler) or "").partition("\n\n")
    tag = next(tag for start, tag in TAGS.items() if one.path.startswith(start))
    described: Schema = {
        "tags": [tag],
        "summary": " ".join(words.split()),
        "operationId": f"{tag}_{one.handler.__name__}",
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in re.findall(r"\{(\w+)\}", one.path)
        ],
        "responses": {str(one.status): _success(one)}
        | {
            str(status): {
                "description": DESCRIPTIONS[status],
                "content": {MEDIA_TYPE: {"schema": _reference(ProblemBody)}},
            }
            for status in one.problems
        },
    }
    if one.path == f"{MATCH}/events":
        described["parameters"].append(LAST_EVENT_ID)
    if more:
        described["description"] = more
    if one.takes_token:
        described["security"] = [{"HTTPBearer": []}]
    if one.sent is bytes:
        described["requestBody"] = {"content": {"text/plain": {"schema": {"type": "string"}}}}
    elif one.sent and one.method == "GET":
        described["parameters"] += _query(schemas[one.sent.__name__])
    elif one.sent:
        required = bool(schemas[one.sent.__name__]["required"])
        content = {JSON: {"schema": _reference(one.sent)}}
        described["requestBody"] = {"required": required, "content": content}
    return described


def _success(one: Route) -> Schema:
    if one.view:
        description = " ".join((inspect.getdoc(one.view) or "").partition("\n\n")[0].split())
        return {"description": description, "content": {JSON: {"schema": _reference(one.view)}}}
    content: Schema = {kind: {"schema": {"type": "string"}} for kind in one.media_types}
    if EVENTS in content:
        return {"description": "Server-sent events.", "content": {EVENTS: {}}}
    return {"description": "The response as text.", "content": content}


def _query(schema: Schema) -> Iterator[Schema]:
    """Yield the fields of a struct as parameters."""
    for name, declared in schema["properties"].items():
        rest = {key: value for key, value in declared.items() if key != "description"}
        parameter = {"name": name, "in": "query", "required": name in schema["required"]}
        if "description" in declared:
            parameter["description"] = declared["description"]
        if declared.get("type") == "object":  # the options of a game, each under its own name
            parameter |= {"style": "form", "explode": True}
        yield parameter | {"schema": rest}


def _reference(kind: type[Any]) -> Schema:
    return {"$ref": REFERENCE.format(name=kind.__name__)}
