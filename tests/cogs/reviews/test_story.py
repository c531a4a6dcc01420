"""Stories of matches: nothing in them is false, too long, or names anybody in the picture.

The check reads the English sentences and works out from the log alone, in its own way, what each of them says. A
sentence that it doesn't know is a fault.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import accumulate, groupby, product
from typing import Any

import pytest

from bot.art.curve_picture import StoryPicture, draw_story
from bot.languages import languages
from bot.play.live_match import LiveMatch
from bot.ui.catalogue import Translations, translations
from bot.ui.screen import Button, Picture, Text
from cogs.reviews.course import course_of
from cogs.reviews.story import LONGEST, Story, sentences, share_button, story_screen
from cogs.screens.cards.words import WordCards
from cogs.screens.presenter import Reader
from cogs.screens.renderer import render, utf16_units
from cogs.screens.tables import LONGEST_DESCRIPTION
from engines import ciq, haymaker, tivmiv, unbreakable
from engines.game import Resign
from engines.players.review import Measure, review
from laws.bodies import match_after, records_of
from laws.play import MatchLog, Odds, random_match
from laws.suite import SEED, SHARE
from tests.games.cases import case_of
from tests.reviewed import measure_all, request_of

NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Finn")
LONG_NAMES = tuple([f"{letter * 23}ü" for letter in "ABCDEF"])
MATCHES = 200
"""Of all games together."""
CHECKED = ("champions", "ciq", "haymaker", "tivmiv", "unbreakable")
"""The check knows what the boards of these count. A new one has no story before it has a computer player."""
ROLLOUTS = 12
EVERY = 4
"""Unless all matches are played, only every fourth form of a story is looked at, of each story others."""
CUT = re.compile(r"\{(\w+)\}")
say = translations("en")


def story_of(log: MatchLog) -> Story | None:
    """The story of a match; None if it has none, as nobody won or lost it."""
    match = match_after(log, len(log.moves))
    if match.result is None or not match.result.ranks:
        return None
    presenter = case_of(log.deal.game.info.key).presenter
    course = course_of(match, records_of(log, len(log.moves)), presenter)
    return Story(match, course, review(request_of(log, ROLLOUTS), lambda: False), presenter)


def logs(key: str, number: int) -> Iterator[MatchLog]:
    """Matches of a game at all of its tables, some of them left by somebody."""
    case = case_of(key)
    for at in range(number):
        rng = random.Random(f"{SEED} story {key} {at}")
        setting, seats = case.setups[at % len(case.setups)]
        odds = Odds(time=0.02, resign=0.02) if at % 4 == 3 else None
        yield random_match(case.deal(setting, seats, rng), rng, odds)


# ---------------------------------------------------------------------------------------------- the independent check


def stood(log: MatchLog) -> list[dict[int, int]]:
    """What the board counts, after the deal and after each record, from the states themselves; the lowest is best."""
    key, seats = log.deal.game.info.key, range(log.deal.seats)
    if key == "tivmiv":
        records = [log.opening, *[move.events for move in log.moves]]
        scored = [[each.points for each in events if isinstance(each, tivmiv.PhaseEnded)] for events in records]
        gained = [[sum(points[seat] or 0 for points in each if points) for seat in seats] for each in scored]
        totals = accumulate(gained, lambda so_far, more: [a + b for a, b in zip(so_far, more, strict=True)])
        return [
            {seat: total for seat, total in enumerate(each) if not state.left[seat]}
            for each, state in zip(totals, log.states, strict=True)
        ]
    return [{seat: count for seat in seats if (count := _count(key, state, seat)) is not None} for state in log.states]


def _count(key: str, state: Any, seat: int) -> int | None:
    """What one seat has, so that the lowest is best; None for one that is out."""
    match key:
        case "haymaker":
            return -len(state.hands[seat])
        case "unbreakable":
            attacks = state.phase is unbreakable.Phase.CHOOSE and state.turn == seat
            return len(state.hands[seat]) + attacks
        case "ciq":
            place = state.places[seat]
            held = sum(map(len, (place.hand, place.attack, place.damage, place.defense)))
            return None if seat in state.out else held
        case _:
            if state.left[seat]:
                return None
            return -state.score(seat) if state.options.victory_dice else len(state.decks[seat])


class Check:
    """Holds the sentences of a match against its log."""

    def __init__(self, log: MatchLog, story: Story) -> None:
        self.log, self.story = log, story
        self.stood = stood(log)
        game = log.deal.game
        outcome = game.outcome(log.states[-1])
        assert outcome is not None
        self.ranks = outcome.ranks
        self.first = [seat for seat, rank in enumerate(self.ranks) if rank == 1]
        self.moves = [
            number
            for number, move in enumerate(log.moves, start=1)
            if move.actor is not None and not isinstance(move.action, (Resign, *game.info.preparations))
        ]
        self.last = [event for record in log.moves[-1:] for event in record.events][-1]

    def unknown(self, text: str) -> list[str]:
        """The sentences that say what isn't so, or that nobody knows how to check."""
        return [line for line in text.splitlines() if not any(self.holds(line, *each) for each in SENTENCES.items())]

    def holds(self, line: str, key: str, check: Callable[..., bool]) -> bool:
        """Whether a line is this sentence, and true."""
        for pattern in patterns(key):
            found = pattern.fullmatch(line)
            if found is not None:
                said = found.groupdict()
                counted = self.story.course.leads[-1].counted if self.story.course.leads else ""
                assert said.get("counted") in (None, say(counted) if counted else None)
                return check(self, **{name: value for name, value in said.items() if name != "counted"})
        return False

    # Each of these says whether one sentence is true.

    def comeback(self, player: str, own: str, best: str) -> bool:
        seat = self.seat_of_winner(player)
        wanted = int(own), int(best)
        return any((abs(each[seat]), abs(min(each.values()))) == wanted and own != best for each in self.stood)

    def never_behind(self, player: str) -> bool:
        seat = self.seat_of_winner(player)
        return all(each[seat] == min(each.values()) for each in self.stood)

    def behind(self, player: str, behind: str, moves: str) -> bool:
        seat = self.seat_of_winner(player)
        lost = [number for number in self.moves if self.stood[number][seat] > min(self.stood[number].values())]
        return (len(lost), len(self.moves)) == (int(behind), int(moves))

    def changes(self, changes: str) -> bool:
        alone = [leader for each in self.stood if (leader := only_leader(each)) is not None]
        return sum(1 for _ in groupby(alone)) - 1 == int(changes)

    def ahead(self, player: str, moves: str) -> bool:
        seat, last = self.seat_of_winner(player), int(moves)
        before = self.moves[-last - 1 : -last]
        return (
            only_leader(self.stood[-1]) == seat
            and all(only_leader(self.stood[number]) == seat for number in self.moves[-last:])
            and not any(only_leader(self.stood[number]) == seat for number in before)
        )

    def chance(self, player: str, share: str) -> bool:
        seat, review = self.seat_of_winner(player), self.story.review
        least = min(point.values[seat] for point in review.curve)
        return review.measure is Measure.CHANCE and say.percent(round(100 * least)) == share

    def took(self, n: str) -> bool:
        return len(self.moves) == int(n)

    def final(self, values: str) -> bool:
        told = " · ".join(f"{NAMES[seat]} {abs(number)}" for seat, number in self.stood[-1].items())
        return len(self.stood[-1]) == self.log.deal.seats and told == values

    def turn(self, told: str) -> bool:
        lost = [act for act in self.story.review.costly if act.seat not in self.first]
        dearest = max(lost, key=lambda act: act.cost)
        move = self.log.moves[dearest.number - 1]
        written = self.log.deal.game.write(move.action)
        return (move.actor, written) == (dearest.seat, dearest.act) and NAMES[dearest.seat] in told

    def decisive(self, told: str) -> bool:
        """The last attack, pair, battle or phase, which a winner won."""
        events = [event for move in self.log.moves for event in move.events]
        kinds = (haymaker.AttackLaid, ciq.AttackLaid, unbreakable.PairsShown, tivmiv.PhaseEnded)
        last = next((event for event in reversed(events) if isinstance(event, kinds)), None)
        named = any(NAMES[seat] in told for seat in self.first)
        if isinstance(last, haymaker.AttackLaid | ciq.AttackLaid):
            return named and last.seat in self.first and all(f"`{card.name}`" in told for card in last.cards)
        if isinstance(last, tivmiv.PhaseEnded):
            points = [f"{NAMES[seat]} {n}" for seat, n in enumerate(last.points) if n is not None]
            return named and last.winner in self.first and all(each in told for each in points)
        return named

    def won(self, told: str) -> bool:
        """Who won, and why as the last fact says."""
        names = [NAMES[seat] for seat in self.first]
        if len(names) == len(self.ranks):
            who = say("ending.draw")
        else:
            key = "ending.shared" if len(names) > 1 else "ending.won"
            who = say(key, winner=say.all_of(names), winners=say.all_of(names))
        head, _, why = told.partition("** ")
        losers = [name for name in NAMES[: len(self.ranks)] if name not in names]
        kind = self.last.kind if hasattr(self.last, "kind") else ""
        left = [say(f"ending.{each}", loser=losers[0]) for each in ("resignation", "time") if losers]
        left += [say("ending.last_left"), say("ending.time_both")]
        game = self.log.deal.game.info.key
        return head == f"**{who}" and why in (
            left if kind in ("resignation", "time") else [say(f"{game}.ending.{kind}")]
        )

    def seat_of_winner(self, player: str) -> int:
        """The seat of somebody who is said to have won, and did so alone."""
        assert [NAMES[seat] for seat in self.first] == [player]
        return self.first[0]


