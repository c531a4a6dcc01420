"""A step of a replay in words: what happened, the board after it, and what each player alone saw.

The parts are kept apart, so that a reader can be shown the board and the eyes they choose, and no more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.play.replays import Eyes, Replay, Seen, Step
from bot.ui.screen import Cards, Rule, SeatLine, Seats, Section, Text
from cogs.screens.endings import ending
from cogs.screens.presenter import Presenter, Racing, Reader
from cogs.screens.replays.step_words import step_words
from engines.game import Event, Seat


@dataclass(frozen=True, slots=True)
class ToldStep:
    """A step of a replay. `news` are sentences. `hands` has what each player alone read and held, seat by seat; a seat
    whose hand nobody asked for has nothing. `ending` is there after the last step only."""

    number: int
    at: int
    news: tuple[str, ...]
    board: tuple[Section, ...]
    hands: tuple[tuple[Section, ...], ...]
    ending: tuple[str, ...]


def tell(replay: Replay, presenter: Presenter, reader: Reader, number: int, eyes: Eyes) -> ToldStep:
    """A step as everybody saw it, and beside it what the players of these eyes saw. `reader` has no seat.

    Raises IndexError for a step that the match has not.
    """
    seen = replay.see(number, eyes)
    step = replay.steps[number]
    return ToldStep(
        number,
        step.at,
        _news(replay, seen, presenter, reader),
        board_after(replay, seen, presenter, reader),
        tuple([_hand(step, seen, seat, presenter, reader) for seat in range(len(replay.seats))]),
        _ending(replay, reader) if number == replay.last else (),
    )


def _news(replay: Replay, seen: Seen, presenter: Presenter, reader: Reader) -> tuple[str, ...]:
    """What everybody read, whatever else these eyes saw."""
    board = Eyes()
    facts = [fact for each in replay.steps[seen.step].facts if (fact := board.see(each)) is not None]
    return step_words(replay, replace(seen, eyes=board, facts=tuple(facts)), presenter, reader)


def _told(fact: Event | None, presenter: Presenter, reader: Reader) -> str:
    return "" if fact is None else presenter.narrate(fact, reader) or ""


def board_after(replay: Replay, seen: Seen, presenter: Presenter, reader: Reader) -> tuple[Section, ...]:
    """The board after a step, as everybody saw it in the channel (`cogs.screens.board`)."""
    held, over = reader.words("stand_in.plays_on"), seen.step == replay.last
    lines = [
        SeatLine(
            name,
            (*((held,) if seat in seen.stand_ins else ()), *presenter.seat_facts(seen.public, seat, reader)),
            awaited=not over and seat in seen.awaited,  # a match that was called off still had a question
        )
        for seat, name in enumerate(reader.names)
    ]
    leader = "" if over else presenter.leader(seen.public, reader)
    # The question of a race ends in the middle of a sentence, before a deadline that nobody waits for any more.
    asked = "" if over or isinstance(presenter, Racing) else presenter.question(seen.public, reader)
    return (
        Seats(tuple(lines)),
        *((Text(f"-# {leader}"),) if leader else ()),
        Rule(),
        *presenter.table(seen.public, reader),
        *((Text(asked),) if asked else ()),
    )


def _hand(step: Step, seen: Seen, seat: Seat, presenter: Presenter, reader: Reader) -> tuple[Section, ...]:
    private = seen.private[seat]
    if private is None:
        return ()
    own = replace(reader, seat=seat)
    told = [_told(fact, presenter, own) for fact in step.facts if seat in (fact.audience() or ())]
    shown, held = presenter.hand_text(private, own), presenter.held(private)
    if held and not any(isinstance(section, Cards) and section.is_hand for section in shown):
        shown = (*shown, own.cards.listed(own.words("replay_file.cards"), held))  # in a race they are buttons alone
    return (*[Text(line) for line in told if line], *shown)


def _ending(replay: Replay, reader: Reader) -> tuple[str, ...]:
    outcome = replay.game.outcome(replay.state(replay.last))
    return ending(replay.game.info.key, replay.result, outcome, reader)
