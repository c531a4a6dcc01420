"""Logs of earlier rules: they are read, folded to what was known then, dealt again, and played on to the end."""

from __future__ import annotations

import random
from typing import Any, NoReturn, cast

import pytest

from bot.play.deals.proof import DoesNotFollow, check, check_deal
from bot.play.deals.sealing import deal_of
from bot.play.live_match import LiveMatch
from bot.store.queries.matches import MatchRow, Record
from bot.store.store import Store
from bot.telemetry import NO_TELEMETRY
from engines import GAMES
from engines.chance import SeededChance
from engines.game import IllegalAction, TimeUp, fold
from engines.haymaker import Haymaker
from laws.play import random_act
from tests.games.cases import case_of
from tests.upgrades.knowing import holds, known
from tests.upgrades.old import Kept, kept, versions

KEPT = kept()
NO_STORE = cast("Store", None)  # a match that is only looked at asks it nothing
FIRST_KEPT = {"ciq": 3, "tivmiv": 2}
"""The first version of a game's rules that was in use, where it isn't 1."""
MOST = 6000
"""More acts than any match here has left."""


def at(match: Kept, seq: int) -> LiveMatch:
    """The match as the bot takes it up after a record."""
    live = LiveMatch(match.row, NO_STORE, lambda: 5000, NO_TELEMETRY)
    live.replay(match.records[: seq + 1], ())
    return live


@pytest.mark.parametrize("key", GAMES)
def test_matches_of_every_version_of_the_rules_are_kept(key: str) -> None:
    wanted = set(range(FIRST_KEPT.get(key, 1), GAMES[key].info.rules_version + 1))
    assert versions(key) == wanted, (
        f"not all rules of {key} have matches that were played under them: check out the program that has these rules, "
        f"run `python -m tests.upgrades.make --game {key}`, and commit the file (docs/changing-rules.md)"
    )


def test_they_have_settings_of_their_own_and_end() -> None:
    for key in GAMES:
        mine = [match for match in KEPT if match.row.game == key]
        assert any(match.known[len(match.records) - 1]["outcome"] for match in mine), key
        assert len({match.row.options for match in mine}) >= min(2, len(case_of(key).settings)), key


@pytest.mark.parametrize("match", KEPT, ids=lambda match: match.name)
def test_everybody_knows_now_what_they_knew_then(match: Kept) -> None:
    assert len(match.known) >= min(3, len(match.records))
    for seq, then in match.known.items():
        live = at(match, seq)
        now = known(live.game, live.position.state, len(live.seats))
        for part, value in then.items():
            assert holds(now[part], value), (seq, part)


@pytest.mark.parametrize("match", KEPT, ids=lambda match: match.name)
def test_they_are_dealt_again_by_their_own_version(match: Kept) -> None:
    check_deal(match.row, match.records)
    if match.row.rules_version == GAMES[match.row.game].info.rules_version:
        check_has_its_rules(match)
    first, *others = match.records
    for wrong in ([Record(first.match_id, 0, None, None, None, "[]", 0), *others], [], others):
        with pytest.raises(DoesNotFollow):
            check_deal(match.row, wrong)


def check_has_its_rules(match: Kept) -> None:
    """Fail if a match under the rules of today doesn't follow from them."""
    try:
        check(match.row, match.records)
    except DoesNotFollow as found:
        pytest.fail(
            f"The rules of {match.row.game} have changed without a new version: record {found.seq} of {match.name} "
            "would go otherwise now. If that is meant, raise `rules_version` and keep matches of the new version, as "
            "docs/changing-rules.md says."
        )


def test_a_changed_rule_without_a_new_version_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    match = next(each for each in KEPT if each.row.game == "haymaker" and len(each.records) > 1)
    check_has_its_rules(match)

    def decide(*_: object) -> NoReturn:
        raise IllegalAction("H-9", "nobody may do anything")

    monkeypatch.setattr(Haymaker, "decide", decide)
    with pytest.raises(pytest.fail.Exception, match=r"haymaker have changed without a new version.*changing-rules\.md"):
        check_has_its_rules(match)


@pytest.mark.parametrize("match", KEPT, ids=lambda match: match.name)
def test_they_go_on_from_every_moment_to_the_end(match: Kept) -> None:
    for seq in match.known:
        live = at(match, seq)
        if live.position.window is not None:
            assert end_of(live, match.row, seq) is not None


def end_of(live: LiveMatch, row: MatchRow, seq: int) -> Any:
    """The outcome of a match played on by chance under the rules of today."""
    game, state, rng = live.game, live.position.state, random.Random(seq)
    table = deal_of(row)
    pack_id = game.pack(live.options, len(live.seats)).pack_id
    for act in range(seq + 1, seq + MOST):
        window = game.window(state)
        if window is None:
            return game.outcome(state)
        acts = ((seat, random_act(game.choices(state, seat), rng)) for seat in sorted(window.may_act))
        actor, action = next(((seat, action) for seat, action in acts if action is not None), (None, None))
        if actor is None or rng.random() < 0.02:
            actor, action = None, TimeUp(window.timers[0].name, window.timers[0].key)
        state = fold(game, state, game.decide(state, actor, action, SeededChance(row.seed, table, act, pack_id)))
    return None


def test_what_has_changed_is_noticed() -> None:
    (match, *_) = KEPT
    seq = max(match.known)
    live = at(match, seq)
    now = known(live.game, live.position.state, len(live.seats))
    assert holds({**now, "more": 1}, match.known[seq])
    other = known(live.game, at(match, 0).position.state, len(live.seats))
    assert not holds(other, match.known[seq])
    less = {**now, "all": {name: value for name, value in now["all"].items() if name != min(now["all"])}}
    assert not holds(less, match.known[seq])
