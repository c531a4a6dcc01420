"""A tournament's event in the calendar: it follows the tournament, and nothing that Discord refuses stops anything."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.store.errors import NotSaved
from bot.ui.catalogue import translations
from cogs.tournaments.events import SHORTEST, TournamentEvents, lasts
from cogs.tournaments.panel import Dealt
from cogs.tournaments.rows import LOST_EVENT, Terms, Tournament
from cogs.updates.channel_messages import NotTaken
from cogs.updates.server_calendar import (
    FINISHED_EVENT,
    TOO_MANY_EVENTS,
    UNKNOWN_EVENT,
    CalendarEvent,
    ServerCalendar,
)
from engines import GAMES
from tests.bot.play.parts import CHANNEL, GUILD
from tests.cogs.tournaments.directed import HOST, Directed, lower_wins
from tests.cogs.tournaments.made import tournament
from tests.failing_rules import raising

FOUR = (1, 2, 3, 4)
EVENT = 77
FORBIDDEN = NotTaken("Forbidden", 50013, status=403, answered=True)


class Calendar:
    """What was asked of a calendar, which may refuse."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.refusal: NotTaken | None = None

    async def enter(self, guild_id: int, event: CalendarEvent) -> int:
        assert (guild_id, event.location) == (GUILD, "#lobby")
        self.asked.append("enter")
        self._answer()
        return EVENT

    def __getattr__(self, name: str) -> Callable[[int, int], Awaitable[None]]:
        async def ask(guild_id: int, event_id: int) -> None:
            assert (guild_id, event_id) == (GUILD, EVENT)
            self.asked.append(name)
            self._answer()

        return ask

    def _answer(self) -> None:
        if self.refusal is not None:
            raise self.refusal


class Edits:
    """Edits that are sent when a test says so."""

    def __init__(self) -> None:
        self.latest: Callable[[], Awaitable[int]] | None = None

    def request_edit(
        self, _bucket: object, _key: object, send: Callable[[], Awaitable[int]], *_: Any, **__: Any
    ) -> None:
        self.latest = send


class Following:
    """A tournament with an event."""

    def __init__(self, directed: Directed) -> None:
        self.directed, self.calendar, self.edits = directed, Calendar(), Edits()
        wording = SimpleNamespace(of_server=lambda _: translations("en"))
        self.events = TournamentEvents(
            directed.cups, cast("ServerCalendar", self.calendar), cast("Any", self.edits), cast("Any", wording)
        )

    async def opened(self) -> Tournament:
        made = await self.directed.opened_for(FOUR[:3])
        assert await self.events.enter(made, "lobby") == ""
        return made

    async def follow(self, of: Tournament) -> int | None:
        """Bring the event up to date; what is kept of it then."""
        self.events.request(GUILD, of.id)
        assert self.edits.latest is not None
        await self.edits.latest()
        return (await self.directed.whole(of)).tournament.event_id


@pytest.fixture
async def following(directed: Directed) -> Following:
    return Following(directed)


async def begun(following: Following, of: Tournament) -> None:
    await following.directed.cups.join(GUILD, of.id, 4)
    await following.directed.quiet()


async def test_it_begins_and_ends_with_the_tournament_and_each_is_asked_for_once(following: Following) -> None:
    cup, asked = await following.opened(), following.calendar.asked
    assert await following.follow(cup) == EVENT
    await begun(following, cup)
    for _ in range(3):
        assert await following.follow(cup) == EVENT
    assert asked == ["enter", "begin"]
    await following.directed.play(cup, lower_wins)
    for _ in range(3):
        assert await following.follow(cup) is None
    assert asked == ["enter", "begin", "finish"]


async def test_it_is_gone_with_a_tournament_that_is_called_off(following: Following) -> None:
    cup = await following.opened()
    await following.directed.cups.call_off(GUILD, cup.id, HOST)
    assert await following.follow(cup) is None
    assert following.calendar.asked == ["enter", "remove"]


