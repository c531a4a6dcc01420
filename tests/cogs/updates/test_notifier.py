"""Each kind of notice is as loud as its player chose with `/notify`, also where the store can't say what that is."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, TypeAlias

import pytest

from bot.play.live_match import LiveMatch
from bot.play.matchmaking.invitations import Proposal, Terms
from bot.store.errors import NotSaved
from bot.store.queries.invitations import InvitationKind
from bot.store.queries.matches import Obstacle, Suspension
from bot.store.queries.people import DEFAULT, NoticeLevel
from bot.time_controls import TIME_CONTROLS
from engines import GAMES
from tests.bot.play.parts import CAT, CHANNEL, ELSEWHERE, GUILD, MESSAGE, on_turn
from tests.cogs.fake_messages import DOWN
from tests.cogs.updates.following import NOTICE_AFTER, Following

Heard: TypeAlias = tuple[bool, bool, bool]
"""Whether a person was named in the channel by a mention, notified by it, and sent a direct message."""

IGNORED: Final = (False, False, False)
NAMED: Final = (True, False, False)
PINGED: Final = (True, True, False)
TOLD: Final = (False, False, True)

KINDS: Final = ("turn", "warning", "begun", "resumed")


async def notified(room: Following, kind: str) -> tuple[LiveMatch, int]:
    """A match whose player, who is returned, has a notice of this kind unless they want none."""
    match = await room.seated("normal" if kind == "warning" else "daily")
    seat = on_turn(match)
    if kind == "turn":
        await room.seconds(NOTICE_AFTER + 2)
    elif kind == "warning":
        room.seen(match)
        await room.seconds(TIME_CONTROLS["normal"].turn - 5)
    elif kind == "begun":
        room.updates.notices.begun(match, 1 - seat)
        await room.seconds(5)
    else:
        await room.lifecycle.suspend(match, Suspension.NO_SENDING, CHANNEL)
        await room.resume(match, 1 - seat)
        await room.seconds(5)
    return match, match.seats[seat]


async def heard(room: Following, kind: str) -> Heard:
    """How the player of a notice was notified."""
    match, user = await notified(room, kind)
    return heard_by(room, user, match.channel_id)


def heard_by(room: Following, user: int, channel_id: int) -> Heard:
    """How somebody was notified of something in a channel."""
    texts = room.mentions(channel_id)
    named = any(f"<@{user}>" in each.text for each in texts)
    return named, any(user in each.notified for each in texts), bool(room.messages.direct(user))


async def broken(*_: object) -> None:
    raise NotSaved("the disk failed")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("level", "expected"),
    [
        (NoticeLevel.NONE, IGNORED),
        (NoticeLevel.QUIET, NAMED),
        (NoticeLevel.PING, PINGED),
        (NoticeLevel.DIRECT, TOLD),
    ],
)
async def test_each_kind_is_as_loud_as_its_player_chose(
    room: Following, kind: str, level: NoticeLevel, expected: Heard
) -> None:
    await room.choose(level)
    assert await heard(room, kind) == expected


@pytest.mark.parametrize("kind", KINDS)
async def test_where_the_level_cannot_be_read_it_is_the_one_of_those_who_chose_nothing(
    room: Following, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await room.store.notice_level(GUILD, 1) is DEFAULT
    await room.choose(NoticeLevel.QUIET)

    monkeypatch.setattr(room.store, "notice_level", broken)
    assert await heard(room, kind) == PINGED


@pytest.mark.parametrize("kind", KINDS)
async def test_who_takes_no_direct_messages_is_pinged(room: Following, kind: str) -> None:
    await room.choose(NoticeLevel.DIRECT)
    room.messages.closed |= {1, 2, 3}
    assert await heard(room, kind) == PINGED


async def test_a_direct_message_that_discord_could_not_take_is_sent_again_and_pings_nobody(room: Following) -> None:
    await room.choose(NoticeLevel.DIRECT)
    room.messages.fail("post", DOWN)
    match, user = await notified(room, "turn")
    await room.seconds(60)
    assert heard_by(room, user, match.channel_id) == TOLD


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("level", "expected"),
    [(NoticeLevel.NONE, IGNORED), (NoticeLevel.QUIET, NAMED), (NoticeLevel.PING, TOLD), (NoticeLevel.DIRECT, TOLD)],
)
async def test_who_cannot_see_the_channel_is_not_pinged_there(
    room: Following, kind: str, level: NoticeLevel, expected: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mention there would notify nobody, so they get a direct message instead."""

    async def hidden(*_: object) -> Obstacle:
        return Obstacle.HIDDEN

    monkeypatch.setattr(room.access, "obstacle", hidden)
    await room.choose(level)
    assert await heard(room, kind) == expected


@pytest.mark.parametrize("level", [*NoticeLevel, None])
@pytest.mark.parametrize(("closed", "expected"), [((), TOLD), ((CAT,), PINGED)])
async def test_who_asked_for_notices_of_tables_gets_them_whatever_they_chose_for_others(
    room: Following,
    level: NoticeLevel | None,
    closed: tuple[int, ...],
    expected: Heard,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also if the store can't say what that is (None)."""
    if level is None:
        monkeypatch.setattr(room.store, "notice_level", broken)
    else:
        await room.choose(level)
    room.messages.closed |= set(closed)
    await room.subscriptions.set_subscription(GUILD, CAT, "ciq", wanted=True)
    terms = Terms(GUILD, CHANNEL, "ciq", GAMES["ciq"].info.options(), "normal")
    table = await room.inviting.invite(Proposal(terms, 1_000, kind=InvitationKind.TABLE))
    await room.invitations.note_message(table, MESSAGE)
    room.table_notices.invitation_opened(replace(table, message_id=MESSAGE))
    await room.seconds(30)
    assert heard_by(room, CAT, CHANNEL) == expected


@pytest.mark.parametrize("level", NoticeLevel)
async def test_a_resumed_match_is_told_once_to_each_and_names_all(room: Following, level: NoticeLevel) -> None:
    await room.choose(level)
    match, user = await notified(room, "resumed")
    (told,) = room.mentions(ELSEWHERE)
    assert str(match.board_id) in told.text
    direct = room.messages.direct(user)
    assert len(direct) == (level is NoticeLevel.DIRECT)
    assert all(str(match.board_id) in each.text for each in direct)
