"""Judges a finished match: what was sealed before it, and whether everything that happened fits that.

The verdict is a value, which a screen or a terminal puts into words. Making one needs no store, but for a long match it
takes seconds, so it should not be made in an event loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from bot.games import GAMES
from bot.play.computers.stand_ins import counted_ranks
from bot.play.deals.proof import DoesNotFollow, differing, holders_of, state_after
from bot.store import log_chain
from bot.store.rows.matches import MatchRow, Record, Result
from bot.store.verification import opening_digest, opens_seal
from engines.deals import commitment_of, salt_digest


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
class Sealed:
    """What a seal binds, and since when (ms UTC)."""

    version: int
    seal: bytes
    at: int
    game: str
    rules_version: int
    deal_id: str
    options: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was sealed, and what was found out about each part."""

    sealed: Sealed
    seal: Finding | None
    """Whether the seed, with all that is sealed with it, makes the seal; None for a match that was begun from another
    one, which has none. Then there are no sealed options and no salts either."""
    options: Finding | None
    """Whether the match was played with the sealed options."""
    salts: Finding | None
    """Whether each salt that is still there is the one whose digest took part in the deal."""
    deal: Finding
    """Whether the cards were dealt as the seed says."""
    acts: Finding
    """Whether all facts, and so all later draws, follow from the acts and the seed."""
    log: Finding
    """Whether the log's chain is unbroken."""
    end: Finding
    """Whether the result names the last value of that chain."""
    result: Finding
    """Whether the result is that to which the facts lead."""
    differing: tuple[int, ...] = ()
    """The numbers of all records that do not follow: the deal is 0, the others are acts."""
    broken_at: int | None = None
    """The place of the first record at which the chain is broken, from 0."""
    deleted: tuple[int, ...] = ()
    """The seats whose players were deleted, and with them the texts of their salts."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Of all parts that this match has."""
        parts = (self.seal, self.options, self.salts, self.deal, self.acts, self.log, self.end, self.result)
        return tuple([part for part in parts if part is not None])

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
    broken_at = log_chain.first_altered(row.id, records)
    last = records[-1].chain if records else b""
    # With the options as the file says that they were sealed.
    made = commitment_of(row.seed, row.game, row.rules_version, row.deal_id, row.sealed_options)
    has_seal = row.origin is None
    differs, deal, acts = _follows(row, records)
    return Verdict(
        sealed=Sealed(
            row.deal_version, row.commitment, sealed_at, row.game, row.rules_version, row.deal_id, row.sealed_options
        ),
        seal=_finding(made == row.commitment) if has_seal else None,
        options=_finding(opens_seal(replace(row, commitment=made))) if has_seal else None,
        salts=_salts(row) if has_seal else None,
        deal=deal,
        acts=acts,
        log=_finding(broken_at is None),
        end=_finding(last == result.chain),
        result=_result(row, records, result),
        differing=differs,
        broken_at=broken_at,
        deleted=tuple([seat for seat, salt in enumerate(row.salts) if salt.text is None]),
    )


def _finding(fits: bool) -> Finding:
    return Finding.FITS if fits else Finding.DOES_NOT_FIT


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
    has_todays_rules = row.rules_version == GAMES[row.game].info.rules_version
    return (
        differs,
        _wrong(row) if 0 in differs else dealt,
        (Finding.DOES_NOT_FIT if has_todays_rules else Finding.OTHER_RULES) if any(differs) else Finding.FITS,
    )


def _wrong(row: MatchRow) -> Finding:
    """What it means that a deal or a result does not follow. A program knows those of all rules up to its own."""
    return Finding.OTHER_RULES if row.rules_version > GAMES[row.game].info.rules_version else Finding.DOES_NOT_FIT


def _result(row: MatchRow, records: Sequence[Record], result: Result) -> Finding:
    """Whether the facts lead to this result. Where they lead to none, the match was called off and does not count."""
    if row.game not in GAMES:
        return Finding.NOT_INSTALLED
    try:
        outcome = GAMES[row.game].outcome(state_after(row, records))
        ranks = () if outcome is None else counted_ranks(outcome, holders_of(row, records), row.stand_in)
    except Exception:  # noqa: BLE001  an altered log may hold anything
        return _wrong(row)
    if outcome is None:
        fits = not result.ranks and not result.counted
    elif outcome.void:
        fits = result.kind == outcome.kind and not result.ranks and not result.counted
    else:
        fits = (result.kind, result.ranks) == (outcome.kind, ranks)
    return Finding.FITS if fits else _wrong(row)
