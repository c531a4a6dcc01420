"""Champions of Chance in Discord: its commands and its presenter."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from bot.art.images import Family
from bot.art.layout import Pile, Strip, TableLayout, backs, cards_in_row, stack
from bot.ui.screen import Section, Text, Tone
from cogs.game_registry import GameRegistry
from cogs.games.lessons.champions import LESSON
from cogs.games.reasons.champions import reasons
from cogs.screens.card_text import Card, Face
from cogs.screens.clauses import Clause, Move, Reason
from cogs.screens.presenter import Known, Lead, Pictured, Presenter, Reader, Taught
from cogs.screens.safe_names import unescaped
from engines import champions
from engines.game import Event, Private, Seat, Value

Hand: TypeAlias = Private[champions.Public, champions.Own]

IN_ORDER = (
    champions.Special.NUMBERLESS,
    champions.Special.INVERT,
    champions.Special.TIEBREAK,
    champions.Special.BEGGAR,
    champions.Special.STEAL,
)
"""Powers in the order in which they work (K-13 to K-17)."""

_TONES = {"select": Tone.GOOD, "exchange": Tone.GOOD, "highest": Tone.MAIN, "lowest": Tone.MAIN}
_NUMBERED = re.compile(r"([a-z]+)(\d)")

TOLD_BESIDE: Final = (
    champions.NumberSet,
    champions.NumberDrawn,
    champions.DieSelected,
    champions.DieDrawn,
    champions.DieSeen,
    champions.DieSized,
)
"""The number of a battle, which a hand without a board tells anyway, and its dice: each has as many cards, or all that
its player holds."""

FAR_BEHIND: Final = 1.5
"""How many times as good is far ahead (`Lead`). In 1,245 matches between two equal computers of level normal, 13 % of
those who were once so far behind still won."""


def setup(registry: GameRegistry) -> None:
    """Register the presenter and the commands."""
    registry.register("champions", ChampionsPresenter())


class ChampionsPresenter(Pictured, Taught, Presenter):
    """How Champions of Chance is shown. `cogs.screens.presenter.Presenter` says what each method is for."""

    first_lesson = LESSON

    def terms(self, options: champions.Options, reader: Reader) -> tuple[str, ...]:
        keys = [] if options.die == "chosen" else [f"champions.terms.{options.die}"]
        switches = (
            (options.number == "drawn", "champions.terms.drawn"),
            (options.victory_dice, "champions.terms.victory_dice"),
            (options.wacky_numbers, "champions.terms.wacky_numbers"),
            (options.icon_tiebreak, "champions.terms.icon_tiebreak"),
        )
        return tuple(reader.words(key) for key in (*keys, *(key for on, key in switches if on)))

    def question(self, public: champions.Public, reader: Reader) -> str:
        if public.phase is champions.Phase.OVER:
            return ""
        words = reader.words
        awaited = words.all_of(f"**{reader.names[seat]}**" for seat in sorted(public.awaited))
        return words(f"champions.question.{public.phase.value}", awaited=awaited, step=_step(public, reader))

    def lead(self, public: champions.Public) -> Lead:
        """With Victory Dice the icons, else who has fewest cards to get rid of."""
        scoring = public.options.victory_dice
        numbers = public.scores if scoring else public.decks
        playing = {seat: number for seat, number in enumerate(numbers) if not public.left[seat]}
        told = "champions.ahead_icons" if scoring else "cards.ahead"
        counted = "champions.counted_icons" if scoring else "cards.counted"
        return Lead(playing, fewest=not scoring, far=FAR_BEHIND, told=told, counted=counted)

    def seat_facts(self, public: champions.Public, seat: Seat, reader: Reader) -> tuple[str, ...]:
        words = reader.words
        if public.left[seat]:
            return (words("champions.left"),)
        shown = [_role(public, seat, reader)]
        shown.append(words.count("picture.laid", public.decks[seat]))
        if public.options.victory_dice:
            shown.append(words.count("champions.score", public.scores[seat]))
        return tuple(fact for fact in shown if fact)

    def table(self, public: champions.Public, reader: Reader) -> tuple[Section, ...]:
        faceup = [
            reader.cards.listed(reader.words("champions.faceup", player=reader.names[seat]), pile[::-1])
            for seat, pile in enumerate(public.piles)
            if pile
        ]
        *battle, piles = self.table_in_brief(public, reader)
        return (*battle, *faceup, piles)

    def table_in_brief(self, public: champions.Public, reader: Reader) -> tuple[Section, ...]:
        """Without the cards of faceup piles."""
        battle = () if public.battle is None else _battle(public, public.battle, reader)
        return (*battle, Text(reader.words("champions.piles", draw=public.draw, discards=public.discards)))

    def facts_beside_hand(self, public: champions.Public, seat: Seat, reader: Reader) -> tuple[str, ...]:
        cards = () if public.left[seat] else (reader.words.count("picture.laid", public.decks[seat]),)
        return (*cards, *self.unpictured_facts(public, seat, reader))

    def table_beside_hand(self, public: champions.Public, reader: Reader) -> tuple[Section, ...]:
        battle = public.battle
        if battle is None or battle.rolled:  # the last event tells what came up
            return ()
        return tuple(Text(fact) for fact in _number(battle, reader))

    def narrate(self, event: Event, reader: Reader) -> str | None:
        return _told_of_battle(event, reader) or _told_of_cards(event, reader)

    def is_told_beside_hand(self, event: Event) -> bool:
        return isinstance(event, TOLD_BESIDE)

    def weight(self, events: Sequence[Event], index: int) -> int:
        """What is rare weighs more than a win by the number. Whose leaving ends the match, the result says anyway."""
        match events[index]:
            case champions.BattleWon(by=by):
                special = by != "number" or any(isinstance(event, champions.Inverted) for event in _roll(events, index))
                return 4 if special else 1
            case champions.StolenUnseen() | champions.FaceupLost():
                return 3
            case champions.NumberlessRolled():
                return 2
            case champions.SeatsLeft() if index + 2 < len(events):
                return 5
        return 0

    def decisive(self, events: Sequence[Event]) -> int | None:
        """The last card that somebody who won got rid of: won with, or lost to a thief."""
        match events[-1]:
            case champions.Ended(kind, ranks) if kind.startswith(("out_of_cards", "score")):
                first = {seat for seat, rank in enumerate(ranks) if rank == 1}
                return next((at for at in reversed(range(len(events))) if _rid_of(events[at]) in first), None)
        return None

    def moment(self, events: Sequence[Event], index: int, reader: Reader) -> str | None:
        event = events[index]
        if isinstance(event, champions.StolenUnseen) and index == self.decisive(events):
            names = reader.names
            return reader.words("champions.moment.last_card", thief=names[event.thief], victim=names[event.victim])
        if not isinstance(event, champions.BattleWon | champions.NumberlessRolled):
            return self.narrate(event, reader)
        return " ".join(filter(None, [self.narrate(each, reader) for each in _roll(events, index)]))

    def prompt(self, own: Hand, reader: Reader) -> str:  # noqa: PLR0911  one sentence for each question
        public, words = own.public, reader.words
        battle = public.battle
        if public.left[own.seat]:
            return words("champions.asked.left")
        if own.seat not in public.awaited:
            return "\n".join(line for line in (_secret_choice(own, reader), self.question(public, reader)) if line)
        step = _step(public, reader)
        if battle is None:
            return words("champions.asked.opponent", step=step)
        challenges = own.seat == public.challenger
        other = reader.names[battle.opponent if challenges else public.challenger]
        match public.phase:
            case champions.Phase.DICE:
                size = min(battle.number, len(own.own.deck))
                return words("champions.asked.dice", step=step, other=other, size=size)
            case champions.Phase.STEAL:
                return words("champions.asked.steal", other=other, cards=reader.cards.row(own.own.shown))
            case champions.Phase.NUMBER:
                theirs = words.count("picture.laid", public.decks[public.challenger])
                return words("champions.asked.number", step=step, other=other, theirs=theirs)
        return words(f"champions.asked.{public.phase.value}", step=step, other=other)

    def hand_text(self, own: Hand, reader: Reader) -> tuple[Section, ...]:
        words, public, deck, die = reader.words, own.public, own.own.deck, own.own.die
        sections: list[Section] = [Text(words("champions.no_cards"))]
        if deck:
            sections = [reader.cards.hand(words.count("cards.holding", len(deck)), deck)]
        battle = None if public.phase is champions.Phase.OVER else public.battle
        if die and battle is not None and not battle.rolled:  # later, some of its cards may have been won or stolen
            sections.append(reader.cards.listed(words("champions.die"), die))
        elif battle is not None and not battle.rolled and own.seat in (public.challenger, battle.opponent):
            size = battle.sizes[own.seat != public.challenger]
            if size:
                sections.append(Text(words.count("champions.die_unseen", size)))
        pile = public.piles[own.seat]
        if pile:
            sections.append(reader.cards.listed(words("champions.own_faceup"), pile[::-1]))
        return tuple(sections)

    def explained(self, own: Hand, reader: Reader) -> str:
        """What follows, and what the symbols mean that are in the hand or on the table."""
        return "\n".join((*_followed(own, reader), *_legend(own, reader)))

    def held(self, own: Hand) -> tuple[Card, ...]:
        return own.own.deck

    def picture(self, public: champions.Public, known: Known) -> TableLayout:
        return TableLayout(
            Family.CHAMPIONS,
            tuple(_strip(public, seat, own) for seat, own in enumerate(known)),
            (stack("picture.draw", public.draw),),
            () if public.battle is None else _dice(public, public.battle, known),
            (stack("champions.laid.discards", public.discards, "discards"),) if public.discards else (),
        )

    def last_laid(self, public: champions.Public, told: Sequence[Event]) -> tuple[Pile, ...]:
        """The cards that came up in the last battle, once it is over."""
        if public.battle is not None:
            return ()
        rolled = next((event for event in reversed(told) if isinstance(event, champions.Rolled)), None)
        if rolled is None:
            return ()
        pairs = zip((rolled.challenger, rolled.opponent), rolled.cards, strict=True)
        return tuple(cards_in_row("picture.laid", (card,), seat) for seat, card in pairs)

    def unpictured_facts(self, public: champions.Public, seat: Seat, reader: Reader) -> tuple[str, ...]:
        if public.left[seat]:
            return (reader.words("champions.left"),)
        score = public.scores[seat]
        return (reader.words.count("champions.score", score),) if score else ()

    def item(self, own: Hand, verb: str, index: int, reader: Reader) -> Face:  # noqa: ARG002  both picks are from the deck
        return reader.cards.face(own.own.deck[index])

    def selection_summary(self, verb: str, worth: Mapping[str, Value], reader: Reader) -> str:
        if verb == "select":
            return reader.words("champions.worth.select", picked=worth["picked"], size=worth["size"])
        return reader.words("champions.worth.exchange")

    def lesson_table(self, own: Hand, reader: Reader) -> tuple[Section, ...]:
        """Without the line about the piles."""
        return (*self.table(own.public, reader)[:-1], *self.hand_text(own, reader))

    def rules_page(self, public: champions.Public) -> str:
        return "powers" if public.phase is champions.Phase.STEAL else "battle"

    def label(self, verb: str, own: Hand, reader: Reader) -> str:
        numbered = _NUMBERED.fullmatch(verb)
        if numbered is None:
            return reader.words(f"champions.act.{verb}")
        kind, number = numbered[1], int(numbered[2])
        match kind:
            case "number":
                return reader.words("champions.act.number", number=number)
            case "steal":
                face = reader.cards.face(own.own.shown[number])
                return reader.words("champions.act.steal_it" if face.emoji else "champions.act.steal", card=face.label)
        player = unescaped(reader.names[number])
        theirs = reader.words.count("picture.laid", own.public.decks[number])
        if kind == "battle":
            return reader.words("champions.act.battle", player=player, theirs=theirs)
        icons = own.public.piles[own.seat][-1].icons
        return reader.words("champions.act.take_number", player=player, theirs=theirs, number=icons)

    def kind(self, verb: str, reader: Reader) -> str:
        return reader.words(f"champions.kind.{verb}") if verb in ("battle", "number", "steal", "take") else ""

    def emoji(self, verb: str, own: Hand, reader: Reader) -> str:
        numbered = _NUMBERED.fullmatch(verb)
        if numbered is None or numbered[1] != "steal":
            return ""
        return reader.cards.face(own.own.shown[int(numbered[2])]).emoji

    def tone(self, verb: str) -> Tone:
        return _TONES.get(verb, Tone.PLAIN)

    def clause(self, move: Move, own: Hand, reader: Reader) -> Clause:
        if move.picked:
            cards = reader.cards.row([own.own.deck[index] for index in move.picked])
            return Clause(f"champions.{{}}.{move.verb}", {"cards": cards})
        numbered = _NUMBERED.fullmatch(move.verb)
        if numbered is None:
            return Clause(f"champions.{{}}.{move.verb}")
        kind, number = numbered[1], int(numbered[2])
        match kind:
            case "number":
                return Clause("champions.{}.number", {"number": str(number)})
            case "steal":
                return Clause("champions.{}.steal", {"cards": reader.cards.text(own.own.shown[number])})
        return Clause(f"champions.{{}}.{kind}", {"target": reader.names[number]})

    def reasons(self, move: Move, own: Hand, reader: Reader) -> Sequence[Reason]:
        return [*reasons(move, own, reader)]


def _told_of_battle(event: Event, reader: Reader) -> str | None:  # noqa: PLR0911  one sentence for each event
    """A challenge and its roll, up to who won it."""
    words, names = reader.words, reader.names
    match event:
        case champions.FirstDrawn():
            return words("champions.told.first", player=names[event.seat])
        case champions.OpponentNamed():
            key = "champions.told.challenge_taken" if event.taken else "champions.told.challenge"
            return words(key, challenger=names[event.challenger], opponent=names[event.opponent])
        case champions.NumberSet():
            return words("champions.told.number", player=names[event.seat], number=event.number)
        case champions.NumberDrawn():
            return words("champions.told.number_drawn", number=event.number)
        case champions.Called():
            key = "champions.told.lowest" if event.lowest else "champions.told.highest"
            return words(key, player=names[event.seat])
        case champions.Rolled():
            battlers = {"challenger": names[event.challenger], "opponent": names[event.opponent]}
            first, second = (reader.cards.row((card,)) for card in event.cards)
            return words("champions.told.rolled", first=first, second=second, **battlers)
        case champions.Inverted(times=times) if times > 1:
            return words("champions.told.inverted_back")
        case champions.Inverted():
            return words("champions.told.inverted_lowest" if event.lowest else "champions.told.inverted_highest")
        case champions.NumberlessRolled():
            return words("champions.told.numberless", player=names[event.seat], card=reader.cards.text(event.card))
        case champions.BattleWon():
            key = f"champions.told.won_by_{event.by.lower()}"
            return words(key, player=names[event.winner], card=reader.cards.text(event.card))
        case champions.BattleTied():
            return words("champions.told.tied_by_specials" if event.specials else "champions.told.tied")
        case champions.BattleVoid():
            battlers = {"challenger": names[event.challenger], "opponent": names[event.opponent]}
            return words("champions.told.void", **battlers)
    return None


def _told_of_cards(event: Event, reader: Reader) -> str | None:  # noqa: PLR0911  one sentence for each event
    """Dice, and what becomes of cards and seats."""
    words, names = reader.words, reader.names
    match event:
        case champions.DieSelected() | champions.DieDrawn():
            return words("champions.told.die", cards=reader.cards.row(event.cards))
        case champions.DieSeen():
            return words("champions.told.die_was", cards=reader.cards.row(event.cards))
        case champions.DieSized():
            return words.count("champions.told.die_unseen", event.count, player=names[event.seat])
        case champions.FaceupLost():
            return words("champions.told.faceup_lost", player=names[event.seat], card=reader.cards.text(event.card))
        case champions.Stolen():
            thief, victim = names[event.thief], names[event.victim]
            return words("champions.told.stolen", thief=thief, victim=victim, card=reader.cards.text(event.card))
        case champions.StolenUnseen():
            return words("champions.told.stolen_unseen", thief=names[event.thief], victim=names[event.victim])
        case champions.StealDeclined():
            return words("champions.told.steal_declined", player=names[event.seat])
        case champions.CardGiven():
            return words("champions.told.given", card=reader.cards.text(event.card))
        case champions.CardDrawn():
            return words("champions.told.drawn", card=reader.cards.text(event.card))
        case champions.CardDrawnUnseen():
            return words("champions.told.exchanged", player=names[event.seat])
        case champions.PileTurned():
            return words.count("champions.told.reshuffled", event.count)
        case champions.SeatsLeft():
            key = "champions.told.left_by_time" if event.kind == "time" else "champions.told.resigned"
            return words(key, players=words.all_of(names[seat] for seat in event.seats))
    return None


def _roll(events: Sequence[Event], index: int) -> list[Event]:
    """The challenge and the roll that led to a result at an index, what turned them round, and the result."""
    first = max((at for at in range(index) if isinstance(events[at], champions.Called)), default=index)
    return [
        each
        for each in events[first:index]
        if isinstance(each, champions.Called | champions.Rolled | champions.Inverted)
    ] + [events[index]]


def _rid_of(event: Event) -> Seat | None:
    """Whose card an event took out of their deck, in a way that can win."""
    match event:
        case champions.BattleWon(winner=seat) | champions.StolenUnseen(victim=seat):
            return seat
    return None


def _step(public: champions.Public, reader: Reader) -> str:
    """Which step of a battle is asked for, as the beginning of a sentence; empty after the roll.

    The steps are counted alike in a whole match, though some of its battles leave one out.
    """
    options = public.options
    steps = [
        phase
        for phase, asked in (
            (champions.Phase.OPPONENT, len(public.decks) > 2 or options.victory_dice),
            (champions.Phase.NUMBER, options.number == "named"),
            (champions.Phase.DICE, options.die == "chosen"),
            (champions.Phase.CALL, True),
        )
        if asked
    ]
    if public.phase not in steps or len(steps) == 1:
        return ""
    return reader.words("champions.step", n=steps.index(public.phase) + 1, of=len(steps)) + " "


def _followed(own: Hand, reader: Reader) -> list[str]:
    """What follows from an answer to the open question."""
    public, words = own.public, reader.words
    battle = public.battle
    if battle is None:
        keys = ["battle_drawn" if public.options.number == "drawn" else "battle"]
        keys += ["take"] if public.piles[own.seat] else []
        aim = words("champions.aim.icons" if public.options.victory_dice else "champions.aim.cards")
        return [*(words(f"champions.explained.{key}") for key in keys), aim]
    challenges = own.seat == public.challenger
    other = reader.names[battle.opponent if challenges else public.challenger]
    key: str = public.phase.value
    if public.phase is champions.Phase.DICE:
        key = "challenger" if challenges else "opponent"
    if public.phase is champions.Phase.STEAL and public.options.victory_dice:
        return []
    return [words(f"champions.explained.{key}", other=other)]


def _legend(own: Hand, reader: Reader) -> list[str]:
    """What the symbols mean that are in the hand or on the table, a line each: icons, then powers as they work."""
    public, words = own.public, reader.words
    rolled = () if public.battle is None else public.battle.rolled
    piled = [card for pile in public.piles for card in pile]
    cards = [*own.own.deck, *own.own.die, *own.own.shown, *rolled, *piled]
    lines: list[str] = []
    if public.options.icons_count and cards:
        card = next((card for card in cards if card.special is None), cards[0])
        means = (("icons", public.options.victory_dice), ("icons_tiebreak", public.options.icon_tiebreak))
        lines += [
            words(f"champions.legend.{key}", card=reader.cards.text(card), number=card.number, icons=card.icons)
            for key, counts in means
            if counts
        ]
    specials = {card.special for card in cards}
    lines += [words(f"champions.legend.{special.value.lower()}") for special in IN_ORDER if special in specials]
    return lines


def _role(public: champions.Public, seat: Seat, reader: Reader) -> str:
    """A seat's part in the current battle, or why it takes no part in battles any more."""
    if public.phase is not champions.Phase.OVER:
        if seat == public.challenger:
            return reader.words("champions.role.challenger")
        if public.battle is not None and seat == public.battle.opponent:
            return reader.words("champions.role.opponent")
    return "" if public.decks[seat] else reader.words("champions.role.out")


