"""What people see of teams while they join, and of their own partner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.ui.catalogue import Translations
from bot.ui.isolation import mention
from bot.ui.screen import Button, PeopleSelect, Press, Rows, Tone
from cogs.screens.safe_names import unescaped
from cogs.tournaments import partners
from cogs.tournaments.rows import EntrantRow, State, Whole

MOST_LISTED: Final = 12
"""How many teams the public message names while they join, and people without a partner."""
MOST_ASKING: Final = 6
"""How many lines it has of who asks whom to be their partner."""
MOST_ASKERS: Final = 2
"""How many of those who ask somebody they can agree to by a button."""

Names = Mapping[int, str]
"""Safe names, by user."""


def team_lines(whole: Whole, names: Names, words: Translations) -> list[str]:
    """The teams while people join, then who has no partner, and whom they ask."""
    teams = [
        words("tournament.team", first=names[one.user_id], second=names[other.user_id])
        for one, other in partners.teams(whole)
    ]
    lines = [listed(teams, MOST_LISTED, words)] if teams else []
    alone = partners.alone(whole)
    if alone:
        named = listed([names[each.user_id] for each in alone], MOST_LISTED, words)
        lines.append(words("tournament.alone", players=named))
    asking = [(each, asked) for each in alone if (asked := partners.asks(whole, each)) is not None]
    lines += [
        words("tournament.asks", player=names[each.user_id], other=mention(asked))
        for each, asked in asking[:MOST_ASKING]
    ]
    return lines


def listed(names: list[str], most: int, words: Translations) -> str:
    """Some of these, and how many others there are."""
    left = len(names) - most
    return words.all_of([*names[:most], *([words.count("hosted.others", left)] if left > 0 else ())])


def partner_lines(whole: Whole, entrant: EntrantRow, names: Names, words: Translations) -> list[str]:
    """Who somebody's partner is, or how they get one."""
    other, asked = partners.partner(whole, entrant), partners.asks(whole, entrant)
    if other is not None:
        lines = [words("tournament.partner", player=names[other.user_id])]
        return lines if other.there else [*lines, words("tournament.partner_left")]
    lines = [] if asked is None else [words("tournament.you_asked", player=mention(asked))]
    return [*lines, words("tournament.no_partner")]


def askers(whole: Whole, entrant: EntrantRow, names: Names, words: Translations) -> list[Button]:
    """Buttons to agree to play with who asks."""
    if not _looks_for_one(whole, entrant):
        return []
    return [
        Button(
            words("tournament.play_with", player=unescaped(names[each.user_id])),
            Press("tourwith", nth, str(each.number)),
            Tone.GOOD,
        )
        for nth, each in enumerate(partners.asked_by(whole, entrant.user_id)[:MOST_ASKERS])
    ]


def choice(whole: Whole, entrant: EntrantRow, words: Translations) -> Rows:
    """A list to ask somebody from, for who has no partner."""
    if not _looks_for_one(whole, entrant):
        return ()
    return ((PeopleSelect(Press("tourask"), words("tournament.ask_partner"), 1),),)


def _looks_for_one(whole: Whole, entrant: EntrantRow) -> bool:
    return whole.tournament.state is not State.PLAYING and partners.partner(whole, entrant) is None
