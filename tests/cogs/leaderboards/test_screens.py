"""A leaderboard as Discord shows it: its lines, its buttons, and their ids."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import pytest

from bot.games import GAMES
from bot.ratings import SETTLED, Rating
from bot.store.queries.leaderboards import ACTIVE_DAYS, ALL_GAMES, LEAST_MATCHES, Entry, LineKey, Section, Span
from bot.ui.catalogue import translations
from bot.ui.screen import Button, Option, Press, Screen, Select
from cogs.leaderboards import screens
from cogs.leaderboards.queries import LeaderboardPage, PageOf, PageRequest
from cogs.leaderboards.screens import LeaderboardView, how_screen, leaderboard_screen
from cogs.screens import custom_ids
from cogs.screens.board import board_screen as match_screen
from cogs.screens.custom_ids import UnknownCustomId
from cogs.screens.presenter import Reader
from cogs.screens.renderer import render
from laws.bodies import match_of
from tests.games.cases import case_of

LIST_ITEM = re.compile(r"^\d+[.)] ", re.MULTILINE)
"""What Discord's markdown makes an item of a numbered list of."""

say = translations("en")
RATING = Rating(25.0, 8.0)


def content(screen: Any) -> str:
    return "\n".join(part["content"] for part in render(screen, "m")[0]["components"] if "content" in part)


def entry(user: int, rank: int | None, *, score: int = 0, shared: bool = False, wins: int = 1, draws: int = 0) -> Entry:
    """A line of a player; without a rank, of one who comes after the others."""
    section = Section.BELOW if rank is None else Section.RANKED
    return Entry(LineKey(section, score, user), wins, 2, draws, RATING, rank, shared)


def view(
    *entries: Entry,
    reader: int = 99,
    own: Entry | None = None,
    span: Span = Span.ALL_TIME,
    game: str = "haymaker",
    hidden: bool = False,
    more: bool = False,
) -> LeaderboardView:
    """What a reader sees of these lines; `more` says that there are others after them."""
    ranked = sum(each.rank is not None for each in entries)
    page = LeaderboardPage(entries, ranked, len(entries) - ranked, own, has_previous=False, has_next=more)
    names = {each.key.user_id: f"P{each.key.user_id}" for each in entries}
    return LeaderboardView(span, game, page, names, reader, hidden, 1_800_000_000)


def options(screen: Screen, number: int) -> tuple[Option, ...]:
    """Those of a list of a page."""
    (found,) = screen.rows[number]
    assert isinstance(found, Select)
    return found.options


def buttons(screen: Screen) -> dict[str, Button]:
    return {control.label: control for row in screen.rows for control in row if isinstance(control, Button)}


def test_lines_and_the_players_of_a_result_are_no_list_and_equal_ranks_say_so() -> None:
    case = case_of("ciq")
    deal = case.deal("default", 4, random.Random(1))
    match = match_of(deal, deal.open()[1], 0, ranks=(2, 2, 1, 4))
    text = content(match_screen(match, case.presenter, Reader(say, ("Alice", "Bob", "Carol", "Dave"))))
    assert "③ **Carol** · place 1" in text
    assert not LIST_ITEM.search(text)
    text = content(leaderboard_screen(view(entry(1, 1), entry(2, 2, shared=True), entry(3, 2, shared=True)), say))
    assert not LIST_ITEM.search(text)
    lines = [line for line in text.splitlines() if line[:1].isdecimal()]
    assert lines[0] == r"1\. **P1** · new · 1–2"
    assert [re.findall(r"P\d", line)[0] for line in lines if "(shared)" in line] == ["P2", "P3"]


def test_those_without_a_rank_come_below_a_heading_that_says_why() -> None:
    text = content(leaderboard_screen(view(entry(1, 1), entry(2, None), entry(3, None)), say)).splitlines()
    heading = text.index(say("ladder.heading.inactive", days=ACTIVE_DAYS))
    assert [line.startswith("– **P") for line in text[heading - 1 : heading + 3]] == [False, False, True, True]
    text = content(leaderboard_screen(view(entry(2, None), span=Span.LAST_DAYS), say)).splitlines()
    assert say("ladder.heading.few", least=LEAST_MATCHES[Span.LAST_DAYS]) in text


