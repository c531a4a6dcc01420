"""What people see of tournaments: what is closed, what Discord takes, and how much there is to press."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.art.chart_picture import BOX, Box, Chart, Look
from bot.pairing.elimination import bracket
from bot.pairing.model import Format, half_points
from bot.ui.catalogue import translations
from bot.ui.screen import Button, Picture, Screen, Select, Text
from cogs.screens.custom_ids import UnknownCustomId
from cogs.screens.renderer import is_whole, render
from cogs.tournaments import exports, screens
from cogs.tournaments.commands import correct_screen, got_by
from cogs.tournaments.panel import OFFERED, Dealt, Pace, Setup, panel_screen
from cogs.tournaments.pictures import MOST_COLUMNS
from cogs.tournaments.rows import LOST_EVENT, Correction, Hold, How, PairingRow, State, Whole
from laws.bodies import as_drawn
from laws.limits import faults
from tests.cogs.tournaments.made import ID, LONG, ended, joined, played, tournament, view
from tests.games.cases import case_of

say = translations("en")
ANY = case_of("haymaker")
STRANGER = 5
MOST_CONTROLS = 5
SHARED = (Dealt.SAME, Dealt.FIELD, Dealt.TWICE, Dealt.TEAMS)
ROUNDS = tuple(form for form in OFFERED if form is not Format.ARENA)


def shown(of: screens.View) -> Iterator[tuple[str, Screen]]:
    """All screens of a tournament, with what each is."""
    yield "public", screens.public_screen(of, say)
    for user_id in (STRANGER, *[each.user_id for each in of.whole.entrants][:3:2]):
        yield f"own {user_id}", screens.own_screen(of, user_id, say)
    for page in (0, 1, 3):
        yield f"standings {page}", screens.standings_screen(of, page, say)
    for host in (False, True):
        yield f"more {host}", screens.more_screen(of, say, host=host)
    yield "ask", screens.ask_screen(of, say)
    if of.whole.in_round and not of.whole.in_round[0].is_bye:
        for order in ("", "1"):
            yield f"correct {order}", correct_screen(of, of.whole.in_round[0], order[: of.tournament.seats - 2], say)


def moments(form: Format, dealt: Dealt, count: int, seats: int = 2) -> Iterator[Whole]:
    """A tournament from its opening to its end."""
    of = tournament(form, dealt, seats=seats)
    yield joined(0, of)
    yield joined(count, of)
    yield joined(count, replace(of, state=State.CHECKING, due_at=2_000_000))
    for rounds in (1, 2):
        yield played(count, of, rounds)
    over = played(count, of, 2, over=True)
    yield over
    drawn = half_points([0] * len(over.pairings[0].people))
    corrections = tuple([Correction(1, 1, nth, nth, 100, drawn) for nth in range(1, 9)])
    yield replace(over, tournament=replace(over.tournament, hold=Hold.VENUE), corrections=corrections)
    yield ended(played(count, of, 2, over=True))
    yield replace(joined(count, of), tournament=replace(of, state=State.CALLED_OFF, ended_at=3))


def written(of: screens.View) -> list[Screen | bytes]:
    """All that anybody gets of a tournament. What Discord is sent, and its pictures, are made of the screens alone."""
    return [*[screen for _, screen in shown(of)], exports.csv_of(of), exports.json_of(of)]


def called_off(whole: Whole) -> Whole:
    """The same, called off while its matches go on."""
    return replace(whole, tournament=replace(whole.tournament, state=State.CALLED_OFF, ended_at=9_000_000))


@pytest.mark.parametrize("form", OFFERED)
def test_its_message_is_there_while_its_game_is_not_installed(form: Format) -> None:
    for whole in moments(form, Dealt.OWN, 6):
        gone = replace(whole, tournament=replace(whole.tournament, game="gone"))
        screen = screens.public_screen(view(gone), say)
        assert "Gone" in screen.title


@pytest.mark.parametrize("form", ROUNDS)
@pytest.mark.parametrize("dealt", SHARED)
def test_nothing_of_a_round_is_told_while_its_deal_is_played(form: Format, dealt: Dealt) -> None:
    of = tournament(form, dealt)
    one, other = (view(played(12, of, 2, luck=luck)) for luck in (1, 2))
    assert one.whole != other.whole
    assert written(one) == written(other)
    assert written(view(called_off(one.whole))) == written(view(called_off(other.whole)))
    open_one, open_other = (view(played(12, of, 2, luck=luck, over=True)) for luck in (1, 2))
    assert written(open_one) != written(open_other)


def test_a_match_that_goes_on_after_its_round_keeps_it_closed() -> None:
    whole = played(4, tournament(), 1, over=True)
    goes_on = replace(whole.pairings[0], how=How.LATE, legs=(replace(whole.pairings[0].legs[0], got=None),))
    late = replace(whole, pairings=(goes_on, *whole.pairings[1:]))
    assert not screens.is_closed(whole, whole.pairings[1])
    assert screens.is_closed(late, late.pairings[1])
    assert say("tournament.closed") in str(screens.public_screen(view(late), say))


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("dealt", [Dealt.SAME, Dealt.FIELD])
def test_nothing_of_a_table_is_told_while_its_deal_is_played(dealt: Dealt, seats: int) -> None:
    of = tournament(dealt=dealt, seats=seats)
    one, other = (view(played(13, of, 2, luck=luck)) for luck in (1, 2))
    assert one.whole != other.whole
    assert written(one) == written(other)
    assert written(view(played(13, of, 2, luck=1, over=True))) != written(view(played(13, of, 2, luck=2, over=True)))


@pytest.mark.parametrize("form", OFFERED)
@pytest.mark.parametrize(("dealt", "count"), [(Dealt.TWICE, 6), (Dealt.TEAMS, 64)])
def test_every_screen_is_one_that_discord_takes_with_few_controls_and_no_label_twice(
    form: Format, dealt: Dealt, count: int
) -> None:
    hold_screens(form, dealt if form is not Format.ARENA else Dealt.OWN, count)


@pytest.mark.parametrize(("count", "seats"), [(7, 3), (64, 6)])
def test_every_screen_of_tables_is_one_that_discord_takes(count: int, seats: int) -> None:
    hold_screens(Format.SWISS, Dealt.FIELD, count, seats)


def hold_screens(form: Format, dealt: Dealt, count: int, seats: int = 2) -> None:
    """Discord takes every screen of a tournament, with few controls and no label twice."""
    for whole in moments(form, dealt, count, seats):
        for name, screen in shown(view(whole, LONG)):
            where = f"{form} {whole.tournament.state} {name}"
            made = as_drawn(screen)
            assert faults(ANY, render(made, ID)) == {}, where
            assert is_whole(made), where
            controls = [control for row in made.rows for control in row]
            labels = [each.label for each in controls if isinstance(each, Button)]
            assert len(controls) <= MOST_CONTROLS, where
            assert len(set(labels)) == len(labels), where
            if name == "public":
                assert len(controls) <= 4


@pytest.mark.parametrize("count", [8, 64])
def test_how_many_matches_are_not_listed_is_told_if_there_are_any(count: int) -> None:
    of = view(played(count, tournament(), 1))
    text = str(screens.public_screen(of, say))
    listed = sum(f"{of.names[each.people[0]]} – " in text for each in of.whole.in_round)
    left = len(of.whole.in_round) - listed
    assert (say.count("tournament.more_matches", left) in text) is (left > 0) is (count == 64)


def test_a_correction_asks_its_question_once_and_is_told_with_who_played_it() -> None:
    whole = played(4, tournament(), 1, over=True)
    for pairing in whole.pairings:
        of = view(replace(whole, corrections=(Correction(1, pairing.number, 1, 1, 100, (2, 0)),)))
        players = screens.BETWEEN.join(of.names[each] for each in pairing.people)
        assert f"Ann set round 1, {players}, to" in str(screens.more_screen(of, say, host=False))
    for seats in (2, 4):
        of = view(played(7, tournament(dealt=Dealt.OWN, seats=seats), 1, over=True))
        told = json.dumps(render(correct_screen(of, of.whole.in_round[0], "", say), ID))
        assert told.count("Everybody can see that you set it.") == 1


def test_only_the_host_reads_that_an_event_is_lost() -> None:
    of = view(joined(4, replace(tournament(), event_id=LOST_EVENT)))
    for host in (True, False):
        told = [each.text for each in screens.more_screen(of, say, host=host).sections if isinstance(each, Text)]
        assert (say("tournament.event_lost") in "\n".join(told)) is host
    assert say("tournament.event_lost") not in str(screens.public_screen(of, say))


def test_a_picture_is_described_by_the_standings() -> None:
    for form in OFFERED:
        screen = screens.standings_screen(view(played(64, tournament(form, Dealt.OWN), 2, over=True), LONG), 0, say)
        (picture,) = [each for each in screen.sections if isinstance(each, Picture)]
        assert "no. " in picture.description
        assert "**" not in picture.description


@pytest.mark.parametrize("count", [4, 9, 32])
@pytest.mark.parametrize("form", OFFERED)
def test_a_picture_has_room_for_all_that_it_shows(form: Format, count: int) -> None:
    screen = screens.standings_screen(view(played(count, tournament(form, Dealt.OWN), 2, over=True)), 0, say)
    (chart,) = [each.layout for each in screen.sections if isinstance(each, Picture)]
    assert isinstance(chart, Chart)
    across, down = zip(*[place for line in chart.lines for place in line], strict=True)
    assert 0 <= min(across) <= max(across) <= chart.width
    assert 0 <= min(down) <= max(down) <= chart.height
    assert max(box.x + BOX[0] for box in chart.boxes) <= chart.width
    assert max(box.y + BOX[1] for box in chart.boxes) <= chart.height


@pytest.mark.parametrize("form", [Format.SINGLE, Format.DOUBLE])
def test_a_bracket_has_each_of_its_meetings_once(form: Format) -> None:
    of = view(played(8, tournament(form, Dealt.OWN), 2, over=True))
    chart = of.chart(64)
    assert chart is not None
    meetings = bracket(of.whole.model, of.open_played, of.tournament.round + 1, form is Format.DOUBLE)
    people = [user for each in meetings for user in each.people]
    numbers = Counter(None if user is None else of.seeds[user] for user in people)
    assert Counter(box.number for box in chart.boxes) == numbers


def test_what_decides_between_equal_points_is_told_as_points_are() -> None:
    of = view(played(8, tournament(Format.ROUND_ROBIN, Dealt.FIELD), 3, over=True))
    row = replace(of.rows[0], points=1.25, tie_breaks=(0.5, 1.25, 2))
    assert "**125** · 50 / 125 / 2" in screens.row_line(of, row, say)  # wins are no points
    of = view(played(8, tournament(Format.ROUND_ROBIN, Dealt.OWN), 3, over=True))
    assert "**1¼** · ½ / 1¼ / 2" in screens.row_line(of, row, say)


def test_a_panel_offers_what_goes_together_and_its_ids_are_read_as_they_were_written() -> None:
    first = Setup("haymaker", "90s", "standard" if "standard" in _presets() else _presets()[0])
    for form in OFFERED:
        for pace in Pace:
            for dealt in Dealt:
                setup = replace(
                    first, form=form, pace=pace, dealt=dealt, most=64, minutes=7 * 24 * 60, event=True
                ).fitted()
                assert Setup.read(setup.write()) == setup
                screen = panel_screen(setup, say)
                assert faults(ANY, render(screen, screens.SUBJECT)) == {}
                assert sum(map(len, screen.rows)) <= MOST_CONTROLS
                for control in [control for row in screen.rows for control in row]:
                    if isinstance(control, Select):
                        assert sum(option.chosen for option in control.options) == 1
                        assert all(Setup.read(option.value) for option in control.options)
    assert replace(first, pace=Pace.WEEK).fitted().dealt is Dealt.OWN


def test_a_panel_offers_the_sizes_of_tables_that_a_game_has_and_says_which_formats_are_for_two() -> None:
    first = Setup("champions", "90s", "default")
    tables = [first.at(Format.SWISS, seats) for seats in (3, 4, 5)]
    (choice,) = panel_screen(first, say).rows[0]
    assert isinstance(choice, Select)
    offered = [Setup.read(option.value) for option in choice.options]
    assert offered == [*[first.at(each) for each in OFFERED], *tables]
    large = tables[1]
    assert large.preset == "drawn", "which is what the game recommends for four"
    assert large.offered == (Dealt.SAME, Dealt.FIELD, Dealt.OWN)
    assert replace(large, dealt=Dealt.TEAMS).fitted().dealt is Dealt.SAME
    assert {large.at(form).seats for form in OFFERED} == {2}
    (choice,) = panel_screen(large, say).rows[0]
    assert isinstance(choice, Select)
    assert [option.label for option in choice.options if option.chosen] == [say("tournament.format.tables", seats=4)]
    preset = next(iter(case_of("ciq").game.info.presets))
    assert say("tournament.for_two") in str(panel_screen(Setup("ciq", "90s", preset), say))
    assert say("tournament.for_two") not in str(panel_screen(Setup("haymaker", "90s", _presets()[0]), say))


@pytest.mark.parametrize(
    ("order", "got"), [("", (2, 2, 2)), ("2", (1, 1, 4)), ("20", (2, 0, 4)), ("n", (0, 0, 0)), ("01", (4, 2, 0))]
)
def test_a_host_says_who_came_in_which_place_one_after_the_other(order: str, got: tuple[int, ...]) -> None:
    assert got_by(order, PairingRow(1, 1, (7, 8, 9))) == got


@pytest.mark.parametrize("over", [True, False], ids=["after a round", "in a round"])
def test_who_is_out_of_a_knockout_has_nothing_to_leave(*, over: bool) -> None:
    of = view(played(8, tournament(Format.SINGLE, Dealt.OWN), 1, over=over))
    assert over is all(row.how is not None for row in of.whole.in_round)
    for row in of.whole.in_round:
        won = screens.result_of(row) if row.how is not None else (1, 1)  # who still plays is not out
        for user_id, got in zip(row.people, won, strict=True) if row.how is None or len({*won}) > 1 else ():
            labels = [each.label for each in screens.own_screen(of, user_id, say).rows[-1] if isinstance(each, Button)]
            assert (say("button.leave") in labels) is (got == max(won)), won


def test_a_table_shows_what_each_got_and_its_picture_in_which_place_they_were() -> None:
    whole = played(7, tournament(dealt=Dealt.OWN, seats=4), 1, over=True)
    row = replace(whole.pairings[0], legs=(replace(whole.pairings[0].legs[0], got=(6, 3, 3, 0)),))
    of = view(replace(whole, pairings=(row, *whole.pairings[1:])))
    names = " – ".join(of.names[each] for each in row.people)
    assert screens.pairing_line(of, row, say) == rf"1\. {names} · **{screens.UNBROKEN.join('1½½0')}**"
    chart = of.chart(16)
    assert chart is not None
    by_seed: dict[int, list[Box]] = {}
    for box in chart.boxes:
        by_seed.setdefault(box.y, []).append(box)
    shown_of = {boxes[0].number: (boxes[1].number, boxes[1].look) for boxes in by_seed.values()}
    seeds = [of.seeds[each] for each in row.people]
    assert [shown_of[each] for each in seeds] == [(1, Look.WON), (2, Look.DRAWN), (2, Look.DRAWN), (4, Look.LOST)]
    assert exports.csv_of(of).decode("utf-8-sig").splitlines()[0].split(",")[2:6] == [
        f"player_{n}" for n in (1, 2, 3, 4)
    ]
    told = json.loads(exports.json_of(of))
    assert told["results"][0]["points"] == [1, 0.5, 0.5, 0]
    assert told["results"][0]["players"] == seeds


def test_tables_say_before_anybody_joins_how_points_and_ties_are_counted() -> None:
    for dealt, key in ((Dealt.SAME, "tournament.by_places"), (Dealt.FIELD, "tournament.by_difference_tables")):
        of = tournament(dealt=dealt, seats=3)
        lines = screens.terms_lines(of, say)
        assert lines[0] == say("tournament.about.tables", seats=3)
        assert say(key) in lines
        assert say("tournament.tie_tables.buchholz") in str(screens.more_screen(view(joined(3, of)), say, host=False))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "haymaker",
        "chess.0.0.0.0.16.15.1.0.60.2.blitz",
        "haymaker.9.0.0.0.16.15.1.0.60.2.blitz",
        "haymaker.0.0.0.0.3.15.1.0.60.2.blitz",
        "haymaker.0.0.0.0.16.0.1.0.60.2.blitz",
        "haymaker.0.0.2.0.16.15.1.0.60.2.blitz",
        "haymaker.0.0.0.0.16.15.1.0.60.2.nonsense",
        "haymaker.0.0.0.0.16.15.1.0.90.2.blitz",
        "haymaker.0.4.0.0.7.15.1.0.60.2.blitz",
        "haymaker.4.3.0.0.16.15.1.0.60.2.daily",
        "haymaker.0.0.0.0.16.15.1.60.2.blitz",
        "haymaker.0.0.0.0.16.15.1.0.60.3.blitz",
        "champions.1.0.0.0.16.15.1.0.60.3.blitz",
        "champions.0.2.0.0.16.15.1.0.60.3.blitz",
        "champions.0.0.0.0.16.15.1.0.60.1.blitz",
        "champions.0.0.0.0.16.15.1.0.60.6.blitz",
    ],
)
def test_what_is_no_panel_is_refused(text: str) -> None:
    with pytest.raises(UnknownCustomId):
        Setup.read(text)


def test_the_files_have_results_nobodys_id_and_no_name_that_a_spreadsheet_works_out() -> None:
    whole = ended(played(5, tournament(dealt=Dealt.OWN), 2, over=True))
    told: dict[str, Any] = json.loads(exports.json_of(view(whole)))
    assert len(told["results"]) == len(whole.pairings)
    assert told["standings"]["rows"][0]["place"] == 1
    assert not any(str(each.user_id) in json.dumps(told["players"]) for each in whole.entrants)
    whole = played(4, tournament(dealt=Dealt.OWN), 1, over=True)
    of = replace(view(whole), names={each.user_id: "=1+1" for each in whole.entrants})
    assert b"'=1+1" in exports.csv_of(of)
    assert b",=1+1" not in exports.csv_of(of)


def _presets() -> list[str]:
    return [*ANY.game.info.presets]


@pytest.mark.parametrize("form", [Format.SINGLE, Format.DOUBLE])
def test_how_a_tie_is_broken_is_said_before_anybody_joins(form: Format) -> None:
    told = str(screens.public_screen(view(joined(0, tournament(form))), say))
    assert "with a new deal; after another tie, the lower number advances" in told
    setup = Setup("haymaker", "90s", _presets()[0], form)
    assert say(f"tournament.about.{form}") in str(panel_screen(setup, say))


def test_who_looks_for_a_partner_is_told_who_asks_and_a_team_without_one_of_it_that_they_left() -> None:
    of = view(joined(7, tournament(dealt=Dealt.TEAMS)))
    public = str(screens.public_screen(of, say))
    assert say("tournament.team", first="Ann", second="Ann2") in public
    assert say("tournament.alone", players=say.all_of(["Ann3", "Ann4", "Ann5", "Ann6", "Ann7"])) in public
    assert "Ann4 wants to play with" in public
    own = screens.own_screen(of, 102, say)
    labels = [each.label for row in own.rows for each in row if isinstance(each, Button)]
    assert labels[:2] == [say("tournament.play_with", player=each) for each in ("Ann4", "Ann5")]
    assert say("tournament.partner", player="Ann2") in str(screens.own_screen(of, 100, say))
    whole = played(8, tournament(dealt=Dealt.TEAMS), 1, over=True)
    gone = replace(whole, entrants=tuple([replace(each, left_after=int(each.number == 1)) for each in whole.entrants]))
    gone = replace(gone, entrants=tuple([replace(e, left_after=e.left_after or None) for e in gone.entrants]))
    assert say("tournament.partner_left") in str(screens.own_screen(view(gone), 101, say))
    assert say("tournament.partner_left") not in str(screens.own_screen(view(whole), 101, say))
    rows = str(screens.standings_screen(view(gone), 0, say))
    assert rows.count(say("tournament.has_left")) == 2  # the line, and the same in the picture's description


def test_a_picture_of_an_arena_has_the_latest_matches_of_each() -> None:
    of = view(played(6, tournament(Format.ARENA), 12, over=True))
    chart = of.chart(16)
    assert chart is not None
    lines = {box.y for box in chart.boxes}
    assert len(lines) == 6
    assert all(sum(box.y == y for box in chart.boxes) == 1 + MOST_COLUMNS for y in lines)


@pytest.mark.parametrize("form", OFFERED)
@pytest.mark.parametrize("dealt", [*Dealt])
def test_who_joins_reads_how_points_are_counted(form: Format, dealt: Dealt) -> None:
    setup = Setup("haymaker", "90s", _presets()[0], form, dealt).fitted()
    of = tournament(form, setup.dealt)
    assert (of.scoring, of.same_deal) == (setup.scoring, setup.dealt is not Dealt.OWN)
    lines = screens.terms_lines(of, say)
    assert say(f"tournament.dealt_about.{Dealt.SAME if setup.dealt is Dealt.FIELD else setup.dealt}") in lines
    by_field = setup.dealt in {Dealt.FIELD, Dealt.TWICE} and form in {Format.SWISS, Format.ROUND_ROBIN}
    assert (say("tournament.by_difference") in lines) == by_field


@pytest.mark.parametrize("dealt", Dealt)
def test_it_says_before_anybody_joins_what_its_matches_count_for(dealt: Dealt) -> None:
    of = tournament(dealt=dealt)
    setup = Setup(of.game, of.clock, "default", dealt=dealt)
    counts = "hosted.rated" if dealt is Dealt.OWN else "tournament.reliable"
    for rated, key in ((True, counts), (False, "tournament.unrated")):
        assert say(key) in screens.terms_lines(replace(of, rated=rated), say)
        assert say(key) in repr(panel_screen(replace(setup, rated=rated), say).sections)
