"""What is sent is declared once: reading it, its sentences and the OpenAPI document agree."""

from __future__ import annotations

import json

import pytest

from duels.server.api import ALL_ROUTES, ClassEventsQuery
from duels.server.openapi import openapi_document
from duels.service.problems import Problem
from duels.service.requests import (
    GameLine,
    HintQuery,
    JoinClass,
    NewMatch,
    NewMove,
    NewPair,
    PositionQuery,
    read_body,
    read_query,
)
from duels.service.routes import ROUTES

MATCH = {"game": "sequence-duel", "mode": "here"}


def refusal(kind, body):
    with pytest.raises(Problem) as refused:
        read_body(kind, body if isinstance(body, bytes) else json.dumps(body).encode())
    return refused.value.status, refused.value.detail


@pytest.mark.parametrize(
    ("kind", "body", "sentence"),
    [
        (NewMove, {"ply": -1, "move": 1}, "ply: must be a whole number from 0 to 1,000."),
        (NewMove, {"ply": True, "move": 1}, "ply: must be a whole number from 0 to 1,000."),
        (NewMove, {"ply": 10**30, "move": 1}, "ply: must be a whole number from 0 to 1,000."),
        (NewMove, {"ply": 0}, "Missing field: move."),
        (NewMove, {"ply": 0, "move": 1, "x": 2}, "Unknown field: x."),
        (NewMove, {"ply": 0, "move": 1, "a\u001b`b": 2}, "Unknown field: a�`b."),
        (
            NewMove,
            {"ply": 0, "move": 1.5},
            "move: must be text of at most 64 characters, a whole number of at most 15 digits or "
            "a list of 2 items.",
        ),
        (NewMatch, MATCH | {"mode": "alone"}, "mode: must be computer, friend or here."),
        (NewMatch, MATCH | {"first": "z"}, "first: must be 1, 2 or coin."),
        (NewMatch, MATCH | {"public": 1}, "public: must be true or false."),
        (NewMatch, MATCH | {"time_limit": 0}, "time_limit: must be a number from 0.1 to 86,400."),
        (NewMatch, MATCH | {"names": ["a"] * 3}, "names: must be a list of at most 2 items."),
        (
            NewMatch,
            MATCH | {"moves": ["1", "2" * 65]},
            "moves: item 2 must be text of at most 64 characters.",
        ),
        (
            GameLine,
            {"game": "x", "options": {"a": None}},
            "options: each value must be a whole number of at most 15 digits or text of at most "
            "200 characters.",
        ),
        (
            GameLine,
            {"game": "x", "options": {"a" * 41: 1}},
            "options: each name must be text of at most 40 characters.",
        ),
        (JoinClass, {"token": "short"}, "token: must be 20 to 100 letters, digits, - or _."),
        (
            JoinClass,
            {"token": "x" * 20 + "\n"},
            "token: must be 20 to 100 letters, digits, - or _.",
        ),
        (NewPair, {"pupils": ["one"]}, "pupils: must be a list of 2 items."),
        (NewMove, [1], "The body must be a JSON object."),
    ],
)
def test_a_wrong_value_is_refused_in_the_words_of_its_declaration(kind, body, sentence):
    assert refusal(kind, body) == (422, sentence)


@pytest.mark.parametrize(
    "body", [b'{"ply": 0, "ply": 1, "move": 1}', b'{"ply": NaN, "move": 1}', b"{", b"[" * 100_000]
)
def test_what_two_readers_could_read_differently_is_not_json(body):
    assert refusal(NewMove, body) == (400, "The body is not JSON.")


@pytest.mark.parametrize("text", [b'"\\ud800"', b'"\xed\xa0\x80"'])
def test_half_a_character_is_refused(text):
    status, sentence = refusal(NewMove, b'{"ply": 0, "move": ' + text + b"}")
    assert (status, "half a character" in sentence) == (422, True)


def test_numbers_in_a_query_are_text_and_unknown_names_are_ignored():
    assert read_query(HintQuery, {"stage": "2", "utm": "x"}).stage == 2
    assert read_query(ClassEventsQuery, {}).key == ""


@pytest.mark.parametrize("text", ["two", "1.0", "1e0", "+1", "0x1", "1_0", "٣", ""])
def test_a_number_in_a_query_has_only_digits(text):
    with pytest.raises(Problem, match=r"stage: must be a whole number from 1 to 4\."):
        read_query(HintQuery, {"stage": text})


def test_the_options_of_a_picture_are_all_other_names_of_its_query():
    found = read_query(PositionQuery, {"game": "sequence-duel", "moves": "6.3", "numbers": "20"})
    assert (found.moves, found.options) == ("6.3", {"numbers": "20"})


def test_the_openapi_document_has_every_route_and_every_reference():
    document = openapi_document(ALL_ROUTES)
    for route in ROUTES:
        assert route.method.lower() in document["paths"][route.path]
    schemas = document["components"]["schemas"]
    text = json.dumps(document)
    for name in text.split('"#/components/schemas/')[1:]:
        assert name.partition('"')[0] in schemas
    ids = [one["operationId"] for path in document["paths"].values() for one in path.values()]
    assert len({*ids}) == len(ids)


def test_the_openapi_document_says_how_an_event_stream_is_resumed():
    events = openapi_document(ALL_ROUTES)["paths"]["/api/matches/{match_id}/events"]["get"]
    assert ("header", "Last-Event-ID") in [(one["in"], one["name"]) for one in events["parameters"]]


def test_the_openapi_document_declares_the_bounds_that_are_read():
    schemas = openapi_document(ALL_ROUTES)["components"]["schemas"]
    ply = schemas["NewMove"]["properties"]["ply"]
    assert (ply["type"], ply["minimum"], ply["maximum"]) == ("integer", 0, 1000)
    assert schemas["NewMove"]["additionalProperties"] is False
    assert schemas["NewMatch"]["properties"]["mode"]["enum"] == ["computer", "friend", "here"]