def only_leader(each: dict[int, int]) -> int | None:
    """Who alone has the lowest number, of more than one."""
    best = [seat for seat, number in each.items() if number == min(each.values())]
    return best[0] if len(best) == 1 < len(each) else None


SENTENCES: dict[str, Callable[..., bool]] = {
    "story.comeback": Check.comeback,
    "story.never_behind": Check.never_behind,
    "story.behind": Check.behind,
    "story.changes": Check.changes,
    "story.ahead": Check.ahead,
    "story.chance": Check.chance,
    "story.moves": Check.took,
    "story.final": Check.final,
    "story.turn": Check.turn,
    "ending.decisive": Check.decisive,
    "": Check.won,
}


def patterns(key: str) -> list[re.Pattern[str]]:
    """How the English sentences of a key look; without a key, any."""
    if not key:
        return [re.compile(r"(?P<told>\*\*.*)")]
    marked = {name: f"{{{name}}}" for name in ("player", "own", "best", "behind", "moves", "changes", "share", "told")}
    marked |= {"counted": "{counted}", "values": "{values}"}
    counts = key == "story.moves"
    texts = [say.count(key, n).replace(str(n), "{n}") for n in (1, 2)] if counts else [say(key, **marked)]
    return [re.compile(CUT.sub(lambda cut: f"(?P<{cut[1]}>.+)", _escaped(text))) for text in texts]


