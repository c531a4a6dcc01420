"""Texts in a fixed number of short lines: nothing is lost, nothing is too wide, and markup ends where a line ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ui import text_lines
from bot.ui.text_lines import BLANK, LINE, SMALL_LINE, fits, fixed, wrapped
from tests.wrapped_text import unwrapped

SENTENCE = "These cards are worth 9 together; a block needs at least 12."
WORDS = st.lists(st.text(alphabet="abWi17♠é", min_size=1, max_size=30), min_size=1, max_size=20)


def test_a_sentence_is_broken_between_words_and_reads_as_before() -> None:
    lines = wrapped(SENTENCE)
    assert len(lines) == 2
    assert " ".join(lines) == SENTENCE


def test_a_sentence_has_as_many_lines_as_it_is_given() -> None:
    assert fixed("Short.", 3) == ["Short.", BLANK, BLANK]
    assert fixed("", 2) == [BLANK, BLANK]


def test_what_does_not_fit_is_cut_and_says_so() -> None:
    assert not fits(f"{SENTENCE} {SENTENCE}", 2)
    first, second = fixed(f"{SENTENCE} {SENTENCE}", 2)
    assert second.endswith("…")
    assert fits(first, 1)
    assert fits(second, 1)


def test_bold_ends_with_its_line_and_goes_on_in_the_next() -> None:
    lines = wrapped(f"**{SENTENCE}**")
    assert all(line.startswith("**") and line.endswith("**") for line in lines)
    assert unwrapped("\n".join(lines)) == f"**{SENTENCE}**"
    assert all(line.count("**") % 2 == 0 for line in fixed(f"**{SENTENCE} {SENTENCE}**", 2))


def test_a_card_in_a_box_is_not_broken() -> None:
    lines = wrapped(" ".join(["`10♠`"] * 12))
    assert all(line.count("`") % 2 == 0 for line in lines)


def test_japanese_which_has_no_spaces_is_broken_anywhere_but_in_a_box_or_a_mark() -> None:
    text = "".join(f"あなたは`{rank}♠`と**{rank}枚**を引きました。" for rank in range(2, 9))
    lines = wrapped(text)
    assert all(line.count("`") % 2 == 0 and line.count("**") % 2 == 0 for line in lines)
    assert "".join(lines).replace("**", "") == text.replace("**", "")
    assert len(lines) < 9, "a Chinese character is as wide as it is tall"


EMOJI = "<:queen_hearts_0c3f2a:12345678901234567890>"


def test_an_emoji_is_as_wide_as_its_picture_and_is_never_broken() -> None:
    assert fits(" ".join([EMOJI] * 11), 1)
    assert not fits(" ".join([EMOJI] * 12), 1)
    for run in (" ".join([EMOJI] * 30), EMOJI * 30):
        lines = wrapped(run)
        assert len(lines) == 3
        assert "".join(lines).replace(" ", "") == EMOJI * 30
        assert all(line.replace(EMOJI, "").strip() == "" for line in lines)
    assert fixed(EMOJI * 30, 1)[0].replace(EMOJI, "") == "…"


def test_buttons_with_an_emoji_are_four_in_a_row_on_a_phone_with_a_digit_too() -> None:
    for label in ("", "1", "\N{FIGURE DASH}"):
        assert text_lines.row_fits([label] * 4, emojis=True)
        assert not text_lines.row_fits([label] * 5, emojis=True)
    assert text_lines.width("\N{FIGURE DASH}") == text_lines.width("1")


def test_a_name_that_is_wider_than_a_line_is_broken_but_not_between_a_backslash_and_its_letter() -> None:
    lines = wrapped("\\_" * 60)
    assert len(lines) > 1
    assert all(line.replace("\\_", "") == "" for line in lines)


def test_japanese_is_broken_between_letters_but_signs_stay_with_theirs() -> None:
    sentence = (
        "**あなたの番です。** スペードの10、ハートのエース（強さ11）でブロックするか、「ヒット」を受けてください。"
    )
    lines = wrapped(sentence)
    assert "".join(lines).replace(" ", "") == sentence.replace(" ", "")
    assert all(text_lines.width(line.replace("**", "")) > LINE - 3 for line in lines[:-1])
    assert not any(line.lstrip("*")[0] in "。、」）ッー" or line.rstrip("*")[-1] in "「（" for line in lines)


def test_a_number_and_a_name_in_japanese_are_whole() -> None:
    lines = wrapped("対戦は10分で終わり、Alexandraと" * 6)
    assert "".join(lines) == "対戦は10分で終わり、Alexandraと" * 6
    assert sum(line.count("10") for line in lines) == sum(line.count("Alexandra") for line in lines) == 6


def test_no_space_comes_into_a_text_that_has_none() -> None:
    for sentence in ("合わせて11です。ブロックには12以上が必要です。", "合" * 33 + "。", "a" * 55):
        assert "".join(wrapped(sentence)) == sentence


@given(WORDS, st.sampled_from([LINE, SMALL_LINE]))
def test_no_line_is_too_wide_and_no_letter_is_lost(words: list[str], longest: float) -> None:
    lines = wrapped(" ".join(words), longest)
    assert "".join(lines).replace(" ", "") == "".join(words)
    assert all(text_lines.width(line) <= longest for line in lines)


@pytest.mark.parametrize(
    ("labels", "is_one_row"),
    [
        (["○ 7♠"] * 4, True),
        (["○ 7♠"] * 5, False),
        (["○ 7♠", "○ 8♠", "○ 9♠", "○ 10♠"], True),
        (["○ 10♠"] * 4, False),
        (["○\u2007 10♠"] * 3, True),
        (["○ 6·2⚡STEAL"] * 3, False),
    ],
)
def test_a_row_has_as_many_buttons_as_a_phone_has_room_for(labels: list[str], *, is_one_row: bool) -> None:
    assert text_lines.row_fits(labels) is is_one_row


def test_figures_and_their_space_are_as_wide_as_one_another() -> None:
    assert {text_lines.width(figure) for figure in "0123456789\u2007"} == {text_lines.width("0")}
    assert text_lines.width("○") == text_lines.width("●")


def test_code_with_spaces_in_it_is_as_wide_as_code() -> None:
    narrow = " ".join("i" * 25)
    assert len(wrapped(narrow)) == 1
    assert len(wrapped(f"`{narrow}`")) == 2
