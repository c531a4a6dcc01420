"""The verdict on a match: whole ones fit, every alteration is found, and what can't be checked is said."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest

from bot.play.computers.stand_ins import NOBODY_ABSENT
from bot.play.counting import Ending, result_of
from bot.play.deals.match_export import ExportedMatch, NotAnExportError, read
from bot.play.deals.proof import Finding, Verdict, judge, state_after
from bot.play.match_state import codec
from bot.store.queries.matches import Result, Salt
from engines import GAMES
from engines.deals import salt_digest
from engines.game import IllegalAction, Outcome, Resign
from engines.haymaker import Haymaker, TakeHit
from laws.play import Odds
from tests.bot.play.exported import chain, exported, rechained, sealed, text_of, with_record, without_player
from tests.games.cases import case_of, setups
from tests.upgrades.old import Kept, kept
from tests.upgrades.test_rules import gains_fields, installed

pytestmark = pytest.mark.slow  # deals matches at every table of every game, and alters each

FITS, WRONG = Finding.FITS, Finding.DOES_NOT_FIT
SETUPS = [*setups()]
HIGH = {
    "haymaker": ("default", 2),
    "unbreakable": ("most_swift", 2),
    "ciq": ("most_packs", 6),
    "tivmiv": ("ten_phases", 5),
    "champions": ("blind_victory_wacky_icons", 2),
}
"""Tables with high options, of each game that draws cards during play."""


def verdict(match: ExportedMatch) -> Verdict:
    """The verdict on a match after it was exported and read; as it is stored where no file may say what it does."""
    try:
        again = read(text_of(match))
    except NotAnExportError:
        again = match
    return judge(again.row, again.records, again.result, again.sealed_at)


def wrong_parts(match: ExportedMatch) -> set[str]:
    """The parts of a match that don't fit."""
    found = verdict(match)
    wrong = {each.name for each in fields(found) if getattr(found, each.name) is WRONG}
    assert found.is_wrong is bool(wrong)
    assert found.fits is (set(found.findings) == {FITS})
    return wrong


# ---------------------------------------------------------------------------------------------- whole matches


@pytest.mark.parametrize(("key", "setting", "seats"), SETUPS)
def test_a_whole_match_is_read_back_as_it_was_and_fits(key: str, setting: str, seats: int) -> None:
    match = exported(key, setting, seats)
    text = text_of(match)
    again = read(text)
    assert again == match
    assert [record.chain for record in again.records] == [record.chain for record in match.records]
    assert again.result.chain == match.result.chain
    assert text_of(again) == text
    assert judge(again.row, again.records, again.result, again.sealed_at).fits


@pytest.mark.parametrize("key", GAMES)
def test_a_match_with_resignations_and_expired_clocks_fits(key: str) -> None:
    setting, seats = HIGH.get(key, case_of(key).setups[-1])
    for seed in range(4):
        assert verdict(exported(key, setting, seats, seed=seed, odds=Odds(time=0.1, resign=0.01 * seed))).fits


def test_a_match_that_was_called_off_fits() -> None:
    match = exported("haymaker")
    begun = rechained(replace(match, records=match.records[:1]))
    result = replace(begun.result, kind="called_off", ranks=(), counted=False)
    assert verdict(replace(begun, result=result)).fits
    assert wrong_parts(begun) == {"result"}
    assert wrong_parts(replace(begun, result=replace(result, counted=True))) == {"result"}


# ---------------------------------------------------------------------------------------------- altered matches


def with_row(match: ExportedMatch, **changes: Any) -> ExportedMatch:
    return replace(match, row=replace(match.row, **changes))


def resealed(match: ExportedMatch) -> ExportedMatch:
    return replace(match, row=sealed(match.row))


def flipped(value: bytes) -> bytes:
    return bytes([value[0] ^ 1]) + value[1:]


def other_options(match: ExportedMatch) -> str:
    """Other options than those of a match, for as many players."""
    case = case_of(match.row.game)
    texts = [codec(match.row.game).encode(options) for options in case.settings.values()]
    others = [text for text in texts if text != match.row.options]
    return others[0] if others else match.row.options.replace("{", '{"more":1,', 1)


def other_fields(match: ExportedMatch) -> str:
    return json.dumps({**json.loads(match.row.sealed_options), "more": 1}, separators=(",", ":"), sort_keys=True)


def the_middle(match: ExportedMatch) -> int:
    return len(match.records) // 2


