"""Exports what is stored about a person in a server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, TypeAlias

from bot.play.computers.stand_ins import TakenOver
from bot.store.queries.invitations import Invitation, InvitationState, Series
from bot.store.queries.matches import LostVenues, MatchRow, Record, Result
from bot.store.queries.screens import HandRow
from bot.store.store import Store
from cogs.rooms import Export
from engines.deals import salt_digest

Json: TypeAlias = dict[str, Any]

FORM = "cardroom/mydata/v1"
AT_ONCE = 25
"""How many invitations are packed before the event loop has its turn: each takes some 50 us."""
_EVER = 2**53
"""A day after all others, so that no deal of the day is closed."""


async def everything_of(
    store: Store,
    guild_id: int,
    user_id: int,
    is_closed: Callable[[MatchRow], bool] = lambda row: row.day is not None,
    exports: Sequence[Export] = (),
    *,
    pack: Callable[[Json], Any] = dict,
) -> Json:
    """Everything stored about somebody in a server, and what belongs to no server, such as what they prefer. As JSON.

    `is_closed` says whether the deal of a match is closed, though the match may be over (`bot.play.closed_deals`).
    `exports` say what rooms keep of them. There may be thousands of matches and invitations, so each goes through
    `pack` at once.

    Ids are strings, times are milliseconds since 1970, UTC, and days count from then. Points are in thousandths. It
    contains nothing about anybody else, neither seed nor acts of a match that is being played, and no seed of a closed
    deal. Nobody but their owner reads a salt before the end, and this is for its owner. A test compares it with the
    columns of all tables.
    """
    names = await store.names(guild_id, [user_id])
    asked = await store.invitations_of(guild_id, user_id)
    played = await store.matches_of(guild_id, user_id)
    seats = {row.id: row.seats.index(user_id) for row in played}
    kept: Json = {
        "form": FORM,
        "server": str(guild_id),
        "user": str(user_id),
        "name": names.get(user_id),
        "settings": {
            "notify": str(await store.notice_level(guild_id, user_id)),
            "hidden_on_leaderboards": await store.is_hidden(guild_id, user_id),
            "set_aside_by_moderators": await store.is_set_aside(guild_id, user_id),
        },
        "digest": await _digest(store, user_id),
        "last_slow_notice": await _last_ping(store, user_id),
        "preferences": (await store.preferences([user_id])).get(user_id, {}),
        "standings": await _standings(store, guild_id, user_id),
        "record": asdict(await store.player_record(guild_id, user_id)),
        "held_ratings": [
            {**asdict(each.start), "until": each.until} for each in await store.held_ratings(guild_id, user_id)
        ],
        "rating_starts": [asdict(each) for each in await store.rating_starts(guild_id, user_id)],
        "days": [
            {"game": key.game, "day": key.day, **tally._asdict()}
            for key, tally in (await store.counted_days(guild_id, user_id)).items()
        ],
        "season_firsts": [first._asdict() for first in await store.season_firsts(guild_id, user_id)],
        "matches": [pack(await _match(store, row, user_id, closed=is_closed(row))) for row in played],
        "invitations": await _invitations(asked, user_id, pack),
        "attendances": [
            {
                "match": each.match_id,
                "seat": each.seat,
                "began_at": each.began_at,
                "ended_at": each.ended_at,
                "stay": str(each.stay),
                "turns_asked": each.asked,
                "turns_in_time": each.in_time,
            }
            for each in await store.attendances(guild_id, user_id, len(played))
        ],
        "notices": [
            {"match": notice.match_id, "channel": str(notice.channel_id), "message": str(notice.message_id)}
            for notice in await store.notices()
            if notice.user_id == user_id and notice.match_id in seats
        ],
        "postings": [
            {"match": each.match_id, "channel": str(each.channel_id), "replaces": _id(each.former_id), "since": each.at}
            for each in await store.postings()
            if each.seat is not None and each.seat == seats.get(each.match_id)
        ],
        "setting_changes": [
            {"at": each.at, "name": each.name, "former": each.former, "value": each.value}
            for each in await store.setting_changes(guild_id)
            if each.user_id == user_id
        ],
        "moderated": [
            {"at": each.at, "name": each.name, "former": each.former, "value": each.value}
            for each in await store.setting_changes(guild_id)
            if each.about_id == user_id
        ],
        "open_hands": [_open_hand(hand) for hand in await store.open_hands() if hand.seat == seats.get(hand.match_id)],
    }
    for export in exports:
        for name, part in (await export(guild_id, user_id)).items():
            kept[name] = {**kept[name], **part} if name in kept else part
    return kept


async def _invitations(
    asked: Sequence[tuple[Invitation, InvitationState]], user_id: int, pack: Callable[[Json], Any]
) -> list[Any]:
    """Somebody's invitations, packed a few at a time: thousands take a second, in which nobody would be answered."""
    packed = []
    for number, (invitation, state) in enumerate(asked, 1):
        packed.append(pack(_invitation(invitation, state, user_id)))
        if number % AT_ONCE == 0:
            await asyncio.sleep(0)
    return packed


