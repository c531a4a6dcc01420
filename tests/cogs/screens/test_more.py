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


def test_more_than_five_buttons_are_a_list_of_the_last_and_one_below_counts() -> None:
    assert (buttons(shown(5)), lines(shown(5))) == ([*VERBS[:5]], [])
    screen = shown(6)
    assert buttons(screen) == [*VERBS[:4]]
    assert lines(screen) == [Option("Proof", "proof"), Option("Rest", "rest.1")]
    screen = shown(5, BACK)
    assert buttons(screen) == [*VERBS[:3], "cards"]
    assert [line.value for line in lines(screen)] == [*VERBS[3:5]]
