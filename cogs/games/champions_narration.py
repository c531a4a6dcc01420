"""The events of Champions of Chance in sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from cogs.screens.presenter import Reader
from engines.champions import (
    BattleTied,
    BattleVoid,
    BattleWon,
    Called,
    CardDrawn,
    CardDrawnUnseen,
    CardGiven,
    DieDrawn,
    DieSeen,
    DieSelected,
    DieSized,
    FaceupLost,
    FirstDrawn,
    Inverted,
    NumberDrawn,
    NumberlessRolled,
    NumberSet,
    OpponentNamed,
    PileTurned,
    Rolled,
    SeatsLeft,
    StealDeclined,
    Stolen,
    StolenUnseen,
)
from engines.game import Event


def narrate(event: Event, reader: Reader) -> str | None:
    """An event in a sentence, as its reader may know it; None for an event that needs none."""
    sentence = _SENTENCES.get(type(event))
    return None if sentence is None else sentence(event, reader)


def _first(event: FirstDrawn, reader: Reader) -> str:
    return reader.words("champions.told.first", player=reader.names[event.seat])


def _opponent(event: OpponentNamed, reader: Reader) -> str:
    key = "champions.told.challenge_taken" if event.taken else "champions.told.challenge"
    return reader.words(key, challenger=reader.names[event.challenger], opponent=reader.names[event.opponent])


def _number(event: NumberSet, reader: Reader) -> str:
    return reader.words("champions.told.number", player=reader.names[event.seat], number=event.number)


def _number_drawn(event: NumberDrawn, reader: Reader) -> str:
    return reader.words("champions.told.number_drawn", number=event.number)


def _own_die(event: DieSelected | DieDrawn | DieSeen, reader: Reader) -> str:
    key = "champions.told.die_was" if isinstance(event, DieSeen) else "champions.told.die"
    return reader.words(key, cards=reader.cards.row(event.cards))


def _die(event: DieSized, reader: Reader) -> str:
    return reader.words.count("champions.told.die_unseen", event.count, player=reader.names[event.seat])


def _called(event: Called, reader: Reader) -> str:
    key = "champions.told.lowest" if event.lowest else "champions.told.highest"
    return reader.words(key, player=reader.names[event.seat])


def _rolled(event: Rolled, reader: Reader) -> str:
    return reader.words(
        "champions.told.rolled",
        challenger=reader.names[event.challenger],
        opponent=reader.names[event.opponent],
        first=reader.cards.row(event.cards[:1]),
        second=reader.cards.row(event.cards[1:]),
    )


def _inverted(event: Inverted, reader: Reader) -> str:
    if event.times > 1:
        return reader.words("champions.told.inverted_back")
    return reader.words("champions.told.inverted_lowest" if event.lowest else "champions.told.inverted_highest")


def _numberless(event: NumberlessRolled, reader: Reader) -> str:
    return reader.words(
        "champions.told.numberless", player=reader.names[event.seat], card=reader.cards.text(event.card)
    )


def _won(event: BattleWon, reader: Reader) -> str:
    key = f"champions.told.won_by_{event.by.lower()}"
    return reader.words(key, player=reader.names[event.winner], card=reader.cards.text(event.card))


def _faceup_lost(event: FaceupLost, reader: Reader) -> str:
    return reader.words(
        "champions.told.faceup_lost", player=reader.names[event.seat], card=reader.cards.text(event.card)
    )


def _tied(event: BattleTied, reader: Reader) -> str:
    return reader.words("champions.told.tied_by_specials" if event.specials else "champions.told.tied")


def _stolen(event: Stolen, reader: Reader) -> str:
    return reader.words(
        "champions.told.stolen",
        thief=reader.names[event.thief],
        victim=reader.names[event.victim],
        card=reader.cards.text(event.card),
    )


def _stolen_unseen(event: StolenUnseen, reader: Reader) -> str:
    names = reader.names
    return reader.words("champions.told.stolen_unseen", thief=names[event.thief], victim=names[event.victim])


def _declined(event: StealDeclined, reader: Reader) -> str:
    return reader.words("champions.told.steal_declined", player=reader.names[event.seat])


def _given(event: CardGiven, reader: Reader) -> str:
    return reader.words("champions.told.given", card=reader.cards.text(event.card))


def _drawn(event: CardDrawn, reader: Reader) -> str:
    return reader.words("champions.told.drawn", card=reader.cards.text(event.card))


def _drawn_unseen(event: CardDrawnUnseen, reader: Reader) -> str:
    return reader.words("champions.told.exchanged", player=reader.names[event.seat])


def _turned(event: PileTurned, reader: Reader) -> str:
    return reader.words.count("champions.told.reshuffled", event.count)


def _left(event: SeatsLeft, reader: Reader) -> str:
    players = reader.words("names.and").join(reader.names[seat] for seat in event.seats)
    late = event.kind == "time"
    return reader.words("champions.told.left_by_time" if late else "champions.told.resigned", players=players)


def _void(event: BattleVoid, reader: Reader) -> str:
    names = reader.names
    return reader.words("champions.told.void", challenger=names[event.challenger], opponent=names[event.opponent])


_SENTENCES: Final[Mapping[type[Event], Callable[[Any, Reader], str]]] = {
    FirstDrawn: _first,
    OpponentNamed: _opponent,
    NumberSet: _number,
    NumberDrawn: _number_drawn,
    DieSelected: _own_die,
    DieDrawn: _own_die,
    DieSeen: _own_die,
    DieSized: _die,
    Called: _called,
    Rolled: _rolled,
    Inverted: _inverted,
    NumberlessRolled: _numberless,
    BattleWon: _won,
    FaceupLost: _faceup_lost,
    BattleTied: _tied,
    Stolen: _stolen,
    StolenUnseen: _stolen_unseen,
    StealDeclined: _declined,
    CardGiven: _given,
    CardDrawn: _drawn,
    CardDrawnUnseen: _drawn_unseen,
    PileTurned: _turned,
    SeatsLeft: _left,
    BattleVoid: _void,
}
