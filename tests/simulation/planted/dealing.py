"""Faults in how deals are salted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bot.play import match_lifecycle
from bot.play.deals.sealing import salts_of
from bot.store.queries.invitations import Invitation
from bot.store.queries.matches import Salt
from bot.ui.catalogue import Translations
from cogs.screens import invitation as invitation_screens
from cogs.screens.deal_lines import invited_deal
from tests.simulation.planted.fault import Fault, replaced
from tests.simulation.weather_fields import Weather


def _exchanged(invitation: Invitation) -> tuple[Salt, ...]:
    """The salts in the order of the seats, from the last to the first."""
    return salts_of(invitation)[::-1]


def _with_texts(invitation: Invitation, words: Translations, name: Callable[[int], str]) -> str:
    """What is shown of the deal, with the salts themselves."""
    return "\n".join((invited_deal(invitation, words, name), *(text for _, text in invitation.salts)))


DEALING: Final = (
    Fault(
        "salt shown",
        "an open challenge shows the texts of its salts",
        frozenset({"salts are hidden"}),
        Weather(games=("haymaker",), tables=1, thinking=1.0, salts=1.0),
        (1, 2),
        0.05,
        (replaced(invitation_screens, "invited_deal", _with_texts),),
    ),
    Fault(
        "salts exchanged",
        "the salts are on other seats than their players",
        frozenset({"salts take part"}),
        Weather(games=("haymaker",), tables=1, thinking=1.0, salts=1.0),
        (15, 1, 2),
        0.05,
        (replaced(match_lifecycle, "salts_of", _exchanged),),
    ),
)
