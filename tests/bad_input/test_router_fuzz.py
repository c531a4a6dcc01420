"""Presses that no client makes: ids malformed, foreign, old, oversize, of other seats, real ones changed."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.play.live_match import LiveMatch
from bot.ui.catalogue import rules_text, translations
from cogs.screens import custom_ids
from discord_sandbox import JsonObject, MessageView, Person, Reply
from engines import GAMES
from laws.knowledge import seen
from tests.bad_input.examples import share
from tests.bad_input.hostile import texts, values
from tests.bad_input.laws import Court, Rows
from tests.end_to_end.players import hand_of, sit_down
from tests.games.cases import case_of, typed
from tests.secrecy.test_wire import CARD
from tests.seeds import tells_seed

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.nightly]  # each commit fuzzes one game

say = translations("en")

SEATED = ("Alice", "Bob", "Dave", "Frank", "Carol", "Erin")
"""Who sit at the match, the first ones: as many as its game needs."""
ACTORS = ("Alice", "Bob", "Carol", "Erin")
VERBS = (
    *("accept", "join", "decline", "cancel", "getup", "start", "kick", "ask", "setup", "send"),
    *("rematch", "nextmatch", "again", "sendagain"),
    *("board", "boardhide", "ownrank", "standings", "matches", "notify", "cardstyle"),
    *("rules", "page", "ranks", "piles", "cards", "resign", "leave", "stay", "calloff", "resume"),
    *("learn", "lesson", "learnplay"),
    *("daily", "dailyplay", "dailyend"),
    *("weekly", "weeklyplay", "weeklyend"),
    *("plan", "plancards", "plansave", "plandrop"),
    *("profile", "showprofile"),
    *("p", "c", "o", "forget", "remain", "a", "d", "proof", "saltform", "salt", "export", "rating", "nosuchverb", ""),
    *("review", "hint", "differently", "exchanged", "story", "storypost"),
    *("replay", "replayopen", "replayshare", "replaykeep", "replayfile", "history"),
)
HAND = say("hand.title", game="")
PUBLIC_WORDS = {word for key in GAMES for word in CARD.findall(rules_text(key))}
"""Cards that stand in the rules, for everybody to read."""


@dataclass
class Arena:
    """A match of a game in play, and beside it a challenge, a table and a panel: everything there is to press."""

    judge: Court
    game: str
    board: MessageView
    match: LiveMatch
    hands: dict[str, MessageView]
    others: list[tuple[str, MessageView]]

    def messages(self, actor: str) -> list[MessageView]:
        """What the actor can press on."""
        mine = [self.hands[actor]] if actor in self.hands else []
        return [self.board, *mine, *(message for owner, message in self.others if owner in ("", actor))]

    def real_ids(self) -> list[str]:
        """The ids and the values that stand on all of it."""
        found = []
        for message in (self.board, *self.hands.values(), *(message for _, message in self.others)):
            found += [button.custom_id for button in message.buttons]
            for select in message.selects:
                found += [select.custom_id, *(f"{select.custom_id}:{option.value}" for option in select.options)]
        return [each for each in found if each]


async def opened(judge: Court, game: str) -> Arena:
    """A new arena."""
    lobby, people = judge.sandbox.channel("lobby"), judge.people
    setting, seats = case_of(game).setups[0]
    seated = SEATED[:seats]
    board = await sit_down([people[name] for name in seated], lobby, game, **typed(case_of(game), setting))
    (match,) = judge.room.app.matches.live()
    challenge = (await people["Dave"].slash(lobby, "haymaker challenge", opponent=people["Frank"])).message
    table = (await people["Frank"].slash(lobby, "champions open", private=True)).message
    panel = (await people["Carol"].context_menu(lobby, "Challenge…", people["Dave"])).message
    delete = (await people["Erin"].slash(lobby, "mydata delete")).message
    hands = {name: await hand_of(people[name], board) for name in seated}
    await judge.settle()
    return Arena(judge, game, board, match, hands, [("", challenge), ("", table), ("Carol", panel), ("Erin", delete)])


async def hands_open(arena: Arena) -> None:
    """Open the hands again whose place something else has taken that was pressed on them."""
    for name, hand in arena.hands.items():
        if HAND not in hand.text:
            arena.hands[name] = await hand_of(arena.judge.people[name], arena.board)


def mutated(draw: Any, real: str) -> str:
    """An id with some of its fields changed."""
    version, subject, window, verb, arg = (*real.split(":"), "", "", "", "", "")[:5]
    for _ in range(draw(st.integers(0, 2))):
        match draw(
            st.sampled_from(("version", "subject", "window", "verb", "arg", "picks", "picks", "cut", "longer", "text"))
        ):
            case "version":
                version = draw(st.sampled_from(("g0", "g2", "", "G1", "g1 ", "v1")))
            case "subject":
                subject = draw(
                    st.sampled_from(("", "unknown", "haymaker", "mydata", "note", "help", "x" * 24, "x" * 25))
                )
            case "window":
                window = draw(
                    st.one_of(st.integers(-1, 30).map(str), st.sampled_from(("", "999999", "9999999", "٣", "1.5")))
                )
            case "verb":
                verb = draw(st.sampled_from(VERBS))
            case "arg":
                arg = draw(arguments)
            case "picks":
                arg = f"{custom_ids.offer_of(arg)}.{draw(places)}"
            case "cut":
                return f"{version}:{subject}:{window}:{verb}:{arg}"[: draw(st.integers(1, 60))]
            case "longer":
                arg += draw(st.sampled_from(("x", "." * 30, "A" * 200, ":" * 5)))
            case _:
                return str(draw(texts))
    tail = f":{arg}" if arg else ""
    return f"{version}:{subject}:{window}:{verb}{tail}"


somewhere = st.integers(0, 1000)
"""A place in a list whose length depends on how the match stands."""

offers = st.sampled_from(
    (
        "attack",
        "block",
        "hit",
        "pass",
        "keep",
        "lay",
        "choose",
        "putaway",
        "play",
        "draw",
        "ready",
        "dinner",
        "roll",
        "",
    )
)
places = st.one_of(
    st.integers(0, 255).map(lambda mask: f"{mask:x}"),
    st.integers(0, 2**70).map(lambda mask: f"{mask:x}"),
    st.text("abcdeABC_-.", max_size=40),
)
"""Cards of a hand, held or not, once or twice, as a set or in an order."""

arguments = st.one_of(
    st.builds(lambda verb, mask: f"{verb}.{mask:x}", offers, st.integers(0, 2**60)),
    st.builds(lambda verb, mask: f"{verb}.{mask:x}", offers, st.sampled_from((0, 1, 1 << 200, (1 << 52) - 1))),
    st.builds(lambda verb, order: f"{verb}.{order}", offers, st.text("abcABC_-.09", max_size=40)),
    st.builds(lambda n, verb, place: f"-{n}.{verb}.{place}", st.integers(0, 999), offers, st.text("abcz.", max_size=3)),
    st.sampled_from(("0", "1", "999", "-1", "9" * 70, "9" * 5000, "1_0", "-5", "٣", "²")),
    st.builds(
        lambda user, places: ".".join((f"{user:x}", *map(str, places))),
        st.integers(0, 2**64),
        st.lists(st.integers(-1, 30), max_size=8),
    ),
    texts,
)
"""What an id may carry, or a line of a list: drafts, changes of drafts, pages, panels, people, anything."""


@pytest_asyncio.fixture(params=list(GAMES), scope="module", loop_scope="module")
async def arena(judge: Court, request: pytest.FixtureRequest) -> AsyncIterator[list[Arena]]:
    """The arena, in a list: whoever brings its match to an end, or wears off its challenges, opens another."""
    standing = [await opened(judge, request.param)]
    yield standing
    await judge.clear()


OF_MATCH = {"records", "timers", "results", "standings", "drafts", "departures"}
"""The tables that only those who play write to."""


def check_written(arena: Arena, actor: Person, came: Rows, went: Rows) -> None:
    """Raise AssertionError for what the actor had no right to write: acts are their own, one at a time, and hold."""
    written = {json.loads(line)["table"] for line in [*came, *went]}
    rows = [json.loads(line) for line in came]
    records = [row["row"] for row in rows if row["table"] == "records"]
    acts = [record for record in records if record["actor"] is not None]
    match = arena.match
    if actor.id not in match.seats and len(acts) == len(records):  # else the clock acted, as it does in a race
        assert not written & OF_MATCH, written
    assert len(acts) <= 1
    for act in acts:
        assert (act["match_id"], match.seats[act["actor"]]) == (match.id, actor.id)
        assert act["seq"] <= match.position.acts
    assert not any(json.loads(line)["table"] == "records" for line in went)
    for row in rows:
        if row["table"] == "invitations" and row["row"]["state"] == "open" and row["row"]["host_id"] != actor.id:
            assert str(actor.id) in row["row"]["seated"] or row["row"]["id"] in json.dumps(list(map(str, went)))


LESSONS = {"learn", "lesson"}
"""The verbs that show a lesson. Its cards are those of no match: it is laid out alike for everybody."""


async def check_secret(arena: Arena, actor: Person, reply: Reply, custom_id: str = "") -> None:
    """Raise AssertionError where the actor, or everybody, was answered with a card that they may not know. Who tries
    the day's deal knows their hand there, and a press may show it."""
    is_lesson = not LESSONS.isdisjoint(custom_id.split(":")[3:4])
    for request in arena.judge.answers(reply):
        sent = request.raw.decode(errors="replace")
        sent = sent.encode().decode("unicode_escape") if "\\u" in sent else sent
        reader = request.audience if isinstance(request.audience, int) else None
        own = [] if reader is None else [each for each in arena.judge.room.app.matches.live() if reader in each.seats]
        known = {*PUBLIC_WORDS}
        for match in (arena.match, *own):
            viewer = None if reader is None else match.seat_of(reader)
            for card in seen(case_of(match.game.info.key), await match.read_events(), viewer):
                known |= {card.name, card.code}
        assert is_lesson or set(CARD.findall(sent)) <= known, actor
        if not arena.match.over:
            assert not tells_seed(sent, arena.match)