@pytest.mark.parametrize(("score", "shown"), [(12_400, "+12 points"), (-1000, "−1 point"), (0, "±0 points")])
def test_points_of_a_season_have_a_sign(score: int, shown: str) -> None:
    text = content(leaderboard_screen(view(entry(1, 1, score=score, draws=3), span=Span.SEASON), say))
    assert rf"1\. **P1** · {shown} · 1–2–3" in text


def test_the_readers_own_line_is_marked() -> None:
    own = entry(2, 2)
    text = content(leaderboard_screen(view(entry(1, 1), own, reader=2, own=own), say))
    assert [line for line in text.splitlines() if line.startswith("➤ ")] == [r"➤ 2\. **P2** · new · 1–2"]
    assert say("ladder.own", rank=2, of=2) in text


@pytest.mark.parametrize(
    ("own", "span", "hidden", "told"),
    [
        (None, Span.ALL_TIME, False, say("ladder.unranked")),
        (None, Span.SEASON, False, say("ladder.unranked_since")),
        (entry(5, None), Span.ALL_TIME, False, say("ladder.below", days=ACTIVE_DAYS)),
        (entry(5, None), Span.SEASON, False, say.count("ladder.few", 3, least=LEAST_MATCHES[Span.SEASON])),
        (None, Span.ALL_TIME, True, say("ladder.hidden")),
        (entry(5, 2), Span.ALL_TIME, True, say("ladder.hidden_rank", rank=2, of=2)),
    ],
)
def test_a_reader_is_told_their_rank_or_why_they_have_none(
    own: Entry | None, span: Span, hidden: bool, told: str
) -> None:
    assert told in content(leaderboard_screen(view(entry(1, 1), reader=5, own=own, span=span, hidden=hidden), say))


def test_a_hidden_reader_is_told_so_on_an_empty_leaderboard_too() -> None:
    assert say("ladder.hidden") in content(leaderboard_screen(view(hidden=True), say))
    assert say("button.list_me") in buttons(how_screen(view(hidden=True), say))


def test_a_page_leads_to_the_next_and_to_the_other_times() -> None:
    lines = (entry(1, 1, score=900), entry(2, 2, score=-77))
    screen = leaderboard_screen(view(*lines, own=entry(99, 7), more=True), say)
    found = buttons(screen)
    assert screens.read(found[say("button.next")].press.arg) == (
        Span.ALL_TIME,
        "haymaker",
        PageRequest(PageOf.AFTER, key=lines[-1].key),
    )
    assert not found[say("button.previous")].enabled
    assert [screens.read(option.value) for option in options(screen, 1)] == [
        (span, "haymaker", PageRequest()) for span in Span
    ]
    assert [option.chosen for option in options(screen, 1)] == [span is Span.ALL_TIME for span in Span]
    ids = [custom_ids.write("haymaker", button.press) for button in found.values()]
    assert len({*ids}) == len(ids)


def test_the_own_page_is_behind_the_question_mark_and_a_page_has_five_controls_at_most() -> None:
    own = entry(2, 2)
    found = buttons(how_screen(view(entry(1, 1), own=own, span=Span.SEASON), say))
    assert screens.read(found[say("button.my_rank")].press.arg) == (Span.SEASON, "haymaker", PageRequest(PageOf.OWN))
    assert screens.read(found[say("button.previous")].press.arg) == (Span.SEASON, "haymaker", PageRequest())
    assert say("button.my_rank") not in buttons(how_screen(view(entry(1, 1)), say))
    longest = leaderboard_screen(view(entry(1, 1), own=entry(2, 2), more=True), say)
    assert [len(row) for row in longest.rows] == [1, 1, 3]
    assert [*buttons(leaderboard_screen(view(entry(1, 1)), say))] == [say("button.how")]


@pytest.mark.parametrize("game", ["haymaker", ALL_GAMES])
def test_the_list_has_every_game_and_all_of_them_together(game: str) -> None:
    games = options(leaderboard_screen(view(entry(1, 1), game=game, span=Span.SEASON), say), 0)
    read = [screens.read(option.value) for option in games]
    assert read == [(Span.SEASON, key, PageRequest()) for key in (ALL_GAMES, *GAMES)]
    assert [screens.read(option.value)[1] for option in games if option.chosen] == [game]


def test_the_list_of_games_has_at_most_25_and_always_the_present_one(monkeypatch: pytest.MonkeyPatch) -> None:
    many = {f"g{number}": GAMES["ciq"] for number in range(30)} | {"haymaker": GAMES["haymaker"]}
    monkeypatch.setattr("cogs.leaderboards.screens.GAMES", many)
    games = options(leaderboard_screen(view(entry(1, 1)), say), 0)
    assert len(games) == 25
    assert [screens.read(option.value)[1] for option in games if option.chosen] == ["haymaker"]


