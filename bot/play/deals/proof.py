"""Checks that a match follows from its deal and its acts: works it out again, act by act, and compares its log.

It uses today's rules. If they have changed since, acts may have other results than they had (`DoesNotFollow`). The deal
stays the same, because it names the version under which the match was dealt. Facts are compared as values: a field that
they got later has its default in an old log. The opening of a match that was begun from another one is taken as it is.

`judge` says of a finished match what was sealed before it, and whether everything that happened fits that. Its verdict
is a value, which a screen or a terminal puts into words. It needs no store, but for a long match it takes seconds, so
it should not be made in an event loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import pairwise
from typing import Any

from bot.games import GAMES
from bot.play.computers.stand_ins import HAND_OVERS, SeatHolders, act_numbers
from bot.play.counting import Ending, result_of
from bot.play.deals.refereeing import Referee
from bot.play.deals.sealing import chances_of
from bot.play.facts.replayed_log import is_move
from bot.play.match_state import codec
from bot.play.matchmaking.series import fits_its_series
from bot.store import verification
from bot.store.codec import Codec, CodecError
from bot.store.queries.matches import MatchRow, Record, Result
from bot.store.verification import are_sealed, made_seal, opening_digest
from engines.chance import Chance
from engines.deals import salt_digest
from engines.game import AnyGame, Outcome, fold


class DoesNotFollow(Exception):  # noqa: N818  says what was found
    """From the record `seq` on, the log of a match does not follow from its deal and its acts."""

    def __init__(self, seq: int) -> None:
        super().__init__(f"record {seq} does not follow")
        self.seq = seq


def check(row: MatchRow, records: Sequence[Record]) -> None:
    """Raise DoesNotFollow unless the log follows from the seed and the acts."""
    for seq in differing(row, records):
        raise DoesNotFollow(seq)


def check_deal(row: MatchRow, records: Sequence[Record]) -> None:
    """Raise DoesNotFollow unless the deal follows from the seed."""
    check(row, records[:1])


def differing(row: MatchRow, records: Sequence[Record]) -> Iterator[int]:
    """The numbers of the records whose facts don't follow from the act, the facts before it and the seed, one by one.

    After such a record the log's own facts lead on, so each record is judged by itself. From a gap or an unreadable
    fact on, nothing follows. Raises DoesNotFollow if no match can be played with the options.
    """
    try:
        options, game = codec(row.game).decode(row.options), GAMES[row.game]
        game.start(options, len(row.seats))
        pack_id = game.pack(options, len(row.seats)).pack_id
    except Exception as error:  # the row may be damaged in any way
        raise DoesNotFollow(0) from error
    return _differing(row, records, chances_of(row, pack_id), Referee(row, game))


def state_after(row: MatchRow, records: Sequence[Record]) -> Any:
    """The state to which the facts of a log lead. Raises whatever a text or a fact that cannot be read raises."""
    game, written = GAMES[row.game], codec(row.game)
    state = game.start(written.decode(row.options), len(row.seats))
    return fold(game, state, [event for record in records for event in written.decode_all(record.events)])


def _differing(
    row: MatchRow, records: Sequence[Record], chance: Callable[[int], Chance], referee: Referee
) -> Iterator[int]:
    if not records:
        yield 0  # every match has its deal
    game, written = GAMES[row.game], codec(row.game)
    state = game.start(written.decode(row.options), len(row.seats))
    for index, (record, act) in enumerate(zip(records, act_numbers(records, written), strict=True)):
        read = _read(game, written, state, record) if record.seq == index else None
        if read is None:
            yield from range(index, len(records))
            return
        facts, after = read
        action = _action(written, record)
        taken = index == 0 and row.origin is not None  # no seed says how it lay
        made = facts if taken else _made(game, state, record, action, chance(act))
        chances = partial(chance, act + isinstance(action, HAND_OVERS))
        if made != facts or not _is_allowed(referee, state, record, action, chances):
            yield index
        referee.follow(after, record, action)
        state = after


def _read(game: AnyGame, written: Codec, state: Any, record: Record) -> tuple[tuple[Any, ...], Any] | None:
    """A record's facts and the state after them; None if they can't be read."""
    try:
        facts = written.decode_all(record.events)
        return facts, fold(game, state, facts)
    except Exception:  # noqa: BLE001  an altered log may hold anything
        return None


def _action(written: Codec, record: Record) -> Any:
    """A record's action; None if it has none, or none that can be read."""
    try:
        return written.decode(record.action or "")
    except CodecError:
        return None


