"""What decided a match: it finds the acts that cost most, judges by what a seat knew, and says the same each time."""

from __future__ import annotations

import dataclasses
import pickle
import random
import subprocess
import sys
from collections.abc import Sequence
from functools import reduce
from itertools import pairwise
from typing import Any

import pytest

import tests.reviewed
from engines import GAMES
from engines.ciq import CIQ, Attack, CardsDrawn, EightLaid, Pile, PileDealt
from engines.ciq import DealerDrawn as CIQDealerDrawn
from engines.ciq import Options as CIQOptions
from engines.ciq import TurnBegun as CIQTurnBegun
from engines.game import Event, Resign, fold
from engines.haymaker import DealerDrawn, HandDealt, Options, PileLaid, TurnBegun
from engines.players.haymaker.player import HaymakerPlayer
from engines.players.levels import PLAYERS
from engines.players.player import Situation
from engines.players.question import Question, question_for
from engines.players.review import (
    PERSON,
    LoggedAct,
    Measure,
    NotOverError,
    Review,
    ReviewRequest,
    hint,
    is_reviewed,
    luck_of_review,
    review,
)
from engines.players.review.costs import LEAST_COST, CostSearch, standard_error
from engines.players.review.curve import MOST_POINTS, POINTS
from engines.players.review.walk import Spot, walk
from engines.players.review.ways import RACES, ByJudgement, way_of
from engines.unbreakable import Discard
from engines.unbreakable.table import distance, swift_discard
from laws.knowledge import exchanged
from laws.play import MatchLog, Odds, random_match
from laws.players import positions
from tests.engines.ciq_table import card
from tests.engines.haymaker_table import cards, chance
from tests.games.cases import case_of
from tests.known import there

pytestmark = pytest.mark.slow  # plays whole matches on, from each of their positions

JUDGED = tuple(key for key in PLAYERS if key not in RACES)
"""The games in which acts are judged."""
FEW = 120
"""Rollouts, where a test asks for a review and not for a good one."""


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """All tables count as measured."""
    tests.reviewed.measure_all(monkeypatch)


def in_time() -> bool:
    """The time never expires."""
    return False


def request_of(log: MatchLog, rollouts: int = FEW) -> ReviewRequest:
    """The request for a match played by chance."""
    return tests.reviewed.request_of(log, rollouts)


def match_by_chance(key: str, setting: str, seats: int, seed: int, odds: Odds | None = None) -> MatchLog:
    """A match played by chance to its end."""
    rng = random.Random(seed)
    return random_match(case_of(key).deal(setting, seats, rng), rng, odds)


def laid_out(key: str, options: Any, opening: Sequence[Event], action: Any, use: Any) -> ReviewRequest:
    """A match from a table laid out by hand: seat 0 acts, and if that doesn't end the match, seat 1 resigns."""
    game = GAMES[key]
    state = fold(game, game.start(options, 2), opening)
    made = game.decide(state, 0, action, use)
    acts = [LoggedAct(0, game.write(action), tuple(made))]
    if game.outcome(made.state) is None:
        acts.append(LoggedAct(1, game.write(Resign()), tuple(game.decide(made.state, 1, Resign(), use))))
    return ReviewRequest(key, options, 2, tuple(opening), tuple(acts), luck_of_review("laid"), FEW)


def haymaker(a: str, b: str, act: str) -> ReviewRequest:
    """A attacks first from these hands."""
    hands = [cards(a), cards(b)]
    rest = [each for each in GAMES["haymaker"].pack(Options(), 2).cards if each not in hands[0] + hands[1]]
    opening = (
        DealerDrawn(1),
        HandDealt(0, hands[0]),
        HandDealt(1, hands[1]),
        PileLaid(tuple(rest[:16]), tuple(rest[16:])),
        TurnBegun(0, may_pass=False),
    )
    game = GAMES["haymaker"]
    return laid_out("haymaker", Options(), opening, game.read(act), chance())


# ---------------------------------------------------------------------------------------------- costly acts


def test_a_haymaker_that_three_cards_can_block_costs_two_strong_cards() -> None:
    made = review(haymaker("6S 5S 2D 2C", "TD 9D 4C", "5S+6S"), in_time)
    (costly,) = made.costly
    assert (costly.number, costly.seat, costly.act) == (1, 0, "5S+6S")
    assert costly.better in {"2D", "2C"}
    assert costly.cost > 0.2


