"""The command /tournament and its buttons: a host opens a tournament and looks after it, people play in it.

A button names its tournament. Each press is checked again, because anybody can send any press.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Container
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from discord import app_commands

from bot.games import GAMES, game_title
from bot.gateway.command_texts import Describe
from bot.pairing.model import Format, half_points
from bot.play.refusals import NotInstalled, Refused, translate_errors
from bot.play.server_settings import KnownServerSettings
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Option, Press, Screen, Select, Text
from cogs.actions.challenging import TermsReader, check_roles
from cogs.actions.command_parameters import choices, game_choices
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.actions.file_queue import FileQueue
from cogs.actions.hosting import By, asking, check_may_host
from cogs.actions.seating import chosen_members
from cogs.interactions.autocomplete import announced
from cogs.interactions.post_budget import PostBudget
from cogs.interactions.responses import Interaction, reply_file, reply_private, translations_for
from cogs.interactions.venues import IN_SERVERS, server_of
from cogs.interactions.whose_rows import Whose, check_may_store, writes
from cogs.screens import custom_ids
from cogs.screens.custom_ids import UnknownCustomId
from cogs.screens.renderer import LONGEST_OPTION
from cogs.screens.safe_names import unescaped
from cogs.screens.time_control_text import read_time_control
from cogs.tournaments import exports, panel, screens
from cogs.tournaments.cups import Tournaments
from cogs.tournaments.events import TournamentEvents
from cogs.tournaments.messages import Looking
from cogs.tournaments.rows import DealRow, PairingRow, State, Terms, Whole
from cogs.updates.public_messages import PublicMessages

NOBODY: Final = "n"
"""In place of an order in which people came in: nobody gets anything."""
_PAIRING: Final = re.compile(rf"(\d{{1,4}})\.(\d{{1,4}})(?:\.(\d{{0,9}}|{NOBODY}))?")

Managed: TypeAlias = Callable[[int, str, By], Awaitable[Whole]]


def tournament_games() -> tuple[str, ...]:
    """The games that two people can play."""
    return tuple(key for key, game in GAMES.items() if panel.PLAYERS in game.info.seats)


@dataclass(slots=True, eq=False)
class Hosting(Capability):
    """The command `/tournament`, and the panel of a tournament that isn't open yet."""

    verbs = Verbs()

    tournaments: Tournaments
    looking: Looking
    terms: TermsReader
    budget: PostBudget
    server_settings: KnownServerSettings
    events: TournamentEvents

    def _commands(self, say: Describe) -> tuple[Command, ...]:
        group = app_commands.Group(name="tournament", description=say("command.tournament"), **IN_SERVERS)
        forms = choices((say(f"tournament.format.{each}"), each) for each in panel.OFFERED)
        paces = choices((say(f"tournament.every.{each}"), each) for each in panel.Pace)

        @writes(Whose.NOBODY)
        @group.command(name="new", description=say("command.tournament_new"))
        @app_commands.describe(
            game=say("option.game"),
            format=say("option.tournament_format"),
            players=say("option.tournament_players"),
            clock=say("option.clock"),
            same_deal=say("option.tournament_same_deal"),
            rated=say("option.tournament_rated"),
            minutes=say("option.tournament_minutes"),
            rounds=say("option.tournament_rounds"),
        )
        @app_commands.choices(game=game_choices(tournament_games()), format=forms, rounds=paces)
        @app_commands.autocomplete(clock=announced)
        async def new(
            interaction: Interaction,
            *,
            game: app_commands.Choice[str],
            format: app_commands.Choice[str] | None = None,  # noqa: A002  as people read it
            players: app_commands.Range[int, panel.LEAST_PLAYERS, panel.MOST_PLAYERS] = panel.USUAL_PLAYERS,
            clock: str | None = None,
            same_deal: bool = True,
            rated: bool = True,
            minutes: app_commands.Range[int, panel.LEAST_MINUTES, panel.MOST_MINUTES] = panel.USUAL_MINUTES,
            rounds: app_commands.Choice[str] | None = None,
        ) -> None:
            guild_id, _ = await self.terms.check_begin(interaction)
            check_may_host(self.server_settings, interaction)
            words, key = translations_for(interaction), game.value
            setup = panel.Setup(
                key,
                self.terms.clock(guild_id, key) if clock is None else read_time_control(clock, words).key,
                GAMES[key].info.recommended_for(panel.PLAYERS),
                Format.SWISS if format is None else Format(format.value),
                panel.Dealt.SAME if same_deal else panel.Dealt.OWN,
                panel.Pace.EVENING if rounds is None else panel.Pace(rounds.value),
                players,
                minutes,
                rated,
            )
            await reply_private(interaction, panel.panel_screen(setup.fitted(), words), screens.SUBJECT)

        @writes(Whose.NOBODY)
        @group.command(name="me", description=say("command.tournament_me"))
        async def me(interaction: Interaction) -> None:
            await self._show_current(interaction)

        return (group,)

    @verbs("tournow", writes=Whose.NOBODY)
    async def _now(self, press: ComponentPress) -> None:
        await self._show_current(press.interaction)

    async def _show_current(self, interaction: Interaction) -> None:
        words = translations_for(interaction)
        found = await self._current(server_of(interaction), interaction.user.id)
        view = await self.looking.view(found, words)
        avoided = await self.tournaments.avoided(found, interaction.user.id)
        screen = screens.own_screen(view, interaction.user.id, words, avoided=avoided)
        await reply_private(interaction, screen, view.tournament.id)

    async def _current(self, guild_id: int, user_id: int) -> Whole:
        """The tournament in which somebody has something to do, or else the latest one here, if possible one that isn't
        over. Raises Refused without one."""
        own = await self.tournaments.of_person(guild_id, user_id)
        shown = own or await self.tournaments.of_server(guild_id) or await self.tournaments.latest_over(guild_id)
        wholes = [await self.tournaments.whole(guild_id, each.id) for each in shown]
        if not wholes:
            raise Refused("tournament.none")
        return max(reversed(wholes), key=lambda whole: urgency(whole, user_id))

    @verbs("tourset", writes=Whose.NOBODY)
    async def _set(self, press: ComponentPress) -> None:
        check_may_host(self.server_settings, press.interaction)
        setup, note = _setup(press.arg), ""
        if setup.event and not press.interaction.app_permissions.create_events:
            setup, note = replace(setup, event=False), press.words("tournament.event_not_permitted")
        await press.reply(panel.panel_screen(setup, press.words, note), screens.SUBJECT)

    @verbs("touropen")
    async def _open(self, press: ComponentPress) -> None:
        """Open the tournament that the panel describes."""
        interaction, setup, words = press.interaction, _setup(press.arg), press.words
        guild_id, channel_id = await self.terms.check_begin(interaction)
        check_may_host(self.server_settings, interaction)
        with self.budget.spending(interaction):
            options, terms = GAMES[setup.game].info.presets[setup.preset], _terms(setup, guild_id, channel_id)
            made = await self.tournaments.create(terms, options, press.user_id, 60 * setup.minutes)
        note = words("hosted.opened")
        channel = getattr(interaction.channel, "name", None) or ""
        if setup.event and (failed := await self.events.enter(made, channel)):
            note = f"{note} {words(failed)}"
        view = await self.looking.view(await self.tournaments.whole(guild_id, made.id), words)
        screen = screens.own_screen(view, press.user_id, words, note)
        await press.reply(screen, made.id)


