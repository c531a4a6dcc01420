"""The list of `/games`: what a person plays, one page at a time, and first what waits for them.

In a server it lists that server; in direct messages it lists all servers. Only its reader sees it.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import groupby
from typing import Final, TypeAlias

from discord import app_commands

from bot.games import game_title
from bot.gateway.command_texts import Describe
from bot.play.days import end_of
from bot.play.elsewhere import Elsewhere, PlayedElsewhere
from bot.play.live_match import LiveMatch
from bot.play.match_registry import MatchRegistry
from bot.play.matchmaking.invitations import Invitations
from bot.play.quarantine import QuarantinedMatch
from bot.store.errors import StoreError
from bot.store.queries.invitations import Invitation, InvitationKind
from bot.store.queries.matches import MatchRow, Suspension
from bot.store.special_ids import is_chat, is_direct, message_link
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press, Screen, Section, Text, Tone, noted
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.interactions.responses import Interaction, reply_private, translations_for
from cogs.interactions.venues import Members, direct_too
from cogs.interactions.whose_rows import Whose, writes
from cogs.screens import custom_ids
from cogs.screens.additions import Additions, arranged
from cogs.screens.board import shown_deadline
from cogs.screens.hands.hand import resume_button
from cogs.screens.pages import turning
from cogs.screens.renderer import chunks, utf16_units
from cogs.screens.safe_names import LONGEST_SERVER, safe_server_name, unescaped
from cogs.wording import Wording

LISTED: Final = "games"
"""What the controls of the list act on, in place of a match."""
PAGE: Final = 7
"""Lines on a page, at most: about what a phone's screen shows together with the buttons."""
ROOM: Final = 3000
"""UTF-16 units of all lines of a page; the title, the headings and the foot need the rest of a message."""
ASK_SECONDS: Final = 2.0
"""How long to wait until Discord says whether the reader is still in a server."""

_LONGEST: Final = "#" * LONGEST_SERVER
"""A server's name that takes as much room as any: each sign gets a backslash."""


_Listed: TypeAlias = LiveMatch | MatchRow | Invitation
"""What a line is about; a quarantined match is given by its row."""


class _Group(IntEnum):
    """The parts of the list, in their order."""

    WAITING = 0
    ON_HOLD = 1
    OTHERS = 2
    INVITATIONS = 3


@dataclass(frozen=True, slots=True)
class _Line:
    """A match or an invitation in words.

    Within its group it is sorted by `later`, then by `deadline` (ms UTC; infinity if it has none). `resumed` is the
    match that the reader may resume here, and `reopened` the one without a clock whose hand they may open here.
    """

    group: _Group
    text: str
    listed: _Listed
    message_id: int | None
    deadline: float = math.inf
    later: bool = False
    resumed: LiveMatch | None = None
    reopened: LiveMatch | None = None


