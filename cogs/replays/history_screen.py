"""A person's finished matches in words, a page at a time, newest first.

A reader sees how their own matches ended, and of other people's no more than who played, so that no replay is spoilt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.games import game_title
from bot.store.queries.finished_matches import FinishedMatch
from bot.ui.catalogue import Translations
from bot.ui.isolation import cut_whole
from bot.ui.screen import Button, Option, Press, Screen, Select, Text
from cogs.screens.custom_ids import UnknownCustomId, read_user
from cogs.screens.renderer import LONGEST_OPTION
from cogs.screens.safe_names import unescaped

LISTED: Final = "history"
"""What the controls of the list act on, in place of a match."""
PAGE: Final = 8
NEWER: Final = 1
OLDER: Final = 2
"""The window of the button that turns the page."""

_ARG: Final = re.compile(r"([0-9]{1,20})\.([a-z0-9_]{0,24})\.([a-z0-9_]{1,24})")


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """A page: of whom, of which game (empty: all), and whether there are older and newer matches than these."""

    user_id: int
    game: str
    matches: Sequence[FinishedMatch]
    older: bool
    newer: bool

    def press(self, *, older: bool) -> Press:
        """A press for the page after this one, or before it. It names the match at which that begins."""
        edge = self.matches[-1 if older else 0].row.id
        return Press("history", OLDER if older else NEWER, f"{self.user_id}.{self.game}.{edge}")


def read_edge(arg: str, window: int) -> tuple[int, str, str, bool]:
    """The person, the game and the match that a press names, and whether it leads to older matches than that.

    Raises UnknownCustomId.
    """
    found = _ARG.fullmatch(arg)
    if found is None or window not in (NEWER, OLDER):
        raise UnknownCustomId("no page of a history")
    return read_user(found[1]), found[2], found[3], window == OLDER


def history_screen(
    page: HistoryPage,
    viewer_id: int,
    names: Callable[[FinishedMatch], tuple[str, ...]],
    player: str,
    words: Translations,
    *,
    added: Sequence[Button] = (),
) -> Screen:
    """A page of somebody's finished matches. `names` are those of a match's seats, and all names are safe. `added` is
    what fills a history of one's own that is empty."""
    own = page.user_id == viewer_id
    title = words("history.title") if own else words("history.title_of", player=player)
    if not page.matches:
        return Screen(
            title, (Text(words("history.none" if own else "history.none_of")),), (tuple(added),) if own else ()
        )
    lines, options = [], []
    for nth, each in enumerate(page.matches, start=1):
        others = opponents(each.row.seats, names(each), page.user_id, words)
        game = game_title(each.row.game)
        facts = [f"<t:{each.result.ended_at // 1000}:f>", *_told(each, viewer_id, names(each), words)]
        lines.append(words("history.line", place=nth, game=game, others=others, facts=" · ".join(facts)))
        label = words("history.option", place=nth, game=game, others=unescaped(others))
        options.append(Option(cut_whole(label, LONGEST_OPTION), each.row.id, words.moment(each.result.ended_at)))
    choosing = (Select(Press("replayopen"), words("history.open"), tuple(options)),)
    turning = (
        Button(words("history.newer"), page.press(older=False), enabled=page.newer),
        Button(words("history.older"), page.press(older=True), enabled=page.older),
    )
    rows = (choosing, turning) if page.newer or page.older else (choosing,)
    foot = words("history.foot" if own else "history.foot_of")
    return Screen(title, (Text("\n".join(lines)),), rows, foot)


def opponents(seats: Sequence[int], names: Sequence[str], user_id: int, words: Translations) -> str:
    """Against whom somebody played."""
    return words.all_of(name for seat, name in zip(seats, names, strict=True) if seat != user_id)


def _told(finished: FinishedMatch, viewer_id: int, names: Sequence[str], words: Translations) -> tuple[str, ...]:
    """What a player of the match reads of it: how it ended for them, and who wants the replay to be private."""
    row = finished.row
    if viewer_id not in row.seats:
        return ()
    seat = row.seats.index(viewer_id)
    told = [_result(finished, seat, words)]
    others = [names[each] for each in finished.private_wishes if each != seat]
    if finished.is_private:
        told.append(words("history.private"))
    elif others and seat not in finished.private_wishes:
        told.append(words("history.wished", players=words.all_of(others)))
    return tuple(told)


def _result(finished: FinishedMatch, seat: int, words: Translations) -> str:
    ranks = finished.result.ranks
    if not ranks:
        return words("history.void")
    if len(set(ranks)) == 1:
        return words("history.drawn")
    if len(ranks) > 2 and ranks[seat] != 1:
        return words("history.place", rank=ranks[seat], seats=len(ranks))
    return words("history.won" if ranks[seat] == 1 else "history.lost")
