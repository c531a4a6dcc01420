"""The deal of the day: one deal for a server, one try for each person, and closed until its day ends."""

from __future__ import annotations

import asyncio
import json
import random
import time
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.games import game_title
from bot.play.computers import seats
from bot.play.deals.proof import judge
from bot.play.live_match import LiveMatch
from bot.scheduler import DAY, ends_at
from bot.store.queries.matches import MatchRow
from bot.store.special_ids import computer_id
from bot.ui.catalogue import translations
from bot.ui.screen import Seats
from cogs.daily.deals import score_of
from cogs.daily.messages import DailyMessages
from cogs.daily.queries import DailyQueries
from cogs.screens.hands.hand import hand_screen
from cogs.screens.presenter import Reader
from cogs.screens.renderer import MOST_COMPONENTS, components_of, is_whole
from discord_sandbox import DrivenChannel, MessageView, Person, Reply, Sandbox
from engines.deals import short_seal
from laws.knowledge import seen
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually, to_noon
from tests.end_to_end.exports import exported
from tests.end_to_end.pictures import galleries
from tests.end_to_end.players import move, press_where_it_is, resign
from tests.end_to_end.practising import only_match
from tests.end_to_end.test_my_data import delete
from tests.games.cases import case_of
from tests.secrecy.test_wire import CARD

say = translations("en")
LEARNED = ("haymaker", "ciq")
MOST_MOVES = 600


async def tries(room: Cardroom, person: Person, lobby: DrivenChannel, game: str = "haymaker") -> MessageView:
    """Begin an attempt, or open its hand again; the private message."""
    opened = await person.slash(lobby, "daily", game=game)
    assert opened.visibility == "ephemeral"
    await eventually(lambda: known(room))
    return opened.message


async def known(room: Cardroom) -> bool:
    return all(match.window_number for match in room.app.matches.live())


def attempt_of(room: Cardroom, person: Person) -> LiveMatch:
    """Somebody's attempt in play."""
    (match,) = [each for each in room.app.matches.live() if person.id in each.seats]
    return match


async def waits_for_person(match: LiveMatch) -> bool:
    return match.over or 0 in match.awaited


async def play_out(room: Cardroom, person: Person, hand: MessageView, seed: int = 3) -> LiveMatch:
    """Play an attempt to its end, by chance."""
    match, rng = attempt_of(room, person), random.Random(seed)
    for _ in range(MOST_MOVES):
        await eventually(lambda: waits_for_person(match))
        if match.over:
            return match
        if await move(person, hand, rng) is None:
            await asyncio.sleep(0.2)  # the hand is edited at most once a second
    raise AssertionError("the match does not end")


async def finish(room: Cardroom, person: Person, lobby: DrivenChannel, game: str = "haymaker") -> LiveMatch:
    return await play_out(room, person, await tries(room, person, lobby, game))


async def posted(lobby: DrivenChannel, *texts: str) -> bool:
    """Whether the channel has one message, with these texts."""
    return len(lobby.messages) == 1 and all(text in lobby.messages[0].text for text in texts)


async def file_of(reply: Reply) -> dict[str, Any]:
    attachments: Any = reply.message.raw["attachments"]
    async with aiohttp.ClientSession() as session, session.get(attachments[0]["url"]) as answer:
        found: dict[str, Any] = json.loads(await answer.read())
    return found


def pressed(match_id: str, verb: str, arg: str = "") -> str:
    return f"g1:{match_id}:0:{verb}" + (f":{arg}" if arg else "")