def _number(battle: champions.PublicBattle, reader: Reader) -> tuple[str, ...]:
    """How many cards make a die, once it is known."""
    if not battle.number:
        return ()
    key = "champions.number_taken" if battle.taken else "champions.number"
    return (reader.words(key, number=battle.number),)


def _battle(public: champions.Public, battle: champions.PublicBattle, reader: Reader) -> list[Section]:
    words = reader.words
    battlers = (reader.names[public.challenger], reader.names[battle.opponent])
    facts = [words("champions.battle", challenger=battlers[0], opponent=battlers[1])]
    facts += _number(battle, reader)
    if battle.lowest is not None:
        facts.append(words("champions.lowest" if battle.lowest else "champions.highest"))
    if battle.tied:
        facts.append(words("champions.tied"))
    sections: list[Section] = [Text(" · ".join(facts))]
    for side, name in enumerate(battlers):
        if battle.rolled:
            label = words.count("champions.rolled", battle.sizes[side], player=name)
            sections.append(reader.cards.listed(label, battle.rolled[side : side + 1]))
        elif battle.sizes[side]:
            sections.append(Text(words.count("champions.die_of", battle.sizes[side], player=name)))
    return sections


def _strip(public: champions.Public, seat: Seat, own: Hand | None) -> Strip:
    """A player's deck and faceup pile."""
    deck = backs("champions.laid.deck", public.decks[seat])
    if own is not None:
        deck = cards_in_row("champions.laid.deck", own.own.deck)
    faceup = public.piles[seat]
    return Strip(deck, (cards_in_row("champions.laid.faceup", faceup),) if faceup else ())


