"""The list of `/games`: in which order, on which page, and what of other servers it shows to whom."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import pytest

from bot.games import GAMES
from bot.play.elsewhere import PlayedElsewhere
from bot.play.live_match import LiveMatch
from bot.play.matchmaking.invitations import Proposal, Terms
from bot.store.errors import Busy, NotSaved
from bot.store.queries.invitations import InvitationKind
from bot.store.queries.matches import Suspension
from bot.ui.screen import Button, Screen
from cogs.actions.match_list import PAGE
from cogs.screens.renderer import LONGEST_TEXT, render, utf16_units
from engines.game import Act, Seat
from tests.bot.play.parts import ANN, BOB, CAT, CHANNEL, GUILD, MESSAGE, press_ids
from tests.cogs.actions.offline_bot import OfflineBot, say
from tests.cogs.fake_interaction import FakeInteraction
from tests.failing_rules import raising

OTHER_GUILD = GUILD + 1
LINK = re.compile(r"https://discord\.com/channels/(\d+)/(\d+)(?:/(\d+))?")
WORST_NAME = "*" * 40
"""After each sign a backslash is added, so in a text it is twice as long as a name may be."""


async def listed(bot: OfflineBot, user: int = ANN, page: int = 0, guild: int | None = GUILD) -> Screen:
    """A page of somebody's list, in a server or (None) in direct messages."""
    asking = FakeInteraction({}, user_id=user, guild_id=guild)
    return await bot.app.match_list.screen(asking.as_interaction, page)


def text(screen: Screen) -> str:
    return "\n".join(part["content"] for part in render(screen, "games")[0]["components"] if "content" in part)


def items(screen: Screen) -> list[str]:
    return [line for line in text(screen).splitlines() if line.startswith("- ")]


def labels(screen: Screen) -> list[str]:
    return [control.label for row in screen.rows for control in row if isinstance(control, Button) and control.enabled]


async def whole(bot: OfflineBot, user: int = ANN, guild: int | None = GUILD) -> list[Screen]:
    """All pages, as *Next* leads through them."""
    pages = [await listed(bot, user, 0, guild)]
    while say("button.next") in labels(pages[-1]):
        pages.append(await listed(bot, user, len(pages), guild))
    return pages


async def opened(
    bot: OfflineBot, clock: str = "daily", *, guild: int = GUILD, game: str = "haymaker", users: Sequence[int] = ()
) -> LiveMatch:
    """A match in play between Ann and Bob, or between others."""
    host, *guests = users or (ANN, BOB)
    terms = Terms(guild, CHANNEL, game, GAMES[game].info.options(), clock)
    invitation = await bot.inviting.invite(Proposal(terms, host, tuple(guests)))
    match: object = invitation
    for guest in guests:
        with bot.presses.take_up(invitation.id, next(press_ids)) as press:
            match = await bot.seating.take_seat(invitation.id, guest, MESSAGE + len(bot.registry), press)
    assert isinstance(match, LiveMatch)
    return match


async def waiting_for(bot: OfflineBot, user: int, clock: str, game: str = "haymaker") -> LiveMatch:
    """A match between Ann and Bob that waits for one of them; it may take some deals."""
    while True:
        match = await opened(bot, clock, game=game)
        if _asked(match) == user:
            return match
        with bot.presses.take_up(match.id, next(press_ids)) as press:
            for seat in (0, 1):
                await press.call_off(match, seat)


def _asked(match: LiveMatch) -> int:
    seats: list[Seat] = [*match.awaited]
    return match.seats[seats[0]]


def ids(lines: Sequence[str]) -> list[int]:
    """The boards that lines link to."""
    return [int(found[3]) for line in lines if (found := LINK.search(line)) is not None]


# ---------------------------------------------------------------------------------------------- the order


async def test_what_waits_for_the_reader_comes_first_by_deadline_then_the_others_then_invitations(
    bot: OfflineBot,
) -> None:
    theirs = await waiting_for(bot, BOB, "7200s")
    late = await waiting_for(bot, ANN, "259200s")
    await bot.inviting.invite(Proposal(_terms("ciq"), ANN, kind=InvitationKind.TABLE))
    await bot.invited(CAT, ANN)
    held = await opened(bot)
    await bot.lifecycle.suspend(held, Suspension.CHANNEL_GONE)
    soon = await waiting_for(bot, ANN, "blitz")
    shown = items(await listed(bot))
    assert [match.board_id for match in (soon, late)] == ids(shown[:2])
    assert say("games.suspended.channel_gone") in shown[2]
    assert ids(shown[3:4]) == [theirs.board_id]
    assert "waiting for your answer" in shown[4]
    assert "Your table" in shown[5]
    assert len(shown) == 6


