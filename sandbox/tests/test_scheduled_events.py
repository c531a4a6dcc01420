"""A server's scheduled events: made, changed and deleted by whom it may be, and passing by themselves in time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import discord
import pytest

from discord_sandbox import Permission, Sandbox
from tests.conftest import Api, allow_bot
from tests.line import line
from tests.sample_bot import SampleBot

HOUR = 3600.0
EVENTS = 1 << 16
"""The intent of scheduled events (https://discord.com/developers/docs/events/gateway#list-of-intents)."""


def at(sandbox: Sandbox, hours: float) -> datetime:
    """So many hours from now."""
    return datetime.fromtimestamp(sandbox.clock.now(), UTC) + timedelta(hours=hours)


def form(sandbox: Sandbox, **changed: object) -> dict[str, Any]:
    """What a request for an event has."""
    return {
        "name": "Card night",
        "privacy_level": 2,
        "entity_type": 3,
        "scheduled_start_time": at(sandbox, 1).isoformat(),
        "scheduled_end_time": at(sandbox, 3).isoformat(),
        "entity_metadata": {"location": "#lobby"},
        **changed,
    }


@pytest.fixture
def path(sandbox: Sandbox, bot: SampleBot) -> str:
    allow_bot(sandbox, Permission.CREATE_EVENTS)
    return f"/guilds/{sandbox.server().id}/scheduled-events"


async def test_an_event_is_made_changed_and_deleted(sandbox: Sandbox, bot: SampleBot, path: str) -> None:
    guild = bot.get_guild(sandbox.server().id)
    assert guild is not None
    event = await guild.create_scheduled_event(
        name="Card night",
        start_time=at(sandbox, 1),
        end_time=at(sandbox, 3),
        entity_type=discord.EntityType.external,
        privacy_level=discord.PrivacyLevel.guild_only,
        location="#lobby",
        description="Bring cards",
    )
    assert (event.status, event.location, event.description) == (discord.EventStatus.scheduled, "#lobby", "Bring cards")
    event = await event.edit(name="Quiz night", location="#quiz")
    assert (event.name, event.location, event.description) == ("Quiz night", "#quiz", "Bring cards")
    event = await event.start()
    assert (await guild.fetch_scheduled_event(event.id)).status is discord.EventStatus.active
    event = await event.end()
    assert event.status is discord.EventStatus.completed
    assert await guild.fetch_scheduled_events() == []
    await event.delete()
    with pytest.raises(discord.NotFound) as gone:
        await guild.fetch_scheduled_event(event.id)
    assert gone.value.code == 10070


async def test_what_is_no_event_has_its_fault_at_its_path(sandbox: Sandbox, api: Api, path: str) -> None:
    async def faults(*where: str, **changed: object) -> list[str]:
        return (await api("POST", path, form(sandbox, **changed))).faults(*where)

    past, early = at(sandbox, -1).isoformat(), at(sandbox, 0.5).isoformat()
    assert await faults("name", name="x" * 101) == ["BASE_TYPE_BAD_LENGTH"]
    assert await faults("name", name=None) == ["BASE_TYPE_REQUIRED"]
    assert await faults("entity_type", entity_type=2) == ["BASE_TYPE_CHOICES"]
    assert await faults("scheduled_end_time", scheduled_end_time=None) == ["BASE_TYPE_REQUIRED"]
    assert await faults("scheduled_start_time", scheduled_start_time="soon") == ["DATE_TIME_TYPE_PARSE"]
    assert await faults("scheduled_start_time", scheduled_start_time=past) == ["GUILD_SCHEDULED_EVENT_SCHEDULE_PAST"]
    assert await faults("scheduled_end_time", scheduled_end_time=early) == [
        "GUILD_SCHEDULED_EVENT_END_DATE_BEFORE_START_DATE"
    ]
    assert await faults("entity_metadata", entity_metadata=None) == ["BASE_TYPE_REQUIRED"]
    assert await faults("entity_metadata", "location", entity_metadata={}) == ["BASE_TYPE_REQUIRED"]
    assert await faults("entity_metadata", "location", entity_metadata={"location": "x" * 101}) == [
        "BASE_TYPE_BAD_LENGTH"
    ]
    assert sandbox.server().events == {}


async def test_a_status_follows_from_the_one_before_and_nothing_from_the_last(
    sandbox: Sandbox, api: Api, path: str
) -> None:
    async def made() -> str:
        return f"{path}/{(await api('POST', path, form(sandbox))).body['id']}"

    event = await made()
    assert (await api("PATCH", event, {"status": 3})).faults("status") == [
        "GUILD_SCHEDULED_EVENT_INVALID_STATUS_TRANSITION"
    ]
    assert (await api("PATCH", event, {"status": 2})).body["status"] == 2
    later = {"scheduled_start_time": at(sandbox, 2).isoformat()}
    assert (await api("PATCH", event, later)).faults("scheduled_start_time") == [
        "GUILD_SCHEDULED_EVENT_INVALID_START_BY_STATUS"
    ]
    assert (await api("PATCH", event, {"status": 4})).code == 50035
    assert (await api("PATCH", event, {"status": 3})).status == 200
    assert (await api("PATCH", event, {"name": "x"})).code == 180000
    other = await made()
    assert (await api("PATCH", other, {"status": 4})).body["status"] == 4
    assert (await api("GET", path)).body == []


async def test_events_begin_and_end_by_themselves(sandbox: Sandbox, api: Api, path: str) -> None:
    async with line(sandbox) as opened:
        await opened.identify(sandbox, intents=1 | EVENTS)
        event = f"{path}/{(await api('POST', path, form(sandbox))).body['id']}"
        assert (await opened.until("GUILD_SCHEDULED_EVENT_CREATE"))["d"]["entity_metadata"] == {"location": "#lobby"}
        await api("PATCH", event, {"scheduled_start_time": at(sandbox, 2).isoformat()})
        assert (await opened.until("GUILD_SCHEDULED_EVENT_UPDATE"))["d"]["status"] == 1
        sandbox.advance(1.5 * HOUR)
        assert (await api("GET", event)).body["status"] == 1  # its first time counts no more
        sandbox.advance(HOUR)
        assert (await opened.until("GUILD_SCHEDULED_EVENT_UPDATE"))["d"]["status"] == 2
        sandbox.advance(HOUR)
        assert (await opened.until("GUILD_SCHEDULED_EVENT_UPDATE"))["d"]["status"] == 3
        await api("DELETE", event)
        assert (await opened.until("GUILD_SCHEDULED_EVENT_DELETE"))["d"]["id"] == event.rpartition("/")[2]


async def test_only_who_has_the_permission_changes_events_and_those_of_others_need_another(
    sandbox: Sandbox, api: Api, path: str
) -> None:
    event = f"{path}/{(await api('POST', path, form(sandbox))).body['id']}"
    server = sandbox.server()
    (own,) = (each for each in server.roles.values() if each.managed_by is not None)
    own.permissions &= ~Permission.CREATE_EVENTS
    assert (await api("POST", path, form(sandbox))).code == 50013
    assert (await api("PATCH", event, {"status": 2})).code == 50013
    own.permissions |= Permission.CREATE_EVENTS
    (kept,) = server.events.values()
    kept.creator = sandbox.world.users[sandbox.user("Alice").id]
    assert (await api("DELETE", event)).code == 50013
    own.permissions |= Permission.MANAGE_EVENTS
    assert (await api("DELETE", event)).status == 204


async def test_a_server_has_a_hundred_that_are_not_over(sandbox: Sandbox, api: Api, path: str) -> None:
    first = f"{path}/{(await api('POST', path, form(sandbox))).body['id']}"
    for _ in range(99):
        assert (await api("POST", path, form(sandbox))).status == 200
    assert (await api("POST", path, form(sandbox))).code == 30038
    await api("PATCH", first, {"status": 4})
    assert (await api("POST", path, form(sandbox))).status == 200
