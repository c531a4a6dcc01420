"""CIQ in Discord: its commands and its presenter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, takewhile
from typing import Final, TypeAlias

from bot.art.images import Family
from bot.art.layout import Pile, Strip, TableLayout, backs, cards_in_row, stack
from bot.ui.screen import Section, Text, Tone
from cogs.game_registry import GameRegistry
from cogs.games.lessons.ciq import LESSON
from cogs.games.reasons.ciq import reasons
from cogs.screens.card_text import Card, Face
from cogs.screens.clauses import Clause, Move, Reason
from cogs.screens.presenter import (
    Known,
    Lead,
    OpenPiles,
    Pictured,
    PlansAhead,
    Presenter,
    Reader,
    Shelves,
    Suggestions,
    Taught,
)
from cogs.screens.safe_names import unescaped
from engines import ciq
from engines.game import Act, Choices, Event, Private, Seat, Value
from engines.options import NONE

Hand: TypeAlias = Private[ciq.Public, ciq.Own]

LEAVING = 10
"""What it weighs among a match's moments that somebody leaves: as much as an attack of this number of cards."""
MOST_SINGLY = 25
"""Hands up to this size are written card by card; in larger hands equal cards are written together."""

MOST_OPEN = 360
"""With more cards than this in open piles, equal cards of a pile are written together, or the list would be cut."""

LOWEST: Final = 2
"""The rank that every card but a joker has at least."""

AT_ONCE = 3
"""From this many cards to give on, one press picks the lowest ones."""

_TONES = {ciq.Pile.DAMAGE.value: Tone.GOOD, "block": Tone.GOOD, "give": Tone.GOOD, "allow": Tone.BAD}

FAR_BEHIND: Final = 21.0
"""How many times as many cards left are far behind (`Lead`). In 151 matches between equal computers of level normal,
15 % of those who were once so far behind still won."""


def setup(registry: GameRegistry) -> None:
    """Register the presenter and the commands."""
    registry.register("ciq", CIQPresenter())