async def test_a_race_waits_for_everybody_but_not_during_its_countdown(bot: OfflineBot) -> None:
    race = await opened(bot, game="tivmiv")
    for seat in (0, 1):
        ready = race.choices(seat).find("ready")
        assert isinstance(ready, Act)
        with bot.presses.take_up(race.id, next(press_ids)) as press:
            await press.act(race, seat, ready.action)
    counting = await listed(bot)
    assert say("games.beginning") in text(counting)
    assert say("games.group.others", n=1) in text(counting)
    await bot.pass_time(10_000)
    running = await listed(bot)
    assert say("games.race") in text(running)
    assert say("games.group.waiting", n=1) in text(running)
    assert say("games.their_turn") not in text(running)


async def test_tables_and_challenges_say_what_the_reader_is_in_them(bot: OfflineBot) -> None:
    mine = await bot.inviting.invite(Proposal(_terms("ciq"), ANN, kind=InvitationKind.TABLE))
    theirs = await bot.inviting.invite(Proposal(_terms("tivmiv"), BOB, kind=InvitationKind.TABLE))
    with bot.presses.take_up(theirs.id, next(press_ids)) as press:
        await bot.seating.take_seat(theirs.id, ANN, None, press)
    private = await bot.inviting.invite(Proposal(_terms("ciq"), CAT, kind=InvitationKind.TABLE, private=True))
    await bot.seating.ask(private.id, CAT, (ANN,))
    shown = items(await listed(bot))
    hosts = {user: bot.app.wording.name(GUILD, user, say) for user in (BOB, CAT)}
    assert say("games.table_asked", host=hosts[CAT], game="CIQ", seated=1) in shown[0]
    assert any(say("games.table_host", game="CIQ", seated=1) in line for line in shown)
    assert any(say("games.table_seated", host=hosts[BOB], game="Tiv-Miv", seated=2) in line for line in shown)
    assert mine.id != theirs.id


# ---------------------------------------------------------------------------------------------- pages


@pytest.mark.parametrize("guild", [GUILD, None])
async def test_every_match_is_on_one_page_however_long_the_names_are(
    bot: OfflineBot, monkeypatch: pytest.MonkeyPatch, guild: int | None
) -> None:
    _servers(bot, monkeypatch, {GUILD: "*" * 200})
    users = (ANN, *range(10, 15))
    for user in users:
        await bot.app.display_names.remember(GUILD, user, WORST_NAME)
    matches = [await _ciq(bot, users) for _ in range(20)]
    pages = await whole(bot, guild=guild)
    shown = [item for page in pages for item in items(page)]
    assert sorted(ids(shown)) == sorted(match.board_id or 0 for match in matches)
    for page in pages:
        assert utf16_units(text(page)) <= LONGEST_TEXT
        assert not any(line.endswith("…") for line in text(page).splitlines())
        assert 0 < len(items(page)) <= PAGE


async def test_the_buttons_lead_through_the_pages_and_past_the_last_is_the_last(bot: OfflineBot) -> None:
    for _ in range(PAGE + 1):
        await opened(bot)
    last = await listed(bot, page=999_999)
    assert len(items(last)) == 1
    assert say("rules.page", page=2, pages=2) in text(last)
    assert labels(last) == [say("button.previous"), say("button.own_reliability")]
    for guild in (GUILD, None):
        pressed = await bot.press("g1:games:2:matches:1", guild_id=guild)
        assert say("rules.page", page=2, pages=2) in pressed.texts[0]
        assert len([line for line in pressed.texts[0].splitlines() if line.startswith("- ")]) == 1


async def test_a_page_that_is_no_number_is_refused(bot: OfflineBot) -> None:
    for arg in ("", "x", "-1", "1.0", "9999999"):
        assert (await bot.press(f"g1:games:1:matches:{arg}")).texts == [say("press.unknown")], arg


# ---------------------------------------------------------------------------------------------- other servers


