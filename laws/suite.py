"""All laws on one game, under pytest: at each of its settings and numbers of seats, over matches played by chance.

A game's test file has a class for them, beside its case (`laws.case`)::

    class TestLaws(GameLaws):
        case = CASE
"""

from __future__ import annotations

import itertools
import math
import os
import random
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, ClassVar

import pytest

from bot.games import GAMES
from bot.play.computers.stand_ins import offers_stand_in
from bot.play.live_match import LiveMatch
from bot.play.match_state import codec
from bot.store.codec import Codec
from bot.ui.catalogue import translations
from cogs.screens.presenter import Racing
from engines.options import OptionRefused, takes
from laws import absence, deals, engine, golden, lessons, replays, rules_pages
from laws.bodies import match_of, styled
from laws.case import CaseError, GameCase
from laws.hands import buttons, card_words, last_lines
from laws.limits import screens_fit
from laws.play import MatchLog, Odds, fits, random_match
from laws.secrecy import bodies_keep_secrets, played, points

SHARE = float(os.environ.get("LAWS_SHARE", "1"))
"""The part of the matches that is played, for a quick look: with `LAWS_SHARE=0.1` a tenth. Below 1, each match is
looked at less often too, and not all of a game's setups are played with."""

SEED = os.environ.get("LAWS_SEED", "")
"""What chooses the matches: any word. Another one plays others, and the same one the same again."""


def share_of(count: int, fewest: int = 10) -> int:
    """How many of `count` positions or matches a law looks at.

    A test of a planted fault looks at all of them: with fewer it may not meet the fault, and it stops where it does.
    """
    return max(fewest, int(count * SHARE))


FEW_MOMENTS = 3
"""Moments of a match that are looked at then."""

REPLAYED = 2
"""Matches that are replayed through all eyes."""

FEWEST = 3
"""Matches with each setup, however many setups a game has; the numbers in the laws are for all its setups together."""


