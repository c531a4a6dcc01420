"""Tables for those who wait: which there are, sitting down at one, and opening one; and their private screens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.games import GAMES, game_title
from bot.play.access import Access, obstacles
from bot.play.computers.levels import levels_of
from bot.play.live_match import LiveMatch
from bot.play.match_press import MatchPresses
from bot.play.match_registry import MatchRegistry
from bot.play.matchmaking.favourites import favourite
from bot.play.matchmaking.invitations import Invitations, Inviting, Proposal, Terms
from bot.play.matchmaking.seating import Seating
from bot.play.refusals import Refused, Unsaved
from bot.play.reliability import Level, Reliability, reliability_of
from bot.store.queries.invitations import Invitation, InvitationKind, InvitationState
from bot.store.queries.matches import Obstacle
from bot.store.special_ids import message_link
from bot.store.store import Store
from bot.time_controls import time_control
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Control, Option, Press, Screen, Section, Select, Text, Tone, noted
from cogs.actions.challenging import InvitationPosts
from cogs.actions.finding import Finder
from cogs.actions.servers.own_threads import OwnThreads
from cogs.interactions.responses import Interaction, reply_private, translations_for
from cogs.screens.board import board_link
from cogs.screens.reliability_text import level_text
from cogs.screens.renderer import LONGEST_LABEL, sheet
from cogs.screens.safe_names import unescaped
from cogs.screens.time_control_text import time_control_label
from cogs.updates.channel_messages import ChannelMessages, NotTaken
from cogs.updates.screen_updates import ScreenUpdates
from cogs.wording import Wording

_MOST_ELSEWHERE = 5
"""How many channels Discord is asked about: whether the person can play there."""


@dataclass(slots=True, eq=False)
class TableSearch:
    """Finds tables at which somebody can sit down."""

    seating: Seating
    invitations: Invitations
    matches: MatchRegistry
    store: Store
    access: Access
    wording: Wording
    now: Callable[[], int]

    def alone_in(self, guild_id: int) -> asyncio.Lock:
        """A lock for looking for a table in a server and opening one if there is none."""
        return self.seating.finding(guild_id)

    def table(self, invitation_id: str) -> Invitation | None:
        """An open invitation as it is now; None for any other id."""
        return self.invitations.open_by_id(invitation_id)

    async def fitting(
        self, interaction: Interaction, game: str | None, *, only: Invitation | None = None
    ) -> list[Invitation]:
        """The tables of a game (None: of all) where the person can sit down: those of this channel first, then the
        oldest.

        `only` is the one to look at, if it is but one. Tables in channels where the person cannot play are left out,
        and those that ask for reliable people unless they are; where they picked `only` one, sitting down says why not.
        """
        guild_id, user, here = interaction.guild_id or 0, interaction.user.id, interaction.channel_id
        found = [each for each in self.seating.tables_for(user, guild_id) if game in (None, each.game)]
        if only is not None:
            found = [each for each in found if each.id == only.id]
        elif any(each.reliable for each in found):
            known = await reliability_of(self.store, guild_id, user, self.now())
            found = [each for each in found if known.is_reliable or not each.reliable]
        found.sort(key=lambda table: table.channel_id != here)
        elsewhere = list(dict.fromkeys(table.channel_id for table in found if table.channel_id != here))[
            :_MOST_ELSEWHERE
        ]
        reachable = {here, *await self._playable(guild_id, user, elsewhere)}
        return [table for table in found if table.channel_id in reachable]

    async def _playable(self, guild_id: int, user: int, channels: Iterable[int]) -> list[int]:
        """Those of these channels where a person can see messages and press buttons."""
        asked = tuple(channels)
        found = await asyncio.gather(*(obstacles(self.access, guild_id, channel, (user,)) for channel in asked))
        answers = [each.get(user) for each in found]
        return [channel for channel, why in zip(asked, answers, strict=True) if why in (None, Obstacle.NO_SENDING)]

    async def offered(self, interaction: Interaction, tables: Sequence[Invitation]) -> list[OfferedTable]:
        """The first of these tables, with the names of their hosts and how reliably they play."""
        shown = tables[:MOST_TABLES]
        hosts = list(dict.fromkeys(table.host_id for table in shown))
        guild_id, say = interaction.guild_id or 0, translations_for(interaction)
        names = dict(zip(hosts, await self.wording.loaded(guild_id, hosts, say), strict=True))
        found = {host: await reliability_of(self.store, guild_id, host, self.now()) for host in hosts}
        return [OfferedTable(table, names[table.host_id], found[table.host_id]) for table in shown]

    async def games(self, interaction: Interaction) -> list[str]:
        """All games: first the one that the person played last or, if they have played none, most people here play."""
        guild_id, user = interaction.guild_id or 0, interaction.user.id
        playing = [match.game.info.key for match in self.matches.of_player(user, guild_id)]
        played = [row.game for row in await self.store.latest_finished(guild_id, user, 1)]
        known = [game for game in (*playing[-1:], *played) if game in GAMES]
        first = known[0] if known else await favourite(self.store, guild_id)
        return [first, *(game for game in GAMES if game != first)]

    def waits_at(self, guild_id: int, user: int) -> list[Invitation]:
        """The open tables of a server at which somebody sits."""
        found = self.invitations.of_player(user, guild_id)
        return [each for each in found if each.kind is InvitationKind.TABLE and user in each.seated]


# ------------------------------------------------------------------------------------ sitting down


@dataclass(slots=True, eq=False)
class SittingDown:
    """Sits people down at tables."""

    seating: Seating
    presses: MatchPresses
    own_threads: OwnThreads
    wording: Wording
    finder: Finder
    updates: ScreenUpdates

    async def seat(self, interaction: Interaction, table: Invitation) -> None:
        """Sit the person down at a table, and show where they are now. Raises Refused and Unsaved."""
        user = interaction.user.id
        with self.presses.take_up(table.id, interaction.id) as press:
            joined = await self.own_threads.with_place(self.seating.take_seat, table.id, user, None, press)
            if not isinstance(joined, LiveMatch):
                await self.wording.load_names(joined)
                self.updates.invitation_salted(joined)
                await show_waiting(interaction, joined, again=False)
                return
            if joined.channel_id != table.channel_id:
                self.own_threads.add_players(joined)
                accepted, _ = await self.finder.invitation(interaction, table.id)
                await self.wording.load_names(accepted)
                self.updates.invitation_closed(accepted, InvitationState.ACCEPTED)
            await self.show_match(interaction, joined)
        self.updates.notices.begun(joined, joined.seats.index(user))

    async def show_match(self, interaction: Interaction, match: LiveMatch) -> None:
        say = translations_for(interaction)
        screen = begun_screen(match, await self.wording.loaded(match.guild_id, match.seats, say), say)
        await reply_private(interaction, screen, match.id)


# ------------------------------------------------------------------------------------ waiting


@dataclass(slots=True, eq=False)
class WaitingTables:
    """Opens tables that start by themselves."""

    inviting: Inviting
    posts: InvitationPosts
    messages: ChannelMessages

    async def wait(self, interaction: Interaction, terms: Terms) -> None:
        """Open a table that starts by itself, in the channel of the interaction. Raises Refused if it cannot be posted,
        and Unsaved. If a limit leaves no room for it, show why."""
        say = translations_for(interaction)
        try:
            table = await self.inviting.invite(
                Proposal(terms, interaction.user.id, kind=InvitationKind.TABLE, auto_start=True)
            )
        except Unsaved:
            raise
        except Refused as refused:
            screen = no_table_screen(terms.game, say(refused.key, **refused.values), say)
            await reply_private(interaction, screen, PLAY)
            return
        await show_waiting(interaction, await self._post(table), again=False)

    async def _post(self, table: Invitation) -> Invitation:
        """Post the message of a table that was just opened; close it again if that fails. Raises Refused."""
        await self.posts.wording.load_names(table)
        made = sheet(self.posts.public_screens.invitation(table, InvitationState.OPEN), table.id)
        try:
            posted = await self.messages.post(table.guild_id, table.channel_id, made)
        except NotTaken:
            await self.posts.invitations.withdraw(table)
            raise Refused("challenge.not_posted") from None
        return await self.posts.posted(table, posted.message_id)


async def show_waiting(interaction: Interaction, table: Invitation, *, again: bool) -> None:
    """Tell somebody that they wait at a table."""
    screen = waiting_screen(table, translations_for(interaction), again=again)
    await reply_private(interaction, screen, PLAY)


PLAY: Final = "play"
"""What the buttons of these screens act on, in place of a match."""
MOST_TABLES: Final = 5
"""How many tables are offered at once: a row of buttons."""


@dataclass(frozen=True, slots=True)
class OfferedTable:
    """A table, its host's name, safe to show, and how reliably they play."""

    table: Invitation
    host: str
    reliability: Reliability


