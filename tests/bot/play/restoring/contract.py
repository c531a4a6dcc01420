"""What every `bot.play.restoring.log_reader.LogReader` does. Subclass `LogReaderContract` and give it the fixture
`reader`, which is ready."""

from __future__ import annotations

from bot.play.match_state import MatchState
from bot.play.restoring.log_reader import LogReader
from tests.bot.play.restoring.logs import altered, said, unfinished_logs


class LogReaderContract:
    """The promises of the protocol."""

    async def test_a_log_says_what_it_says_to_the_bot(self, reader: LogReader) -> None:
        logs = list(unfinished_logs())
        for (row, records), found in zip(logs, await reader.read(logs), strict=True):
            seats = len(row.seats)
            assert said(found, seats) == said(MatchState(row).read_log(records), seats)

    async def test_an_altered_log_is_left_to_the_bot_and_the_others_are_read(self, reader: LogReader) -> None:
        first, second, third, *_ = unfinished_logs()
        found = await reader.read([first, altered(second), third])
        assert [log is not None for log in found] == [True, False, True]
        assert reader.ready

    async def test_a_log_with_gaps_is_left_to_the_bot(self, reader: LogReader) -> None:
        row, records = list(unfinished_logs())[1]
        assert len(records) > 3
        assert await reader.read([(row, (*records[:1], *records[2:]))]) == [None]

    async def test_it_reads_again_and_again(self, reader: LogReader) -> None:
        logs = list(unfinished_logs())[:3]
        for _ in range(3):
            assert [log is not None for log in await reader.read(logs)] == [True] * 3

    async def test_it_is_closed_more_than_once(self, reader: LogReader) -> None:
        await reader.close()
        await reader.close()