def test_who_attacks_with_a_low_card_has_no_costly_act() -> None:
    assert review(haymaker("6S 5S 2D 2C", "TD 9D 4C", "2C"), in_time).costly == ()


def ciq(row: str) -> ReviewRequest:
    """A has a nine that moves all that is left, and a two that moves two cards. B has no hand to block with."""
    nine, two = card("9S"), card("2C")
    piles = [tuple(card(f"{rank}{suit}") for rank in "34567") for suit in "DH"]
    opening: tuple[Event, ...] = (
        CIQDealerDrawn(1),
        EightLaid(0, card("8H")),
        EightLaid(1, card("8D")),
        PileDealt(0, (nine, two, *piles[0])),
        PileDealt(1, (card("3S"), *piles[1])),
        CIQTurnBegun(0, 1),
        CardsDrawn(0, (nine, two), chosen=False),
    )
    use = case_of("ciq").deal("default", 2, random.Random(1)).chance(1)
    action = Attack(1, Pile.DAMAGE, (nine if row == "9S" else two,))
    return laid_out("ciq", CIQOptions(), opening, action, use)


def test_an_attack_that_would_have_won_and_was_not_made_is_found() -> None:
    made = review(ciq("2C"), in_time)
    (costly,) = made.costly
    better = CIQ().read(costly.better)
    assert (costly.number, costly.seat) == (1, 0)
    assert isinstance(better, Attack)
    assert better.cards[-1] == card("9S")
    assert costly.cost > 0.3


def test_who_makes_it_has_no_costly_act() -> None:
    assert review(ciq("9S"), in_time).costly == ()


def test_of_a_found_cost_the_part_is_said_that_is_believed() -> None:
    spot = next(stage.acting for stage in walk(GAMES["ciq"], PLAYERS["ciq"], ciq("2C")) if stage.acting is not None)
    way = way_of("ciq")
    half = dataclasses.replace(way, believed=way.believed / 2)  # type: ignore[type-var]  # it is one of its kinds
    whole, halved = [CostSearch(each, 7, FEW, in_time).found([(1, spot)])[0].cost for each in (way, half)]
    assert halved == pytest.approx(whole / 2)


@pytest.mark.nightly  # searches each position twice
@pytest.mark.parametrize(("key", "count"), [("haymaker", 30), ("ciq", 4)])
def test_an_act_costs_the_same_whatever_cards_its_seat_did_not_see(key: str, count: int) -> None:
    """Judged from what the seat knew: the cards that it never saw are exchanged, and the judgement stays."""
    case, rng, found = case_of(key), random.Random(1), 0
    for position in positions(case, count, seed=20):
        deal = position.log.deal
        others = exchanged(case, position.pack, position.events, position.seat, rng)
        act = case.game.write(PLAYERS[key].candidates(position.situation())[-1])
        spots = [spot_after(deal, facts, position.seat, act) for facts in (position.events, others)]
        costs = [CostSearch(way_of(key), 7, FEW, in_time).found([(1, spot)]) for spot in spots]
        mine, theirs = [[(each.better, each.cost) for each in cost] for cost in costs]
        assert mine == theirs
        found += len(mine)
    assert found, "no act cost anything, so this showed nothing"


def situation_of(question: Question) -> Situation[Any, Any]:
    """What the asked seat knows by its question."""
    player = PLAYERS[question.game]
    memory = reduce(player.remember, question.seen, player.begin(question.options, question.seats, question.seat))
    return Situation(memory, question.view, question.choices)


def spot_after(deal: Any, facts: Sequence[Event], seat: int, act: str) -> Spot:
    """What a seat knows after these facts, when it is about to make an act."""
    request = ReviewRequest(
        deal.game.info.key, deal.options, deal.seats, tuple(facts), (LoggedAct(seat, act, ()),), luck=0
    )
    return there(next(walk(deal.game, PLAYERS[deal.game.info.key], request)).acting)


@pytest.mark.parametrize("key", JUDGED)
def test_each_seat_knows_what_its_question_says(key: str) -> None:
    case = case_of(key)
    log = match_by_chance(key, *case.setups[-1], seed=2, odds=Odds(time=0.02))
    deal, request = log.deal, request_of(log)
    checked = 0
    for stage in walk(deal.game, PLAYERS[key], request):
        for spot in stage.spots[: 1 if stage.after % 3 else 0]:
            question = question_for(
                deal.game,
                log.states[stage.after],
                log.events(stage.after),
                spot.seat,
                options=deal.options,
                seats=deal.seats,
                level="normal",
                luck=0,
            )
            assert spot.situation == situation_of(question)
            checked += 1
    assert checked > 3