class CIQPresenter(Shelves, Suggestions, OpenPiles, Pictured, PlansAhead, Taught, Presenter):
    """How CIQ is shown. `cogs.screens.presenter.Presenter` says what each method is for."""

    first_lesson = LESSON

    def terms(self, options: ciq.Options, reader: Reader) -> tuple[str, ...]:
        words = reader.words
        limit = options.round_limit
        terms = [words("ciq.terms.no_limit") if limit == NONE else words.count("ciq.terms.rounds", limit)]
        if options.decks is not None:
            terms.append(words.count("ciq.terms.decks", options.decks) if options.decks else words("ciq.terms.fewest"))
        if options.block_seconds != ciq.Options().block_seconds:
            terms.append(words.count("ciq.terms.block", options.block_seconds))
        if options.hand_limit != NONE:
            terms.append(words("ciq.terms.hand_limit", n=options.hand_limit))
        return tuple(terms)

    def question(self, public: ciq.Public, reader: Reader) -> str:
        words = reader.words
        if public.asked is None:
            return ""
        asked = reader.names[public.asked]
        assault = public.assault
        if public.phase is ciq.Phase.TURN or assault is None:
            return words("ciq.question.turn", player=asked)
        if public.phase is ciq.Phase.BLOCK:
            attacker = reader.names[assault.attacker]
            return words("ciq.question.block", player=asked, attacker=attacker, needed=_needed(assault, reader))
        return words.count("ciq.question.give", assault.owed, player=asked, target=reader.names[assault.target])

    def seat_facts(self, public: ciq.Public, seat: Seat, reader: Reader) -> tuple[str, ...]:
        words = reader.words
        index = public.places[seat]
        facts = [
            words("ciq.fact.hand", n=index.hand),
            words("ciq.fact.attack", n=index.attack),
            _pile("damage", index.damage, reader),
            _pile("defense", index.defense, reader),
        ]
        return (words("ciq.fact.out"), *facts) if index.out else tuple(facts)

    def table(self, public: ciq.Public, reader: Reader) -> tuple[Section, ...]:
        words, names = reader.words, reader.names
        sections: list[Section] = []
        assault = public.assault
        if assault is not None:
            key = f"ciq.laid.{assault.pile.value}"
            label = words(key, attacker=names[assault.attacker], target=names[assault.target])
            sections.append(reader.cards.laid(label, assault.sequence))
        key = "ciq.round_unlimited" if public.round_limit == NONE else "ciq.round"
        sections.append(Text(words(key, n=public.round, limit=public.round_limit)))
        return tuple(sections)

    def table_beside_hand(self, public: ciq.Public, reader: Reader) -> tuple[Section, ...]:  # noqa: ARG002  the question tells the attack
        return ()

    def lead(self, public: ciq.Public) -> Lead:
        return Lead(
            {seat: index.cards for seat, index in enumerate(public.places) if not index.out},
            fewest=True,
            far=FAR_BEHIND,
            told="ciq.ahead",
            counted="ciq.counted",
        )

    def piles(self, public: ciq.Public, reader: Reader) -> tuple[Section, ...]:
        words = reader.words
        piles = [
            (words(key, player=name, n=len(cards)), cards)
            for name, index in zip(reader.names, public.places, strict=True)
            for key, cards in (("ciq.pile.damage", index.damage), ("ciq.pile.defense", index.defense))
        ]
        many = sum(len(cards) for _, cards in piles) > MOST_OPEN
        return tuple(reader.cards.listed(label, cards, together=many) for label, cards in piles)

    def picture(self, public: ciq.Public, known: Known) -> TableLayout:
        strips = tuple(_strip(index, own) for index, own in zip(public.places, known, strict=True))
        assault = public.assault
        if assault is None:
            return TableLayout(Family.FRENCH, strips)
        laid = cards_in_row(f"ciq.in_play.{assault.pile.value}", assault.sequence, assault.attacker)
        return TableLayout(Family.FRENCH, strips, play=(laid,))

    def last_laid(self, public: ciq.Public, told: Sequence[Event]) -> tuple[Pile, ...]:
        """The card or the attack that was laid last, once the attack is over."""
        if public.assault is not None:
            return ()
        for event in reversed(told):
            match event:
                case ciq.AttackLaid(seat, cards=cards):
                    return (cards_in_row("picture.laid", cards, seat),)
                case ciq.Blocked(seat, card) | ciq.CardTaken(seat, card) | ciq.Defended(seat, card):
                    return (cards_in_row("picture.laid", (card,), seat),)
        return ()

    def unpictured_facts(self, public: ciq.Public, seat: Seat, reader: Reader) -> tuple[str, ...]:
        return (reader.words("ciq.fact.out"),) if public.places[seat].out else ()

    def narrate(self, event: Event, reader: Reader) -> str | None:  # noqa: PLR0911, PLR0912  one sentence for each event
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

    def is_told_beside_hand(self, event: Event) -> bool:
        return isinstance(event, ciq.AttackLaid)

    def weight(self, events: Sequence[Event], index: int) -> int:
        """An attack weighs as many cards as it moved. Whose leaving ends the match, the result says anyway."""
        match events[index]:
            case ciq.SeatLeft() if index + 2 < len(events):
                return LEAVING
            case ciq.AttackLaid():
                return _moved(events, index)
        return 0

    def decisive(self, events: Sequence[Event]) -> int | None:
        match events[-1]:
            case ciq.Ended("emptied"):
                return max(index for index, event in enumerate(events) if isinstance(event, ciq.AttackLaid))
        return None

    def moment(self, events: Sequence[Event], index: int, reader: Reader) -> str | None:
        event, told = events[index], self.narrate(events[index], reader)
        if not isinstance(event, ciq.AttackLaid):
            return told
        moved = _moved(events, index)
        if not moved:
            return told
        return f"{told} {reader.words.count('ciq.moment.moved', moved, target=reader.names[event.target])}"

    def prompt(self, own: Hand, reader: Reader) -> str:
        public, words = own.public, reader.words
        assault = public.assault
        if public.places[own.seat].out:
            return words("ciq.asked.out")
        if own.seat != public.asked:
            return self.question(public, reader)
        if public.phase is ciq.Phase.TURN or assault is None:
            return words(f"ciq.asked.{_turn(own)}", limit=public.hand_limit)
        if public.phase is ciq.Phase.BLOCK:
            return words(
                "ciq.asked.block",
                attacker=reader.names[assault.attacker],
                cards=reader.cards.row(assault.sequence),
                moves=_foretold(public, assault, reader),
                needed=_needed(assault, reader),
            )
        return words.count("ciq.asked.give", assault.owed, target=reader.names[assault.target])

    def hand_text(self, own: Hand, reader: Reader) -> tuple[Section, ...]:
        words, hand, public = reader.words, own.own.hand, own.public
        held = reader.cards.hand(words.count("cards.holding", len(hand)), hand, together=len(hand) > MOST_SINGLY)
        cards = held if hand else Text(words("ciq.no_cards"))
        asked_more = own.seat == public.asked and public.phase is not ciq.Phase.TURN
        return (cards,) if asked_more else (cards, Text(_own_piles(public, own.seat, reader)))

    def held(self, own: Hand) -> tuple[Card, ...]:
        return own.own.hand

    def occasions(self, own: Hand, reader: Reader) -> Mapping[str, str]:
        words = reader.words
        others = [seat for seat, index in enumerate(own.public.places) if seat != own.seat and not index.out]
        by_player = {f"by{seat}": words("ciq.when.by", player=unescaped(reader.names[seat])) for seat in others}
        return by_player if len(others) < 2 else {"any": words("ciq.when.any"), **by_player}

    def occurs(self, occasion: str, own: Hand) -> bool:
        assault = own.public.assault
        if own.seat != own.public.asked or own.public.phase is not ciq.Phase.BLOCK or assault is None:
            return False
        return occasion in ("any", f"by{assault.attacker}")

    def plannable(self, occasion: str, own: Hand) -> Choices[ciq.Action]:  # noqa: ARG002  the same for all attacks
        return Choices((ciq.BlockPick(own.own.hand, LOWEST), Act("allow", ciq.Allow())))

    def item(self, own: Hand, verb: str, index: int, reader: Reader) -> Face:  # noqa: ARG002  all picks are from the hand
        return reader.cards.face(own.own.hand[index])

    def shelf(self, own: Hand, verb: str, index: int) -> str:  # noqa: ARG002  all picks are from the hand
        suit = own.own.hand[index].suit
        return "🃏" if suit is None else suit.sign

    def selection_summary(self, verb: str, worth: Mapping[str, Value], reader: Reader) -> str:
        words = reader.words
        pile = verb[:-1]
        if pile == ciq.Pile.DAMAGE.value:
            return _attack_worth(worth, reader)
        if pile == ciq.Pile.DEFENSE.value:
            return words("ciq.worth.defense", top=worth["top"])
        return words(f"ciq.worth.{verb}", **worth)

    def explained(self, own: Hand, reader: Reader) -> str:
        public, words = own.public, reader.words
        if public.phase is ciq.Phase.TURN:
            keys: tuple[str, ...] = (_turn(own), "damage", "defense", "defend")
        else:
            keys = (public.phase.value,)
        return "\n".join([words(f"ciq.explained.{key}") for key in keys])

    def facing(self, verb: str, own: Hand, reader: Reader) -> str:
        """Of an opponent what a choice among them needs."""
        if not verb[-1].isdecimal():
            return ""
        index = own.public.places[int(verb[-1])]
        top = reader.cards.label(index.defense[0]) if index.defense else "–"
        return reader.words.count("ciq.other", index.cards, top=top)

    def lesson(self, verb: str, own: Hand, reader: Reader) -> str:
        words, places = reader.words, own.public.places
        if verb == "defend":
            (top,) = places[own.seat].defense[:1]
            suit = "" if top.suit is None else top.suit.sign
            return words("ciq.lesson.defend", **reader.cards.values({"suit": suit}), top=reader.cards.label(top))
        if verb[-1].isdecimal():
            (top,) = places[int(verb[-1])].defense[:1]
            return words(f"ciq.lesson.{verb[:-1]}", defense=reader.cards.named(ciq.rank_name(top.rank)))
        return ""

    def suggestion(self, own: Hand, verb: str, reader: Reader) -> tuple[str, tuple[int, ...]] | None:
        """To give the lowest cards, for high ones can do more; jokers go last, because they go with anything."""
        assault = own.public.assault
        if verb != "give" or assault is None or assault.owed < AT_ONCE:
            return None
        hand = own.own.hand
        lowest = sorted(range(len(hand)), key=lambda index: (hand[index].is_joker, hand[index].rank, index))
        label = reader.words("ciq.act.lowest", n=assault.owed)
        return label, tuple(sorted(lowest[: assault.owed]))

    def lesson_table(self, own: Hand, reader: Reader) -> tuple[Section, ...]:
        """Without the round, and without what the players' lines say already."""
        return (*self.table(own.public, reader)[:-1], *self.hand_text(own, reader)[:1])

    def rules_page(self, public: ciq.Public) -> str:
        return "turn" if public.phase is ciq.Phase.TURN else "attack"

    def label(self, verb: str, own: Hand, reader: Reader) -> str:
        seat = verb[-1]
        if not seat.isdecimal():
            return reader.words(f"ciq.act.{verb}")
        if len(own.public.places) == 2:
            return reader.words(f"ciq.act.{verb[:-1]}_alone")
        return reader.words(f"ciq.act.{verb[:-1]}", player=unescaped(reader.names[int(seat)]))

    def tone(self, verb: str) -> Tone:
        return _TONES.get(verb.rstrip("012345"), Tone.PLAIN)

    def clause(self, move: Move, own: Hand, reader: Reader) -> Clause:
        verb = move.verb.rstrip("012345")
        values = {} if verb == move.verb else {"target": reader.names[int(move.verb[-1])]}
        if move.picked:
            values["cards"] = reader.cards.row([own.own.hand[index] for index in move.picked])
        return Clause(f"ciq.{{}}.{verb}", values)

    def reasons(self, move: Move, own: Hand, reader: Reader) -> Sequence[Reason]:
        return [*reasons(move, own, reader)]


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