def _open_hand(hand: HandRow) -> Json:
    """Without the token, which is the bot's and opens nothing for anybody else."""
    return {
        "match": hand.match_id,
        "message": str(hand.message),
        "locale": hand.locale,
        "window": hand.window,
        "selection": hand.selection,
        "expires_at": hand.expires_at,
    }


async def _digest(store: Store, user_id: int) -> Json | None:
    digest = await store.digest(user_id)
    if digest is None:
        return None
    found: Json = {name: value for name, value in asdict(digest).items() if name != "user_id"}
    return found | {name: str(found[name]) for name in ("channel_id", "message_id") if found[name] is not None}


async def _last_ping(store: Store, user_id: int) -> Json | None:
    found = await store.last_ping(user_id)
    return None if found is None else dict(zip(("at", "match", "question"), found, strict=True))


async def _standings(store: Store, guild_id: int, user_id: int) -> list[Json]:
    found: list[Json] = []
    for game in await store.games_played(guild_id):
        standing = await store.standing(guild_id, game, user_id)
        if standing is not None:
            counts = asdict(standing)
            del counts["user_id"]  # the export has it as text
            found.append({"game": game, **counts})
    return found


async def _match(store: Store, row: MatchRow, user_id: int, *, closed: bool) -> Json:
    seat = row.seats.index(user_id)
    result = await store.result(row.id)
    selection = await store.latest_selection(row.id, seat)
    records = await store.records(row.id)
    own = [record for record in records if record.actor == seat]
    acts: list[Json] = [
        {
            "seq": record.seq,
            "at": record.at,
            "interaction": _id(record.interaction_id),
            "computer": record.computer,
        }
        for record in own
    ]
    match: Json = {
        "id": row.id,
        **_terms(row),
        "board": _id(row.board_id),
        "board_at": row.board_at,
        "salt": _salt(row.salts[seat].text, row.salts[seat].digest) if row.salts else None,
        "opened_at": row.opened_at,
        "seats": len(row.seats),
        "seat": seat,
        "agreed_to_call_off": seat in row.agreed,
        "wants_private_replay": row.is_practice,
        "day": row.day,
        "alone": row.alone,
        "on_board": row.on_board,
        "shared_deal": row.shared,
        "rated": row.rated,
        "began_by_itself": row.reserved,
        "one_of_first": seat in row.newcomers,
        "read_until": dict(zip(row.newcomers, row.reads_until, strict=True)).get(seat),
        "away_until": row.away_until[seat] if row.away_until else None,
        "bank_left": row.bank_left[seat] if row.bank_left else None,
        "pauses_until": row.rests_until,
        "series": _series(row.series, seat),
        "selection": {"window": selection[0], "selection": selection[1]} if selection else None,
        "paused_by_error": row.paused,
        "suspended": {"since": row.suspended_at, "why": row.suspended_why} if row.suspended_why else None,
        "lost_places": _losses(row.lost_places) if row.lost_places.causes else None,
        "could_not_act": row.unrated.why if row.unrated is not None and row.unrated.seat == seat else None,
        "result": None,
        "rating": None,
        "acts": acts,
        "taken_over_by_computer": [
            {"seq": record.seq, "at": record.at} for record in records if _takes_over(record, seat)
        ],
    }
    if result is None:
        return match
    finished = await store.finished_match(row.guild_id, row.id, user_id, _EVER)
    match["wants_private_replay"] = finished is not None and seat in finished.private_wishes
    for act, record in zip(acts, own, strict=True):
        act["action"] = _written(record.action or "null")
    changes = await store.rating_changes(row.id)
    match["rating"] = asdict(changes[seat]) if changes else None
    if closed or finished is None:  # other processes may still play its deal
        return {**match, "result": {**_result(result, seat), "log_chain": None}}
    return {**match, "seed": row.seed.hex(), "result": _result(result, seat)}


