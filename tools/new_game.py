"""Copies an example game into this repository under a name of your own: ``make new-game KEY=duchess KIND=party``.

There is one to copy for each kind of game (`MODELS`). The copy runs and passes all tests at once, so a new game begins
as one that works. The table in docs/adding-a-game.md has the files that are written, and a test compares the two.
"""

from __future__ import annotations

import argparse
import keyword
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.ops.game_packages.checks import RESERVED

ROOT: Final = Path(__file__).parents[1]
CATALOGUE: Final = "bot/locale/en/LC_MESSAGES/cardroom.po"


@dataclass(frozen=True, slots=True)
class Model:
    """An example game to copy, in the folder of `examples` that is called as its key."""

    key: str
    title: str
    letters: str
    in_a_line: str
    """What the list of games says of it."""
    players: str
    """How many play it, in words."""

    @property
    def class_name(self) -> str:
        """The name of its class."""
        return _class_name(self.key)

    @property
    def folder(self) -> str:
        """Where its tests and pages are."""
        return f"examples/{self.key}"

    @property
    def package(self) -> str:
        """Where its code is."""
        return f"{self.folder}/cardroom_{self.key}"

    @property
    def sentences(self) -> str:
        """Its catalogue."""
        return f"{self.package}/locale/en/LC_MESSAGES/{self.key}.po"

    @property
    def chances(self) -> str:
        """Its section of the page on fair deals."""
        return f"{self.folder}/fair-deals.md"

    @property
    def copies(self) -> Mapping[str, str]:
        """The files that are copied: from where, and to where."""
        return {
            f"{self.package}/engine.py": "engines/{key}.py",
            f"{self.package}/player.py": "engines/players/{key}.py",
            f"{self.package}/cog.py": "cogs/games/{key}.py",
            f"{self.package}/rules/{self.key}.md": "docs/rules/{key}.md",
            f"{self.folder}/rulings.md": "docs/rulings/{key}.md",
            f"{self.folder}/tests/test_{self.key}.py": "tests/games/test_{key}.py",
        }


MODELS: Final[Mapping[str, Model]] = {
    "duel": Model(
        "high_card", "High Card", "HC", "both lay a card face down, and the higher one takes the trick.", "two"
    ),
    "turns": Model("last_card", "Last Card", "LC", "play a card of the same suit or rank, or draw one.", "two to four"),
    "party": Model(
        "hidden_face", "Hidden Face", "HF", "guess the others' cards before they guess yours.", "three to five"
    ),
    "race": Model(
        "quick_step", "Quick Step", "QS", "all lay at once, each card a step above or below the last.", "two to four"
    ),
}
"""What can be copied, by the kind of game: a duel in which both choose in secret; turns, with cards picked from a hand
and a pile to draw from; a party of three to five, with turns, targets, a guess, and players who are knocked out; a race
in which all act at once."""

MATCHES: Final = ("tests/games/golden", "tests/upgrades/logs")
"""Folders into which matches are written, in files whose names begin with the key."""

LONGEST_KEY: Final = 20
"""Characters. A longer key would make lines of the copied code too long."""
LONGEST_TITLE: Final = 30
"""Characters. A longer title would not fit on a phone's line."""

_KEY: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_TITLE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9 '!?&.:,-]*")


class Refused(Exception):  # noqa: N818  an answer to the developer, not an error of the program
    """Raised for a name that cannot be used, and for files that are in the way; the text is one sentence to show."""


# ---------------------------------------------------------------------------------------------- names


@dataclass(frozen=True, slots=True)
class Name:
    """What a game is called: by its key in code and commands, by its title, by the letters of its rulings' numbers."""

    key: str
    title: str
    letters: str

    @property
    def class_name(self) -> str:
        """The name of its class, such as ``OldMaid`` for the key ``old_maid``."""
        return _class_name(self.key)

    def put_into(self, text: str, model: Model) -> str:
        """A text of an example with this game's names in place of the example's."""
        for old, new in (
            (f"cardroom_{model.key}.engine", f"engines.{self.key}"),
            (f"cardroom_{model.key}.player", f"engines.players.{self.key}"),
            (f"cardroom_{model.key}.cog", f"cogs.games.{self.key}"),
            (model.key, self.key),
            (model.class_name, self.class_name),
            (model.title, self.title),
            (f"{model.letters}-", f"{self.letters}-"),
            (f"{model.letters}_", f"{self.letters}_"),
        ):
            text = text.replace(old, new)
        return text


def _class_name(key: str) -> str:
    return "".join(part.capitalize() for part in key.split("_"))