@dataclass(slots=True, eq=False)
class TournamentPresses(Capability):
    """What the buttons of a tournament do. They act on its id."""

    verbs = Verbs()

    tournaments: Tournaments
    looking: Looking
    files: FileQueue
    terms: TermsReader
    budget: PostBudget
    server_settings: KnownServerSettings
    shown: PublicMessages

    # ------------------------------------------------------------------------------------ who plays

    @verbs("tourjoin")
    async def _join(self, press: ComponentPress) -> None:
        found = await self._whole(press)
        if (entrant := found.entrant(press.user_id)) is not None:
            await self._own(press, found, "" if entrant.there else press.words("tournament.left"))
            return
        check_roles(self.server_settings, press.interaction)
        found = await self.tournaments.join(press.server_id, press.target, press.user_id)
        first = found.entrants[-1].joined
        await self._own(press, found, press.words("tournament.you_joined_late", round=first) if first > 1 else "")

    @verbs("tourhere")
    async def _here(self, press: ComponentPress) -> None:
        check_roles(self.server_settings, press.interaction)
        await self._own(press, await self.tournaments.check_in(press.server_id, press.target, press.user_id))

    @verbs("tourask", writes=Whose.INVITED)
    async def _ask(self, press: ComponentPress) -> None:
        """Ask somebody who was chosen from a list to be a partner."""
        (partner_id,) = chosen_members(press.interaction)
        await self._ask_for(press, partner_id)

    @verbs("tourwith", writes=Whose.INVITED)
    async def _agree(self, press: ComponentPress) -> None:
        """Agree to be the partner of an entrant, whose number is in the id."""
        found = await self._whole(press)
        asker = next((each for each in found.people if str(each.number) == press.arg), None)
        if asker is None:
            raise Refused("tournament.no_asking")
        await self._ask_for(press, asker.user_id)

    async def _ask_for(self, press: ComponentPress, partner_id: int) -> None:
        check_may_store(press.interaction, [partner_id])
        await self._own(press, await self.tournaments.ask(press.server_id, press.target, press.user_id, partner_id))

    @verbs("tourleave")
    async def _leave(self, press: ComponentPress) -> None:
        found = await self.tournaments.leave(press.server_id, press.target, press.user_id)
        await self._own(press, found, press.words("hosted.you_left"))

    @verbs("tourback")
    async def _come_back(self, press: ComponentPress) -> None:
        check_roles(self.server_settings, press.interaction)
        found = await self.tournaments.back(press.server_id, press.target, press.user_id)
        await self._own(press, found, press.words("tournament.you_came_back"))

    @verbs("tourmine", writes=Whose.NOBODY)
    async def _mine(self, press: ComponentPress) -> None:
        await self._own(press, await self._whole(press))

    @verbs("tourrows", writes=Whose.NOBODY)
    async def _standings(self, press: ComponentPress) -> None:
        page = custom_ids.read_page(press.arg) if press.arg else 0
        view = await self.looking.view(await self._whole(press), press.words)
        await press.reply(screens.standings_screen(view, page, press.words), press.target)

    async def _own(self, press: ComponentPress, found: Whole, note: str = "") -> None:
        view = await self.looking.view(found, press.words)
        avoided = await self.tournaments.avoided(found, press.user_id)
        await press.reply(screens.own_screen(view, press.user_id, press.words, note, avoided), press.target)

    # ------------------------------------------------------------------------------------ its host

    @verbs("tourmore", writes=Whose.NOBODY)
    async def _more(self, press: ComponentPress) -> None:
        await self._show_more(press, await self._whole(press))

    @verbs("tourclose")
    async def _close(self, press: ComponentPress) -> None:
        await self._manage(press, self.tournaments.close_joining, "tournament.began")

    @verbs("tourpause")
    async def _pause(self, press: ComponentPress) -> None:
        await self._manage(press, self.tournaments.pause, "tournament.paused")

    @verbs("tourgoon")
    async def _resume(self, press: ComponentPress) -> None:
        """Go on in the channel of the press; in another one the message is posted there, and the former one deleted."""
        found = await self._hosted(press)
        _, channel_id = await self.terms.check_begin(press.interaction)
        moves = channel_id != found.tournament.channel_id

        async def resume(guild_id: int, tournament_id: str, by: By) -> Whole:
            resumed, former = await self.tournaments.resume(guild_id, tournament_id, by, channel_id)
            if former.channel_id != channel_id:
                self.shown.left(guild_id, former.id, former.channel_id, former.message_id)
            return resumed

        with self.budget.spending(press.interaction) if moves else nullcontext():
            await self._manage(press, resume, "tournament.resumed")

    @verbs("tourend", writes=Whose.NOBODY)
    async def _ask_end(self, press: ComponentPress) -> None:
        found = await self._hosted(press)
        view = await self.looking.view(found, press.words)
        await press.reply(screens.ask_screen(view, press.words), press.target)

    @verbs("tourendnow")
    async def _end(self, press: ComponentPress) -> None:
        await self._manage(press, self.tournaments.call_off, "tournament.called_off")

    @verbs("tourfix", writes=Whose.NOBODY)
    async def _choose(self, press: ComponentPress) -> None:
        """Ask how a pairing ended that was chosen from the list."""
        found = await self._hosted(press)
        pairing, order = _pairing(found, press.arg)
        view = await self.looking.view(found, press.words)
        await press.reply(correct_screen(view, pairing, order or "", press.words), press.target)

    @verbs("tourresult")
    async def _correct(self, press: ComponentPress) -> None:
        pairing, order = _pairing(await self._hosted(press), press.arg)
        if order is None:
            raise UnknownCustomId("no result")
        got = got_by(order, pairing)

        async def correct(guild_id: int, tournament_id: str, by: By) -> Whole:
            return await self.tournaments.correct(guild_id, tournament_id, by, (pairing.round, pairing.number), got)

        await self._manage(press, correct, "tournament.corrected")

    async def _manage(self, press: ComponentPress, change: Managed, told: str) -> None:
        found = await change(press.server_id, press.target, self._by(press))
        await self._show_more(press, found, press.words(told))

    async def _show_more(self, press: ComponentPress, found: Whole, note: str = "") -> None:
        view = await self.looking.view(found, press.words)
        host = self._by(press).may_manage(found.tournament.host_id)
        await press.reply(screens.more_screen(view, press.words, host=host, note=note), press.target)

    # ------------------------------------------------------------------------------------ files and proofs

    @verbs("tourfile", writes=Whose.NOBODY)
    async def _file(self, press: ComponentPress) -> None:
        if press.arg not in {"csv", "json"}:
            raise UnknownCustomId("no such file")
        found = await self._whole(press)
        view, deals = await self.looking.view(found, press.words), await self._open_deals(press, found)

        def make() -> bytes:
            return exports.csv_of(view) if press.arg == "csv" else exports.json_of(view, deals)

        content = await self.files.made(press.interaction, make)
        name = exports.FILE.format(id=found.tournament.id, kind=press.arg)
        await reply_file(press.interaction, press.words("tournament.file"), name, content)

    @verbs("tourproof", writes=Whose.NOBODY)
    async def _prove(self, press: ComponentPress) -> None:
        found = await self._whole(press)
        if not _may_be_proved(found):
            raise Refused("tournament.not_over")
        view = await self.looking.view(found, press.words)
        screen = screens.proof_screen(view, await self._open_deals(press, found), press.words)
        await press.reply(screen, press.target)

    async def _open_deals(self, press: ComponentPress, found: Whole) -> list[DealRow]:
        """The deals of a tournament in which nothing is played any more, as somebody may see them; none of any
        other."""
        here, queries = (found.tournament.guild_id, found.tournament.id), self.tournaments.queries
        if not _may_be_proved(found):
            return []
        hidden = set(await translate_errors(queries.private_to_others(*here, press.user_id)))
        deals = await translate_errors(queries.deals(*here))
        return [replace(each, seed=b"") if _is_private(found, each, hidden) else each for each in deals]

    # ------------------------------------------------------------------------------------ reading presses

    async def _whole(self, press: ComponentPress) -> Whole:
        found = await self.tournaments.whole(press.server_id, press.target)
        if found.tournament.game not in GAMES:
            raise NotInstalled(found.tournament.game)
        return found

    async def _hosted(self, press: ComponentPress) -> Whole:
        """The tournament of a press. Raises Refused for somebody who may not look after it."""
        found = await self._whole(press)
        if not self._by(press).may_manage(found.tournament.host_id):
            raise Refused("hosted.not_yours")
        return found

    def _by(self, press: ComponentPress) -> By:
        return asking(self.server_settings, press.interaction)


