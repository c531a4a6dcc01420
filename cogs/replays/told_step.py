"""A step of a replay in words: what happened, the board after it, and what each player alone saw.

The parts are kept apart, so that a reader can be shown the board and the eyes they choose, and no more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from bot.play.computers.stand_ins import TakenBack, TakenOver
from bot.store.special_ids import is_computer
from bot.ui.screen import Cards, Rule, Section, Text
from cogs.replays.replay import Eyes, Replay, Seen, Step
from cogs.screens.board import leader_line
from cogs.screens.endings import ending
from cogs.screens.hands.picking import clause_of
from cogs.screens.presenter import Presenter, Racing, Reader, seat_lines
from engines.game import Event, Resign, Seat


@dataclass(frozen=True, slots=True)
class ToldStep:
    """A step of a replay. `news` are sentences. `hands` has what each player alone read and held, seat by seat; a seat
    whose hand nobody asked for has nothing. `ending` is there after the last step only."""

    number: int
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
    over = seen.step == replay.last
    awaited = () if over else seen.awaited  # a match that was called off still had a question
    # The question of a race ends in the middle of a sentence, before a deadline that nobody waits for any more.
    asked = "" if over or isinstance(presenter, Racing) else presenter.question(seen.public, reader)
    return (
        seat_lines(presenter, seen.public, reader, awaited, seen.stand_ins),
        *(() if over else leader_line(presenter, seen.public, reader)),
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


def step_words(replay: Replay, seen: Seen, presenter: Presenter, reader: Reader) -> tuple[str, ...]:
    """What happened in a step, in lines: what everybody read, and what only those read whose eyes these are."""
    step = replay.steps[seen.step]
    lines = [line for fact in seen.facts if (line := _fact_words(fact, seen.eyes, presenter, reader))]
    if not lines and step.number:
        lines.append(_act_words(replay, step, seen.eyes, presenter, reader))
    if step.computer is not None and step.actor is not None and not is_computer(replay.seats[step.actor]):
        lines.append(reader.words("replay.by_computer", player=reader.names[step.actor]))
    return tuple(lines)


def _fact_words(fact: Event, eyes: Eyes, presenter: Presenter, reader: Reader) -> str | None:
    """A fact as its readers read it. A sentence for one player says "you", so for others it has their name."""
    told = presenter.narrate(fact, reader)
    audience = fact.audience()
    if told is None or audience is None or len(audience) == len(reader.names):
        return told
    readers = sorted(audience & eyes.seats)
    if readers == [reader.seat]:
        return told
    return reader.words("replay.read", players=_named(readers, reader), told=told)


def _act_words(replay: Replay, step: Step, eyes: Eyes, presenter: Presenter, reader: Reader) -> str:
    """An act of which nobody read a sentence."""
    words, actor = reader.words, step.actor
    if isinstance(step.action, TakenOver):
        return words("replay.taken_over", players=_named(sorted(step.action.seats), reader))
    if actor is None:
        return words("replay.time_up")
    key = {TakenBack: "replay.taken_back", Resign: "replay.resigned"}.get(type(step.action), "")
    move = "" if key or actor not in eyes.seats else _chosen(replay, step, actor, presenter, reader)
    return move or words(key or "replay.unseen", player=reader.names[actor])


def _chosen(replay: Replay, step: Step, actor: Seat, presenter: Presenter, reader: Reader) -> str:
    """A move as its game tells it; empty if it was not offered."""
    choices, own = replay.offered(step.number - 1, actor)
    action: Any = step.action
    try:
        clause = clause_of(action, choices, own, presenter, reader)
    except LookupError:
        return ""
    return clause.told(reader.words, reader.names[actor])


def _named(seats: list[Seat], reader: Reader) -> str:
    return reader.words.all_of(reader.names[seat] for seat in seats)
