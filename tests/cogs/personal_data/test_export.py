"""An export has every column of every table that says something of its person, or there is a reason why not."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from bot.store.queries.attendances import Stay
from bot.store.queries.database import Connection
from bot.store.queries.invitations import Invitation, InvitationState, Origin, Series
from bot.store.queries.matches import LostVenues, Obstacle, Suspension, TimeLeft, Unrated
from bot.store.queries.people import NoticeLevel
from bot.store.queries.screens import Notice
from bot.store.queries.seasons import SeasonFirst
from bot.store.sqlite.store import SqliteStore
from cogs.away.queries import Absences
from cogs.blocks.queries import Blocks
from cogs.conditions.queries import ConditionQueries
from cogs.daily.queries import DailyQueries
from cogs.leaderboards.queries import LeaderboardQueries
from cogs.leagues.queries import LeagueQueries, Place
from cogs.matchmaking.queries import TableSubscriptions
from cogs.personal_data.export import AT_ONCE, Json, everything_of
from cogs.profiles.queries import ComebackSearch, ProfileQueries
from cogs.replays.queries import ReplayQueries
from cogs.server_week.queries import WeekQueries
from cogs.servers.queries import Bars, SetAsides
from cogs.tournaments.queries import TournamentQueries
from cogs.tournaments.rows import Ask, Correction, How
from cogs.weekly.queries import WeeklyQueries
from tests.bot.store.contract_leagues import SEASON, league, league_began
from tests.bot.store.contract_tournaments import ENTRANTS, HERE, PAIRINGS, PLAYING, tournament
from tests.bot.store.packing import pack_all
from tests.bot.store.rows import (
    ANN,
    BOB,
    CAT,
    GAME,
    GUILD,
    attempted,
    attended,
    change,
    deal,
    hand,
    invitation,
    match,
    opened,
    planned,
    played,
    posting,
    record,
    result,
    tried_weekly,
)
from tests.bot.store.subjects import exports


@dataclass(frozen=True)
class At:
    """Where an export has a column, and how it writes the column's value there.

    The place is keys joined by dots; in a list a key is the id, match, game or seq of the entry.
    """

    place: str
    writes: Callable[[Any], Any] = str


DAN: Final = 40
"""Whom Ann has blocked."""
SERVER: Final = At("server")
IT: Final = "it is how the export's other parts are found"
SECRET: Final = "the cards follow from it; the export of a match that is over has the seed"
SAME_FOR_ALL: Final = "it is the bot's own note about the match, and says nothing of a player"
OTHERS: Final = "the cards and acts of others are in it; what is one's own is an act"
COUNTED: Final = "it is counted from the matches and results, which are in the export; an opponent is somebody else"
SUMS: Final = "it is the sum of the days and standings, which the export has"
NO_PERSON: Final = "the table says nothing of a person"
PACKED: Final = "it is the records of a finished match, and exported as they are"


def _ann_is_in(users: str) -> bool:
    return ANN in json.loads(users)


def _start(place: str) -> dict[str, At | str]:
    """Where an export has the columns that say with what rating somebody began, or would."""
    return {
        "guild_id": SERVER,
        "game": At(f"{place}.game"),
        "mu": At(f"{place}.rating.mu", float),
        "sigma": At(f"{place}.rating.sigma", float),
        "peak": At(f"{place}.peak", float),
        "wins": At(f"{place}.wins", int),
        "losses": At(f"{place}.losses", int),
        "draws": At(f"{place}.draws", int),
    }


def _losses(text: str) -> Json:
    lost: Json = json.loads(text)
    return {**lost, "left": [dict(zip(("name", "key", "left"), each, strict=True)) for each in lost["left"]]}


EXPORTED: Final[dict[str, dict[str, At | str]]] = {
    "invitations": {
        "id": At("invitations.asked.id"),
        "guild_id": SERVER,
        "channel_id": At("invitations.asked.channel"),
        "message_id": At("invitations.asked.message"),
        "game": At("invitations.asked.game"),
        "options": At("invitations.asked.options", json.loads),
        "clock": At("invitations.asked.clock"),
        "host_id": At("invitations.asked.host", lambda host: host == ANN),
        "invited": At("invitations.asked.invited", _ann_is_in),
        "seated": At("invitations.asked.seated", _ann_is_in),
        "seed": SECRET,
        "created_at": At("invitations.asked.created_at", int),
        "expires_at": At("invitations.asked.expires_at", int),
        "kind": At("invitations.asked.kind"),
        "private": At("invitations.asked.private", bool),
        "in_thread": At("invitations.asked.in_thread", bool),
        "auto_start": At("invitations.asked.auto_start", bool),
        "reliable": At("invitations.asked.reliable", bool),
        "places": At("invitations.asked.place", lambda users: json.loads(users).index(ANN)),
        "state": At("invitations.asked.state"),
        "closed_at": At("invitations.asked.closed_at", int),
        "commitment": At("invitations.asked.seal", bytes.hex),
        "deal_version": At("invitations.asked.deal_version", int),
        "deal_id": At("invitations.asked.deal_id"),
        "rules_version": At("invitations.asked.rules_version", int),
        "sealed_options": At("invitations.asked.sealed_options"),
        "stand_in": At("invitations.asked.stand_in"),
        "salts": At("invitations.asked.salt.text", lambda salts: dict(json.loads(salts))[ANN]),
        "origin_id": At("invitations.asked.begun_from.match"),
        "origin_facts": At("invitations.asked.begun_from.facts", int),
        "origin_digest": At("invitations.asked.begun_from.sha256", bytes.hex),
        "series_id": At("invitations.asked.series.id"),
        "series_best_of": At("invitations.asked.series.best_of", int),
        "series_number": At("invitations.asked.series.number", int),
        "series_first": At("invitations.asked.series.acts_first", lambda seat: seat == 1),
        "series_first_wins": At("invitations.asked.series.lost", int),
        "series_second_wins": At("invitations.asked.series.won", int),
    },
    "matches": {
        "id": At("matches.live.id"),
        "guild_id": SERVER,
        "channel_id": At("matches.live.channel"),
        "board_id": At("matches.live.board"),
        "board_at": At("matches.live.board_at", int),
        **dict.fromkeys(("board_mark", "board_mark_acts"), "it is a digest of what everybody sees"),
        "game": At("matches.live.game"),
        "alone": At("matches.live.alone", int),
        "on_board": At("matches.live.on_board", int),
        "shared": At("matches.live.shared_deal", int),
        "rated": At("matches.live.rated", int),
        "reserved": At("matches.live.began_by_itself", int),
        "rules_version": At("matches.live.rules_version", int),
        "options": At("matches.live.options", json.loads),
        "clock": At("matches.live.clock"),
        "seed": SECRET,
        "opened_at": At("matches.live.opened_at", int),
        "paused": At("matches.live.paused_by_error", int),
        "live": At("matches.live.result", lambda live: None if live else "ended"),
        "suspended_at": At("matches.live.suspended.since", int),
        "suspended_why": At("matches.live.suspended.why"),
        "commitment": At("matches.live.seal", bytes.hex),
        "suspended_observed": SAME_FOR_ALL,
        "lost_places": At("matches.live.lost_places", _losses),
        "unrated_seat": IT,
        "unrated_why": At("matches.live.could_not_act"),
        "deal_version": At("matches.live.deal_version", int),
        "deal_id": At("matches.live.deal_id"),
        "sealed_options": At("matches.live.sealed_options"),
        "stand_in": At("matches.live.stand_in"),
        "origin_id": At("matches.live.begun_from.match"),
        "origin_facts": At("matches.live.begun_from.facts", int),
        "origin_digest": At("matches.live.begun_from.sha256", bytes.hex),
        "day": "it is that of the attempt",
        "series_id": At("matches.live.series.id"),
        "series_best_of": At("matches.live.series.best_of", int),
        "series_number": At("matches.live.series.number", int),
        "series_first": At("matches.live.series.acts_first", lambda seat: seat == 1),
        "series_first_wins": At("matches.live.series.lost", int),
        "series_second_wins": At("matches.live.series.won", int),
        "rests_until": At("matches.live.pauses_until", int),
    },
    "seats": {
        "match_id": At("matches.over.id"),
        "seat": At("matches.over.seat", int),
        "guild_id": SERVER,
        "user_id": At("user"),
        "rank": At("matches.over.result.rank", int),
        "unaware": At("matches.over.result.never_came", bool),
        "newcomer": At("matches.over.one_of_first", bool),
        "reads_until": At("matches.over.read_until", int),
        "away_until": At("matches.over.away_until", int),
        "bank_left": At("matches.over.bank_left", int),
        "agreed": At("matches.over.agreed_to_call_off", bool),
        "private_replay": At("matches.over.wants_private_replay", bool),
        "salt_digest": At("matches.over.salt.sha256", bytes.hex),
        "salt": At("matches.over.salt.text"),
        "result_number": SAME_FOR_ALL,
    },
    "first_matches": dict.fromkeys(("person", "game", "begun"), "it is under a keyed hash"),
    "records": {
        "match_id": At("matches.over.id"),
        "seq": At("matches.over.acts.1.seq", int),
        "guild_id": SERVER,
        "interaction_id": At("matches.over.acts.1.interaction"),
        "actor": At("matches.over.seat", int),
        "action": At("matches.over.acts.1.action", json.loads),
        "events": OTHERS,
        "at": At("matches.over.acts.1.at", int),
        "chain": At("matches.over.result.log_chain", bytes.hex),
        "computer": At("matches.over.acts.1.computer"),
    },
    "packed_logs": dict.fromkeys(("match_id", "guild_id", "acts", "log"), PACKED),
    "results": {
        "packed": PACKED,
        "number": SAME_FOR_ALL,
        "match_id": At("matches.over.id"),
        "guild_id": SERVER,
        "game": At("matches.over.game"),
        "interaction_id": "nothing says whose press it was",
        "kind": At("matches.over.result.kind"),
        "ended_at": At("matches.over.result.ended_at", int),
        "counted": At("matches.over.result.counted", bool),
        "chain": At("matches.over.result.log_chain", bytes.hex),
    },
    "standings": {
        "guild_id": SERVER,
        "game": At(f"standings.{GAME}.game"),
        "user_id": At("user"),
        "mu": At(f"standings.{GAME}.rating.mu", float),
        "sigma": At(f"standings.{GAME}.rating.sigma", float),
        "ordinal": "it follows from the two numbers of the rating",
        "wins": At(f"standings.{GAME}.wins", int),
        "losses": At(f"standings.{GAME}.losses", int),
        "draws": At(f"standings.{GAME}.draws", int),
        **dict.fromkeys(
            ("opponents", "ahead", "behind", "peak", "month_peak", "month_mu", "month", "settled"), COUNTED
        ),
        "returned": "rating_starts says with what they came back",
    },
    "encounters": dict.fromkeys(
        ("guild_id", "game", "user_id", "opponent_id", "lead", "at", "month", "gained"), COUNTED
    ),
    "rating_changes": {
        "match_id": At("matches.over.id"),
        "seat": IT,
        "guild_id": SERVER,
        "mu_before": At("matches.over.rating.before.mu", float),
        "sigma_before": At("matches.over.rating.before.sigma", float),
        "mu": At("matches.over.rating.after.mu", float),
        "sigma": At("matches.over.rating.after.sigma", float),
        "matches": At("matches.over.rating.matches", int),
        "repeated": At("matches.over.rating.weight.repeated", float),
        "newcomers": At("matches.over.rating.weight.newcomers", float),
        "surplus": At("matches.over.rating.surplus", float),
    },
    "held_ratings": {
        **_start("held_ratings.held"),
        "person": IT,
        "until": At("held_ratings.held.until", int),
    },
    "rating_starts": {
        **_start("rating_starts.returned"),
        "user_id": At("user"),
        "number": "the number of a result, which says nothing of a person",
    },
    "attendances": {
        "guild_id": SERVER,
        "user_id": At("user"),
        "ended_at": At("attendances.over.ended_at", int),
        "match_id": At("attendances.over.match"),
        "seat": At("attendances.over.seat", int),
        "began_at": At("attendances.over.began_at", int),
        "stay": At("attendances.over.stay"),
        "asked": At("attendances.over.turns_asked", int),
        "in_time": At("attendances.over.turns_in_time", int),
    },
    "player_results": {
        "guild_id": SERVER,
        "user_id": At("user"),
        "number": SAME_FOR_ALL,
        "game": At("matches.over.game"),
        "outcome": COUNTED,
        "streak": At("record.streak", int),
        "longest": At("record.longest_streak", int),
    },
    "opponents": {
        "guild_id": SERVER,
        "user_id": At("user"),
        "opponent_id": "it names somebody else",
        "game": COUNTED,
        "first_number": SAME_FOR_ALL,
        **dict.fromkeys(("matches", "wins", "losses", "draws"), COUNTED),
    },
    "comeback_searches": {
        "guild_id": SERVER,
        "user_id": At("user"),
        **dict.fromkeys(("searched", "found"), "it is found in the matches, which are in the export"),
    },
    "board_days": {
        "guild_id": SERVER,
        "user_id": At("user"),
        "game": At(f"days.{GAME}.game"),
        **{name: At(f"days.{GAME}.{name}", int) for name in ("day", "points", "wins", "losses", "draws")},
        **dict.fromkeys(("in_week", "in_season"), "it follows from the day and the present one"),
    },
    "board_entries": {
        "guild_id": SERVER,
        "user_id": At("user"),
        **dict.fromkeys(
            ("span", "game", "section", "score", "wins", "losses", "draws", "last_day", "everywhere"), SUMS
        ),
    },
    "board_hidden": {"guild_id": SERVER, "user_id": At("settings.hidden_on_leaderboards", bool)},
    "season_firsts": {
        "guild_id": SERVER,
        "user_id": At("user"),
        "game": At(f"season_firsts.{GAME}.game"),
        "stop": At(f"season_firsts.{GAME}.stop", int),
    },
    "notices": {
        "match_id": At("notices.live.match"),
        "seat": At("matches.live.seat", int),
        "guild_id": SERVER,
        "user_id": At("user"),
        "channel_id": At("notices.live.channel"),
        "message_id": At("notices.live.message"),
        "mark": "it is a digest of what the message says",
    },
    "names": {"guild_id": SERVER, "user_id": At("user"), "name": At("name")},
    "notice_levels": {"guild_id": SERVER, "user_id": At("user"), "level": At("settings.notify", lambda _: "digest")},
    "digest_servers": {"guild_id": SERVER, "user_id": At("user")},
    "turn_digests": {
        "user_id": At("user"),
        "hour": At("digest.hour", int),
        "due": At("digest.due", int),
        "channel_id": At("digest.channel_id"),
        "message_id": At("digest.message_id"),
        "posting_at": At("digest.posting_at", int),
        "refused": At("digest.refused", bool),
    },
    "last_pings": {
        "user_id": At("user"),
        "at": At("last_slow_notice.at", int),
        "match_id": At("last_slow_notice.match"),
        "question": At("last_slow_notice.question", int),
    },
    "preferences": {
        "user_id": At("user"),
        "name": "the entry has its name",
        "value": At("preferences.card_style"),
    },
    "table_subscriptions": {"guild_id": SERVER, "game": At(f"settings.tables.{GAME}.game"), "user_id": At("user")},
    "table_notices": {"user_id": At("user"), "at": At("last_table_notice", int)},
    "absences": {"user_id": At("user"), "began_at": At("away.1260.from", int), "until_at": At("away.1260.until", int)},
    "blocks": {
        "user_id": At("user"),
        "other_id": At(f"blocks.{DAN}.user"),
        "at": At(f"blocks.{DAN}.since", int),
    },
    "drafts": {
        "match_id": At("matches.live.id"),
        "seat": At("matches.live.seat", int),
        "guild_id": SERVER,
        "window": At("matches.live.selection.window", int),
        "draft": At("matches.live.selection.selection"),
    },
    "open_hands": {
        "match_id": At("open_hands.live.match"),
        "seat": At("matches.live.seat", int),
        "message": At("open_hands.live.message"),
        "guild_id": SERVER,
        "application_id": "it is the bot",
        "token": "with it others could change the message that shows the hand",
        "locale": At("open_hands.live.locale"),
        "window": At("open_hands.live.window", int),
        "selection": At("open_hands.live.selection"),
        "shown": "cards could be guessed from it",
        "expires_at": At("open_hands.live.expires_at", int),
    },
    "postings": {
        "match_id": At("postings.live.match"),
        "seat": At("matches.live.seat", int),
        "channel_id": At("postings.live.channel"),
        "guild_id": SERVER,
        "former_id": At("postings.live.replaces"),
        "at": At("postings.live.since", int),
    },
    "setting_changes": {
        "guild_id": SERVER,
        "number": IT,
        "user_id": At("user"),
        "at": At("setting_changes.place.at", int),
        "name": At("setting_changes.place.name"),
        "former": At("setting_changes.place.former"),
        "value": At("setting_changes.place.value"),
        "about_id": "moderated has what was done to its person, and another one's id says nothing of them",
    },
    "daily_attempts": {
        "match_id": At("daily_attempts.tried.match"),
        "guild_id": SERVER,
        "game": At("daily_attempts.tried.game"),
        "day": At("daily_attempts.tried.day", int),
        "user_id": At("user"),
        "shown": At("daily_attempts.tried.shown", bool),
    },
    "conditional_moves": {
        "match_id": At("conditional_moves.live.match"),
        "seat": IT,
        "number": At("conditional_moves.live.number", int),
        "guild_id": SERVER,
        "user_id": At("user"),
        "acts": At("conditional_moves.live.moves_before", int),
        "occasion": At("conditional_moves.live.occasion"),
        "verb": At("conditional_moves.live.verb"),
        "move": At("conditional_moves.live.move"),
        "outcome": At("conditional_moves.live.outcome"),
    },
    "weekly_attempts": {
        "match_id": At("weekly_attempts.tried weekly.match"),
        "guild_id": SERVER,
        "game": At("weekly_attempts.tried weekly.game"),
        "day": At("weekly_attempts.tried weekly.day", int),
        "user_id": At("user"),
        "counts": At("weekly_attempts.tried weekly.counts", bool),
        "points": At("weekly_attempts.tried weekly.points", int),
    },
    "week_firsts": {
        "guild_id": SERVER,
        "user_id": At("user"),
        "role_id": At("season_roles", lambda role: [str(role)]),
    },
    "tournament_hosts": {
        "guild_id": SERVER,
        "tournament_id": At("tournaments.hosted", lambda tournament_id: [tournament_id]),
        "user_id": At("user"),
    },
    "tournament_entrants": {
        "guild_id": SERVER,
        "tournament_id": IT,
        "number": At("tournaments.entered.cup1.number", int),
        "user_id": At("user"),
        "joined_at": At("tournaments.entered.cup1.joined_at", int),
        "checked_in": At("tournaments.entered.cup1.checked_in", bool),
        "seed": At("tournaments.entered.cup1.seed", int),
        "joined": At("tournaments.entered.cup1.first_round", int),
        "absent": At("tournaments.entered.cup1.absent_rounds", json.loads),
        "left_after": At("tournaments.entered.cup1.left_after_round", int),
        "team": At("tournaments.entered.cup1.team", int),
    },
    "tournament_asks": {
        "guild_id": SERVER,
        "tournament_id": IT,
        "number": At("tournaments.asked_to_be_a_partner.cup1.by_number", int),
        "user_id": At("user"),
    },
    "tournament_corrections": {
        "guild_id": SERVER,
        "tournament_id": IT,
        "round": At("tournaments.corrections.cup1.round", int),
        "pairing": At("tournaments.corrections.cup1.pairing", int),
        "nth": "it only keeps two corrections of a pairing apart",
        "at": At("tournaments.corrections.cup1.at", int),
        "user_id": At("user"),
        "got": At("tournaments.corrections.cup1.half_points", json.loads),
    },
    "league_hosts": {
        "guild_id": SERVER,
        "league_id": At("leagues.hosted", lambda league_id: [league_id]),
        "user_id": At("user"),
    },
    "league_members": {
        "guild_id": SERVER,
        "league_id": IT,
        "user_id": At("user"),
        "joined_at": At("leagues.member.league1.joined_at", int),
    },
    "league_places": {
        "guild_id": SERVER,
        "league_id": IT,
        "season": At("leagues.places.league1.season", int),
        "number": At("leagues.places.league1.number", int),
        "division": At("leagues.places.league1.division", int),
        "user_id": At("user"),
        "substitute": At("leagues.places.league1.substitute", bool),
    },
    "set_asides": {
        "guild_id": SERVER,
        "person": IT,
        "user_id": At("user"),
    },
    "bars": {"guild_id": SERVER, "person": IT, "until": At("barred.until", int)},
}

WITHOUT_PEOPLE: Final = {
    "judged_seasons": "guild_id until",
    "board_buckets": "guild_id game span section bits bucket players",
    "daily_deals": (
        "guild_id game day level rules_version options deal_version deal_id sealed_options seed commitment "
        "sealed_at root nth worth program"
    ),
    "daily_messages": "guild_id channel_id day message_id posted_at",
    "weekly_deals": (
        "game day level rules_version options deal_version deal_id sealed_options seed commitment sealed_at root "
        "nth worth program"
    ),
    "weekly_scores": "guild_id game day score",
    "weekly_servers": "guild_id name",
    "week_posts": "guild_id room edition channel_id message_id posted_at shown",
    "leagues": (
        "guild_id id channel_id message_id game options clock created_at season weeks week due_at reminded "
        "changed_at ended_at"
    ),
    "league_pairings": "guild_id league_id season number week division first second how first_got second_got",
    "league_offers": "guild_id league_id season pairing id by_place at",
    "tournaments": (
        "guild_id id channel_id message_id game options clock format rounds most legs same_deal scoring rated "
        "check_in every created_at closes_at state teams lasts seats hold held_at round due_at began_at ended_at "
        "event_id"
    ),
    "tournament_rounds": "guild_id tournament_id number began_at ended_at",
    "tournament_deals": (
        "guild_id tournament_id round pairing nth deal_version deal_id rules_version sealed_options seed commitment"
    ),
    "tournament_pairings": "guild_id tournament_id round number people how got ended_at",
    "tournament_legs": "guild_id tournament_id round pairing leg match_id deal_id began_at got",
    "server_settings": "guild_id name value",
    "standings_resets": "guild_id number at judged",
    "recounts": "guild_id reached",
    "greetings": "guild_id at",
    "timers": "match_id name key guild_id deadline",
    "facts": "key value",
    "heartbeat": "only at",
    "deletions": "guild_id user_id marker",
    "departures": "guild_id at observed",
    "looks": "only observed at",
    "progress": "only database_id commits",
    "shard_owners": "owner fence until_at",
    "shard_leases": "total shard owner beat_at",
    "shard_claims": "id number",
    "job_leases": "job owner until_at",
    "turns": "name next_at",
    "gateway_sessions": "total shard profile session address sequence at",
    "gateway_servers": "total shard servers",
}
"""The columns of the tables that say nothing of a person, `deletions` but for a second before its person is gone."""
EXPORTED.update({table: dict.fromkeys(columns.split(), NO_PERSON) for table, columns in WITHOUT_PEOPLE.items()})

ROWS: Final = {
    "invitations": "id = 'asked'",
    "matches": "id = 'live'",
    "seats": f"match_id = 'over' AND user_id = {ANN}",
    "records": "match_id = 'over' AND seq = 1",
    "first_matches": f"game = '{GAME}'",
    "results": "match_id = 'over'",
    "attendances": "match_id = 'over'",
    "drafts": "match_id = 'live'",
    "open_hands": "match_id = 'live'",
    "postings": "match_id = 'live'",
    "daily_attempts": "match_id = 'tried'",
    "weekly_attempts": "match_id = 'tried weekly'",
    "conditional_moves": "match_id = 'live'",
    "player_results": f"user_id = {ANN} AND number = (SELECT number FROM results WHERE match_id = 'over')",
    "opponents": f"user_id = {ANN} AND opponent_id = {BOB} AND game = '{GAME}'",
    "comeback_searches": f"user_id = {ANN}",
    **dict.fromkeys(("standings", "encounters"), f"user_id = {ANN} AND game = '{GAME}'"),
    "rating_changes": "match_id = 'over' AND seat = 0",
    "held_ratings": "game = 'held'",
    "rating_starts": f"user_id = {ANN}",
    **dict.fromkeys(("notices", "names", "notice_levels"), f"user_id = {ANN}"),
    "board_entries": f"user_id = {ANN} AND span = 0 AND game = '{GAME}'",
    "board_days": f"user_id = {ANN} AND game = '{GAME}'",
    **dict.fromkeys(("board_hidden", "season_firsts"), f"user_id = {ANN}"),
    **dict.fromkeys(("setting_changes", "preferences", "table_subscriptions", "table_notices"), f"user_id = {ANN}"),
    **dict.fromkeys(("blocks", "absences"), f"user_id = {ANN}"),
    **dict.fromkeys(("digest_servers", "turn_digests", "last_pings"), f"user_id = {ANN}"),
    **dict.fromkeys(("league_hosts", "league_members", "league_places"), f"user_id = {ANN}"),
    **dict.fromkeys(
        ("tournament_hosts", "tournament_entrants", "tournament_corrections", "tournament_asks"), f"user_id = {ANN}"
    ),
    "bars": f"guild_id = {GUILD}",
    "set_asides": f"guild_id = {GUILD}",
    "week_firsts": f"user_id = {ANN}",
}
"""The row of each table that the places above are about."""


async def _come_back(store: SqliteStore) -> None:
    """Let Ann play two games, have that deleted, and begin one of them again."""
    for game in ("returned", "held"):
        await played(store, f"first {game}", (1, 2), seats=(ANN, BOB), game=game)
    await store.anonymise(GUILD, ANN, -7, {"first returned", "first held"})
    await played(store, "second", (1, 2), seats=(ANN, BOB), game="returned")


async def fill(store: SqliteStore) -> None:
    """Give every table a row of Ann's, without a null."""
    salts = ((BOB, "of Bob"), (ANN, "of Ann"))
    asked = replace(
        invitation("asked"),
        places=(BOB, ANN),
        private=True,
        in_thread=True,
        auto_start=True,
        reliable=True,
        invited=(BOB, ANN),
        salts=salts,
    )
    asked = replace(asked, origin=Origin("over", 3, bytes(range(32, 64))), series=Series("first", 5, 4, (2, 1), 1))
    await _come_back(store)
    await _in_a_tournament(store)
    await _in_a_league(store)
    await store.add_invitation(asked)
    await store.set_invitation_message("asked", 77)
    await store.close_invitation("asked", InvitationState.DECLINED)
    await opened(store, "over", newcomers=(0,))
    await store.set_reading("over", 0, 4711, ())
    await store.set_away("over", 0, 4712, ())
    await store.agree_to_call_off("over", 0)
    acted, ended = replace(record(1, "over", interaction=71), computer="normal 1"), attended("over", Stay.LEFT)
    await store.append(acted, (), ended, None, {0: 4714})
    await ReplayQueries(store).set_private_wish("over", 0, wanted=True)
    number, _ = (await ProfileQueries(store).wins_after(GUILD, ANN, 0, 9))[-1]
    await ProfileQueries(store).note_comeback_search(GUILD, ANN, ComebackSearch(number, "over"))
    live = replace(match("live", seats=(BOB, ANN)), origin=Origin("over", 3, bytes(range(32, 64))))
    live = replace(live, series=Series("first", 3, 2, (1, 0), 1))
    await store.add_invitation(invitation("live"))
    await store.open_match(live, deal("live"), ())
    await store.append(record(1, "live"), (), unrated=Unrated(1, Obstacle.TIMED_OUT))
    await store.save_selection("live", 1, 7, "attack.abc")
    await store.add_notice(Notice("live", 1, ANN, 5, 6))
    await store.write_open_hands([hand("live", 1)], [], 1000)
    await store.add_posting(posting("live", 1))
    await store.set_paused("live", 4711)
    await store.set_rest("live", 4713, ())
    lost = LostVenues(7, (Suspension.NO_ACCESS,), (TimeLeft("turn", "7", 1200),))
    await store.suspend_match("live", 7000, Suspension.NO_ACCESS, lost)
    await store.set_name(GUILD, ANN, "Ann")
    await store.change_setting(change(former="channel"))
    await store.set_notice_level(GUILD, ANN, NoticeLevel.DIGEST)
    await store.end_posting_digest(ANN, 77, 2000)
    await store.begin_posting_digest(ANN, 76, 1000)
    await store.claim_ping(ANN, "live", 3)
    await store.set_preference(ANN, "card_style", "words")
    await TableSubscriptions(store).set_subscription(GUILD, ANN, GAME, wanted=True)
    await store.judge_seasons(GUILD, 31, [(ANN, SeasonFirst(GAME, 31))])
    await LeaderboardQueries(store).set_hidden(GUILD, ANN, hidden=True)
    await TableSubscriptions(store).record_notice(ANN, 1200)
    await Blocks(store).add(ANN, DAN, 1250)
    await Absences(store).begin(ANN, 1260, 2)
    await Bars(store).bar(GUILD, ANN, 9000)
    await SetAsides(store).set_aside(GUILD, ANN)
    await ConditionQueries(store).add(planned("live"))
    await WeekQueries(store).note_given(GUILD, ANN, 8001)
    await attempted(store, "tried")
    await store.append(record(1, "tried"), (), result("tried", counted=False))
    await DailyQueries(store).note_shown("tried")
    await tried_weekly(store, "tried weekly")
    await store.append(record(1, "tried weekly"), (), result("tried weekly", counted=False))
    await WeeklyQueries(store).score("tried weekly")


