"""Unbreakable in Discord: its commands and its presenter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from bot.art.images import Family
from bot.art.layout import Pile, Strip, TableLayout, backs, cards_in_row, stack
from bot.ui.screen import Section, Text, Tone
from cogs.game_registry import GameRegistry
from cogs.games.lessons.unbreakable import LESSON
from cogs.games.reasons.unbreakable import reasons
from cogs.screens.card_text import Card, Face
from cogs.screens.clauses import Clause, Move, Reason
from cogs.screens.presenter import ChangeableChoices, Known, Lead, Pictured, Presenter, Reader, Taught
from engines import unbreakable
from engines.game import Event, Private, Seat, Value
from engines.options import NONE

Hand: TypeAlias = Private[unbreakable.Public, unbreakable.Own]

FAR_BEHIND: Final = 3.0
"""How many times as many cards left are far behind (`Lead`). In 187 matches between equal computers of level normal,
11 % of those who were once so far behind still won."""


def setup(registry: GameRegistry) -> None:
    """Register the presenter and the commands."""
    registry.register("unbreakable", UnbreakablePresenter())


class UnbreakablePresenter(ChangeableChoices, Pictured, Taught, Presenter):
    """How Unbreakable is shown. `cogs.screens.presenter.Presenter` says what each method is for."""

    first_lesson = LESSON

    def terms(self, options: unbreakable.Options, reader: Reader) -> tuple[str, ...]:
        words = reader.words
        own: list[str] = []
        if options.match_hand != unbreakable.Options().match_hand:
            own.append(words("unbreakable.terms.match_hand", cards=options.match_hand))
        if options.pace != unbreakable.Options().pace:
            own.append(words("unbreakable.terms.swift"))
        key = "unbreakable.terms.no_limit" if options.limit == NONE else "unbreakable.terms.limit"
        return (*own, words(key, attackers=options.limit))

    def question(self, public: unbreakable.Public, reader: Reader) -> str:
        words, who = reader.words, reader.names
        if public.phase is unbreakable.Phase.LAY and public.turn is not None:
            return words("unbreakable.question.lay", player=who[public.turn])
        waiting = [who[seat] for seat in (0, 1) if not public.chosen[seat]]
        return words("unbreakable.question.choose", players=words.all_of(waiting))

    def seat_facts(self, public: unbreakable.Public, seat: Seat, reader: Reader) -> tuple[str, ...]:
        words = reader.words
        facts = [words.count("unbreakable.match_hand", public.hands[seat]), *_known(public, seat, reader)]
        if public.phase is unbreakable.Phase.CHOOSE:
            facts.append(words("unbreakable.chosen" if public.chosen[seat] else "unbreakable.choosing"))
        return tuple(facts)

    def lead(self, public: unbreakable.Public) -> Lead:
        """The attacker in the middle is still to be got rid of."""
        attacking = public.turn if public.phase is unbreakable.Phase.CHOOSE else None
        return Lead(
            {seat: count + (seat == attacking) for seat, count in enumerate(public.hands)},
            fewest=True,
            far=FAR_BEHIND,
            told="cards.ahead",
            counted="cards.counted",
        )

    def table(self, public: unbreakable.Public, reader: Reader) -> tuple[Section, ...]:
        piles = reader.words("unbreakable.piles", deck=public.deck, discards=public.discards)
        limit = public.options.limit
        key = "unbreakable.attackers_unlimited" if limit == NONE else "unbreakable.attackers"
        attackers = reader.words(key, attackers=public.attackers, limit=limit)
        return (*_rounds(public, reader), Text(f"{piles} · {attackers}"))

    def table_in_brief(self, public: unbreakable.Public, reader: Reader) -> tuple[Section, ...]:
        """Without the counts."""
        return _rounds(public, reader)

    def facts_beside_hand(self, public: unbreakable.Public, seat: Seat, reader: Reader) -> tuple[str, ...]:
        return (reader.words.count("picture.laid", public.hands[seat]), *_known(public, seat, reader))

    def table_beside_hand(self, public: unbreakable.Public, reader: Reader) -> tuple[Section, ...]:
        last = public.last
        return () if last is None else (Text(_pairs(last.pairs, last.winner, reader, knockout=last.knockout)),)

    def narrate(self, event: Event, reader: Reader) -> str | None:  # noqa: PLR0911  one sentence for each event
        words, who = reader.words, reader.names
        match event:
            case unbreakable.DealerDrawn(dealer):
                return words("unbreakable.told.dealt", dealer=who[dealer])
            case unbreakable.ChooserTurned(card):
                return words("unbreakable.told.chooser", card=reader.cards.text(card))
            case unbreakable.AttackerLaid(seat, card):
                return words("unbreakable.told.attacker", player=who[seat], card=reader.cards.text(card))
            case unbreakable.Chosen(_, card):
                return words("unbreakable.told.put_away", card=reader.cards.text(card))
            case unbreakable.ChoiceMade(seat):
                return words("unbreakable.told.chose", player=who[seat])
            case unbreakable.PairsShown(first, second, winner, knockout):
                return _pairs((first, second), winner, reader, knockout=knockout)
            case unbreakable.TargetTaken(seat):
                return words("unbreakable.told.taken", player=who[seat])
            case unbreakable.TargetDiscarded():
                return words("unbreakable.told.discarded")
            case unbreakable.ExtraDrawn(_, card):
                return words("unbreakable.told.extra", card=reader.cards.text(card))
            case unbreakable.ExtraCountDrawn(seat):
                return words("unbreakable.told.extra_unseen", player=who[seat])
            case unbreakable.CountReshuffled(count):
                return words("unbreakable.told.reshuffled", count=count)
        return None

    def chosen(self, own: Hand, reader: Reader) -> str:
        if own.own.chosen is None:
            return ""
        kept = [card for card in own.own.weapons if card != own.own.chosen]
        return reader.words("unbreakable.asked.wait", cards=reader.cards.row(kept))

    def is_chosen(self, own: Hand, verb: str) -> bool:
        return verb.startswith("put") and own.own.weapons[int(verb.removeprefix("put"))] == own.own.chosen

    def is_shown_once(self, event: Event) -> bool:
        return isinstance(event, unbreakable.ChoiceMade)

    def weight(self, events: Sequence[Event], index: int) -> int:
        event = events[index]
        if not isinstance(event, unbreakable.PairsShown) or not event.knockout:
            return 0
        return 2 if isinstance(events[_target(events, index)], unbreakable.AttackerLaid) else 1

    def decisive(self, events: Sequence[Event]) -> int | None:
        match events[-1]:
            case unbreakable.Ended("unbreakable"):
                return max(index for index, event in enumerate(events) if isinstance(event, unbreakable.PairsShown))
        return None

    def moment(self, events: Sequence[Event], index: int, reader: Reader) -> str | None:
        laid = (events[_target(events, index)], events[index])
        return " ".join(filter(None, [self.narrate(event, reader) for event in laid]))

    def prompt(self, own: Hand, reader: Reader) -> str:
        public, words = own.public, reader.words
        if public.phase is unbreakable.Phase.LAY:
            if own.seat == public.turn:
                return words("unbreakable.asked.lay")
            return self.question(public, reader)
        if public.target is None or public.phase is unbreakable.Phase.OVER:
            return ""
        target, value = reader.cards.text(public.target), unbreakable.target_value(public.target)
        return words("unbreakable.asked.choose", target=target, value=value)

    def explained(self, own: Hand, reader: Reader) -> str:
        public, words = own.public, reader.words
        if public.phase is not unbreakable.Phase.CHOOSE or public.target is None:
            return words("unbreakable.explained.lay")
        value = unbreakable.target_value(public.target)
        stakes = words(f"unbreakable.explained.{'chooser' if public.turn is None else 'attacker'}")
        knockout = words(f"unbreakable.explained.{'highest' if value == unbreakable.FAR else 'knockout'}", value=value)
        return f"{stakes}\n{knockout}"

    def hand_text(self, own: Hand, reader: Reader) -> tuple[Section, ...]:
        words, mine = reader.words, own.own
        sections: list[Section] = []
        if mine.weapons:
            weapons = reader.cards.listed(words("unbreakable.weapons"), mine.weapons)
            sections.append(weapons._replace(is_offered=own.public.phase is unbreakable.Phase.CHOOSE))
        held = reader.cards.hand(words("unbreakable.holding"), mine.hand)
        sections.append(held if mine.hand else Text(words("unbreakable.no_cards")))
        return tuple(sections)

    def held(self, own: Hand) -> tuple[Card, ...]:
        return (*own.own.hand, *own.own.weapons)

    def picture(self, public: unbreakable.Public, known: Known) -> TableLayout:
        play = () if public.target is None else (cards_in_row("unbreakable.laid.target", (public.target,)),)
        return TableLayout(
            Family.FRENCH,
            tuple(_strip(public, seat, own) for seat, own in enumerate(known)),
            (stack("unbreakable.laid.deck", public.deck),),
            play,
            (stack("unbreakable.laid.discards", public.discards, "discards"),) if public.discards else (),
        )

    def last_laid(self, public: unbreakable.Public, told: Sequence[Event]) -> tuple[Pile, ...]:
        """The attacker that was in the middle last."""
        if public.target is not None:
            return ()
        for event in reversed(told):
            match event:
                case unbreakable.AttackerLaid(seat, card):
                    return (cards_in_row("picture.laid", (card,), seat),)
                case unbreakable.ChooserTurned(card):
                    return (cards_in_row("picture.laid", (card,)),)
        return ()

    def item(self, own: Hand, verb: str, index: int, reader: Reader) -> Face:  # noqa: ARG002  the one pick is of the match hand
        return reader.cards.face(own.own.hand[index])

    def selection_summary(self, verb: str, worth: Mapping[str, Value], reader: Reader) -> str:  # noqa: ARG002  as above
        key = "unbreakable.worth.picked" if reader.cards.pick_lines else "unbreakable.worth.lay"
        return reader.words(key, card=worth["card"])

    def lesson_table(self, own: Hand, reader: Reader) -> tuple[Section, ...]:
        """The target and the learner's cards."""
        target = () if own.public.target is None else self.table(own.public, reader)[:1]
        return (*target, *self.hand_text(own, reader))

    def rules_page(self, public: unbreakable.Public) -> str:
        return "turn" if public.phase is unbreakable.Phase.LAY else "round"

    def label(self, verb: str, own: Hand, reader: Reader) -> str:
        if not verb.startswith("put"):
            return reader.words("unbreakable.act.lay")
        index = int(verb.removeprefix("put"))
        kept = tuple(card for other, card in enumerate(own.own.weapons) if other != index)
        cards = reader.cards.joined([reader.cards.label(card) for card in kept])
        return reader.words("unbreakable.act.keep", cards=cards, strength=unbreakable.strength(kept))

    def tone(self, verb: str) -> Tone:
        return Tone.GOOD if verb == "lay" else Tone.PLAIN

    def clause(self, move: Move, own: Hand, reader: Reader) -> Clause:
        """A choice names the pair that is kept, as the question does."""
        kept = _kept(move, own)
        cards = kept or tuple([own.own.hand[index] for index in move.picked])
        return Clause("unbreakable.{}.keep" if kept else "unbreakable.{}.lay", {"cards": reader.cards.row(cards)})

    def reasons(self, move: Move, own: Hand, reader: Reader) -> Sequence[Reason]:
        return [*reasons(move, _kept(move, own), own, reader)]