@pytest.mark.parametrize("failure", [NotSaved("no answer"), TimeoutError()])
async def test_a_server_about_which_discord_does_not_answer_gets_no_link(
    bot: OfflineBot, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    await opened(bot)
    monkeypatch.setattr(bot.app.members, "fetch", raising(failure))
    (line,) = items(await listed(bot, guild=None))
    assert line.endswith(f" · {say('games.unknown_server')}")
    monkeypatch.setattr(bot.app.wording, "server_name", lambda _guild: "Card Table")
    (line,) = items(await listed(bot, guild=None))
    assert line.endswith(f" · Card Table · {say('games.no_link')}")


async def test_names_of_other_processes_servers_are_asked_for_and_fit_however_long_they_are(
    bot: OfflineBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process plays there, so this one hears nothing of the servers, their people and their matches."""
    guilds = range(OTHER_GUILD, OTHER_GUILD + 2 * PAGE)
    there = [await opened(bot, guild=guild) for guild in guilds]
    for guild in guilds:
        await bot.store.set_name(guild, BOB, WORST_NAME)
    for match in there:
        bot.registry.remove(match)
    asked: list[int] = []

    async def of_player(_user: int) -> PlayedElsewhere:
        return PlayedElsewhere(matches=there)

    async def fetch_elsewhere(guild: int, _user: int) -> tuple[str, bool]:
        asked.append(guild)
        return "*" * 100, True

    monkeypatch.setattr(bot.app.elsewhere, "of_player", of_player)
    monkeypatch.setattr(bot.app.elsewhere, "has", guilds.__contains__)
    monkeypatch.setattr(bot.app.members, "fetch_elsewhere", fetch_elsewhere)
    pages = await whole(bot, guild=None)
    assert len(pages) > 1
    for page in pages:
        assert utf16_units(text(page)) <= LONGEST_TEXT
        assert all(r"\*" * 100 in line for line in items(page))
    assert sorted({int(found[1]) for page in pages for found in map(LINK.search, items(page)) if found}) == [*guilds]
    assert sorted(asked) == [*guilds], "a page asks for its own servers"
    await bot.store.set_name(OTHER_GUILD, BOB, "Robert")
    assert "Robert" in text(await listed(bot, guild=None)), "changes are heard of elsewhere"


async def test_a_list_of_a_server_does_without_what_cannot_be_counted_elsewhere(
    bot: OfflineBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = await opened(bot)
    monkeypatch.setattr(bot.app.elsewhere, "count", raising(Busy("no connection")))
    assert ids(items(await listed(bot))) == [here.board_id]


async def test_in_direct_messages_nothing_can_be_resumed(bot: OfflineBot, monkeypatch: pytest.MonkeyPatch) -> None:
    _servers(bot, monkeypatch, {GUILD: "Card Table"})
    match = await opened(bot)
    await bot.lifecycle.suspend(match, Suspension.CHANNEL_GONE)
    shown = await listed(bot, guild=None)
    (line,) = items(shown)
    assert line.endswith("Use `/games` there to continue it · Card Table")
    assert labels(shown) == []
    assert labels(await listed(bot)) != []
    pressed = await bot.press(f"g1:games:0:resume:{match.id}", guild_id=None)
    assert pressed.texts == [say("match.unknown")]
    assert match.suspended is Suspension.CHANNEL_GONE


async def test_only_servers_on_the_page_are_asked_about(bot: OfflineBot, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    async def fetch_member(guild: int, _user: int) -> object:
        asked.append(guild)
        return object()

    monkeypatch.setattr(bot.app.members, "fetch", fetch_member)
    guilds = range(GUILD, GUILD + 2 * PAGE)
    for guild in guilds:
        await opened(bot, guild=guild)
    await listed(bot, guild=None)
    assert len(asked) == len({*asked}) == PAGE
    asked.clear()
    await listed(bot, guild=GUILD)
    assert asked == []


def _servers(
    bot: OfflineBot, monkeypatch: pytest.MonkeyPatch, names: dict[int, str], left: Collection[int] = ()
) -> None:
    async def fetch_member(guild: int, _user: int) -> object | None:
        return None if guild in left else object()

    monkeypatch.setattr(bot.app.members, "fetch", fetch_member)
    monkeypatch.setattr(bot.app.wording, "server_name", lambda guild: names.get(guild, ""))


def _terms(game: str, guild: int = GUILD) -> Terms:
    return Terms(guild, CHANNEL, game, GAMES[game].info.options(), "daily")


async def _ciq(bot: OfflineBot, users: Sequence[int]) -> LiveMatch:
    host, *others = users
    table = await bot.inviting.invite(Proposal(_terms("ciq"), host, kind=InvitationKind.TABLE))
    for user in others:
        with bot.presses.take_up(table.id, next(press_ids)) as press:
            await bot.seating.take_seat(table.id, user, None, press)
    with bot.presses.take_up(table.id, next(press_ids)) as press:
        return await bot.seating.start(table.id, host, MESSAGE + len(bot.registry), press)
