"""Commands as no client sends them: of another version, out of range, of the wrong type, hostile, or of no shape."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cogs.actions.computer_matches import is_played_alone
from cogs.leagues.queries import LeagueQueries
from discord_sandbox import JsonObject, Person, member_object, user_object
from tests.bad_input.examples import share
from tests.bad_input.hostile import ints, texts, values
from tests.bad_input.laws import Court
from tests.end_to_end.cardroom import eventually

pytestmark = pytest.mark.asyncio(loop_scope="module")

ACTORS = ("Alice", "Bob", "Erin")
OF_COMMANDS = {
    *("invitations", "notice_levels", "digest_servers", "turn_digests", "preferences", "blocks", "absences"),
    *("daily_deals", "weekly_deals"),
}
"""The tables that a command may write to when it is a good one."""
OF_LATER = {"daily_attempts", "daily_messages", "weekly_attempts"}
"""The tables that are written to when somebody reads how a former attempt at a deal of the day or week ended."""

USER = 6

SOUND = ("good", "left out")
SPOILT = ("strange", "strange", "of another type", "odd", "left out")
"""How an option may be: as it should be, or of its type and no good, of another type, anything at all, missing."""


def leaves(commands: list[JsonObject]) -> list[tuple[JsonObject, tuple[JsonObject, ...], list[JsonObject]]]:
    """Every command with its subcommands from the top, and the options of the last."""
    found: list[tuple[JsonObject, tuple[JsonObject, ...], list[JsonObject]]] = []
    for command in commands:
        inner = [each for each in command.get("options", ()) if each["type"] in (1, 2)]
        if inner:
            found += [(command, (each,), each.get("options", [])) for each in inner]
        else:
            found.append((command, (), command.get("options", [])))
    return found


class Forger:
    """Makes up the data of a command, from what the bot announced."""

    def __init__(self, judge: Court, data: st.DataObject) -> None:
        self._draw = data.draw
        self._world = judge.sandbox.world
        self._server = judge.sandbox.server()
        self._commands = judge.sandbox.commands()
        self.resolved: JsonObject = {}

    def command(self) -> JsonObject:
        """A command that may be right in every point, or wrong in any."""
        known = [leaf for leaf in leaves(self._commands) for _ in range(1 + 2 * len(leaf[2]))]
        command, path, options = known[self._draw(st.integers(0, len(known) - 1))]
        if command["type"] != 1:
            made: JsonObject = {"type": command["type"], "target_id": self._user()}
        else:
            spoilt = (
                self._draw(st.sets(st.sampled_from([each["name"] for each in options]), max_size=1)) if options else ()
            )
            sent = [each for option in options for each in self._option(option, spoilt=option["name"] in spoilt)]
            if self._rarely():
                sent.append(self._draw(self._unknown()))
            for step in reversed(path):
                sent = [{"name": self._name(step["name"]), "type": step["type"], "options": sent}]
            made = {"type": 1, "options": sent}
            if not sent and self._draw(st.booleans()):
                del made["options"]
        made |= {"id": command["id"], "name": self._name(command["name"])}
        if not self._rarely():
            made["resolved"] = self.resolved
        return made

    def broken(self) -> JsonObject:
        """A command of which any part may be anything."""
        made = self.command()
        for _ in range(self._draw(st.integers(1, 3))):
            holder: Any = made
            while True:
                inner = [each for each in _inside(holder) if isinstance(each, dict | list) and each]
                if not inner or self._draw(st.booleans()):
                    break
                holder = self._draw(st.sampled_from(inner))
            keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            key = self._draw(st.sampled_from(keys))
            if self._draw(st.booleans()):
                del holder[key]
            else:
                holder[key] = self._draw(values)
            if not made:
                break
        return made

    def _rarely(self) -> bool:
        return bool(self._draw(st.integers(0, 19)) == 19)

    def _name(self, name: str) -> str:
        return self._draw(texts) if self._rarely() else name

    def _unknown(self) -> st.SearchStrategy[JsonObject]:
        return st.builds(lambda name, value: {"name": name, "type": 3, "value": value}, texts, texts)

    def _option(self, option: JsonObject, *, spoilt: bool) -> list[JsonObject]:
        kind, value = option["type"], None
        ways = SPOILT if spoilt else SOUND[: 1 if option.get("required") else 2]
        match self._draw(st.sampled_from(ways)):
            case "left out":
                return []
            case "good":
                value = self._good(option)
            case "strange":
                value = self._draw({3: texts, 4: ints, 5: st.booleans(), USER: texts}[kind])
            case "of another type":
                kind, value = self._draw(st.integers(0, 12)), self._good(option)
            case _:
                value = self._draw(values)
        return [{"name": option["name"], "type": kind, "value": value}]

    def _good(self, option: JsonObject) -> object:
        if option["type"] == USER:
            return self._user()
        if option.get("choices"):
            return self._draw(st.sampled_from([each["value"] for each in option["choices"]]))
        if option["type"] == 4:
            return self._draw(st.integers(option.get("min_value", -5), option.get("max_value", 5)))
        return self._draw(st.booleans() if option["type"] == 5 else st.sampled_from(("blitz", "90s", "2 h")))

    def _user(self) -> str:
        """Somebody's id: a member's, an outsider's, the bot's, nobody's; told of in full, in part or not at all."""
        told = self._draw(st.sampled_from(("in full", "in full", "in full", "in part", "not at all")))
        user = self._draw(st.sampled_from(list(self._world.users.values())))
        if told != "not at all":
            self.resolved.setdefault("users", {})[str(user.id)] = user_object(user)
        member = self._server.members.get(user.id)
        if told == "in full" and member is not None:
            of_member = {**member_object(member, with_user=False), "permissions": "0"}
            self.resolved.setdefault("members", {})[str(user.id)] = of_member
        return str(user.id)


