"""The result on the board: once a match is over, everybody's cards are open."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from contextlib import suppress

import pytest

import cogs.screens.result
from bot.games import GAMES
from bot.play.live_match import LiveMatch
from bot.play.match_state import codec
from bot.ratings import SCALE, Rating
from bot.store.queries.matches import Record, Result
from bot.store.queries.profiles import HeadToHead
from bot.store.queries.standings import ResultEffects
from bot.store.scoring import RatingChange
from bot.ui.catalogue import translations
from bot.ui.screen import Button, Cards, Log, Picture, Screen, Section, Text
from cogs.screens.board import board_screen
from cogs.screens.card_text import TEXT_CARDS
from cogs.screens.cards.words import WordCards
from cogs.screens.hands.hand import hand_screen
from cogs.screens.presenter import Pictured, Reader
from cogs.screens.renderer import is_whole
from cogs.screens.result import HANDS, more_about
from cogs.wiring import additions_of
from engines.cards import Card, Suit
from engines.deals import short_seal
from engines.game import Event, IllegalAction, Resign, TimeUp, seen_by
from laws.bodies import match_after, match_of, records_of
from laws.play import MatchLog, random_match
from tests.games.cases import case_of, deal_of, is_race

NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Finn")


@pytest.mark.parametrize("game", GAMES)
def test_the_result_shows_what_everybody_held_and_a_running_board_does_not(game: str) -> None:
    case = case_of(game)
    presenter, (setting, seats) = case.presenter, case.setups[0]
    reader = Reader(translations("en"), NAMES[:seats])
    deal = case.deal(setting, seats, random.Random(5))
    wanted = 40 if is_race(game) else 12  # until then, nobody has drawn a card
    moves = min(wanted, len(random_match(deal, random.Random(5)).moves) // 2)
    log = random_match(deal, random.Random(5), moves=moves)
    running = match_of(deal, log.events(), moves)
    over = match_of(deal, all_but_one_leave(log), moves + 1)
    assert over.over
    shown = [each for each in in_words(board_screen(over, presenter, reader)) if isinstance(each, Cards)]
    held = {name: presenter.held(over.private(seat)) for seat, name in enumerate(reader.names)}
    assert any(held.values())
    for name, cards in held.items():
        assert (TEXT_CARDS.listed(f"**{name}** held:", cards) in shown) is bool(cards)
    assert not any(" held:" in str(each) for each in board_screen(running, presenter, reader).sections)


def in_words(screen: Screen) -> list[Section]:
    """The sections of a screen whose pictures could not be drawn."""
    return [part for each in screen.sections for part in (each.instead if isinstance(each, Picture) else (each,))]


def all_but_one_leave(log: MatchLog) -> tuple[Event, ...]:
    """The facts of a match, and of its end: everybody resigns but seat 0, or who is left of them."""
    state, events, game = log.states[-1], log.events(), log.deal.game
    for seat in range(1, log.deal.seats):
        with suppress(IllegalAction):  # who was knocked out can't leave, and nobody can once it is over
            facts = game.decide(state, seat, Resign(), log.deal.chance(len(log.moves) + 1))
            events, state = (*events, *facts), facts.state
    return events


def test_a_row_that_is_too_long_says_how_many_cards_it_leaves_out() -> None:
    cards = [Card(1 + n % 13, Suit.SPADES) for n in range(1000)]
    kept = TEXT_CARDS.listed("", cards, room=HANDS // 6).cards
    assert kept[-1] == f"+{1000 - (len(kept) - 1)}"
    assert len(" ".join(kept)) <= HANDS // 6
    assert TEXT_CARDS.listed("", cards[:5], room=HANDS) == TEXT_CARDS.listed("", cards[:5])


# ---------------------------------------------------------------------------------------------- who won, and why


say = translations("en")


def ended(game: str, seats: int = 0, *, leavers: tuple[int, ...] = (), moves: int = 12, seed: int = 1) -> LiveMatch:
    """A match of a game, of the fewest seats unless it is told, that was played by chance to its end, or until these
    seats left after some moves."""
    setting, fewest = case_of(game).setups[0]
    deal = deal_of(game, setting, seats or fewest, random.Random(seed))
    log = random_match(deal, random.Random(seed), moves=moves if leavers else None)
    events = log.events()
    state = log.states[-1]
    for seat in leavers:
        facts = deal.game.decide(state, seat, Resign(), deal.chance(len(log.moves) + 1))
        events, state = (*events, *facts), facts.state
    match = match_of(deal, events, len(log.moves))
    assert match.over
    return match


def lines(screen: Screen) -> list[str]:
    """All lines of text on a screen."""
    return "\n".join(section.text for section in screen.sections if isinstance(section, Text)).splitlines()


def board_of(match: LiveMatch) -> Screen:
    """The result on the board."""
    reader = Reader(say, NAMES[: len(match.seats)])
    return board_screen(match, case_of(match.game.info.key).presenter, reader)


def more_of(match: LiveMatch, names: Sequence[str] = NAMES) -> Screen:
    """What is behind *More…*."""
    reader = Reader(say, tuple(names[: len(match.seats)]))
    return more_about(match, case_of(match.game.info.key).presenter, reader, None, may_look=True)


def hand_of(match: LiveMatch, seat: int) -> Screen:
    """The result in a hand."""
    reader = Reader(say, NAMES[: len(match.seats)], seat)
    return hand_screen(match, seat, case_of(match.game.info.key).presenter, reader)


def sole_winner(match: LiveMatch) -> int | None:
    """The seat that won alone, None if there is none."""
    first = [seat for seat, rank in enumerate(match.result.ranks if match.result else ()) if rank == 1]
    return first[0] if len(first) == 1 else None


@pytest.mark.parametrize("game", GAMES)
def test_a_result_begins_with_the_winner_and_then_says_why(game: str) -> None:
    match = next(each for seed in range(1, 50) if sole_winner(each := ended(game, seed=seed)) is not None)
    assert match.result is not None
    winner = sole_winner(match)
    assert winner is not None
    why = say(f"{game}.ending.{match.result.kind}")
    first, second, *_ = lines(board_of(match))
    assert (first, second) == (f"**{NAMES[winner]} wins.**", why)
    assert lines(hand_of(match, winner))[:2] == ["**You win.**", why]
    other = next(seat for seat in range(len(match.seats)) if seat != winner)
    assert lines(hand_of(match, other))[:2] == [first, why]


def test_who_left_reads_that_they_did() -> None:
    match = ended("haymaker", leavers=(0,))
    assert lines(board_of(match))[:2] == ["**Ben wins.**", "Ann resigned."]
    assert lines(hand_of(match, 0))[:2] == ["**Ben wins.**", "You resigned."]
    assert lines(hand_of(match, 1))[:2] == ["**You win.**", "Ann resigned."]


def test_with_more_than_two_the_last_who_stayed_wins() -> None:
    match = ended("ciq", 3, leavers=(1, 0))
    assert lines(board_of(match))[:2] == ["**Cleo wins.**", say("ending.last_left")]
    assert lines(hand_of(match, 1))[:2] == ["**Cleo wins.**", say("ending.last_left")]


def over(kind: str, ranks: tuple[int, ...], *, counted: bool = True, game: str = "ciq") -> LiveMatch:
    """A match of three that is over in this way."""
    deal = deal_of(game, "default", max(2, len(ranks)), random.Random(1))
    log = random_match(deal, random.Random(1), moves=3)
    match = match_after(log, 3)
    match.replay(records_of(log, 3), (), Result(match.id, kind, ranks, 0, counted=counted))
    return match


def test_a_shared_win_names_all_who_share_it_and_a_draw_nobody() -> None:
    match = over("decision", (1, 1, 3))
    assert lines(board_of(match))[0] == "**Ann and Ben share the win.**"
    assert lines(hand_of(match, 0))[0] == "**You share the win with Ben.**"
    assert lines(hand_of(match, 2))[0] == "**Ann and Ben share the win.**"
    for screen in (board_of(over("decision", (1, 1, 1))), hand_of(over("decision", (1, 1, 1)), 0)):
        assert lines(screen)[0] == "**A draw.**"
    both = over("time", (1, 1), game="unbreakable")
    assert lines(board_of(both))[:2] == ["**A draw.**", say("ending.time_both")]


def test_a_match_that_does_not_count_says_why() -> None:
    match = over("called_off", (), counted=False)
    assert lines(board_of(match))[:2] == [f"**{say('ending.called_off')}**", say("ending.uncounted")]
    match = over("time", (1, 2), counted=False, game="haymaker")
    assert say("ending.uncounted_short", least=4) in lines(board_of(match))
    assert say("ending.uncounted_short", least=4) in lines(hand_of(match, 0))


@pytest.mark.parametrize("game", ["ciq", "haymaker", "unbreakable"])
def test_a_hand_never_speaks_of_no_cards_as_a_number(game: str) -> None:
    case = case_of(game)
    for seed in range(40):
        deal = deal_of(game, "default", 2, random.Random(seed))
        log = random_match(deal, random.Random(seed))
        match = match_of(deal, log.events(), len(log.moves))
        empty = [seat for seat in (0, 1) if not match.private(seat).own.hand]
        for seat in empty:
            reader = Reader(say, NAMES[:2], seat)
            shown = hand_screen(match, seat, case.presenter, reader)
            assert not any(isinstance(each, Cards) and "0 cards" in each.label for each in shown.sections)
            assert say(f"{game}.no_cards") in lines(shown)
        if empty:
            return
    pytest.fail("nobody ever ended with an empty hand")


def test_a_result_counts_the_moves_of_players_alone() -> None:
    deal = deal_of("haymaker", "default", 2, random.Random(1))
    log = random_match(deal, random.Random(1), moves=5)
    match = match_after(log, 5)
    assert match.moves == 5
    acts = records_of(log, 5)
    leaving = Record(match.id, 6, None, 0, codec("haymaker").encode(Resign()), "[]", 0)
    clock = Record(match.id, 7, None, None, codec("haymaker").encode(TimeUp("turn", "1")), "[]", 0)
    match.replay([*acts, leaving, clock], (), Result(match.id, "time", (1, 2), 0, counted=True))
    assert match.moves == 5
    assert any(line.startswith("After 5 moves.") for line in lines(more_of(match)))


@pytest.mark.slow  # plays matches at every table of every game
@pytest.mark.parametrize("game", GAMES)
def test_no_result_is_cut_whatever_the_names(game: str) -> None:
    case = case_of(game)
    seats = max(case.game.info.seats)
    names = tuple("\\_" * 31 + str(seat) for seat in range(seats))
    for setting, number in case.setups:
        for seed in range(3 if number == seats else 0):
            deal = deal_of(game, setting, seats, random.Random(seed))
            log = random_match(deal, random.Random(seed))
            match = match_of(deal, log.events(), len(log.moves))
            shown = board_screen(match, case.presenter, Reader(say, names))
            assert is_whole(shown)
            more = more_of(match, names)
            assert is_whole(more)
            won = any(
                isinstance(each, Log) and any("What won it" in line for line in each.lines) for each in more.sections
            )
            assert won is (case.presenter.decisive(seen_by_all(log.events())) is not None)


def seen_by_all(events: Sequence[Event]) -> list[Event]:
    """The events as everybody may know them."""
    return [seen for event in events if (seen := seen_by(event, None)) is not None]


def test_moments_that_are_too_long_are_left_out_from_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Log(("first " * 700, "second", "won"))
    monkeypatch.setattr(cogs.screens.result, "moments", lambda *_: told)
    shown = more_of(ended("haymaker"))
    assert [each for each in shown.sections if isinstance(each, Log)] == [Log(("second", "won"))]


# ---------------------------------------------------------------------------------------------- ratings, and the two


def rated(
    *ratings: tuple[int, int, int], head_to_head: HeadToHead | None = None, ranks: tuple[int, ...] = ()
) -> LiveMatch:
    """A match whose ratings changed so: before and after as players read them, and the matches behind it."""
    ranks = ranks or tuple(range(1, 1 + len(ratings)))
    match = over("decision", ranks, game="ciq" if len(ratings) > 2 else "haymaker")
    changes = [
        RatingChange(Rating(old / SCALE, 8.0), Rating(new / SCALE, 8.0 if n < 10 else 6.0), n)
        for old, new, n in ratings
    ]
    match.note_effects(ResultEffects(tuple(changes), head_to_head))
    return match


def listed(screen: Screen) -> list[str]:
    """The players with what a result says of each, below the picture."""
    return [line for line in lines(screen) if re.match(r"[①-⑥] \*\*", line)]


def test_both_ratings_and_the_results_of_the_two_so_far_are_told() -> None:
    screen = board_of(rated((1000, 1105, 9), (1200, 1191, 10), head_to_head=HeadToHead((3, 1))))
    assert listed(screen) == ["① **Ann** · rating 1105 (+105)", "② **Ben** · rating 1191 (−9)"]
    assert lines(screen)[-1] == "In this server so far: **Ann 3 : 1 Ben**"
    screen = board_of(rated((1000, 1105, 4), (1200, 1191, 4), head_to_head=HeadToHead((0, 2), 1)))
    assert lines(screen)[-1] == "In this server so far: **Ann 0 : 2 Ben**, and 1 draw"


def test_a_rating_that_did_not_change_says_so_and_a_result_that_does_not_count_has_none() -> None:
    assert listed(board_of(rated((1000, 1000, 12), (1200, 1200, 12))))[0] == "① **Ann** · rating 1000 (±0)"
    assert listed(board_of(over("time", (1, 2), counted=False, game="haymaker"))) == ["① **Ann**", "② **Ben**"]


def test_with_more_than_two_the_winner_is_first_and_each_has_their_disc_place_and_rating() -> None:
    match = rated((1000, 1105, 1), (1200, 1191, 20), (900, 880, 20), ranks=(2, 3, 1))
    assert listed(board_of(match)) == [
        "③ **Cleo** · place 1 · rating 880 (−20)",
        "① **Ann** · place 2 · rating 1105 (+105)",
        "② **Ben** · place 3 · rating 1191 (−9)",
    ]
    assert "In this server" not in str(board_of(match).sections)


def test_equal_places_say_so() -> None:
    shown = listed(board_of(over("decision", (2, 2, 1), counted=False)))
    assert shown == ["③ **Cleo** · place 1", "① **Ann** · place 2, shared", "② **Ben** · place 2, shared"]


@pytest.mark.parametrize("game", GAMES)
def test_the_cards_are_told_once_in_the_picture_or_to_who_wants_words_in_words(game: str) -> None:
    match, presenter = ended(game), case_of(game).presenter
    if isinstance(presenter, Pictured):
        pictured = board_of(match)
        assert any(isinstance(each, Picture) for each in pictured.sections)
        assert not any(isinstance(each, Cards) for each in pictured.sections)
    spoken = Reader(say, NAMES[: len(match.seats)], cards=WordCards(say))
    shown = board_screen(match, presenter, spoken)
    assert not any(isinstance(each, Picture) for each in shown.sections)
    assert not listed(shown)
    held = [presenter.held(match.private(seat)) for seat in range(len(match.seats))]
    assert sum(" held:" in str(each) for each in shown.sections) == sum(map(bool, held))


def test_a_loss_in_a_series_that_counts_for_no_rating_says_both_in_one_line() -> None:
    deal = deal_of("haymaker", "default", 2, random.Random(1))
    log = random_match(deal, random.Random(1), moves=1)
    match = match_of(deal, log.events(), 1, ranks=(1, 2), held=True)
    match.replay(records_of(log, 1), (), Result(match.id, "time", (1, 2), 0, counted=False))
    why = say("ending.uncounted_short", least=4)
    assert say("ending.counted_in_series", why=why) in lines(board_of(match))


@pytest.mark.parametrize("game", GAMES)
def test_a_result_has_at_most_three_buttons_and_no_codes(game: str) -> None:
    match = ended(game)
    reader = Reader(say, NAMES[: len(match.seats)], added=additions_of())
    screen = board_screen(match, case_of(game).presenter, reader)
    assert [each.label for row in screen.rows for each in row if isinstance(each, Button)] == [
        "Rematch",
        "Replay",
        "More…",
    ]
    for code in (match.id, match.deal_id, short_seal(bytes.fromhex(match.commitment))):
        assert code not in str(screen)
