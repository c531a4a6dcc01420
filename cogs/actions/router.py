"""The router: every press of a component comes through here, once, whatever its id.

The library's own views are not used: all state is in the id and the store, so a button works after a restart, and an
id that nobody knows is answered instead of dropped.
"""

from __future__ import annotations

import logging
from typing import Any

from bot import error_numbers
from bot.play.live_match import LiveMatch
from bot.play.match_state import codec
from bot.play.refusals import Refused, Unsaved, translate_errors
from bot.ui.screen import Button, Press, Screen, Text, Tone
from cogs.actions import my_data, resuming
from cogs.actions.leaderboard import leaderboard_screen
from cogs.actions.seating import Seating, Verb
from cogs.app import CardroomApp
from cogs.interactions import responses
from cogs.interactions.arrivals import MAX_AGE, InteractionAge
from cogs.interactions.responses import Interaction
from cogs.screens import custom_ids, selections
from cogs.screens.board import piles_screen
from cogs.screens.hand import current_selection, hand_screen, refusal_text
from cogs.screens.presenter import OpenPiles, Reader
from cogs.screens.rules_pages import rules_screen
from engines import GAMES
from engines.game import Act, IllegalAction, Pick, Resign, Seat

_log = logging.getLogger(__name__)


class Router:
    """Presses to what they mean."""

    def __init__(self, app: CardroomApp, arrivals: InteractionAge) -> None:
        self._app = app
        self._ages = arrivals
        self._verbs: dict[str, Verb] = {
            **Seating(app).verbs,
            "rules": self._rules,
            "page": self._page,
            "ranks": self._ranks,
            "piles": self._piles,
            "cards": self._cards,
            "resign": self._ask_resign,
            "leave": self._leave,
            "stay": self._cards,
            "calloff": self._call_off,
            "resume": self._resume,
            "p": self._select,
            "c": self._select,
            "o": self._select,
            "forget": self._forget,
            "remain": self._remain,
            "a": self._play,
            "d": self._play,
        }

    async def on_interaction(self, interaction: Interaction) -> None:
        """Answer a press of a component, or a form, of which we have none."""
        age = self._ages.age(interaction.id)
        if age > MAX_AGE:
            _log.info("dropped a press that came %.1f s late", age)
            interaction.client.telemetry.press_late()
            return
        responses.start_timer(interaction, age)
        say = self._app.translations_for(interaction)
        try:
            with self._app.matches.pressing(_table(interaction)):
                await self._app.remember_names(interaction)
                await translate_errors(self._route(interaction))
        except custom_ids.UnknownCustomId:
            await responses.reply_text(interaction, say("press.unknown"))
        except Refused as refused:
            await responses.reply_text(interaction, say(refused.key, **refused.values))
        except Exception as error:  # noqa: BLE001  whatever happens inside, the press is answered
            number = error_numbers.log_error(error, "answering a press", interaction.client.telemetry)
            await responses.reply_text(interaction, say("error.number", number=number))

    async def _route(self, interaction: Interaction) -> None:
        data: dict[str, Any] = dict(interaction.data or {})
        table, press = custom_ids.read(str(data.get("custom_id", "")))
        match data.get("values"):
            case [chosen, *_]:
                press = Press(press.verb, press.window, custom_ids.read_chosen(chosen))
        verb = self._verbs.get(press.verb)
        if verb is None:
            raise custom_ids.UnknownCustomId("no such verb")
        await verb(interaction, table, press)

    # ------------------------------------------------------------------------------------ reading

    async def _rules(self, interaction: Interaction, table: str, _: Press) -> None:
        await self._show_rules(interaction, table, 0)

    async def _page(self, interaction: Interaction, table: str, press: Press) -> None:
        await self._show_rules(interaction, table, custom_ids.read_page(press.arg))

    async def _show_rules(self, interaction: Interaction, table: str, page: int) -> None:
        """The rules of a game or, asked from a match or an invitation, with the options in force there."""
        words = self._app.translations_for(interaction)
        game, options = table, None
        if table not in GAMES:
            match = await self._app.matches.find(table)
            invitation, _ = (None, None) if match else await self._app.invitations.find(table) or (None, None)
            there = match or invitation
            if there is None or there.guild_id != interaction.guild_id:
                raise Refused("match.unknown")
            if match is not None:
                game, options = match.game.info.key, match.options
            elif invitation is not None:
                game = invitation.game
                options = codec(game).decode(invitation.options)
        terms = () if options is None else self._app.presenters[game].terms(options, Reader(words, ()))
        await responses.reply_private(interaction, rules_screen(game, page, words, terms), table)

    async def _ranks(self, interaction: Interaction, table: str, press: Press) -> None:
        if table not in GAMES:
            raise custom_ids.UnknownCustomId("no such game")
        screen = await leaderboard_screen(self._app, interaction, table, custom_ids.read_page(press.arg))
        await responses.reply_private(interaction, screen, table)

    async def _piles(self, interaction: Interaction, table: str, _: Press) -> None:
        """The open piles of a match, for whoever asks."""
        app = self._app
        match = await app.find_match(interaction, table)
        look = app.presenters[match.game.info.key]
        if not isinstance(look, OpenPiles):
            raise custom_ids.UnknownCustomId("no such piles")
        reader = await app.seat_reader(interaction, match, None)
        await responses.reply_private(interaction, piles_screen(match, look, reader), match.id)

    # ------------------------------------------------------------------------------------ what is held about somebody

    async def _forget(self, interaction: Interaction, _table: str, _: Press) -> None:
        await my_data.forget(self._app, interaction)

    async def _remain(self, interaction: Interaction, _table: str, _: Press) -> None:
        await my_data.remain(self._app, interaction)

    # ------------------------------------------------------------------------------------ the hand

    async def _seated(self, interaction: Interaction, table: str) -> tuple[LiveMatch, Seat]:
        match = await self._app.find_match(interaction, table)
        seat = match.seat_of(interaction.user.id)
        if seat is None:
            raise Refused("match.not_seated")
        self._app.turn_notices.seen(match, seat)
        return match, seat

    async def _cards(self, interaction: Interaction, table: str, _: Press) -> None:
        match, seat = await self._seated(interaction, table)
        await self._show_hand(interaction, match, seat)

    async def _select(self, interaction: Interaction, table: str, press: Press) -> None:
        match, seat = await self._seated(interaction, table)
        note = ""
        selection = ""
        try:
            await match.check_open(press.window, interaction.id)
            selection = await selections.resolve(self._app.store, match, seat, press)
        except Refused as refused:
            note = self._app.translations_for(interaction)(refused.key, **refused.values)
        await self._show_hand(interaction, match, seat, note, selection)

    async def _play(self, interaction: Interaction, table: str, press: Press) -> None:
        app = self._app
        match, seat = await self._seated(interaction, table)
        say = app.translations_for(interaction)
        note = selection = whole = ""
        made = False
        offer = _offer(match, seat, selections.verb_of(press.arg))
        window = None if isinstance(offer, Act) and offer.lasting else press.window
        try:
            await match.check_open(window, interaction.id)
            whole = await selections.resolve(app.store, match, seat, press)
            action = _meant(match, seat, offer, whole)
            await app.matches.act(match, seat, action, window=window, interaction_id=interaction.id)
            made = True
        except IllegalAction as illegal:
            reader = await app.seat_reader(interaction, match, seat)
            note, selection = refusal_text(illegal.refusal, reader), whole
        except Unsaved as unsaved:
            note, selection = say(unsaved.key), whole  # the question stands, and so does what was picked for it
        except Refused as refused:
            note = say(refused.key, **refused.values)
        try:
            await self._show_hand(interaction, match, seat, note, selection)
        finally:
            if made:
                app.matches.notify(match)

    async def _show_hand(
        self, interaction: Interaction, match: LiveMatch, seat: Seat, note: str = "", selection: str = ""
    ) -> None:
        app = self._app
        reader = await app.seat_reader(interaction, match, seat)
        screen = hand_screen(match, seat, app.presenters[match.game.info.key], reader, note=note, selection=selection)
        if selections.is_truncated(screen):
            kept = current_selection(match, seat, selection)
            await translate_errors(app.store.save_draft(match.id, seat, match.window_number, kept))
        made = await responses.reply_private(interaction, screen, match.id)
        if made is not None:
            app.open_hands.note_shown(interaction, match, reader, made, selection)

    # ------------------------------------------------------------------------------------ leaving

    async def _ask_resign(self, interaction: Interaction, table: str, _: Press) -> None:
        match, _seat = await self._seated(interaction, table)
        if match.over:
            raise Refused("match.over")
        say = self._app.translations_for(interaction)
        rows = (
            (
                Button(say("button.resign"), Press("leave"), Tone.BAD),
                Button(say("button.stay"), Press("stay")),
            ),
        )
        screen = Screen(
            say("resign.title"), (Text(say("resign.ask", game=match.game.info.title)),), rows, tone=Tone.BAD
        )
        await responses.reply_private(interaction, screen, match.id)

    async def _leave(self, interaction: Interaction, table: str, _: Press) -> None:
        app = self._app
        match, seat = await self._seated(interaction, table)
        try:
            await app.matches.act(match, seat, Resign(), window=None, interaction_id=interaction.id)
        except IllegalAction as illegal:
            reader = await app.seat_reader(interaction, match, seat)
            await responses.reply_text(interaction, refusal_text(illegal.refusal, reader))
            return
        try:
            await self._show_hand(interaction, match, seat)
        finally:
            app.matches.notify(match)

    async def _call_off(self, interaction: Interaction, table: str, _: Press) -> None:
        app = self._app
        match, seat = await self._seated(interaction, table)
        say = app.translations_for(interaction)
        if match.suspended is not None:
            await self._show_hand(interaction, match, seat)
            return
        done = await app.matches.call_off(match, seat, interaction.id)
        try:
            await responses.reply_text(interaction, say("calloff.done" if done else "calloff.asked"))
        finally:
            app.matches.notify(match)

    # ------------------------------------------------------------------------------------ going on

    async def _resume(self, interaction: Interaction, _: str, press: Press) -> None:
        """Let a suspended match go on where this was pressed; of several presses the first does it."""
        match, seat = await self._seated(interaction, press.arg)
        resumed = await resuming.resume(self._app, interaction, match)
        say = self._app.translations_for(interaction)
        note = say("resume.done") if resumed else say("resume.already", channel=f"<#{match.channel_id}>")
        try:
            await self._show_hand(interaction, match, seat, note)
        finally:
            if resumed:
                resuming.told(self._app, match, seat)


