"""Makes what people meet, of the core's parts: each is handed what it uses, and none holds all of it.

This module alone knows every capability. The rest of the core knows rooms (`cogs.rooms`).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from typing import Any, Final

from bot.computers.reviewer import Reviewer
from bot.gateway.client import CardroomClient
from bot.play.access import Access
from bot.play.clocks.match_clock import MatchClock
from bot.play.clocks.stops import ClockStops
from bot.play.closed_deals import ClosedDeals
from bot.play.computers.seats import ComputerSeats
from bot.play.days import Days
from bot.play.elsewhere import Elsewhere
from bot.play.holds import Holds
from bot.play.live_match import LiveMatch
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.match_press import MatchPresses
from bot.play.match_registry import MatchRegistry
from bot.play.match_state import Position
from bot.play.matchmaking.invitations import Invitations, Inviting
from bot.play.matchmaking.seating import Seating
from bot.play.observers import Observers
from bot.play.restoring import MatchRestorer
from bot.play.server_settings import KnownServerSettings
from bot.scheduler import Scheduler
from bot.store.store import Store
from bot.ui.display_names import DisplayNames
from bot.ui.preferences import SHARED_FOR, Preferences
from cogs import (
    away,
    blocks,
    conditions,
    daily,
    leaderboards,
    leagues,
    lessons,
    matchmaking,
    personal_data,
    practice,
    preferences,
    profiles,
    proofs,
    reliability,
    replays,
    reviews,
    series,
    server_week,
    servers,
    tournaments,
    weekly,
)
from cogs.actions.challenging import ChallengePanel, Challenges, InvitationPosts, SavedPresets, TermsReader
from cogs.actions.commands import Commands
from cogs.actions.computer_matches import ComputerMatches, ShowingHere
from cogs.actions.digests import Digests
from cogs.actions.dispatcher import Dispatcher, Router
from cogs.actions.file_queue import FileQueue
from cogs.actions.finding import Finder
from cogs.actions.game_commands import GameCommands, Help
from cogs.actions.looking import More, RulesPages, TableViews
from cogs.actions.match_list import MatchList
from cogs.actions.own_threads import OwnThreads
from cogs.actions.playing import Hands, Playing, Resuming
from cogs.actions.seating import InvitationChanges, InvitationMessages, SeatingPresses
from cogs.board_pictures import BoardPictures
from cogs.game_registry import GameRegistry
from cogs.interactions.post_budget import PostBudget
from cogs.interactions.venues import Members
from cogs.public_screens import PublicScreens
from cogs.rooms import Core, Export, OpenRooms, Room
from cogs.screens.additions import Additions, together
from cogs.screens.cards.forms import CardForms
from cogs.screens.presenter import Presenter
from cogs.startup import KnownPeople, Startup
from cogs.updates import edit_queue
from cogs.updates.board_updater import BoardUpdater, InvitationUpdater
from cogs.updates.channel_messages import ChannelMessages, DiscordMessages
from cogs.updates.match_notices import MatchNotices
from cogs.updates.notifier import Notifier
from cogs.updates.open_hands import OpenHands, StyledHands
from cogs.updates.opened_deals import OpenedDeals
from cogs.updates.ready_questions import ReadyQuestions
from cogs.updates.screen_updates import ScreenUpdates
from cogs.updates.server_calendar import ServerCalendar
from cogs.updates.server_roles import ServerRoles
from cogs.updates.server_week import ServerWeek
from cogs.updates.shown_messages import Postings, ShownMessages
from cogs.updates.shown_records import BoardMarks, HandRecords
from cogs.updates.time_warnings import TimeWarnings
from cogs.updates.token_edits import BoardTokens, DiscordBoardEdits, DiscordHands, TokenEdits
from cogs.wording import Readers, Wording

ROOMS: Final[tuple[Room, ...]] = (
    matchmaking.ROOM,
    away.ROOM,
    blocks.ROOM,
    daily.ROOM,
    lessons.ROOM,
    practice.ROOM,
    preferences.ROOM,
    proofs.ROOM,
    replays.ROOM,
    reviews.ROOM,
    leaderboards.ROOM,
    profiles.ROOM,
    series.ROOM,
    servers.ROOM,
    personal_data.ROOM,
    reliability.ROOM,
    tournaments.ROOM,
    weekly.ROOM,
    leagues.ROOM,
    conditions.ROOM,
    server_week.ROOM,
)
"""The capabilities, a line each."""


def additions_of(rooms: Iterable[Room] = ROOMS) -> Additions:
    """What rooms put on the core's screens."""
    return together(room.additions for room in rooms)