def _needed(assault: ciq.Assault, reader: Reader) -> str:
    """The rank that a block needs."""
    return reader.cards.named(ciq.rank_name(assault.needed))


def _pile(name: str, cards: Sequence[Card], reader: Reader) -> str:
    """How many cards a pile has, and its top card."""
    counted = reader.words(f"ciq.fact.{name}", n=len(cards))
    return reader.cards.labelled(counted, cards[:1]) if cards else counted


def _moved(events: Sequence[Event], index: int) -> int:
    """How many cards the attack at an index moved to its target."""
    return sum([len(event.cards) for event in _of_attack(events, index) if isinstance(event, ciq.Transferred)])


def _of_attack(events: Sequence[Event], index: int) -> Iterator[Event]:
    """What came of the attack at an index."""
    return takewhile(lambda event: not isinstance(event, ciq.TurnBegun), islice(events, index, None))


def _strip(index: ciq.PublicPlace, own: Hand | None) -> Strip:
    """A player's hand and three piles; of the open ones, the top card last."""
    hand = backs("picture.hand", index.hand) if own is None else cards_in_row("picture.hand", own.own.hand)
    piles = [stack("ciq.in_play.attack_pile", index.attack, "attack")] if index.attack else []
    for sign, cards in (("damage", index.damage), ("defense", index.defense)):
        if cards:
            piles.append(cards_in_row(f"ciq.in_play.{sign}_pile", cards[::-1], sign=sign))
    return Strip(hand, tuple(piles))


