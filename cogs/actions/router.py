"""The router: every press of a component passes through here once, whatever its id.

The library's own views are not used: all state is in the id and the store. So a button works after a restart, and a
press with an unknown id is answered, not dropped.
"""

from __future__ import annotations

import logging
from typing import Any

from bot import error_numbers
from bot.games import GAMES
from bot.play.live_match import BoardLocation, LiveMatch
from bot.play.match_state import Offer, codec
from bot.play.own_acts import SeenQuestion
from bot.play.refusals import AlreadyMade, NotAllCanPlay, NotInstalled, Refused, Unsaved, translate_errors
from bot.ui.card_styles import CardStyle
from bot.ui.screen import Button, Press, Screen, Text, Tone
from cogs.actions import my_data, notify, preferences, verifying
from cogs.actions.challenging import check_place
from cogs.actions.component_press import ComponentPress, Verb
from cogs.actions.computers.differently import TryingDifferently
from cogs.actions.computers.learning import Learning
from cogs.actions.computers.reviewing import Reviewing
from cogs.actions.computers.stand_in import StandInPresses
from cogs.actions.daily.attempts import DailyPresses
from cogs.actions.hands.showing import show_hand, with_way_back
from cogs.actions.match_list import LISTED, match_list_screen
from cogs.actions.matchmaking.play import PlayPresses
from cogs.actions.matchmaking.reliability import ReliabilityPresses
from cogs.actions.matchmaking.rematches import RematchPresses
from cogs.actions.matchmaking.table_notices import TableNoticePresses
from cogs.actions.profiles.showing import ProfilePresses
from cogs.actions.proving import Proving
from cogs.actions.replays.history import HistoryPresses
from cogs.actions.replays.replaying import Replaying
from cogs.actions.seating import Seating
from cogs.actions.servers.settings_command import SettingsPresses
from cogs.actions.servers.stuck_matches import StuckMatchPresses
from cogs.actions.standings.leaderboards import BoardPresses
from cogs.actions.standings.rating_changes import RatingPresses
from cogs.app import CardroomApp
from cogs.interactions import responses
from cogs.interactions.places import place_id_of
from cogs.interactions.responses import Interaction, translations_for
from cogs.screens import custom_ids, selections
from cogs.screens.board import piles_screen
from cogs.screens.hands.picking import refusal_text
from cogs.screens.narration import first_sentence
from cogs.screens.presenter import OpenPiles, Reader, Taught
from cogs.screens.rules_pages import place_of, rules_screen
from cogs.screens.tables.pictured import Pictured
from cogs.screens.tables.table_screen import table_screen
from engines.game import Act, IllegalAction, Pick, Resign, Seat

_log = logging.getLogger(__name__)


