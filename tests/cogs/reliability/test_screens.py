"""What is read of reliability: of others a level and numbers, of oneself also why, and how to improve it."""

from __future__ import annotations

from bot.play.reliability import Reliability
from bot.ui.catalogue import translations
from bot.ui.screen import Screen, Text
from cogs.reliability.commands import MOST_PEOPLE, own_screen, people_screen

say = translations("en")
NEW = Reliability(1, 1, 0, 0, 0, 0, 0, 0, 0, 0)
GOOD = Reliability(1, 1, 9, 12, 12, 0, 0, 0, 100, 100)
AWAY = Reliability(0.5, 0.9, 9, 12, 6, 1, 5, 2, 100, 90)
"""Of the five matches that ran out of time, four did so in one absence."""
LATE = Reliability(0.9, 0.5, 9, 12, 12, 0, 0, 0, 100, 50)


def lines(screen: Screen) -> list[str]:
    return [line for section in screen.sections if isinstance(section, Text) for line in section.text.splitlines()]


def test_of_new_people_no_numbers_are_told_and_at_most_25_are_listed() -> None:
    listed = lines(people_screen([("Bob", NEW), ("Carol", GOOD)], NEW, say))
    new, good = say("reliability.level.new"), say("reliability.level.finishes_nearly_all")
    assert listed[:2] == [
        say("reliability.line", name=name, level=told) for name, told in (("Bob", new), ("Carol", good))
    ]
    assert "12" in listed[2]
    assert listed[3:] == [say("reliability.of_you", level=new)]
    many = [(f"P{number}", NEW) for number in range(MOST_PEOPLE + 5)]
    assert len(lines(people_screen(many, NEW, say))) == MOST_PEOPLE + 1
    assert lines(people_screen([], NEW, say))[0] == say("reliability.nobody")
    (line, *_) = lines(people_screen([("Bob", LATE)], NEW, say))
    assert line == say("reliability.line", name="Bob", level=say("reliability.level.plays_late"))


def test_ones_own_says_what_counted_as_one_absence_and_how_to_improve_what_is_not_good() -> None:
    told = lines(own_screen(AWAY, 3, say))
    assert say("reliability.absences", n=2) in told
    assert say.count("reliability.improve", 3) in told
    others = lines(people_screen([("Bob", AWAY)], NEW, say))
    assert say("reliability.absences", n=2) not in others
    good = own_screen(GOOD, 0, say)
    assert good.sections[1:] == (Text(say("reliability.what_counts")),)
    assert say("reliability.new") not in lines(good)
    assert say("reliability.new") in lines(own_screen(NEW, 0, say))