def _first_seat(invitation: Invitation) -> int:
    """Who has the first seat in the match of an invitation."""
    return (invitation.places or (invitation.host_id,))[0]


def _takes_over(record: Record, seat: int) -> bool:
    """Whether a computer took the seat over in this record, because its time had run out or its player asked for it."""
    action = _written(record.action or "null")
    return isinstance(action, dict) and action.get("type") == TakenOver.__name__ and seat in action.get("seats", ())


def _terms(agreed: MatchRow | Invitation) -> Json:
    """What a match and its invitation have alike: where and by what it is played, and what its seal binds."""
    origin = agreed.origin
    return {
        "channel": str(agreed.channel_id),
        "game": agreed.game,
        "rules_version": agreed.rules_version,
        "options": _written(agreed.options),
        "clock": agreed.clock,
        "stand_in": str(agreed.stand_in),
        "seal": agreed.commitment.hex(),
        "begun_from": origin and {"match": origin.match_id, "facts": origin.facts, "sha256": origin.digest.hex()},
        "deal_version": agreed.deal_version,
        "deal_id": agreed.deal_id,
        "sealed_options": agreed.sealed_options,
    }


def _series(series: Series | None, seat: int) -> Json | None:
    """The number of a match in its series, with what a seat and its opponent had won before."""
    if series is None:
        return None
    won, lost = series.wins[seat], series.wins[1 - seat]
    acts_first = None if series.first is None else series.first == seat
    told = {"id": series.id, "best_of": series.best_of, "number": series.number, "won": won, "lost": lost}
    return {**told, "acts_first": acts_first}


def _salt(text: str | None, digest: bytes) -> Json:
    return {"text": text, "sha256": digest.hex()}


def _written(text: str) -> Any:
    """A stored text as JSON, or the text itself if it is damaged, because it is still theirs."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _losses(lost: LostVenues) -> Json:
    return {"window": lost.window, "causes": list(lost.causes), "left": [asdict(each) for each in lost.left]}


def _id(number: int | None) -> str | None:
    """An id of Discord as text, because many readers of JSON round large numbers."""
    return None if number is None else str(number)


def _result(result: Result, seat: int) -> Json:
    rank = result.ranks[seat] if result.ranks else None
    ended = {"kind": result.kind, "ended_at": result.ended_at, "counted": result.counted}
    return {**ended, "rank": rank, "never_came": seat in result.unaware, "log_chain": result.chain.hex()}


def _invitation(invitation: Invitation, state: InvitationState, user_id: int) -> Json:
    salt = dict(invitation.salts).get(user_id)
    return {
        "id": invitation.id,
        **_terms(invitation),
        "message": _id(invitation.message_id),
        "kind": str(invitation.kind),
        "private": invitation.private,
        "in_thread": invitation.in_thread,
        "auto_start": invitation.auto_start,
        "reliable": invitation.reliable,
        "salt": None if salt is None else _salt(salt, salt_digest(salt)),
        "created_at": invitation.created_at,
        "expires_at": invitation.expires_at,
        "closed_at": invitation.closed_at,
        "state": str(state),
        "host": invitation.host_id == user_id,
        "invited": user_id in invitation.invited,
        "seated": user_id in invitation.seated,
        "series": _series(invitation.series, 0 if _first_seat(invitation) == user_id else 1),
        "place": invitation.places.index(user_id) if user_id in invitation.places else None,
    }
