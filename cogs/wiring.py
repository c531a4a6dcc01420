"""Makes what people meet, of the core's parts: each is handed what it uses, and none holds all of it.

This module alone knows every capability. The rest of `cogs` knows rooms (`cogs.actions.component_press.Room`).
"""

from __future__ import annotations

import math

from bot.computers.reviewer import InLoop, Reviewer
from bot.gateway.client import CardroomClient
from bot.play.access import OPEN_TO_ALL, Access
from bot.play.clocks.match_clock import MatchClock
from bot.play.computers.seats import ComputerSeats
from bot.play.daily import DailyMatches
from bot.play.elsewhere import Elsewhere
from bot.play.live_match import LiveMatch
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.match_press import MatchPresses
from bot.play.match_registry import MatchRegistry
from bot.play.match_state import Position
from bot.play.matchmaking.invitations import Invitations, Inviting
from bot.play.matchmaking.seating import Seating
from bot.play.observers import Observers
from bot.play.replays import OpenReplays
from bot.play.restoring import MatchRestorer
from bot.play.seasons import SeasonFirsts
from bot.play.server_settings import KnownServerSettings
from bot.scheduler import Scheduler, begins_at
from bot.ui.display_names import DisplayNames
from bot.ui.preferences import SHARED_FOR, Preferences
from cogs.actions.challenging import ChallengePanel, Challenges, InvitationPosts, TermsReader
from cogs.actions.commands import Commands
from cogs.actions.daily import Daily
from cogs.actions.dispatcher import Dispatcher, Router
from cogs.actions.finding import Finder
from cogs.actions.game_commands import GameCommands, Help
from cogs.actions.leaderboards import Leaderboards, RatingPresses
from cogs.actions.learning import Learning
from cogs.actions.looking import Reviewing, RulesPages, TableViews
from cogs.actions.match_list import MatchList
from cogs.actions.matchmaking.play import Play
from cogs.actions.matchmaking.reliability import ReliabilityPresses
from cogs.actions.matchmaking.rematches import RematchPresses, SeriesPresses
from cogs.actions.matchmaking.table_notices import TableNoticePresses
from cogs.actions.matchmaking.tables import SittingDown, TableSearch, WaitingTables
from cogs.actions.my_data import MyData
from cogs.actions.playing import Hands, Playing, Resuming
from cogs.actions.practice import Practice, StandInPresses, TryingDifferently
from cogs.actions.preferences import Notify, PreferencesScreen, StyledHands
from cogs.actions.profiles import Comebacks, ProfileReader, Profiles
from cogs.actions.proofs import Proofs, Proving, Verifying
from cogs.actions.replays import History, Replaying, ReplayOpener
from cogs.actions.seating import SeatingPresses
from cogs.actions.servers.own_threads import OwnThreads
from cogs.actions.servers.settings_command import Greeting, SettingsPages
from cogs.actions.servers.stuck_matches import StuckMatches
from cogs.game_registry import GameRegistry
from cogs.interactions.places import Members
from cogs.public_screens import PublicScreens
from cogs.screens.cards.forms import CardForms
from cogs.screens.presenter import Presenter
from cogs.startup import KnownPeople, Startup
from cogs.updates import edit_queue
from cogs.updates.board_updater import BoardUpdater, InvitationUpdater
from cogs.updates.channel_messages import ChannelMessages, DiscordMessages
from cogs.updates.daily_messages import DailyMessages
from cogs.updates.match_notices import MatchNotices
from cogs.updates.notifier import Notifier
from cogs.updates.open_hands import OpenHands
from cogs.updates.screen_updates import ScreenUpdates
from cogs.updates.shown_messages import Postings, ShownMessages
from cogs.updates.shown_records import BoardMarks, HandRecords
from cogs.updates.table_notices import TableNotices
from cogs.updates.time_warnings import TimeWarnings
from cogs.updates.token_edits import BoardTokens, DiscordBoardEdits, DiscordHands, TokenEdits
from cogs.wording import Readers, Wording


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
    daily: DailyMatches,
    observers: Observers,
    scheduler: Scheduler,
    computers: ComputerSeats | None = None,
    reviewer: Reviewer | None = None,
    messages: ChannelMessages | None = None,
    hand_messages: TokenEdits | None = None,
    access: Access = OPEN_TO_ALL,
) -> Dispatcher:
    """What answers presses and commands for a client. The part that shows changes is added to the observers.

    `daily` are the deals of the day. `messages` are the channels in which everything is shown, and `hand_messages` the
    private answers; by default those that the client reaches. `access` tells who can see a match; without it everybody
    can. `computers` make the acts of computer players; without them nobody does. `reviewer` says what decided a match;
    by default in the event loop.
    """
    store, settings, now, telemetry = client.store, client.settings, scheduler.now, client.telemetry
    reviewer = InLoop() if reviewer is None else reviewer
    messages = DiscordMessages(client) if messages is None else messages
    presenters: dict[str, Presenter] = {}

    # What is known of people and servers, and how it is written.
    display_names = DisplayNames(store)
    server_settings = KnownServerSettings(store, now)
    preferences = Preferences(store, SHARED_FOR if store.is_shared else math.inf)
    card_forms = CardForms(client.card_emojis.usable)
    wording = Wording(client, display_names, settings.language)
    readers = Readers(wording, preferences, server_settings, card_forms)
    public_screens = PublicScreens(presenters, readers, wording, invitations, store)
    people = KnownPeople(display_names, preferences, server_settings, matches)

    # What is shown to all, and kept up to date.
    edits = edit_queue.EditQueue(edit_queue.SPACING, client.rate_limiter.edits_per_second, scheduler, telemetry)
    shown_messages = ShownMessages(messages, edits, scheduler, telemetry)
    postings = Postings(messages, store, edits, scheduler)
    notifier = Notifier(messages, store, access)
    open_invitation = invitations.open_by_id

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
    updates = ScreenUpdates(
        edits,
        postings,
        open_hands=OpenHands(
            DiscordHands(client, client.card_emojis.refused) if hand_messages is None else hand_messages,
            edits,
            presenters=presenters,
            readers=readers,
            scheduler=scheduler,
            records=HandRecords(store, scheduler),
        ),
        board_updater=boards,
        invitations=InvitationUpdater(
            shown_messages,
            messages,
            store,
            public_screens,
            boards=boards,
            open_invitation=open_invitation,
            playing=matches.playing,
        ),
        time_warnings=TimeWarnings(scheduler, clock, notices),
        daily_messages=DailyMessages(shown_messages, messages, store, edits, public_screens),
        table_notices=TableNotices(
            notifier,
            store,
            edits,
            wording=wording,
            open_invitation=open_invitation,
            scheduler=scheduler,
        ),
    )
    client.rate_limiter.count_with(updates.edit_queue.count_request)
    observers.add(updates)
    observers.add(people)

    # What several capabilities use.
    finder = Finder(store, matches, invitations, daily)
    hands = Hands(finder, readers, presenters, updates, store)
    members = Members(client)
    own_threads = OwnThreads(server_settings, wording, client, updates.edit_queue)
    terms = TermsReader(server_settings, own_threads, settings.default_clock)
    posts = InvitationPosts(invitations, public_screens, wording, updates)
    challenges = Challenges(inviting, posts, wording)
    practice = Practice(
        inviting,
        seating,
        presses,
        posts,
        own_threads,
        wording=wording,
        finder=finder,
        public_screens=public_screens,
    )
    proofs = Proofs(store, invitations, wording, daily)
    styled_hands = StyledHands(preferences, matches, updates.open_hands)

    # The capabilities, in the order in which their commands are announced.
    leaderboards = Leaderboards(store, finder, daily, server_settings, wording, seasons=SeasonFirsts(store))
    match_list = MatchList(matches, invitations, Elsewhere(store, now, telemetry), wording, members)
    rematches = RematchPresses(finder, inviting, posts, practice, server_settings, wording=wording)
    rooms = (
        Play(
            TableSearch(
                seating,
                invitations,
                matches,
                store,
                access,
                wording=wording,
                now=now,
                leaderboards=leaderboards,
            ),
            SittingDown(seating, presses, own_threads, wording, finder, updates=updates),
            WaitingTables(inviting, posts, messages),
            terms,
            practice,
            matches=matches,
            server_settings=server_settings,
            wording=wording,
        ).room(),
        ChallengePanel(
            challenges,
            terms,
            members,
            own_threads,
            wording,
            server_settings=server_settings,
            default_clock=settings.default_clock,
        ).room(),
        match_list.room(),
        leaderboards.room(),
        Help(presenters).room(),
        Profiles(
            ProfileReader(store, wording, leaderboards, Comebacks(store, presenters)), wording, server_settings
        ).room(),
        Learning(presenters, preferences, card_forms, matches, terms, practice=practice).room(),
        Daily(
            daily,
            store,
            hands,
            finder,
            server_settings,
            presses=presses,
            wording=wording,
        ).room(),
        History(store, daily, wording, finder).room(),
        Replaying(
            finder,
            ReplayOpener(OpenReplays(store, matches, lambda: begins_at(daily.today())), readers, presenters),
            readers,
            store,
            daily,
            server_settings=server_settings,
            wording=wording,
            proofs=proofs,
        ).room(),
        Notify(store).room(),
        PreferencesScreen(preferences, card_forms, styled_hands).room(),
        MyData(
            store,
            daily,
            matches,
            invitations,
            lifecycle,
            styled_hands=styled_hands,
            display_names=display_names,
        ).room(),
        Verifying(
            store,
            daily,
            finder,
            invitations,
            wording,
            presenters=presenters,
            proofs=proofs,
        ).room(),
        SettingsPages(server_settings, settings, store, wording, matches, updates=updates).room(),
        StuckMatches(matches, lifecycle, server_settings, wording).room(),
        SeatingPresses(
            finder,
            seating,
            invitations,
            matches,
            own_threads,
            public_screens=public_screens,
            wording=wording,
            updates=updates,
        ).room(),
        Playing(hands, readers, presenters, store, updates.board_updater).room(),
        Resuming(hands, readers, match_list, server_settings, lifecycle).room(),
        RulesPages(finder, matches, invitations, presenters).room(),
        TableViews(finder, readers, presenters, daily, preferences).room(),
        rematches.room(),
        SeriesPresses(rematches, seating, invitations, store, now).room(),
        Proving(
            finder,
            proofs,
            store,
            matches,
            hands,
            seating=seating,
            wording=wording,
            updates=updates,
        ).room(),
        Reviewing(
            finder,
            daily,
            store,
            reviewer,
            presenters,
            readers=readers,
            hands=hands,
        ).room(),
        TryingDifferently(finder, store, matches, practice, server_settings, own_threads=own_threads).room(),
        StandInPresses(hands).room(),
        ReliabilityPresses(finder, store, wording, now).room(),
        TableNoticePresses(store, now).room(),
        RatingPresses(finder, store).room(),
    )
    game_commands = GameCommands(terms, challenges, practice, own_threads, leaderboards, presenters=presenters)
    startup = Startup(
        restorer,
        matches,
        invitations,
        daily,
        updates,
        people=people,
        computers=computers,
        telemetry=telemetry,
    )
    stopping = (startup, invitations, daily, *(() if computers is None else (computers,)), reviewer, clock, updates)
    return Dispatcher(
        Router(rooms, presses, matches, wording),
        Commands(GameRegistry(client.tree, presenters, game_commands.of), rooms, telemetry),
        startup,
        Greeting(store, messages, wording, presenters, now),
        matches,
        closing=stopping,
        presses_per_second=settings.presses_per_second,
        lean_session=client.lean_session if settings.lean_requests else None,
    )