def _table(interaction: Interaction) -> str:
    """What the press is on, a match as a rule; empty for an id that is none of ours."""
    try:
        return custom_ids.read(str(dict(interaction.data or {}).get("custom_id", "")))[0]
    except custom_ids.UnknownCustomId:
        return ""


def _offer(match: LiveMatch, seat: Seat, verb: str) -> Act[Any] | Pick[Any] | None:
    """The offer that a press on a hand is for, be it open or one that may be tried all the same."""
    choices = match.choices(seat)
    shut = choices.find_closed(verb)
    return shut.act if shut is not None else choices.find(verb)


def _meant(match: LiveMatch, seat: Seat, offer: Act[Any] | Pick[Any] | None, selection: str) -> Any:
    """The action a press on a hand stands for. Raises Refused where the seat has no such offer, ForeignId."""
    window = match.position.window
    if offer is None:
        raise Refused("match.not_your_turn" if window and seat not in window.may_act else "press.not_offered")
    if isinstance(offer, Act):
        return offer.action
    if not isinstance(offer, Pick):
        raise TypeError("an offer is an act or a pick")
    try:
        return offer.action(custom_ids.read_selection(selection, ordered=offer.ordered))
    except (IndexError, ValueError):
        raise custom_ids.UnknownCustomId("no such cards") from None