def _inside(holder: Any) -> list[Any]:
    return list(holder.values()) if isinstance(holder, dict) else list(holder)


async def _end_league(judge: Court) -> None:
    """End the league that a good command has begun, once its message is there."""
    queries = LeagueQueries(judge.room.store)

    async def posted() -> bool:
        (league,) = await queries.unfinished()
        return league.message_id is not None

    await eventually(posted)
    (league,) = await queries.unfinished()
    await queries.put(replace(league, ended_at=1))


async def judged(judge: Court, actor: Person, channel: str, sent: JsonObject) -> None:
    """Send a command and hold the answer against the laws; what a good one made is taken back."""
    acting = actor.forge(judge.sandbox.channel(channel), "command", sent)
    reply, came, went = await judge.lawful(acting)
    written = {json.loads(line)["table"] for line in [*came, *went]} - OF_LATER
    if "matches" in written and sent["name"] in {"daily", "weekly"}:
        assert reply.visibility == "ephemeral"
        await judge.clear()
        return
    if written and (sent.get("options") or [{"name": ""}])[0]["name"] == "practice":  # a match that begins at once
        assert reply.visibility == ("ephemeral" if is_played_alone(sent["name"]) else "public")

        async def begun() -> bool:
            return not judge.room.app.invitations.open()

        await eventually(begun)
        await judge.clear()
        return
    if written == {"leagues", "league_hosts"}:
        await _end_league(judge)
        return
    assert written <= OF_COMMANDS, (written, sent)
    if "invitations" in written:
        (invitation,) = judge.room.app.invitations.open()
        assert invitation.host_id == actor.id
        assert reply.visibility == ("ephemeral" if invitation.auto_start else "public")

        async def placed() -> bool:
            found = await judge.room.store.invitation(invitation.id)
            return found is not None and found[0].message_id is not None

        await eventually(placed)
        await judge.room.app.invitations.withdraw(invitation)


@settings(max_examples=share(250))
@given(data=st.data(), actor=st.sampled_from(ACTORS))
async def test_options_of_any_kind_have_one_answer_and_change_nothing_unless_they_are_good(
    judge: Court, data: st.DataObject, actor: str
) -> None:
    await judged(judge, judge.people[actor], "lobby", Forger(judge, data).command())


@settings(max_examples=share(150))
@given(data=st.data(), actor=st.sampled_from(ACTORS))
async def test_commands_of_no_shape_have_one_answer(judge: Court, data: st.DataObject, actor: str) -> None:
    sent = Forger(judge, data).broken()
    await judged(judge, judge.people[actor], "lobby", sent)


@settings(max_examples=share(100))
@given(data=st.data(), broken=st.booleans())
async def test_whatever_is_typed_has_one_list_of_completions(judge: Court, data: st.DataObject, broken: bool) -> None:
    forger = Forger(judge, data)
    sent = forger.broken() if broken else forger.command()
    for option in _typed(sent):
        option["focused"] = True
    reply, came, went = await judge.lawful(
        judge.people["Alice"].forge(judge.sandbox.channel("lobby"), "autocomplete", sent)
    )
    assert (reply.kind, len(reply.choices) <= 25, came, went) == ("choices", True, {}, {})


def _typed(sent: JsonObject) -> list[JsonObject]:
    """The options in the data of a command that have a value, the first of them."""
    inner = sent.get("options")
    while isinstance(inner, list) and inner and isinstance(inner[0], dict):
        if "value" in inner[0]:
            return inner[:1]
        inner = inner[0].get("options")
    return []