def name_for(root: Path, key: str, title: str = "") -> Name:
    """The names of a new game in the project at `root`. Raises Refused where the key or the title cannot be used."""
    title = title or key.replace("_", " ").title()
    if not _KEY.fullmatch(key) or len(key) > LONGEST_KEY:
        raise Refused(
            f"{key!r} cannot be a key: use at most {LONGEST_KEY} small letters, digits and single underscores, "
            "a letter first, such as duchess or old_maid."
        )
    if keyword.iskeyword(key) or key in sys.stdlib_module_names:
        raise Refused(f"{key!r} cannot be a key: it is a name of Python's own.")
    if not _TITLE.fullmatch(title) or len(title) > LONGEST_TITLE:
        raise Refused(
            f"{title!r} cannot be a name: use at most {LONGEST_TITLE} letters, digits, spaces and simple punctuation, "
            "a letter or digit first."
        )
    name = Name(key, title, free_letters(key, taken_letters(root)))
    _check_free(root, name)
    return name


def _check_free(root: Path, name: Name) -> None:
    """Raise Refused where something in the project has one of these names."""
    examples = [root / model.package / "rules" / f"{model.key}.md" for model in MODELS.values()]
    for file in (*(root / "docs" / "rules").glob("*.md"), *examples):
        taken = file.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
        if name.key == file.stem or name.title.casefold() == taken.casefold():
            raise Refused(f"There is a game called {taken} already, with the key {file.stem}.")
    if name.key in RESERVED or re.search(rf'^msgid "{name.key}\.', _read(root, CATALOGUE), re.MULTILINE):
        raise Refused(f"{name.key!r} cannot be a key: the bot uses it for something else.")
    code = "".join([_read(root, file) for model in MODELS.values() for file in model.copies if file.endswith(".py")])
    if re.search(rf"\b{name.class_name}\b", code):
        raise Refused(f"{name.key!r} cannot be a key: the copied code has a {name.class_name} of its own.")
    for target in _targets(name):
        if (root / target).exists() or (root / target).with_suffix("").exists():
            raise Refused(f"{name.key!r} cannot be a key: there is a file {target} already.")


def taken_letters(root: Path) -> set[str]:
    """The letters that the numbers of rulings begin with."""
    examples = [root / model.folder / "rulings.md" for model in MODELS.values()]
    pages = (*(root / "docs" / "rulings").glob("*.md"), *examples)
    texts = [page.read_text(encoding="utf-8") for page in pages]
    return {letters for text in texts for letters in re.findall(r"^- \*\*([A-Z]{1,2})-\d", text, re.MULTILINE)}


def free_letters(key: str, taken: set[str]) -> str:
    """One or two capitals that no game's rulings begin with yet, as near to the key as there are. Raises Refused."""
    for letters in _letters(key.upper()):
        if letters not in taken:
            return letters
    raise Refused(f"{key!r} cannot be a key: rulings of other games begin with all the letters that it could have.")


def _letters(key: str) -> Iterator[str]:
    """The initials of the key's words, then its first letter with each of the others, then with any letter."""
    yield "".join([part[0] for part in key.split("_") if part[0].isalpha()])[:2]
    for other in (*[letter for letter in key[1:] if letter.isalpha()], *map(chr, range(ord("A"), ord("Z") + 1))):
        yield key[0] + other


# ---------------------------------------------------------------------------------------------- files


def plan(root: Path, name: Name, model: Model) -> dict[str, str]:
    """The whole text of every file that a new game adds or changes, by its path from `root`."""
    copied = {
        target.format(key=name.key): name.put_into(_read(root, source), model)
        for source, target in model.copies.items()
    }
    return copied | {file: change(_read(root, file), name, model) for file, change in CHANGES.items()}


def register(text: str, name: Name, _model: Model) -> str:
    """`engines/__init__.py` with one more import and one more game."""
    text = _put(text, r"^(?=from engines\.game import)", f"from engines.{name.key} import {name.class_name}\n")
    return _put(text, r"^_ALL: .*?\(\)(?=,?\s*\)\n)", f", {name.class_name}()")


def register_player(text: str, name: Name, _model: Model) -> str:
    """`engines/players/levels.py` with one more import and one more player by rule of thumb."""
    text = _put(text, r"^from engines\.players import ", f"{name.key}, ")
    return _put(text, r"^THUMBS: .*?MappingProxyType\(\{", f'"{name.key}": {name.key}.PLAYER, ')


def add_sentences(text: str, name: Name, model: Model) -> str:
    """The catalogue with the example's sentences, without the header of the example's own catalogue."""
    _, _, sentences = _read(ROOT, model.sentences).partition("\n\n")
    return f"{text}\n{name.put_into(sentences, model)}"


def tell_chances(text: str, name: Name, model: Model) -> str:
    """The page on fair deals with a section on this game: what chance decides in it."""
    return _put(text, r"(?=^## Other rules$)", f"{name.put_into(_read(ROOT, model.chances), model)}\n")