def choice_screen(
    offered: Sequence[OfferedTable], waiting: Sequence[Invitation], games: Sequence[str], say: Translations, note: str
) -> Screen:
    """Tables to join, where the reader waits already, and the games to begin with: the first has buttons of its own."""
    sections: list[Section] = [*noted(note)]
    sections += [Text(say("play.waiting_already", game=game_title(each.game), link=link(each))) for each in waiting]
    if offered:
        sections.append(Text("\n".join(_table_line(each, say) for each in offered)))
    else:
        sections.append(Text(say("play.nobody_waits")))
    joins: tuple[Control, ...] = tuple(_join_button(each, say) for each in offered)
    first = games[0]
    begin = _computer_button(first, say("play.computer", game=game_title(first)))
    if first not in {each.table.game for each in offered}:  # otherwise this would sit them down there
        begin = [Button(say("play.wait", game=game_title(first)), Press("play", 0, first), Tone.MAIN), *begin]
    rows: list[tuple[Control, ...]] = [joins, tuple(begin)]
    if len(games) > 1:
        options = tuple(Option(game_title(game), game) for game in games[1:])
        rows.append((Select(Press("play"), say("play.other_game"), options),))
    rows.append((tables_button(say),))
    return Screen(say("play.title"), tuple(sections), tuple(rows), tone=Tone.MAIN)


