"""Answers to a request for a server's members (op 8), in chunks.

Source: Discord's developer documentation, "Request Guild Members" and "Guild Members Chunk".
"""

from __future__ import annotations

from discord_sandbox.gateway.sessions import Session
from discord_sandbox.model import payloads, snowflake
from discord_sandbox.model.state import Intent, Member, Server
from discord_sandbox.model.wire import JsonObject

MOST_NAMED = 100
"""The most members that a request may find by a name's prefix or name by their ids."""
_LONGEST_NONCE = 32


def asks_for_everybody(asked: JsonObject) -> bool:
    """Whether the request is for the whole list, which needs the members' intent."""
    return asked.get("user_ids") is None and not asked.get("query") and not asked.get("limit")


def may_ask(session: Session, asked: JsonObject) -> bool:
    """Whether the session has the intents for its request."""
    if asks_for_everybody(asked) and not session.wants(Intent.GUILD_MEMBERS):
        return False
    return not asked.get("presences") or session.wants(Intent.GUILD_PRESENCES)


def chunks(server: Server, asked: JsonObject, size: int) -> list[JsonObject]:
    """The data of the GUILD_MEMBERS_CHUNK events that answer; at least one, with at most `size` members each."""
    found, missing = _find(server, asked)
    slices = [found[start : start + size] for start in range(0, len(found), size)] or [[]]
    nonce = asked.get("nonce")
    answers: list[JsonObject] = []
    for index, part in enumerate(slices):
        chunk: JsonObject = {
            "guild_id": str(server.id),
            "members": [payloads.member(each) for each in part],
            "chunk_index": index,
            "chunk_count": len(slices),
            "not_found": missing,
        }
        if isinstance(nonce, str) and len(nonce.encode()) <= _LONGEST_NONCE:
            chunk["nonce"] = nonce
        if asked.get("presences"):
            chunk["presences"] = []
        answers.append(chunk)
    return answers


def _find(server: Server, asked: JsonObject) -> tuple[list[Member], list[str]]:
    wanted = asked.get("user_ids")
    if wanted is not None:
        ids = [str(each) for each in (wanted if isinstance(wanted, list) else [wanted])][:MOST_NAMED]
        named = [server.members.get(snowflake.parsed(each) or 0) for each in ids]
        known = [member for member in named if member is not None]
        missing = sorted(set(ids) - {str(each.user.id) for each in known})
        return known, missing
    prefix = str(asked.get("query") or "").lower()
    found = [each for each in server.members.values() if _begins(each, prefix)]
    limit = asked.get("limit")
    most = limit if isinstance(limit, int) and limit > 0 else len(found)
    if not asks_for_everybody(asked):
        most = min(most, MOST_NAMED)
    return found[:most], []


def _begins(member: Member, prefix: str) -> bool:
    names = (member.user.username, member.nick, member.user.global_name)
    return any(name is not None and name.lower().startswith(prefix) for name in names)
