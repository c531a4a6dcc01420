"""Limits: at each number the next one is refused, with the number in the refusal; others are not counted."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.budgets import MOST_ASKED, MOST_RESERVED
from bot.play.limits import HOUR, ChallengeThrottle, Limits
from bot.play.refusals import Refused
from bot.settings import Settings
from bot.store.queries.matches import Suspension
from bot.store.special_ids import computer_id
from bot.ui.isolation import mention

ANN, BOB, CAT, DAN, EVE, FAY, GUS = range(1, 8)
COMPUTER = computer_id("easy")
HERE, THERE = 10, 11

LIMITS = Limits(
    Settings().model_copy(
        update={
            "max_matches_per_player": 2,
            "max_practice_per_player": 2,
            "max_matches_per_channel": 3,
            "max_matches_per_server": 4,
            "max_invitations_per_player": 2,
            "max_invitations_per_channel": 3,
            "max_invitations_per_server": 4,
            "max_invitations_received": 2,
            "max_challenges_in_vain": 3,
        }
    )
)


def match(
    *seats: int, channel: int = HERE, held: bool = False, slow: bool = False, asked_at: int = 0, own: bool = False
) -> Any:
    return SimpleNamespace(
        seats=seats,
        channel_id=channel,
        suspended=Suspension.GAVE_PLACE if held else None,
        time_control=SimpleNamespace(slow=slow),
        asked_at=asked_at,
        reserved=own,
    )


def invitation(host: int, *invited: int, seated: tuple[int, ...] = (), channel: int = HERE, created_at: int = 0) -> Any:
    return SimpleNamespace(host_id=host, invited=invited, seated=seated, channel_id=channel, created_at=created_at)


def refused(check: Any, *args: Any) -> tuple[str, dict[str, Any]]:
    """The refusal's key and values."""
    with pytest.raises(Refused) as raised:
        check(*args)
    return raised.value.key, dict(raised.value.values)


def test_a_player_has_so_many_matches_and_is_told_so_in_the_askers_words() -> None:
    playing = [match(ANN, BOB), match(CAT, ANN)]
    LIMITS.check_player(playing, BOB, ANN)
    assert refused(LIMITS.check_player, playing, ANN, ANN) == ("challenge.too_many_matches", {"limit": 2})
    assert refused(LIMITS.check_player, playing, ANN, BOB) == (
        "limit.player_matches",
        {"player": mention(1), "limit": 2},
    )


def test_practice_has_a_limit_of_its_own_and_takes_no_room_from_people() -> None:
    practice = [match(ANN, COMPUTER), match(ANN, COMPUTER), match(ANN, BOB)]
    LIMITS.check_alone(practice[1:], ANN)
    assert refused(LIMITS.check_alone, practice, ANN) == ("limit.practice", {"limit": 2})
    full = [match(CAT, COMPUTER) for _ in range(9)]
    LIMITS.check_room(full, HERE, (ANN, BOB))
    assert refused(LIMITS.check_room, full, HERE, (DAN,)) == ("limit.channel_matches", {"limit": 3})


def test_nobody_has_more_than_a_third_of_a_channel() -> None:
    playing = [match(ANN, BOB)]
    assert refused(LIMITS.check_room, playing, HERE, (CAT, ANN)) == ("limit.share", {"player": mention(1), "limit": 1})
    LIMITS.check_room(playing, THERE, (CAT, ANN))


def test_what_is_on_hold_or_slow_takes_no_room_in_a_channel() -> None:
    playing = [match(ANN, BOB, held=True), *(match(ANN, CAT, slow=True) for _ in range(3))]
    LIMITS.check_room(playing, HERE, (ANN, BOB))
    more = [*playing, match(ANN, CAT, slow=True, channel=THERE)]
    assert refused(LIMITS.check_room, more, HERE, (ANN, CAT)) == ("limit.server_matches", {"limit": 4})