def urgency(whole: Whole, user_id: int) -> int:
    """How soon somebody has something to do in a tournament."""
    pairing = whole.pairing(whole.tournament.round, user_id)
    if pairing is not None and pairing.how is None:
        return 3
    return {State.CHECKING: 2, State.PLAYING: 1}.get(whole.tournament.state, 0)


def _may_be_proved(found: Whole) -> bool:
    """Whether a tournament is over, and none of its deals is played any more."""
    return found.tournament.ended and all(leg.got is not None for each in found.pairings for leg in each.legs)


def _is_private(found: Whole, deal: DealRow, hidden: Container[str]) -> bool:
    """Whether all matches with a deal are among those that somebody may not see."""
    dealt = [leg.match_id for each in found.pairings for leg in each.legs if leg.deal == deal.deal_id]
    return bool(dealt) and all(each in hidden for each in dealt)


def _setup(arg: str) -> panel.Setup:
    setup = panel.Setup.read(arg)
    if setup.game not in tournament_games():
        raise UnknownCustomId("not a game for two")
    return setup


def _terms(setup: panel.Setup, guild_id: int, channel_id: int) -> Terms:
    return Terms(
        guild_id=guild_id,
        channel_id=channel_id,
        game=setup.game,
        clock=setup.clock,
        format=setup.form,
        most=setup.most,
        legs=2 if setup.dealt is panel.Dealt.TWICE else 1,
        same_deal=setup.dealt is not panel.Dealt.OWN,
        scoring=setup.scoring,
        rated=setup.rated,
        check_in=setup.check_in,
        every=panel.SECONDS[setup.pace],
        teams=setup.dealt is panel.Dealt.TEAMS,
        lasts=setup.lasts if setup.form is Format.ARENA else 0,
        seats=setup.seats,
    )