class Lying(HaymakerPlayer):
    """Judges every act as the opposite of what it is."""

    def judge(self, situation: Any, actions: Sequence[Any]) -> Sequence[float]:
        return [1 - share for share in super().judge(situation, actions)]


def test_a_choice_that_was_changed_in_time_is_not_blamed() -> None:
    deal = case_of("unbreakable").deal("default", 2, random.Random(11))
    state, opening = deal.open()
    target, weapons = there(state.target), state.weapons[0]
    best = swift_discard(weapons, target)
    worst = max(weapons, key=lambda put: distance([each for each in weapons if each != put], target))
    for choices, named in (((worst,), [(1, f"put {worst.code}")]), ((worst, best), [])):
        now, acts = state, list[LoggedAct]()
        for seat, act in (*[(0, Discard(put)) for put in choices], (1, Resign())):
            facts = deal.game.decide(now, seat, act, deal.chance(len(acts) + 1))
            now = facts.state
            acts.append(LoggedAct(seat, deal.game.write(act), tuple(facts)))
        request = ReviewRequest("unbreakable", deal.options, 2, tuple(opening), tuple(acts), luck=5)
        assert [(cost.number, cost.act) for cost in review(request, in_time).costly] == named


def test_what_a_judge_who_lies_holds_against_an_act_is_not_named_because_no_lines_confirm_it() -> None:
    honest = way_of("haymaker")
    assert isinstance(honest, ByJudgement)
    way = dataclasses.replace(honest, player=Lying())
    request = haymaker("6S 5S 2D 2C", "TD 9D 4C", "2C")
    spot = there(next(walk(GAMES["haymaker"], PLAYERS["haymaker"], request)).acting)
    made, *others = way.player.judge(spot.situation, [spot.made, *way.player.candidates(spot.situation)])
    assert max(others) > made + LEAST_COST
    assert CostSearch(way, 7, way.rollouts, in_time).found([(1, spot)]) == ()


def test_a_way_without_lines_names_no_act() -> None:
    way = dataclasses.replace(way_of("haymaker"), lines=None)  # type: ignore[type-var]  # it is one of its kinds
    stage = next(walk(GAMES["haymaker"], PLAYERS["haymaker"], haymaker("6S 5S 2D 2C", "TD 9D 4C", "5S+6S")))
    assert CostSearch(way, 7, 3600, in_time).found([(1, there(stage.acting))]) == ()


@pytest.mark.nightly  # hundreds of lines each
@pytest.mark.parametrize(("key", "lines"), [("haymaker", 100), ("unbreakable", 100), ("champions", 25)])
def test_an_act_that_is_named_costs_what_other_lines_say_too(key: str, lines: int) -> None:
    way, checked = way_of(key), 0
    assert way.lines is not None
    for seed in range(1, 5):
        log = match_by_chance(key, "default", 2, seed)
        stages = walk(log.deal.game, PLAYERS[key], request_of(log))
        spots = [(stage.after + 1, stage.acting) for stage in stages if stage.acting is not None]
        for cost in CostSearch(way, seed, 6 * lines, in_time).found(spots[:60])[:2]:
            spot, rng = cost.spot, random.Random(99)
            trials = [way.lines.after(spot, [spot.made, cost.better], rng) for _ in range(lines)]
            gains = [better[spot.seat] - made[spot.seat] for made, better in trials]
            assert sum(gains) / len(gains) > -2 * standard_error(gains)
            checked += 1
    assert checked, "no act was named, so this showed nothing"


# ---------------------------------------------------------------------------------------------- curves


def test_the_curve_knows_who_plays() -> None:
    request = request_of(match_by_chance("haymaker", "default", 2, seed=3))
    people, hard = [
        review(dataclasses.replace(request, players=players), in_time).curve
        for players in ((PERSON, PERSON), ("hard", PERSON))
    ]
    assert people == review(request, in_time).curve
    assert [point.after for point in people] == [point.after for point in hard]
    assert people[0].values[0] < hard[0].values[0]
    assert people[-1] == hard[-1]


