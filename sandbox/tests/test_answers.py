"""Answers to interactions over plain HTTP: which types fit, what a token reaches, what stays secret."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass
from typing import Any

import pytest

from discord_sandbox import Permission, Reply, Sandbox
from discord_sandbox.model.wire import JsonObject
from tests.conftest import Answer, Api


@dataclass(slots=True)
class Act:
    """A person's act that waits for its answer, and the payload the bot's gateway would have brought."""

    api: Api
    payload: JsonObject
    reply: asyncio.Task[Reply]

    async def answer(self, body: JsonObject, *, full: bool = True) -> Answer:
        """Send a callback."""
        query = "?with_response=true" if full else ""
        return await self.api(
            "POST", f"/interactions/{self.payload['id']}/{self.payload['token']}/callback{query}", body
        )

    async def hook(self, method: str, rest: str = "", body: JsonObject | None = None) -> Answer:
        """Use the interaction's webhook."""
        path = f"/webhooks/{self.payload['application_id']}/{self.payload['token']}"
        return await self.api(method, path + (f"/messages/{rest}" if rest else ""), body)


class Table:
    """Opens acts of Alice's in the lobby without a bot that would answer them."""

    def __init__(self, sandbox: Sandbox, api: Api) -> None:
        self.sandbox = sandbox
        self.api = api
        self.lobby = sandbox.channel("lobby")
        self._tasks: list[asyncio.Task[Reply]] = []

    async def slash(self) -> Act:
        """Alice types /ping."""
        return await self.opened(self.sandbox.user("Alice").slash(self.lobby, "ping"))

    async def press(self, custom_id: str, who: str = "Alice") -> Act:
        """Someone presses a button of the newest message they see."""
        person = self.sandbox.user(who)
        message = next(
            each
            for each in reversed(self.lobby.seen_by(person))
            if any(button.custom_id == custom_id for button in each.buttons)
        )
        return await self.opened(person.press(message, custom_id=custom_id))

    async def opened(self, act: Coroutine[Any, Any, Reply]) -> Act:
        """Start any act; return once the bot has been told of it."""
        before = len(self.sandbox.transcript.events)
        task = asyncio.create_task(act)
        self._tasks.append(task)
        await self.sandbox.wait_for(lambda: len(self.sandbox.transcript.events) > before)
        return Act(self.api, self.sandbox.transcript.events[-1].data, task)

    async def close(self) -> None:
        """Let unanswered acts fail."""
        self.sandbox.advance(4)
        await asyncio.gather(*self._tasks)


@pytest.fixture
async def table(sandbox: Sandbox, api: Api) -> AsyncIterator[Table]:
    app = sandbox.world.application.id
    await api("PUT", f"/applications/{app}/commands", [{"name": "ping", "description": "Ping", "type": 1}])
    table = Table(sandbox, api)
    yield table
    await table.close()


def buttons(*custom_ids: str, **more: object) -> JsonObject:
    row = {"type": 1, "components": [{"type": 2, "style": 2, "label": each, "custom_id": each} for each in custom_ids]}
    return {"content": "buttons", "components": [row], **more}


async def test_the_payload_says_where_who_and_what_is_allowed(table: Table) -> None:
    table.lobby.deny(Permission.SEND_MESSAGES)
    payload = (await table.slash()).payload
    server = table.sandbox.server()
    assert payload["guild_id"] == str(server.id)
    assert payload["guild"] == {"id": str(server.id), "locale": "en-US", "features": []}
    assert payload["channel"]["id"] == payload["channel_id"] == str(table.lobby.id)
    assert payload["member"]["user"]["username"] == "alice"
    assert (payload["locale"], payload["guild_locale"], payload["context"]) == ("en-US", "en-US", 0)
    assert payload["authorizing_integration_owners"] == {"0": str(server.id)}
    assert payload["entitlements"] == []
    assert not int(payload["app_permissions"]) & Permission.SEND_MESSAGES
    assert int(payload["app_permissions"]) & Permission.VIEW_CHANNEL
    assert int(payload["channel"]["permissions"]) & Permission.SEND_MESSAGES


async def test_with_response_tells_what_came_of_it(table: Table) -> None:
    act = await table.slash()
    answer = await act.answer({"type": 4, "data": {"content": "pong", "flags": 64}})
    assert answer.status == 200
    assert answer.body["interaction"]["response_message_ephemeral"] is True
    assert answer.body["resource"]["message"]["content"] == "pong"
    assert (await act.reply).text == "pong"


