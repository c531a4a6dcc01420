"""What decided a match, in words and as a picture."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from io import BytesIO
from itertools import product
from typing import Any

import pytest
from PIL import Image

from bot.art.curve_picture import HEIGHT, WIDTH, Curve, draw_curve
from bot.art.images import FELT
from bot.games import GAMES
from bot.play.live_match import LiveMatch
from bot.ui.catalogue import translations
from bot.ui.screen import Button, Log, Picture, Screen, Text
from cogs.reviews.screens import curve_of, hint_lines, review_screen
from cogs.screens.card_text import TEXT_CARDS
from cogs.screens.cards.words import WordCards
from cogs.screens.clauses import Clause, Move, advised_any
from cogs.screens.hands.picking import clause_of
from cogs.screens.presenter import Presenter, Reader
from cogs.screens.renderer import is_whole
from engines.game import Pick
from engines.haymaker import Keep
from engines.players.levels import PLAYERS
from engines.players.review import (
    CostlyAct,
    Hint,
    Measure,
    Point,
    Review,
    review,
)
from laws.bodies import match_of
from laws.play import MatchLog, random_act, random_match
from tests.games.cases import case_of, is_race
from tests.reviewed import measure_all, request_of

pytestmark = pytest.mark.slow  # reviews whole matches of every game

say = translations("en")
NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Finn")
LONGEST_DESCRIPTION = 1024


def played(key: str, setting: str = "", seats: int = 0, seed: int = 1) -> MatchLog:
    """A match played by chance to its end; unless it is told otherwise, at the game's first table."""
    rng, (first, fewest) = random.Random(seed), case_of(key).setups[0]
    return random_match(case_of(key).deal(setting or first, seats or fewest, rng), rng)


def match_at(log: MatchLog, moves: int | None = None) -> LiveMatch:
    """The match after some of its moves, or all."""
    moves = len(log.moves) if moves is None else moves
    return match_of(log.deal, log.events(moves), moves)


def reviewed(log: MatchLog, rollouts: int = 200) -> Review:
    """Its review."""
    return review(request_of(log, rollouts), lambda: False)


def shown(log: MatchLog, made: Review, **reading: Any) -> Screen:
    """The screen of a match's review."""
    reader = Reader(say, NAMES[: log.deal.seats], **reading)
    return review_screen(match_at(log), made, case_of(log.deal.game.info.key).presenter, reader)


def texts(screen: Screen) -> list[str]:
    """All lines of a screen."""
    parts = [each.text for each in screen.sections if isinstance(each, Text)]
    parts += [line for each in screen.sections if isinstance(each, Log) for line in each.lines]
    return "\n".join(parts).splitlines()


def named(log: MatchLog, number: int, better: str, cost: float = 0.25) -> CostlyAct:
    """A move of a match that is said to have cost something."""
    move = log.moves[number - 1]
    assert move.actor is not None
    written = log.deal.game.write(move.action)
    return CostlyAct(number, len(log.events(number - 1)), move.actor, written, better, cost)


def of(log: MatchLog, *costly: CostlyAct) -> Review:
    """A review with these moves, and a curve that anybody can check."""
    last = len(log.moves)
    curve = tuple(Point(after, (0.25 + after / last / 2, 0.75 - after / last / 2)) for after in range(last + 1))
    return Review(Measure.CHANCE, last, curve, costly, dealt=curve[0].values)


# ---------------------------------------------------------------------------------------------- words


def test_a_move_is_told_as_a_sentence_and_the_better_one_as_advice() -> None:
    log = played("haymaker")
    number = next(at for at, move in enumerate(log.moves, 1) if log.deal.game.write(move.action) == "hit")
    state = log.states[number - 1]
    seat = log.moves[number - 1].actor
    assert seat is not None
    needed, block = log.deal.game.choices(state, seat).find("block"), ""
    if isinstance(needed, Pick):
        whole = needed.action(tuple(range(needed.items)))
        block = log.deal.game.write(whole)
    told = texts(shown(log, of(log, named(log, number, block or "hit", 0.123))))
    assert f"1\\. Move {number}, **−12%**: {NAMES[seat]} took the hit." in told
    cards = " ".join(f"`{card.name}`" for card in state.hands[seat])
    assert f"-# Better: Block with {cards}" in [line.partition(".")[0] for line in told]


def test_a_move_that_others_did_not_see_is_told_too() -> None:
    """Which card was kept in a pass: the board never said it."""
    logs = (played("haymaker", seed=seed) for seed in range(50))
    log = next(log for log in logs if any(isinstance(move.action, Keep) for move in log.moves))
    number = next(at for at, move in enumerate(log.moves, 1) if isinstance(move.action, Keep))
    first, second = log.states[number - 1].drawn
    kept = log.moves[number - 1].action.card
    other = second if kept == first else first
    told = texts(shown(log, of(log, named(log, number, f"keep {other.code}"))))
    seat = log.moves[number - 1].actor
    assert seat is not None
    assert f"1\\. Move {number}, **−25%**: {NAMES[seat]} kept `{kept.name}`." in told
    assert f"-# Better: Keep `{other.name}`" in [line.partition(".")[0] for line in told]