def wire(
    client: CardroomClient,
    matches: MatchRegistry,
    clock: MatchClock,
    lifecycle: MatchLifecycle,
    invitations: Invitations,
    *,
    inviting: Inviting,
    seating: Seating,
    restorer: MatchRestorer,
    presses: MatchPresses,
    days: Days,
    observers: Observers,
    scheduler: Scheduler,
    reviewer: Reviewer,
    access: Access,
    computers: ComputerSeats | None = None,
    messages: ChannelMessages | None = None,
    hand_messages: TokenEdits | None = None,
    rooms: Sequence[Room] = ROOMS,
) -> Dispatcher:
    """What answers presses and commands for a client. The part that shows changes is added to the observers.

    `days` end matches with their day. `messages` are the channels in which everything is shown, and `hand_messages` the
    private answers; by default those that the client reaches. `access` tells who can see a match, and `reviewer`
    says what decided it. `computers` make the acts of computer players; without them nobody does. `rooms` are the
    capabilities that there are.
    """
    store, settings, now, telemetry = client.store, client.settings, scheduler.now, client.telemetry
    messages = DiscordMessages(client) if messages is None else messages
    presenters: dict[str, Presenter] = {}
    closed_deals = ClosedDeals(matches, now)

    # What is known of people and servers, and how it is written.
    display_names = DisplayNames(store)
    server_settings = KnownServerSettings(store, now)
    preferences = Preferences(store, SHARED_FOR if store.is_shared else math.inf)
    wording = Wording(client, display_names, preferences, server_settings, settings.language)
    additions = additions_of(rooms)
    readers = Readers(
        wording, preferences, server_settings, CardForms(client.card_emojis.usable), additions, closed_deals
    )
    public_screens = PublicScreens(
        presenters, readers, wording, invitations, BoardPictures(server_settings, scheduler, telemetry)
    )
    people = KnownPeople(display_names, preferences, server_settings, matches, invitations)

    # What is shown to all, and kept up to date.
    edits = edit_queue.EditQueue(edit_queue.SPACING, client.rate_limiter.edits_per_second, scheduler, telemetry)
    shown_messages = ShownMessages(messages, edits, scheduler, telemetry)
    postings = Postings(messages, store, edits, scheduler)
    notifier = Notifier(messages, store, access)

    def board_shown(match: LiveMatch, seen: Position) -> None:
        """Discord shows the board of a position: its question's time starts now, and computers may answer it."""
        clock.mark_shown(match, seen.window_number)
        if computers is not None:
            computers.board_shown(match, seen)

    boards = BoardUpdater(
        shown_messages,
        edits,
        BoardMarks(store, scheduler),
        BoardTokens(DiscordBoardEdits(client), scheduler, enabled=settings.interaction_edits, telemetry=telemetry),
        postings=postings,
        screens=public_screens,
        lost=lifecycle.suspend,
        shown=board_shown,
    )
    open_hands = OpenHands(
        DiscordHands(client, client.card_emojis.refused) if hand_messages is None else hand_messages,
        edits,
        presenters=presenters,
        readers=readers,
        scheduler=scheduler,
        records=HandRecords(store, scheduler),
    )
    notices = MatchNotices(
        notifier,
        store,
        edits,
        postings,
        readers=readers,
        wording=wording,
        scheduler=scheduler,
        after=settings.notice_after_seconds,
    )
    invitation_updater = InvitationUpdater(
        shown_messages,
        messages,
        store,
        public_screens,
        boards=boards,
        open_invitation=invitations.open_by_id,
        playing=matches.playing,
    )
    updates = ScreenUpdates(
        edits,
        postings,
        open_hands=open_hands,
        board_updater=boards,
        invitations=invitation_updater,
        time_warnings=TimeWarnings(scheduler, clock, notices),
        opened_deals=OpenedDeals(
            store,
            restorer,
            closed_deals,
            scheduler,
            telemetry,
            prepare=people.load,
            show=boards.repair,
        ),
    )
    client.rate_limiter.count_with(edits.count_request)
    ready_questions = ReadyQuestions(notifier, edits, wording, invitations.waits_for)
    observers.add(updates, people, ready_questions)

    # What several capabilities use.
    finder = Finder(store, matches, invitations, closed_deals)
    hands = Hands(
        finder,
        readers,
        presenters,
        store,
        boards,
        notices=notices,
        open_hands=open_hands,
        stops=ClockStops(matches, clock, observers),
    )
    members = Members(client)
    own_threads = OwnThreads(server_settings, wording, client, edits)
    terms = TermsReader(server_settings, own_threads, invitations.admission, settings.default_clock)
    posts = InvitationPosts(
        inviting, invitations, public_screens, wording, boards, budget=PostBudget(settings.posts_per_minute)
    )
    challenges = Challenges(posts, server_settings)

    # The rooms, and what the core answers itself.
    invitation_messages = InvitationMessages(
        finder,
        public_screens,
        wording,
        updater=invitation_updater,
        boards=boards,
        ready_questions=ready_questions,
        added=additions.invitation,
    )
    match_list = MatchList(matches, invitations, Elsewhere(store, now, telemetry), wording, members, additions)
    digests = Digests(match_list, matches, notices, messages, store, edits=edits, scheduler=scheduler)
    observers.add(digests)
    exports: list[Export] = []
    core = Core(
        settings=settings,
        store=store,
        scheduler=scheduler,
        matches=matches,
        lifecycle=lifecycle,
        presses=presses,
        invitations=invitations,
        inviting=inviting,
        seating=seating,
        days=days,
        closed_deals=closed_deals,
        holds=Holds(matches, lifecycle, scheduler),
        access=access,
        reviewer=reviewer,
        display_names=display_names,
        server_settings=server_settings,
        preferences=preferences,
        card_forms=readers.card_forms,
        wording=wording,
        readers=readers,
        presenters=presenters,
        additions=additions,
        messages=messages,
        shown_messages=shown_messages,
        edits=edits,
        calendar=ServerCalendar(client),
        roles=ServerRoles(client),
        week=ServerWeek(),
        notifier=notifier,
        updates=updates,
        opened_deals=updates.opened_deals,
        finder=finder,
        files=FileQueue(),
        hands=hands,
        styled_hands=StyledHands(preferences, matches, open_hands),
        own_threads=own_threads,
        terms=terms,
        posts=posts,
        post_budget=posts.budget,
        computer_matches=ComputerMatches(
            seating,
            presses,
            posts,
            own_threads,
            hands,
            public_screens=public_screens,
            days=days,
        ),
        stops=hands.stops,
        exports=exports,
    )
    opened = OpenRooms(rooms, core)
    exports += (*opened.exports, partial(_resting, store, frozenset([room.name for room in rooms])))
    opened.take_part(observers, invitations.admission, closed_deals, hands.notes)
    answers = (
        ChallengePanel(
            challenges,
            terms,
            members,
            own_threads,
            wording,
            server_settings=server_settings,
            default_clock=settings.default_clock,
        ).answers(),
        SavedPresets(server_settings).answers(),
        match_list.answers(),
        ShowingHere(hands, lifecycle, server_settings, posts.budget).answers(),
        Help([line for room in rooms for line in room.help_lines], additions.welcome).answers(),
        SeatingPresses(invitation_messages, seating, server_settings, own_threads, boards, notices=notices).answers(),
        InvitationChanges(invitation_messages, seating).answers(),
        Playing(hands, readers, presenters, store, boards).answers(),
        Resuming(hands, readers, match_list, server_settings, lifecycle).answers(),
        RulesPages(finder, matches, invitations, presenters, additions.rules, hands.stops).answers(),
        TableViews(finder, readers, presenters, closed_deals, preferences).answers(),
        More(finder, readers, presenters, invitation_messages).answers(),
        *opened.answers,
    )
    game_commands = GameCommands(
        terms,
        challenges,
        own_threads,
        presenters=presenters,
        additions=additions,
        stops=hands.stops,
        added=opened.game_commands,
    )

    startup = Startup(
        restorer,
        matches,
        invitations,
        updates,
        people=people,
        computers=computers,
        telemetry=telemetry,
        begin_rooms=partial(_begin, days, core.holds, digests, opened),
    )
    return Dispatcher(
        Router(answers, presses, matches, invitations, wording),
        Commands(
            GameRegistry(
                client.tree,
                presenters,
                game_commands.of,
            ),
            answers,
            telemetry,
        ),
        startup,
        joined=opened.joined,
        closing=(
            startup,
            invitations,
            days,
            core.holds,
            digests,
            *opened.closing,
            *(() if computers is None else (computers,)),
            reviewer,
            clock,
            updates,
        ),
        presses_per_second=settings.presses_per_second,
        lean_session=client.lean_session if settings.lean_requests else None,
    )


async def _begin(days: Days, holds: Holds, digests: Digests, opened: OpenRooms) -> None:
    """Begin what depends on all that was open. Raises StoreError."""
    days.resume()
    holds.resume()
    await digests.resume()
    await opened.resume()


async def _resting(store: Store, rooms: Collection[str], guild_id: int, user_id: int) -> dict[str, Any]:
    """What the tables of rooms that are gone keep of somebody: nothing if all are there. Raises StoreError."""
    found = await store.resting_rows(rooms, guild_id, user_id)
    return {"resting_tables": found} if found else {}