def with_other_fact(match: ExportedMatch) -> ExportedMatch:
    """The facts of one act are those of the act after it."""
    seq = the_middle(match)
    return with_record(match, seq, events=match.records[seq + 1].events)


def with_other_act(match: ExportedMatch) -> ExportedMatch:
    """One act is another: somebody resigns, and the facts stay."""
    return with_record(match, the_middle(match), actor=0, action=codec(match.row.game).encode(Resign()))


def dealt_twice(match: ExportedMatch) -> ExportedMatch:
    """The cards are dealt again at the end, with the same facts."""
    again = replace(match.records[0], seq=len(match.records))
    return replace(match, records=(*match.records, again))


def renumbered(match: ExportedMatch) -> ExportedMatch:
    records = tuple([replace(record, seq=seq) for seq, record in enumerate(match.records)])
    return replace(match, records=records)


def without_one(match: ExportedMatch) -> ExportedMatch:
    seq = the_middle(match)
    return replace(match, records=match.records[:seq] + match.records[seq + 1 :])


def with_one_more(match: ExportedMatch) -> ExportedMatch:
    seq = the_middle(match)
    return replace(match, records=match.records[: seq + 1] + match.records[seq:])


def with_two_exchanged(match: ExportedMatch) -> ExportedMatch:
    """The first act and one in the middle: in a race, acts that follow one another may be the same in either order."""
    seq, (*records,) = the_middle(match), match.records
    records[1], records[seq] = records[seq], records[1]
    return replace(match, records=tuple(records))


ALTERED: dict[str, tuple[Callable[[ExportedMatch], ExportedMatch], set[str]]] = {
    "seed": (lambda match: with_row(match, seed=flipped(match.row.seed)), {"seal", "deal"}),
    "seed, resealed": (lambda match: resealed(with_row(match, seed=flipped(match.row.seed))), {"deal"}),
    "seal": (lambda match: with_row(match, commitment=flipped(match.row.commitment)), {"seal"}),
    "a salt's text": (
        lambda match: with_row(match, salts=(Salt(match.row.salts[0].digest, "pear"), *match.row.salts[1:])),
        {"salts"},
    ),
    "a salt's digest": (
        lambda match: with_row(match, salts=(Salt(flipped(match.row.salts[0].digest), "apple"), *match.row.salts[1:])),
        {"salts", "deal"},
    ),
    "a salt": (
        lambda match: with_row(match, salts=(Salt(salt_digest("pear"), "pear"), *match.row.salts[1:])),
        {"deal"},
    ),
    "the order of seats": (lambda match: with_row(match, salts=match.row.salts[::-1]), {"deal"}),
    "the sealed options": (lambda match: with_row(match, sealed_options=other_fields(match)), {"seal", "options"}),
    "the sealed options, resealed": (
        lambda match: resealed(with_row(match, sealed_options=other_fields(match))),
        {"options"},
    ),
    "the options": (lambda match: with_row(match, options=other_options(match)), {"options"}),
    "unreadable options": (lambda match: with_row(match, options="{"), {"options", "deal", "acts", "result"}),
    "deep options": (lambda match: with_row(match, options="[" * 9000), {"options", "deal", "acts", "result"}),
    "deep options in both places": (
        lambda match: resealed(with_row(match, options="[" * 9000, sealed_options="[" * 9000)),
        {"options", "deal", "acts", "result"},
    ),
    "the deal's id": (lambda match: with_row(match, deal_id="another"), {"seal", "deal"}),
    "the deal's id, resealed": (lambda match: resealed(with_row(match, deal_id="another")), {"deal"}),
    "the match's id": (lambda match: with_row(match, id="another"), {"log"}),
    "an act": (with_other_act, {"acts", "log"}),
    "an act, chained again": (lambda match: rechained(with_other_act(match)), {"acts"}),
    "a fact": (with_other_fact, {"acts", "log"}),
    "a fact, chained again": (lambda match: rechained(with_other_fact(match)), {"acts"}),
    "an unreadable fact": (
        lambda match: rechained(with_record(match, the_middle(match), events="[{}]")),
        {"acts", "result"},
    ),
    "an unreadable act": (lambda match: rechained(with_record(match, the_middle(match), action="7")), {"acts"}),
    "no act": (lambda match: rechained(with_record(match, the_middle(match), action=None)), {"acts"}),
    "the cards dealt twice": (lambda match: rechained(dealt_twice(match)), {"acts"}),
    "a time": (lambda match: with_record(match, the_middle(match), at=7), {"log"}),
    "a chain": (
        lambda match: with_record(match, the_middle(match), chain=flipped(match.records[the_middle(match)].chain)),
        {"log"},
    ),
    "the result's chain": (
        lambda match: replace(match, result=replace(match.result, chain=flipped(match.result.chain))),
        {"end"},
    ),
    "the ranks": (
        lambda match: replace(match, result=replace(match.result, ranks=tuple([9 for _ in match.result.ranks]))),
        {"result"},
    ),
    "the ending": (lambda match: replace(match, result=replace(match.result, kind="another")), {"result"}),
    "a record removed": (without_one, {"acts", "log"}),
    "a record removed, chained again": (lambda match: rechained(renumbered(without_one(match))), {"acts"}),
    "the last record removed": (
        lambda match: replace(match, records=match.records[:-1]),
        {"end", "result"},
    ),
    "a record added": (with_one_more, {"acts", "log"}),
    "a record added, chained again": (lambda match: rechained(renumbered(with_one_more(match))), {"acts"}),
    "records moved": (with_two_exchanged, {"acts", "log"}),
    "records moved, chained again": (lambda match: rechained(renumbered(with_two_exchanged(match))), {"acts"}),
    "more seats": (
        lambda match: with_row(match, seats=(-1,) * 9, salts=match.row.salts[:1] * 9),
        {"deal"},
    ),
    "fewer seats": (lambda match: with_row(match, seats=(-1,), salts=match.row.salts[:1]), {"deal"}),
}
"""Wrong files of every kind, and the parts that don't fit then at least."""

