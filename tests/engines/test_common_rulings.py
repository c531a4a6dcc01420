"""The rulings for all games (docs/rulings/common.md) as they bear on the rules of Haymaker.

Calling off (C-6) is no business of the rules but of the match around them, and tested there.
"""

# ruff: noqa: N802  a ruling's number stands in a test's name as it is written

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from engines import GAMES
from engines.cards import Card
from engines.chance import Chance, SeededChance
from engines.deals import NO_SALT, Deal
from engines.game import Choices, IllegalAction, Outcome, Refusal, Resign, Seat, TimeUp, fold
from engines.haymaker import Attack, Block, Keep, Pass, Phase, TakeHit
from tests.engines.haymaker_table import GAME, A, B, Played, attack, block, cards, lay, opened, ring, turn
from tests.known import there


def test_C_0_only_who_is_asked_may_act() -> None:
    table = Played(lay("7S 3D", "4C 3H"))
    assert table.refuses(B, attack("4C")).key == "refusal.not_your_turn"
    assert table.refuses(2, attack("4C")).key == "refusal.not_seated"
    assert table.refuses(None, attack("7S")).key == "refusal.not_seated"
    table.does(A, attack("7S"))
    assert table.refuses(A, TakeHit()) == Refusal("C-0", "refusal.not_your_turn")


def test_C_0_only_an_answer_to_the_question_is_taken() -> None:
    table = Played(lay("7S 3D 2D", "4C 3H 9D", draw="AC AD", may_pass=True))
    reply: Block | TakeHit | Keep
    for reply in (block("7S"), TakeHit(), Keep(Card.of("7S"))):
        assert table.refuses(A, reply) == Refusal("C-0", "haymaker.refusal.asked_attack")
    table.does(A, attack("7S"))
    instead: Attack | Pass | Keep
    for instead in (attack("9D"), Pass(), Keep(Card.of("9D"))):
        assert table.refuses(B, instead) == Refusal("C-0", "haymaker.refusal.asked_reply")
    table.does(B, block("9D")).does(A, Pass())
    other: Attack | Pass | TakeHit | Block
    for other in (attack("3D"), Pass(), TakeHit(), block("3D")):
        assert table.refuses(A, other) == Refusal("C-0", "haymaker.refusal.asked_keep")


def test_C_0_nobody_acts_after_the_end() -> None:
    table = Played(lay("7S 3D", "4C")).does(A, Resign())
    for seat, action in ((A, attack("3D")), (B, Resign()), (None, TimeUp("turn", "7"))):
        assert table.refuses(seat, action) == Refusal("C-0", "refusal.match_over")
    assert GAME.choices(table.state, A) == GAME.choices(table.state, B) == Choices()


@pytest.mark.parametrize("key", GAMES)
def test_C_0_nobody_acts_after_the_end_of_any_game(key: str) -> None:
    game = GAMES[key]
    seats = max(game.info.seats)
    begun = game.start(game.info.presets["default"], seats)
    table = Deal(key, game.info.rules_version, "G1", (NO_SALT,) * seats)

    def chance(seq: int) -> Chance:
        return SeededChance(bytes(32), table, seq, game.pack(game.info.presets["default"], seats).pack_id)

    state = fold(game, begun, game.deal(begun, chance(0)))
    window = there(game.window(state))
    for seq in range(1, seats):
        state = fold(game, state, game.decide(state, seq, Resign(), chance(seq)))
    assert game.outcome(state) is not None
    rings = [TimeUp(timer.name, timer.key) for timer in window.timers]
    for seat, action in ((0, Resign()), (seats - 1, Resign()), *[(None, late) for late in rings]):
        with pytest.raises(IllegalAction) as refused:
            game.decide(state, seat, action, chance(seats))
        assert refused.value.refusal == Refusal("C-0", "refusal.match_over")


def test_C_1_chance_comes_from_the_seed_alone() -> None:
    assert opened(5) == opened(5)
    assert opened(5) != opened(6)
    hit = [Played(lay("2S 9D", "8C 4H TS"), seed=9).does(A, attack("2S")).does(B, TakeHit()).facts for _ in range(2)]
    assert hit[0] == hit[1]


