"""Haymaker in Discord: its commands and its presenter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from bot.art.images import Family
from bot.art.layout import Pile, Strip, TableLayout, backs, cards_in_row, stack
from bot.ui.screen import Section, Text, Tone
from cogs.game_registry import GameRegistry
from cogs.games.lessons.haymaker import LESSON
from cogs.games.reasons.haymaker import reasons
from cogs.screens.card_text import Card, Face
from cogs.screens.clauses import Clause, Move, Reason
from cogs.screens.presenter import Known, Lead, OpenPiles, Pictured, PlansAhead, Presenter, Reader, Taught
from cogs.screens.safe_names import unescaped
from engines import haymaker
from engines.cards import Suit
from engines.game import Act, Choices, Event, Private, Seat, Value

Hand: TypeAlias = Private[haymaker.Public, haymaker.Own]

REVERSAL, HIT = 40, 20
"""What a reversal and a haymaker that hits weigh among a match's moments, besides their strength. No haymaker that is
possible has more than 40."""
COST_OF_HAYMAKER: Final = 2
"""Cards that a haymaker's hit costs, or the match with fewer (H-9)."""
KNOCKOUTS = frozenset({"knockout", "technical_knockout"})
"""Endings that the last attack brings about."""

_TONES = {"attack": Tone.GOOD, "block": Tone.GOOD, "hit": Tone.BAD}

FAR_BEHIND: Final = 2.0
"""How many times as large a hand is far ahead (`Lead`). In 3,468 matches between equal computers of level normal, 16 %
of those who were once so far behind still won."""


def setup(registry: GameRegistry) -> None:
    """Register the presenter and the commands."""
    registry.register("haymaker", HaymakerPresenter())


