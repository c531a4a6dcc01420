"""What the screens of the deal of the week say, and what they never say of another server."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.languages import languages
from bot.ui.catalogue import translations
from bot.ui.screen import Screen, Text
from cogs.screens.renderer import is_whole
from cogs.weekly.queries import LEAST_RATED
from cogs.weekly.screens import MOST_NAMED, Own, Table, result_screen, seals_screen, week_screen
from tests.bot.play.parts import GUILD
from tests.bot.store.rows import weekly_deal
from tests.cogs.weekly.test_deals import DRAWN, LOST, WON, attempt

say = translations("en")
THERE = GUILD + 1
ELSEWHERE = [attempt(WON, acts, guild=THERE) for acts in (11, 13, 17, 19, 23)]


def text_of(screen: Screen) -> str:
    """All that it says and sends: texts as they are, and the buttons with their ids."""
    texts = [each.text for each in screen.sections if isinstance(each, Text)]
    return "\n".join((screen.title, *texts, repr(screen.rows)))


def test_of_another_server_nobody_reads_more_than_its_name_and_score() -> None:
    own = attempt(LOST, 25)
    table = Table.of([own, *ELSEWHERE], {GUILD: "Here", THERE: "There"}, GUILD)
    shown = text_of(result_screen(Own(own, [own], {own.user_id: "Ann"}, is_shown=True), table, say))
    assert say("weekly.line", place=1, name="There", score=834) in shown
    assert "**Here**" in shown
    for tried in ELSEWHERE:
        assert f"· {1000 - 10 * tried.acts}" not in shown
        assert tried.match_id not in shown
    assert str(THERE) not in shown


def test_a_server_without_a_name_there_is_not_in_the_table() -> None:
    assert Table.of(ELSEWHERE, {GUILD: "Here"}, GUILD).standings == []


@pytest.mark.parametrize("name", ["**@everyone** [x](https://x.example)", "a\n# b", "\u202eback", "<@1>"])
def test_a_servers_name_has_no_effect_on_what_surrounds_it(name: str) -> None:
    own = attempt(DRAWN)
    table = Table.of(ELSEWHERE, {THERE: name}, GUILD)
    shown = table.names[THERE]
    assert "\n" not in shown
    assert "\u202e" not in shown
    assert "](" not in shown
    assert "@everyone" not in shown.replace("\\@", "")
    assert is_whole(result_screen(Own(own, [own], {own.user_id: "Ann"}, is_shown=False), table, say))


def test_the_readers_own_server_is_shown_wherever_it_is_in_the_table() -> None:
    many = [attempt(WON, 1, guild=1000 + nth) for nth in range(MOST_NAMED + 5)]
    own = attempt(LOST, 5)
    names = {each.guild_id: f"S{each.guild_id}" for each in many} | {GUILD: "Here"}
    table = Table.of([*many, own], names, GUILD)
    shown = text_of(result_screen(Own(own, [own], {own.user_id: "Ann"}, is_shown=True), table, say))
    assert say("weekly.line", place=MOST_NAMED + 6, name="**Here**", score=10) in shown
    assert say("weekly.not_shown") not in shown


def test_who_does_not_count_reads_why_and_is_not_in_the_servers_list() -> None:
    own = replace(attempt(WON), counts=False)
    shown = text_of(result_screen(Own(own, [], {}, is_shown=False), Table([], {}, GUILD), say))
    assert say("weekly.not_counted", least=LEAST_RATED) in shown
    for key in ("weekly.no_servers", "weekly.not_shown"):
        assert say(key) in shown
    assert say("weekly.server", score=0) in shown


@pytest.mark.parametrize("language", languages())
def test_the_fullest_screens_are_messages_that_discord_takes(language: str) -> None:
    words = translations(language)
    games = ("haymaker", "ciq", "unbreakable", "champions")
    deals = [(weekly_deal(game=game), None) for game in games]
    many = [attempt(WON, 1, guild=1000 + nth) for nth in range(MOST_NAMED + 5)]
    names = {each.guild_id: "W" * 100 for each in many}
    table = Table.of(many, names, GUILD)
    assert is_whole(week_screen(deals, many[:4], dict.fromkeys(games, table), 3, words))
    assert is_whole(seals_screen([deal for deal, _ in deals], [deal for deal, _ in deals], 3, words))
    own = Own(many[0], many, {each.user_id: "W" * 24 for each in many}, is_shown=False)
    assert is_whole(result_screen(own, table, words))