def _escaped(text: str) -> str:
    """A text as a pattern, in which placeholders stay what they are."""
    return "".join(part if CUT.fullmatch(part) else re.escape(part) for part in re.split(r"(\{\w+\})", text))


# ---------------------------------------------------------------------------------------------- the laws


@pytest.mark.slow  # plays and reviews many matches
@pytest.mark.nightly
@pytest.mark.parametrize("key", CHECKED)
def test_no_story_says_what_is_not_so_or_more_than_it_may(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    measure_all(monkeypatch)
    read = 0
    forms = [*product(languages(), (NAMES, LONG_NAMES))]
    for log in logs(key, max(3, round(MATCHES / len(CHECKED) * SHARE))):
        story = story_of(log)
        if story is None:
            continue
        read += 1
        told = sentences(story, Reader(say, NAMES[: log.deal.seats])).text
        assert Check(log, story).unknown(told) == []
        for language, names in forms if SHARE >= 1 else forms[read % EVERY :: EVERY]:
            check_form(story, translations(language), names[: log.deal.seats])
    assert read


def check_form(story: Story, words: Translations, names: tuple[str, ...]) -> None:
    """A story is short, has at least its result, fits into a message, and names nobody in its picture."""
    for reader in (Reader(words, names), Reader(words, names, cards=WordCards(words))):
        screen = story_screen(story, reader, offered=True)
        *_, told = screen.sections
        assert isinstance(told, Text)
        assert 0 < utf16_units(told.text) <= LONGEST
        assert told.text.startswith("**")
        (picture,) = [each for each in screen.sections if isinstance(each, Picture)]
        assert utf16_units(picture.description) <= LONGEST_DESCRIPTION
        assert not [name for name in names if name in picture.description]
        assert render(screen, "m")


@pytest.mark.parametrize("key", CHECKED)
def test_the_check_finds_every_number_that_is_wrong(key: str) -> None:
    """Without this, the law above would prove little."""
    log = next(iter(logs(key, 1)))
    story = story_of(log)
    assert story is not None
    told, check = sentences(story, Reader(say, NAMES[: log.deal.seats])).text, Check(log, story)
    assert check.unknown(told) == []
    lines = [line for line in told.splitlines() if re.search(r"\d", line) and not line.startswith("**")]
    assert lines
    for line in lines:
        for found in re.finditer(r"\d+", line):
            false = f"{line[: found.start()]}{int(found[0]) + 1000}{line[found.end() :]}"
            assert check.unknown(false) == [false]


# ---------------------------------------------------------------------------------------------- what it is made of


def ended(key: str = "haymaker") -> Story:
    """The story of a match."""
    (log,) = logs(key, 1)
    story = story_of(log)
    assert story is not None
    return story


def test_the_picture_has_the_table_its_curve_and_a_ring_where_the_dearest_move_of_a_loser_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    measure_all(monkeypatch)
    story = next(each for log in logs("haymaker", 20) if (each := story_of(log)) is not None and each.turn is not None)
    picture = story_screen(story, Reader(say, NAMES[:2]), offered=False).sections[0]
    assert isinstance(picture, Picture)
    assert isinstance(picture.layout, StoryPicture)
    assert picture.layout.curve is not None
    (ring,) = picture.layout.curve.marks
    assert story.turn is not None
    assert (ring.number, ring.seat) == (0, story.turn.seat)
    without = replace(picture.layout.curve, marks=())
    assert draw_story(picture.layout) != draw_story(replace(picture.layout, curve=without))


def test_where_chances_were_not_measured_the_curve_is_what_the_board_counts() -> None:
    story = replace_review(ended())
    picture = story_screen(story, Reader(say, NAMES[:2]), offered=False).sections[0]
    assert isinstance(picture, Picture)
    assert say("story.counted", counted=say("haymaker.counted")) in picture.description
    numbers = story.numbers
    assert numbers is not None
    assert numbers.curve[0].values == tuple(map(float, story.course.leads[0].numbers.values()))


def replace_review(story: Story) -> Story:
    """The same with a review that has no curve."""
    return replace(story, review=replace(story.review, curve=(), dealt=()))


def test_it_is_offered_to_a_player_alone_never_twice_and_not_of_a_secret_match(monkeypatch: pytest.MonkeyPatch) -> None:
    story = ended()
    reader = Reader(say, NAMES[:2])
    assert [each.press.verb for each in share_button(story.match, replace(reader, seat=0))] == ["story"]
    assert share_button(story.match, reader) == ()
    rows = story_screen(story, reader, offered=True).rows
    assert [button.press.verb for row in rows for button in row if isinstance(button, Button)] == ["storypost"]
    assert story_screen(story, reader, offered=False).rows == ()
    monkeypatch.setattr(LiveMatch, "secret", property(lambda _: True))  # as while its deal of the day is tried
    with pytest.raises(RuntimeError):
        story_screen(story, Reader(say, NAMES[:2]), offered=False)