class GameLaws:
    """The laws. A class under this one that names a game's case is a test of that game."""

    case: ClassVar[GameCase]

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        if not isinstance(getattr(cls, "case", None), GameCase):
            raise CaseError(
                f"{cls.__name__} in {cls.__module__} has no case: write `case = CASE` into it, the GameCase of its "
                "game (laws/case.py shows one), which tells the laws what to hold it to."
            )

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Run a test with each setup, or for each ending. All tests of one setup run one after another, so what some of
        them look at is made once."""
        if "setting" in metafunc.fixturenames:
            metafunc.parametrize(("setting", "seats"), self._setups(), scope="class")
        if "ending" in metafunc.fixturenames:
            metafunc.parametrize("ending", list(self.case.endings))

    def _setups(self) -> list[tuple[str, int]]:
        """The setups that are played with: the usual one, and as large a part of the others as of the matches. `SEED`
        chooses them."""
        usual, *others = self.case.setups
        count = min(len(others), math.ceil(SHARE * len(others)))
        chosen = self._rng("tables").sample(others, count)
        return [usual, *(setup for setup in others if setup in chosen)]

    def _hold(
        self, setting: str, seats: int, check: Callable[[MatchLog, random.Random], None], *, matches: int
    ) -> None:
        """Hold a law over this number of matches, played to the end by chance: some with each of the game's setups."""

        def holds(rng: random.Random) -> None:
            check(self._played(setting, seats, rng), rng)

        self._repeat(f"{check.__qualname__} {setting} {seats}", self._share(matches), holds)

    def _repeat(self, law: str, matches: int, check: Callable[[random.Random], None]) -> None:
        """Hold a law over this number of matches, with a generator for each. An error says which one it is in."""
        for number in range(matches):
            try:
                check(self._rng(law, number))
            except Exception as error:
                error.add_note(f"match {number} of {law} with LAWS_SEED={SEED}")
                raise

    def _share(self, matches: int, fewest: int = FEWEST) -> int:
        """How many of a law's matches are played with one setup."""
        return max(fewest if SHARE >= 1 else 1, int(matches * SHARE) // len(self._setups()))

    def _seeds(self, matches: int, fewest: int = FEWEST) -> range:
        """The numbers that these matches are made from, with one setup."""
        first = zlib.crc32(SEED.encode())
        return range(first, first + self._share(matches, fewest))

    def _rng(self, *names: object) -> random.Random:
        """What a law draws from that plays matches of its own; `names` say which law."""
        return random.Random(" ".join(map(str, (SEED, self.case.key, *names))))

    def _played(self, setting: str, seats: int, rng: random.Random) -> MatchLog:
        """A match to the end; some by the clock or a resignation."""
        deal = self.case.deal(setting, seats, rng)
        return random_match(deal, rng, rng.choice((None, None, Odds(time=0.02, resign=0.02))))

    def _ending_of(self, log: MatchLog) -> str:
        """How a match ended, which the case knows."""
        kind = engine.how_it_ends(log)
        assert kind in self.case.endings, f"matches end by {kind}: add that to `endings` of the GameCase"
        return kind

    @property
    def _styles(self) -> Iterator[GameCase]:
        """The game in each style of its cards in turn, without end: looking at both each time would take twice as
        long."""
        return itertools.cycle(styled(self.case))

    @property
    def _codec(self) -> Codec:
        return codec(self.case.key)

    # ------------------------------------------------------------------------------------ the rules

    def test_the_game_is_installed_and_some_match_of_it_can_count(self) -> None:
        info = self.case.game.info
        try:
            codec(info.key)
        except KeyError:
            pytest.fail(f"the bot knows no game {info.key!r}: install the package that registers it", pytrace=False)
        assert 1 <= info.shortest_counted < info.longest

    def test_offers_are_accepted(self, setting: str, seats: int) -> None:
        def check(log: MatchLog, rng: random.Random) -> None:
            engine.offers_are_accepted(self.case, log, rng, _fewer(engine.MOST_STATES, 25))
            engine.unknown_items_are_no_picks(log)

        self._hold(setting, seats, check, matches=40)

    def test_thin_air_is_refused(self, setting: str, seats: int) -> None:
        def check(log: MatchLog, rng: random.Random) -> None:
            engine.thin_air_is_refused(self.case, log, rng, _fewer(engine.MOST_STATES, 25))

        self._hold(setting, seats, check, matches=25)

    def test_matches_end_and_replay(self, setting: str, seats: int) -> None:
        def check(log: MatchLog, _rng: random.Random) -> None:
            engine.windows_are_sound(log)
            self._ending_of(log)
            engine.cards_are_conserved(self.case, log)
            engine.it_replays(log)
            engine.notation_round_trips(log)
            engine.only_declared_classes(log)
            last_lines.events_say_whether_they_are_narrated(self.case, log)

        self._hold(setting, seats, check, matches=100)

    def test_the_clock_alone_ends_it(self, setting: str, seats: int) -> None:
        def check(log: MatchLog, rng: random.Random) -> None:
            for at in rng.sample(range(len(log.states)), min(5, len(log.states))):
                engine.the_clock_alone_ends_it(log, at)
                engine.time_takes_those_whose_it_is(log, at)

        self._hold(setting, seats, check, matches=40)

    def test_secrets_are_kept(self, setting: str, seats: int) -> None:
        def check(log: MatchLog, rng: random.Random) -> None:
            for moves in rng.sample(range(len(log.states)), min(_fewer(6), len(log.states))):
                engine.secrets_are_kept(self.case, log, moves, rng)

        self._hold(setting, seats, check, matches=60)

    def test_logs_round_trip_as_json(self, setting: str, seats: int) -> None:
        def check(log: MatchLog, _rng: random.Random) -> None:
            written = self._codec
            assert written.decode_all(written.encode_all(log.events())) == log.events()
            for move in log.moves:
                assert written.decode(written.encode(move.action)) == move.action
            assert written.decode(written.encode(log.deal.options)) == log.deal.options

        self._hold(setting, seats, check, matches=25)

    def test_states_follow_from_the_log(self, setting: str, seats: int) -> None:
        def check(log: MatchLog, _rng: random.Random) -> None:
            engine.states_follow_from_the_log(log, self._codec)

        self._hold(setting, seats, check, matches=25)

    def test_a_replay_shows_what_was_seen_at_each_step(self) -> None:
        rng = self._rng("replay")
        for setting, seats in rng.sample(self.case.setups, min(REPLAYED, len(self.case.setups))):
            log = self._played(setting, seats, rng)
            replays.it_shows_what_was_seen(log, rng)
            replays.its_screens_tell_no_more(self.case, log, rng)

    def test_a_long_run_of_matches_reaches_every_ending(self) -> None:
        # The same run each time: chance alone must not say that an ending is missing.
        rng = random.Random(f"{self.case.key} default 2")
        setups, missed = self.case.setups, set(self.case.endings) - set(self.case.rare)
        for at in range(max(1, int(self.case.long_run * SHARE))):
            missed.discard(self._ending_of(self._played(*setups[at % len(setups)], rng)))
            if not missed:
                break
        assert not missed or SHARE < 1, (
            f"no match of the long run ended by {', '.join(sorted(missed))}: the rules cannot come to it, or chance "
            "seldom does, which `rare` of the GameCase says"
        )

    def test_c_11_a_preset_is_recommended_for_every_number_of_players(self) -> None:
        info = self.case.game.info
        assert next(iter(info.presets.values())) == info.options(), "the first preset is the author's own settings"
        assert set(info.recommended) <= set(info.seats)
        for seats in info.seats:
            recommended = info.recommended_for(seats)
            assert recommended in info.presets, f"{recommended!r} for {seats} is no preset of the game"
            assert fits(self.case.game, info.presets[recommended], seats), "it begins with as many players"
            unhurried = replace(info.presets[recommended], **info.unhurried)
            assert fits(self.case.game, unhurried, seats), "so does a match against computers"

    def test_every_value_of_an_option_begins_a_match_or_is_refused_in_words(self) -> None:
        info, refused = self.case.game.info, set[tuple[str, Any, int]]()
        for name, taken in takes(info.options).items():
            for value in taken.values:
                for seats in info.seats:
                    refusal = _refusal(self.case, {name: value}, seats)
                    if refusal is not None:
                        assert translations("en")(refusal.key, **refusal.values)
                        refused.add((name, value, seats))
        assert refused == set(self.case.refused), "what some number of players cannot choose is in `refused`"

    def test_a_challenge_tells_every_option_that_is_not_the_default(self) -> None:
        rules_pages.every_value_is_told(self.case.game.info.options, self.case.presenter)

    # ------------------------------------------------------------------------------------ absence

    def test_absence_costs_the_present_nothing(self, setting: str, seats: int) -> None:
        def holds(rng: random.Random) -> None:
            match = absence.play_with_absent(self.case, self.case.deal(setting, seats, rng), rng)
            absence.absence_costs_the_present_nothing(match)

        self._repeat(f"absence {setting} {seats}", self._share(60, 4), holds)

    def test_c_12_places_follow_from_who_left_and_who_was_knocked_out(self, setting: str, seats: int) -> None:
        rng = self._rng("places", setting, seats)
        for at in range(self._share(100, 10)):
            odds = Odds(time=0.05 * (at % 2), resign=(0.0, 0.02, 0.1)[at % 3])
            log = random_match(self.case.deal(setting, seats, rng), rng, odds)
            outcome = log.deal.game.outcome(log.states[-1])
            assert outcome is not None
            absence.places_follow_from_who_left(self.case, seats, log.moves, outcome)

    def test_c_8_a_stand_in_costs_the_present_nothing(self) -> None:
        rng, setups = self._rng("held"), self.case.setups
        if self.case.key in GAMES and offers_stand_in(self.case.key):
            for at in range(self._share(20, 10)):
                match = absence.play_with_stand_in(self.case.deal(*setups[at % len(setups)], rng), rng)
                absence.a_stand_in_costs_the_present_nothing(match)
                absence.handing_over_undoes_no_loss(match)

    def test_the_clock_takes_the_absent_out(self) -> None:
        # The same matches each time, for the same reason.
        rng, setups = random.Random(f"absent {self.case.key}"), self.case.setups
        matches = [
            absence.play_with_absent(self.case, self.case.deal(*setups[at % len(setups)], rng), rng) for at in range(20)
        ]
        by_time = [match for match in matches if match.outcome.kind == "time"]
        assert by_time, "no match that somebody left alone ended by time"
        assert all(match.gone for match in by_time)

    # ------------------------------------------------------------------------------------ deals

    def test_the_same_deal_is_the_same_match_with_seats_exchanged(self, setting: str, seats: int) -> None:
        for seed in self._seeds(12):
            rng = random.Random(seed)
            odds = rng.choice((None, Odds(time=0.02, resign=0.02)))
            deals.it_is_the_same_with_seats_exchanged(self.case.deal(setting, seats, rng), rng, odds)

    def test_another_salt_of_any_player_makes_another_deal(self, setting: str, seats: int) -> None:
        for seed in self._seeds(12):
            deals.another_salt_makes_another_deal(self.case.deal(setting, seats, random.Random(seed)))

    # ------------------------------------------------------------------------------------ whole matches, act by act

    def test_a_match_is_played_as_it_was(self, ending: str) -> None:
        text = self._golden(ending)
        golden.it_is_played_again(self.case, text)
        assert f"outcome: Outcome kind={ending} " in text

    def test_every_transcript_is_of_an_ending(self) -> None:
        known = {golden.file_of(self.case, ending) for ending in self.case.endings}
        assert set(golden.files_of(self.case)) <= known

    def test_another_deal_is_another_match(self) -> None:
        deal, _ = golden.read(self.case, self._golden(next(iter(self.case.endings))))
        others = [replace(deal, seed=bytes([number]) * 32) for number in range(10)]
        assert any(other.open() != deal.open() for other in others)

    def _golden(self, ending: str) -> str:
        """What is kept of a match with an ending; the test fails with what to do where there is none."""
        file = golden.file_of(self.case, ending)
        if not file.exists():
            pytest.fail(
                f"there is no transcript of a match that ends by {ending!r} ({file}). "
                f"`python -m laws.golden {type(self).__module__}` plays one; with `--show {ending}` it prints it: read "
                "it before you commit it.",
                pytrace=False,
            )
        return file.read_text(encoding="utf-8")

    # ------------------------------------------------------------------------------------ screens

    def test_no_body_depends_on_a_card_its_reader_never_saw(self, setting: str, seats: int) -> None:
        for seed in self._seeds(14, 1):
            log, rng = played(self.case, setting, seats, seed), random.Random(seed)
            for moves in points(log, rng, _fewer(16)):
                bodies_keep_secrets(rng.choice(styled(self.case)), log, moves, rng)

    def test_the_last_lines_need_only_the_facts_that_a_live_match_keeps(self, setting: str, seats: int) -> None:
        for seed in self._seeds(4, 1):
            last_lines.last_lines_need_only_kept_facts(self.case, played(self.case, setting, seats, seed))

    def test_every_screen_fits_discords_limits_with_the_longest_names(self, setting: str, seats: int) -> None:
        for seed in self._seeds(4, 1):
            log = played(self.case, setting, seats, seed)
            moments = (*points(log, random.Random(seed), _fewer(8)), len(log.moves))
            for moves, case in zip(moments, self._styles, strict=False):
                screens_fit(case, match_of(log.deal, log.events(moves), moves, held=moves % 2 == 1))

    def test_cards_in_words_say_what_cards_in_text_say(self) -> None:
        for setting, seats in self._few_setups():
            log = played(self.case, setting, seats, 0)
            for moves in (*points(log, random.Random(0), 3), len(log.moves)):
                match = match_of(log.deal, log.events(moves), moves)
                card_words.words_say_what_text_says(self.case, match)
                card_words.labels_are_whole(self.case, match)

    def test_cards_in_words_keep_secrets_and_limits(self) -> None:
        case = card_words.in_words(self.case)
        for setting, seats in self._few_setups():
            log = played(self.case, setting, seats, 1)
            for moves in (*points(log, random.Random(1), 2), len(log.moves)):
                screens_fit(case, match_of(log.deal, log.events(moves), moves, held=moves % 2 == 1))
                bodies_keep_secrets(case, log, moves, random.Random(1))

    def test_nothing_moves_where_cards_are_in_words(self) -> None:
        case = card_words.in_words(self.case)
        for setting, seats in self._few_setups():
            for match, seat in itertools.islice(self._questions(setting, seats), 2):
                buttons.nothing_moves_while_picking(case, match, seat)
                buttons.nothing_moves_for_a_note(case, match, seat)
                buttons.a_note_comes_first(case, match, seat)
                buttons.cards_that_are_buttons_are_not_listed(case, match, seat)
                buttons.lessons_have_room(case, match, seat)
                buttons.no_other_button_comes_under_the_finger(case, match, seat)
                buttons.acts_keep_their_slots(case, match, seat)
            log, moments = self._watched(setting, seats)
            for moves in moments[:2]:
                buttons.nothing_moves_when_others_answer(case, log, moves)
            if isinstance(case.presenter, Racing):
                self._nothing_moves_in_a_phase(case, log, setting, seats)

    def _few_setups(self) -> list[tuple[str, int]]:
        """The first setup, the last, and one with the most players: cards in words need no more. With a share below 1,
        one of these."""
        setups = self.case.setups
        few = list(dict.fromkeys((setups[0], setups[-1], max(setups, key=lambda setup: setup[1]))))
        return few if SHARE >= 1 else [self._rng("few").choice(few)]

    def test_a_lesson_leads_from_its_first_question_to_its_end(self) -> None:
        lessons.leads_to_its_end(self.case)

    def test_every_screen_of_a_lesson_fits_discords_limits_in_every_style(self) -> None:
        for case in (*styled(self.case), card_words.in_words(self.case)):
            lessons.screens_fit(case)

    def test_a_learner_sees_no_card_that_their_seat_has_not_seen(self) -> None:
        lessons.keeps_secrets(self.case)

    def test_every_question_has_a_page_in_the_rules(self, setting: str, seats: int) -> None:
        for seed in self._seeds(12, 1):
            rules_pages.questions_have_pages(self.case, played(self.case, setting, seats, seed))

    def test_the_rules_have_the_same_pages_in_every_language(self) -> None:
        rules_pages.pages_are_the_same_in_every_language(self.case)

    def test_every_page_of_the_rules_fits_discords_limits_with_any_options(self) -> None:
        for options in self.case.settings.values():
            rules_pages.pages_fit(self.case, options)

    def test_no_button_and_no_line_moves_while_a_question_is_open(self, setting: str, seats: int) -> None:
        for (match, seat), case in zip(self._questions(setting, seats), self._styles, strict=False):
            buttons.nothing_moves_while_picking(case, match, seat)
            buttons.nothing_moves_for_a_note(case, match, seat)
            buttons.a_note_comes_first(case, match, seat)
            buttons.cards_that_are_buttons_are_not_listed(case, match, seat)

    def test_what_is_said_of_each_thing_to_pick_for_has_room(self, setting: str, seats: int) -> None:
        for match, seat in self._questions(setting, seats):
            buttons.lessons_have_room(self.case, match, seat)

    def test_no_button_and_no_line_moves_when_others_answer(self, setting: str, seats: int) -> None:
        log, moments = self._watched(setting, seats)
        for moves, case in zip(moments, self._styles, strict=False):
            buttons.nothing_moves_when_others_answer(case, log, moves)

    def test_no_other_button_comes_to_stand_where_one_was_pressed(self, setting: str, seats: int) -> None:
        for (match, seat), case in zip(self._questions(setting, seats), self._styles, strict=False):
            buttons.no_other_button_comes_under_the_finger(case, match, seat)

    def test_what_cannot_be_undone_has_rows_of_its_own(self, setting: str, seats: int) -> None:
        for (match, seat), case in zip(self._questions(setting, seats), self._styles, strict=False):
            buttons.acts_keep_their_slots(case, match, seat)

    def test_what_cannot_be_undone_rests_after_the_press_that_led_there(self, setting: str, seats: int) -> None:
        log, moments = self._watched(setting, seats)
        for moves in moments:
            buttons.acts_rest_after_the_press_that_led_there(self.case, log, moves)

    def test_in_a_race_each_act_keeps_its_place_for_a_whole_phase(self, setting: str, seats: int) -> None:
        if isinstance(self.case.presenter, Racing):
            log, _ = self._watched(setting, seats)
            for case in styled(self.case):
                self._nothing_moves_in_a_phase(case, log, setting, seats)

    def _watched(self, setting: str, seats: int) -> tuple[MatchLog, list[int]]:
        """A match whose buttons are watched, and after how many moves."""
        return buttons.played(self.case, setting, seats, _fewer(buttons.MOMENTS), SEED)

    def _questions(self, setting: str, seats: int) -> Iterator[tuple[LiveMatch, int]]:
        """That match at each of these moments, with each seat that is offered something then."""
        return buttons.questions(self.case, setting, seats, _fewer(buttons.MOMENTS), SEED)

    def _nothing_moves_in_a_phase(self, case: GameCase, log: MatchLog, setting: str, seats: int) -> None:
        rng, moments = self._rng("phase", setting, seats), _fewer(buttons.IN_A_PHASE)
        buttons.nothing_moves_in_a_phase(case, log, rng, moments)


def _fewer(most: int, fewest: int = FEW_MOMENTS) -> int:
    """At how many moments a match is looked at: `most` if all matches are played, else no more than `fewest`."""
    return most if SHARE >= 1 else min(most, fewest)


def _refusal(case: GameCase, options: dict[str, Any], seats: int) -> OptionRefused | None:
    """Why a match cannot begin with these options and this number of players, or None."""
    try:
        case.game.start(case.game.info.options(**options), seats)
    except OptionRefused as refusal:
        return refusal
    return None