async def _in_a_tournament(store: SqliteStore) -> None:
    queries = TournamentQueries(store)
    await queries.create(replace(tournament(), host_id=ANN))
    entrants = (replace(ENTRANTS[0], absent=(1,), left_after=2, team=1), *ENTRANTS[1:])
    await queries.put_entrants(*HERE, entrants)
    await queries.begin_round(PLAYING, 2000, entrants=(), pairings=PAIRINGS, dealt=[])
    corrected = replace(PAIRINGS[0], how=How.CORRECTED)
    await queries.ask(*HERE, Ask(2, ANN))
    await queries.correct(*HERE, corrected, Correction(1, 1, 1, 2100, ANN, (1, 1)))


async def _in_a_league(store: SqliteStore) -> None:
    await league_began(store)
    await LeagueQueries(store).record(SEASON, (), [Place(1, 1, ANN, substitute=True)])
    await LeagueQueries(store).create(replace(league("league3"), host_id=ANN))


async def fill_with_others(store: SqliteStore) -> None:
    """Add rows that are not Ann's: of Bob and Cat, of a match without her, and of another server."""
    for name in ("theirs", "with Cat"):
        await store.add_invitation(replace(invitation(name), host_id=CAT, seated=(CAT,)))
    await store.open_match(match("theirs", seats=(CAT, BOB)), deal("theirs"), ())
    for seat, user in enumerate((CAT, BOB)):
        await store.add_notice(Notice("theirs", seat, user, 5, 8))
        await store.write_open_hands([hand("theirs", seat)], [], 1000)
        await store.add_posting(posting("theirs", seat))
    await store.add_posting(posting("live"))
    await store.add_notice(Notice("live", 0, BOB, 5, 9))
    await store.write_open_hands([hand("live", 0)], [], 1000)
    await store.save_selection("live", 0, 7, "block.secret")
    await store.set_name(GUILD, BOB, "Bob")
    await store.change_setting(change("enders", "moderators", user=BOB))
    await store.change_setting(change(guild=GUILD + 1))
    await store.set_preference(BOB, "card_style", "text")
    await TableSubscriptions(store).set_subscription(GUILD, BOB, "other", wanted=True)
    await TableSubscriptions(store).set_subscription(GUILD + 1, ANN, "other", wanted=True)
    await TableSubscriptions(store).record_notice(BOB, 1300)
    await Blocks(store).add(BOB, ANN, 1350)
    await Absences(store).begin(BOB, 1360, 2)
    await LeaderboardQueries(store).set_hidden(GUILD, BOB, hidden=True)
    await ConditionQueries(store).add(replace(planned("live"), seat=0, user_id=BOB))
    await attempted(store, "tried by Bob", BOB)
    await tried_weekly(store, "tried weekly by Bob", BOB)
    await store.open_match(match("with Cat", seats=(BOB, CAT)), deal("with Cat"), ())
    await store.append(record(1, "with Cat"), (), attended("with Cat"))
    await opened(store, "elsewhere", guild=GUILD + 1)
    await store.add_notice(Notice("elsewhere", 0, ANN, 5, 10))


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    """A store with rows of Ann's."""
    opened_store = await SqliteStore.open(tmp_path / "cardroom.db", now=lambda: 1500)
    try:
        await fill(opened_store)
        yield opened_store
    finally:
        await opened_store.close()