def _kept(move: Move, own: Hand) -> unbreakable.Cards:
    """The pair that a choice of weapons keeps; no card for an attack."""
    if not move.verb.startswith("put"):
        return ()
    put = int(move.verb.removeprefix("put"))
    return tuple([card for index, card in enumerate(own.own.weapons) if index != put])


def _target(events: Sequence[Event], index: int) -> int:
    """The index of the attacker or chooser that the pairs at an index were put together for."""
    return max(
        at for at in range(index) if isinstance(events[at], unbreakable.AttackerLaid | unbreakable.ChooserTurned)
    )


def _strip(public: unbreakable.Public, seat: Seat, own: Hand | None) -> Strip:
    """A seat's match hand, its weapon hand while there is one, and its last pair."""
    key, count, open_cards = "unbreakable.laid.match_hand", public.hands[seat], public.known[seat]
    if own is None:
        hand = Pile(key, (*open_cards, *[None] * (count - len(open_cards))), count)
    else:
        hand = cards_in_row(key, own.own.hand)
    piles = []
    if public.phase is unbreakable.Phase.CHOOSE:
        weapons = "unbreakable.laid.weapons"
        piles.append(backs(weapons, unbreakable.WEAPONS) if own is None else cards_in_row(weapons, own.own.weapons))
    if public.last is not None:
        piles.append(cards_in_row("unbreakable.laid.last_pair", public.last.pairs[seat]))
    return Strip(hand, tuple(piles))


