"""How Champions of Chance is shown: what is said to whom, on tables laid out by hand. A is Ann, B is Ben, C is Cleo."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from bot.ui.catalogue import translations
from bot.ui.screen import Cards, Section, Text
from cogs.games.champions import ChampionsPresenter
from cogs.screens.presenter import Reader
from engines.champions import Call, Challenge, Decline, Exchange, Fact, NameNumber, Options, Phase, Steal
from engines.game import Resign, Seat, seen_by
from tests.engines.champions_table import (
    GAME,
    HIGHEST,
    VICTORY,
    WACKY,
    A,
    B,
    C,
    Played,
    lay,
    roll,
    select,
    tied,
)

PRESENTER = ChampionsPresenter()
NAMES = ("Ann", "Ben\\_x", "Cleo")


def reader(seat: Seat | None = None) -> Reader:
    """Who reads."""
    return Reader(translations("en"), NAMES, seat)


def written(sections: Sequence[Section]) -> str:
    """Sections as text, cards by their names."""
    lines = []
    for section in sections:
        match section:
            case Text(text):
                lines.append(text)
            case Cards(label, cards):
                lines.append(f"{label} {' '.join(cards)}")
    return "\n".join(lines)


def board(table: Played) -> str:
    """What everybody sees: the question, the seats, the table."""
    public = GAME.observe_public(table.state)
    facts = [
        " · ".join((NAMES[seat], *PRESENTER.seat_facts(public, seat, reader()))) for seat in range(len(public.decks))
    ]
    return "\n".join((*facts, written(PRESENTER.table(public, reader())), PRESENTER.question(public, reader())))


def hand(table: Played, seat: Seat) -> str:
    """What a seat sees of its own: what is asked, what it holds, what it may do."""
    own = GAME.observe(table.state, seat)
    labels = [PRESENTER.label(offer.verb, own, reader(seat)) for offer in table.choices(seat)]
    return "\n".join((PRESENTER.prompt(own, reader(seat)), written(PRESENTER.hand_text(own, reader(seat))), *labels))


def log(facts: Sequence[Fact], viewer: Seat | None) -> list[str]:
    """The sentences of some facts, as a viewer may read them."""
    seen = [seen_by(fact, viewer) for fact in facts]
    lines = [PRESENTER.narrate(event, reader(viewer)) for event in seen if event is not None]
    return [line for line in lines if line]


def test_every_question_is_put_in_its_own_words() -> None:
    table = Played(lay("1 2 3", "4 5 6", "1 1 1"))
    asked = [(hand(table, A), board(table))]
    table.does(A, Challenge(B))
    asked.append((hand(table, B), board(table)))
    table.does(B, NameNumber(2))
    asked.append((hand(table, A), board(table)))
    table.does(A, select(table, A, "1 2")).does(B, select(table, B, "4 5"))
    asked.append((hand(table, A), board(table)))
    asked.append((hand(tied(), A), board(tied())))
    assert len({own.splitlines()[0] for own, _ in asked}) == len(asked)
    assert len({public.splitlines()[-1] for _, public in asked}) == len(asked)


def steps(table: Played) -> list[str]:
    """The step as each player and the board say it."""
    found: list[str] = re.findall(r"Step \d of \d", f"{hand(table, A)}{hand(table, B)}{board(table)}")
    return found


def test_every_question_up_to_the_roll_says_which_step_it_is_and_whom_it_waits_for() -> None:
    table = Played(lay("1 2 3", "4 5 6", "1 1 1"))
    assert set(steps(table)) == {"Step 1 of 4"}
    table.does(A, Challenge(B))
    assert set(steps(table)) == {"Step 2 of 4"}
    assert "Step 2 of 4. **Ben\\_x** is choosing how many" in board(table)
    table.does(B, NameNumber(2))
    assert set(steps(table)) == {"Step 3 of 4"}
    assert "Waiting for **Ann** and **Ben\\_x**." in board(table)
    table.does(A, select(table, A, "1 2")).does(B, select(table, B, "4 5"))
    assert set(steps(table)) == {"Step 4 of 4"}
    assert steps(tied()) == [], "a tie is no step of every battle"


def test_steps_that_a_match_never_asks_for_are_not_counted() -> None:
    duel = Played(lay("1 2 3", "4 5 6"))
    duel.does(A, Challenge(B))
    assert set(steps(duel)) == {"Step 1 of 3"}
    blind = Played(lay("1 2 3", "4 5 6", options=Options(die="blind", number="drawn"))).does(A, Challenge(B))
    assert steps(blind) == [], "a single step needs no number"


def explained(table: Played, seat: Seat) -> str:
    """What *?* tells a seat."""
    return PRESENTER.explained(GAME.observe(table.state, seat), reader(seat))


def test_before_a_die_is_made_it_is_explained_who_chooses_what_wins() -> None:
    table = Played(lay("1 2 3", "4 5 6", "1 1 1")).does(A, Challenge(B)).does(B, NameNumber(2))
    assert "Then you choose highest or lowest" in explained(table, A)
    assert "Then Ann chooses highest or lowest" in explained(table, B)


def test_the_legend_explains_the_symbols_in_the_hand_and_on_the_table_and_no_others() -> None:
    options = Options(victory_dice=True, wacky_numbers=True)
    piles = ("", "3!STEAL", "")
    table = Played(lay("4.3 2!TIEBREAK", "4!INVERT 5", "1", options=options, piles=piles))
    *_, icons, tiebreak, steal = explained(table, A).splitlines()
    assert icons == "`4·3`: a 4 with 3 icons to score."
    assert tiebreak == "TIEBREAK: you win a tie."
    assert steal == "STEAL: you can take a card of the other die."
    assert "INVERT" not in explained(table, A)
    for power, says in (("INVERT", "change places"), ("BEGGAR", "a 1 or a 6"), ("NUMBERLESS", "nobody wins")):
        deck = next(str(number) for number in range(1, 7) if _has(number, power))
        said = explained(Played(lay(f"{deck}!{power} 1", "3 4", options=WACKY)), A)
        assert f"{power}: " in said
        assert says in said
    decides = Played(lay("4.3 5", "3 4", options=Options(icon_tiebreak=True)))
    assert "`4·3`: a 4; 3 icons decide between 4s." in explained(decides, A)
    both = Played(lay("4.3 5", "3 4", "1", options=Options(victory_dice=True, icon_tiebreak=True)))
    assert "to score.\n`4·3`: a 4; 3 icons decide between 4s." in explained(both, A)


def _has(number: int, power: str) -> bool:
    """Whether the pack has a card with this number and power."""
    codes = [card.code for card in GAME.pack(WACKY, 2).cards]
    return any(code.startswith(f"{number}!{power}") for code in codes)


def test_taking_the_number_says_which_it_is_and_a_list_of_opponents_nothing_of_it() -> None:
    table = Played(lay("1 2 3", "4 5 6", "1", options=VICTORY, piles=("5.4", "", "")))
    assert "Ben_x · dice of 4" in hand(table, A)
    assert "Ann · challenges · 3 cards · 4 icons" in board(table)
    none = Played(lay("1 2 3", "4 5 6", "1", options=VICTORY))
    (shut,) = none.choices(A).closed
    assert PRESENTER.label(shut.verb, GAME.observe(none.state, A), reader(A)) == "Set the number yourself"
    assert PRESENTER.kind("battle", reader(A)) == "You don't set the number"
    assert PRESENTER.kind("take", reader(A)) == "You set the number"


def test_a_die_shows_its_cards_to_its_owner_its_size_to_all_and_a_blind_one_to_nobody() -> None:
    table = Played(lay("1 2 3", "4 5 6", "1 1 1")).does(A, Challenge(B)).does(B, NameNumber(2))
    table.does(B, select(table, B, "4 6"))
    assert "Your die: `4` `6`" in hand(table, B)
    assert "Your die is made." in hand(table, B)
    assert "Die of Ben\\_x: 2 cards" in board(table)
    assert log(table.facts, B) == ["Your die: `4` `6`."]
    for viewer in (A, C, None):
        assert log(table.facts, viewer) == ["Die of Ben\\_x: 2 cards."]
    table = Played(lay("1 2 3", "4 5 6", "1 1", options=Options(die="blind"))).does(A, Challenge(B))
    table.does(B, NameNumber(2))
    assert "Your die: 2 cards that you haven't seen." in hand(table, A)
    assert log(table.facts, A)[-2:] == ["Die of Ann: 2 cards.", "Die of Ben\\_x: 2 cards."]
    table.does(A, HIGHEST)
    assert any(line.startswith("Your die was `") for line in log(table.facts, A))


@pytest.mark.parametrize(
    ("mine", "theirs", "said"),
    [
        ("5", "3", "Ann wins with `5`."),
        ("3!BEGGAR", "6", "BEGGAR: Ann wins with `3⚡BEGGAR` against a 1 or a 6."),
        ("3", "3!TIEBREAK", "TIEBREAK: Ben\\_x wins the tie with `3⚡TIEBREAK`."),
        ("2!INVERT", "5", "INVERT: now the lowest wins."),
        ("5!INVERT", "1!INVERT", "Two INVERTs cancel out."),
        ("4!NUMBERLESS", "6", "Nobody wins: `4⚡NUMBERLESS` of Ann has no number and is discarded."),
        ("4", "4", "A tie."),
    ],
)
def test_a_result_is_shown_with_its_reason(mine: str, theirs: str, said: str) -> None:
    table = Played(roll(f"{mine} 1 2", f"{theirs} 1 2", "1 1", options=WACKY)).does(A, Call(lowest=False))
    for viewer in (A, C, None):
        assert said in log(table.facts, viewer)


def test_icons_that_decide_are_named() -> None:
    table = Played(roll("4.4 1", "4.3 1", "1 1", options=Options(icon_tiebreak=True))).does(A, HIGHEST)
    assert "Equal numbers, so the icons decide: Ann wins with `4·4`." in log(table.facts, None)


def test_only_the_player_who_made_an_exchange_sees_its_cards() -> None:
    table = tied()
    first, last = (Exchange(table.state.decks[seat][:1]) for seat in (A, B))
    table.does(B, last)
    assert hand(table, B).startswith("You discard `4`.")
    assert log(table.facts, A) == []
    table.does(A, first)
    drawn = table.state.decks[A]
    assert any(f"You draw `{card.name}`." in log(table.facts, A) for card in drawn)
    assert log(table.facts, C)[:2] == ["Ann exchanges a card.", "Ben\\_x exchanges a card."]


def thief(options: Options = WACKY) -> Played:
    """Ann has won with STEAL, Ben having rolled his 3, and may take one of two cards."""
    return Played(roll("6!STEAL 2", "3 4 5", "1 1", options=options, dice=(1, 2)), seed=1).does(A, HIGHEST)


def test_a_theft_is_shown_to_thief_and_victim() -> None:
    table = thief()
    assert table.state.phase is Phase.STEAL
    assert [line for line in hand(table, A).splitlines() if line.startswith("Take")] == [
        "Take 3",
        "Take 4",
        "Take nothing",
    ]
    assert "`3` `4`" in hand(table, A)
    assert "`4`" in hand(table, B)  # it is still Ben's own
    assert "rolled a die of 2 cards: `3`" in board(table), "the other card is a secret still"
    assert "`4`" not in hand(table, C) + board(table)
    table.does(A, Steal(table.state.fought.shown[0][1]))
    for viewer in (A, B):
        assert "Ann takes `4` from Ben\\_x." in log(table.facts, viewer)
    for onlooker in (C, None):
        assert "Ann takes a card from Ben\\_x." in log(table.facts, onlooker)


def test_a_warning_goes_with_a_theft_only_where_an_empty_deck_wins() -> None:
    assert "Think twice" in explained(thief(), A)
    assert "Think twice" not in explained(thief(Options(wacky_numbers=True, victory_dice=True)), A)
    assert "Ann could take a card but doesn't." in log(thief().does(A, Decline()).facts, None)


def test_the_hand_of_who_has_left_says_so_and_a_card_that_was_won_with_is_held_no_more() -> None:
    table = Played(lay("1 2 3", "4 5 6", "1 1 1")).does(C, Resign())
    assert "Cleo · has left" in board(table)
    assert hand(table, C).startswith("You've left this match.")
    assert log(table.facts, None)[0] == "Resigned: Cleo."
    table = Played(roll("5", "3 4")).does(A, HIGHEST)
    assert table.state.phase is Phase.OVER
    own = GAME.observe(table.state, A)
    assert PRESENTER.held(own) == ()
    assert written(PRESENTER.hand_text(own, reader(A))) == "You have no cards left."
    assert [card.name for card in PRESENTER.held(GAME.observe(table.state, B))] == ["3", "4"]


def test_terms_name_what_differs_from_the_rules() -> None:
    assert PRESENTER.terms(Options(), reader()) == ()
    everything = Options("soft_blind", victory_dice=True, wacky_numbers=True, icon_tiebreak=True)
    assert [line.partition(":")[0] for line in PRESENTER.terms(everything, reader())] == [
        "Soft-blind dice",
        "Victory Dice",
        "Wacky Numbers",
        "Icon tiebreak",
    ]
