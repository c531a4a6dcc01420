"""The events of Champions of Chance in sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from cogs.screens.presenter import Reader
from engines import champions
from engines.game import Event


def narrate(event: Event, reader: Reader) -> str | None:
    """An event in a sentence, as its reader may know it; None for an event that needs none."""
    sentence = _SENTENCES.get(type(event))
    return None if sentence is None else sentence(event, reader)


def _first(event: champions.FirstDrawn, reader: Reader) -> str:
    return reader.words("champions.told.first", player=reader.names[event.seat])


def _opponent(event: champions.OpponentNamed, reader: Reader) -> str:
    key = "champions.told.challenge_taken" if event.taken else "champions.told.challenge"
    return reader.words(key, challenger=reader.names[event.challenger], opponent=reader.names[event.opponent])


def _number(event: champions.NumberSet, reader: Reader) -> str:
    return reader.words("champions.told.number", player=reader.names[event.seat], number=event.number)


def _number_drawn(event: champions.NumberDrawn, reader: Reader) -> str:
    return reader.words("champions.told.number_drawn", number=event.number)


def _own_die(event: champions.DieSelected | champions.DieDrawn | champions.DieSeen, reader: Reader) -> str:
    key = "champions.told.die_was" if isinstance(event, champions.DieSeen) else "champions.told.die"
    return reader.words(key, cards=reader.cards.row(event.cards))


def _die(event: champions.DieSized, reader: Reader) -> str:
    return reader.words.count("champions.told.die_unseen", event.count, player=reader.names[event.seat])


def _called(event: champions.Called, reader: Reader) -> str:
    key = "champions.told.lowest" if event.lowest else "champions.told.highest"
    return reader.words(key, player=reader.names[event.seat])


def _rolled(event: champions.Rolled, reader: Reader) -> str:
    return reader.words(
        "champions.told.rolled",
        challenger=reader.names[event.challenger],
        opponent=reader.names[event.opponent],
        first=reader.cards.row(event.cards[:1]),
        second=reader.cards.row(event.cards[1:]),
    )


def _inverted(event: champions.Inverted, reader: Reader) -> str:
    if event.times > 1:
        return reader.words("champions.told.inverted_back")
    return reader.words("champions.told.inverted_lowest" if event.lowest else "champions.told.inverted_highest")


def _numberless(event: champions.NumberlessRolled, reader: Reader) -> str:
    return reader.words(
        "champions.told.numberless", player=reader.names[event.seat], card=reader.cards.text(event.card)
    )


def _won(event: champions.BattleWon, reader: Reader) -> str:
    key = f"champions.told.won_by_{event.by.lower()}"
    return reader.words(key, player=reader.names[event.winner], card=reader.cards.text(event.card))


def _faceup_lost(event: champions.FaceupLost, reader: Reader) -> str:
    return reader.words(
        "champions.told.faceup_lost", player=reader.names[event.seat], card=reader.cards.text(event.card)
    )


def _tied(event: champions.BattleTied, reader: Reader) -> str:
    return reader.words("champions.told.tied_by_specials" if event.specials else "champions.told.tied")


def _stolen(event: champions.Stolen, reader: Reader) -> str:
    return reader.words(
        "champions.told.stolen",
        thief=reader.names[event.thief],
        victim=reader.names[event.victim],
        card=reader.cards.text(event.card),
    )


def _stolen_unseen(event: champions.StolenUnseen, reader: Reader) -> str:
    names = reader.names
    return reader.words("champions.told.stolen_unseen", thief=names[event.thief], victim=names[event.victim])


def _declined(event: champions.StealDeclined, reader: Reader) -> str:
    return reader.words("champions.told.steal_declined", player=reader.names[event.seat])


def _given(event: champions.CardGiven, reader: Reader) -> str:
    return reader.words("champions.told.given", card=reader.cards.text(event.card))


def _drawn(event: champions.CardDrawn, reader: Reader) -> str:
    return reader.words("champions.told.drawn", card=reader.cards.text(event.card))


def _drawn_unseen(event: champions.CardDrawnUnseen, reader: Reader) -> str:
    return reader.words("champions.told.exchanged", player=reader.names[event.seat])


def _turned(event: champions.PileTurned, reader: Reader) -> str:
    return reader.words.count("champions.told.reshuffled", event.count)


def _left(event: champions.SeatsLeft, reader: Reader) -> str:
    players = reader.words("names.and").join(reader.names[seat] for seat in event.seats)
    late = event.kind == "time"
    return reader.words("champions.told.left_by_time" if late else "champions.told.resigned", players=players)


def _void(event: champions.BattleVoid, reader: Reader) -> str:
    names = reader.names
    return reader.words("champions.told.void", challenger=names[event.challenger], opponent=names[event.opponent])


_SENTENCES: Final[Mapping[type[Event], Callable[[Any, Reader], str]]] = {
    champions.FirstDrawn: _first,
    champions.OpponentNamed: _opponent,
    champions.NumberSet: _number,
    champions.NumberDrawn: _number_drawn,
    champions.DieSelected: _own_die,
    champions.DieDrawn: _own_die,
    champions.DieSeen: _own_die,
    champions.DieSized: _die,
    champions.Called: _called,
    champions.Rolled: _rolled,
    champions.Inverted: _inverted,
    champions.NumberlessRolled: _numberless,
    champions.BattleWon: _won,
    champions.FaceupLost: _faceup_lost,
    champions.BattleTied: _tied,
    champions.Stolen: _stolen,
    champions.StolenUnseen: _stolen_unseen,
    champions.StealDeclined: _declined,
    champions.CardGiven: _given,
    champions.CardDrawn: _drawn,
    champions.CardDrawnUnseen: _drawn_unseen,
    champions.PileTurned: _turned,
    champions.SeatsLeft: _left,
    champions.BattleVoid: _void,
}