class HaymakerPresenter(OpenPiles, Pictured, PlansAhead, Taught, Presenter):
    """How Haymaker is shown. `cogs.screens.presenter.Presenter` says what each method is for."""

    first_lesson = LESSON

    def terms(self, options: haymaker.Options, reader: Reader) -> tuple[str, ...]:  # noqa: ARG002  there are none; a law asks for the first one
        return ()

    def question(self, public: haymaker.Public, reader: Reader) -> str:
        attacker, defender = _names(public, reader)
        match public.phase:
            case haymaker.Phase.ATTACK:
                return reader.words("haymaker.question.attack", attacker=attacker)
            case haymaker.Phase.REPLY:
                return reader.words(
                    "haymaker.question.reply", defender=defender, attacker=attacker, needed=public.strength
                )
            case haymaker.Phase.KEEP:
                return reader.words("haymaker.question.keep", attacker=attacker)
        return ""

    def seat_facts(self, public: haymaker.Public, seat: Seat, reader: Reader) -> tuple[str, ...]:
        words = reader.words
        return (
            words(f"haymaker.role.{'attacker' if seat == public.attacker else 'defender'}"),
            words.count("haymaker.in_hand", public.hands[seat]),
            words.count("haymaker.discarded", len(public.discards[seat])),
        )

    def lead(self, public: haymaker.Public) -> Lead:
        return Lead(
            dict(enumerate(public.hands)),
            fewest=False,
            far=FAR_BEHIND,
            told="haymaker.ahead",
            counted="haymaker.counted",
        )

    def table(self, public: haymaker.Public, reader: Reader) -> tuple[Section, ...]:
        words = reader.words
        sections: list[Section] = []
        if public.attack:
            key = "haymaker.haymaker_laid" if len(public.attack) > 1 else "haymaker.attack_laid"
            sections.append(reader.cards.laid(words(key, strength=public.strength), public.attack))
        sections.append(Text(words("haymaker.piles", draw=public.draw, burned=public.burned)))
        return tuple(sections)

    def facts_beside_hand(self, public: haymaker.Public, seat: Seat, reader: Reader) -> tuple[str, ...]:
        return (reader.words.count("haymaker.in_hand", public.hands[seat]),)

    def table_beside_hand(self, public: haymaker.Public, reader: Reader) -> tuple[Section, ...]:
        return (Text(reader.words.count("picture.draw", public.draw)),)

    def narrate(self, event: Event, reader: Reader) -> str | None:  # noqa: PLR0911  one sentence for each event
        words, who = reader.words, reader.names
        match event:
            case haymaker.DealerDrawn(dealer):
                return words("haymaker.told.dealt", dealer=who[dealer], attacker=who[1 - dealer])
            case haymaker.AttackLaid(seat, cards):
                key = "haymaker.told.haymaker" if len(cards) > 1 else "haymaker.told.attack"
                return words(key, player=who[seat], cards=reader.cards.row(cards), strength=haymaker.strength(cards))
            case haymaker.BlockLaid(seat, cards, reversal):
                key = "haymaker.told.reversal" if reversal else "haymaker.told.block"
                return words(key, player=who[seat], cards=reader.cards.row(cards), strength=haymaker.strength(cards))
            case haymaker.HitTaken(seat, asked):
                return words("haymaker.told.hit" if asked else "haymaker.told.hit_empty", player=who[seat])
            case haymaker.Passed(seat):
                return words("haymaker.told.pass", player=who[seat])
            case haymaker.CardsGiven(giver, taker, cards):
                return words("haymaker.told.gave", giver=who[giver], taker=who[taker], cards=reader.cards.row(cards))
            case haymaker.CountGiven(giver, taker, count):
                return words.count("haymaker.told.gave_unseen", count, giver=who[giver], taker=who[taker])
            case haymaker.CardsDrawn(_, cards):
                return words("haymaker.told.drew", cards=reader.cards.row(cards))
            case haymaker.CountDrawn(seat, count):
                return words.count("haymaker.told.drew_unseen", count, player=who[seat])
            case haymaker.CardKept(_, card):
                return words("haymaker.told.kept", card=reader.cards.text(card))
        return None

    def is_told_beside_hand(self, event: Event) -> bool:
        return isinstance(event, haymaker.AttackLaid)

    def weight(self, events: Sequence[Event], index: int) -> int:
        attack = events[index]
        if not isinstance(attack, haymaker.AttackLaid):
            return 0
        reply = next(
            (event for event in _exchange(events, index) if isinstance(event, haymaker.BlockLaid | haymaker.HitTaken)),
            None,
        )
        if isinstance(reply, haymaker.BlockLaid) and reply.reversal:
            return REVERSAL + haymaker.strength(attack.cards)
        is_haymaker = len(attack.cards) > 1
        return (
            (HIT if isinstance(reply, haymaker.HitTaken) else 0) + haymaker.strength(attack.cards) if is_haymaker else 0
        )

    def decisive(self, events: Sequence[Event]) -> int | None:
        match events[-1]:
            case haymaker.Ended(kind) if kind in KNOCKOUTS:
                return max(index for index, event in enumerate(events) if isinstance(event, haymaker.AttackLaid))
        return None

    def moment(self, events: Sequence[Event], index: int, reader: Reader) -> str | None:
        return " ".join(filter(None, [self.narrate(event, reader) for event in _exchange(events, index)]))

    def prompt(self, own: Hand, reader: Reader) -> str:
        public = own.public
        attacker, defender = _names(public, reader)
        words = reader.words
        if own.seat != public.asked:
            return self.question(public, reader)
        match public.phase:
            case haymaker.Phase.ATTACK:
                return words("haymaker.asked.attack")
            case haymaker.Phase.REPLY:
                reply = _reply(public)
                lethal = reply == "reply_haymaker" and len(own.own.hand) < COST_OF_HAYMAKER
                return words(
                    f"haymaker.asked.{'reply_knockout' if lethal else reply}",
                    attacker=attacker,
                    cards=reader.cards.row(public.attack),
                    needed=public.strength,
                )
            case haymaker.Phase.KEEP:
                return words("haymaker.asked.keep", cards=reader.cards.row(own.own.drawn), defender=defender)
        return ""

    def explained(self, own: Hand, reader: Reader) -> str:
        public, words = own.public, reader.words
        _, defender = _names(public, reader)
        match public.phase:
            case haymaker.Phase.ATTACK:
                attack = words("haymaker.explained.attack", defender=defender)
                return f"{attack}\n{_passing(public, defender, reader)}" if public.may_pass else attack
            case haymaker.Phase.REPLY:
                return words(f"haymaker.explained.{_reply(public)}")
            case haymaker.Phase.KEEP:
                return words("haymaker.explained.keep", defender=defender)
        return ""

    def hand_text(self, own: Hand, reader: Reader) -> tuple[Section, ...]:
        hand = own.own.hand
        if not hand:
            return (Text(reader.words("haymaker.no_cards")),)
        return (reader.cards.hand(reader.words.count("cards.holding", len(hand)), hand),)

    def held(self, own: Hand) -> tuple[Card, ...]:
        return (*own.own.hand, *own.own.drawn)

    def piles(self, public: haymaker.Public, reader: Reader) -> tuple[Section, ...]:
        return tuple(
            reader.cards.listed(reader.words("haymaker.pile", player=name, n=len(discards)), discards[::-1])
            for name, discards in zip(reader.names, public.discards, strict=True)
        )

    def picture(self, public: haymaker.Public, known: Known) -> TableLayout:
        play = [cards_in_row("haymaker.laid.attack", public.attack, public.attacker)] if public.attack else []
        if public.block:
            play.append(cards_in_row("haymaker.laid.block", public.block, 1 - public.attacker))
        if public.drawn:
            keeper = known[public.attacker]
            key, seat = "haymaker.laid.drawn", public.attacker
            play.append(backs(key, public.drawn, seat) if keeper is None else cards_in_row(key, keeper.own.drawn, seat))
        return TableLayout(
            Family.FRENCH,
            tuple(_strip(public, seat, own) for seat, own in enumerate(known)),
            (stack("picture.draw", public.draw),),
            tuple(play),
            (stack("haymaker.laid.burned", public.burned, "burned"),) if public.burned else (),
        )

    def last_laid(self, public: haymaker.Public, told: Sequence[Event]) -> tuple[Pile, ...]:
        """The last attack and its block, once the turn is over."""
        if public.attack or public.drawn:
            return ()
        laid: list[Pile] = []
        for event in reversed(told):
            match event:
                case haymaker.BlockLaid(seat, cards) if not laid:
                    laid.append(cards_in_row("haymaker.laid.block", cards, seat))
                case haymaker.AttackLaid(seat, cards):
                    return (cards_in_row("haymaker.laid.attack", cards, seat), *laid)
        return tuple(laid)

    def occasions(self, own: Hand, reader: Reader) -> Mapping[str, str]:
        words, player = reader.words, unescaped(reader.names[1 - own.seat])
        suits = {
            suit.name.lower(): words("haymaker.when.suit", player=player, suit=reader.cards.named(suit.sign))
            for suit in Suit
        }
        return {
            "any": words("haymaker.when.any", player=player),
            **suits,
            "haymaker": words("haymaker.when.haymaker", player=player),
            "attack": words("haymaker.when.attack"),
        }

    def occurs(self, occasion: str, own: Hand) -> bool:
        public = own.public
        if own.seat != public.asked:
            return False
        if public.phase is not haymaker.Phase.REPLY:
            return occasion == "attack" and public.phase is haymaker.Phase.ATTACK
        if occasion == "haymaker":
            return len(public.attack) > 1
        return occasion in ("any", public.attack[0].suit.name.lower())

    def plannable(self, occasion: str, own: Hand) -> Choices[haymaker.Action]:
        hand = own.own.hand
        if occasion == "attack":
            return Choices((haymaker.AttackPick(hand), Act("pass", haymaker.Pass())))
        unknown: haymaker.Cards = ()  # any cards may be strong enough
        return Choices((haymaker.BlockPick(hand, unknown, len(hand)), Act("hit", haymaker.TakeHit())))

    def item(self, own: Hand, verb: str, index: int, reader: Reader) -> Face:  # noqa: ARG002  both picks are from the hand
        return reader.cards.face(own.own.hand[index])

    def selection_summary(self, verb: str, worth: Mapping[str, Value], reader: Reader) -> str:
        words = reader.words
        if verb == "attack":
            key = "haymaker.worth.haymaker" if worth["haymaker"] else "haymaker.worth.attack"
            return words(key, strength=worth["strength"])
        key = "haymaker.worth.reversal" if worth["reversal"] else "haymaker.worth.block"
        return words(key, strength=worth["strength"], needed=worth["needed"])

    def lesson_table(self, own: Hand, reader: Reader) -> tuple[Section, ...]:
        """Without the line about the piles."""
        return (*self.table(own.public, reader)[:-1], *self.hand_text(own, reader))

    def rules_page(self, public: haymaker.Public) -> str:
        return "reply" if public.phase is haymaker.Phase.REPLY else "attack"

    def label(self, verb: str, own: Hand, reader: Reader) -> str:
        if verb.startswith("keep"):
            face = _kept(verb, own, reader)
            key = "haymaker.act.keep_it" if face.emoji else "haymaker.act.keep"
            return reader.words(key, card=face.label)
        return reader.words(f"haymaker.act.{verb}")

    def emoji(self, verb: str, own: Hand, reader: Reader) -> str:
        return _kept(verb, own, reader).emoji if verb.startswith("keep") else ""

    def tone(self, verb: str) -> Tone:
        return _TONES.get(verb, Tone.PLAIN)

    def clause(self, move: Move, own: Hand, reader: Reader) -> Clause:
        if move.verb.startswith("keep"):
            card = own.own.drawn[int(move.verb.removeprefix("keep"))]
            return Clause("haymaker.{}.keep", {"cards": reader.cards.text(card)})
        key = f"haymaker.{{}}.{move.verb}"
        picked = [own.own.hand[index] for index in move.picked]
        return Clause(key, {"cards": reader.cards.row(picked)} if picked else {})

    def reasons(self, move: Move, own: Hand, reader: Reader) -> Sequence[Reason]:
        return [*reasons(move, own, reader)]