def list_in_readme(text: str, name: Name, model: Model) -> str:
    """The README with one more line in its list of games, which is in the order of their titles."""
    line = (
        f"- **{name.title}** (`/{name.key}`): for {model.players}; {model.in_a_line} "
        f"[Rules](docs/rules/{name.key}.md)\n"
    )
    listed = re.findall(r"^- \*\*.*\(docs/rules/\w+\.md\)\n", text, re.MULTILINE)
    return text.replace("".join(listed), "".join(sorted([*listed, line], key=str.casefold)))


def list_in_changelog(text: str, name: Name, model: Model) -> str:
    """The changelog with one more line on what was added since the last release."""
    unreleased = r"^## \[Unreleased\]\n\n"
    if not re.search(unreleased, text, re.MULTILINE):
        text = _put(text, r"^(?=## \[)", "## [Unreleased]\n\n")
    if not re.search(unreleased + r"(?:(?!^## ).)*?^### Added\n\n", text, re.MULTILINE | re.DOTALL):
        text = _put(text, unreleased, "### Added\n\n\n")
    return _put(text, unreleased + r".*?^### Added\n\n", f"- {name.title} for {model.players} players.\n")


CHANGES: Final[Mapping[str, Callable[[str, Name, Model], str]]] = {
    "engines/__init__.py": register,
    "engines/players/levels.py": register_player,
    CATALOGUE: add_sentences,
    "docs/fair-deals.md": tell_chances,
    "README.md": list_in_readme,
    "CHANGELOG.md": list_in_changelog,
}
"""The files that get some more lines, and how."""


def _targets(name: Name) -> list[str]:
    return [target.format(key=name.key) for target in MODELS["duel"].copies.values()]


def _put(text: str, after: str, more: str) -> str:
    """The text with more in it, behind the first match of a pattern. Raises LookupError where there is none."""
    found = re.search(after, text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise LookupError(f"there is no place for {more!r}")
    return f"{text[: found.end()]}{more}{text[found.end() :]}"


def _read(root: Path, file: str) -> str:
    return (root / file).read_text(encoding="utf-8")


# ---------------------------------------------------------------------------------------------- the command


def check_clean(root: Path, files: Sequence[str]) -> None:
    """Raise Refused where a file has changes that are not committed: nobody could tell them from the new ones."""
    status = subprocess.run(
        ["git", "status", "--porcelain", "--", *files], cwd=root, capture_output=True, text=True, check=True
    )
    changed = [line[3:] for line in status.stdout.splitlines()]
    if changed:
        raise Refused(f"Commit or stash your changes first: {', '.join(changed)}.")


def add(root: Path, name: Name, model: Model) -> list[str]:
    """Write the files of a new game into the project at `root`; their paths. Raises Refused and then writes nothing."""
    check_clean(root, list(CHANGES))
    files = plan(root, name, model)
    for file, text in files.items():
        (root / file).write_text(text, encoding="utf-8")
    code = [file for file in files if file.endswith(".py")]
    ruff = [sys.executable, "-m", "ruff"]  # the new names are longer or shorter, and sorted differently
    subprocess.run([*ruff, "check", "--quiet", "--fix", "--select", "I", *code], cwd=root, check=True)
    subprocess.run([*ruff, "format", "--quiet", *code], cwd=root, check=True)
    for words in (("laws.golden", f"tests.games.test_{name.key}"), ("tests.upgrades.make", "--game", name.key)):
        subprocess.run([sys.executable, "-m", *words], cwd=root, check=True, stdout=subprocess.DEVNULL)
    matches = [match for folder in MATCHES for match in (root / folder).glob(f"{name.key}-*")]
    return sorted([*files, *[match.relative_to(root).as_posix() for match in matches]])


def main(words: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Add a game and say what was written; 1 and one sentence where that is refused."""
    parser = argparse.ArgumentParser(prog="new_game", description="Copy an example game under a name of your own.")
    parser.add_argument("key", help="its name in commands and files, such as duchess or old_maid")
    parser.add_argument("--name", default="", help="what players call it; made from the key if it is left out")
    parser.add_argument("--kind", default="duel", choices=MODELS, help="the kind of game to begin with")
    given = parser.parse_args(words)
    model = MODELS[given.kind]
    try:
        name = name_for(root, given.key, given.name)
        files = add(root, name, model)
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 1
    print(f"Written for {name.title}, whose rulings are called {name.letters}-1 and so on:", *files, sep="\n    ")
    print(f"\nPlay it: make run, then /{name.key} {'open' if given.kind == 'party' else 'challenge'}")
    print(f"Test it: .venv/bin/python -m pytest tests/games/test_{name.key}.py")
    print("Then change it: docs/adding-a-game.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
