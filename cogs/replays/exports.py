"""The files that a replay can be saved or shown as, in the order of the list on its screen.

JSON names nobody, because it outlives a deletion and proves the deal. The page shows the names that the person sees on
the screen anyway. All are of a match that is over and that this person may see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import Final

from bot.art.animation_picture import MOST_FRAMES, Animation, Frame, draw_animation
from bot.art.layout import TableLayout
from bot.play.deals.match_export import FILE, ExportedMatch, export, write
from cogs.replays.replay import Eyes, Replay
from cogs.replays.replay_page import replay_page
from cogs.screens import tables
from cogs.screens.card_text import TEXT_CARDS
from cogs.screens.presenter import Pictured, Presenter, Reader

NAME: Final = "SPOILER_match.gif"
"""Discord covers a picture whose name begins so until somebody wants to see it
(https://discord.com/developers/docs/reference#uploading-files)."""
_OPEN_SEATS: Final = 2
"""With more seats than these, hands are too long to be seen through the whole match."""
_DEAL, _USUAL, _HEAVY, _END = 1200, 900, 1600, 6000
"""How many milliseconds a frame is shown: the deal, most acts, one that mattered, and the end."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A replay and whom it is written for. The reader's names are safe names.

    `match` is all that is stored of it, for an `Export` that needs that.
    """

    replay: Replay
    presenter: Presenter
    reader: Reader
    match: ExportedMatch | None = None


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A finished file. `description` is a picture's alt text, at most 1,024 plain characters."""

    name: str
    content: bytes
    description: str = ""


@dataclass(frozen=True, slots=True)
class Export:
    """A kind of file.

    `key` is in the ids of old messages, so it never changes: up to 24 small letters. Its label is the catalogue's
    `replay.export.<key>`, and `replay.exported.<key>` is what the message with the file says. `make` runs in a thread
    of its own, so it may take a moment, and may raise Refused. With `public` the file is posted in the channel for
    everybody; otherwise only the person who asked gets it. `needs_match` gives it the whole match, and `needs_pictures`
    leaves it out for games without pictures of the table.
    """

    key: str
    make: Callable[[Exported], ExportFile]
    public: bool = False
    needs_match: bool = False
    needs_pictures: bool = False

    def is_offered(self, presenter: Presenter) -> bool:
        """Whether the file can be made of matches of a game."""
        return not self.needs_pictures or isinstance(presenter, Pictured)


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
    indexes = sorted([steps.index(step) for step in order])
    gaps = [(left - right, left, right) for left, right in pairwise(indexes)]
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
    table = tables.description(end, reader, tables.LONGEST_DESCRIPTION - len(title) - 1)
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
    for index, (step, _) in enumerate(seen):
        found[step] = max(found.get(step, 0), presenter.weight(events, index))
    return {step: weight for step, weight in found.items() if weight > 0}


def _table(replay: Replay, presenter: Pictured, step: int, eyes: Eyes) -> TableLayout:
    seen = replay.see(step, eyes)
    return presenter.picture(seen.public, seen.private)


def _end(replay: Replay, presenter: Pictured) -> TableLayout:
    """The table of the end, as the board shows it: everything is open, and the winners are marked."""
    layout = _table(replay, presenter, replay.last, Eyes.all_hands(len(replay.seats)))
    return tables.with_winners(layout, replay.result.ranks)


def _page(exported: Exported) -> ExportFile:
    reader = replace(exported.reader, seat=None, cards=TEXT_CARDS)  # a page has neither our emojis nor an owner
    content = replay_page(exported.replay, exported.presenter, reader)
    return ExportFile(FILE.format(match=exported.replay.id, kind="html"), content)


def _json(exported: Exported) -> ExportFile:
    match = exported.match
    if match is None:
        raise RuntimeError("this file needs the whole match")
    content = write(export(match.row, match.records, match.result, match.sealed_at))
    return ExportFile(FILE.format(match=match.row.id, kind="json"), content)


EXPORTS: Final[tuple[Export, ...]] = (
    Export("page", _page),
    Export("json", _json, needs_match=True),
    Export("animation", animation_file, public=True, needs_pictures=True),
)