def _exchange(events: Sequence[Event], index: int) -> list[Event]:
    """The attack at an index, what it was answered with, and what a hit cost."""
    end = next(
        (at for at in range(index + 1, len(events)) if isinstance(events[at], haymaker.TurnBegun | haymaker.Ended)),
        len(events),
    )
    return [
        each
        for each in events[index:end]
        if isinstance(each, haymaker.AttackLaid | haymaker.BlockLaid | haymaker.HitTaken | haymaker.CountGiven)
    ]


def _strip(public: haymaker.Public, seat: Seat, own: Hand | None) -> Strip:
    """A player's hand and discards."""
    key, discards = "picture.hand", public.discards[seat]
    hand = backs(key, public.hands[seat]) if own is None else cards_in_row(key, own.own.hand)
    return Strip(hand, (cards_in_row("haymaker.laid.discards", discards, sign="discards"),) if discards else ())


def _kept(verb: str, own: Hand, reader: Reader) -> Face:
    """The drawn card that an act keeps."""
    return reader.cards.face(own.own.drawn[int(verb.removeprefix("keep"))])


def _names(public: haymaker.Public, reader: Reader) -> tuple[str, str]:
    """The names of the attacker and the defender."""
    return reader.names[public.attacker], reader.names[1 - public.attacker]


def _reply(public: haymaker.Public) -> str:
    """Which reply is asked for: what a hit costs, and which blocks are reversals, depends on the attack."""
    if len(public.attack) > 1:
        return "reply_haymaker"
    return "reply" if public.hands[public.attacker] else "reply_last"


def _passing(public: haymaker.Public, defender: str, reader: Reader) -> str:
    """What passing does. The draw pile has two cards or none: it has sixteen at first, and two are drawn at a time."""
    key = "haymaker.explained.pass" if public.draw else "haymaker.explained.pass_empty"
    return reader.words(key, defender=defender)
