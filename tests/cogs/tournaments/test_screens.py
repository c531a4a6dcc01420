"""What people see of tournaments: what is closed, what Discord takes, and how much there is to press."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.pairing.model import Format
from bot.ui.catalogue import translations
from bot.ui.screen import Button, Picture, Screen, Select
from cogs.screens.custom_ids import UnknownCustomId
from cogs.screens.renderer import is_whole, render, sheet
from cogs.screens.tables import with_pictures
from cogs.tournaments import exports, screens
from cogs.tournaments.queries import Correction, Hold, How, State, Whole
from cogs.tournaments.setup import OFFERED, Dealt, Pace, Setup
from laws.limits import faults
from tests.cogs.tournaments.made import ID, LONG, ended, joined, played, tournament, view
from tests.games.cases import case_of

say = translations("en")
ANY = case_of("haymaker")
STRANGER = 5
MOST_CONTROLS = 5
SHARED = (Dealt.SAME, Dealt.FIELD, Dealt.TWICE)


def shown(of: screens.View) -> Iterator[tuple[str, Screen]]:
    """All screens of a tournament, with what each is."""
    yield "public", screens.public_screen(of, say)
    for user_id in (STRANGER, *[each.user_id for each in of.whole.entrants][:3]):
        yield f"own {user_id}", screens.own_screen(of, user_id, say)
    for page in (0, 1, 2, 3):
        yield f"standings {page}", screens.standings_screen(of, page, say)
    for host in (False, True):
        yield f"more {host}", screens.more_screen(of, say, host=host)
    yield "ask", screens.ask_screen(of, say)
    if of.whole.in_round and of.whole.in_round[0].second is not None:
        yield "correct", screens.correct_screen(of, of.whole.in_round[0], say)


def moments(form: Format, dealt: Dealt, count: int) -> Iterator[Whole]:
    """A tournament from its opening to its end."""
    of = tournament(form, dealt)
    yield joined(0, of)
    yield joined(count, of)
    yield joined(count, replace(of, state=State.CHECKING, due_at=2_000_000))
    for rounds in (1, 2):
        yield played(count, of, rounds)
    over = played(count, of, 2, over=True)
    yield over
    corrections = tuple([Correction(1, 1, nth, nth, 100, (1, 1)) for nth in range(1, 9)])
    yield replace(over, tournament=replace(over.tournament, hold=Hold.PLACE), corrections=corrections)
    yield ended(played(count, of, 2, over=True))
    yield replace(joined(count, of), tournament=replace(of, state=State.CALLED_OFF, ended_at=3))


def written(of: screens.View) -> list[bytes]:
    """Every byte that anybody gets of a tournament."""
    found = [json.dumps(render(screen, ID)).encode() for _, screen in shown(of)]
    found += [sheet(with_pictures(screen), ID).picture for _, screen in shown(of)]
    return [*found, exports.csv_of(of), exports.json_of(of)]


def called_off(whole: Whole) -> Whole:
    """The same, called off while its matches go on."""
    return replace(whole, tournament=replace(whole.tournament, state=State.CALLED_OFF, ended_at=9_000_000))


@pytest.mark.parametrize("form", OFFERED)
@pytest.mark.parametrize("dealt", SHARED)
def test_nothing_of_a_round_is_told_while_its_deal_is_played(form: Format, dealt: Dealt) -> None:
    of = tournament(form, dealt)
    one, other = (view(played(9, of, 2, luck=luck)) for luck in (1, 2))
    assert one.whole != other.whole
    assert written(one) == written(other)
    assert written(view(called_off(one.whole))) == written(view(called_off(other.whole)))
    open_one, open_other = (view(played(9, of, 2, luck=luck, over=True)) for luck in (1, 2))
    assert written(open_one) != written(open_other)


def test_a_match_that_goes_on_after_its_round_keeps_it_closed() -> None:
    whole = played(4, tournament(), 1, over=True)
    goes_on = replace(whole.pairings[0], how=How.LATE, legs=(replace(whole.pairings[0].legs[0], got=None),))
    late = replace(whole, pairings=(goes_on, *whole.pairings[1:]))
    assert not screens.is_closed(whole, whole.pairings[1])
    assert screens.is_closed(late, late.pairings[1])
    assert say("tournament.closed") in str(screens.public_screen(view(late), say))


@pytest.mark.parametrize("form", OFFERED)
@pytest.mark.parametrize("count", [4, 64])
def test_every_screen_is_one_that_discord_takes_with_few_controls_and_no_label_twice(form: Format, count: int) -> None:
    for whole in moments(form, Dealt.TWICE, count):
        for name, screen in shown(view(whole, LONG)):
            where = f"{form} {whole.tournament.state} {name}"
            made = with_pictures(screen)
            assert faults(ANY, render(made, ID)) == {}, where
            assert is_whole(made), where
            controls = [control for row in made.rows for control in row]
            labels = [each.label for each in controls if isinstance(each, Button)]
            assert len(controls) <= MOST_CONTROLS, where
            assert len(set(labels)) == len(labels), where
            if name == "public":
                assert len(controls) <= 4


def test_a_picture_is_described_by_the_standings() -> None:
    for form in OFFERED:
        screen = screens.standings_screen(view(played(64, tournament(form, Dealt.OWN), 2, over=True), LONG), 0, say)
        (picture,) = [each for each in screen.sections if isinstance(each, Picture)]
        assert "no. " in picture.description
        assert "**" not in picture.description


def test_a_panel_offers_what_goes_together_and_its_ids_are_read_as_they_were_written() -> None:
    first = Setup("haymaker", "90s", "standard" if "standard" in _presets() else _presets()[0])
    for form in OFFERED:
        for pace in Pace:
            for dealt in Dealt:
                setup = replace(first, form=form, pace=pace, dealt=dealt, most=64, minutes=7 * 24 * 60).fitted()
                assert Setup.read(setup.write()) == setup
                screen = screens.panel_screen(setup, say)
                assert faults(ANY, render(screen, screens.SUBJECT)) == {}
                assert sum(map(len, screen.rows)) <= MOST_CONTROLS
                for (control,) in screen.rows:
                    if isinstance(control, Select):
                        assert sum(option.chosen for option in control.options) == 1
                        assert all(Setup.read(option.value) for option in control.options)
    assert replace(first, pace=Pace.WEEK).fitted().dealt is Dealt.OWN


@pytest.mark.parametrize(
    "text",
    [
        "",
        "haymaker",
        "chess.0.0.0.0.16.15.1.blitz",
        "haymaker.9.0.0.0.16.15.1.blitz",
        "haymaker.0.0.0.0.3.15.1.blitz",
        "haymaker.0.0.0.0.16.0.1.blitz",
        "haymaker.0.0.2.0.16.15.1.blitz",
        "haymaker.0.0.0.0.16.15.1.nonsense",
    ],
)
def test_what_is_no_panel_is_refused(text: str) -> None:
    with pytest.raises(UnknownCustomId):
        Setup.read(text)


def test_a_spreadsheet_works_out_no_name() -> None:
    whole = played(4, tournament(dealt=Dealt.OWN), 1, over=True)
    of = replace(view(whole), names={each.user_id: "=1+1" for each in whole.entrants})
    assert b"'=1+1" in exports.csv_of(of)
    assert b",=1+1" not in exports.csv_of(of)


def test_the_files_have_results_and_nobodys_id() -> None:
    whole = ended(played(5, tournament(dealt=Dealt.OWN), 2, over=True))
    told: dict[str, Any] = json.loads(exports.json_of(view(whole)))
    assert len(told["results"]) == len(whole.pairings)
    assert told["standings"]["rows"][0]["place"] == 1
    assert not any(str(each.user_id) in json.dumps(told["players"]) for each in whole.entrants)


def _presets() -> list[str]:
    return [*ANY.game.info.presets]