def _known(public: unbreakable.Public, seat: Seat, reader: Reader) -> tuple[str, ...]:
    """Which cards everybody knows a seat holds."""
    known = public.known[seat]
    return (reader.words("unbreakable.known", cards=reader.cards.row(known)),) if known else ()


def _rounds(public: unbreakable.Public, reader: Reader) -> tuple[Section, ...]:
    """The card in the middle, and what came of the last round."""
    sections: list[Section] = []
    if public.target is not None:
        key = "unbreakable.chooser" if public.turn is None else "unbreakable.attacker"
        worth = reader.words(key, value=unbreakable.target_value(public.target))
        sections.append(reader.cards.listed(worth, (public.target,)))
    if public.last is not None:
        sections.append(Text(_last_round(public.last, reader)))
    return tuple(sections)


def _last_round(last: unbreakable.Round, reader: Reader) -> str:
    target = reader.words("unbreakable.last", target=reader.cards.text(last.target))
    return f"{target} {_pairs(last.pairs, last.winner, reader, knockout=last.knockout)}"


def _pairs(pairs: Sequence[unbreakable.Cards], winner: Seat | None, reader: Reader, *, knockout: bool) -> str:
    """Which pairs were shown, and who won by them."""
    words, (first, second) = reader.words, pairs
    shown = words(
        "unbreakable.told.pairs",
        first=reader.names[0],
        pair=reader.cards.row(first),
        strength=unbreakable.strength(first),
        second=reader.names[1],
        other=reader.cards.row(second),
        other_strength=unbreakable.strength(second),
    )
    if winner is None:
        return f"{shown} {words('unbreakable.told.deflector')}"
    key = "unbreakable.told.knockout" if knockout else "unbreakable.told.closest"
    return f"{shown} {words(key, player=reader.names[winner])}"