FOLLOW = {"acts", "result", "times"}
"""Parts that may not fit either, because they follow from others."""


@pytest.mark.nightly  # nothing that judges knows the game
@pytest.mark.parametrize("key", GAMES)
def test_what_was_altered_is_found(key: str) -> None:
    match = exported(key)
    for name, (alter, expected) in ALTERED.items():
        found = wrong_parts(alter(match))
        assert expected <= found, name
        assert found - expected <= (FOLLOW | {"deal"} if name == "the options" else FOLLOW), name


@pytest.mark.parametrize("key", GAMES)
def test_another_version_of_the_rules_is_another_deal(key: str) -> None:
    match = exported(key)
    other = with_row(match, rules_version=match.row.rules_version + 1)
    assert verdict(other).seal is WRONG
    found = verdict(resealed(other))
    assert (found.seal, found.deal) == (FITS, Finding.OTHER_RULES)  # newer ones, which this program doesn't know


@pytest.mark.parametrize("key", GAMES)
def test_a_match_of_another_game_does_not_fit(key: str) -> None:
    other = "ciq" if key != "ciq" else "tivmiv"
    match = with_row(exported(key), game=other, rules_version=GAMES[other].info.rules_version)
    assert {"seal", "deal"} <= wrong_parts(match)
    assert {"deal"} <= wrong_parts(resealed(match))


@pytest.mark.parametrize("key", HIGH)
def test_every_draw_after_the_deal_is_worked_out(key: str) -> None:
    """Where a game draws during play, the draws of another seed are found though they were chained and sealed."""
    setting, seats = HIGH[key]
    for seed in range(1, 30):
        match = exported(key, setting, seats, seed=seed)
        wrong = wrong_parts(resealed(with_row(match, seed=flipped(match.row.seed))))
        if wrong == {"deal", "acts"}:
            return
        assert wrong == {"deal"}, "a match that drew nothing"
    pytest.fail("no match drew anything")


@pytest.mark.parametrize("key", GAMES)
def test_a_verdict_is_reached_on_every_file_that_can_be_read(key: str) -> None:
    """Parts of a match are put in the places of others, also within the texts of options, acts and facts."""
    rng, text = random.Random(key), text_of(without_player(exported(key), 1))
    told = json.loads(text)
    told["records"] = told["records"][:12][: len(told["records"]) - 1]
    reached = 0
    for _ in range(60):
        altered = json.loads(json.dumps(told))
        for _ in range(rng.randint(1, 3)):
            exchange(altered, rng)
        try:
            match = read(json.dumps(altered).encode())
        except NotAnExportError:
            continue
        reached += 1
        found = judge(match.row, match.records, match.result, match.sealed_at)
        assert not found.fits
    assert reached > 10