@settings(max_examples=share(150))
@given(data=st.data(), actor=st.sampled_from(ACTORS))
async def test_a_press_of_any_kind_has_one_answer_and_does_only_what_its_presser_may(
    judge: Court, arena: list[Arena], data: st.DataObject, actor: str
) -> None:
    if arena[0].match.over or len(judge.room.app.invitations.open()) < 2:
        await judge.clear()
        arena[0] = await opened(judge, arena[0].game)
    here, person = arena[0], judge.people[actor]
    await hands_open(here)
    real, messages = here.real_ids(), here.messages(actor)
    custom_id = mutated(data.draw, real[data.draw(somewhere) % len(real)])
    message = messages[data.draw(somewhere) % len(messages)]
    sent: JsonObject = {"component_type": 2, "custom_id": custom_id, "id": 1}
    match data.draw(st.sampled_from(("press", "press", "choice", "people", "anything"))):
        case "choice":
            sent |= {"component_type": 3, "values": [data.draw(arguments)]}
        case "people":
            everybody = [str(each.id) for each in judge.people.values()]
            chosen = data.draw(st.one_of(texts, somewhere))
            sent |= {"component_type": 5, "values": [chosen if isinstance(chosen, str) else everybody[chosen % 6]]}
        case "anything":
            sent |= {"component_type": 3, "values": data.draw(values), "resolved": data.draw(values)}
    acting = person.forge(judge.sandbox.channel("lobby"), "component", sent, message)
    reply, came, went = await judge.lawful(acting, shows=":showprofile" in custom_id)
    check_written(here, person, came, went)
    await check_secret(here, person, reply, custom_id)
    assert not reply.failed


