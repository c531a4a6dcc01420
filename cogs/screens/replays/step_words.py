"""A step of a replay in words: what these eyes read of it."""

from __future__ import annotations

from typing import Any

from bot.play.computers.stand_ins import TakenBack, TakenOver
from bot.play.replays import Eyes, Replay, Seen, Step
from bot.store.computer_ids import is_computer
from cogs.screens.presenter import Presenter, Reader
from cogs.screens.reviews.moves import move_words
from engines.game import Event, Resign, Seat


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
    if move:
        return words("review.chose", player=reader.names[actor], move=move)
    return words(key or "replay.unseen", player=reader.names[actor])


def _chosen(replay: Replay, step: Step, actor: Seat, presenter: Presenter, reader: Reader) -> str:
    """A move as its player's own buttons named it; empty if it had no such button."""
    choices, own = replay.offered(step.number - 1, actor)
    action: Any = step.action
    try:
        return move_words(action, choices, own, presenter, reader)
    except LookupError:
        return ""


def _named(seats: list[Seat], reader: Reader) -> str:
    return reader.words("names.and").join(reader.names[seat] for seat in seats)
