"""Presses on hands and boards: looking at a hand, picking cards, playing them, leaving the match,
and resuming one that is suspended."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from bot.play.clocks.stops import ClockStops
from bot.play.live_match import BoardLocation, LiveMatch
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.match_state import Offer
from bot.play.own_acts import SeenQuestion
from bot.play.refusals import AlreadyMade, NotAllCanPlay, Refused, StaleQuestion, Unsaved, translate_errors
from bot.play.server_settings import KnownServerSettings
from bot.store.special_ids import is_chat
from bot.store.store import Store
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press, Screen, Text, Tone
from cogs.actions.challenging import check_venue
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.actions.finding import Finder
from cogs.actions.match_list import LISTED, MatchList
from cogs.interactions import responses
from cogs.screens import custom_ids, selections
from cogs.screens.board import board_screen
from cogs.screens.hands.hand import explanation, hand_screen
from cogs.screens.hands.picking import current_selection, refusal_text
from cogs.screens.narration import first_sentence
from cogs.screens.presenter import Presenters
from cogs.updates.board_updater import BoardUpdater
from cogs.updates.match_notices import MatchNotices
from cogs.updates.open_hands import OpenHands
from cogs.wording import Readers
from engines.game import Act, IllegalAction, Pick, Resign, Seat

HandNote: TypeAlias = Callable[[LiveMatch, Seat, Translations], Awaitable[str]]
"""What a room has to tell somebody who opens their hand, in a sentence or two; empty for nothing. It never raises."""


@dataclass(slots=True, eq=False)
class Playing(Capability):
    """What the buttons of a hand do, and those of a board that only players may press."""

    verbs = Verbs()

    hands: Hands
    readers: Readers
    presenters: Presenters
    store: Store
    board_updater: BoardUpdater

    @verbs("cards", "stay")
    async def _cards(self, press: ComponentPress) -> None:
        match, seat = await self.hands.seated(press, press.target)
        await self.hands.open(press, match, seat)

    @verbs("open")
    async def _open(self, press: ComponentPress) -> None:
        """Show the hand of a match that is named beside what was pressed, such as a list."""
        match, seat = await self.hands.seated(press, press.arg)
        await self.hands.open(press, match, seat)

    @verbs("p", "c", "o")
    async def _select(self, press: ComponentPress) -> None:
        match, seat = await self.hands.seated(press, press.target)
        note = selection = ""
        try:
            await match.check_open(press.window, press.interaction.id)
            selection = await selections.resolve(
                self.store, match, seat, press.window, press.arg, find=lambda verb: match.choices(seat).find(verb)
            )
        except Refused as refused:
            note = press.words(refused.key, **refused.values)
        await self.hands.show(press, match, seat, note=note, selection=selection)

    @verbs("explain")
    async def _explain(self, press: ComponentPress) -> None:
        """Explain the question that is open now, in a message below the hand: no button of it moves."""
        match, seat = await self.hands.seated(press, press.target)
        if match.has_stand_in(seat):
            await self.hands.show(press, match, seat)
            return
        selection = ""
        if press.window == match.window_number:
            with suppress(StaleQuestion):
                selection = await selections.resolve(
                    self.store, match, seat, press.window, press.arg, find=lambda verb: match.choices(seat).find(verb)
                )
        reader = await self.readers.pressing(press.interaction, match, seat)
        presenter = self.presenters[match.game.info.key]
        await press.reply_text(explanation(match, seat, presenter, reader, selection))

    @verbs("a", "d")
    async def _play(self, press: ComponentPress) -> None:
        match, seat = await self.hands.seated(press, press.target)
        say = press.words
        note = selection = whole = ""

        async def action_of(offer: Offer | None) -> Any:
            nonlocal whole
            whole = await selections.resolve(self.store, match, seat, press.window, press.arg, find=lambda _: offer)
            return _action(match, seat, offer, whole)

        asked, resting = match.window_number, False
        seen = SeenQuestion(press.window, custom_ids.read_acts(press.arg) if press.verb == "a" else None)
        try:
            await press.changes.answer(match, seat, selections.verb_of(press.arg), seen, action_of)
            resting = match.window_number != asked and seat in match.awaited
        except IllegalAction as illegal:
            reader = await self.readers.pressing(press.interaction, match, seat)
            note, selection = refusal_text(illegal.refusal, reader), whole
        except AlreadyMade as already:
            note = await self._made_text(press, match, seat, already)
        except Unsaved as unsaved:
            note, selection = say(unsaved.key), whole  # the question is still open, so keep what was picked for it
        except Refused as refused:
            note = say(refused.key, **refused.values)
        await self.hands.show(press, match, seat, note=note, selection=selection, resting=resting)

    async def _made_text(self, press: ComponentPress, match: LiveMatch, seat: Seat, already: AlreadyMade) -> str:
        """What to tell somebody who repeats a press: the move was made, and which one, if that is known."""
        reader = await self.readers.pressing(press.interaction, match, seat)
        presenter = self.presenters[match.game.info.key]
        events = already.made[-1].events if already.made else ()
        told = first_sentence(events, seat, presenter, reader).replace("**", "")  # a hand shows its note in bold
        return reader.words("press.made_before", told=told) if told else reader.words(already.key)

    @verbs("takeback")
    async def _take_back(self, press: ComponentPress) -> None:
        match, seat = await self.hands.seated(press, press.target)
        say, done = press.words, False
        try:
            done = await press.changes.take_back(match, seat)
            note = say("stand_in.back") if done else ""
        except Refused as refused:
            note = say(refused.key, **refused.values)
        await self.hands.show(press, match, seat, note=note, resting=done)

    # ------------------------------------------------------------------------------------ leaving

    @verbs("resign")
    async def _ask_resign(self, press: ComponentPress) -> None:
        match, _seat = await self.hands.seated(press, press.target)
        if match.over:
            raise Refused("refusal.match_over")
        say = press.words
        rows = (
            (
                Button(say("button.resign"), Press("leave"), Tone.BAD),
                Button(say("button.stay"), Press("stay")),
            ),
        )
        screen = Screen(
            say("resign.title"), (Text(say("resign.ask", game=match.game.info.title)),), rows, tone=Tone.BAD
        )
        await press.reply(screen, match.id)

    @verbs("leave")
    async def _leave(self, press: ComponentPress) -> None:
        match, seat = await self.hands.seated(press, press.target)
        note = ""
        try:
            await press.changes.act(match, seat, Resign())
        except IllegalAction as illegal:
            reader = await self.readers.pressing(press.interaction, match, seat)
            await press.reply_text(refusal_text(illegal.refusal, reader))
            return
        except AlreadyMade as already:
            note = await self._made_text(press, match, seat, already)
        await self.hands.show(press, match, seat, note=note)

    @verbs("calloff")
    async def _call_off(self, press: ComponentPress) -> None:
        match, seat = await self.hands.seated(press, press.target)
        if match.suspended is not None:
            await self.hands.show(press, match, seat)
            return
        try:
            done = await press.changes.call_off(match, seat)
        except Refused:
            done = match.result is not None and match.result.kind == "called_off"
            if not done:  # otherwise this press may repeat the one that did it, whose answer was lost
                raise
        say = press.words
        asked = "calloff.asked_alone_later" if match.others_are_awaited(seat) else "calloff.asked"
        await press.reply_text(say("calloff.done" if done else asked))

    @verbs("bringdown")
    async def _bring_down(self, press: ComponentPress) -> None:
        """Post the board again at the foot of its channel, for one of its players, and delete the old one."""
        match, seat = await self.hands.seated(press, press.target)
        if match.over:
            raise Refused("refusal.match_over")
        if match.suspended is not None:
            await self.hands.show(press, match, seat)
            return
        if not match.has_board:
            raise Refused("daily.no_board" if match.day is not None else "practice.no_board")
        if is_chat(match.guild_id):
            raise Refused("place.without_bot")
        if not self.board_updater.bring_down(match):
            raise Refused("board.brought_down")
        await responses.ack(press.interaction)


def _action(match: LiveMatch, seat: Seat, offer: Offer | None, selection: str) -> Any:
    """The action that a press on a hand makes. Raises Refused if the seat has no such offer, and UnknownCustomId."""
    window = match.position.window
    if offer is None:
        raise Refused("refusal.not_your_turn" if window and seat not in window.may_act else "press.not_offered")
    if isinstance(offer, Act):
        return offer.action
    if not isinstance(offer, Pick):
        raise TypeError("an offer is an act or a pick")
    try:
        return offer.action(custom_ids.read_selection(selection, ordered=offer.ordered))
    except (IndexError, ValueError):
        raise custom_ids.UnknownCustomId("no such cards") from None


@dataclass(slots=True, eq=False)
class Hands:
    """Finds the seat of who pressed, and shows what only they may see."""

    finder: Finder
    readers: Readers
    presenters: Presenters
    store: Store
    boards: BoardUpdater
    notices: MatchNotices
    open_hands: OpenHands
    stops: ClockStops
    notes: list[HandNote] = field(default_factory=list, init=False)
    """What rooms have to tell who opens their hand."""

    async def seated(self, press: ComponentPress, match_id: str) -> tuple[LiveMatch, Seat]:
        """The match of an id, and the seat of who pressed, who has seen it now. Raises Refused for somebody who does
        not play."""
        match = await self.finder.match(press.interaction, match_id)
        seat = match.seat_of(press.user_id)
        if seat is None:
            raise Refused("match.not_seated")
        await self.stops.end_reading(match, press.user_id)
        match.note_came(seat)
        self.notices.seen(match, seat)
        message = press.interaction.message
        if message is not None and not message.flags.ephemeral and press.interaction.channel_id is not None:
            pressed = BoardLocation(press.interaction.channel_id, message.id)
            if not self.notices.is_notice(match, message.id):
                self.boards.note_pressed(match, pressed)
        return match, seat

    async def open(self, press: ComponentPress, match: LiveMatch, seat: Seat) -> None:
        """Answer with the hand, and with what rooms have to tell its owner."""
        notes = [await note(match, seat, press.words) for note in self.notes]
        await self.show(press, match, seat, note=" ".join(filter(None, notes)))

    async def show(
        self,
        press: ComponentPress,
        match: LiveMatch,
        seat: Seat,
        *,
        note: str = "",
        selection: str = "",
        resting: bool = False,
    ) -> None:
        """Answer with the hand. `resting` if this press has opened its owner's next question: a second press a moment
        later was meant for the first."""
        match.note_hand_seen(seat)
        on_board = press.message_id is not None and press.message_id == match.board_id
        if is_chat(match.guild_id) and on_board and await responses.stop_timer(press.interaction):
            await self._show_below_board(press, match, seat, note)
            return
        reader = await self.readers.pressing(press.interaction, match, seat)
        hands, presenter = self.open_hands, self.presenters[match.game.info.key]
        reported = press.changes.reported
        with hands.answering(
            press.interaction, match, reader, note=note, selection=selection, resting=resting
        ) as answer:
            screen = hand_screen(
                match, seat, presenter, reader, note=note, selection=selection, reported=reported, resting=resting
            )
            if selections.is_truncated(screen):
                saved = current_selection(match, seat, selection)
                await translate_errors(self.store.save_selection(match.id, seat, match.window_number, saved))
            made = await press.reply(screen, match.id)
            if made is not None:
                press.changes.answered()
            answer.sent(made)
        if resting:
            hands.request_soon(match, seat)

    async def _show_below_board(self, press: ComponentPress, match: LiveMatch, seat: Seat, note: str) -> None:
        """Bring the board up to date that was pressed, which only a press can do, and show the hand in a message of its
        own. That one has no token until something on it is pressed: this press's edits the board, which all see."""
        await self.boards.answer(press.interaction, match)
        reader = await self.readers.pressing(press.interaction, match, seat)
        presenter = self.presenters[match.game.info.key]
        hand = hand_screen(match, seat, presenter, reader, note=note, reported=press.changes.reported)
        await responses.follow_up(press.interaction, hand, match.id)

    async def show_board(self, press: ComponentPress, match: LiveMatch) -> None:
        """Answer with the board as everybody would see it, to the person who pressed alone."""
        reader = await self.readers.pressing(press.interaction, match, None)
        screen = board_screen(match, self.presenters[match.game.info.key], reader)
        await press.reply(screen, match.id)


