"""Champions of Chance's computer player: the laws, and what is its own."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from engines.champions import (
    Call,
    CardDrawnUnseen,
    Challenge,
    Decline,
    Exchange,
    ExchangeAsked,
    NameNumber,
    Options,
    Phase,
    Rolled,
    Select,
    State,
    Steal,
)
from engines.game import Event
from engines.players.champions.candidates import dice
from engines.players.champions.fast_table import FastTable
from engines.players.champions.imagining import ImaginingError, imagined
from engines.players.champions.memory import Kind, Memory, Moment
from engines.players.champions.numbering import numbering
from engines.players.champions.player import PLAYER, ChampionsPlayer, action_of
from engines.players.champions.rules_of_thumb import by_rule_of_thumb
from engines.players.champions.sight import sight_of, weights
from engines.players.levels import LEVELS
from engines.players.question import Answer, Question
from laws.play import random_match
from laws.players import (
    Answering,
    a_question_holds_no_state,
    answers_are_legal,
    candidates_are_legal,
    fast_tables_equal_the_rules,
    it_does_not_peek,
    positions,
)
from laws.suite import SHARE, share_of
from tests.engines.champions_table import BASE, GAME, VICTORY, WACKY, A, B, Played, lay, roll, tied
from tests.engines.players.champions_twin import TWIN, a_sample_can_have_come_about
from tests.games.test_champions import CASE

LEVEL_NAMES = tuple(LEVELS["champions"])


# ---------------------------------------------------------------------------------------------- laws


@pytest.mark.parametrize("level", LEVEL_NAMES)
def test_it_does_not_peek(level: str) -> None:
    rng = random.Random(1)
    for position in positions(CASE, share_of(40)):
        it_does_not_peek(position, level, rng, 1)


def test_a_player_that_peeks_is_caught() -> None:
    def peeking_in(state: State) -> Answering:
        def peeking(question: Question) -> Answer:
            theirs = state.decks[1 - question.seat] if state.seats == 2 else state.decks[question.seat - 1]
            return Answer(theirs[0].code if theirs else "")

        return peeking

    def hold() -> None:
        for position in positions(CASE, 50):
            it_does_not_peek(position, "normal", random.Random(1), answering_in=peeking_in)

    with pytest.raises(AssertionError, match="plays by what its seat may not know"):
        hold()


def test_a_question_holds_no_state() -> None:
    for position in positions(CASE, share_of(40), seed=2):
        a_question_holds_no_state(position.question("normal"), position)


def test_candidates_are_legal() -> None:
    for position in positions(CASE, share_of(80), seed=3):
        candidates_are_legal(position)


def test_answers_are_legal() -> None:
    for position in positions(CASE, share_of(40), seed=4):
        answers_are_legal(position, 1)


def look_at_fast_tables(matches: int) -> None:
    rng = random.Random(5)
    for number in range(matches):
        deal = CASE.deal(*CASE.tables[number % len(CASE.tables)], rng)
        fast_tables_equal_the_rules(TWIN, random_match(deal, rng), rng)


def test_fast_tables_equal_the_rules() -> None:
    look_at_fast_tables(max(share_of(30), len(CASE.tables) if SHARE >= 1 else 0))


def test_a_fast_table_with_another_rule_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def keeps_what_won(table: FastTable, side: int) -> None:
        table.rolled = table.rolled[::-1] if side else table.rolled

    monkeypatch.setattr(FastTable, "_win", keeps_what_won)
    with pytest.raises((AssertionError, StopIteration)):
        look_at_fast_tables(len(CASE.tables))


def look_at_samples(count: int) -> None:
    rng = random.Random(6)
    for position in positions(CASE, count, seed=6):
        a_sample_can_have_come_about(position, rng)


def test_samples_can_have_come_about_with_the_seat_seeing_the_same() -> None:
    look_at_samples(share_of(150))


def test_samples_of_a_player_that_forgets_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetting(_: ChampionsPlayer, memory: Any, fact: Event) -> Any:
        later = remember(PLAYER, memory, fact)
        seen = [moment for moment in later.moments[len(memory.moments) :] if moment.kind is not Kind.SEEN]
        return type(later)(**{**_fields(later), "moments": (*memory.moments, *seen)})

    remember = ChampionsPlayer.remember
    monkeypatch.setattr(ChampionsPlayer, "remember", forgetting)
    with pytest.raises(AssertionError):
        look_at_samples(150)


def _fields(memory: Memory) -> dict[str, Any]:
    return {name: getattr(memory, name) for name in Memory.__slots__}


# ---------------------------------------------------------------------------------------------- what a seat knows


def number(face: str) -> int:
    """The number of the first card with these figures, such as ``6`` or ``3!STEAL``."""
    return next(card.place for card in numbering(WACKY).cards if card.code.split("#")[0] == face)


def remembering(*moments: Moment, options: Options = BASE) -> Memory:
    """What seat A remembers of a match of two after these moments, dealt the six plain cards of 1."""
    return Memory(options, A, (6, 6), ((), ()), tuple(range(6)), moments)


def test_a_revealed_card_that_returned_is_known_to_be_there() -> None:
    six = number("6")
    memory = remembering(Moment(Kind.SEEN, B, six))
    assert all(six in imagined(memory, random.Random(seed)).decks[B] for seed in range(20))


def test_a_card_that_may_have_been_exchanged_may_be_gone() -> None:
    """One of six cards was discarded: the known one in a sixth of the tables."""
    six = number("6")
    memory = remembering(Moment(Kind.SEEN, B, six), Moment(Kind.GIVEN, B), Moment(Kind.DRAWN, B))
    rng, tables = random.Random(1), 1200
    gone = sum(six in imagined(memory, rng).discards for _ in range(tables))
    assert abs(gone - tables / 6) < 50, "a chance below one in ten thousand"


def test_a_card_that_is_seen_again_was_not_exchanged() -> None:
    six = number("6")
    seen = Moment(Kind.SEEN, B, six)
    memory = remembering(seen, Moment(Kind.GIVEN, B), Moment(Kind.DRAWN, B), seen)
    assert all(six in imagined(memory, random.Random(seed)).decks[B] for seed in range(40))


def test_a_card_may_have_come_by_way_of_two_thefts() -> None:
    """B's card was stolen by C and then by D, where it was seen; nobody else could tell."""
    six = number("6")
    thefts = Moment(Kind.STOLEN, B, to=2), Moment(Kind.SEEN, A, 0), Moment(Kind.STOLEN, 2, to=3)
    moments = Moment(Kind.SEEN, B, six), *thefts, Moment(Kind.SEEN, 3, six)
    memory = Memory(BASE, A, (6, 5, 6, 7), ((), (), (), ()), tuple(range(6)), moments)
    assert six in imagined(memory, random.Random(1)).decks[3]