async def test_without_response_it_is_204(table: Table) -> None:
    act = await table.slash()
    answer = await act.answer({"type": 4, "data": {"content": "pong"}}, full=False)
    assert (answer.status, answer.body) == (204, None)


async def test_a_faulty_answer_is_50035_under_data_and_leaves_it_open(table: Table) -> None:
    act = await table.slash()
    refused = await act.answer({"type": 4, "data": buttons("a", "a")})
    assert refused.faults("data", "components", 0, "components", 1, "custom_id")
    assert not act.reply.done()
    assert (await act.answer({"type": 4, "data": {"content": "pong"}})).status == 200


@pytest.mark.parametrize("kind", [1, 6, 7, 8, 10])
async def test_a_command_is_not_answered_by_an_update_or_choices(table: Table, kind: int) -> None:
    act = await table.slash()
    refused = await act.answer({"type": kind, "data": {"content": "x"}})
    assert refused.faults("type") == ["BASE_TYPE_CHOICES"]


async def test_a_modal_is_refused_with_its_limits(table: Table) -> None:
    act = await table.slash()
    field = {"type": 4, "custom_id": "f", "style": 1, "label": "x" * 46}
    row = {"type": 1, "components": [field]}
    refused = await act.answer({"type": 9, "data": {"title": "x" * 46, "custom_id": "m", "components": [row] * 6}})
    assert refused.faults("data", "title") == ["BASE_TYPE_BAD_LENGTH"]
    assert refused.faults("data", "components") == ["BASE_TYPE_BAD_LENGTH"]
    one = await act.answer({"type": 9, "data": {"title": "t", "custom_id": "m", "components": [row]}})
    assert one.faults("data", "components", 0, "components", 0, "label") == ["BASE_TYPE_BAD_LENGTH"]


async def test_a_modal_is_not_answered_by_a_modal(table: Table) -> None:
    act = await table.slash()
    modal = {
        "title": "t",
        "custom_id": "m",
        "components": [{"type": 1, "components": [{"type": 4, "custom_id": "f", "style": 1, "label": "l"}]}],
    }
    await act.answer({"type": 9, "data": modal})
    alice = table.sandbox.user("Alice")
    submitted = await table.opened(alice.submit((await act.reply).modal, {"f": "v"}))
    assert submitted.payload["data"]["components"][0]["components"][0]["value"] == "v"
    assert (await submitted.answer({"type": 9, "data": modal})).faults("type") == ["BASE_TYPE_CHOICES"]
    assert (await submitted.answer({"type": 4, "data": {"content": "ok"}})).status == 200
    assert (await submitted.reply).text == "ok"


async def test_follow_ups_wait_for_the_first_response(table: Table) -> None:
    act = await table.slash()
    early = await act.hook("POST", body={"content": "x"})
    assert (early.status, early.code) == (404, 10015)


async def test_original_is_read_edited_and_deleted(table: Table) -> None:
    act = await table.slash()
    await act.answer({"type": 4, "data": {"content": "pong", "flags": 64}})
    assert (await act.hook("GET", "@original")).body["content"] == "pong"
    edited = await act.hook("PATCH", "@original", {"content": "pong again"})
    assert (edited.body["content"], edited.body["flags"]) == ("pong again", 64)
    assert (await act.hook("DELETE", "@original")).status == 204
    assert (await act.hook("GET", "@original")).code == 10008


async def test_follow_ups_are_messages_of_their_own(table: Table) -> None:
    act = await table.slash()
    first = await act.answer({"type": 4, "data": {"content": "pong"}})
    sent = await act.hook("POST", body={"content": "more", "flags": 64})
    assert sent.body["message_reference"]["message_id"] == first.body["resource"]["message"]["id"]
    changed = await act.hook("PATCH", sent.body["id"], {"content": "even more"})
    assert changed.body["content"] == "even more"
    assert (await act.hook("GET", sent.body["id"])).body["content"] == "even more"
    assert (await act.hook("DELETE", sent.body["id"])).status == 204


async def test_an_ephemeral_message_is_out_of_reach_but_for_its_tokens(table: Table) -> None:
    act = await table.slash()
    made = await act.answer({"type": 4, "data": buttons("again", flags=64)})
    message_id = made.body["resource"]["message"]["id"]
    by_bot = await table.api("PATCH", f"/channels/{table.lobby.id}/messages/{message_id}", {"content": "x"})
    assert by_bot.code == 10008
    stranger = await table.slash()
    await stranger.answer({"type": 4, "data": {"content": "other"}})
    assert (await stranger.hook("PATCH", message_id, {"content": "x"})).code == 10008
    pressed = await table.press("again")
    await pressed.answer({"type": 6})
    assert (await pressed.hook("PATCH", message_id, {"content": "by the press"})).status == 200
    assert (await pressed.hook("GET", "@original")).body["id"] == message_id


