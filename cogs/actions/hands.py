"""Answers presses with the hand of their sender."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.play.live_match import BoardLocation, LiveMatch
from bot.play.refusals import Refused, translate_errors
from bot.store.store import Store
from bot.ui.screen import Button, Press, Screen
from cogs.actions.component_press import ComponentPress
from cogs.actions.finding import Finder
from cogs.interactions import responses
from cogs.interactions.responses import translations_for
from cogs.screens import selections
from cogs.screens.board import board_screen
from cogs.screens.hands.hand import hand_screen
from cogs.screens.hands.picking import current_selection
from cogs.screens.presenter import Presenter
from cogs.updates.screen_updates import ScreenUpdates
from cogs.wording import Readers
from engines.game import Seat


@dataclass(slots=True, eq=False)
class Hands:
    """Finds the seat of who pressed, and shows what only they may see."""

    finder: Finder
    readers: Readers
    presenters: Mapping[str, Presenter]
    updates: ScreenUpdates
    store: Store

    async def seated(self, press: ComponentPress, match_id: str) -> tuple[LiveMatch, Seat]:
        """The match of an id, and the seat of who pressed, who has seen it now. Raises Refused for somebody who does
        not play."""
        match = await self.finder.match(press.interaction, match_id)
        seat = match.seat_of(press.user_id)
        if seat is None:
            raise Refused("match.not_seated")
        updates = self.updates
        updates.notices.seen(match, seat)
        message = press.interaction.message
        if message is not None and not message.flags.ephemeral and press.interaction.channel_id is not None:
            pressed = BoardLocation(press.interaction.channel_id, message.id)
            if not updates.notices.is_notice(match, message.id):
                updates.board_updater.note_pressed(match, pressed)
        return match, seat

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
        reader = await self.readers.pressing(press.interaction, match, seat)
        hands, presenter = self.updates.open_hands, self.presenters[match.game.info.key]
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
            made = await responses.reply_private(press.interaction, screen, match.id)
            if made is not None:
                press.changes.answered()
            answer.sent(made)
        if resting:
            hands.request_soon(match, seat)

    async def show_board(self, press: ComponentPress, match: LiveMatch) -> None:
        """Answer with the board as everybody would see it, to the person who pressed alone."""
        reader = await self.readers.pressing(press.interaction, match, None)
        screen = board_screen(match, self.presenters[match.game.info.key], reader)
        await responses.reply_private(press.interaction, screen, match.id)


def with_way_back(press: ComponentPress, match: LiveMatch, screen: Screen) -> Screen:
    """A screen that may replace the hand on which it was asked for, with a button that leads back to the hand.

    Only matches without a board need it: elsewhere such screens are asked for on the board, and are messages of
    their own.
    """
    if match.has_board or match.over or match.seat_of(press.user_id) is None:
        return screen
    back = Button(translations_for(press.interaction)("button.back_to_cards"), Press("cards"))
    return replace(screen, rows=(*screen.rows, (back,)))
