"""The judge itself: on a small invented description, each kind of fault is found and named where it is."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from discord_sandbox.openapi.description import Correction, Description
from discord_sandbox.openapi.deviations import Deviation
from discord_sandbox.openapi.faults import faults_of

DOCUMENT: dict[str, Any] = {
    "components": {
        "schemas": {
            "Id": {"type": "string", "pattern": "^[0-9]+$"},
            "Button": {
                "type": "object",
                "properties": {"type": {"const": 2}, "label": {"type": "string", "maxLength": 5}},
                "required": ["type", "label"],
            },
            "Row": {
                "type": "object",
                "properties": {
                    "type": {"const": 1},
                    "components": {"type": "array", "items": {"$ref": "#/components/schemas/Button"}},
                },
                "required": ["type", "components"],
            },
            "Message": {
                "type": "object",
                "properties": {
                    "id": {"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/Id"}]},
                    "at": {"type": "string", "format": "date-time"},
                    "components": {
                        "type": "array",
                        "items": {
                            "oneOf": [{"$ref": "#/components/schemas/Button"}, {"$ref": "#/components/schemas/Row"}]
                        },
                    },
                },
            },
            "Error": {"type": "object", "properties": {"code": {"type": "integer"}}, "required": ["code"]},
            "Whole": {
                "type": "object",
                "allOf": [
                    {"$ref": "#/components/schemas/Error"},
                    {"type": "object", "properties": {"errors": {"type": "object"}}},
                ],
            },
        },
        "responses": {"Refused": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Whole"}}}}},
    },
    "paths": {
        "/posts/{id}": {
            "get": {"responses": {"204": {}}},
            "parameters": [{"name": "id", "in": "path", "schema": {"type": "string"}}],
            "post": {
                "parameters": [
                    {"name": "wait", "in": "query", "schema": {"type": "boolean"}},
                    {"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 100}},
                    {"name": "ids", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}},
                ],
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Message"}}},
                },
                "responses": {
                    "200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Message"}}}},
                    "4XX": {"$ref": "#/components/responses/Refused"},
                },
            },
        },
        "/posts/@first": {"get": {"responses": {"200": {}}}},
    },
}


@pytest.fixture
def description() -> Description:
    return Description(copy.deepcopy(DOCUMENT))


def asked(description: Description, body: object) -> list[str]:
    operation = description.find("POST", "/posts/7")
    assert operation is not None
    return [str(fault) for fault in description.request_faults(operation, body)]


def told(description: Description, status: int, body: object) -> list[str]:
    operation = description.find("POST", "/posts/7")
    assert operation is not None
    return [str(fault) for fault in description.answer_faults(operation, status, body)]


def test_a_literal_path_goes_before_a_template(description: Description) -> None:
    assert str(description.find("GET", "/posts/@first")) == "GET /posts/@first"
    assert str(description.find("GET", "/posts/8")) == "GET /posts/{id}"
    assert description.find("DELETE", "/posts/8") is None
    assert description.find("GET", "/posts/8/more") is None


def test_what_is_described_has_no_fault(description: Description) -> None:
    row = {"type": 1, "components": [{"type": 2, "label": "Draw"}]}
    assert asked(description, {"id": "5", "at": "2026-08-01T00:00:00+00:00", "components": [row]}) == []
    assert told(description, 200, {}) == []
    assert told(description, 404, {"code": 10008, "errors": {"label": {}}}) == []


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (None, "(the body): no body where one is required"),
        ({"colour": 1}, "colour: is not declared"),
        ({"tts": False}, "tts: is not declared"),
        ({"at": "noon"}, 'at: "noon" is not a "date-time"'),
        ({"id": 123456789012345678}, 'id: <id> is not of type "string"'),
        ({"components": [{"type": 2}]}, "components[].label: is missing"),
        (
            {"components": [{"type": 2, "label": "Discard"}]},
            'components[].label: "Discard" is longer than 5 characters',
        ),
        (
            {"components": [{"type": 1, "components": [{"type": 2, "label": "a", "size": 1}]}]},
            "components[].components[].size: is not declared",
        ),
    ],
)
def test_each_fault_is_named_where_it_is(description: Description, body: object, fault: str) -> None:
    assert asked(description, body) == [fault]


@pytest.mark.parametrize("where", ["", "data", "message"])
def test_the_key_that_is_sent_with_nearly_every_message_hides_no_other_fault(where: str) -> None:
    message = {"type": "object", "properties": {"label": {"type": "string"}}, "unevaluatedProperties": False}
    within = {"type": "object", "properties": {where: message}, "unevaluatedProperties": False}
    judge = Draft202012Validator(within if where else message)
    at = f"{where}." if where else ""

    def found(body: object) -> list[str]:
        return [str(fault) for fault in faults_of(judge, {where: body} if where else body)]

    assert found({"label": "Draw"}) == []
    assert found({"label": "Draw", "tts": False}) == [f"{at}tts: is not declared"]
    assert sorted(found({"label": 1, "tts": False})) == [
        f'{at}label: 1 is not of type "string"',
        f"{at}tts: is not declared",
    ]
    declared = Draft202012Validator({"type": "object", "properties": {"tts": {"type": "boolean"}}})
    assert [str(fault) for fault in faults_of(declared, {"tts": "yes"})] == ['tts: "yes" is not of type "boolean"']


def test_an_answer_needs_its_status_and_its_body(description: Description) -> None:
    assert told(description, 302, None) == ["(the body): status 302 where 200, 4XX are described"]
    assert told(description, 400, {"code": "x"}) == ['code: "x" is not of type "integer"']
    assert told(description, 400, {"code": 1, "because": 1}) == ["because: is not declared"]
    operation = description.find("GET", "/posts/8")
    assert operation is not None
    assert [fault.what for fault in description.answer_faults(operation, 204, {})] == ["a body where none is described"]


@pytest.mark.parametrize(
    ("name", "text", "faults"),
    [
        ("wait", "true", []),
        ("wait", "1", []),
        ("wait", "maybe", ['?wait: "maybe" is not of type "boolean"']),
        ("limit", "100", []),
        ("limit", "101", ["?limit: 101 is greater than the maximum of 100"]),
        ("ids", "7", []),
        ("id", "7", ["?id: is not declared"]),
    ],
)
def test_parameters_are_read_as_what_they_may_stand_for(
    description: Description, name: str, text: str, faults: list[str]
) -> None:
    operation = description.find("POST", "/posts/7")
    assert operation is not None
    assert [str(fault) for fault in description.query_faults(operation, [(name, text)])] == faults


def test_a_correction_replaces_what_is_there_and_nothing_else() -> None:
    right = Correction(("Error", "properties", "code"), {"type": "string"}, "as it is")
    assert told(Description(copy.deepcopy(DOCUMENT), [right]), 400, {"code": "x"}) == []
    wrong = Correction(("Error", "properties", "kode"), {"type": "string"}, "as it is not")
    with pytest.raises(KeyError):
        Description(copy.deepcopy(DOCUMENT), [wrong])


def test_a_deviation_covers_whole_texts_of_its_own_side_alone() -> None:
    known = Deviation("request", "POST /posts/.*", r"tts: is not declared", "sent by a client")
    assert known.covers("request", "POST /posts/{id}", "tts: is not declared")
    assert not known.covers("answer", "POST /posts/{id}", "tts: is not declared")
    assert not known.covers("request", "PUT /posts/{id}", "tts: is not declared")
    assert not known.covers("request", "POST /posts/{id}", "data.tts: is not declared")
