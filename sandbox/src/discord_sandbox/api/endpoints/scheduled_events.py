"""A server's scheduled events that take place somewhere else: made, listed, changed and deleted.

Source: Discord's developer documentation, "List Scheduled Events for Guild" and the next. Those in voice and stage
channels, recurring ones, pictures and people who are interested aren't modelled.
"""

from __future__ import annotations

from datetime import datetime

from discord_sandbox.api.call import Call
from discord_sandbox.model import errors, payloads, permissions
from discord_sandbox.model.permissions import Permission
from discord_sandbox.model.state import EventStatus, ScheduledEvent, Server
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.service.scheduled_events import FOLLOWS
from discord_sandbox.validation.forms import REQUIRED, Form

_SOMEWHERE_ELSE = 3
_GUILD_ONLY = 2


def listed(call: Call) -> list[JsonObject]:
    """Those that aren't over."""
    server = call.server()
    return [payloads.scheduled_event(each, server.id) for each in server.coming_events]


def event(call: Call) -> JsonObject:
    server = call.server()
    return payloads.scheduled_event(_event(call, server), server.id)


def create(call: Call) -> JsonObject:
    server = call.server(Permission.CREATE_EVENTS)
    form = call.form()
    name = form.text("name", 1, 100, required=True) or ""
    form.one_of("privacy_level", (_GUILD_ONLY,), required=True)
    form.one_of("entity_type", (_SOMEWHERE_ELSE,), required=True)
    description = form.text("description", 0, 1000)
    starts_at = _moment(form, "scheduled_start_time")
    ends_at = _moment(form, "scheduled_end_time")
    location = _location(form.form("entity_metadata", required=True))
    made = ScheduledEvent(
        call.backend.world.snowflakes.next(), name, description, call.bot, starts_at, ends_at, location
    )
    _check_times(call, form, made)
    form.faults.check()
    call.backend.scheduled_events.add(server, made)
    return payloads.scheduled_event(made, server.id)


def change(call: Call) -> JsonObject:
    """Some of its fields, and how far it is."""
    server = call.server()
    found = _own(call, server)
    if found.over:
        raise errors.finished_event()
    form = call.form()
    status = form.one_of("status", [*EventStatus])
    form.one_of("privacy_level", (_GUILD_ONLY,))
    form.one_of("entity_type", (_SOMEWHERE_ELSE,))
    name, description = form.text("name", 1, 100), form.text("description", 0, 1000)
    place = form.form("entity_metadata")
    changed = ScheduledEvent(
        found.id,
        name or found.name,
        description if "description" in form.value else found.description,
        found.creator,
        _moment(form, "scheduled_start_time") if "scheduled_start_time" in form.value else found.starts_at,
        _moment(form, "scheduled_end_time") if "scheduled_end_time" in form.value else found.ends_at,
        found.location if place is None else _location(place),
    )
    if "scheduled_start_time" in form.value and found.status is not EventStatus.SCHEDULED:
        form.fault(
            "scheduled_start_time", "GUILD_SCHEDULED_EVENT_INVALID_START_BY_STATUS", "Event has already started."
        )
    elif changed.starts_at != found.starts_at or changed.ends_at != found.ends_at:
        _check_times(call, form, changed)
    if status is not None and status != found.status and status not in FOLLOWS[found.status]:
        form.fault("status", "GUILD_SCHEDULED_EVENT_INVALID_STATUS_TRANSITION", "Invalid status transition.")
    form.faults.check()
    found.name, found.description, found.location = changed.name, changed.description, changed.location
    found.starts_at, found.ends_at = changed.starts_at, changed.ends_at
    found.status = found.status if status is None else EventStatus(status)
    call.backend.scheduled_events.changed(server, found)
    return payloads.scheduled_event(found, server.id)


def delete(call: Call) -> None:
    server = call.server()
    call.backend.scheduled_events.delete(server, _own(call, server))


def _event(call: Call, server: Server) -> ScheduledEvent:
    found = server.events.get(call.number("event_id"))
    if found is None:
        raise errors.unknown_event()
    return found


def _own(call: Call, server: Server) -> ScheduledEvent:
    """The event in the address; raises ApiError 50013 unless the bot may change it."""
    found = _event(call, server)
    bits = permissions.in_server(server, server.members[call.bot.id])
    enough = bits & Permission.MANAGE_EVENTS or (found.creator is call.bot and bits & Permission.CREATE_EVENTS)
    if not enough:
        raise errors.missing_permissions()
    return found


def _moment(form: Form, key: str) -> float:
    """A moment, in seconds since 1970."""
    raw = form.text(key, 1, 100, required=True)
    try:
        return 0.0 if raw is None else datetime.fromisoformat(raw).timestamp()
    except ValueError:
        form.fault(key, "DATE_TIME_TYPE_PARSE", f"Could not parse {raw}. Should be ISO8601.")
        return 0.0


def _location(form: Form | None) -> str:
    if form is None:
        return ""
    found = form.text("location", 1, 100)
    if found is None and form.value.get("location") is None:
        form.fault("location", *REQUIRED)
    return found or ""


def _check_times(call: Call, form: Form, event: ScheduledEvent) -> None:
    if not event.starts_at or not event.ends_at:
        return  # that is a fault already
    if event.status is EventStatus.SCHEDULED and event.starts_at <= call.backend.clock.now():
        form.fault("scheduled_start_time", "GUILD_SCHEDULED_EVENT_SCHEDULE_PAST", "Cannot schedule event in the past.")
    if event.ends_at <= event.starts_at:
        form.fault(
            "scheduled_end_time",
            "GUILD_SCHEDULED_EVENT_END_DATE_BEFORE_START_DATE",
            "Cannot schedule event to end before it starts.",
        )
