"""All parts of this Discord, connected. The HTTP API, the gateway's sockets and the page use it."""

from __future__ import annotations

from discord_sandbox.gateway.gateway import Gateway
from discord_sandbox.model.clock import Clock
from discord_sandbox.model.faults import FaultsOnDemand
from discord_sandbox.model.feed import Feed
from discord_sandbox.model.limits import Limits
from discord_sandbox.model.rate_limits import RateLimits
from discord_sandbox.model.state import World
from discord_sandbox.model.transcript import Transcript
from discord_sandbox.service.commands import Commands
from discord_sandbox.service.interactions import Interactions
from discord_sandbox.service.messages import Messages
from discord_sandbox.service.old_edit_limit import OldEditLimit
from discord_sandbox.service.reactions import Reactions
from discord_sandbox.service.responses import Responses
from discord_sandbox.service.scheduled_events import ScheduledEvents
from discord_sandbox.service.threads import Threads
from discord_sandbox.service.watchers import Watchers
from discord_sandbox.validation.attachments import Attachments


class Backend:
    """The parts, each with one subject. They share one world, one clock and one feed."""

    def __init__(self, world: World, clock: Clock, *, transcript_entries: int | None) -> None:
        self.world = world
        self.clock = clock
        self.limits = Limits()
        self.feed = Feed()
        self.transcript = Transcript(transcript_entries)
        self.rate_limits = RateLimits(clock, self.limits)
        self.faults = FaultsOnDemand()
        self.watchers = Watchers()
        self.attachments = Attachments(world)
        self.threads = Threads(world, self.feed, clock)
        self.messages = Messages(world, self.feed, self.attachments, self.threads)
        self.old_edit_limit = OldEditLimit(clock)
        self.reactions = Reactions(world, self.feed)
        self.scheduled_events = ScheduledEvents(self.feed, clock)
        self.commands = Commands(world, self.feed)
        self.gateway = Gateway(
            world,
            self.feed,
            clock,
            limits=self.limits,
            transcript=self.transcript,
            rate_limits=self.rate_limits,
            faults=self.faults,
        )
        self.interactions = Interactions(world, clock, self.limits, self.gateway.dispatch, self.watchers)
        self.responses = Responses(world, self.messages, self.interactions)
