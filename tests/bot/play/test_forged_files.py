"""Files that somebody altered who makes up the chain anew are refused by `cardroom verify` and by the published script;
what is left to a forger, docs/fair-deals.md says."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

import pytest

from bot.play.computers.stand_ins import LEVEL, TakenBack, TakenOver
from bot.play.deals.match_export import ExportedMatch, NotAnExportError, read
from bot.play.deals.proof import judge
from bot.play.deals.sealing import deal_of
from bot.play.match_state import codec
from bot.store.queries.invitations import Series, StandIn
from bot.store.queries.matches import Record
from engines.chance import SeededChance
from engines.game import Resign, fold
from engines.haymaker import PACK, Ended, Haymaker, Options
from laws.play import Odds
from laws.suite import share_of
from tests.bot.play.exported import exported, json_of, rechained, sealed, text_of
from tests.bot.play.held_matches import held, would_be_made
from tests.engines.exported import File, chained
from tests.engines.test_verify_deal import script

pytestmark = pytest.mark.slow  # plays matches with hand-overs, and forges each in many ways

OFF, UNRATED, RATED = StandIn.OFF, StandIn.UNRATED, StandIn.RATED
GAMES: Final = ("haymaker", "unbreakable", "ciq", "champions")
INSERTED: Final = share_of(1000)
"""Logs into which hand-overs are put at random."""


def bot_accepts(file: File) -> bool:
    """Whether `cardroom verify` says that everything fits."""
    try:
        match = read(json.dumps(file).encode())
    except NotAnExportError:
        return False
    return judge(match.row, match.records, match.result, match.sealed_at).fits


def script_accepts(file: File) -> bool:
    """Whether the published script finds nothing wrong."""
    try:
        script.check(copy.deepcopy(file))
    except Exception:  # noqa: BLE001  the command turns each into an exit code
        return False
    return True


READERS: Final = {"cardroom verify": bot_accepts, "verify_deal.py": script_accepts}


GONE: Final = object()
"""Stands for a field that is taken away."""


def changed(file: File, *path: str | int, to: object = GONE) -> File:
    """A copy with another value in one place, chained anew."""
    mine = copy.deepcopy(file)
    holder: Any = mine
    for part in path[:-1]:
        holder = holder[part]
    if to is GONE:
        del holder[path[-1]]
    else:
        holder[path[-1]] = to
    return chained(mine)


def refused_by_both(what: str, file: File) -> None:
    """Fail unless both readers refuse a file."""
    for name, accepts in READERS.items():
        assert not accepts(file), f"{name} accepts a file with {what}"


# ---------------------------------------------------------------------------------------------- whole matches


@pytest.mark.nightly  # 14 matches each
@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("stand_in", [UNRATED, RATED])
def test_c_8_a_match_with_hand_overs_fits(key: str, stand_in: StandIn) -> None:
    kinds: set[object] = set()
    for seed in range(14):
        match = held(key, stand_in, seed)
        kinds |= {(record.actor is None, record.computer) for record in match.records if TAKEN in (record.action or "")}
        for name, accepts in READERS.items():
            assert accepts(json_of(match)), (name, seed)
        assert would_be_made(match.row, match.records)
    assert {(True, None), (False, None)} <= kinds, "no seat was handed over by choice, or none by the clock"


def test_c_8_a_match_of_more_than_two_with_hand_overs_fits() -> None:
    for key, seats in (("ciq", 4), ("champions", 3)):
        for seed in range(4):
            match = held(key, RATED, seed, seats=seats)
            assert bot_accepts(json_of(match))
            assert script_accepts(json_of(match))


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_a_match_against_a_computer_fits_and_says_so(level: str) -> None:
    match = held("haymaker", OFF, 1, computer=level)
    file = json_of(match)
    assert bot_accepts(file)
    assert script_accepts(file)
    assert file["seats"][1]["level"] == level
    assert not file["result"]["counted"]


# ---------------------------------------------------------------------------------------------- hand-overs


TAKEN: Final = '"TakenOver"'


def with_records(match: ExportedMatch, index: int, *more: Record) -> ExportedMatch:
    """The match with records before this index, numbered and chained anew."""
    records = [*match.records[:index], *more, *match.records[index:]]
    renumbered = tuple([replace(record, seq=seq) for seq, record in enumerate(records)])
    return rechained(replace(match, records=renumbered))


def hand_over(match: ExportedMatch, index: int, actor: int | None, action: object) -> Record:
    """A hand-over at the time of the record before an index."""
    before = match.records[index - 1]
    return replace(before, seq=0, actor=actor, action=codec(match.row.game).encode(action), events="[]", computer=None)


def over(seat: int) -> TakenOver:
    """The hand-over of a seat at a table of two."""
    return TakenOver((seat,), LEVEL, (1 - seat,))


def test_without_a_stand_in_no_hand_over_fits() -> None:
    match = held("haymaker", OFF, 2)
    for index in (1, len(match.records) // 2, len(match.records)):
        for actor in (0, 1, None):
            taken = hand_over(match, index, actor, over(actor or 0))
            back = hand_over(match, index, actor, TakenBack())
            for more in ((taken,), (back,), (taken, back)):
                refused_by_both("a hand-over", json_of(with_records(match, index, *more)))


def test_a_hand_over_after_the_end_does_not_fit() -> None:
    match = held("haymaker", UNRATED, 3)
    last = len(match.records)
    for actor in (0, 1):
        taken = hand_over(match, last, actor, over(actor))
        refused_by_both("a hand-over after the end", json_of(with_records(match, last, taken)))


def untouched(key: str, stand_in: StandIn) -> tuple[ExportedMatch, int]:
    """A match with a stand-in, and an index in it where nobody's seat is held and the next record is a person's."""
    for seed in range(20):
        match = held(key, stand_in, seed)
        for index, record in enumerate(match.records[1:], 1):
            if TAKEN in (record.action or ""):
                break
            if index >= 3 and record.actor is not None and record.computer is None:
                return match, index
    raise AssertionError("a seat is held from the beginning in every match")


def test_c_8_a_hand_over_that_the_bot_would_have_made_fits_and_moves_no_draw() -> None:
    match, index = untouched("haymaker", RATED)
    taken = hand_over(match, index, 0, over(0))
    file = json_of(with_records(match, index, taken, hand_over(match, index, 0, TakenBack())))
    assert bot_accepts(file)  # with the same cards drawn later
    assert script_accepts(file)


WRONG_HAND_OVERS: Final[dict[str, Callable[[ExportedMatch, int], tuple[Record, ...]]]] = {
    "two hand-overs in a row": lambda match, index: (
        hand_over(match, index, 0, over(0)),
        hand_over(match, index, 0, over(0)),
    ),
    "a seat taken back that nobody holds": lambda match, index: (hand_over(match, index, 0, TakenBack()),),
    "a hand-over right after a taking back": lambda match, index: (
        hand_over(match, index, 0, over(0)),
        hand_over(match, index, 0, TakenBack()),
        hand_over(match, index, 0, over(0)),
        hand_over(match, index, 0, TakenBack()),
    ),
    "a hand-over by somebody else": lambda match, index: (
        hand_over(match, index, 1, over(0)),
        hand_over(match, index, 0, TakenBack()),
    ),
    "a hand-over by the clock before time ran out": lambda match, index: (
        hand_over(match, index, None, over(0)),
        hand_over(match, index, 0, TakenBack()),
    ),
    "a hand-over to another level": lambda match, index: (
        hand_over(match, index, 0, TakenOver((0,), "hard", (1,))),
        hand_over(match, index, 0, TakenBack()),
    ),
    "a hand-over with other seats still in": lambda match, index: (
        hand_over(match, index, 0, TakenOver((0,), LEVEL, ())),
        hand_over(match, index, 0, TakenBack()),
    ),
    "a hand-over of nobody's seat": lambda match, index: (hand_over(match, index, None, TakenOver((), LEVEL, (0, 1))),),
    "both seats handed over": lambda match, index: (
        hand_over(match, index, 0, over(0)),
        hand_over(match, index, 1, over(1)),
        hand_over(match, index, 0, TakenBack()),
        hand_over(match, index, 1, TakenBack()),
    ),
    "a hand-over by a computer": lambda match, index: (
        replace(hand_over(match, index, 0, over(0)), computer="normal 1"),
        hand_over(match, index, 0, TakenBack()),
    ),
    "a seat that is held from then on": lambda match, index: (
        hand_over(match, index, match.records[index].actor, over(match.records[index].actor or 0)),
    ),
}


@pytest.mark.parametrize("what", WRONG_HAND_OVERS)
def test_a_hand_over_that_the_bot_would_not_have_made_is_refused(what: str) -> None:
    match, index = untouched("haymaker", RATED)
    refused_by_both(what, json_of(with_records(match, index, *WRONG_HAND_OVERS[what](match, index))))


@pytest.mark.parametrize("stand_in", [OFF, RATED])
def test_no_draw_can_be_chosen_by_records_without_an_act(stand_in: StandIn) -> None:
    """An operator puts hand-overs before a hit, and draws the hit by the number of its record."""
    match, seq = next(
        (match, record.seq)
        for match in (held("haymaker", stand_in, seed) for seed in range(30))
        for record in match.records
        if '"TakeHit"' in (record.action or "") and '"CardsGiven"' in record.events and is_unheld(match, record.seq)
    )
    for more in (2, 4, 40):  # with a stand-in, the bot would make the first two
        pairs = [hand_over(match, seq, 0, each) for each in [over(0), TakenBack()] * (more // 2)]
        forged = with_records(match, seq, *pairs)
        refused_by_both("chosen draws", json_of(rechained(drawn_by_record(forged, seq + more))))


def is_unheld(match: ExportedMatch, seq: int) -> bool:
    """Whether no seat was held before a record."""
    return not any(TAKEN in (record.action or "") for record in match.records[:seq])


def drawn_by_record(match: ExportedMatch, seq: int) -> ExportedMatch:
    """The match with the facts of one record drawn by its own number, and nothing after it."""
    written = codec(match.row.game)
    game, state = Haymaker(), Haymaker().start(Options(), 2)
    for record in match.records[:seq]:
        state = fold(game, state, written.decode_all(record.events))
    hit = match.records[seq]
    chance = SeededChance(match.row.seed, deal_of(match.row), seq, PACK.pack_id)
    facts = tuple(game.decide(state, hit.actor, written.decode(hit.action or ""), chance))
    records = (*match.records[:seq], replace(hit, events=written.encode_all(facts)))
    result = replace(match.result, kind="lapsed", ranks=(), counted=False, ended_at=hit.at)
    return replace(match, records=records, result=result)


def test_random_hand_overs_fit_only_where_the_bot_would_have_made_them() -> None:
    rng, fitting, tried = random.Random("hand-overs"), 0, 0
    matches = [held("haymaker", stand_in, seed) for seed in range(6) for stand_in in (OFF, UNRATED, RATED)]
    while tried < INSERTED:
        match = min((rng.choice(matches) for _ in range(3)), key=lambda each: len(each.records))
        forged = with_random_hand_overs(match, rng)
        tried += 1
        allowed = bot_accepts(json_of(forged))
        by_script = script_accepts(json_of(forged))
        assert by_script == allowed, "the two readers differ"
        if allowed:
            fitting += 1
            assert would_be_made(forged.row, forged.records), "it fits, and the bot would not have made it"
    assert 0 < fitting < INSERTED // 4, fitting


def with_random_hand_overs(match: ExportedMatch, rng: random.Random) -> ExportedMatch:
    """The match with one to three hand-overs at random places, between the times of their neighbours."""
    for _ in range(rng.randint(1, 3)):
        index = rng.randint(1, len(match.records))
        seat = rng.randrange(2)
        action: object = over(seat) if rng.random() < 0.6 else TakenBack()
        actor = None if rng.random() < 0.2 else seat
        pair = [hand_over(match, index, actor, action)]
        if rng.random() < 0.3:
            pair.append(hand_over(match, index, seat, TakenBack()))
        last = match.records[index].at if index < len(match.records) else pair[0].at
        at = rng.choice([pair[0].at, last, rng.randint(pair[0].at, last)])
        match = with_records(match, index, *[replace(each, at=at) for each in pair])
    return match


# ---------------------------------------------------------------------------------------------- terms, marks and times


def series_of(match: ExportedMatch, **changes: Any) -> ExportedMatch:
    """The match as the second of a series, in which the seat acts first that would have been drawn."""
    series = Series("earlier", 3, 2, (0, 1), 0)
    return replace(match, row=sealed(replace(match.row, series=replace(series, **changes))))


@pytest.mark.parametrize("key", GAMES)
def test_what_was_sealed_beside_the_options_cannot_be_changed(key: str) -> None:
    file = json_of(held(key, OFF, 1))
    begins = {"id": file["match"], "best_of": 3, "number": 1, "wins": [0, 0], "first": None}
    refused_by_both("a stand-in", changed(file, "stand_in", to="unrated"))
    refused_by_both("another clock", changed(file, "turn", to=119))
    refused_by_both("a series", changed(file, "series", to=begins))
    with_stand_in = json_of(held(key, UNRATED, 2))
    refused_by_both("no stand-in", changed(with_stand_in, "stand_in"))
    for other in ("off", "rated"):
        refused_by_both("another stand-in", changed(with_stand_in, "stand_in", to=other))


def test_a_computers_mark_fits_only_where_a_computer_sits_or_holds_the_seat() -> None:
    for match in (held("haymaker", OFF, 4), held("haymaker", UNRATED, 4)):
        file = json_of(match)
        for seq, record in enumerate(file["records"]):
            if record["actor"] is not None and "computer" not in record:
                for mark in ("hard 1", "normal 1"):
                    refused_by_both(mark, changed(file, "records", seq, "computer", to=mark))
    file = json_of(held("haymaker", OFF, 1, computer="normal"))
    marked = [seq for seq, record in enumerate(file["records"]) if "computer" in record]
    for seq in marked[:5]:
        refused_by_both("no mark", changed(file, "records", seq, "computer"))
        refused_by_both("a mark", changed(file, "records", seq, "computer", to="hard 1"))
    every = copy.deepcopy(file)
    every["seats"][1]["level"] = "hard"
    for seq in marked:
        every["records"][seq]["computer"] = "hard 1"
    refused_by_both("another level everywhere", chained(every))  # the cards were dealt for a computer of its own
    refused_by_both("no computer", changed(file, "seats", 1, "level"))
    refused_by_both("another computer", changed(file, "seats", 1, "level", to="hard"))


def test_times_are_in_order() -> None:
    file = json_of(held("haymaker", RATED, 5))
    first, last = file["records"][0]["at"], file["records"][-1]["at"]
    refused_by_both("a seal after the opening", changed(file, "sealed_at", to=file["opened_at"] + 1))
    refused_by_both("a seal after the match", changed(file, "sealed_at", to=last + 1))
    refused_by_both("an opening after the deal", changed(file, "opened_at", to=first + 1))
    refused_by_both("an opening in 1970", changed(file, "opened_at", to=0))
    refused_by_both("an end before the last act", changed(file, "result", "ended_at", to=last - 1))
    refused_by_both("an end in 1970", changed(file, "result", "ended_at", to=0))
    early = file["records"][1]["at"] - 1
    refused_by_both("a record before the one before", changed(file, "records", 2, "at", to=early))


TIMED: Final = {
    "haymaker": ("default", 2),
    "unbreakable": ("short", 2),
    "ciq": ("quick", 3),
    "champions": ("default", 3),
    "tivmiv": ("default", 3),
}


def timed_out(key: str) -> ExportedMatch:
    """A match with time that ran out, and no stand-in."""
    matches = (exported(key, *TIMED[key], seed=seed, odds=Odds(time=0.2)) for seed in range(30))
    return next(match for match in matches if any('"TimeUp"' in (record.action or "") for record in match.records))


@pytest.mark.parametrize("key", TIMED)
def test_no_time_runs_out_before_its_length(key: str) -> None:
    match = timed_out(key)
    file = json_of(match)
    assert bot_accepts(file)
    assert script_accepts(file)
    found = [record["seq"] for record in file["records"] if '"TimeUp"' in (record["action"] or "")]
    for seq in found[:6]:
        before = file["records"][seq - 1]["at"]
        for at in {before, before + 1}:
            refused_by_both("an early time-out", moved_to(file, seq, at))


def moved_to(file: File, seq: int, at: int) -> File:
    """A copy in which a record, and all after it, are moved to an earlier time."""
    mine = copy.deepcopy(file)
    by = mine["records"][seq]["at"] - at
    for record in mine["records"][seq:]:
        record["at"] -= by
    mine["result"]["ended_at"] -= by
    return chained(mine)


@pytest.mark.parametrize("key", GAMES)
def test_whether_it_counted_follows_from_the_match(key: str) -> None:
    counted = set()
    for stand_in in (OFF, UNRATED, RATED):
        for seed in range(6):
            file = json_of(held(key, stand_in, seed))
            counted.add((stand_in, file["result"]["counted"]))
            flip = changed(file, "result", "counted", to=not file["result"]["counted"])
            refused_by_both(f"counted flipped ({stand_in}, {seed})", flip)
    assert (OFF, True) in counted


def test_a_match_that_was_cut_was_not_called_off_by_its_players() -> None:
    file = json_of(held("haymaker", OFF, 6))
    file["records"].pop()
    file["result"] |= {"kind": "called_off", "ranks": [], "counted": False}
    refused_by_both("the last record cut", chained(file))


# ---------------------------------------------------------------------------------------------- texts


def doubled(text: str) -> Iterator[str]:
    """The text with a name twice, with other values, and in other forms that say the same."""
    index = text.rindex("}")
    name = text[text.index('"') : text.index(":")]
    yield f"{text[:index]},{name}:0{text[index:]}"
    yield text.replace("{", "{" + f"{name}:0,", 1)
    yield text.replace(":", ": ", 1)
    yield text + " "


def test_the_texts_of_a_match_can_be_read_in_one_way_only() -> None:
    file = json_of(held("ciq", OFF, 1))
    acts = [seq for seq, record in enumerate(file["records"]) if record["action"]]
    for seq in (0, acts[0], acts[-1]):
        for name in ("events", "action"):
            text = file["records"][seq][name]
            for wrong in doubled(text) if text and "{" in text else ():
                refused_by_both(f"{name} {wrong[:60]}", changed(file, "records", seq, name, to=wrong))
    for wrong in doubled(file["options"]):
        refused_by_both("the options", changed(file, "options", to=wrong))
    for wrong in doubled(file["deal"]["options"]):
        match = held("ciq", OFF, 1)
        resealed = replace(match, row=sealed(replace(match.row, sealed_options=wrong)))
        refused_by_both("the sealed options", json_of(resealed))


def test_a_name_twice_in_the_file_is_refused_by_both(tmp_path: Any) -> None:
    text = text_of(held("haymaker", OFF, 1)).decode()
    wrong = text.replace('"counted"', '"counted": false,\n    "counted"', 1)
    path = tmp_path / "match.json"
    path.write_text(wrong)
    assert script.main(str(path)) == 1
    with pytest.raises(NotAnExportError):
        read(wrong.encode())


# ---------------------------------------------------------------------------------------------- series


def test_c_9_a_place_in_a_series_fits_its_first_seat() -> None:
    match = exported("haymaker")
    first = {record.seq: record for record in match.records}[0].events
    seat = 1 - json.loads(first)[0]["dealer"]
    whole = series_of(match, first=seat)
    assert bot_accepts(json_of(whole))
    assert script_accepts(json_of(whole))
    for changes in (
        {"first": 1 - seat},  # somebody else had acted first
        {"first": None},  # it may only be drawn in the first and the deciding match
        {"wins": (1, 1), "number": 3, "first": seat},
        {"number": 1, "first": None},
        {"wins": (2, 0), "number": 3, "first": seat},
        {"wins": (1, 1), "number": 2, "first": None},
    ):
        refused_by_both(f"a series with {changes}", json_of(series_of(match, **{"first": seat, **changes})))
    decided = series_of(match, wins=(1, 1), number=3, first=None)
    assert bot_accepts(json_of(decided))
    assert script_accepts(json_of(decided))


def test_a_forged_resignation_is_not_found() -> None:
    """What docs/fair-deals.md says that it doesn't prove: the file alone does not show that an act was never made."""
    match = held("haymaker", OFF, 1)
    kept = match.records[:6]
    seat = 0
    written = codec("haymaker")
    left = replace(
        kept[-1],
        seq=6,
        actor=seat,
        action=written.encode(Resign()),
        events=written.encode_all([Ended("resignation", 1 - seat)]),
    )
    result = replace(match.result, kind="resignation", ranks=(2, 1), counted=True, ended_at=left.at)
    file = json_of(rechained(replace(match, records=(*kept, left), result=result)))
    assert bot_accepts(file)
    assert script_accepts(file)


