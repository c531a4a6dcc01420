"""A hand's rows and lines: what depends on how much there is to choose from."""

from __future__ import annotations

import pytest

from bot.ui import text_lines
from bot.ui.catalogue import catalogue, keys, translations
from bot.ui.screen import Log, Screen, Select
from cogs.screens.hands.hand import FEW_ROWS, LOG_LINES, RACE_LINES, hand_screen, more_on_hand
from cogs.screens.presenter import Reader
from cogs.screens.renderer import written
from engines import haymaker
from engines.champions import Options
from engines.ciq import packs
from laws.bodies import match_after
from laws.hands import buttons
from laws.play import MatchLog
from tests.cogs.games.test_ciq_presenter import holding
from tests.games.cases import case_of

WORDS = translations("en")


def test_many_acts_are_a_list_for_each_kind() -> None:
    """Whom to battle, and whom with dice of one's own number."""
    case = case_of("champions")
    found = 0
    for setting, options in case.settings.items():
        if not isinstance(options, Options) or not options.victory_dice:
            continue
        for match, seat in buttons.questions(case, setting, 5):
            verbs = [offer.verb for offer in match.choices(seat)]
            if len(verbs) > 5 and verbs[0].startswith("battle"):
                found += 1
                screen = hand_screen(match, seat, case.presenter, Reader(WORDS, tuple("ABCDE"), seat))
                (battles,), (takes,), (explains,) = screen.rows
                assert isinstance(battles, Select)
                assert isinstance(takes, Select)
                assert [option.value for option in (*battles.options, *takes.options)] == verbs
                assert explains.press.verb == "explain"
    assert found


@pytest.mark.parametrize("key", [key for key in sorted(keys(catalogue("en"))) if key.startswith(("press.", "store."))])
def test_what_became_of_a_press_is_told_whole_in_the_few_lines_of_a_race(key: str) -> None:
    """Cut short, *may or may not be saved* would be read as *saved*."""
    note = WORDS(key, limit=10, told="")
    assert text_lines.fits(note, RACE_LINES - 1), "the prompt has a line"


def log_lines(cards: int) -> int:
    """How many lines of a phone the last events have in a hand of this size."""
    case = case_of("ciq")
    screen = hand_screen(holding(packs(1)[:cards]), 0, case.presenter, Reader(WORDS, tuple("ABCDEF"), 0))
    (log,) = [section for section in screen.sections if isinstance(section, Log)]
    return sum(len(text_lines.wrapped(line)) for line in log.lines)


def test_the_last_events_have_a_few_lines_of_a_phone_and_fewer_beside_many_cards() -> None:
    case = case_of("ciq")
    most = 0
    for match, seat in buttons.questions(case, "default", 6):
        screen = buttons.shown(case, match, seat)
        (log,) = [section for section in screen.sections if isinstance(section, Log)]
        rows = sum(1 for row in screen.rows if row[0].press.verb == "p")
        lines = sum(len(text_lines.wrapped(line)) for line in log.lines)
        assert lines <= LOG_LINES - max(0, rows - FEW_ROWS) or len(log.lines) == 1
        most = max(most, lines)
    assert most >= LOG_LINES - 1
    assert log_lines(25) <= log_lines(3)


def test_what_was_moved_is_still_in_sight() -> None:
    """The latest event is shown however long it is."""
    case = case_of("haymaker")
    log, moments = buttons.played(case, "default", 2)
    for moves in moments[1:]:
        match = match_after(log, moves)
        for seat in match.awaited:
            (told,) = [each for each in buttons.shown(case, match, seat).sections if isinstance(each, Log)]
            assert told.lines


def words_of(screen: Screen) -> str:
    return "\n".join((*map(written, screen.sections), screen.footer))


def replied_to() -> tuple[MatchLog, int]:
    """A match of Haymaker, and after how many moves its second player must reply for the first time."""
    log, _ = buttons.played(case_of("haymaker"), "default", 2)
    return log, next(moves for moves in range(len(log.moves)) if log.moves[moves].action == haymaker.TakeHit())


def test_a_hand_without_a_board_says_each_thing_once_and_more_has_the_whole_table() -> None:
    case = case_of("haymaker")
    log, moves = replied_to()
    match = match_after(log, moves, alone=True)
    (seat,) = match.awaited
    names = ("Alice", "Bob")
    reader = Reader(WORDS, names, seat)
    said = words_of(hand_screen(match, seat, case.presenter, reader))
    public = match.public()
    other = names[1 - seat]
    laid = f"{other} attacks with"
    assert f"**{other}** · {WORDS.count('haymaker.in_hand', public.hands[1 - seat])}" in said
    assert f"**{names[seat]}** ·" not in said
    assert WORDS("practice.no_clock") in said
    assert said.count(WORDS.count("picture.draw", public.draw)) == 1
    assert said.count(laid) + said.count(f"{other} throws") == 1
    more = words_of(more_on_hand(match, case.presenter, reader))
    for name in names:
        assert f"**{name}** ·" in more
    assert WORDS("haymaker.piles", draw=public.draw, burned=public.burned) in more
    assert WORDS("practice.hand_ends") in more


def test_a_hand_beside_a_board_has_no_line_of_another_player() -> None:
    case = case_of("haymaker")
    log, moves = replied_to()
    match = match_after(log, moves)
    (seat,) = match.awaited
    said = words_of(hand_screen(match, seat, case.presenter, Reader(WORDS, ("Alice", "Bob"), seat)))
    assert "· " not in said
    assert WORDS("practice.no_clock") not in said