def _is_allowed(referee: Referee, state: Any, record: Record, action: Any, chances: Callable[[], Chance]) -> bool:
    """Whether the bot would have made a record."""
    try:
        return record.seq == 0 or referee.allows(state, record, action, chances)
    except Exception:  # noqa: BLE001  a rule may raise anything for an act that it never allowed
        return False


def _made(game: AnyGame, state: Any, record: Record, action: Any, chance: Chance) -> tuple[Any, ...] | None:
    """The facts that follow from a record's act; None if the rules take none from it. Only the first has no act."""
    try:
        if record.seq == 0:
            is_deal = record.actor is None and record.action is None and record.computer is None
            return tuple(game.deal(state, chance)) if is_deal else None
        if isinstance(action, HAND_OVERS):  # nothing at the table changes (C-8)
            return ()
        return tuple(game.decide(state, record.actor, action, chance))
    except Exception:  # noqa: BLE001  a rule may raise anything for an act that it never allowed
        return None


class Finding(StrEnum):
    """What was found out about one part of a match."""

    FITS = "fits"
    DOES_NOT_FIT = "does_not_fit"
    NOT_INSTALLED = "not_installed"
    """Its game is not installed here, so its rules are not known."""
    OTHER_RULES = "other_rules"
    """It does not follow from the rules of this program, which are not those of the match. So it may be right."""
    NOT_DEALT = "not_dealt"
    """It was begun with the cards of another match, so no seed says how they lie."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found out about each part of a match whose seal was made at `sealed_at` (ms UTC)."""

    sealed_at: int
    seal: Finding | None
    """Whether the seed, with all that is sealed with it, makes the seal; None for a match that was begun from another
    one, which has none. Then there are no sealed options and no salts either."""
    options: Finding | None
    """Whether the match was played with the sealed options."""
    series: Finding | None
    """Whether its number in a series is one that a match can have (C-9); None in a single match."""
    salts: Finding | None
    """Whether each salt that is still there is the one whose digest took part in the deal."""
    deal: Finding
    """Whether the cards were dealt as the seed says."""
    acts: Finding
    """Whether all facts, and so all later draws, follow from the acts and the seed."""
    log: Finding
    """Whether the log's chain is unbroken."""
    times: Finding
    """Whether the match was sealed, begun, played and ended in this order."""
    end: Finding
    """Whether the result names the last value of that chain."""
    result: Finding
    """Whether the result is that to which the facts lead."""
    differing: tuple[int, ...] = ()
    """The numbers of all records that do not follow: the deal is 0, the others are acts."""
    broken_at: int | None = None
    """The index of the first record at which the chain is broken, from 0."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Of all parts that this match has."""
        sealed = (self.seal, self.options, self.series, self.salts)
        played = (self.deal, self.acts, self.log, self.times, self.end, self.result)
        return tuple([part for part in (*sealed, *played) if part is not None])

    @property
    def fits(self) -> bool:
        """Whether everything was checked and fits."""
        return set(self.findings) == {Finding.FITS}

    @property
    def is_wrong(self) -> bool:
        """Whether something does not fit. If it is neither this nor `fits`, something could not be checked."""
        return Finding.DOES_NOT_FIT in self.findings


def judge(row: MatchRow, records: Sequence[Record], result: Result | None, sealed_at: int) -> Verdict:
    """The verdict on a match, as it is stored or as it was exported.

    `records` is its whole log, and `sealed_at` (ms UTC) is when its seal was made. Raises RuntimeError while the match
    is being played, because a verdict tells what the seed determines.
    """
    if result is None:
        raise RuntimeError("a match can be judged when it is over; the seed is secret until then")
    broken_at = verification.first_altered(row.id, records)
    last = records[-1].chain if records else b""
    made = made_seal(row)
    has_seal = row.origin is None
    differs, deal, acts = _follows(row, records)
    return Verdict(
        sealed_at=sealed_at,
        seal=_finding(made == row.commitment) if has_seal else None,
        options=_finding(are_sealed(row.options, row.sealed_options)) if has_seal else None,
        series=_series(row),
        salts=_salts(row) if has_seal else None,
        deal=deal,
        acts=acts,
        log=_finding(broken_at is None),
        times=_finding(_in_order(sealed_at, row.opened_at, *[record.at for record in records], result.ended_at)),
        end=_finding(last == result.chain),
        result=_result(row, records, result),
        differing=differs,
        broken_at=broken_at,
    )