# ---------------------------------------------------------------------------------------------- banks

CLOCKS: Final = ("60s_5s", "600s_10s", "86400s_7200s", "86400s_43200d")
PACES: Final = (30_000, 100_000, 30_000_000, 60_000_000)
"""How long acts take at most, in ms, so that in some matches a bank is empty before the end, and in others none is."""


def banked(key: str, clock: str, seed: int, stand_in: StandIn = OFF, seats: int = 2) -> ExportedMatch:
    return held(key, stand_in, seed, seats=seats, clock=clock, pace=PACES[CLOCKS.index(clock)])


@pytest.mark.nightly  # 12 matches each
@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("clock", CLOCKS)
def test_c_15_a_match_with_banks_fits_and_its_time_runs_out_not_a_moment_earlier(key: str, clock: str) -> None:
    ran_out = 0
    for seed in range(12):
        match = banked(key, clock, seed)
        for name, accepts in READERS.items():
            assert accepts(json_of(match)), (name, seed)
        assert json_of(match)["turn"] == clock.replace("s", "").replace("_", "+")
        for index, record in enumerate(match.records):
            if '"TimeUp"' in (record.action or "") and '"seats":[]' not in (record.action or ""):
                ran_out += 1
                earlier = replace(record, at=record.at - 1)
                records = (*match.records[:index], earlier, *match.records[index + 1 :])
                refused_by_both("a time that ran out too early", json_of(rechained(replace(match, records=records))))
    assert ran_out, "nobody's time ran out"


@pytest.mark.nightly  # 16 matches each
@pytest.mark.parametrize("clock", CLOCKS)
def test_c_15_matches_with_banks_and_hand_overs_fit(clock: str) -> None:
    for key, seats in (("haymaker", 2), ("unbreakable", 2), ("ciq", 4), ("champions", 3)):
        for seed in range(1, 5):
            match = banked(key, clock, seed, RATED, seats)
            for name, accepts in READERS.items():
                assert accepts(json_of(match)), (name, key, seed)
            assert would_be_made(match.row, match.records)


def test_c_15_time_that_runs_out_names_whose_it_is() -> None:
    match = next(
        found for found in (banked("haymaker", "60s_5s", seed) for seed in range(20)) if found.result.kind == "time"
    )
    last = json.loads(match.records[-1].action or "")
    for seats in ([], [1 - last["seats"][0]], [0, 1], [7]):
        action = json.dumps({**last, "seats": seats}, separators=(",", ":"), sort_keys=True)
        refused_by_both(f"the time of {seats}", changed(json_of(match), "records", -1, "action", to=action))