def test_C_2_the_dealer_is_drawn_at_random() -> None:
    dealers = Counter(opened(seed).dealer for seed in range(400))
    assert set(dealers) == {A, B}
    assert min(dealers.values()) > 150


def test_C_3_only_held_cards_are_played_and_each_once() -> None:
    table = Played(lay("7S 3D", "4C 3H 9D"))
    assert table.refuses(A, attack("4C")) == Refusal("C-3", "refusal.card_not_held", {"card": "4♣"})
    assert table.refuses(A, attack("7S 7S")) == Refusal("C-3", "refusal.card_twice", {"card": "7♠"})
    table.does(A, attack("7S"))
    assert table.refuses(B, block("7S")).key == "refusal.card_not_held"
    assert table.refuses(B, block("4C 4C")).key == "refusal.card_twice"


@pytest.mark.parametrize("seat", [A, B])
def test_C_4_who_resigns_loses_at_any_time(seat: Seat) -> None:
    attacked = Played(lay("7S 3D", "4C 9D")).does(A, attack("7S")).state
    choosing = Played(lay("7S", "4C", draw="AC AD", may_pass=True)).does(A, Pass()).state
    for state in (lay("7S 3D", "4C"), attacked, choosing):
        table = Played(state).does(seat, Resign())
        assert table.outcome == Outcome("resignation", (2, 1) if seat == A else (1, 2))
        assert GAME.window(table.state) is None


def test_C_4_only_who_sits_may_resign() -> None:
    assert Played(lay("7S", "4C")).refuses(None, Resign()).key == "refusal.not_seated"
    assert Played(lay("7S", "4C")).refuses(2, Resign()).key == "refusal.not_seated"


def test_C_5_an_attacker_out_of_time_has_resigned() -> None:
    table = Played(lay("7S 3D", "4C"))
    assert table.does(None, ring(table)).outcome == Outcome("time", (2, 1))


def test_C_5_a_defender_out_of_time_has_resigned() -> None:
    table = Played(lay("7S 3D", "4C 9D")).does(A, attack("7S"))
    assert table.does(None, ring(table)).outcome == Outcome("time", (1, 2))


def test_C_5_in_a_pass_the_first_card_drawn_is_kept() -> None:
    table = Played(lay("7S", "4C", draw="9C 2C", may_pass=True)).does(A, Pass())
    table.does(None, ring(table))
    assert table.outcome is None
    assert table.hand(A) == cards("9C 7S")
    assert table.hand(B) == cards("2C 4C")
    assert turn(table.state) == (Phase.ATTACK, B, False)


def test_C_5_a_timer_of_an_earlier_question_is_refused() -> None:
    table = Played(lay("7S 3D", "4C 9D"))
    old = ring(table)
    table.does(A, attack("7S"))
    assert table.refuses(None, old) == Refusal("C-5", "refusal.time_is_not_up")
    assert table.refuses(None, replace(ring(table), timer="other")).key == "refusal.time_is_not_up"
    assert table.refuses(B, ring(table)).key == "refusal.time_is_not_up"


def test_C_7_cards_are_named_rank_then_suit() -> None:
    assert [card.name for card in cards("AS TH 4C 9D")] == ["A♠", "10♥", "4♣", "9♦"]


def test_C_11_the_recommended_presets_are_those_of_the_ruling() -> None:
    recommended = {
        "haymaker": ["default"],
        "unbreakable": ["short"],
        "ciq": ["quick", *["default"] * 4],
        "tivmiv": ["short"] * 5,
        "champions": ["drawn"] * 4,
    }
    for key, presets in recommended.items():
        info = GAMES[key].info
        assert [info.recommended_for(seats) for seats in info.seats] == presets
    assert GAMES["champions"].info.presets["drawn"] == GAMES["champions"].info.options(number="drawn")
    assert all(game.info.presets["default"] == game.info.options() for game in GAMES.values())
