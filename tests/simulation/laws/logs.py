"""The log that is kept makes the match that was played."""

from __future__ import annotations

from collections.abc import Iterable

from bot.play.deals import proof
from bot.play.match_state import codec
from bot.store.verification import Altered, verify
from engines import GAMES
from engines.game import fold
from tests.simulation.happenings import Violation
from tests.simulation.history import Log
from tests.simulation.laws.foundation import BaseLaw


class LogFollows(BaseLaw):
    """Each match's seal, salts and chain are whole, and its records follow from its deal and its acts."""

    name = "log follows"
    why = "One order a match: two writers, or a write that was lost, show as a gap or as an act that was not allowed."

    def end(self) -> Iterable[Violation]:
        if not self.history.images:
            return
        log = self.history.log()
        for match_id, row in log.rows.items():
            if row.game not in GAMES:
                continue
            try:
                verify(row, log.records[match_id], log.results.get(match_id))
                proof.check(row, log.records[match_id])
            except Altered as error:
                yield self.violation(f"{row.game} {match_id}, deal of version {row.deal_version}: {error}")
            except proof.DoesNotFollow as error:
                yield self.violation(f"{row.game} {match_id}: record {error.seq} does not follow")
        yield from self._as_played(log)

    def _as_played(self, log: Log) -> Iterable[Violation]:
        """The bot that ran last has the state that the log makes."""
        for bot in self.simulation.bots:
            for match in bot.app.matches.live() if bot.app is not None else ():
                records = log.records.get(match.id, [])
                if not records or len(records) - 1 != match.position.acts:
                    continue  # a move was on its way
                written, game = codec(match.game.info.key), match.game
                state = game.start(match.options, len(match.seats))
                for record in records:
                    state = fold(game, state, written.decode_all(record.events))
                if state != match.position.state:
                    yield self.violation(f"{game.info.key} {match.id}: the bot plays another state than its log makes")


class StandingsFollow(BaseLaw):
    """The standings are what the counted results make."""

    name = "standings follow"
    why = "A rating is applied once a match, whatever is killed between result and standing."

    def end(self) -> Iterable[Violation]:
        if not self.history.images:
            return
        differing = self.history.log().differing
        if differing:
            yield self.violation(f"{differing} standings differ from what the results make")
