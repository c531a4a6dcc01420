"""The animated picture of a finished match: which of its steps are shown, how long, and what it says in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import Final

from bot.art.animation import MOST_FRAMES, Animation, Frame
from bot.art.animation_picture import draw_animation
from bot.art.layout import TableLayout
from bot.play.replays import Eyes, Replay
from cogs.screens.presenter import Presenter, Reader
from cogs.screens.replays.export import Exported, ExportFile
from cogs.screens.tables import table_text
from cogs.screens.tables.pictured import Pictured
from cogs.screens.tables.table_screen import with_winners

NAME: Final = "SPOILER_match.gif"
"""Discord covers a picture whose name begins so until somebody wants to see it
(https://discord.com/developers/docs/reference#uploading-files)."""
_OPEN_SEATS: Final = 2
"""With more seats than these, hands are too long to be seen through the whole match."""
_DEAL, _USUAL, _HEAVY, _END = 1200, 900, 1600, 6000
"""How many milliseconds a frame is shown: the deal, most acts, one that mattered, and the end."""


def animation_file(exported: Exported) -> ExportFile:
    """The animated picture of a match and its description. Raises TypeError for a game without pictures.

    It takes up to a tenth of a second, so call it outside the event loop.
    """
    made = animation(exported.replay, exported.presenter)
    words = description(exported.replay, made.frames[-1].layout, exported.reader)
    return ExportFile(NAME, draw_animation(made), words)


def animation(replay: Replay, presenter: Presenter) -> Animation:
    """The table after each step that is shown. Two players' hands are open, those of more only at the end.

    Raises TypeError for a game without pictures.
    """
    if not isinstance(presenter, Pictured):
        raise TypeError("the game has no pictures")
    seats, last = len(replay.seats), replay.last
    eyes = Eyes.all_hands(seats) if seats <= _OPEN_SEATS else Eyes()
    weights = _weights(replay, presenter)
    order = chosen_steps(_seen_steps(replay, eyes), weights, MOST_FRAMES)
    frames = []
    for step, rank in sorted((step, rank) for rank, step in enumerate(order)):
        layout = _end(replay, presenter) if step == last else _table(replay, presenter, step, eyes)
        usual = _HEAVY if weights.get(step) else _USUAL
        frames.append(Frame(layout, _END if step == last else usual if step else _DEAL, rank))
    return Animation(tuple(frames))


def chosen_steps(steps: Sequence[int], weights: Mapping[int, int], most: int) -> tuple[int, ...]:
    """The steps that are shown, at most `most` of those given in their order. Those that matter most come first.

    These are the first and the last one; of those with a weight the heaviest, the later of equal ones, up to half of
    all; and then always one in the middle of those that are farthest apart.
    """
    heavy = [step for step in steps[1:-1] if weights.get(step)]
    heaviest = sorted(heavy, key=lambda step: (-weights[step], -step))
    order = list(dict.fromkeys([steps[0], steps[-1], *heaviest[: max(0, most // 2 - 2)]]))
    places = sorted([steps.index(step) for step in order])
    gaps = [(left - right, left, right) for left, right in pairwise(places)]
    heapify(gaps)
    while gaps and len(order) < most:
        _, left, right = heappop(gaps)
        middle = (left + right) // 2
        if middle == left:
            continue
        order.append(steps[middle])
        heappush(gaps, (left - middle, left, middle))
        heappush(gaps, (middle - right, middle, right))
    return tuple(order)


def description(replay: Replay, end: TableLayout, reader: Reader) -> str:
    """The match for people who cannot see its picture: how many moves it had, and the table at the end with all
    players and the winner."""
    title = reader.words.count("replay.animation.described", replay.last, game=replay.game.info.title)
    table = table_text.description(end, reader, table_text.LONGEST_DESCRIPTION - len(title) - 1)
    return f"{title}\n{table}"


def _seen_steps(replay: Replay, eyes: Eyes) -> list[int]:
    """The steps that show something new; the first and the last in any case."""
    ends = {0, replay.last}
    return [
        step.number
        for step in replay.steps
        if step.number in ends or any(eyes.see(fact) is not None for fact in step.facts)
    ]


def _weights(replay: Replay, presenter: Presenter) -> dict[int, int]:
    """How much each step mattered for the match, of those that did."""
    board = Eyes()
    seen = [
        (step.number, event) for step in replay.steps for fact in step.facts if (event := board.see(fact)) is not None
    ]
    events = [event for _, event in seen]
    found: dict[int, int] = {}
    for place, (step, _) in enumerate(seen):
        found[step] = max(found.get(step, 0), presenter.weight(events, place))
    return {step: weight for step, weight in found.items() if weight > 0}


def _table(replay: Replay, presenter: Pictured, step: int, eyes: Eyes) -> TableLayout:
    seen = replay.see(step, eyes)
    return presenter.picture(seen.public, seen.private)


def _end(replay: Replay, presenter: Pictured) -> TableLayout:
    """The table of the end, as the board shows it: everything is open, and the winners are marked."""
    layout = _table(replay, presenter, replay.last, Eyes.all_hands(len(replay.seats)))
    return with_winners(layout, replay.result.ranks)