@pytest.mark.parametrize("kind", [4, 5, 9])
async def test_a_token_does_not_reach_the_pressed_message_that_its_interaction_left_as_it_was(
    table: Table, kind: int
) -> None:
    act = await table.slash()
    await act.answer({"type": 4, "data": buttons("more")})
    board = table.lobby.last
    pressed = await table.press("more", who="Bob")
    field = {"type": 4, "custom_id": "text", "style": 1, "label": "Text"}
    form = {"title": "Form", "custom_id": "form", "components": [{"type": 1, "components": [field]}]}
    data = form if kind == 9 else {"content": "for Bob", "flags": 64}
    assert (await pressed.answer({"type": kind, "data": data})).status == 200
    answers = [await pressed.hook(method, str(board.id), {"content": "x"}) for method in ("PATCH", "GET", "DELETE")]
    assert {(each.status, each.code) for each in answers} == {(404, 10008)}
    assert board.text.startswith("buttons")


@pytest.mark.parametrize("kind", [6, 7])
async def test_a_token_edits_the_public_message_that_its_press_has_updated(table: Table, kind: int) -> None:
    act = await table.slash()
    await act.answer({"type": 4, "data": buttons("more")})
    board = table.lobby.last
    pressed = await table.press("more", who="Bob")
    await pressed.answer({"type": kind, "data": {"content": "updated"}})
    for which in ("@original", str(board.id)):
        changed = await pressed.hook("PATCH", which, {"content": f"by {which}"})
        assert changed.body["id"] == str(board.id)
        assert board.text.startswith(f"by {which}")
    other = table.sandbox.world.application.id
    assert (await pressed.hook("PATCH", str(other), {"content": "x"})).code == 10008


async def test_five_edits_in_two_seconds_through_a_token_and_none_of_them_counts_for_the_bot(table: Table) -> None:
    act = await table.slash()
    await act.answer({"type": 4, "data": {"content": "pong"}})
    other = await table.slash()
    await other.answer({"type": 4, "data": {"content": "pong"}})
    table.sandbox.rate_limits.enforced = True
    table.sandbox.limits.requests_a_second = 0
    edits = [await act.hook("PATCH", "@original", {"content": str(number)}) for number in range(5)]
    assert [each.status for each in edits] == [200] * 5
    assert [each.headers["X-RateLimit-Remaining"] for each in edits] == ["4", "3", "2", "1", "0"]
    refused = await act.hook("PATCH", "@original", {"content": "x"})
    assert (refused.status, refused.body["global"]) == (429, False)
    assert 0 < refused.body["retry_after"] <= 2
    assert refused.headers["X-RateLimit-Scope"] == "user"
    assert (await other.hook("PATCH", "@original", {"content": "x"})).status == 200
    table.sandbox.advance(2)
    assert (await act.hook("PATCH", "@original", {"content": "x"})).status == 200


async def test_a_press_is_answered_by_a_new_message_that_points_back(table: Table) -> None:
    act = await table.slash()
    await act.answer({"type": 4, "data": buttons("more")})
    board = table.lobby.last
    pressed = await table.press("more", who="Bob")
    assert pressed.payload["message"]["id"] == str(board.id)
    assert pressed.payload["data"] == {"component_type": 2, "custom_id": "more", "id": 2}
    await pressed.answer({"type": 4, "data": {"content": "for Bob", "flags": 64}})
    reply = await pressed.reply
    assert reply.message.raw["message_reference"]["message_id"] == str(board.id)
    assert reply.message.raw["interaction_metadata"]["interacted_message_id"] == str(board.id)
    assert reply.visibility == "ephemeral"


async def test_a_press_on_what_is_gone_cannot_be_answered_by_an_update(table: Table) -> None:
    act = await table.slash()
    await act.answer({"type": 4, "data": buttons("more")})
    pressed = await table.press("more")
    table.sandbox.delete_message(table.lobby.last)
    assert (await pressed.answer({"type": 7, "data": {"content": "x"}})).code == 10008
    assert (await pressed.answer({"type": 4, "data": {"content": "x"}})).status == 200


async def test_answers_ping_users_alone_by_default(table: Table) -> None:
    act = await table.slash()
    bob = table.sandbox.user("Bob")
    answer = await act.answer({"type": 4, "data": {"content": f"{bob.mention} @everyone"}})
    message = answer.body["resource"]["message"]
    assert [each["username"] for each in message["mentions"]] == ["bob"]
    assert message["mention_everyone"] is False