@dataclass(slots=True, eq=False)
class MatchList(Capability):
    """The command `/games`, and the button that turns its pages."""

    verbs = Verbs()

    matches: MatchRegistry
    invitations: Invitations
    elsewhere: Elsewhere
    wording: Wording
    members: Members
    additions: Additions

    def _commands(self, say: Describe) -> tuple[Command, ...]:
        @direct_too
        @writes(Whose.NOBODY)
        @app_commands.command(name="games", description=say("command.games"))
        async def games(interaction: Interaction) -> None:
            await reply_private(interaction, await self.screen(interaction, 0), LISTED)

        return (games,)

    @verbs("matches")
    async def _turn(self, press: ComponentPress) -> None:
        """Show a page of the presser's matches."""
        screen = await self.screen(press.interaction, custom_ids.read_page(press.arg))
        await press.reply(screen, LISTED)

    async def screen(self, interaction: Interaction, page: int, note: str = "") -> Screen:
        """A page of the reader's open matches, challenges and tables, counted from 0; past the last page it is the
        last.

        The note comes first, if there is one.
        """
        say, user, guild = translations_for(interaction), interaction.user.id, interaction.guild_id
        words = _Words(self.wording, self.elsewhere, self.members, say=say, user=user, guild=guild)
        lines = await self._lines(words)
        title = say("games.title" if guild is not None else "games.title_everywhere")
        elsewhere = await self._played_elsewhere(interaction, say)
        added = arranged((), self.additions.games, say)
        own_rows = () if guild is None or not added else (added,)
        if not lines:
            none = Text(say("games.none" if guild is not None else "games.none_anywhere"))
            row = () if guild is None else (*arranged((), self.additions.empty, say), *added)
            return Screen(title, (*noted(note), none), (row,), footer=elsewhere)
        pages = _pages(lines, words)
        page = min(page, len(pages) - 1)
        shown = pages[page]
        await words.check(shown)
        rest = lines[sum(map(len, pages[: page + 1])) :]
        sections = (*noted(note), *_sections(lines, shown, words), *_asked_later(rest, say))
        buttons = [words.resume_button(line.resumed) for line in shown if line.resumed]
        buttons += [words.open_button(line.reopened) for line in shown if line.reopened]
        rows = chunks(buttons)
        if len(pages) == 1:
            return Screen(title, sections, (*rows, *own_rows), elsewhere)
        foot = say("rules.page", page=page + 1, pages=len(pages))
        footer = "\n".join(line for line in (foot, elsewhere) if line)
        return Screen(title, sections, (*rows, turning("matches", page, len(pages) - 1, say), *own_rows), footer)

    async def waiting(self, user: int, say: Translations) -> tuple[list[str], int]:
        """The matches with a clock that wait for somebody, in all servers, by deadline: as many lines as a message has
        room for, and how many there are. Raises StoreError."""
        words = _Words(self.wording, self.elsewhere, self.members, say=say, user=user, guild=None)
        lines = [line for line in await self._lines(words) if line.group is _Group.WAITING and _has_clock(line.listed)]
        shown, room = list[_Line](), ROOM
        for line in lines:
            room -= words.most_units(line)
            if room < 0:
                break
            shown.append(line)
        await words.check(shown)
        return [words.with_venue(line) for line in shown], len(lines)

    async def _played_elsewhere(self, interaction: Interaction, say: Translations) -> str:
        """Where the reader finds what they play in other servers; empty if there is nothing."""
        if interaction.guild_id is None:
            return ""
        user = interaction.user.id
        found: tuple[_Listed, ...] = (
            *self.matches.of_player(user, None),
            *(held.row for held in self.matches.quarantined(user, None)),
            *self.invitations.of_player(user, None),
        )
        count = sum(each.guild_id != interaction.guild_id for each in found)
        with contextlib.suppress(StoreError):  # what is played here can be listed all the same
            count += await self.elsewhere.count(user)
        return say.count("games.elsewhere", count) if count else ""

    async def _lines(self, words: _Words) -> list[_Line]:
        """All lines, in the order of the list."""
        user, guild = words.user, words.guild
        there = PlayedElsewhere() if guild is not None else await self.elsewhere.of_player(user)
        matches = [*self.matches.of_player(user, guild), *there.matches]
        quarantined = [*self.matches.quarantined(user, guild), *there.quarantined]
        invitations = [*self.invitations.of_player(user, guild), *there.invitations]
        for match in matches:
            await self._load_names(match.guild_id, match.seats)
        for held in quarantined:
            await self._load_names(held.row.guild_id, held.row.seats)
        for invitation in invitations:
            people = (invitation.host_id, *invitation.invited, *invitation.seated)
            await self._load_names(invitation.guild_id, people)
        lines = [words.match(match) for match in matches if not match.over]  # one may have ended meanwhile
        lines += [words.quarantined(held) for held in quarantined]
        lines += [words.invitation(invitation) for invitation in invitations]
        return sorted(lines, key=lambda line: (line.group, line.later, line.deadline))

    async def _load_names(self, guild_id: int, people: Iterable[int]) -> None:
        await self.wording.load(guild_id, people, again=self.elsewhere.has(guild_id))


def _pages(lines: Sequence[_Line], words: _Words) -> list[list[_Line]]:
    """The lines by page: as many as fit, however long the names in them are."""
    pages: list[list[_Line]] = [[]]
    room = ROOM
    for line in lines:
        units = words.most_units(line)
        if pages[-1] and (len(pages[-1]) == PAGE or units > room):
            pages.append([])
            room = ROOM
        pages[-1].append(line)
        room -= units
    return pages


def _sections(lines: Sequence[_Line], shown: Iterable[_Line], words: _Words) -> tuple[Section, ...]:
    """The lines of a page under their headings, which say how many of a group there are on all pages."""
    sections: list[Section] = []
    for group, grouped in groupby(shown, key=lambda line: line.group):
        heading = words.say(f"games.group.{group.name.lower()}", n=sum(line.group is group for line in lines))
        sections.append(Text("\n".join((heading, *(words.with_venue(line) for line in grouped)))))
    return tuple(sections)


