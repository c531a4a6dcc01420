"""What people see of leagues: all of it fits into a message, and has what they need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.languages import DEFAULT_LANGUAGE, languages
from bot.ui.catalogue import Translations, translations
from bot.ui.screen import Button, Screen, Select, Tone
from cogs.leagues import screens
from cogs.leagues.queries import Whole
from cogs.screens.renderer import sheet
from laws.limits import faults
from tests.cogs.leagues.made import FIRST, ID, joined, over, playing, view
from tests.games.cases import case_of

say = translations("en")
ANY = case_of("haymaker")
LONG = "\\_\\_Hieronymus von La\\_\\_"
"""A name as wide as names can be, in its safe form, with a number behind it."""
STRANGER = 99
WAITING = 5


def moments(count: int) -> Iterator[Whole]:
    """A league from its opening to its end."""
    yield joined(0)
    yield joined(count)
    yield playing(count, 1)
    yield playing(count)
    yield playing(count, 9)  # the last matches
    yield over(count)
    yield replace(over(count), league=replace(over(count).league, ended_at=5))


def shown(whole: Whole, words: Translations, name: str = LONG) -> Iterator[Screen]:
    """All screens of a league."""
    of = view(whole, name)
    yield screens.public_screen(of, words)
    for user in (STRANGER, WAITING, *[FIRST + number for number in range(4)]):
        yield screens.own_screen(of, user, words)
    for page in (0, 1, 99):
        yield screens.standings_screen(of, page, words)
    for host in (False, True):
        yield screens.more_screen(of, words, 7, host=host, note=words("league.started"))
    yield screens.ask_screen(of, words)


@pytest.mark.parametrize("language", languages())
def test_every_screen_fits_into_a_message(language: str) -> None:
    for count in (4, 64) if language == DEFAULT_LANGUAGE else (64,):
        for whole in moments(count):
            for screen in shown(whole, translations(language)):
                components = sheet(screen, ID).to_components()
                assert faults(ANY, components) == {}
                assert all(0 < len(row) <= 5 for row in screen.rows if row)


def text_of(screen: Screen) -> str:
    return str(sheet(screen, ID).to_components())


def verbs_of(screen: Screen) -> list[str]:
    controls = [each for row in screen.rows for each in row]
    return [each.press.verb for each in controls if isinstance(each, Button | Select)]


@pytest.mark.parametrize("whole", [joined(0), joined(4), playing(4), over(4)])
def test_its_message_is_there_while_its_game_is_not_installed(whole: Whole) -> None:
    screen = screens.public_screen(view(replace(whole, league=replace(whole.league, game="gone"))), say)
    assert "Gone" in screen.title


def test_everybody_sees_the_pairings_of_the_week_and_the_table_with_halves_and_after_it_who_goes_up_and_down() -> None:
    text = text_of(screens.public_screen(view(playing(4)), say))
    for part in ("week 2 of 3", "<t:9000:R>", "Division 1", "[board](", "[challenged](", "Ann102 · "):
        assert part in text
    assert [text.count(f" · {say(key)}") for key in ("league.substitute", "league.left")] == [1, 1]
    assert say("league.goes_up") not in text
    text = text_of(screens.public_screen(view(playing(4, 9)), say))
    assert all(f" · **{points}**" in text for points in ("2½", "1", "½", "0"))
    text = text_of(screens.public_screen(view(over(9)), say))
    assert (text.count(say("league.goes_up")), text.count(say("league.goes_down"))) == (1, 1)
    assert say("league.season_over", season=1) in text


def test_who_may_join_reads_how_long_a_turn_is_and_that_is_the_first_thing_to_do_until_it_is_played() -> None:
    tones = []
    for whole in (joined(4), playing(4)):
        (row,) = screens.public_screen(view(whole), say).rows
        tones.append({each.press.verb: each.tone for each in row if isinstance(each, Button)})
    assert (tones[0]["lgjoin"], tones[1]["lgjoin"], tones[1]["lgmine"]) == (Tone.GOOD, Tone.PLAIN, Tone.MAIN)
    assert "Clock: blitz" in text_of(screens.public_screen(view(joined(4)), say))


def test_divisions_without_room_are_behind_a_button() -> None:
    screen = screens.public_screen(view(playing(64), LONG), say)
    assert "behind **Tables**" in text_of(screen)
    assert "lgrows" in verbs_of(screen)


@pytest.mark.parametrize(("count", "rows"), [(4, 0), (9, 1)])
def test_only_where_there_are_several_divisions_one_turns_to_others(count: int, rows: int) -> None:
    assert len(screens.standings_screen(view(playing(count)), 0, say).rows) == rows


def test_somebody_has_the_buttons_for_what_they_can_do() -> None:
    asked = next(each for each in playing(9).pairings if each.week == 2)
    whole = replace(playing(9), offers=())
    whole = replace(whole, members=(*whole.members, *joined(9).members[-1:]))
    of = view(whole)
    player = whole.place(asked.first).user_id
    assert verbs_of(screens.own_screen(of, player, say)) == ["lgplay", "lgleave", "lgrows"]
    assert verbs_of(screens.own_screen(of, WAITING, say)) == ["lgleave", "lgrows"]
    assert verbs_of(screens.own_screen(of, STRANGER, say)) == ["lgjoin", "lgrows"]
    ended = replace(whole, league=replace(whole.league, ended_at=1))
    assert verbs_of(screens.own_screen(view(ended), player, say)) == ["lgrows"]


def test_only_a_host_has_the_buttons_of_one() -> None:
    of = view(joined(4))
    assert verbs_of(screens.more_screen(of, say, 2, host=False)) == []
    assert verbs_of(screens.more_screen(of, say, 2, host=True)) == ["lgstart", "lgend", "lgremove"]
    assert verbs_of(screens.more_screen(of, say, 7, host=True)) == ["lgstart", "lgmove", "lgend", "lgremove"]
    of = view(playing(64))
    assert verbs_of(screens.more_screen(of, say, 2, host=True)) == ["lgend", *["lgremove"] * 3]