def at(found: Any, place: str) -> Any:
    """What an export has at a place."""
    for key in place.split("."):
        if isinstance(found, list):
            (found,) = [each for each in found if key in _names(each)]
        else:
            found = found[key]
    return found


def _names(entry: Json) -> set[str]:
    return {
        str(entry[key])
        for key in ("id", "match", "game", "seq", "name", "user", "tournament", "league", "from")
        if key in entry
    }


async def tables(store: SqliteStore) -> dict[str, set[str]]:
    """The columns of every table."""
    query = "SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table'"
    found: dict[str, set[str]] = {}
    for table, column in await store.database.read(lambda db: db.execute(query).fetchall()):
        found.setdefault(table, set()).add(column)
    return found


def rows_of(query: str, db: Connection) -> list[Any]:
    """What a query finds."""
    return db.execute(query).fetchall()


async def test_every_column_is_exported_or_has_a_reason(store: SqliteStore) -> None:
    listed = {table: set(columns) for table, columns in EXPORTED.items()}
    assert await tables(store) == listed
    without = ({NO_PERSON}, {PACKED})
    assert ROWS.keys() == {table for table, columns in EXPORTED.items() if {*columns.values()} not in without}


async def test_an_export_has_what_the_tables_have(store: SqliteStore) -> None:
    export = json.loads(json.dumps(await everything_of(store, GUILD, ANN, exports=exports(store))))
    for table, condition in ROWS.items():
        query = f"SELECT {', '.join(EXPORTED[table])} FROM {table} WHERE {condition}"
        (values,) = await store.database.read(partial(rows_of, query))
        for (column, where), value in zip(EXPORTED[table].items(), values, strict=True):
            if isinstance(where, At):
                assert value is not None, (table, column)
                assert at(export, where.place) == where.writes(value), (table, column)