def test_moves_are_numbered_in_the_order_of_their_costs() -> None:
    log = played("haymaker")
    one, two = (named(log, number, log.deal.game.write(log.moves[number - 1].action), 0.1) for number in (4, 2))
    told = texts(shown(log, of(log, one, two)))
    assert say.count("review.costly", 2) in told
    assert [line.split(",")[0] for line in told if re.match(r"\d\\\.", line)] == ["1\\. Move 4", "2\\. Move 2"]


def test_what_the_curve_shows_is_said_and_where_there_is_none_why() -> None:
    log = played("haymaker")
    curve = tuple(Point(after, (0.25 + after / 16, 0.75 - after / 16)) for after in range(9))
    screen = shown(log, replace(of(log), acts=8, curve=curve))
    assert texts(screen)[:3] == [
        say("review.chance"),
        "1 **Ann**: 38% → 50% → 62% → 75%",
        "2 **Ben**: 62% → 50% → 38% → 25%",
    ]
    picture = screen.sections[0]
    assert isinstance(picture, Picture)
    assert picture.description.splitlines()[1:] == [
        "1 Ann: 38%, 50%, 62%, 75%",
        "2 Ben: 62%, 50%, 38%, 25%",
    ]
    costly = named(log, 2, log.deal.game.write(log.moves[1].action))
    screen = shown(log, replace(of(log, costly), curve=(), dealt=()))
    assert not [each for each in screen.sections if isinstance(each, Picture)]
    assert texts(screen)[:2] == [say("review.unmeasured"), say.count("review.costly", 1)]
    assert say("review.chance") not in texts(screen)
    assert say("review.none") in texts(shown(log, of(log)))


def test_a_race_tells_its_moments_and_calls_no_move_a_mistake() -> None:
    log = played("tivmiv", seats=3)
    screen = shown(log, reviewed(log))
    told = texts(screen)
    assert told[0] == say("review.cards")
    assert say("review.race_moments") in told
    assert any(isinstance(each, Log) and each.lines for each in screen.sections)
    assert screen.footer == ""


@pytest.mark.parametrize("loser", [0, 1])
def test_who_lost_from_the_deal_on_is_offered_it_with_seats_exchanged(loser: int) -> None:
    logs = (played("haymaker", seed=seed) for seed in range(50))
    log = next(log for log in logs if (result := match_at(log).result) is not None and result.ranks[loser] == 2)
    screen = shown(log, of(log))  # in which the deal gives the first seat a quarter
    told = say("review.exchanged", players=NAMES[0])
    assert (told in texts(screen), ("exchanged" in verbs(screen))) == (loser == 0, loser == 0)


def test_who_lost_to_a_stronger_player_did_not_lose_by_the_deal() -> None:
    logs = (played("haymaker", seed=seed) for seed in range(50))
    log = next(log for log in logs if (result := match_at(log).result) is not None and result.ranks[0] == 2)
    assert "exchanged" not in verbs(shown(log, replace(of(log), dealt=(0.5, 0.5))))


def verbs(screen: Screen) -> list[str]:
    return [button.press.verb for row in screen.rows for button in row if isinstance(button, Button)]


