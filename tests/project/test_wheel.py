"""What `pip install` gives: the wheel holds everything the program reads, and an installed copy finds it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "cogs", "engines", "laws")
SHIPPED = (*PACKAGES, "docs", "LICENSE", "NOTICE", "README.md", "pyproject.toml", "setup.py")


def run(*command: str, cwd: Path, **environ: str) -> str:
    """A command's output; the test fails with what it said on standard error if it fails."""
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, **environ}, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the present tree, built without a network."""
    folder = tmp_path_factory.mktemp("build")
    source = folder / "source"
    source.mkdir()
    for name in SHIPPED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, source / name)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), ".", cwd=source)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an installed copy, far from the source tree."""
    folder = tmp_path_factory.mktemp("installed")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    offline = ("--quiet", "--no-deps", "--no-index", "--no-compile")
    run(*pip, "install", *offline, "--target", str(folder), str(wheel), cwd=folder)
    return folder


def test_the_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        file.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for file in (ROOT / package).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    wanted |= {f"bot/{page.relative_to(ROOT).as_posix()}" for page in (ROOT / "docs" / "rules").glob("*.md")}
    wanted |= {f"bot/{page.relative_to(ROOT).as_posix()}" for page in (ROOT / "docs" / "rulings").glob("*.md")}
    assert wanted - held == set()


def test_the_wheel_holds_nothing_else_but_its_own_description(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.startswith("cardroom-")} == set(PACKAGES)


@pytest.mark.nightly  # installs the wheel
def test_an_installed_copy_finds_what_it_reads(installed: Path, tmp_path: Path) -> None:
    program = """
import bot
from importlib.resources import files
from bot.ui.catalogue import rules_text
from bot.languages import languages
from bot.ui.catalogue import translations
print(bot.__file__)
print(rules_text("haymaker").splitlines()[0])
print(len([entry for entry in (files("bot.store") / "tables").iterdir() if entry.name.endswith(".sql")]))
print(*languages(), translations("en").language)
"""
    said = run(sys.executable, "-P", "-c", program, cwd=tmp_path, PYTHONPATH=str(installed)).splitlines()
    assert Path(said[0]).is_relative_to(installed)
    assert said[1] == (ROOT / "docs" / "rules" / "haymaker.md").read_text(encoding="utf-8").splitlines()[0]
    assert said[2] == str(len(list((ROOT / "bot" / "store" / "tables").glob("*.sql"))))
    assert said[2] != "0"
    assert said[3].split()[-1] == "en"


@pytest.mark.nightly  # the same
def test_alone_and_without_a_token_it_ends_with_one_line_that_names_what_is_missing(
    installed: Path, tmp_path: Path
) -> None:
    """The rest of this environment is there, but for the sandbox, which stands in another folder."""
    program = """
import sys
from importlib.machinery import PathFinder
find = PathFinder.find_spec
PathFinder.find_spec = lambda name, *rest: None if name == "discord_sandbox" else find(name, *rest)
from bot.launcher import main
sys.exit(main(["run"]))
"""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("DISCORD_", "CARDROOM_"))}
    ended = subprocess.run(
        [sys.executable, "-P", "-c", program],
        cwd=tmp_path,
        env={**inherited, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (78, "")
    assert ended.stderr.startswith("cardroom: DISCORD_TOKEN: missing")
    assert "package discord-sandbox" in ended.stderr
    assert ended.stderr.count("\n") == 1
