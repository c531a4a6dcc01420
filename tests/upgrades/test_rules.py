"""F-26: the rules change while matches are played. They go on from their state, end, count, and can be checked."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from bot.play.deals.proof import DoesNotFollow, check, check_deal
from bot.play.live_match import LiveMatch
from bot.play.match_state import codec
from bot.ui.catalogue import translations
from discord_sandbox import MessageView, Person, Sandbox
from engines.chance import Chance, Stream
from engines.game import Facts, Seat
from engines.haymaker import Attack, AttackLaid, Ended, Haymaker, HitTaken, Options, TakeHit, facts, offers, rules
from engines.run import Run
from tests.bot.store.recounts import recount_standings
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.players import challenge, hand_of, plain_move
from tests.upgrades.make import to_the_end

say = translations("en")

Program = Callable[[pytest.MonkeyPatch], None]
"""A version of the program: what differs in it."""


@contextmanager
def installed(program: Program) -> Iterator[None]:
    """The program with other rules, until the block ends."""
    with pytest.MonkeyPatch.context() as patch:
        program(patch)
        codec.cache_clear()
        try:
            yield
        finally:
            codec.cache_clear()


def two(sandbox: Sandbox) -> dict[str, Person]:
    return {name: sandbox.user(name) for name in ("Alice", "Bob")}


async def played(room: Cardroom, sandbox: Sandbox, acts: int) -> tuple[str, MessageView]:
    """A match of Haymaker, so many acts made; its id and its board."""
    people = two(sandbox)
    before = {match.id for match in room.app.matches.live()}
    board = await challenge(people["Alice"], people["Bob"], sandbox.channel("lobby"), clock="daily")
    (match,) = [match for match in room.app.matches.live() if match.id not in before]
    for _ in range(acts):
        await press(people, match, board)
    return match.id, board


async def press(people: dict[str, Person], match: LiveMatch, board: MessageView) -> None:
    """One move of whoever is asked."""
    person = next(person for person in people.values() if match.seat_of(person.id) in match.awaited)
    assert not (await plain_move(person, await hand_of(person, board))).failed


def of(room: Cardroom, match_id: str) -> LiveMatch:
    return next(match for match in room.app.matches.live() if match.id == match_id)


# ---------------------------------------------------------------------------------------------- other rules


def sudden_death(patch: pytest.MonkeyPatch) -> None:
    """Rules 2: another use of chance says who deals, and the first hit that is taken is a knockout."""
    before, dealt_before = Haymaker.decide, Haymaker.deal

    def deal(game: Haymaker, state: Any, chance: Any) -> Facts[Any, Any]:
        return dealt_before(game, state, chance if chance.rules_version == 1 else RenamedUse(chance))

    def decide(game: Haymaker, state: Any, actor: Seat | None, action: Any, chance: Any) -> Facts[Any, Any]:
        facts = before(game, state, actor, action, chance)
        if isinstance(action, TakeHit):
            hit = (HitTaken(1 - state.attacker, asked=True), Ended("knockout", state.attacker))
            return Run(game.evolve, state, chance).add(*hit).facts
        return facts

    patch.setattr(Haymaker, "deal", deal)
    patch.setattr(Haymaker, "decide", decide)
    patch.setattr(Haymaker, "info", replace(Haymaker.info, rules_version=2))


class RenamedUse:
    """Chance whose use for who acts first has another name."""

    def __init__(self, chance: Chance) -> None:
        self._chance, self.rules_version, self.deck = chance, chance.rules_version, chance.deck

    def use(self, name: str) -> Stream:
        """The stream of a use."""
        return self._chance.use(name)

    def first_seat(self, seats: int) -> int:
        """Who acts first."""
        return self._chance.use("who begins").below(seats)


async def until_hit(people: dict[str, Person], match: LiveMatch, board: MessageView) -> None:
    """Play until somebody has taken a hit."""
    hits = await _hits(match)
    for _ in range(2):
        await press(people, match, board)
        if await _hits(match) > hits:
            return
    raise AssertionError("nobody was hit")


async def _hits(match: LiveMatch) -> int:
    return sum(isinstance(event, HitTaken) for event in await match.read_events())


async def test_F_26_matches_go_on_from_their_state_under_other_rules(
    sandbox: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    people, lobby = two(sandbox), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path) as room:
        fresh, _ = await played(room, sandbox, 0)
        begun, begun_board = await played(room, sandbox, 1)
        await until_hit(people, of(room, begun), begun_board)  # a hit of the former rules: play goes on
        over, _ = await played(room, sandbox, 0)
        await to_the_end(room, of(room, over))
        boards = {match.id: match.board_id for match in room.app.matches.live()}
        assert boards.keys() == {fresh, begun}
        states = {match_id: of(room, match_id).position.state for match_id in boards}
        server = lobby.server_id or 0

    with installed(sudden_death):
        async with cardroom(sandbox, tmp_path) as room:
            assert "replaying" not in caplog.text
            for match_id, state in states.items():
                match = of(room, match_id)
                assert match.position.state == state
                board = next(message for message in lobby.messages if message.id == match.board_id)
                await until_hit(people, match, board)
                assert match.result is not None
                assert match.result.kind == "knockout"
                assert match.events[-2] == HitTaken(match.result.ranks.index(2), asked=True)
            new, new_board = await played(room, sandbox, 0)
            await until_hit(people, of(room, new), new_board)
            rows = {row.id: row for row in await room.store.matches_of(server, people["Alice"].id)}
            assert {match_id: row.rules_version for match_id, row in rows.items()} == {
                fresh: 1,
                begun: 1,
                over: 1,
                new: 2,
            }
            logs = {match_id: await room.store.records(match_id) for match_id in rows}
            for match_id, row in rows.items():
                check_deal(row, logs[match_id])  # by its own version
                with pytest.raises(DoesNotFollow):
                    check_deal(replace(row, rules_version=3 - row.rules_version), logs[match_id])
            check(rows[new], logs[new])
            with pytest.raises(DoesNotFollow) as caught:
                check(rows[begun], logs[begun])  # in the middle of it other rules came into force
            assert caught.value.seq > 0
            counted = {match_id for match_id in rows if await room.store.rating_changes(match_id)}
            assert counted == {each for each in rows if len(logs[each]) > 4}

            asked = await people["Alice"].slash(lobby, "mydata delete")
            pressed = await people["Alice"].press(asked.message, label=say("button.delete"))
            await sandbox.wait_for(lambda: say("mydata.deleted") in pressed.message.text)
            for match_id in rows:
                nameless = await room.store.match(match_id)
                assert nameless is not None
                assert people["Alice"].id not in nameless.seats
                check_deal(nameless, logs[match_id])
    found = recount_standings(tmp_path / "cardroom.db")
    assert (found.differing, found.results) == (0, len(counted))


# ---------------------------------------------------------------------------------------------- other fields


@dataclass(frozen=True, slots=True)
class StakedOptions(Options):
    """Haymaker's options, one added."""

    stakes: int = 1


