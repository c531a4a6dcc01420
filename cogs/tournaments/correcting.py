"""How a host says how a pairing ended: one place after the other."""

from __future__ import annotations

from typing import Final

from bot.games import game_title
from bot.pairing.model import half_points
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Option, Press, Screen, Select, Text
from cogs.screens.renderer import LONGEST_OPTION
from cogs.screens.safe_names import unescaped
from cogs.tournaments.rows import PairingRow
from cogs.tournaments.screens import View, told_pairing
from cogs.tournaments.setup import PLAYERS

NOBODY: Final = "n"
"""In place of an order in which people came in: nobody gets anything."""


def correct_screen(view: View, pairing: PairingRow, order: str, words: Translations) -> Screen:
    """Asks a host how a pairing ended, one place after the other, as far as `order` doesn't say it (`got_by`)."""
    told = f"{pairing.round}.{pairing.number}."
    left = {
        place: unescaped(view.names[user_id]) for place, user_id in enumerate(pairing.people) if str(place) not in order
    }
    verb = "tourfix" if len(left) > PLAYERS else "tourresult"
    if len(pairing.people) == PLAYERS:
        asked = words("tournament.correct_about")
        people: tuple[Button | Select, ...] = tuple(
            [
                Button(words("tournament.gets_point", player=name), Press(verb, place, f"{told}{place}"))
                for place, name in left.items()
            ]
        )
    else:
        asked = words("tournament.correct_place", place=1 + len(order))
        options = [Option(name[:LONGEST_OPTION], f"{told}{order}{place}") for place, name in left.items()]
        people = (Select(Press(verb), asked[:LONGEST_OPTION], tuple(options)),)
    tie = words("tournament.others_tie" if order else "tournament.draw")
    ends = [Button(tie, Press("tourresult", 10, f"{told}{order}"))]
    if not order:
        ends.append(Button(words("tournament.nobody"), Press("tourresult", 11, f"{told}{NOBODY}")))
    back = (Button(words("button.previous"), Press("tourmore")),)
    lines = (told_pairing(view, pairing, words), asked)
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
    found = [order.find(str(place)) for place in range(len(pairing.people))]
    return half_points([-(len(order) if each < 0 else each) for each in found])
