"""A server's scheduled events: what they go through, by requests and by time.

Source: Discord's developer documentation, "Guild Scheduled Event".
"""

from __future__ import annotations

from discord_sandbox.model import errors, payloads
from discord_sandbox.model.clock import Clock
from discord_sandbox.model.feed import Event, Feed
from discord_sandbox.model.state import EventStatus, ScheduledEvent, Server
from discord_sandbox.model.wire import JsonObject

MOST_EVENTS = 100
"""How many events a server has that aren't over."""
FOLLOWS = {
    EventStatus.SCHEDULED: frozenset({EventStatus.ACTIVE, EventStatus.CANCELED}),
    EventStatus.ACTIVE: frozenset({EventStatus.COMPLETED}),
}
"""Which status an event that isn't over may get."""


class ScheduledEvents:
    """Changes events, and publishes that. Each begins and ends by itself in time."""

    def __init__(self, feed: Feed, clock: Clock) -> None:
        self._feed = feed
        self._clock = clock

    def add(self, server: Server, event: ScheduledEvent) -> None:
        """Add an event; raises ApiError 30038 beyond a hundred that aren't over."""
        if len(server.coming_events) >= MOST_EVENTS:
            raise errors.too_many_events(MOST_EVENTS)
        server.events[event.id] = event
        self._tell("GUILD_SCHEDULED_EVENT_CREATE", server, event)
        self._watch(server, event)

    def changed(self, server: Server, event: ScheduledEvent) -> None:
        """Publish that an event has changed."""
        self._tell("GUILD_SCHEDULED_EVENT_UPDATE", server, event)
        self._watch(server, event)

    def delete(self, server: Server, event: ScheduledEvent) -> None:
        """Delete an event."""
        del server.events[event.id]
        self._tell("GUILD_SCHEDULED_EVENT_DELETE", server, event)

    def _watch(self, server: Server, event: ScheduledEvent) -> None:
        """Have the event begin or end when its time has come, unless that has changed by then."""
        waits = event.status is EventStatus.SCHEDULED
        due = event.starts_at if waits else event.ends_at
        status = event.status

        def pass_on() -> None:
            still = event.starts_at if waits else event.ends_at
            if server.events.get(event.id) is not event or (event.status, still) != (status, due):
                return
            event.status = EventStatus.ACTIVE if waits else EventStatus.COMPLETED
            self.changed(server, event)

        if not event.over:
            self._clock.after(max(0.0, due - self._clock.now()), pass_on)

    def _tell(self, name: str, server: Server, event: ScheduledEvent) -> None:
        data: JsonObject = payloads.scheduled_event(event, server.id)
        self._feed.publish(Event(name, data, server.id))