async def test_of_packed_logs_an_export_lacks_the_interactions_alone(store: SqliteStore) -> None:
    before = json.dumps(await everything_of(store, GUILD, ANN, exports=exports(store)))
    assert "over" in await pack_all(store)
    after = json.dumps(await everything_of(store, GUILD, ANN, exports=exports(store)))
    assert json.loads(after, object_hook=_without_interaction) == json.loads(before, object_hook=_without_interaction)
    assert after.count('"interaction": null') > before.count('"interaction": null')


def _without_interaction(entry: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in entry.items() if name != "interaction"}


async def test_an_export_has_no_secret_and_nothing_of_others(store: SqliteStore) -> None:
    before = await everything_of(store, GUILD, ANN, exports=exports(store))
    await fill_with_others(store)
    assert await everything_of(store, GUILD, ANN, exports=exports(store)) == before
    text = json.dumps(before)
    assert hand().token not in text
    assert str(BOB) not in text
    assert "of Bob" not in text
    assert "seed" not in at(before, "matches.live")
    assert bytes(range(32)).hex() not in json.dumps([at(before, "matches.live"), before["invitations"]])


async def test_thousands_of_invitations_let_others_have_their_turns(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns, packed = 0, Counter[int]()

    async def tick() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    async def invitations_of(*_: int) -> list[tuple[Invitation, InvitationState]]:
        return [each for each in found for _ in range(4 * AT_ONCE)]

    def pack(part: Json) -> Json:
        packed[turns] += 1
        return part

    found = (await store.invitations_of(GUILD, ANN))[:1]
    monkeypatch.setattr(store, "invitations_of", invitations_of)
    ticking = asyncio.create_task(tick())
    export = await everything_of(store, GUILD, ANN, exports=exports(store), pack=pack)
    ticking.cancel()
    assert len(export["invitations"]) == 4 * AT_ONCE
    assert max(packed.values()) <= AT_ONCE + 1, "with the last match"