def _dice(public: champions.Public, battle: champions.PublicBattle, known: Known) -> tuple[Pile, ...]:
    """Both dice: face down, but for one's own; once they are rolled, with the card that came up on top."""
    dice: list[Pile] = []
    for side, seat in enumerate((public.challenger, battle.opponent)):
        own, size = known[seat], battle.sizes[side]
        if battle.rolled:
            cards = (*[None] * (size - 1), battle.rolled[side])
            dice.append(Pile("champions.laid.die", cards, len(cards), seat))
        elif own is not None and own.own.die:
            dice.append(cards_in_row("champions.laid.die", own.own.die, seat))
        elif size:
            dice.append(backs("champions.laid.die", size, seat))
    return tuple(dice)


def _secret_choice(own: Hand, reader: Reader) -> str:
    """What the seat chose in secret, while another seat still has to choose."""
    battle = own.public.battle
    if battle is None:
        return ""
    match own.public.phase:
        case champions.Phase.STEAL if own.own.steals is not None:
            key = "champions.sealed.steal" if own.own.steals else "champions.sealed.decline"
            return reader.words(key, cards=reader.cards.row(own.own.steals)) if own.own.steals else reader.words(key)
        case champions.Phase.EXCHANGE if own.own.gives:
            return reader.words("champions.sealed.exchange", cards=reader.cards.row(own.own.gives))
        case champions.Phase.DICE if own.own.die:
            return reader.words("champions.sealed.dice")
    return ""