def test_no_chances_are_told_of_players_whose_strength_nobody_measured() -> None:
    request = request_of(match_by_chance("haymaker", "default", 2, seed=3))
    made = review(dataclasses.replace(request, players=(PERSON, "nobody")), in_time)
    assert (made.curve, made.dealt) == ((), ())
    assert made.costly == review(request, in_time).costly != ()


def test_the_deal_is_worth_the_same_whoever_plays() -> None:
    request = request_of(match_by_chance("haymaker", "default", 2, seed=3))
    people, hard = [
        review(dataclasses.replace(request, players=players), in_time) for players in ((), ("hard", PERSON))
    ]
    assert people.dealt == hard.dealt == people.curve[0].values != hard.curve[0].values


@pytest.mark.nightly  # reviews two matches each
@pytest.mark.usefixtures("measured")
@pytest.mark.parametrize("key", JUDGED)
def test_a_curve_goes_from_the_deal_to_the_result(key: str) -> None:
    for setting, seats in (case_of(key).setups[0], case_of(key).setups[-1]):
        log = match_by_chance(key, setting, seats, seed=3)
        made = review(request_of(log), in_time)
        outcome = there(log.deal.game.outcome(log.states[-1]))
        assert made.measure is Measure.CHANCE
        assert [point.after for point in made.curve] == sorted({point.after for point in made.curve})
        assert (made.curve[0].after, made.curve[-1].after) == (0, len(log.moves))
        assert len(made.curve) <= MOST_POINTS + 1
        winners = outcome.winners
        assert made.curve[-1].values == tuple(1 / len(winners) if seat in winners else 0 for seat in range(seats))
        for point in made.curve:
            assert len(point.values) == seats
            assert sum(point.values) == pytest.approx(1)
            assert all(0 <= value <= 1 for value in point.values)


@pytest.mark.usefixtures("measured")
def test_a_seat_that_has_left_has_no_chance() -> None:
    log = next(
        log
        for seed in range(50)
        if (log := match_by_chance("ciq", "default", 4, seed, Odds(resign=0.03))).moves
        and any(isinstance(move.action, Resign) for move in log.moves[:-4])
    )
    left = next(index for index, move in enumerate(log.moves) if isinstance(move.action, Resign))
    seat = there(log.moves[left].actor)
    gone = next(at for at in range(left + 1, len(log.states)) if seat in log.states[at].out)
    later = [point for point in review(request_of(log), in_time).curve if point.after > gone]
    assert later
    assert {point.values[seat] for point in later} == {0.0}


@pytest.mark.usefixtures("measured")
def test_a_long_match_is_looked_at_from_beginning_to_end() -> None:
    matches = (match_by_chance("ciq", "default", 2, seed) for seed in range(1, 30))
    log = next(match for match in matches if len(match.moves) > 2 * POINTS)
    made = review(request_of(log, rollouts=200), in_time)
    assert len(made.curve) == POINTS + 1
    gaps = [after.after - before.after for before, after in pairwise(made.curve)]
    assert max(gaps) < len(log.moves) / 20


# ---------------------------------------------------------------------------------------------- races


def test_a_race_shows_the_cards_left_and_blames_nobody() -> None:
    log = match_by_chance("tivmiv", "default", 3, seed=1)
    made = review(request_of(log), in_time)
    assert (made.measure, made.costly, made.rollouts) == (Measure.CARDS, (), 0)
    for point in made.curve:
        state = log.states[point.after]
        assert point.values == tuple(len(state.left_over(seat)) for seat in range(3))
    assert len(made.curve) <= MOST_POINTS < len(log.moves)


# ---------------------------------------------------------------------------------------------- the same each time


def test_a_review_is_the_same_in_another_process() -> None:
    requests = [
        request_of(match_by_chance("haymaker", "default", 2, seed=4)),
        request_of(match_by_chance("ciq", "quick", 4, seed=4)),
    ]
    code = (
        "import pickle, sys\nfrom engines.players.review import review\n"
        "requests = pickle.load(sys.stdin.buffer)\n"
        "sys.stdout.buffer.write(pickle.dumps([review(each, lambda: False) for each in requests]))"
    )
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(requests), capture_output=True, check=True)
    assert pickle.loads(done.stdout) == [review(each, in_time) for each in requests]


