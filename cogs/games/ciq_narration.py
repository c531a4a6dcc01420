"""The events of CIQ in sentences."""

from __future__ import annotations

from cogs.screens.presenter import Reader
from engines.ciq import (
    AttackCut,
    AttackLaid,
    Blocked,
    CardsDrawn,
    CardTaken,
    CountDrawn,
    DealerDrawn,
    Defended,
    Leaving,
    LetThrough,
    Passed,
    Pile,
    SeatLeft,
    Transferred,
    TurnedOver,
    rank_name,
)
from engines.game import Event


def narrate(event: Event, reader: Reader) -> str | None:  # noqa: PLR0911, PLR0912  one sentence for each event
    """An event in a sentence, as its reader may know it; None for an event that needs none."""
    words, names = reader.words, reader.names
    match event:
        case DealerDrawn(dealer):
            return words("ciq.told.dealt", dealer=names[dealer], first=names[(dealer + 1) % len(names)])
        case TurnedOver(seat):
            return words("ciq.told.turned_over", player=names[seat])
        case CardsDrawn(_, cards):
            return words("ciq.told.drew", cards=reader.cards.row(cards))
        case CountDrawn(seat, _, chosen):
            return words("ciq.told.drew_unseen", player=names[seat]) if chosen else None
        case AttackLaid():
            return _attack(event, reader)
        case Blocked(seat, card):
            return words("ciq.told.blocked", player=names[seat], card=reader.cards.text(card))
        case LetThrough(seat):
            return words("ciq.told.let_through", player=names[seat])
        case CardTaken(seat, card):
            return words("ciq.told.taken", player=names[seat], card=reader.cards.text(card))
        case Transferred(giver, taker, source, cards):
            key = f"ciq.told.moved_{source.value}"
            return words.count(key, len(cards), giver=names[giver], taker=names[taker])
        case AttackCut(seat):
            return words("ciq.told.cut", player=names[seat])
        case Defended(seat, card):
            return words("ciq.told.defended", player=names[seat], card=reader.cards.text(card))
        case Passed(seat, forced):
            return words("ciq.told.passed_forced" if forced else "ciq.told.passed", player=names[seat])
        case Leaving(seat):
            return words("ciq.told.leaving", player=names[seat])
        case SeatLeft(seat, reason):
            return words(f"ciq.told.left_{reason}", player=names[seat])
    return None


def _attack(event: AttackLaid, reader: Reader) -> str:
    words, names = reader.words, reader.names
    attacker, target = names[event.seat], names[event.target]
    if event.pile is Pile.DEFENSE:
        return words("ciq.told.weakened", player=attacker, target=target, cards=reader.cards.row(event.cards))
    if len(event.cards) == 1 and event.cards[0].rank > event.defense:
        acting = reader.cards.named(rank_name(event.defense))
        return words(
            "ciq.told.attacked_alone", player=attacker, target=target, card=reader.cards.row(event.cards), acting=acting
        )
    return words("ciq.told.attacked", player=attacker, target=target, cards=reader.cards.row(event.cards))