@dataclass(frozen=True, slots=True)
class MoodyHit(HitTaken):
    """A hit, and how it felt."""

    mood: str = "calm"


@dataclass(frozen=True, slots=True)
class LoudAttack(Attack):
    """An attack, and whether it was shouted."""

    loud: bool = False


def gains_fields(patch: pytest.MonkeyPatch) -> None:
    """The same rules; options, an act and a fact have a field more, with a default."""
    info = Haymaker.info
    patch.setattr(
        Haymaker,
        "info",
        replace(
            info,
            options=StakedOptions,
            presets={"default": StakedOptions()},
            actions=tuple([LoudAttack if each is Attack else each for each in info.actions]),
            events=tuple([MoodyHit if each is HitTaken else each for each in info.events]),
        ),
    )
    patch.setitem(rules.ASKS, LoudAttack, rules.ASKS[Attack])
    patch.setattr(offers.AttackPick, "makes", LoudAttack)
    patch.setattr(facts, "HitTaken", MoodyHit)


@dataclass(frozen=True, slots=True)
class NamedAttackLaid(AttackLaid):
    """An attack as the second version of its fact has it: the cards' field bears another name, as it was written."""

    V: ClassVar[int] = 2

    name: str = ""


for later, former in (
    (StakedOptions, Options),
    (MoodyHit, HitTaken),
    (LoudAttack, Attack),
    (NamedAttackLaid, AttackLaid),
):
    later.__name__ = former.__name__  # by which logs know it


