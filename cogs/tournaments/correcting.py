"""How a host says how a pairing ended: one place after the other."""

from __future__ import annotations

from typing import Final

from bot.pairing.model import half_points
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press, Screen, Text
from cogs.screens.safe_names import unescaped
from cogs.tournaments.rows import PairingRow
from cogs.tournaments.screens import View, title_of, told_pairing
from cogs.tournaments.setup import PLAYERS

NOBODY: Final = "n"
"""In place of an order in which people came in: nobody gets anything."""
BUTTONS: Final = 5
"""In a row."""


def correct_screen(view: View, pairing: PairingRow, order: str, words: Translations) -> Screen:
    """Asks a host how a pairing ended, one place after the other, as far as `order` doesn't say it (`got_by`)."""
    told, left = f"{pairing.round}.{pairing.number}.", len(pairing.people) - len(order)
    buttons = []
    for place, user_id in enumerate(pairing.people):
        if str(place) not in order:
            asks_on = "tourfix" if left > PLAYERS else "tourresult"
            press = Press(asks_on, place, f"{told}{order}{place}")
            buttons.append(Button(words("tournament.gets_point", player=unescaped(view.names[user_id])), press))
    tie = words("tournament.others_tie" if order else "tournament.draw")
    buttons.append(Button(tie, Press("tourresult", 10, f"{told}{order}")))
    if not order:
        buttons.append(Button(words("tournament.nobody"), Press("tourresult", 11, f"{told}{NOBODY}")))
    asked = words("tournament.correct_about")
    if len(pairing.people) > PLAYERS:
        asked = words("tournament.correct_place", place=1 + len(order))
    rows = [tuple(buttons[first : first + BUTTONS]) for first in range(0, len(buttons), BUTTONS)]
    back = (Button(words("button.previous"), Press("tourmore")),)
    lines = (told_pairing(view, pairing, words), asked)
    return Screen(title_of(view.tournament, words), (Text("\n".join(lines)),), (*rows, back))


def got_by(order: str, pairing: PairingRow) -> tuple[int, ...]:
    """The half points of each where people came in so: `order` has their places in the pairing, one digit each. Who
    isn't in it shares the place after; `NOBODY` gives nothing to anybody."""
    if order == NOBODY:
        return (0,) * len(pairing.people)
    found = [order.find(str(place)) for place in range(len(pairing.people))]
    return half_points([-(len(order) if each < 0 else each) for each in found])
