"""Games of other packages: loaded whole, or left out with the reason, and no other game feels it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import engines
from bot.games import DISTRIBUTIONS, GAMES, PACKAGES, game_title
from bot.ops import game_packages
from bot.ops.game_packages import checks
from bot.play.match_state import codec
from bot.ui.catalogue import Translations, UnknownSentence, rules_text, translations
from bot.ui.screen import Text
from cogs.screens.rules_pages import rules_screen
from engines.haymaker import Haymaker
from tests.bot.ops.databases import ROOT, cardroom
from tests.packages.site import Site, change, site

pytestmark = pytest.mark.slow  # writes and imports packages


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    with site(tmp_path / "site", monkeypatch) as made:
        made.folder.mkdir()
        yield made


def left_out(at: Site) -> str:
    """Load what is installed, none of which can be used; what is said of it in one line."""
    (told,) = game_packages.load(at.entry_points())
    assert GAMES == engines.GAMES
    return str(told)


def test_an_installed_game_is_played_beside_our_own(installed: Site) -> None:
    installed.put()
    assert game_packages.load(installed.entry_points()) == []
    assert [*GAMES] == [*engines.GAMES, "duel"]
    assert [*PACKAGES] == [*GAMES]
    assert DISTRIBUTIONS == {"duel": "cardroom-duel 1.2"}
    assert game_title("duel") == "Duel"
    assert codec("duel").decode(codec("duel").encode(Haymaker.info.options())) == Haymaker.info.options()


def test_the_entry_points_of_the_environment_are_found(installed: Site) -> None:
    installed.put()
    game_packages.load()
    assert "duel" in GAMES


def test_installed_games_come_in_the_order_of_their_keys(installed: Site) -> None:
    for key, module in (("whist", "a_whist"), ("bridge", "z_bridge"), ("duel", "cardroom_duel")):
        installed.put(key, module)
    assert game_packages.load(installed.entry_points()) == []
    assert [*GAMES][len(engines.GAMES) :] == ["bridge", "duel", "whist"]


def test_a_game_that_is_not_installed_is_called_by_its_key() -> None:
    assert game_title("high_card") == "High card"


# ---------------------------------------------------------------------------------------------- what is left out


ENGLISH, GERMAN = "locale/en/LC_MESSAGES/duel.po", "locale/de/LC_MESSAGES/duel.po"
COG = 'cog", "cardroom_duel"'


def spoil(folder: Path, file: str, *changes: str) -> None:
    """Change a file of a package: by pairs of what is there and what comes in its place. One text alone is all that is
    in it then, and none takes it away."""
    if not changes:
        (folder / file).unlink()
    elif len(changes) == 1:
        (folder / file).write_text(changes[0])
    for old, new in zip(changes[::2], changes[1::2], strict=False):
        change(folder / file, old, new)


INIT = "__init__.py"
MISTAKES: dict[str, tuple[tuple[str, ...], str]] = {
    "an import": (
        (INIT, "import no_such_module\n"),
        "ModuleNotFoundError (No module named 'no_such_module') at __init__.py:1 <module>",
    ),
    "an exception": ((INIT, "raise ValueError('the seven of spades')\n"), "ValueError at __init__.py:1 <module>"),
    "no attribute": ((INIT, ""), "AttributeError at "),
    "another thing": ((INIT, "PACKAGE = 7\n"), "names a int, not a GamePackage"),
    "no game": (
        (INIT, "GamePackage(Duel()", "GamePackage(Duel", "info = replace", "about = replace", "Duel(Haymaker)", "Duel"),
        "its game is a type without a GameInfo",
    ),
    "a method that is missing": (
        (INIT, "class Duel(Haymaker):", "class Duel:\n    choices = Haymaker.choices\n"),
        "its game has no deal, decide, ",
    ),
    "a player of another kind": ((INIT, COG, f"{COG}, Duel()"), "its computer player has no begin, candidates, "),
    "no racer in a race": (
        (
            *(INIT, 'title="Duel"', 'title="Duel", turn_clock=False', COG, f"{COG}, PLAYER"),
            "from engines.haymaker import",
            "from engines.players.haymaker.player import PLAYER\nfrom engines.haymaker import",
        ),
        "its computer player has no ahead, busy",
    ),
    "another key": ((INIT, 'key="duel"', 'key="dual"'), "its entry point is called duel and its game dual"),
    "a long title": ((INIT, 'title="Duel"', 'title="D" * 61'), "its title has 61 characters; it needs 1 to 60"),
    "no seats": ((INIT, 'title="Duel"', 'title="Duel", seats=range(0)'), "has no seats or no presets"),
    "no cog": (("cog.py",), "No module named 'cardroom_duel.cog'"),
    "no setup": (("cog.py", "def setup(", "def set_up("), "its cog cardroom_duel.cog has no setup(registry)"),
    "no resources": ((INIT, COG, 'cog", "cardroom_dual"'), "No module named 'cardroom_dual'"),
    "no English": ((ENGLISH,), "no English sentences: cardroom_duel has none in locale/en/LC_MESSAGES/*.po"),
    "a sentence of ours": (
        (GERMAN, 'msgid "duel.question"', 'msgid "refusal.match_over"'),
        "may only begin with `duel.`, and refusal.match_over (de) does not",
    ),
    "sentences that cannot be read": (
        (ENGLISH, "nplurals=2; plural=(n != 1)", "nplurals=many"),
        "ValueError at ",
    ),
    "no rules": (("rules/duel.md",), "no rules page: cardroom_duel has no rules/duel.md"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_package_with_a_mistake_is_left_out_with_the_reason(installed: Site, mistake: str) -> None:
    changes, reason = MISTAKES[mistake]
    spoil(installed.put(), *changes)
    told = left_out(installed)
    assert told.startswith("duel of cardroom-duel 1.2 is left out: ")
    assert reason in told
    assert "\n" not in told
    assert "seven of spades" not in told  # an exception's text may hold anything


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("haymaker", "Cardroom has a game haymaker already"),
        ("leaderboard", "Cardroom uses the name leaderboard for something else"),
        ("match", "Cardroom uses the name match for something else"),  # our sentences are called match.unknown, ...
        ("Duel", "a key is a small letter and up to 23"),
        ("7up", "a key is a small letter and up to 23"),
        ("d" * 25, "a key is a small letter and up to 23"),
    ],
)
def test_a_game_needs_a_key_of_its_own(installed: Site, key: str, reason: str) -> None:
    installed.put(key)
    assert reason in left_out(installed)


def test_of_two_packages_with_one_key_neither_is_taken(installed: Site) -> None:
    installed.put()
    installed.put("duel", "other_duel")
    told = [str(each) for each in game_packages.load(installed.entry_points())]
    assert told == [
        "duel of cardroom-duel 1.2 is left out: there is a game duel in another package too: other-duel 1.2",
        "duel of other-duel 1.2 is left out: there is a game duel in another package too: cardroom-duel 1.2",
    ]
    assert GAMES == engines.GAMES


def test_there_are_no_more_games_than_discord_can_list(installed: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MOST_GAMES", len(GAMES) + 1)
    installed.put("alpha", "alpha_game")
    installed.put("beta", "beta_game")
    (told,) = game_packages.load(installed.entry_points())
    assert told.name == "beta"
    assert "as many as Discord can list" in told.reason


def test_a_broken_package_keeps_no_other_out(installed: Site) -> None:
    spoil(installed.put(), "rules/duel.md")
    installed.put("whist", "whist_game")
    (told,) = game_packages.load(installed.entry_points())
    assert told.name == "duel"
    assert [*DISTRIBUTIONS] == ["whist"]


# ---------------------------------------------------------------------------------------------- sentences and rules


def test_a_package_has_its_own_sentences_and_its_languages_fall_back_to_its_english(installed: Site) -> None:
    folder = installed.put()
    change(
        folder / "locale" / "de" / "LC_MESSAGES" / "duel.po",
        'msgid "duel.question"',
        'msgid "duel.ending.draw"\nmsgstr "Unentschieden."\n\nmsgid "duel.question"',
    )
    game_packages.load(installed.entry_points())
    english = translations("en")
    assert english("duel.ending.draw").startswith("Both hands are empty")
    assert english.count("duel.question", 1, players="A") == "A duel; 1 card is left to draw."
    german = _in("de")
    assert german("duel.ending.draw") == "Unentschieden."
    assert german("duel.ending.knockout", winner="A", loser="B").startswith("A wins")
    assert german.count("duel.question", 2, players="A") == "A duellieren sich; 2 Karten liegen noch da."
    polish = _in("pl")
    assert polish("duel.ending.draw").startswith("Both hands are empty")
    assert polish.count("duel.question", 5, players="A") == "A duel; 5 cards are left to draw."
    for say in (english, german, polish):
        assert say("refusal.match_over") == english("refusal.match_over")
        with pytest.raises(UnknownSentence):
            say("duel.no_such_sentence")


def test_a_broken_language_of_a_package_costs_that_language_alone(
    installed: Site, caplog: pytest.LogCaptureFixture
) -> None:
    folder = installed.put()
    (folder / "locale" / "de" / "LC_MESSAGES" / "duel.po").write_bytes(b"Guten Tag")
    assert game_packages.load(installed.entry_points()) == []
    assert _in("de")("duel.ending.draw").startswith("Both hands are empty")
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        "the catalogue of cardroom_duel in de is left out, so English is read there"
    ]


class _Imagined(Translations):
    """A language that we do not ship: our own sentences are English in it, those of packages need not be."""

    def __init__(self, language: str) -> None:
        super().__init__("en")
        self.language = language


def _in(language: str) -> Translations:
    return _Imagined(language)


def test_a_package_has_its_own_rules_page(installed: Site) -> None:
    installed.put()
    game_packages.load(installed.entry_points())
    assert rules_text("duel").startswith("# Duel")
    screen = rules_screen("duel", 0, translations("en"))
    assert screen.sections[0] == Text("## Duel: The game")


def test_the_rules_of_a_package_are_in_its_languages_and_otherwise_english(installed: Site) -> None:
    folder = installed.put()
    (folder / "rules" / "duel.de.md").write_text("# Duell\n\n## Das Spiel\n\nWie Haymaker.\n", "utf-8")
    game_packages.load(installed.entry_points())
    assert rules_text("duel", "de").startswith("# Duell\n")
    assert rules_text("duel", "pl") == rules_text("duel", "en") == rules_text("duel")
    assert rules_screen("duel", 0, _in("de")).sections[0] == Text("## Duel: Das Spiel")


# ---------------------------------------------------------------------------------------------- the program


def test_the_author_of_a_package_can_import_it_alone(installed: Site) -> None:
    """A package imports `bot.games` while it is itself being imported: that must not load it once more."""
    installed.put()
    program = "import cardroom_duel, bot.games; print(cardroom_duel.PACKAGE.game.info.title, *bot.games.GAMES)"
    path = os.pathsep.join([str(ROOT), str(installed.folder)])
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["Duel", *engines.GAMES]


@pytest.mark.real_time  # it starts programs
async def test_check_names_the_installed_games_and_those_left_out(installed: Site, tmp_path: Path) -> None:
    installed.put()
    path = os.pathsep.join([str(ROOT), str(installed.folder)])
    done = await asyncio.to_thread(cardroom, tmp_path, "check", PYTHONPATH=path)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "ok   installed games: duel (cardroom-duel 1.2)" in done.stdout.splitlines()
    installed.put("whist", "whist_game")
    (installed.folder / "whist_game" / "rules" / "whist.md").unlink()
    done = await asyncio.to_thread(cardroom, tmp_path, "check", PYTHONPATH=path)
    assert done.returncode == 1
    assert "ok   installed games: duel (cardroom-duel 1.2)" in done.stdout.splitlines()
    assert "FAIL installed games: whist of whist-game 1.2 is left out: no rules page" in done.stdout
