"""The events of CIQ in sentences."""

from __future__ import annotations

from cogs.screens.presenter import Reader
from engines import ciq
from engines.game import Event


def narrate(event: Event, reader: Reader) -> str | None:  # noqa: PLR0911, PLR0912  one sentence for each event
    """An event in a sentence, as its reader may know it; None for an event that needs none."""
    words, names = reader.words, reader.names
    match event:
        case ciq.DealerDrawn(dealer):
            return words("ciq.told.dealt", dealer=names[dealer], first=names[(dealer + 1) % len(names)])
        case ciq.TurnedOver(seat):
            return words("ciq.told.turned_over", player=names[seat])
        case ciq.CardsDrawn(_, cards):
            return words("ciq.told.drew", cards=reader.cards.row(cards))
        case ciq.CountDrawn(seat, _, chosen):
            return words("ciq.told.drew_unseen", player=names[seat]) if chosen else None
        case ciq.AttackLaid():
            return _attack(event, reader)
        case ciq.Blocked(seat, card):
            return words("ciq.told.blocked", player=names[seat], card=reader.cards.text(card))
        case ciq.LetThrough(seat):
            return words("ciq.told.let_through", player=names[seat])
        case ciq.CardTaken(seat, card):
            return words("ciq.told.taken", player=names[seat], card=reader.cards.text(card))
        case ciq.Transferred(giver, taker, source, cards):
            key = f"ciq.told.moved_{source.value}"
            return words.count(key, len(cards), giver=names[giver], taker=names[taker])
        case ciq.AttackCut(seat):
            return words("ciq.told.cut", player=names[seat])
        case ciq.Defended(seat, card):
            return words("ciq.told.defended", player=names[seat], card=reader.cards.text(card))
        case ciq.Passed(seat, forced):
            return words("ciq.told.passed_forced" if forced else "ciq.told.passed", player=names[seat])
        case ciq.Leaving(seat):
            return words("ciq.told.leaving", player=names[seat])
        case ciq.SeatLeft(seat, reason):
            return words(f"ciq.told.left_{reason}", player=names[seat])
    return None


def _attack(event: ciq.AttackLaid, reader: Reader) -> str:
    words, names = reader.words, reader.names
    attacker, target = names[event.seat], names[event.target]
    if event.pile is ciq.Pile.DEFENSE:
        return words("ciq.told.weakened", player=attacker, target=target, cards=reader.cards.row(event.cards))
    if len(event.cards) == 1 and event.cards[0].rank > event.defense:
        acting = reader.cards.named(ciq.rank_name(event.defense))
        return words(
            "ciq.told.attacked_alone", player=attacker, target=target, card=reader.cards.row(event.cards), acting=acting
        )
    return words("ciq.told.attacked", player=attacker, target=target, cards=reader.cards.row(event.cards))