def test_in_a_full_place_whoever_has_no_match_there_is_let_in_and_the_idlest_of_who_has_most_gives_place() -> None:
    idle, busy = match(ANN, BOB, asked_at=1), match(ANN, GUS, asked_at=2)
    older = match(CAT, DAN, asked_at=0)
    here = [idle, busy, older]
    LIMITS.check_room(here, HERE, (EVE, FAY))
    begun = match(EVE, FAY)
    assert LIMITS.giving_place([*here, begun], begun) == [idle]
    server = [match(ANN, BOB, channel=channel, asked_at=channel) for channel in range(20, 24)]
    LIMITS.check_room(server, HERE, (EVE, ANN))
    assert refused(LIMITS.check_room, server, HERE, (ANN, BOB)) == ("limit.server_matches", {"limit": 4})
    assert LIMITS.giving_place([*server, begun], begun) == [server[0]]
    assert LIMITS.giving_place([*here[:2], begun], begun) == []


def test_practice_pushes_nobody_out() -> None:
    begun = match(EVE, COMPUTER)
    assert LIMITS.giving_place([*(match(ANN, BOB) for _ in range(9)), begun], begun) == ()


def test_a_host_has_so_many_invitations_and_a_full_place_closes_the_oldest_of_who_has_most() -> None:
    of_ann = [invitation(ANN, created_at=2), invitation(ANN, channel=THERE)]
    assert LIMITS.check_invitation(of_ann, HERE, BOB) == []
    assert refused(LIMITS.check_invitation, of_ann, HERE, ANN) == ("challenge.too_many", {"limit": 2})
    here = [invitation(ANN, created_at=2), invitation(BOB, created_at=0), invitation(ANN, created_at=1)]
    assert LIMITS.check_invitation(here, THERE, BOB) == []
    assert refused(LIMITS.check_invitation, here, HERE, BOB) == ("limit.channel_invitations", {"limit": 3})
    assert LIMITS.check_invitation(here, HERE, CAT) == [here[2]]
    full = [*here, invitation(BOB, channel=THERE)]
    assert LIMITS.check_invitation(full, THERE, CAT) == [here[1]]
    of_cat = [invitation(CAT), *here[:2], invitation(DAN, channel=THERE)]
    assert refused(LIMITS.check_invitation, of_cat, THERE, CAT) == ("limit.server_invitations", {"limit": 4})


def test_a_guest_is_awaited_by_so_many_and_nobody_keeps_others_from_asking() -> None:
    asked = [invitation(ANN, BOB, created_at=1), invitation(CAT, BOB, seated=(BOB,))]
    assert LIMITS.check_received(asked, BOB, DAN) == []
    asked.append(invitation(ANN, BOB))
    assert refused(LIMITS.check_received, asked, BOB, ANN) == ("limit.received", {"player": mention(2), "limit": 2})
    assert LIMITS.check_received(asked, BOB, DAN) == [asked[-1]]


def test_a_table_asks_no_more_than_its_message_can_name() -> None:
    LIMITS.check_asked(range(MOST_ASKED))
    assert refused(LIMITS.check_asked, range(MOST_ASKED + 1)) == ("limit.asked", {"limit": MOST_ASKED})


def test_unanswered_challenges_count_for_an_hour_pair_by_pair_and_server_by_server() -> None:
    throttle = ChallengeThrottle()
    for moment in (0, 1000):
        throttle.note(1, ANN, BOB, moment)
    assert throttle.count(1, ANN, BOB, 2000) == 2
    assert [throttle.count(*pair, 2000) for pair in ((1, BOB, ANN), (1, ANN, CAT), (2, ANN, BOB))] == [0, 0, 0]
    assert throttle.count(1, ANN, BOB, HOUR) == 1
    assert throttle.count(1, ANN, BOB, HOUR + 1000) == 0
    LIMITS.check_unanswered(2, BOB)
    assert refused(LIMITS.check_unanswered, 3, BOB) == ("limit.in_vain", {"player": mention(2), "limit": 3})


def test_matches_with_room_of_their_own_count_for_no_other_limit() -> None:
    own = [match(ANN, BOB, own=True) for _ in range(MOST_RESERVED - 1)]
    LIMITS.check_player(own, ANN, ANN)
    LIMITS.check_room(own, HERE, (ANN, BOB))
    assert LIMITS.giving_place([*own, begun := match(CAT, DAN)], begun) == []
    full = [match(ANN, BOB, asked_at=number) for number in range(9)]
    assert LIMITS.giving_place([*full, own[0]], own[0]) == ()
    assert LIMITS.room_reserved([*own, *full]) == 1
    LIMITS.check_reserved(own)
    key, values = refused(LIMITS.check_reserved, [*own, own[0]])
    assert (key, values) == ("limit.reserved", {"limit": MOST_RESERVED})