def _own_piles(public: ciq.Public, own: Seat, reader: Reader) -> str:
    """What lies before the reader."""
    mine = public.places[own]
    top = reader.cards.row(mine.defense[:1])
    return f"-# {reader.words('ciq.own_piles', attack=mine.attack, damage=len(mine.damage), top=top)}"


def _turn(own: Hand) -> str:
    """Which turn it is: whether its player can draw."""
    public = own.public
    if not public.places[own.seat].attack:
        return "turn_empty"
    full = public.hand_limit != NONE and len(own.own.hand) >= public.hand_limit
    return "turn_full" if full else "turn"


def _foretold(public: ciq.Public, assault: ciq.Assault, reader: Reader) -> str:
    """What an attack does if it gets through, and if its last card is blocked: all of it follows from open counts."""
    words, attacker = reader.words, public.places[assault.attacker]
    stock = ciq.Stock(attacker.attack, len(attacker.damage), len(attacker.defense))
    through, blocked = [
        ciq.foretold(cards, assault.defense, stock, attacker.hand)
        for cards in (assault.sequence, assault.sequence[:-1])
    ]
    if through["wins"]:
        return words("ciq.foretold.wins", attacker=reader.names[assault.attacker])
    said = [words.count("ciq.foretold.moves", int(through["transfer"]), blocked=blocked["transfer"])]
    said += [words("ciq.worth.jack")] if through["jack"] else []
    return " ".join(said)


def _attack_worth(worth: Mapping[str, Value], reader: Reader) -> str:
    words = reader.words
    parts = [words("ciq.worth.wins")] if worth["wins"] else [words.count("ciq.worth.damage", int(worth["transfer"]))]
    parts.append(words("ciq.worth.blockable", needed=worth["needed"]) if worth["needed"] else words("ciq.worth.safe"))
    parts += [words(f"ciq.worth.{what}") for what in ("jack", "cut") if worth[what] and not worth["wins"]]
    return "\n".join(parts)