def _pairing(found: Whole, arg: str) -> tuple[PairingRow, str | None]:
    """The pairing that an argument names, and in which order people came in, as far as it says so
    (`got_by`). Raises UnknownCustomId, and Refused for a pairing that can't be corrected now."""
    read = _PAIRING.fullmatch(arg)
    if read is None:
        raise UnknownCustomId("no pairing")
    which, order = (int(read[1]), int(read[2])), read[3]
    pairing = next((each for each in found.pairings if (each.round, each.number) == which), None)
    if pairing is None or pairing.is_bye:
        raise Refused("tournament.no_pairing")
    if screens.is_closed(found, pairing):
        raise Refused("tournament.still_closed")
    if order not in {None, NOBODY}:
        people = [int(each) for each in order]
        if len(set(people)) < len(people) or any(each >= len(pairing.people) for each in people):
            raise UnknownCustomId("no result")
    return pairing, order


def correct_screen(view: screens.View, pairing: PairingRow, order: str, words: Translations) -> Screen:
    """Asks a host how a pairing ended, one place after the other, as far as `order` doesn't say it (`got_by`)."""
    told = f"{pairing.round}.{pairing.number}."
    left = {
        index: unescaped(view.names[user_id]) for index, user_id in enumerate(pairing.people) if str(index) not in order
    }
    verb = "tourfix" if len(left) > panel.PLAYERS else "tourresult"
    lines = [screens.told_pairing(view, pairing, words)]
    if len(pairing.people) == panel.PLAYERS:
        lines.append(words("tournament.correct_about"))
        people: tuple[Button | Select, ...] = tuple(
            [
                Button(words("tournament.gets_point", player=name), Press(verb, index, f"{told}{index}"))
                for index, name in left.items()
            ]
        )
    else:
        asked = words("tournament.correct_place", place=1 + len(order))
        options = [Option(name[:LONGEST_OPTION], f"{told}{order}{index}") for index, name in left.items()]
        people = (Select(Press(verb), asked[:LONGEST_OPTION], tuple(options)),)
    tie = words("tournament.others_tie" if order else "tournament.draw")
    ends = [Button(tie, Press("tourresult", 10, f"{told}{order}"))]
    if not order:
        ends.append(Button(words("tournament.nobody"), Press("tourresult", 11, f"{told}{NOBODY}")))
    back = (Button(words("button.previous"), Press("tourmore")),)
    return Screen(
        words("tournament.title", game=game_title(view.tournament.game)),
        (Text("\n".join(lines)),),
        (people, tuple(ends), back),
    )


def got_by(order: str, pairing: PairingRow) -> tuple[int, ...]:
    """The half points of each where people came in so: `order` has their places in the pairing, one digit each. Who
    isn't in it shares the place after; `NOBODY` gives nothing to anybody."""
    if order == NOBODY:
        return (0,) * len(pairing.people)
    found = [order.find(str(index)) for index in range(len(pairing.people))]
    return half_points([-(len(order) if each < 0 else each) for each in found])