def exchange(told: dict[str, Any], rng: random.Random) -> None:
    """Put a value from somewhere in a match into another place, or do the same in one of its texts of JSON."""
    records = told["records"]
    holders: list[tuple[dict[str, Any], str]] = [(told, "options"), *[(each, "events") for each in records]]
    holders += [(each, "action") for each in records[1:]]
    if rng.random() < 0.5:
        (into, name), (source, other) = rng.choice(holders), rng.choice(holders)
        into[name] = source[other]
        return
    into, name = rng.choice(holders)
    numbers = [*re.finditer(r"-?\d+|true|false|null|\"\w*\"", into[name] or "")]
    if numbers:
        place, value = rng.choice(numbers), rng.choice([*numbers, None])
        changed = value[0] if value else rng.choice(["-1", "99", "10" * 20, "null", "[]", "{}", '"x"', "1.5"])
        into[name] = into[name][: place.start()] + changed + into[name][place.end() :]


# ---------------------------------------------------------------------------------------------- what can't be checked


def test_a_match_with_a_deleted_player_still_fits() -> None:
    for key in GAMES:
        found = verdict(without_player(exported(key), 0))
        assert found.fits


def test_a_game_that_is_not_installed_leaves_seal_and_log_to_check() -> None:
    match = resealed(with_row(exported("haymaker"), game="whist"))
    found = verdict(match)
    unknown = Finding.NOT_INSTALLED
    assert (found.deal, found.acts, found.result) == (unknown, unknown, unknown)
    assert (found.seal, found.options, found.salts, found.log, found.end) == (FITS,) * 5
    assert (found.fits, found.is_wrong, found.differing) == (False, False, ())
    assert verdict(with_row(match, seed=bytes(32))).is_wrong


def test_rules_that_changed_since_leave_the_deal_and_the_result_to_check(monkeypatch: pytest.MonkeyPatch) -> None:
    match = exported("haymaker")
    hits = {seq for seq, record in enumerate(match.records) if '"TakeHit"' in (record.action or "")}
    assert hits
    before = Haymaker.decide

    def decide(game: Haymaker, state: Any, actor: Any, action: Any, chance: Any) -> Any:
        if isinstance(action, TakeHit):
            raise IllegalAction("H-9", "nobody may take a hit")
        return before(game, state, actor, action, chance)

    monkeypatch.setattr(Haymaker, "decide", decide)
    assert (verdict(match).acts, verdict(match).differing) == (WRONG, tuple(sorted(hits)))
    monkeypatch.setattr(Haymaker, "info", replace(Haymaker.info, rules_version=2))
    found = verdict(match)
    assert (found.acts, found.differing) == (Finding.OTHER_RULES, tuple(sorted(hits)))
    assert {found.seal, found.deal, found.log, found.end, found.result} == {FITS}
    assert (found.fits, found.is_wrong) == (False, False)


def test_of_newer_rules_nothing_that_differs_is_called_wrong() -> None:
    match = resealed(with_row(exported("haymaker"), rules_version=9))
    found = verdict(match)
    assert found.deal is Finding.OTHER_RULES
    assert (found.fits, found.is_wrong) == (False, False)


@pytest.mark.parametrize("match", kept(), ids=lambda match: match.name)
def test_matches_under_earlier_rules_are_dealt_again(match: Kept) -> None:
    records = chain(match.row.id, match.records)
    state = state_after(match.row, records)
    outcome = GAMES[match.row.game].outcome(state)
    acted = frozenset([record.actor for record in records[:-1] if record.actor is not None])
    outcome = outcome or Outcome("lapsed", (), void=True)
    ending = Ending(outcome, NOBODY_ABSENT, len(records) - 1, acted)
    ranks, counted = result_of(match.row, GAMES[match.row.game].info, ending)
    result = Result(match.row.id, outcome.kind, ranks, records[-1].at, counted, chain=records[-1].chain)
    found = judge(match.row, records, result, 1)
    assert not found.is_wrong
    assert {found.seal, found.deal, found.log, found.end, found.result} == {FITS}
    if match.row.rules_version == GAMES[match.row.game].info.rules_version:
        assert found.fits


# ---------------------------------------------------------------------------------------------- the proof


def test_facts_and_options_that_got_a_field_since_still_fit() -> None:
    match = exported("haymaker")
    assert any('"HitTaken"' in record.events for record in match.records)
    with installed(gains_fields):
        assert verdict(match).fits