def tables_screen(offered: Sequence[OfferedTable], game: str, say: Translations, note: str) -> Screen:
    """Several tables of one game, whose hosts start them."""
    sections = (
        *noted(note),
        Text(say("play.several")),
        Text("\n".join(_table_line(each, say) for each in offered)),
    )
    joins = tuple(_join_button(each, say) for each in offered)
    computer = tuple(_computer_button(game, say("play.computer", game=game_title(game))))
    return Screen(say("play.title_game", game=game_title(game)), sections, (joins, computer), tone=Tone.MAIN)


def waiting_screen(table: Invitation, say: Translations, *, again: bool) -> Screen:
    """The reader sits at a table and waits for others; `again` if they did before."""
    game = game_title(table.game)
    key = "play.waits" if table.auto_start else "play.seated"
    text = say(key, game=game, link=link(table), when=f"<t:{table.expires_at // 1000}:R>")
    sections = [Text(say("play.already") if again else ""), Text(text)]
    computer = _computer_button(table.game, say("play.meanwhile"), Tone.MAIN)
    if computer:
        sections.append(Text(say("play.meanwhile_how")))
    rows = ((*computer, tables_button(say)),)
    shown = tuple(each for each in sections if each.text)
    return Screen(say("play.title_game", game=game), shown, rows, tone=Tone.MAIN)


def begun_screen(match: LiveMatch, players: Sequence[str], say: Translations) -> Screen:
    """A match of the reader's that is played, and its hand. Its button acts on the match."""
    text = say("play.begun", players=say("board.versus").join(players), link=board_link(match))
    cards = Button(say("button.my_cards"), Press("cards"), Tone.MAIN)
    return Screen(say("play.title_game", game=match.game.info.title), (Text(text),), ((cards,),), tone=Tone.MAIN)


def no_table_screen(game: str, reason: str, say: Translations) -> Screen:
    """Why no table could be opened, and the computer instead."""
    computer = tuple(_computer_button(game, say("play.computer", game=game_title(game))))
    return Screen(say("play.title_game", game=game_title(game)), (Text(reason),), (computer,))


def tables_button(say: Translations) -> Button:
    """Opens the screen where people say of which games they want to be notified when a table opens."""
    return Button(say("button.tables"), Press("tables"))


def link(table: Invitation) -> str:
    """The address of a table's message; its channel if it has none yet."""
    return message_link(table.guild_id, table.channel_id, table.message_id)


def _computer_button(game: str, label: str, tone: Tone = Tone.PLAIN) -> list[Button]:
    """A match against the computer, for games that it plays."""
    return [Button(label, Press("meanwhile", 0, game), tone)] if levels_of(game) else []


def _join_button(offered: OfferedTable, say: Translations) -> Button:
    game = game_title(offered.table.game)
    label = say("play.join", game=game, host=unescaped(offered.host))[:LONGEST_LABEL]
    return Button(label, Press("seat", 0, offered.table.id), Tone.GOOD)


def _begins(table: Invitation) -> str:
    """When the match of a table begins: a key of the catalogue."""
    if not table.auto_start:
        return "play.host_starts"
    missing = GAMES[table.game].info.seats[0] - len(table.seated)
    return "play.begins_with_you" if missing <= 1 else "play.starts_alone"


def _table_line(offered: OfferedTable, say: Translations) -> str:
    table, info = offered.table, GAMES[offered.table.game].info
    clock = time_control_label(time_control(table.clock), say) if info.turn_clock else ""
    facts = (
        say("play.table_filled", seated=len(table.seated), most=info.seats[-1]),
        say("play.table_clock", clock=clock) if clock else "",
        say(_begins(table)),
        "" if offered.reliability.level is Level.NEW else say("play.host", level=level_text(offered.reliability, say)),
        say("play.for_reliable") if table.reliable else "",
        f"<#{table.channel_id}>",
    )
    return say("play.table", game=info.title, host=offered.host, facts=" · ".join(each for each in facts if each))
