"""Answers hold what Discord's do: defaults filled in, nothing a client made up, faults told at one level of a part."""

from __future__ import annotations

import base64

import pytest

from discord_sandbox import Sandbox
from discord_sandbox.model.errors import ApiError, Faults
from tests.conftest import Api

V2 = 1 << 15


async def test_components_come_back_with_their_defaults_and_without_unknown_keys(sandbox: Sandbox, api: Api) -> None:
    path = f"/channels/{sandbox.channel('lobby').id}/messages"
    options = [{"label": "One", "value": "1", "emoji": {"id": None, "name": "🎲"}}]
    select = {"type": 3, "custom_id": "s", "options": options, "required": True}
    parts = [{"type": 10, "content": "text", "colour": 7}, {"type": 14}, {"type": 1, "components": [select]}]
    answer = await api("POST", path, {"flags": V2, "components": [{"type": 17, "components": parts}]})
    assert answer.body["components"] == [
        {
            "type": 17,
            "id": 1,
            "accent_color": None,
            "spoiler": False,
            "components": [
                {"type": 10, "id": 2, "content": "text"},
                {"type": 14, "id": 3, "spacing": 1, "divider": True},
                {
                    "type": 1,
                    "id": 4,
                    "components": [
                        {
                            "type": 3,
                            "id": 5,
                            "custom_id": "s",
                            "min_values": 1,
                            "max_values": 1,
                            "options": [{"label": "One", "value": "1", "emoji": {"name": "🎲"}}],
                        }
                    ],
                },
            ],
        }
    ]


@pytest.mark.parametrize(
    ("allowed", "pings"),
    [
        (None, True),
        ({"parse": []}, False),
        ({"parse": [], "replied_user": True}, True),
        ({"replied_user": False}, False),
    ],
)
async def test_a_reply_pings_whom_it_answers_unless_told_otherwise(
    sandbox: Sandbox, api: Api, allowed: object, pings: bool
) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    asked = alice.say(lobby, "well?")
    body = {"content": "yes", "message_reference": {"message_id": str(asked.id)}, "allowed_mentions": allowed}
    answer = await api("POST", f"/channels/{lobby.id}/messages", body)
    assert [each["id"] for each in answer.body["mentions"]] == ([str(alice.id)] if pings else [])


def test_a_part_with_faults_further_down_tells_of_these_alone() -> None:
    faults = Faults()
    faults.add(("options",), "OWN", "of the list")
    faults.add(("options", 0, "name"), "INNER", "of a name")
    faults.add(("name",), "OWN", "of another")
    with pytest.raises(ApiError) as refused:
        faults.check()
    assert refused.value.errors == {
        "options": {"0": {"name": {"_errors": [{"code": "INNER", "message": "of a name"}]}}},
        "name": {"_errors": [{"code": "OWN", "message": "of another"}]},
    }


async def test_the_token_begins_with_the_applications_id_in_base64() -> None:
    for plan, wanted in (
        ({}, "600000000000000001"),
        ({"application": {"id": "123456789012345678"}}, "123456789012345678"),
    ):
        sandbox = Sandbox(plan)
        first, *rest = sandbox.token.split(".")
        assert base64.b64decode(first + "=" * (-len(first) % 4)).decode() == wanted
        assert len(rest) == 2