@pytest.mark.parametrize(("wins", "shown"), [(1, "new"), (2, "new"), (3, "1000 ±960")])
def test_nobody_has_a_number_before_their_fifth_match(wins: int, shown: str) -> None:
    text = content(leaderboard_screen(view(entry(7, 1, wins=wins)), say))
    assert rf"1\. **P7** · {shown} · {wins}–2" in text


def test_one_line_says_how_it_ranks_and_a_button_the_rest() -> None:
    for span, key in ((Span.ALL_TIME, "ladder.how"), (Span.SEASON, "ladder.how_points")):
        screen = leaderboard_screen(view(entry(1, 1), span=span), say)
        assert screen.footer == say(key, least=LEAST_MATCHES.get(span, 0), most=300, known=20)
        pressed = buttons(screen)[say("button.how")].press
        assert screens.read(pressed.arg)[:2] == (span, "haymaker")
    told = content(how_screen(view(), say))
    for sentence in (
        say("ladder.how_new", least=5),
        say("ladder.provisional", most=SETTLED),
        say("ladder.record_words"),
    ):
        assert sentence in told


def test_only_who_is_listed_is_offered_to_hide_and_an_empty_leaderboard_has_the_button_that_fills_it() -> None:
    for own in (entry(2, 2), entry(2, None)):
        assert say("button.hide_me") in buttons(how_screen(view(entry(1, 1), own, reader=2, own=own), say))
    assert say("button.hide_me") not in buttons(how_screen(view(entry(1, 1)), say))
    play = Button("Play", Press("play"))
    assert "Play" in buttons(leaderboard_screen(replace(view(), empty=(play,)), say))
    assert "Play" not in buttons(leaderboard_screen(replace(view(entry(1, 1)), empty=(play,)), say))


# ---------------------------------------------------------------------------------------------- ids


@pytest.mark.parametrize(
    "request_",
    [
        PageRequest(),
        PageRequest(position=30),
        PageRequest(PageOf.OWN),
        PageRequest(PageOf.AFTER, key=LineKey(Section.RANKED, -123_456, 2**63 - 1)),
        PageRequest(PageOf.BEFORE, key=LineKey(Section.BELOW, 123_456_789_012, 0)),
    ],
)
@pytest.mark.parametrize("game", ["a" * 24, ALL_GAMES])
def test_an_argument_says_which_page_it_asks_for(request_: PageRequest, game: str) -> None:
    for span in Span:
        written = screens.write(span, game, request_)
        assert screens.read(written) == (span, game, request_)
        assert custom_ids.read(custom_ids.write("t" * 24, screen_press(written)))[1].arg == written


def screen_press(arg: str) -> Press:
    return Press(screens.SHOW, 6, arg)


@pytest.mark.parametrize("hidden", [True, False])
def test_a_choice_says_what_is_chosen_and_where(hidden: bool) -> None:
    written = screens.write_choice(Span.SEASON, ALL_GAMES, hidden=hidden)
    assert screens.read_choice(written) == (Span.SEASON, ALL_GAMES, hidden)


@pytest.mark.parametrize(
    "arg",
    [
        *("", "t", "t.", "x.haymaker", "t.HAYMAKER", "t.haymaker.", "t.haymaker.x", "t.haymaker.p.", "t.haymaker.p.-1"),
        *("t.haymaker.p.1234567", "t.haymaker.a.0.1", "t.haymaker.a.3.1.1", "t.haymaker.a.0.--1.1"),
        *(f"t.haymaker.a.0.1.{2**63}", "t.haymaker.a.0.1234567890123.1", "t.haymaker.a.0.٣.1", "t.haymaker.o.1"),
    ],
)
def test_an_argument_that_is_none_of_ours_is_refused(arg: str) -> None:
    with pytest.raises(UnknownCustomId):
        screens.read(arg)


@pytest.mark.parametrize("arg", ["", "1", "t.haymaker", "t.haymaker.2", "t.haymaker.o", ".1", "haymaker.1"])
def test_a_choice_that_is_none_of_ours_is_refused(arg: str) -> None:
    with pytest.raises(UnknownCustomId):
        screens.read_choice(arg)