@pytest.mark.nightly  # reviews two long matches
@pytest.mark.usefixtures("measured")
def test_the_budget_is_kept() -> None:
    for setting, seats, rollouts in (("default", 2, 500), ("quick", 6, 500)):
        made = review(request_of(match_by_chance("ciq", setting, seats, seed=5), rollouts), in_time)
        assert rollouts / 3 < made.rollouts <= rollouts


@pytest.mark.usefixtures("measured")
def test_when_time_expires_it_says_what_it_has() -> None:
    asked: list[None] = []

    def expired() -> bool:
        asked.append(None)
        return len(asked) > 5

    request = request_of(match_by_chance("ciq", "default", 2, seed=6))
    whole, made = review(request, in_time), review(request, expired)
    assert made.curve[:-1] == whole.curve[:5]
    assert made.curve[-1] == whole.curve[-1]
    assert made.costly == ()


# ---------------------------------------------------------------------------------------------- never before the end


@pytest.mark.parametrize("key", ["haymaker", "ciq", "tivmiv"])
def test_a_match_that_is_being_played_has_no_review(key: str) -> None:
    log = match_by_chance(key, "default", 2, seed=7)
    whole = request_of(log)
    for acts in {0, 1, len(log.moves) // 2, len(log.moves) - 1}:
        request = ReviewRequest(key, whole.options, 2, whole.opening, whole.acts[:acts], whole.luck)
        with pytest.raises(NotOverError):
            review(request, in_time)
    assert isinstance(review(whole, in_time), Review)


def test_which_games_have_reviews() -> None:
    assert all(is_reviewed(key) for key in (*PLAYERS, "tivmiv"))
    assert not is_reviewed("high_card")


# ---------------------------------------------------------------------------------------------- hints


@pytest.mark.nightly  # a search for each position
@pytest.mark.parametrize(("key", "count"), [("haymaker", 80), ("ciq", 6)])
def test_a_hint_does_not_depend_on_what_its_seat_may_not_know(key: str, count: int) -> None:
    case, rng = case_of(key), random.Random(8)
    for position in positions(case, count, seed=8):
        others = exchanged(case, position.pack, position.events, position.seat, rng)
        mine, theirs = position.question("normal", 40), position.question("normal", 40, others)
        assert hint(mine, in_time) == hint(theirs, in_time)


@pytest.mark.nightly  # a search for each position
@pytest.mark.parametrize("key", JUDGED)
def test_a_hint_has_the_best_acts_first_and_all_of_them_are_legal(key: str) -> None:
    case = case_of(key)
    for position in positions(case, 12, seed=9):
        found = hint(position.question("normal", 40), in_time)
        acts = [act for each in found for act in each.acts]
        assert 1 <= len(found) <= 2
        assert len(set(acts)) == len(acts) <= 8
        assert [each.worth for each in found] == sorted((each.worth for each in found), reverse=True)
        for each in found:
            assert 0 <= each.worth <= 1
            for act in each.acts:
                position.accepts(case.game.read(act))


def test_a_hint_names_the_act_that_a_review_would_have_liked() -> None:
    request = haymaker("6S 5S 2D 2C", "TD 9D 4C", "5S+6S")
    game = GAMES["haymaker"]
    state = fold(game, game.start(Options(), 2), request.opening)
    question = question_for(game, state, request.opening, 0, options=Options(), seats=2, level="normal", luck=1)
    (costly,), (first, *_) = review(request, in_time).costly, hint(question, in_time)
    assert costly.better in first.acts
    assert first.worth > 0.8


def test_one_trial_of_a_noisy_judge_tells_no_acts_apart() -> None:
    for position in positions(case_of("ciq"), 6, seed=10):
        assert len(hint(position.question("normal"), lambda: True)) == 1


# ---------------------------------------------------------------------------------------------- other games


def test_a_game_without_a_way_of_its_own_is_judged_by_its_player() -> None:
    """With more than two seats, the others share what is left."""
    log = match_by_chance("ciq", "quick", 3, seed=2)
    stage = next(walk(log.deal.game, PLAYERS["ciq"], request_of(log)))
    (spot,) = stage.spots
    way = ByJudgement(PLAYERS["ciq"])
    shares = way.outlook(spot, random.Random(0), 1)
    others = {share for seat, share in enumerate(shares) if seat != spot.seat}
    assert sum(shares) == pytest.approx(1)
    assert len(others) == 1
    assert shares[spot.seat] == max(PLAYERS["ciq"].judge(spot.situation, PLAYERS["ciq"].candidates(spot.situation)))