@settings(max_examples=share(100))
@given(which=somewhere, verb=st.sampled_from("pcod"), picked=places)
async def test_a_selection_of_any_cards_is_judged_by_the_rules(
    judge: Court, arena: list[Arena], which: int, verb: str, picked: str
) -> None:
    if arena[0].match.over:
        await judge.clear()
        arena[0] = await opened(judge, arena[0].game)
    here = arena[0]
    await hands_open(here)
    offering = [(name, each) for name, hand in here.hands.items() for each in hand.buttons if "." in each.custom_id]
    if not offering:
        return
    actor, button = offering[which % len(offering)]
    subject, press = custom_ids.read(button.custom_id)
    custom_id = f"g1:{subject}:{press.window}:{verb}:{custom_ids.offer_of(press.arg)}.{picked}"
    sent = {"component_type": 2, "custom_id": custom_id, "id": 1}
    person = judge.people[actor]
    acting = person.forge(judge.sandbox.channel("lobby"), "component", sent, here.hands[actor])
    reply, came, went = await judge.lawful(acting)
    check_written(here, person, came, went)
    await check_secret(here, person, reply)


async def test_a_message_of_another_server_is_no_key_to_a_match(judge: Court, arena: list[Arena]) -> None:
    await judge.clear()
    arena[0] = here = await opened(judge, arena[0].game)
    alice, elsewhere = judge.people["Alice"], judge.sandbox.channel("general", "Second Server")
    table = (await alice.slash(elsewhere, "haymaker open")).message
    await judge.settle()
    told = set()
    ids = [each for each in here.real_ids() if each.count(":") < 5]  # not a line of a list that has an argument itself
    for custom_id in ids:
        if custom_ids.read(custom_id)[0] in (here.match.id, *(each.id for each in judge.room.app.invitations.open())):
            sent = {"component_type": 2, "custom_id": custom_id, "id": 1}
            reply, came, went = await judge.lawful(alice.forge(elsewhere, "component", sent, table))
            check_written(here, judge.people["Carol"], came, went)
            told.add(reply.text)
    assert told <= {say("match.unknown"), say("challenge.unknown"), say("press.unknown")}
    assert told >= {say("match.unknown"), say("challenge.unknown")}