def _asked_later(rest: Iterable[_Line], say: Translations) -> tuple[Text, ...]:
    """How many challenges and tables on later pages wait for the reader's answer: they expire soon, and come last."""
    asked = sum(line.group is _Group.INVITATIONS and not line.later for line in rest)
    return (Text(say.count("games.asked", asked)),) if asked else ()


@dataclass(slots=True, eq=False)
class _Words:
    """Puts a person's matches and invitations into words; `guild` is the server, or None for all.

    Each line says where it is: with a link, and in direct messages with the server's name. Somebody who has left a
    server gets no links to its channels.
    """

    wording: Wording
    elsewhere: Elsewhere
    members: Members
    say: Translations
    user: int
    guild: int | None
    _left: set[int] = field(default_factory=set, init=False)
    _named: dict[int, str] = field(default_factory=dict, init=False)

    def opponents(self, match: LiveMatch | MatchRow) -> str:
        """The others who play a match."""
        names = zip(match.seats, self.wording.names(match.guild_id, match.seats, self.say), strict=True)
        return " · ".join(name for other, name in names if other != self.user)

    def resume_button(self, match: LiveMatch) -> Button:
        """Resumes a match here."""
        opponents = unescaped(self.opponents(match))
        return resume_button(match.id, self.say("games.resume", game=match.game.info.title, opponent=opponents))

    def open_button(self, match: LiveMatch) -> Button:
        """Opens the hand of a match without a clock."""
        key = f"games.{_kind(match)}_open"
        return Button(self.say(key, game=match.game.info.title), Press("open", 0, match.id), Tone.MAIN)

    def match(self, match: LiveMatch) -> _Line:
        """A match."""
        title, opponents = match.game.info.title, self.opponents(match)
        if match.suspended is Suspension.MODERATED:
            text = self.say("games.moderated", game=title, opponent=opponents)
            return _Line(_Group.ON_HOLD, text, match, None, later=True)
        if match.suspended is not None:
            why = self.say(f"games.suspended.{match.suspended}")
            here = self.guild is not None
            key = "games.suspended" if here else "games.suspended_there"
            text = self.say(key, game=title, opponent=opponents, why=why)
            return _Line(_Group.ON_HOLD, text, match, None, resumed=match if here else None)
        if match.failed is not None:
            return self._stopped(match, title, match.failed)
        seat = match.seat_of(self.user)
        window = match.position.window
        if window is None or not window.may_act:
            group, turn = _Group.OTHERS, self.say("games.beginning")
        elif not window.awaited:
            group, turn = _Group.WAITING, self.say("games.race")
        elif seat is not None and match.has_stand_in(seat):
            group, turn = _Group.OTHERS, self.say("games.held")
        elif seat in window.awaited:
            group, turn = _Group.WAITING, self.say("games.your_turn")
        else:
            group, turn = _Group.OTHERS, self.say("games.their_turn")
        deadline = shown_deadline(match, seat)
        if deadline is not None:
            turn = self.say("games.runs_out", turn=turn, when=f"<t:{deadline // 1000}:R>")
        end = end_of(match)
        if end is not None:
            if match.day is not None:
                turn = self.say("games.runs_out", turn=turn, when=f"<t:{end // 1000}:R>")
            text = self.say(f"games.{_kind(match)}", game=title, opponent=opponents, turn=turn)
            opened = match if self.guild is not None or is_direct(match.guild_id) else None
            return _Line(group, text, match, match.board_id, end, reopened=opened)
        text = self.say("games.match", game=title, opponent=opponents, turn=turn)
        return _Line(group, text, match, match.board_id, math.inf if deadline is None else deadline)

    def _stopped(self, match: LiveMatch | MatchRow, title: str, number: int) -> _Line:
        opponents = self.opponents(match)
        text = self.say("games.resting", game=title, opponent=opponents, number=number)
        return _Line(_Group.ON_HOLD, text, match, match.board_id, later=True)

    def quarantined(self, quarantined: QuarantinedMatch) -> _Line:
        """A match in quarantine."""
        if quarantined.number is not None:
            return self._stopped(quarantined.row, quarantined.title, quarantined.number)
        key = "games.not_installed" if quarantined.altered is None else f"games.altered.{quarantined.altered}"
        text = self.say(key, game=quarantined.title, opponent=self.opponents(quarantined.row))
        return _Line(_Group.ON_HOLD, text, quarantined.row, quarantined.row.board_id, later=True)

    def invitation(self, invitation: Invitation) -> _Line:
        """A challenge or a table."""
        asked = self.user in invitation.invited and self.user not in invitation.seated
        told = self._table if invitation.kind is InvitationKind.TABLE else self._challenge
        text = self.say(
            "games.expires", invitation=told(invitation, asked=asked), when=f"<t:{invitation.expires_at // 1000}:R>"
        )
        given = _Group.INVITATIONS, text, invitation, invitation.message_id
        return _Line(*given, deadline=invitation.expires_at, later=not asked)

    def _challenge(self, invitation: Invitation, *, asked: bool) -> str:
        game, guild = game_title(invitation.game), invitation.guild_id
        if invitation.host_id == self.user:
            return self.say(
                "games.sent",
                game=game,
                opponent=" · ".join(self.wording.names(guild, invitation.invited, self.say)),
            )
        key = "games.received" if asked else "games.accepted"
        return self.say(key, game=game, opponent=self.wording.name(guild, invitation.host_id, self.say))

    def _table(self, invitation: Invitation, *, asked: bool) -> str:
        game, seated = game_title(invitation.game), len(invitation.seated)
        if invitation.host_id == self.user:
            return self.say("games.table_host", game=game, seated=seated)
        key = "games.table_asked" if asked else "games.table_seated"
        host = self.wording.name(invitation.guild_id, invitation.host_id, self.say)
        return self.say(key, game=game, host=host, seated=seated)

    # ------------------------------------------------------------------------------------ where it is

    async def check(self, lines: Iterable[_Line]) -> None:
        """Ask Discord in which servers of these lines the reader is, and what those are called that other processes
        serve. A server without an answer counts as left."""
        if self.guild is None:
            guilds = tuple({line.listed.guild_id for line in lines})
            found = await asyncio.gather(*map(self._is_member, guilds))
            self._left = {guild for guild, member in zip(guilds, found, strict=True) if not member}

    async def _is_member(self, guild: int) -> bool:
        if is_direct(guild):
            return True
        try:
            async with asyncio.timeout(ASK_SECONDS):
                if not self.elsewhere.has(guild):
                    return await self.members.fetch(guild, self.user) is not None
                self._named[guild] = ""
                self._named[guild], is_there = await self.members.fetch_elsewhere(guild, self.user)
                return is_there
        except Exception:  # noqa: BLE001  whatever went wrong, nothing is known
            return False

    def with_venue(self, line: _Line) -> str:
        """A line as an item of a list, with where it is."""
        return self._item(line, linked=line.listed.guild_id not in self._left)

    def most_units(self, line: _Line) -> int:
        """How many UTF-16 units the line has at most, with a line break."""
        return 1 + max(utf16_units(self._item(line, linked=linked)) for linked in (True, False))

    def _item(self, line: _Line, *, linked: bool) -> str:
        guild = line.listed.guild_id
        server = () if self.guild is not None else (self._server(guild),)
        text = " · ".join((f"- {line.text}", *server))
        if _has_no_venue(line.listed):
            return text
        if linked:
            return f"{text} {message_link(guild, line.listed.channel_id, line.message_id)}"
        return f"{text} · {self.say('games.no_link')}" if self._name(guild) else text

    def _server(self, guild: int) -> str:
        if is_direct(guild):
            return self.say("games.chat" if is_chat(guild) else "games.direct")
        name = self._name(guild)
        return safe_server_name(name, guild) if name else self.say("games.unknown_server")

    def _name(self, guild: int) -> str:
        """What a server is called. One of another process may have the longest name until that is asked for."""
        return self._named.get(guild, _LONGEST) if self.elsewhere.has(guild) else self.wording.server_name(guild)


def _kind(match: LiveMatch) -> str:
    """What a match without a clock is, as the catalogue calls it."""
    if match.day is None:
        return "practice"
    return "weekly" if match.everywhere else "daily"


def _has_clock(listed: _Listed) -> bool:
    return isinstance(listed, LiveMatch) and listed.has_clock


def _has_no_venue(listed: _Listed) -> bool:
    """Whether it is a match that has lost its venue, or never had one, so that no link leads to it."""
    if isinstance(listed, Invitation):
        return False
    if isinstance(listed, MatchRow):
        return listed.alone and not listed.on_board
    return not listed.has_board or listed.suspended is not None
