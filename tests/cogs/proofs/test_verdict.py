"""What `/verify` says for every finding."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.play.deals.proof import Finding, Verdict
from bot.ui.catalogue import translations
from bot.ui.screen import Screen, Tone
from cogs.proofs.verdict import PARTS, verdict_screen
from cogs.screens.renderer import sheet
from tests.bot.store.rows import match, result
from tests.cogs.fake_messages import texts

say = translations("en")
FITS = Verdict(
    1000,
    seal=Finding.FITS,
    options=Finding.FITS,
    series=Finding.FITS,
    salts=Finding.FITS,
    deal=Finding.FITS,
    acts=Finding.FITS,
    log=Finding.FITS,
    times=Finding.FITS,
    end=Finding.FITS,
    result=Finding.FITS,
)


def screen_of(verdict: Verdict, *terms: str) -> Screen:
    return verdict_screen(match(), result(), verdict, terms=terms, words=say, names=("Ann", "Bob"))


def written(screen: Screen) -> str:
    return "\n".join(texts(sheet(screen, "m")))


def test_where_everything_fits_each_part_is_listed() -> None:
    screen = screen_of(FITS, "The terms.")
    shown = written(screen)
    assert say("verify.all_fits") in shown
    assert [line for line in shown.splitlines() if line.startswith("✓")] == [
        f"✓ {say(f'verify.fits.{part}')}" for part in PARTS
    ]
    assert screen.tone is Tone.GOOD
    assert "The terms." in shown
    assert say("verify.defaults") not in shown
    assert say("verify.defaults") in written(screen_of(FITS))


@pytest.mark.parametrize("part", PARTS)
def test_a_part_that_does_not_fit_is_named(part: str) -> None:
    screen = screen_of(replace(FITS, **{part: Finding.DOES_NOT_FIT}))  # type: ignore[arg-type]  # a field by its name
    shown = written(screen)
    assert say("verify.is_wrong") in shown
    assert f"✗ **{say(f'verify.wrong.{part}')}**" in shown
    assert shown.count("✓") == len(PARTS) - 1
    assert screen.tone is Tone.BAD


@pytest.mark.parametrize("found", [each for each in Finding if each not in (Finding.FITS, Finding.DOES_NOT_FIT)])
def test_what_could_not_be_checked_is_said_once_with_the_reason(found: Finding) -> None:
    screen = screen_of(replace(FITS, deal=found, acts=found, result=found))
    shown = written(screen)
    assert say("verify.not_all") in shown
    assert shown.count(f"? {say(f'verify.unchecked.{found}', game='Haymaker')}") == 1
    assert shown.count("✓") == len(PARTS) - 3
    assert screen.tone is Tone.MAIN


def test_version_1_has_no_line_for_options_and_salts() -> None:
    shown = written(screen_of(replace(FITS, options=None, salts=None)))
    assert say("verify.all_fits") in shown
    assert say("verify.fits.salts") not in shown
