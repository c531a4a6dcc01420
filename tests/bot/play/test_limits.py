"""Limits: at each number the next one is refused, with the number in the refusal; others are not counted."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.play.limits import HOUR, MOST_ASKED, ChallengeThrottle, Limits
from bot.play.refusals import Refused
from bot.settings import Settings
from bot.ui.isolation import mention

ANN, BOB, CAT = 1, 2, 3
HERE, THERE = 10, 11

LIMITS = Limits(
    Settings().model_copy(
        update={
            "max_matches_per_player": 2,
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


def match(*seats: int, channel: int = HERE) -> Any:
    return SimpleNamespace(seats=seats, channel_id=channel)


def invitation(host: int, *invited: int, seated: tuple[int, ...] = (), channel: int = HERE) -> Any:
    return SimpleNamespace(host_id=host, invited=invited, seated=seated, channel_id=channel)


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


def test_a_channel_and_a_server_have_so_many_matches() -> None:
    playing = [match(ANN, BOB) for _ in range(3)]
    LIMITS.check_place(playing, THERE)
    assert refused(LIMITS.check_place, playing, HERE) == ("limit.channel_matches", {"limit": 3})
    full = [*playing, match(ANN, BOB, channel=THERE)]
    assert refused(LIMITS.check_place, full, THERE) == ("limit.server_matches", {"limit": 4})
    LIMITS.check_channel(full, THERE)


def test_a_host_a_channel_and_a_server_have_so_many_invitations() -> None:
    of_ann = [invitation(ANN), invitation(ANN, channel=THERE)]
    LIMITS.check_invitation(of_ann, HERE, BOB)
    assert refused(LIMITS.check_invitation, of_ann, HERE, ANN) == ("challenge.too_many", {"limit": 2})
    here = [invitation(ANN), invitation(BOB), invitation(CAT)]
    LIMITS.check_invitation(here, THERE, ANN)
    assert refused(LIMITS.check_invitation, here, HERE, ANN) == ("limit.channel_invitations", {"limit": 3})
    full = [*here, invitation(CAT, channel=THERE)]
    assert refused(LIMITS.check_invitation, full, THERE, ANN) == ("limit.server_invitations", {"limit": 4})


def test_a_guest_is_awaited_by_so_many_and_those_where_they_sit_do_not_count() -> None:
    asked = [invitation(ANN, BOB), invitation(CAT, BOB, seated=(BOB,))]
    LIMITS.check_received(asked, BOB)
    assert refused(LIMITS.check_received, [*asked, invitation(CAT, BOB)], BOB) == (
        "limit.received",
        {"player": mention(2), "limit": 2},
    )


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