class Router:
    """Finds the verb of each press and lets it answer."""

    def __init__(self, app: CardroomApp) -> None:
        self._app = app
        self._reviewing = Reviewing(app, app.reviewer)
        self._verbs: dict[str, Verb] = {
            **Seating(app).verbs,
            **RematchPresses(app).verbs,
            **Proving(app).verbs,
            **SettingsPresses(app).verbs,
            **StuckMatchPresses(app).verbs,
            **self._reviewing.verbs,
            **Learning(app).verbs,
            **TryingDifferently(app).verbs,
            **DailyPresses(app).verbs,
            **ProfilePresses(app).verbs,
            **Replaying(app).verbs,
            **HistoryPresses(app).verbs,
            "hint": self._hint,
            **PlayPresses(app).verbs,
            **TableNoticePresses(app).verbs,
            **ReliabilityPresses(app).verbs,
            "rules": self._rules,
            "page": self._page,
            **BoardPresses(app, self._check_installed).verbs,
            **RatingPresses(app).verbs,
            "matches": self._matches,
            "notify": self._notify,
            "cardstyle": self._card_style,
            "piles": self._piles,
            "table": self._table,
            "cards": self._cards,
            **StandInPresses(app, self._seated).verbs,
            "resign": self._ask_resign,
            "leave": self._leave,
            "stay": self._cards,
            "calloff": self._call_off,
            "bringdown": self._bring_down,
            "resume": self._resume,
            "p": self._select,
            "c": self._select,
            "o": self._select,
            "export": self._export,
            "forget": self._forget,
            "remain": self._remain,
            "a": self._play,
            "d": self._play,
        }

    async def on_press(self, interaction: Interaction) -> None:
        """Answer a press of a component, or a submitted form."""
        try:
            await self._answer(interaction)
        except custom_ids.UnknownCustomId:
            await self._say(interaction, "press.unknown")
        except Refused as refused:
            await self._say(interaction, refused.key, **refused.values)
        except Exception as error:  # noqa: BLE001  whatever happens inside, the press is answered
            number = error_numbers.log_error(error, "answering a press", interaction.client.telemetry)
            await self._say(interaction, "error.number", number=number)

    async def _say(self, interaction: Interaction, key: str, **values: Any) -> None:
        await responses.reply_text(interaction, translations_for(interaction)(key, **values))

    async def _answer(self, interaction: Interaction) -> None:
        target, read = custom_ids.read_press(dict(interaction.data or {}))
        verb = self._verbs.get(read.verb)
        if verb is None:
            raise custom_ids.UnknownCustomId("no such verb")
        with self._app.presses.take_up(target, interaction.id) as changes:
            await translate_errors(self._app.matches.bring_in(interaction.user.id, target))
            await self._app.wording.remember_names(interaction)
            await translate_errors(verb(ComponentPress(interaction, target, read.verb, read.window, read.arg, changes)))

    # ------------------------------------------------------------------------------------ reading

    async def _rules(self, press: ComponentPress) -> None:
        await self._show_rules(press, None)

    async def _page(self, press: ComponentPress) -> None:
        await self._show_rules(press, custom_ids.read_page(press.arg))

    async def _show_rules(self, press: ComponentPress, place: int | None) -> None:
        """Show a page of the rules; None is the page about what a running match asks, elsewhere the first.

        From a match or an invitation they come with the options in force there.
        """
        words = translations_for(press.interaction)
        game, options, name = press.target, None, ""
        match: LiveMatch | None = None
        if game not in GAMES:
            match = await self._app.matches.find(press.target)
            invitation, _ = (None, None) if match else await self._app.invitations.find(press.target) or (None, None)
            source = match or invitation
            hidden = match is not None and self._app.is_hidden(press.interaction, match)
            if source is None or hidden or source.guild_id != place_id_of(press.interaction):
                await self._check_installed(press, game)
                raise Refused("match.unknown")
            if match is not None:
                game, options = match.game.info.key, match.options
                name = "" if match.over else self._app.presenters[game].rules_page(match.public())
            elif invitation is not None:
                game = invitation.game
                if game not in GAMES:
                    raise NotInstalled(game)
                options = codec(game).decode(invitation.options)
        presenter = self._app.presenters[game]
        terms = () if options is None else presenter.terms(options, Reader(words, ()))
        place = place_of(name, game, words.language) if place is None else place
        screen = rules_screen(game, place, words, terms, taught=isinstance(presenter, Taught))
        if match is not None:
            screen = with_way_back(press, match, screen)
        await responses.reply_private(press.interaction, screen, press.target)

    async def _matches(self, press: ComponentPress) -> None:
        """Show a page of the presser's matches."""
        screen = await match_list_screen(self._app, press.interaction, custom_ids.read_page(press.arg))
        await responses.reply_private(press.interaction, screen, LISTED)

    async def _notify(self, press: ComponentPress) -> None:
        await notify.choose(self._app, press.interaction, press.arg)

    async def _card_style(self, press: ComponentPress) -> None:
        await preferences.choose(self._app, press.interaction, press.arg)

    async def _check_installed(self, press: ComponentPress, game: str) -> None:
        """Raise NotInstalled for a game that was played in the server and is not installed any more."""
        if game in await self._app.store.games_played(press.interaction.guild_id or 0):
            raise NotInstalled(game)

    async def _piles(self, press: ComponentPress) -> None:
        """Show the open piles of a match to anybody."""
        app = self._app
        match = await app.find_match(press.interaction, press.target)
        presenter = app.presenters[match.game.info.key]
        if not isinstance(presenter, OpenPiles):
            raise custom_ids.UnknownCustomId("no such piles")
        _check_told(app, match)
        reader = await app.readers.pressing(press.interaction, match, None)
        screen = with_way_back(press, match, piles_screen(match, presenter, reader))
        await responses.reply_private(press.interaction, screen, match.id)

    async def _table(self, press: ComponentPress) -> None:
        """Show the table of a match to anybody, as they may see it; as a picture too, if they read emojis."""
        app = self._app
        match = await app.find_match(press.interaction, press.target)
        presenter = app.presenters[match.game.info.key]
        if not isinstance(presenter, Pictured):
            raise custom_ids.UnknownCustomId("no picture of this game")
        _check_told(app, match)
        reader = await app.readers.pressing(press.interaction, match, match.seat_of(press.user_id))
        pictured = app.preferences.card_style(press.user_id) is CardStyle.EMOJIS
        screen = table_screen(match, presenter, reader, pictured=pictured)
        await responses.reply_private(press.interaction, screen, match.id)

    async def _export(self, press: ComponentPress) -> None:
        await verifying.export(self._app, press)

    # ------------------------------------------------------------------------------------ personal data

    async def _forget(self, press: ComponentPress) -> None:
        await my_data.forget(self._app, press.interaction)

    async def _remain(self, press: ComponentPress) -> None:
        await my_data.remain(press.interaction)

    # ------------------------------------------------------------------------------------ the hand

    async def _seated(self, press: ComponentPress, match_id: str) -> tuple[LiveMatch, Seat]:
        match = await self._app.find_match(press.interaction, match_id)
        seat = match.seat_of(press.user_id)
        if seat is None:
            raise Refused("match.not_seated")
        updates = self._app.updates
        updates.turn_notices.seen(match, seat)
        updates.start_notices.seen(match, seat)
        message = press.interaction.message
        if message is not None and not message.flags.ephemeral and press.interaction.channel_id is not None:
            pressed = BoardLocation(press.interaction.channel_id, message.id)
            if not any(
                notices.is_notice(match, message.id) for notices in (updates.turn_notices, updates.start_notices)
            ):
                updates.board_updater.note_pressed(match, pressed)
        return match, seat

    async def _cards(self, press: ComponentPress) -> None:
        match, seat = await self._seated(press, press.target)
        await show_hand(self._app, press, match, seat)

    async def _select(self, press: ComponentPress) -> None:
        match, seat = await self._seated(press, press.target)
        note = selection = ""
        try:
            await match.check_open(press.window, press.interaction.id)
            selection = await selections.resolve(
                self._app.store, match, seat, press.window, press.arg, find=lambda verb: match.choices(seat).find(verb)
            )
        except Refused as refused:
            note = translations_for(press.interaction)(refused.key, **refused.values)
        await show_hand(self._app, press, match, seat, note=note, selection=selection)

    async def _play(self, press: ComponentPress) -> None:
        app = self._app
        match, seat = await self._seated(press, press.target)
        say = translations_for(press.interaction)
        note = selection = whole = ""

        async def action_of(offer: Offer | None) -> Any:
            nonlocal whole
            whole = await selections.resolve(app.store, match, seat, press.window, press.arg, find=lambda _: offer)
            return _action(match, seat, offer, whole)

        asked, resting = match.window_number, False
        seen = SeenQuestion(press.window, custom_ids.read_acts(press.arg) if press.verb == "a" else None)
        try:
            await press.changes.answer(match, seat, selections.verb_of(press.arg), seen, action_of)
            resting = match.window_number != asked and seat in match.awaited
        except IllegalAction as illegal:
            reader = await app.readers.pressing(press.interaction, match, seat)
            note, selection = refusal_text(illegal.refusal, reader), whole
        except AlreadyMade as already:
            note = await self._made_text(press, match, seat, already)
        except Unsaved as unsaved:
            note, selection = say(unsaved.key), whole  # the question is still open, so keep what was picked for it
        except Refused as refused:
            note = say(refused.key, **refused.values)
        await show_hand(self._app, press, match, seat, note=note, selection=selection, resting=resting)

    async def _hint(self, press: ComponentPress) -> None:
        """Name the best moves to somebody who plays against computers alone, in a message below their hand."""
        match, seat = await self._seated(press, press.target)
        await match.check_open(press.window, press.interaction.id)
        reader = await self._app.readers.pressing(press.interaction, match, seat)
        await responses.reply_text(press.interaction, await self._reviewing.hint(match, seat, reader))

    async def _made_text(self, press: ComponentPress, match: LiveMatch, seat: Seat, already: AlreadyMade) -> str:
        """What to tell somebody who repeats a press: the move was made, and which one, if that is known."""
        reader = await self._app.readers.pressing(press.interaction, match, seat)
        presenter = self._app.presenters[match.game.info.key]
        events = already.made[-1].events if already.made else ()
        told = first_sentence(events, seat, presenter, reader).replace("**", "")  # a hand shows its note in bold
        return reader.words("press.made_before", told=told) if told else reader.words(already.key)

    # ------------------------------------------------------------------------------------ leaving

    async def _ask_resign(self, press: ComponentPress) -> None:
        match, _seat = await self._seated(press, press.target)
        if match.over:
            raise Refused("match.over")
        say = translations_for(press.interaction)
        rows = (
            (
                Button(say("button.resign"), Press("leave"), Tone.BAD),
                Button(say("button.stay"), Press("stay")),
            ),
        )
        screen = Screen(
            say("resign.title"), (Text(say("resign.ask", game=match.game.info.title)),), rows, tone=Tone.BAD
        )
        await responses.reply_private(press.interaction, screen, match.id)

    async def _leave(self, press: ComponentPress) -> None:
        match, seat = await self._seated(press, press.target)
        note = ""
        try:
            await press.changes.act(match, seat, Resign())
        except IllegalAction as illegal:
            reader = await self._app.readers.pressing(press.interaction, match, seat)
            await responses.reply_text(press.interaction, refusal_text(illegal.refusal, reader))
            return
        except AlreadyMade as already:
            note = await self._made_text(press, match, seat, already)
        await show_hand(self._app, press, match, seat, note=note)

    async def _call_off(self, press: ComponentPress) -> None:
        match, seat = await self._seated(press, press.target)
        if match.suspended is not None:
            await show_hand(self._app, press, match, seat)
            return
        try:
            done = await press.changes.call_off(match, seat)
        except Refused:
            done = match.result is not None and match.result.kind == "called_off"
            if not done:  # otherwise this press may repeat the one that did it, whose answer was lost
                raise
        say = translations_for(press.interaction)
        asked = "calloff.asked_alone_later" if match.others_are_awaited(seat) else "calloff.asked"
        await responses.reply_text(press.interaction, say("calloff.done" if done else asked))

    async def _bring_down(self, press: ComponentPress) -> None:
        """Post the board again at the foot of its channel, for one of its players, and delete the old one."""
        match, seat = await self._seated(press, press.target)
        if match.over:
            raise Refused("match.over")
        if match.suspended is not None:
            await show_hand(self._app, press, match, seat)
            return
        if not match.has_board:
            raise Refused("daily.no_board")
        if not self._app.updates.board_updater.bring_down(match):
            raise Refused("board.brought_down")
        await responses.ack(press.interaction)

    # ------------------------------------------------------------------------------------ resuming

    async def _resume(self, press: ComponentPress) -> None:
        """Resume a suspended match where this was pressed. The first of several presses does it.

        In the list of `/games` the list stays, because others in it may be resumed too.
        """
        match, seat = await self._seated(press, press.arg)
        say = translations_for(press.interaction)
        try:
            resumed = await self._resume_here(press, match, seat)
        except NotAllCanPlay as refused:
            reader = await self._app.readers.pressing(press.interaction, match, seat)
            raise Refused(refused.key, player=reader.names[refused.seat]) from None
        note = say("resume.done") if resumed else say("resume.already", channel=f"<#{match.channel_id}>")
        if press.target == LISTED:
            screen = await match_list_screen(self._app, press.interaction, 0, note)
            await responses.reply_private(press.interaction, screen, LISTED)
        else:
            await show_hand(self._app, press, match, seat, note=note)

    async def _resume_here(self, press: ComponentPress, match: LiveMatch, seat: Seat) -> bool:
        """Resume the match here, if it is suspended; return whether this press did it.

        Raises Refused if no match can be played here, NotAllCanPlay if somebody cannot follow it here, and Unsaved.
        """
        if match.over:
            raise Refused("match.over")
        if match.suspended is None:
            return False
        guild_id, channel_id = await check_place(self._app, press.interaction)
        if guild_id != match.guild_id:
            raise Refused("match.unknown")
        return await self._app.lifecycle.resume(match, channel_id, seat, press.changes)


def _check_told(app: CardroomApp, match: LiveMatch) -> None:
    """Raise Refused for a match that is over while its deal is closed."""
    if match.over:
        app.daily.check_open(match)


def _action(match: LiveMatch, seat: Seat, offer: Offer | None, selection: str) -> Any:
    """The action that a press on a hand makes. Raises Refused if the seat has no such offer, and UnknownCustomId."""
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