def with_way_back(press: ComponentPress, match: LiveMatch, screen: Screen) -> Screen:
    """A screen that may replace the hand on which it was asked for, with a button that leads back to the hand.

    Only matches without a board need it: elsewhere such screens are asked for on the board, and are messages of
    their own.
    """
    if match.has_board or match.over or match.seat_of(press.user_id) is None:
        return screen
    back = Button(press.words("button.back_to_cards"), Press("cards"))
    return replace(screen, rows=(*screen.rows, (back,)))


@dataclass(slots=True, eq=False)
class Resuming(Capability):
    """What the button *Resume here* does."""

    verbs = Verbs()

    hands: Hands
    readers: Readers
    match_list: MatchList
    server_settings: KnownServerSettings
    lifecycle: MatchLifecycle

    @verbs("resume")
    async def _resume(self, press: ComponentPress) -> None:
        """Resume a suspended match where this was pressed. The first of several presses does it.

        In the list of `/games` the list stays, because others in it may be resumed too.
        """
        match, seat = await self.hands.seated(press, press.arg)
        say = press.words
        try:
            resumed = await self._resume_here(press, match, seat)
        except NotAllCanPlay as refused:
            reader = await self.readers.pressing(press.interaction, match, seat)
            raise Refused(refused.key, player=reader.names[refused.seat]) from None
        note = say("resume.done") if resumed else say("resume.already", channel=f"<#{match.channel_id}>")
        if press.target == LISTED:
            screen = await self.match_list.screen(press.interaction, 0, note)
            await press.reply(screen, LISTED)
        else:
            await self.hands.show(press, match, seat, note=note)

    async def _resume_here(self, press: ComponentPress, match: LiveMatch, seat: Seat) -> bool:
        """Resume the match here, if it is suspended; return whether this press did it.

        Raises Refused if no match can be played here, NotAllCanPlay if somebody cannot follow it here, and Unsaved.
        """
        if match.over:
            raise Refused("refusal.match_over")
        if match.suspended is None:
            return False
        guild_id, channel_id = await check_venue(self.server_settings, press.interaction)
        if guild_id != match.guild_id:
            raise Refused("match.unknown")
        return await self.lifecycle.resume(match, channel_id, seat, press.changes)
