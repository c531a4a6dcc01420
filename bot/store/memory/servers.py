"""Servers in memory, the bot's heartbeat, and metadata."""

from __future__ import annotations

from dataclasses import replace

from bot.shard_range import ShardRange
from bot.store.memory.data import Data
from bot.store.memory.matches import delete_match
from bot.store.memory.transactions import Transactions, reads, writes
from bot.store.rows.servers import LONGEST_LOOK, MOST_SETTING_CHANGES, Observed, ObservedSuspension, SettingChange


class MemoryServers(Transactions):
    """`bot.store.protocols.servers.ServerStore` in memory."""

    # -- servers

    @reads
    def known_guilds(self, data: Data) -> set[int]:
        known = {
            *(each.invitation.guild_id for each in data.invitations.values()),
            *(match.guild_id for match in data.matches.values()),
            *(guild_id for guild_id, _, _ in data.standings),
            *(guild_id for guild_id, _, _ in data.encounters),
            *(guild_id for guild_id, _, _ in data.held_ratings),
            *(guild_id for guild_id, _, _ in data.rating_starts),
            *(guild_id for guild_id, _ in data.hidden_on_boards),
            *(guild_id for guild_id, _ in data.season_firsts),
            *data.judged_seasons,
            *(guild_id for guild_id, _ in data.names),
            *(guild_id for guild_id, _ in data.notice_levels),
            *(guild_id for guild_id, _, _ in data.table_subscriptions),
            *(guild_id for guild_id, _ in data.server_settings),
            *(guild_id for guild_id, changes in data.setting_changes.items() if changes),
            *data.greetings,
            *(guild_id for guild_id, _, _ in data.daily_deals),
            *(guild_id for guild_id, _, _ in data.daily_messages),
        }
        return {guild_id for guild_id in known if self.serves.includes(guild_id)}

    @writes
    def record_departure(self, data: Data, guild_id: int, at: int) -> None:
        if guild_id not in data.departures:
            data.departures[guild_id] = at
            data.departed_observed[guild_id] = data.observed
        data.open_hands = {
            key: hand for key, hand in data.open_hands.items() if data.matches[hand.match_id].guild_id != guild_id
        }

    @writes
    def clear_departure(self, data: Data, guild_id: int) -> None:
        data.departures.pop(guild_id, None)

    @reads
    def departures(self, data: Data) -> dict[int, int]:
        return {guild_id: at for guild_id, at in data.departures.items() if self.serves.includes(guild_id)}

    @writes
    def record_look(self, data: Data, at: int, passed: int | None) -> Observed:
        by_day = 0 if data.looked_at is None else at - data.looked_at
        passed = by_day if passed is None else min(passed, by_day) if self.is_shared else passed
        if data.looked_at is not None:
            data.observed += min(max(0, passed), LONGEST_LOOK)
        data.looked_at = at
        data.held_ratings = {key: held for key, held in data.held_ratings.items() if held.until > at}
        return Observed(
            {
                guild_id: data.observed - data.departed_observed[guild_id]
                for guild_id in data.departures
                if self.serves.includes(guild_id)
            },
            {
                match.id: ObservedSuspension(match.suspended_at, data.observed - data.suspended_observed[match.id])
                for match in data.matches.values()
                if match.suspended_at is not None and self.serves.includes(match.guild_id)
            },
        )

    @writes
    def purge_guild(self, data: Data, guild_id: int) -> None:
        for match in [match for match in data.matches.values() if match.guild_id == guild_id]:
            delete_match(data, match.id)
        data.invitations = {key: each for key, each in data.invitations.items() if each.invitation.guild_id != guild_id}
        data.standings = {key: score for key, score in data.standings.items() if key[0] != guild_id}
        data.encounters = {key: met for key, met in data.encounters.items() if key[0] != guild_id}
        data.held_ratings = {key: held for key, held in data.held_ratings.items() if key[0] != guild_id}
        data.rating_starts = {key: start for key, start in data.rating_starts.items() if key[0] != guild_id}
        data.board_days = {key: tally for key, tally in data.board_days.items() if key.guild_id != guild_id}
        data.hidden_on_boards = {key: each for key, each in data.hidden_on_boards.items() if key[0] != guild_id}
        data.season_firsts = {key: each for key, each in data.season_firsts.items() if key[0] != guild_id}
        data.judged_seasons.pop(guild_id, None)
        data.board_dates.pop(guild_id, None)
        here = {user_id for guild, user_id in data.names if guild == guild_id}
        data.names = {key: name for key, name in data.names.items() if key[0] != guild_id}
        gone = here - {user_id for _, user_id in data.names}
        data.preferences = {key: value for key, value in data.preferences.items() if key[0] not in gone}
        data.table_notices = {user: at for user, at in data.table_notices.items() if user not in gone}
        data.table_subscriptions = {
            key: wanted for key, wanted in data.table_subscriptions.items() if key[0] != guild_id
        }
        data.notice_levels = {key: level for key, level in data.notice_levels.items() if key[0] != guild_id}
        data.server_settings = {key: value for key, value in data.server_settings.items() if key[0] != guild_id}
        data.setting_changes.pop(guild_id, None)
        data.greetings.pop(guild_id, None)
        data.daily_deals = {key: deal for key, deal in data.daily_deals.items() if key[0] != guild_id}
        data.daily_messages = {key: each for key, each in data.daily_messages.items() if key[0] != guild_id}
        data.departures.pop(guild_id, None)

    # -- what is set in servers

    @reads
    def server_settings(self, data: Data) -> dict[int, dict[str, str]]:
        found: dict[int, dict[str, str]] = {}
        for (guild_id, name), value in data.server_settings.items():
            if not self.serves.includes(guild_id):
                continue
            found.setdefault(guild_id, {})[name] = value
        return found

    @writes
    def change_setting(self, data: Data, change: SettingChange) -> None:
        if change.value:
            data.server_settings[change.guild_id, change.name] = change.value
        else:
            data.server_settings.pop((change.guild_id, change.name), None)
        _record(data, change)

    @writes
    def record_change(self, data: Data, change: SettingChange) -> None:
        _record(data, change)

    @reads
    def setting_changes(self, data: Data, guild_id: int) -> list[SettingChange]:
        return list(data.setting_changes.get(guild_id, ()))

    @writes
    def record_greeting(self, data: Data, guild_id: int, at: int) -> bool:
        first = guild_id not in data.greetings
        data.greetings.setdefault(guild_id, at)
        return first

    # -- the bot's uptime

    @writes
    def record_heartbeat(self, data: Data, now: int) -> None:
        self._beat(data, now)

    @reads
    def last_heartbeat(self, data: Data) -> int | None:
        return min((beat for beat in self._beats(data).values() if beat is not None), default=None)

    @writes
    def credit_downtime(self, data: Data, now: int) -> int:
        down = {shard: now - beat for shard, beat in self._beats(data).items() if beat is not None}
        for shard, by in down.items():
            _move_deadlines(data, by, ShardRange(shard, shard, self.serves.total))
        self._beat(data, now)
        return max(down.values(), default=0)

    @writes
    def shift_time(self, data: Data, by: int) -> None:
        for shard, beat in self._beats(data).items():
            if beat is not None:
                self._beat(data, beat + by, shard)
        _move_deadlines(data, by, self.serves)

    def _beats(self, data: Data) -> dict[int, int | None]:
        """The heartbeats of the shards served; one for a bot that serves all servers, however many shards there are."""
        if self.serves.total == 1:
            return {0: data.heartbeat}
        return {shard: data.shard_beats.get(shard) for shard in self.serves.ids}

    def _beat(self, data: Data, at: int, only: int | None = None) -> None:
        if self.serves.total == 1:
            data.heartbeat = at
        else:
            data.shard_beats.update(dict.fromkeys(self.serves.ids if only is None else (only,), at))

    # -- metadata

    @reads
    def metadata(self, data: Data, key: str) -> str | None:
        return data.metadata.get(key)

    @writes
    def set_metadata(self, data: Data, key: str, value: str) -> None:
        data.metadata[key] = value


def _record(data: Data, change: SettingChange) -> None:
    former = data.setting_changes.get(change.guild_id, ())
    data.setting_changes[change.guild_id] = (change, *former)[:MOST_SETTING_CHANGES]


def _move_deadlines(data: Data, by: int, where: ShardRange) -> None:
    for match_id, timers in data.timers.items():
        if not where.includes(data.matches[match_id].guild_id):
            continue
        data.timers[match_id] = tuple([replace(timer, deadline=timer.deadline + by) for timer in timers])
    for key, each in data.invitations.items():
        if each.is_open and where.includes(each.invitation.guild_id):
            later = replace(each.invitation, expires_at=each.invitation.expires_at + by)
            data.invitations[key] = replace(each, invitation=later)