class Watch:
    """Everything that was sent to anybody about a deal, held against what each person has had a right to see."""

    def __init__(self, sandbox: Sandbox, match: LiveMatch, row: MatchRow) -> None:
        self._sandbox = sandbox
        self._match = match
        self._seed = row.seed.hex()
        self._looked_at = 0

    async def look(self) -> int:
        """Check what was sent since the last look; how many cards were told."""
        facts = await self._match.read_events()
        told = 0
        for request in self._sandbox.transcript.requests[self._looked_at :]:
            self._looked_at += 1
            sent = request.raw.decode()
            sent = sent.encode().decode("unicode_escape") if "\\u" in sent else sent
            audience = request.audience
            viewer = self._match.seat_of(audience) if isinstance(audience, int) else None
            cards = set(CARD.findall(sent))
            allowed = set()
            if viewer is not None:
                known = seen(case_of(self._match.game.info.key), facts, viewer)
                allowed = {card.name for card in known} | {card.code for card in known}
            assert cards <= allowed, f"{audience} was sent a card"
            assert self._seed not in sent
            told += len(cards)
        return told


# ---------------------------------------------------------------------------------------------- whole matches


@pytest.mark.nightly  # one of the games that are learned
@pytest.mark.parametrize("game", LEARNED)
async def test_a_deal_is_played_alone_and_the_channel_reads_one_line_without_a_card(
    sandbox: Sandbox, room: Cardroom, game: str
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    to_noon(room)
    listed = await alice.slash(lobby, "daily")
    deal = await room.app.daily.deal(lobby.server_id or 0, game)
    assert deal.deal_id not in listed.text
    sealed = await alice.press(listed.message, label="Proof")
    told = say("daily.seal", game=game_title(game), deal=deal.deal_id, seal=short_seal(deal.commitment))
    assert told in sealed.text, "the seal is shown before anybody plays"
    hand = await tries(room, alice, lobby, game)
    match = attempt_of(room, alice)
    row = await room.store.match(match.id)
    assert row is not None
    assert (row.seed, row.commitment, row.deal_id, row.sealed_options) == (
        *(deal.seed, deal.commitment, deal.deal_id),
        deal.sealed_options,
    )
    assert match.seats == (alice.id, computer_id(deal.level))
    assert [salt.text for salt in row.salts] == ["", ""]
    assert "🤖" in hand.text, "the hand shows whom one plays against"
    watch = Watch(sandbox, match, row)
    await play_out(room, alice, hand)
    assert await watch.look() > 10
    await eventually(lambda: posted(lobby, "Alice"))
    (line,) = lobby.messages
    assert await watch.look() == 0, "the channel reads no card"
    assert "%" not in line.text, "what it is worth is hidden until the day ends"
    assert room.app.matches.of_player(alice.id, None) == []
    assert not any("Alice" in each.text for each in lobby.for_only(bob))
    assert match.result is not None
    assert not match.result.counted
    assert await room.store.games_played(match.guild_id) == []
    made = [each.computer for each in await room.store.records(match.id) if each.actor == 1]
    assert all(each is not None and each.startswith(f"{deal.level} ") for each in made)


async def in_play(room: Cardroom, number: int) -> bool:
    return len(room.app.matches) == number


# ---------------------------------------------------------------------------------------------- closed doors


async def doors(alice: Person, lobby: DrivenChannel, match: LiveMatch, message: MessageView) -> list[Reply]:
    """Try everything that might give away the deal of an attempt."""
    verbs = ("proof", "export", "review", "hint", "table", "piles", "cards", "rules", "bringdown", "calloff", "p")
    asked = [pressed(match.id, verb) for verb in (*verbs, "story", "storypost")]
    return [
        await alice.slash(lobby, "verify"),
        await alice.slash(lobby, "verify", code=match.id),
        await alice.slash(lobby, "verify", code=match.deal_id),
        await alice.slash(lobby, "games"),
        *[await alice.press(message, custom_id=each, force=True) for each in asked],
        await alice.press(message, custom_id=pressed("daily", "dailyend", match.id), force=True),
    ]


@pytest.mark.nightly  # one of the games that are learned
@pytest.mark.parametrize("game", LEARNED)
async def test_everybody_has_one_try_whose_every_door_is_closed_to_everybody_until_the_day_ends(
    sandbox: Sandbox, room: Cardroom, game: str
) -> None:
    # Two commands at once begin one attempt, and there is no second one.
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    title = game_title(game)
    to_noon(room)
    both = await asyncio.gather(*(alice.slash(lobby, "daily", game=game) for _ in range(2)))
    assert not any(reply.failed for reply in both)
    match = attempt_of(room, alice)
    again = await alice.slash(lobby, "daily", game=game)
    assert attempt_of(room, alice) is match, "it opens the same hand"
    await play_out(room, alice, again.message)
    mine = await alice.slash(lobby, "daily", game=game)
    assert say("daily.own_result", state="")[:10] in mine.text
    assert len(room.app.matches) == 0
    day = (await alice.slash(lobby, "daily")).message
    own = await alice.press(day, label=say("button.daily_result", game=title))
    assert len(await room.store.matches_of(lobby.server_id or 0, alice.id)) == 1
    rematch = await alice.press(own.message, custom_id=pressed(match.id, "rematch"), force=True)
    assert say("daily.no_rematch") in rematch.text

    # Nothing tells its deal, what it is worth or how it was chosen.
    row, queries = await room.store.match(match.id), DailyQueries(room.store)
    deal = await queries.deal(match.guild_id, game, match.day or 0)
    attempt = await queries.attempt(match.guild_id, game, match.day or 0, alice.id)
    assert row is not None
    assert deal is not None
    assert attempt is not None
    watch = Watch(sandbox, match, row)
    await watch.look()
    closed = say("daily.closed", when=f"<t:{ends_at(match.day or 0) // 1000}:R>")
    assert sum(closed in reply.text for reply in await doors(alice, lobby, match, mine.message)) >= 6
    others = await doors(bob, lobby, match, (await bob.slash(lobby, "daily")).message)
    assert not any("Alice" in reply.text for reply in others)
    assert say("challenge.unknown") in others[4].text
    assert await watch.look() == 0
    for person in (alice, bob):
        held = json.dumps(await exported(person, lobby))
        assert row.seed.hex() not in held
        assert match.chain not in held
    with pytest.raises(RuntimeError):
        match.earlier(1, 1)
    with pytest.raises(RuntimeError):
        match.review_request(await room.store.records(match.id))
    score = f"{score_of(attempt, deal):+}"
    await eventually(lambda: posted(lobby, "Alice"))
    for shown in (
        (await alice.slash(lobby, "daily")).text,
        (await alice.slash(lobby, "daily", game=game)).text,
        (await seals_of(alice, lobby)).text,
        lobby.last.text,
    ):
        assert score not in shown
        assert deal.root.hex() not in shown
        assert "50%" not in shown
    asked = await alice.slash(lobby, "mydata delete")
    assert say("mydata.daily", when=f"<t:{ends_at(match.day or 0) // 1000}:R>") in asked.text

    # When the day has ended everything opens, also to who did not play.
    room.pass_time(DAY / 1000)
    listed = await alice.slash(lobby, "daily")
    assert say("daily.scored", game=title, share="50%", score=score) in listed.text
    chosen = say("daily.chosen", game=title, nth=1, share="50%", root=deal.root.hex(), program=deal.program)
    assert chosen in (await seals_of(bob, lobby)).text
    result = await alice.press(listed.message, label=say("button.daily_yesterday", game=title))
    (picture,) = galleries(result.message)
    assert "Alice, " in picture["description"]
    assert result.message.labels == ["Replay", "More…"]
    more = (await alice.press(result.message, label="More…")).message
    assert "What decided it" in more.labels
    proof = await press_where_it_is(alice, more, "Proof")
    assert row.seed.hex() in proof.text
    file = await file_of(await alice.press(proof.message, label="Export"))
    assert file["deal"]["seed"] == row.seed.hex()
    assert file["deal"]["id"] == row.deal_id
    assert say("verify.all_fits") in (await alice.slash(lobby, "verify", code=match.id)).text
    assert row.seed.hex() in (await bob.slash(lobby, "verify", code=row.deal_id)).text
    reviewed = await alice.press(proof.message, custom_id=pressed(match.id, "review"), force=True)
    assert say("review.title", game=title) in reviewed.text
    (entry,) = [each for each in (await exported(alice, lobby))["matches"] if each["id"] == match.id]
    assert entry["seed"] == row.seed.hex()
    records, found = await room.store.records(match.id), await room.store.result(match.id)
    assert found is not None
    assert judge(row, records, found, row.opened_at).fits

    # The next day's message tells what the former was worth, and only now somebody may be forgotten.
    hand = await tries(room, bob, lobby, game)
    await resign(bob, hand)
    await sandbox.wait_for(lambda: "Bob" in lobby.last.text)
    assert f"{say('daily.channel_worth', game=title, share='50%')}\n`{score}` ■ Alice\n" in lobby.last.text
    await delete(sandbox, alice, lobby)
    assert await queries.attempts_by(match.guild_id, alice.id) == []


async def test_an_attempt_in_play_can_be_followed_by_nobody_and_who_resigns_has_had_their_try(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    to_noon(room)
    hand = await tries(room, alice, lobby)
    match = attempt_of(room, alice)
    row = await room.store.match(match.id)
    assert row is not None
    watch = Watch(sandbox, match, row)
    await watch.look()
    await doors(bob, lobby, match, (await bob.slash(lobby, "daily")).message)
    await watch.look()
    for verb, key in (("bringdown", "daily.no_board"), ("calloff", "daily.no_calloff"), ("hint", "hint.none")):
        window = match.window_number if verb == "hint" else 0
        reply = await alice.press(hand, custom_id=f"g1:{match.id}:{window}:{verb}", force=True)
        assert say(key) in reply.text
    assert lobby.messages == []
    assert not match.over
    for verb in ("rules", "piles", "proof"):  # each leads back to the hand
        shown = await alice.press(hand, custom_id=pressed(match.id, verb), force=True)
        hand = (await alice.press(shown.message, label=say("button.back_to_cards"))).message
        assert "More…" in hand.labels
    await resign(alice, hand)
    assert len(room.app.matches) == 0
    await eventually(lambda: posted(lobby, say("daily.told.resigned", player="Alice")))
    again = await alice.slash(lobby, "daily", game="haymaker")
    assert say("daily.state.resigned") in again.text


async def seals_of(person: Person, lobby: DrivenChannel) -> Reply:
    """What somebody sees of the day's seals."""
    listed = await person.slash(lobby, "daily")
    return await person.press(listed.message, label=say("button.proof"))


# ---------------------------------------------------------------------------------------------- days and restarts


async def test_an_attempt_ends_with_its_day_and_nobody_has_won(sandbox: Sandbox, room: Cardroom) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    to_noon(room)
    hand = await tries(room, alice, lobby)
    match = attempt_of(room, alice)
    room.pass_time((ends_at(match.day or 0) - room.now()) / 1000 - 60)
    assert not match.over
    room.pass_time(120)
    await eventually(lambda: in_play(room, 0))
    assert match.result is not None
    assert (match.result.kind, match.result.ranks, match.result.counted) == ("day_over", (), False)
    await eventually(lambda: says(hand, say("ending.day_over")))
    assert lobby.messages == [], "there is nothing to say about it"
    listed = await alice.slash(lobby, "daily")
    assert say("button.daily_play", game="Haymaker") in listed.message.labels
    fresh = await alice.slash(lobby, "daily", game="haymaker")
    assert attempt_of(room, alice).deal_id != match.deal_id
    assert not fresh.failed


async def says(message: MessageView, text: str) -> bool:
    return text in message.text


async def test_after_a_restart_the_attempt_goes_on_and_games_lists_it(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path) as room:
        to_noon(room)
        ahead = room.now()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(seats, "thinking_seconds", lambda _size, _luck: 3600.0)
            hand = await tries(room, alice, lobby)
            match = attempt_of(room, alice)
            if 0 in match.awaited:
                await move(alice, hand, random.Random(1))
            waited = match.position.acts
    async with cardroom(sandbox, tmp_path) as room:
        room.pass_time(max(0.0, (ahead - room.now()) / 1000))
        match = attempt_of(room, alice)
        await eventually(lambda: acted(match, waited))
        listed = await alice.slash(lobby, "games")
        opened = await alice.press(listed.message, label=say("games.daily_open", game="Haymaker"))
        await play_out(room, alice, opened.message)
        await eventually(lambda: posted(lobby, "Alice"))


async def acted(match: LiveMatch, acts: int) -> bool:
    return match.over or match.position.acts > acts or 0 in match.awaited


async def test_an_end_that_a_killed_process_did_not_show_is_shown_by_the_next(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DailyMessages, "match_changed", lambda *_: None)
        async with cardroom(sandbox, tmp_path) as room:
            to_noon(room)
            await finish(room, alice, lobby)
            assert lobby.messages == []
            ahead = room.now() / 1000 - time.time()
    async with cardroom(sandbox, tmp_path, ahead=ahead):
        await eventually(lambda: posted(lobby, "Alice"))


async def test_an_attempt_whose_day_ended_while_the_bot_was_away_ends_at_its_start(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path) as room:
        await tries(room, alice, lobby)
        match_id = attempt_of(room, alice).id
    async with cardroom(sandbox, tmp_path, ahead=2 * DAY / 1000) as room:
        await eventually(lambda: in_play(room, 0))
        result = await room.store.result(match_id)
    assert result is not None
    assert result.kind == "day_over"


# ---------------------------------------------------------------------------------------------- around it


async def test_presses_that_no_screen_offers_are_refused(sandbox: Sandbox, room: Cardroom) -> None:
    # Presses that no client sends are refused.
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    for verb, arg in [
        ("dailyplay", "tivmiv"),
        ("dailyplay", "chess"),
        ("dailyplay", ""),
        ("dailyend", ""),
        ("dailyend", "x"),
    ]:
        listed = (await alice.slash(lobby, "daily")).message
        reply = await alice.press(listed, custom_id=pressed("daily", verb, arg), force=True)
        assert not reply.failed
        assert reply.visibility == "ephemeral"
        assert len(room.app.matches) == 0

    # A match that is no attempt is not shown as one.
    await alice.slash(lobby, "haymaker practice")
    match = await only_match(room)
    listed = (await alice.slash(lobby, "daily")).message
    reply = await alice.press(listed, custom_id=pressed("daily", "dailyend", match.id), force=True)
    assert say("press.unknown") in reply.text


@pytest.mark.nightly  # one of the games that are learned
@pytest.mark.parametrize("game", LEARNED)
async def test_a_hand_with_its_table_is_a_message_that_discord_takes(
    sandbox: Sandbox, room: Cardroom, game: str
) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    await alice.slash(lobby, "preferences", cards="words")
    opened = await tries(room, alice, lobby, game)
    match, rng, looked_at = attempt_of(room, alice), random.Random(11), 0
    for _ in range(60):
        reader = await seat_reader(room, match)
        screen = hand_screen(match, 0, room.app.presenters[game], reader)
        if not match.over:
            assert is_whole(screen), "no text is cut"
            assert 2 + components_of(screen.rows) <= MOST_COMPONENTS
            assert any(isinstance(section, Seats) for section in screen.sections)
            looked_at += 1
        if await move(alice, opened, rng) is None:
            await asyncio.sleep(0.5)
    assert looked_at  # a match of CIQ may be short


async def seat_reader(room: Cardroom, match: LiveMatch) -> Reader:
    await room.app.preferences.load(match.seats[:1])
    return room.app.readers.on_seat(match, 0, say)
