"""Checks that a match follows from its deal and its acts: works it out again, act by act, and compares its log.

It uses today's rules. If they have changed since, acts may have other results than they had (`DoesNotFollow`). The deal
stays the same, because it names the version under which the match was dealt.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bot.games import GAMES
from bot.play.deals.sealing import deal_of
from bot.play.match_state import codec
from bot.store.rows import MatchRow, Record
from engines.chance import Chance
from engines.deals import Deal
from engines.game import fold
from engines.keys import KeptChance, Keys, NotingChance


class DoesNotFollow(Exception):  # noqa: N818  says what was found
    """From the record `seq` on, the log of a match does not follow from its deal and its acts.

    `keys` are those that its chance used before that, if the caller wanted them.
    """

    def __init__(self, seq: int, keys: Mapping[str, bytes] | None = None) -> None:
        super().__init__(f"record {seq} does not follow")
        self.seq = seq
        self.keys = dict(keys or {})


def keys_of(row: MatchRow, records: Sequence[Record]) -> dict[str, bytes]:
    """Every key that the chance of a match used, which is needed once a player's id is removed from it.

    Only version 1 of a deal needs them, because its contexts name the players. The row must still name them all.

    Raises DoesNotFollow.
    """
    noted: dict[str, bytes] = {}
    deal, pack_id = _deal(row)
    try:
        _follow(row, records, lambda seq: NotingChance(row.seed, deal, seq, pack_id, noted))
    except DoesNotFollow as error:
        raise DoesNotFollow(error.seq, noted) from error
    return noted


def check(row: MatchRow, records: Sequence[Record], kept: Keys) -> None:
    """Raise DoesNotFollow unless the log follows from the seed and the acts.

    `kept` are the match's keys if a player's id was removed from it in version 1 of a deal; empty otherwise.
    """
    deal, pack_id = _deal(row)
    if kept:
        _follow(row, records, lambda seq: KeptChance(deal, seq, pack_id, kept))
    else:
        _follow(row, records, lambda seq: Chance(row.seed, deal, seq, pack_id))


def check_deal(row: MatchRow, records: Sequence[Record], kept: Keys) -> None:
    """Raise DoesNotFollow unless the deal follows from the seed; `kept` as in `check`."""
    check(row, records[:1], kept)


def _deal(row: MatchRow) -> tuple[Deal, str]:
    try:
        options = codec(row.game).decode(row.options)
        pack_id = GAMES[row.game].pack(options, len(row.seats)).pack_id
    except Exception as error:  # the row may be damaged in any way
        raise DoesNotFollow(0) from error
    return deal_of(row), pack_id


def _follow(row: MatchRow, records: Sequence[Record], chance: Callable[[int], Chance]) -> None:
    if [record.seq for record in records] != list(range(max(1, len(records)))):
        raise DoesNotFollow(next((seq for seq, record in enumerate(records) if record.seq != seq), len(records)))
    game, written = GAMES[row.game], codec(row.game)
    state = game.start(written.decode(row.options), len(row.seats))
    for record in records:
        try:
            if record.action is None:
                events = tuple(game.deal(state, chance(record.seq)))
            else:
                action = written.decode(record.action)
                events = tuple(game.decide(state, record.actor, action, chance(record.seq)))
        except Exception as error:  # a rule may raise anything for an act that it never allowed
            raise DoesNotFollow(record.seq) from error
        if written.encode_all(events) != record.events:
            raise DoesNotFollow(record.seq)
        state = fold(game, state, events)
