"""What a capability is: a room, which gives the core one value that says what it has. The core knows no room by name.

[Rooms](../docs/rooms.md) has every extension point on one page. A room imports the core and the engines, and no other
room. What two rooms need belongs to the core.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from bot.computers.reviewer import Reviewer
from bot.play.access import Access
from bot.play.clocks.stops import ClockStops
from bot.play.closed_deals import ClosedDeals, HeldClosed
from bot.play.days import Days
from bot.play.holds import Holds
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.match_press import MatchPresses
from bot.play.match_registry import MatchRegistry
from bot.play.matchmaking.admission import Admission, Avoids, KeptApart, MayPlay
from bot.play.matchmaking.invitations import Invitations, Inviting
from bot.play.matchmaking.seating import Seating
from bot.play.observers import Observer, Observers
from bot.play.server_settings import KnownServerSettings
from bot.scheduler import Scheduler
from bot.settings import Settings
from bot.store.store import Store
from bot.ui.display_names import DisplayNames
from bot.ui.preferences import Preferences
from cogs.actions.challenging import InvitationPosts, TermsReader
from cogs.actions.component_press import Answers
from cogs.actions.computer_matches import ComputerMatches
from cogs.actions.dispatcher import Closable, Joined
from cogs.actions.file_queue import FileQueue
from cogs.actions.finding import Finder
from cogs.actions.game_commands import GameCommandsOf
from cogs.actions.own_threads import OwnThreads
from cogs.actions.playing import HandNote, Hands
from cogs.interactions.post_budget import PostBudget
from cogs.screens.additions import NOTHING_ADDED, Additions
from cogs.screens.cards.forms import CardForms
from cogs.screens.presenter import Presenters
from cogs.updates.channel_messages import ChannelMessages
from cogs.updates.edit_queue import EditQueue
from cogs.updates.notifier import Notifier
from cogs.updates.open_hands import StyledHands
from cogs.updates.opened_deals import OpenedDeals
from cogs.updates.screen_updates import ScreenUpdates
from cogs.updates.server_calendar import ServerCalendar
from cogs.updates.server_roles import ServerRoles
from cogs.updates.server_week import ReadPost, ServerWeek
from cogs.updates.shown_messages import ShownMessages
from cogs.wording import Readers, Wording

Export: TypeAlias = Callable[[int, int], Awaitable[dict[str, Any]]]
"""What a room keeps of a user in a server, as JSON, by names that no other part of an export has. Only a part that
holds others, such as the settings, may be there before: then it gets more. It may raise StoreError."""


@dataclass(frozen=True, slots=True, eq=False)
class Core:
    """The core's parts. Only the door of a room sees them all, and hands each part of the room what it uses."""

    settings: Settings
    store: Store
    scheduler: Scheduler
    # Matches, and how they begin.
    matches: MatchRegistry
    lifecycle: MatchLifecycle
    presses: MatchPresses
    invitations: Invitations
    inviting: Inviting
    seating: Seating
    days: Days
    closed_deals: ClosedDeals
    holds: Holds
    access: Access
    reviewer: Reviewer
    # What is known of people and servers, and how it is written.
    display_names: DisplayNames
    server_settings: KnownServerSettings
    preferences: Preferences
    card_forms: CardForms
    wording: Wording
    readers: Readers
    presenters: Presenters
    additions: Additions
    # What is shown to all.
    messages: ChannelMessages
    shown_messages: ShownMessages
    edits: EditQueue
    calendar: ServerCalendar
    roles: ServerRoles
    week: ServerWeek
    notifier: Notifier
    updates: ScreenUpdates
    opened_deals: OpenedDeals
    # What presses and commands of several rooms do.
    finder: Finder
    files: FileQueue
    hands: Hands
    styled_hands: StyledHands
    own_threads: OwnThreads
    terms: TermsReader
    posts: InvitationPosts
    post_budget: PostBudget
    computer_matches: ComputerMatches
    stops: ClockStops
    # What all rooms keep of people.
    exports: Sequence[Export]


async def nothing() -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class OpenRoom:
    """What an opened room has.

    `answers` are its commands and presses. `observers` see what was committed. `resume` runs once at a start, when
    the open matches and invitations are known and before any is in play; it may raise StoreError. `closing` are stopped
    with the bot, in this order. `joined` is called for each server that the bot joins. `export` says what the room
    keeps of somebody, and `game_commands` which commands it has in the group of each game. `may_play` and `kept_apart`
    say who may begin something, and with whom, and `avoids` what of that they themselves may read
    (`bot.play.matchmaking.admission`). `closed_deals` says which deals that several matches share the room holds closed
    (`bot.play.closed_deals`). `hand_note` is what it has to tell somebody who opens their hand, and `week` what it has
    to say to a whole server (`cogs.updates.server_week`).
    """

    answers: Sequence[Answers] = ()
    observers: Sequence[Observer] = ()
    resume: Callable[[], Awaitable[None]] = nothing
    closing: Sequence[Closable] = ()
    joined: Joined | None = None
    game_commands: GameCommandsOf | None = None
    export: Export | None = None
    may_play: MayPlay | None = None
    kept_apart: KeptApart | None = None
    avoids: Avoids | None = None
    closed_deals: HeldClosed | None = None
    hand_note: HandNote | None = None
    week: ReadPost | None = None


@dataclass(frozen=True, slots=True)
class Room:
    """A capability, as the wiring lists it.

    `name` is that of its folder, and of its steps of the schema (`bot.store.migrations`). `open` makes its parts of the
    core's. `additions` are what it puts on the core's screens.
    """

    name: str
    open: Callable[[Core], OpenRoom]
    additions: Additions = NOTHING_ADDED
    help_lines: tuple[tuple[int, str], ...] = ()
    """The names of its commands that `/help` lists, with their order (the core's: `cogs.actions.game_commands`)."""


class OpenRooms:
    """All rooms, opened, and what they have together, in their order."""

    def __init__(self, rooms: Iterable[Room], core: Core) -> None:
        opened = {room.name: room.open(core) for room in rooms}
        self._rooms = tuple(opened.values())
        self.answers = tuple([each for room in self._rooms for each in room.answers])
        self.closing = tuple([each for room in self._rooms for each in room.closing])
        self.joined = tuple([room.joined for room in self._rooms if room.joined is not None])
        self.exports = tuple([room.export for room in self._rooms if room.export is not None])
        self.game_commands = tuple([room.game_commands for room in self._rooms if room.game_commands is not None])

        core.week.posts.update({name: room.week for name, room in opened.items() if room.week is not None})

    def take_part(
        self, observers: Observers, admission: Admission, closed_deals: ClosedDeals, notes: list[HandNote]
    ) -> None:
        """Have each see what is committed, and asked who may play, which deals are closed, and what to tell who opens
        a hand."""
        for room in self._rooms:
            observers.add(*room.observers)
            admission.add(room.may_play, room.kept_apart, room.avoids)
            if room.closed_deals is not None:
                closed_deals.add(room.closed_deals)
            if room.hand_note is not None:
                notes.append(room.hand_note)

    async def resume(self) -> None:
        """Begin in each what it does at a start. Raises StoreError."""
        for room in self._rooms:
            await room.resume()
