"""Texts with Discord's Markdown, as other places show them."""

from __future__ import annotations

import pytest

from bot.ui.screen import Cards, Rule, SeatLine, Seats
from cogs.replays.marked_text import Kind, Line, Run, lines_of, read_lines
from cogs.screens.safe_names import safe_name


def test_marks_become_runs_and_cards_stay_apart() -> None:
    (line,) = read_lines("**Ann** throws `A♣``4♣`, a *haymaker*.")
    assert line == Line(
        Kind.PLAIN,
        (
            Run("Ann", bold=True),
            Run(" throws "),
            Run("A♣", code=True),
            Run("4♣", code=True),
            Run(", a "),
            Run("haymaker", italic=True),
            Run("."),
        ),
    )


@pytest.mark.parametrize(
    ("text", "kind"),
    [("-# x", Kind.SMALL), ("## x", Kind.HEADING), ("> x", Kind.QUOTE), ("- x", Kind.POINT), ("x", Kind.PLAIN)],
)
def test_a_line_says_what_it_is(text: str, kind: Kind) -> None:
    assert read_lines(f"{text}\n\n") == [Line(kind, (Run("x"),))]


@pytest.mark.parametrize("name", ["**x**", "`<b>`", "-# x", "a\\", "# <@1> @everyone", "[a](b)", "_*~|>", "- a"])
def test_a_name_is_shown_as_it_was_typed_and_marks_nothing(name: str) -> None:
    (line,) = read_lines(f"{safe_name(name, 1)} plays `7♠`.")
    assert line == Line(Kind.PLAIN, (Run(f"{name} plays "), Run("7♠", code=True), Run(".")))


def test_a_section_is_written_as_in_a_message() -> None:
    assert [line.plain for line in lines_of(Seats((SeatLine("Ann", ("**3** cards",), awaited=True),)))] == [
        "➤ Ann · 3 cards"
    ]
    assert [line.plain for line in lines_of(Cards("Hand:", ("`7♠`", "`8♠`")))] == ["Hand: 7♠ 8♠"]
    assert lines_of(Rule()) == []