def test_a_card_that_was_just_stolen_may_be_given_in_an_exchange() -> None:
    """All the others that B holds are seen there again."""
    kept = [Moment(Kind.SEEN, B, card) for card in numbering(BASE).pack if card > 5][:6]
    stolen = Moment(Kind.STOLEN, 2, to=B), Moment(Kind.GIVEN, B), Moment(Kind.DRAWN, B)
    memory = Memory(BASE, A, (6, 7, 5), ((), (), ()), tuple(range(6)), (*kept, *stolen, *kept))
    assert {moment.card for moment in kept} < {*imagined(memory, random.Random(1)).decks[B]}


def test_what_cannot_be_has_no_table() -> None:
    """A card of the seat's own deck can't be seen in another one."""
    with pytest.raises(ImaginingError):
        imagined(remembering(Moment(Kind.SEEN, B, 0)), random.Random(1))


def test_samples_are_uniform() -> None:
    """Each unseen card is in the other deck equally often: chi-square over 3,000 samples."""
    memory = remembering(Moment(Kind.SEEN, B, number("6")))
    rng, count, samples = random.Random(9), Counter[int](), 3000
    for _ in range(samples):
        count.update(imagined(memory, rng).decks[B])
    assert count.pop(number("6")) == samples
    unseen = [card for card in numbering(BASE).pack if card > 5 and card != number("6")]
    expected = samples * 5 / len(unseen)
    assert set(count) == set(unseen)
    assert sum((count[card] - expected) ** 2 / expected for card in unseen) < 2 * len(unseen)


def test_what_was_seen_in_a_deck_weighs_more_until_it_may_have_left() -> None:
    table = Played(roll("1 1", "6 6 2", dice=(2, 2)))
    view = GAME.observe(table.state, A)
    memory = Memory(BASE, A, (2, 3), ((), ()), tuple(card.place for card in view.own.deck))
    for fact in table.does(A, Call(lowest=True)).facts:
        memory = PLAYER.remember(memory, fact)
    six = table.told(Rolled)[0].cards[1].place
    seen = weights(memory, view, B)[six]
    exchanged = PLAYER.remember(memory, ExchangeAsked((B,)))
    memory = PLAYER.remember(exchanged, CardDrawnUnseen(B))
    later = weights(memory, view, B)[six]
    other = weights(memory, view, B)[number("5")]
    assert seen == pytest.approx(1 / 3)
    assert seen > later > other > 0