def upcasts(patch: pytest.MonkeyPatch) -> None:
    """The same rules; a fact is of a second version, in which a name must be given that the first did not have."""

    def named(fields: dict[str, Any]) -> dict[str, Any]:
        return {**fields, "name": "haymaker" if len(fields["cards"]) > 1 else "attack"}

    info = Haymaker.info
    patch.setattr(
        Haymaker,
        "info",
        replace(
            info,
            events=tuple([NamedAttackLaid if each is AttackLaid else each for each in info.events]),
            upcasters={("AttackLaid", 1): named},
        ),
    )
    patch.setattr(facts, "AttackLaid", NamedAttackLaid)


def _fields(match_id: str, logs: dict[str, list[Any]], kind: str) -> list[dict[str, Any]]:
    return [fact for record in logs[match_id] for fact in json.loads(record.events) if fact["type"] == kind]


async def test_F_26_facts_acts_and_options_may_gain_fields_with_a_default(sandbox: Sandbox, tmp_path: Path) -> None:
    people, lobby = two(sandbox), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path) as room:
        match_id, _ = await played(room, sandbox, 8)
        old = await room.store.records(match_id)
    with installed(gains_fields):
        for _ in range(2):  # the second start reads texts of both
            async with cardroom(sandbox, tmp_path) as room:
                match = of(room, match_id)
                assert match.options == StakedOptions(1)
                assert {event.mood for event in await match.read_events() if isinstance(event, MoodyHit)} == {"calm"}
                board = next(message for message in lobby.messages if message.id == match.board_id)
                for _ in range(4):
                    await press(people, match, board)
        async with cardroom(sandbox, tmp_path) as room:
            match = of(room, match_id)
            await to_the_end(room, match)
            assert match.result is not None
            row = await room.store.match(match_id)
            records = await room.store.records(match_id)
            assert row is not None
            check_deal(row, records)
        assert records[: len(old)] == old  # what was written is never rewritten
        assert not any('"loud"' in (record.action or "") for record in old)
        assert any('"loud":false' in (record.action or "") for record in records)
        assert {'"mood"' in record.events for record in records if '"HitTaken"' in record.events} == {True, False}


async def test_F_26_a_fact_may_change_its_form_where_the_former_is_still_read(sandbox: Sandbox, tmp_path: Path) -> None:
    async with cardroom(sandbox, tmp_path) as room:
        match_id, _ = await played(room, sandbox, 8)
    with installed(upcasts):
        async with cardroom(sandbox, tmp_path) as room:
            match = of(room, match_id)
            attacks = [event for event in await match.read_events() if isinstance(event, NamedAttackLaid)]
            assert attacks
            assert {attack.name for attack in attacks} <= {"haymaker", "attack"}
            await to_the_end(room, match)
            assert match.result is not None
            logs = {match_id: await room.store.records(match_id)}
    assert {fact["v"] for fact in _fields(match_id, logs, "AttackLaid")} == {1, 2}


async def test_F_26_the_former_program_quarantines_what_it_cannot_read_and_the_later_one_continues_it(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    people, lobby = two(sandbox), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path) as room:
        other, _ = await played(room, sandbox, 2)
    with installed(upcasts):
        async with cardroom(sandbox, tmp_path) as room:
            match_id, board = await played(room, sandbox, 3)
    async with cardroom(sandbox, tmp_path) as room:
        assert [match.id for match in room.app.matches.live()] == [other]
        (stopped,) = room.app.matches.quarantined(people["Alice"].id, lobby.server_id or 0)
        reply = await people["Alice"].press(board, label="My cards")
        assert say("match.paused", number=stopped.number) in reply.text
    with installed(upcasts):
        async with cardroom(sandbox, tmp_path) as room:
            assert {match.id for match in room.app.matches.live()} == {match_id, other}
            await press(people, of(room, match_id), board)
            await to_the_end(room, of(room, match_id))
            result = await room.store.result(match_id)
            assert result is not None
