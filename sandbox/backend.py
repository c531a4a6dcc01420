"""Everything this Discord consists of, put together; HTTP and WebSockets stand in front of it."""

from __future__ import annotations

from sandbox.attachments import Attachments
from sandbox.clock import Clock
from sandbox.commands import Commands
from sandbox.faults import FaultsOnDemand
from sandbox.feed import Feed
from sandbox.gateway import Gateway
from sandbox.interactions import Interactions
from sandbox.limits import Limits
from sandbox.old_edits import OldEdits
from sandbox.posting import Posting
from sandbox.ratelimit import RateLimits
from sandbox.reactions import Reactions
from sandbox.responses import Responses
from sandbox.state import World
from sandbox.threads import Threads
from sandbox.transcript import Transcript


class Backend:
    """The parts, each with one subject, sharing one world, one clock and one feed."""

    def __init__(self, world: World, clock: Clock, *, transcript_entries: int | None) -> None:
        self.world = world
        self.clock = clock
        self.limits = Limits()
        self.feed = Feed()
        self.transcript = Transcript(transcript_entries)
        self.rate_limits = RateLimits(clock, self.limits)
        self.faults = FaultsOnDemand()
        self.attachments = Attachments(world)
        self.threads = Threads(world, self.feed, clock)
        self.posting = Posting(world, self.feed, self.attachments, self.threads)
        self.old_edits = OldEdits(clock)
        self.reactions = Reactions(world, self.feed)
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
        self.interactions = Interactions(world, clock, self.limits, self.gateway.dispatch)
        self.responses = Responses(world, self.posting, self.interactions)