def _finding(fits: bool) -> Finding:
    return Finding.FITS if fits else Finding.DOES_NOT_FIT


def _in_order(*times: int) -> bool:
    return all(before <= after for before, after in pairwise(times))


def _series(row: MatchRow) -> Finding | None:
    if row.series is None:
        return None
    if row.game not in GAMES:
        return Finding.NOT_INSTALLED
    return _finding(len(row.seats) == len(row.series.wins) and fits_its_series(row.series, row.id, row.game))


def _salts(row: MatchRow) -> Finding:
    there = [salt for salt in row.salts if salt.text is not None]
    one_each = len(row.salts) == len(row.seats)
    return _finding(one_each and all(salt_digest(salt.text or "") == salt.digest for salt in there))


def _follows(row: MatchRow, records: Sequence[Record]) -> tuple[tuple[int, ...], Finding, Finding]:
    """The records that do not follow, and what that says about the deal and about the acts."""
    if row.game not in GAMES:
        return (), Finding.NOT_INSTALLED, Finding.NOT_INSTALLED
    try:
        differs = tuple(differing(row, records))
    except DoesNotFollow:
        differs = tuple(range(max(1, len(records))))
    dealt = Finding.FITS if row.origin is None else Finding.NOT_DEALT
    if row.origin is not None and opening_digest(records[0].events if records else "") != row.origin.digest:
        differs = (0, *[seq for seq in differs if seq])
    changed = Finding.OTHER_RULES if _has_other_rules(row) else Finding.DOES_NOT_FIT
    return differs, _wrong(row) if 0 in differs else dealt, changed if any(differs) else Finding.FITS


def _has_other_rules(row: MatchRow) -> bool:
    """Whether a match was played under other rules than this program has."""
    return row.rules_version != GAMES[row.game].info.rules_version


def _wrong(row: MatchRow) -> Finding:
    """What it means that a deal or a result does not follow. A program knows those of all rules up to its own."""
    return Finding.OTHER_RULES if row.rules_version > GAMES[row.game].info.rules_version else Finding.DOES_NOT_FIT


def _result(row: MatchRow, records: Sequence[Record], result: Result) -> Finding:
    """Whether the facts lead to this result. Where they lead to none, the match was called off and does not count."""
    if row.game not in GAMES:
        return Finding.NOT_INSTALLED
    try:
        outcome = GAMES[row.game].outcome(state_after(row, records))
        holders = SeatHolders.of(row, records, codec(row.game))
        ranks, counts = ((), {False}) if outcome is None else _ranks_and_counts(row, records, outcome, holders)
        moved = any(_is_move(row.game, record) for record in records)
    except Exception:  # noqa: BLE001  an altered log may hold anything
        return _wrong(row)
    if outcome is None:
        fits = not result.ranks and not (result.kind == "called_off" and moved)
    else:
        fits = (result.kind, result.ranks) == (outcome.kind, ranks)
    if fits and result.counted in counts:
        return Finding.FITS
    kind = None if outcome is None else outcome.kind
    if _has_other_rules(row) and result.kind == kind and (fits or holders.forfeited):
        return Finding.OTHER_RULES  # where a forfeited seat stands, and what counts, may have changed since
    return _wrong(row)


def _ranks_and_counts(
    row: MatchRow, records: Sequence[Record], outcome: Outcome, holders: SeatHolders
) -> tuple[tuple[int, ...], set[bool]]:
    """The ranks, and whether the result may count: both may be true if somebody left without having acted, because no
    log says who had looked at their hand (C-10)."""
    info, acts = GAMES[row.game].info, [*act_numbers(records, codec(row.game))][-1]
    acted = frozenset([record.actor for record in records[:-1] if record.actor is not None])
    looked = frozenset(range(len(row.seats)))
    found = [result_of(row, info, Ending(outcome, holders, acts, knowing)) for knowing in (acted, looked)]
    return found[0][0], {counts for _, counts in found}


def _is_move(game: str, record: Record) -> bool:
    """Whether a record is a move, after which no match is called off (C-6)."""
    if record.actor is None or record.action is None:
        return False
    return is_move(codec(game).class_of(record.action), GAMES[game].info.preparations)
