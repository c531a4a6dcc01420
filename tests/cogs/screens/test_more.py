"""What is behind *More…* has at most five buttons: a list has the others."""

from __future__ import annotations

from bot.ui.catalogue import translations
from bot.ui.screen import Button, Option, Press, Rows, Screen, Select
from cogs.screens.more import more_screen

say = translations("en")
VERBS = ("table", "bringdown", "calloff", "resign", "proof", "rest")
BACK: Rows = ((Button("Back", Press("cards")),),)


def shown(count: int, below: Rows = ()) -> Screen:
    buttons = [Button(verb.title(), Press(verb, 0, "1" if verb == "rest" else "")) for verb in VERBS[:count]]
    return more_screen("Haymaker", buttons, say, below=below)


def buttons(screen: Screen) -> list[str]:
    return [each.press.verb for row in screen.rows for each in row if isinstance(each, Button)]


def lines(screen: Screen) -> list[Option]:
    return [line for row in screen.rows for each in row if isinstance(each, Select) for line in each.options]


def test_five_acts_are_five_buttons() -> None:
    assert (buttons(shown(5)), lines(shown(5))) == ([*VERBS[:5]], [])


def test_of_six_acts_the_last_are_in_a_list() -> None:
    screen = shown(6)
    assert buttons(screen) == [*VERBS[:4]]
    assert lines(screen) == [Option("Proof", "proof"), Option("Rest", "rest.1")]


def test_a_button_below_counts() -> None:
    screen = shown(5, BACK)
    assert buttons(screen) == [*VERBS[:3], "cards"]
    assert [line.value for line in lines(screen)] == [*VERBS[3:5]]
