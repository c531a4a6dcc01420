"""What the screens of the deal of the week say, and what they never say of another server."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.languages import languages
from bot.store.special_ids import direct_venue
from bot.ui.catalogue import translations
from bot.ui.screen import Screen, Text
from cogs.screens.renderer import is_whole
from cogs.weekly.deals import points_of
from cogs.weekly.queries import LEAST_RATED, ServerStanding, WeeklyAttempt
from cogs.weekly.screens import FIRST, MOST_NAMED, Own, Standings, result_screen, seals_screen, week_screen
from tests.bot.play.parts import GUILD
from tests.bot.store.rows import weekly_deal
from tests.cogs.weekly.test_deals import DRAWN, LOST, WON, attempt

say = translations("en")
THERE = GUILD + 1
MANY = [ServerStanding(1, 1000 + nth, 990, "W" * 100) for nth in range(MOST_NAMED)]


def text_of(screen: Screen) -> str:
    """All that it says and sends: texts as they are, and the buttons with their ids."""
    texts = [each.text for each in screen.sections if isinstance(each, Text)]
    return "\n".join((screen.title, *texts, repr(screen.rows)))


def made_by(own: WeeklyAttempt) -> Own:
    """What somebody reads who alone has tried the deal in their server, which is in the standings."""
    return Own(own, [(own.user_id, points_of(own))], {own.user_id: "Ann"}, is_shown=True)


def test_a_server_is_shown_wherever_it_is_and_of_another_nobody_reads_more_than_name_and_score() -> None:
    own = attempt(LOST, 25)
    standings = Standings.of([ServerStanding(1, THERE, 834, "There"), ServerStanding(2, GUILD, 50, "Here")], GUILD)
    shown = text_of(result_screen(made_by(own), standings, say))
    assert say("weekly.line", place=1, name="There", score=834) in shown
    assert say("weekly.line", place=2, name="**Here**", score=50) in shown
    assert str(THERE) not in shown
    standings = Standings.of([*MANY, ServerStanding(MOST_NAMED + 6, GUILD, 10, "Here")], GUILD)
    shown = text_of(result_screen(made_by(attempt(LOST, 5)), standings, say))
    assert say("weekly.line", place=MOST_NAMED + 6, name="**Here**", score=10) in shown
    assert say("weekly.not_shown") not in shown


def test_a_server_reads_its_own_score_and_who_made_it_the_equal_at_one_place() -> None:
    own = attempt(LOST, 25)
    here = [(1, 900), (2, 880), (3, 880), (4, 500), (5, 250), (6, 60)]
    names = {user: f"P{user}" for user, _ in here}
    shown = text_of(result_screen(Own(own, here, names, is_shown=False), Standings([], GUILD), say))
    assert say("weekly.server", score=(900 + 880 + 880 + 500 + 250) // 5) in shown
    for place, name, score in ((1, "P1", 900), (2, "P2", 880), (2, "P3", 880), (4, "P4", 500), (6, "P6", 60)):
        assert say("weekly.line", place=place, name=name, score=score) in shown


@pytest.mark.parametrize("name", ["**@everyone** [x](https://x.example)", "a\n# b", "\u202eback", "<@1>"])
def test_a_servers_name_has_no_effect_on_what_surrounds_it(name: str) -> None:
    own = attempt(DRAWN)
    standings = Standings.of([ServerStanding(1, THERE, 834, name)], GUILD)
    shown = standings.servers[0].name
    assert "\n" not in shown
    assert "\u202e" not in shown
    assert "](" not in shown
    assert "@everyone" not in shown.replace("\\@", "")
    assert is_whole(result_screen(made_by(own), standings, say))


def test_who_played_outside_of_servers_or_does_not_count_reads_so_and_of_no_server_of_theirs() -> None:
    own = replace(attempt(WON, guild=direct_venue(9)), counts=False)
    standings = Standings.of([ServerStanding(1, THERE, 834, "There")], own.guild_id)
    shown = text_of(result_screen(Own(own, (), {}, is_shown=False), standings, say))
    assert say("weekly.outside") in shown
    assert say("weekly.line", place=1, name="There", score=834) in shown
    for absent in (say("weekly.server", score=0), say("weekly.not_shown"), say("weekly.not_counted", least=10)):
        assert absent not in shown
    own = replace(attempt(WON), counts=False)
    shown = text_of(result_screen(Own(own, [], {}, is_shown=False), Standings([], GUILD), say))
    assert say("weekly.not_counted", least=LEAST_RATED) in shown
    for key in ("weekly.no_servers", "weekly.not_shown"):
        assert say(key) in shown
    assert say("weekly.server", score=0) in shown


@pytest.mark.parametrize("language", languages())
def test_the_fullest_screens_are_messages_that_discord_takes(language: str) -> None:
    words = translations(language)
    games = ("haymaker", "ciq", "unbreakable", "champions")
    deals = [(weekly_deal(game=game), None) for game in games]
    tried = [attempt(WON, 1) for _ in games]
    first = Standings.of(MANY[:FIRST], GUILD)
    assert is_whole(week_screen(deals, tried, dict.fromkeys(games, first), 3, words))
    assert is_whole(seals_screen([deal for deal, _ in deals], [deal for deal, _ in deals], 3, words))
    here = [(user, 990) for user in range(MOST_NAMED)]
    own = Own(tried[0], here, {user: "W" * 24 for user, _ in here}, is_shown=False)
    standings = Standings.of([*MANY, ServerStanding(MOST_NAMED + 1, GUILD, 10, "W" * 100)], GUILD)
    assert is_whole(result_screen(own, standings, words))
