"""Answers a press with its sender's hand."""

from __future__ import annotations

from dataclasses import replace

from bot.play.live_match import LiveMatch
from bot.play.refusals import translate_errors
from bot.ui.screen import Button, Press, Screen
from cogs.actions.component_press import ComponentPress
from cogs.app import CardroomApp
from cogs.interactions import responses
from cogs.screens import selections
from cogs.screens.hands.hand import hand_screen
from cogs.screens.hands.picking import current_selection
from engines.game import Seat


async def show_hand(
    app: CardroomApp,
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
    reader = await app.readers.pressing(press.interaction, match, seat)
    hands, presenter = app.updates.open_hands, app.presenters[match.game.info.key]
    reported = press.changes.reported
    with hands.answering(press.interaction, match, reader, note=note, selection=selection, resting=resting) as answer:
        screen = hand_screen(
            match, seat, presenter, reader, note=note, selection=selection, reported=reported, resting=resting
        )
        if selections.is_truncated(screen):
            saved = current_selection(match, seat, selection)
            await translate_errors(app.store.save_selection(match.id, seat, match.window_number, saved))
        made = await responses.reply_private(press.interaction, screen, match.id)
        if made is not None:
            press.changes.answered()
        answer.sent(made)
    if resting:
        hands.request_soon(match, seat)


def with_way_back(press: ComponentPress, match: LiveMatch, screen: Screen) -> Screen:
    """A screen that may replace the hand on which it was asked for, with a button that leads back to the hand.

    Only matches without a board need it: elsewhere such screens are asked for on the board, and are messages of their
    own.
    """
    if match.has_board or match.over or match.seat_of(press.user_id) is None:
        return screen
    back = Button(responses.translations_for(press.interaction)("button.back_to_cards"), Press("cards"))
    return replace(screen, rows=(*screen.rows, (back,)))