async def test_the_transcript_knows_who_sees_what(table: Table) -> None:
    alice, bob = table.sandbox.user("Alice"), table.sandbox.user("Bob")
    act = await table.slash()
    await act.answer({"type": 4, "data": {"content": "ace of spades", "flags": 64}})
    await act.hook("PATCH", "@original", {"content": "two of spades"})
    await act.hook("POST", body={"content": "for all"})
    secret = [each for each in table.sandbox.transcript.requests if b"of spades" in each.raw]
    assert [each.audience for each in secret] == [alice.id, alice.id]
    assert all(each in table.sandbox.transcript.seen_by(alice.id) for each in secret)
    shown_to_bob = table.sandbox.transcript.seen_by(bob.id)
    assert not any(each in shown_to_bob for each in secret)
    assert [each.body for each in table.sandbox.transcript.seen_by(None)] == [{"content": "for all"}]
    orders = [each.order for each in table.sandbox.transcript]
    assert orders == sorted(orders)


async def test_interactions_are_no_part_of_the_rate_limit(table: Table) -> None:
    act = await table.slash()
    answer = await act.answer({"type": 4, "data": {"content": "pong"}})
    assert not any(name.lower().startswith("x-ratelimit") for name in answer.headers)


async def _brought_along(table: Table) -> None:
    """Alice has installed the application for herself; the server has thrown its bot out."""
    app = table.sandbox.world.application.id
    personal = {"name": "ping", "description": "Ping", "type": 1, "integration_types": [1], "contexts": [0]}
    await table.api("PUT", f"/applications/{app}/commands", [personal])
    for name in ("Alice", "Bob"):
        table.sandbox.user(name).user.has_installed = True
    table.sandbox.remove_bot()


async def test_an_application_brought_along_follows_up_five_times(table: Table) -> None:
    await _brought_along(table)
    act = await table.slash()
    assert act.payload["authorizing_integration_owners"] == {"1": str(table.sandbox.user("Alice").id)}
    await act.answer({"type": 4, "data": {"content": "pong"}})
    for number in range(5):
        assert (await act.hook("POST", body={"content": str(number)})).status == 200
    refused = await act.hook("POST", body={"content": "six"})
    assert (refused.status, refused.code) == (400, 40094)


async def test_who_may_not_use_external_applications_is_answered_in_private(table: Table) -> None:
    await _brought_along(table)
    bob = table.sandbox.user("Bob")
    table.lobby.deny(Permission.USE_EXTERNAL_APPS, member=bob)
    act = await table.opened(bob.slash(table.lobby, "ping"))
    await act.answer({"type": 4, "data": {"content": "pong"}})
    assert (await act.reply).visibility == "ephemeral"
    act = await table.slash()
    await act.answer({"type": 4, "data": {"content": "pong"}})
    assert (await act.reply).visibility == "public"


async def test_a_thread_that_is_locked_takes_no_answer(table: Table) -> None:
    path = f"/channels/{table.lobby.id}/threads"
    await table.api("POST", path, {"name": "talk", "type": 11})
    (thread,) = table.lobby.threads
    act = await table.opened(table.sandbox.user("Alice").slash(thread, "ping"))
    thread.archive(locked=True)
    refused = await act.answer({"type": 4, "data": {"content": "pong"}})
    assert (refused.status, refused.code) == (400, 50083)
    thread.record.as_thread.locked = False
    assert (await act.answer({"type": 4, "data": buttons("more")})).status == 200
    assert not thread.archived
    thread.archive()
    assert (await act.hook("PATCH", "@original", {"content": "later"})).code == 50083


async def test_only_the_bots_own_coming_is_told_without_the_members_intent(table: Table) -> None:
    bob = table.sandbox.user("Bob")
    await table.api("POST", f"/channels/{table.lobby.id}/threads", {"name": "talk", "type": 11})
    (thread,) = table.lobby.threads
    heard: list[str] = []
    table.sandbox.backend.feed.listen(lambda event: heard.append(event.name))
    assert (await table.api("PUT", f"/channels/{thread.id}/thread-members/{bob.id}")).status == 204
    assert heard == []
    table.sandbox.world.application.allowed_intents |= 1 << 1
    assert (await table.api("DELETE", f"/channels/{thread.id}/thread-members/@me")).status == 204
    assert (await table.api("PUT", f"/channels/{thread.id}/thread-members/@me")).status == 204
    assert heard == ["THREAD_MEMBERS_UPDATE"] * 2