@pytest.mark.nightly  # each plays and reviews two matches
@pytest.mark.parametrize("key", [key for key in PLAYERS if not is_race(key)])
def test_every_review_fits_into_a_message_and_names_what_it_found(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    measure_all(monkeypatch)
    case = case_of(key)
    names = tuple("\\_" * 31 + str(seat) for seat in range(6))
    for setting, seats in (case.setups[0], case.setups[-1]):
        log = played(key, setting, seats, seed=5)
        made = reviewed(log)
        match = match_at(log)
        for cards in (TEXT_CARDS, WordCards(say)):
            screen = review_screen(match, made, case.presenter, Reader(say, names[:seats], cards=cards))
            assert is_whole(screen)
            picture = screen.sections[0]
            assert isinstance(picture, Picture)
            assert len(picture.description) <= LONGEST_DESCRIPTION
            assert len([line for line in texts(screen) if line.startswith("-# Better: ")]) == len(made.costly)


MARKS = re.compile(r"[○●“”]|= ?\d")
"""What only buttons have: the marks of a choice, the quotes of a label, and a pair's sum."""


@pytest.mark.parametrize("key", GAMES)
def test_every_move_that_is_offered_is_a_clause_that_quotes_no_button(key: str) -> None:
    case, rng = case_of(key), random.Random(1)
    for (setting, seats), seed in product({case.setups[0], case.setups[-1]}, range(2)):
        log = played(key, setting, seats, seed)
        names = tuple([f"Player {seat}" for seat in range(seats)])
        for moves in rng.sample(range(len(log.moves)), min(20, len(log.moves))):
            state = log.states[moves]
            for seat in range(seats):
                choices = case.game.choices(state, seat)
                act = random_act(choices, rng)
                if act is None:
                    continue
                for cards in (TEXT_CARDS, WordCards(say)):
                    reader = Reader(say, names, cards=cards)
                    clause = clause_of(act, choices, case.game.observe(state, seat), case.presenter, reader)
                    assert clause.key.startswith((f"{key}.", "moves."))  # the latter of a game without its own
                    assert clause.told(say, names[seat]).startswith(names[seat])
                    for said in (clause.told(say, names[seat]), clause.advised(say)):
                        assert not MARKS.search(said)


def test_a_game_without_clauses_names_the_verb_and_a_move_that_is_not_offered_has_no_words() -> None:
    log = played("haymaker")
    match = match_at(log, 0)
    seat = min(match.awaited)
    own, presenter, reader = match.private(seat), case_of("haymaker").presenter, Reader(say, NAMES[:2])
    first, second, *_ = own.own.hand
    clause = Presenter.clause(presenter, Move("attack", (0, 1)), own, reader)
    assert clause.advised(say) == f"Play `{first.name}` `{second.name}`"
    assert Presenter.clause(presenter, Move("hit"), own, reader).told(say, "Ann") == "Ann chose `hit`."
    with pytest.raises(LookupError):
        clause_of(object(), match.choices(seat), match.private(seat), case_of("haymaker").presenter, Reader(say, NAMES))


# ---------------------------------------------------------------------------------------------- never before the end


@pytest.mark.parametrize("key", ["haymaker", "ciq", "tivmiv"])
def test_a_match_that_is_being_played_shows_no_review(key: str) -> None:
    log = played(key)
    made = reviewed(log)
    running = match_at(log, len(log.moves) - 1)
    with pytest.raises(RuntimeError):
        review_screen(running, made, case_of(key).presenter, Reader(say, NAMES[:2]))
    with pytest.raises(RuntimeError):
        running.earlier(len(log.opening), 0)


# ---------------------------------------------------------------------------------------------- hints


def test_a_hint_says_what_to_do_why_and_what_it_is_worth_and_equal_moves_in_one_line() -> None:
    log = played("haymaker", seed=7)
    match = match_at(log, 0)
    seat = min(match.awaited)
    first, second, third, *_ = match.private(seat).own.hand
    hints = (Hint((first.code, second.code), 0.614), Hint((third.code,), 0.5))
    told = hint_lines(match, seat, hints, case_of("haymaker").presenter, Reader(say, NAMES[:2], seat))
    assert told == (
        say.count("hint.best", 2),
        f"Attack with `{first.name}` or `{second.name}`: 61% each",
        "-# It keeps `A♦` `4♦` `8♦` `9♦` `10♦` together for a haymaker.",
        f"Attack with `{third.name}`: 50%",
    )


def test_moves_that_differ_in_more_than_one_thing_are_told_one_after_the_other() -> None:
    attack = [Clause("ciq.{}.damage", {"target": name, "cards": cards}) for name, cards in (("Ann", "7"), ("Ben", "8"))]
    assert advised_any(attack, say) == "Attack Ann with 7; Attack Ben with 8"
    assert advised_any([attack[0], Clause("ciq.{}.draw")], say) == "Attack Ann with 7; Draw a card"
    assert advised_any([attack[0], attack[0]], say) == "Attack Ann with 7"


# ---------------------------------------------------------------------------------------------- curves


def test_the_costly_moves_are_marked_on_their_seats_lines_and_cards_left_rise_to_the_most() -> None:
    log = played("haymaker")
    act = named(log, 4, "hit")
    curve = curve_of(of(log, act))
    (mark,) = curve.marks
    assert (mark.number, mark.seat) == (1, act.seat)
    x, y = mark.point
    assert x == pytest.approx(4 / len(log.moves))
    assert y == pytest.approx(0.25 + x / 2 if act.seat == 0 else 0.75 - x / 2)
    made = Review(Measure.CARDS, 10, (Point(0, (36.0, 36.0)), Point(10, (0.0, 18.0))))
    curve = curve_of(made)
    assert curve == Curve((((0.0, 1.0), (1.0, 0.0)), ((0.0, 1.0), (1.0, 0.5))))


def pixels(curve: Curve) -> Image.Image:
    """The picture of a curve, by the places of its palette."""
    with Image.open(BytesIO(draw_curve(curve))) as opened:
        opened.load()
        return opened.copy()


def test_every_seat_has_a_line_of_its_own_colour_and_a_badge() -> None:
    lines = tuple(((0.0, seat / 6), (1.0, (seat + 1) / 7)) for seat in range(6))
    picture = pixels(Curve(lines))
    assert picture.size == (WIDTH, HEIGHT)
    colours = {colour: count for count, colour in picture.getcolors() or []}
    assert [colours.get(240 + seat, 0) > 300 for seat in range(6)] == [True] * 6
    right = picture.crop((650, 0, WIDTH, HEIGHT))
    assert all(any(right.getpixel((x, y)) != FELT for x in range(right.width)) for y in range(60, HEIGHT - 60, 50))