# ---------------------------------------------------------------------------------------------- acts


def thumb(state: State) -> Any:
    """The act by rule of thumb of the seat that a fast table asks."""
    table = TWIN.table_of(state)
    return action_of(table.cards, table.phase, by_rule_of_thumb(sight_of(table)))


def test_of_dice_that_differ_only_in_copies_one_is_tried() -> None:
    deck = [card.place for card in lay("1 1 1 6 6", "2").decks[A]]
    assert len(dice(numbering(BASE), deck, 2)) == 3
    assert len(dice(numbering(BASE), deck, 5)) == 1


def test_by_rule_of_thumb_it_names_six() -> None:
    state = Played(lay("1 2 3 4 5 6", "1 2 3 4 5 6", "1 2")).does(A, Challenge(B)).state
    assert state.phase is Phase.NUMBER
    assert thumb(state) == NameNumber(6)


@pytest.mark.parametrize(("deck", "size", "die"), [("1 1 5 6 6 6", 3, "666"), ("1 1 1 2 5 6", 3, "111")])
def test_by_rule_of_thumb_a_die_is_of_the_best_cards_of_one_end(deck: str, size: int, die: str) -> None:
    table = Played(lay(deck, "1 2 3 4 5 6", "1")).does(A, Challenge(B)).does(B, NameNumber(size))
    found = thumb(table.state)
    assert isinstance(found, Select)
    assert "".join(str(card.number) for card in found.cards) == die


@pytest.mark.parametrize(("deck", "lowest"), [("1 2 1", True), ("6 5 6", False)])
def test_by_rule_of_thumb_it_calls_what_its_die_is_better_at(deck: str, *, lowest: bool) -> None:
    assert thumb(roll(deck, "3 4 3", dice=(3, 3))) == Call(lowest=lowest)


def test_by_rule_of_thumb_the_card_that_fits_least_is_exchanged() -> None:
    table = tied("4 1 6 6 6", "4 5 6")
    found = thumb(table.state)
    assert isinstance(found, Exchange)
    assert found.cards[0].number == 1


def test_by_rule_of_thumb_only_with_victory_dice_cards_are_stolen() -> None:
    for options, kind in ((WACKY, Decline), (Options(wacky_numbers=True, victory_dice=True), Steal)):
        table = Played(roll("3!STEAL 1 1", "5 2 2", "1 1", options=options)).does(A, Call(lowest=True))
        assert table.state.phase is Phase.STEAL
        assert type(thumb(table.state)) is kind


@pytest.mark.parametrize(("faceup", "take"), [("1.2", True), ("3.4", False)])
def test_by_rule_of_thumb_only_two_icons_set_the_number(faceup: str, *, take: bool) -> None:
    state = lay("1 2 3 4 5", "1 2 3 4 5 6", options=VICTORY, piles=(faceup, ""))
    assert thumb(state) == Challenge(B, take)


def test_an_estimate_is_a_share_and_a_better_call_brings_more() -> None:
    for position in positions(CASE, share_of(60), seed=15):
        situation = position.situation()
        acts = PLAYER.candidates(situation)
        values = PLAYER.judge(situation, acts)
        assert all(0 <= value <= 1 for value in values)
        if position.state.phase is Phase.CALL:
            assert acts[values.index(max(values))] == PLAYER.rule_of_thumb(situation, random.Random(1))


def test_larger_dice_look_like_a_larger_choice() -> None:
    table = Played(lay("1 2 3 4 5 6", "1 2 3 4 5 6", "1")).does(A, Challenge(B))
    sizes = [
        PLAYER.visible_choices(GAME.observe_public(table.state)),
        PLAYER.visible_choices(GAME.observe_public(table.does(B, NameNumber(3)).state)),
    ]
    assert sizes[0] < sizes[1]


def test_all_seats_of_a_fast_table_get_six_cards() -> None:
    table = FastTable.dealt(numbering(VICTORY), 4, random.Random(1))
    assert [len(deck) for deck in table.decks] == [6] * 4
    assert len(table.draw) == 12