@pytest.mark.parametrize(
    ("refusal", "kept"),
    [
        (NotTaken("NotFound", UNKNOWN_EVENT, status=404, answered=True), LOST_EVENT),
        (FORBIDDEN, LOST_EVENT),
        (NotTaken("HTTPException", 50035, status=400, answered=True), EVENT),
        (NotTaken("HTTPException", FINISHED_EVENT, status=400, answered=True), EVENT),
    ],
)
async def test_a_tournament_goes_on_whatever_happens_to_its_event(
    following: Following, refusal: NotTaken, kept: int
) -> None:
    cup = await following.opened()
    await begun(following, cup)
    following.calendar.refusal = refusal
    assert await following.follow(cup) == kept
    assert await following.follow(cup) == kept
    assert following.calendar.asked == ["enter", "begin"]
    assert (await following.directed.play(cup, lower_wins)).tournament.ended


async def test_it_is_tried_again_while_discord_does_not_answer(following: Following) -> None:
    cup = await following.opened()
    await begun(following, cup)
    following.calendar.refusal = NotTaken("TimeoutError")
    with pytest.raises(NotTaken):
        await following.follow(cup)
    following.calendar.refusal = None
    assert await following.follow(cup) == EVENT
    assert following.calendar.asked == ["enter", "begin", "begin"]


@pytest.mark.parametrize(
    ("refusal", "told"),
    [
        (FORBIDDEN, "tournament.event_not_permitted"),
        (NotTaken("HTTPException", TOO_MANY_EVENTS, status=400, answered=True), "tournament.event_too_many"),
        (NotTaken("TimeoutError"), "tournament.event_not_made"),
    ],
)
async def test_its_host_reads_why_there_is_none(following: Following, refusal: NotTaken, told: str) -> None:
    cup = await following.directed.opened_for(FOUR[:3])
    following.calendar.refusal = refusal
    assert await following.events.enter(cup, "lobby") == told
    assert (await following.directed.whole(cup)).tournament.event_id is None


async def test_one_that_could_not_be_noted_is_taken_out_again(
    following: Following, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = await following.directed.opened_for(FOUR[:3])

    monkeypatch.setattr(following.directed.queries, "put", raising(NotSaved("disk full")))
    assert await following.events.enter(cup, "lobby") == "tournament.event_not_made"
    assert following.calendar.asked == ["enter", "remove"]


async def test_two_presses_on_open_make_one_tournament_and_one_event(
    following: Following, monkeypatch: pytest.MonkeyPatch
) -> None:
    cups, game = following.directed.cups, "haymaker"
    terms = Terms(guild_id=GUILD, channel_id=CHANNEL, game=game, clock="blitz"), GAMES[game].info.options(), 1
    made = await cups.create(*terms)
    enter, again = following.calendar.enter, list[str]()

    async def slowly(guild_id: int, event: CalendarEvent) -> int:
        again.append(await following.events.enter(await cups.create(*terms), "lobby"))
        return await enter(guild_id, event)

    monkeypatch.setattr(following.calendar, "enter", slowly)
    assert await following.events.enter(made, "lobby") == ""
    monkeypatch.undo()
    later = await cups.create(*terms)
    assert (again, later.id) == ([""], made.id)
    assert await following.events.enter(later, "lobby") == ""
    assert following.calendar.asked == ["enter"]
    assert len(await cups.of_server(GUILD)) == 1


async def test_one_that_was_called_off_while_its_event_was_entered_keeps_none(
    following: Following, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = await following.directed.opened_for(FOUR[:3])
    enter = following.calendar.enter

    async def slowly(guild_id: int, event: CalendarEvent) -> int:
        await following.directed.cups.call_off(GUILD, cup.id, HOST)
        return await enter(guild_id, event)

    monkeypatch.setattr(following.calendar, "enter", slowly)
    await following.events.enter(cup, "lobby")
    assert following.edits.latest is not None
    await following.edits.latest()
    assert following.calendar.asked == ["enter", "remove"]


def test_it_lasts_as_long_as_its_rounds_about() -> None:
    one, two = (lasts(tournament(dealt=dealt, game="ciq")) for dealt in (Dealt.SAME, Dealt.TWICE))
    assert SHORTEST <= one < two
    assert lasts(replace(tournament(), rounds=5, every=60)) == 5 * 60_000
