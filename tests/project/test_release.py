"""`make release`: it tags what agrees with itself, and nothing else."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tools import release
from tools.release import built, main

PYPROJECT = '[project]\nname = "cardroom"\nversion = "0.1.0"\n'
CHANGELOG = """\
# Changelog

## [Unreleased]

## [0.1.0] - 2026-11-22

### Added

- Five games.

## [0.0.1] - 2026-01-01

- The first.
"""


def git(folder: Path, *arguments: str) -> str:
    """The output of a git command."""
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def commit(folder: Path, **files: str) -> None:
    """Write files and commit them."""
    for name, content in files.items():
        (folder / {"pyproject": "pyproject.toml", "changelog": "CHANGELOG.md", "setup": "setup.py"}[name]).write_text(
            content
        )
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "change")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository that is ready for the release of 0.1.0, as the working directory."""
    for variable in [key for key in os.environ if key.startswith("GIT_")]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    git(tmp_path, "config", "user.name", "Somebody")
    git(tmp_path, "config", "user.email", "somebody@example.org")
    commit(tmp_path, pyproject=PYPROJECT, changelog=CHANGELOG)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(release, "built", lambda _: {"cardroom-0.1.0-py3-none-any.whl": b"wheel"})
    return tmp_path


@pytest.fixture
def _builds(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wheels are really built."""
    monkeypatch.setattr(release, "built", built)


def test_a_release_makes_an_annotated_tag_with_the_changes_as_its_text(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["0.1.0"]) == 0
    assert git(repository, "cat-file", "-t", "v0.1.0") == "tag"
    assert git(repository, "rev-parse", "v0.1.0^{commit}") == git(repository, "rev-parse", "HEAD")
    text = git(repository, "for-each-ref", "--format=%(contents)", "refs/tags/v0.1.0")
    assert text == "Cardroom 0.1.0\n\n### Added\n\n- Five games."
    told = capsys.readouterr().out
    assert "git push origin main v0.1.0" in told
    assert "--notes-from-tag dist/cardroom-0.1.0-py3-none-any.whl\n" in told


@pytest.mark.nightly  # builds four wheels
@pytest.mark.usefixtures("_builds")
def test_a_release_leaves_its_wheel_which_any_later_build_of_its_commit_equals(repository: Path) -> None:
    assert main(["0.1.0"]) == 0
    (wheel,) = (repository / "dist").iterdir()
    assert {wheel.name: wheel.read_bytes()} == built(repository)


TIMED = """\
from pathlib import Path
from time import time_ns
from setuptools import setup
Path("built.py").write_text(f"AT = {time_ns()}")
setup(py_modules=["built"])
"""


@pytest.mark.nightly  # builds two
@pytest.mark.usefixtures("_builds")
def test_wheels_that_differ_when_they_are_built_again_are_refused(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit(repository, setup=TIMED)
    assert main(["0.1.0"]) == 1
    assert capsys.readouterr().err == "release: the wheels are other bytes when they are built again\n"
    assert git(repository, "tag") == ""


def test_a_dry_run_makes_no_tag(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["0.1.0", "--dry-run"]) == 0
    assert git(repository, "tag") == ""
    assert "0.1.0 can be released" in capsys.readouterr().out


def uncommitted(repository: Path) -> None:
    (repository / "CHANGELOG.md").write_text(CHANGELOG + "\n- More.\n")


def untracked(repository: Path) -> None:
    (repository / "forgotten.py").touch()


def on_a_branch(repository: Path) -> None:
    git(repository, "switch", "--quiet", "--create", "feature")


def on_no_branch(repository: Path) -> None:
    git(repository, "switch", "--quiet", "--detach")


def tagged(repository: Path) -> None:
    git(repository, "tag", "v0.1.0")


def other_version(repository: Path) -> None:
    commit(repository, pyproject=PYPROJECT.replace("0.1.0", "0.2.0"))


def changelog(was: str, becomes: str) -> Callable[[Path], None]:
    """A committed change of the changelog."""

    def change(repository: Path) -> None:
        assert was in CHANGELOG
        commit(repository, changelog=CHANGELOG.replace(was, becomes))

    return change


@pytest.mark.parametrize(
    ("disturb", "problem"),
    [
        (uncommitted, "the working tree has changes; commit them first"),
        (untracked, "the working tree has changes; commit them first"),
        (on_a_branch, "the branch is feature; releases are made on main"),
        (on_no_branch, "the branch is HEAD; releases are made on main"),
        (tagged, "the tag v0.1.0 exists already"),
        (other_version, "pyproject.toml: the version is 0.2.0"),
        (changelog("## [0.1.0]", "## [0.1.1]"), "CHANGELOG.md: there is no section [0.1.0]"),
        (changelog(" - 2026-11-22", ""), "CHANGELOG.md: the heading must be '## [0.1.0] - YYYY-MM-DD'"),
        (changelog("- 2026-11-22", "2026-11-22"), "CHANGELOG.md: the heading must be '## [0.1.0] - YYYY-MM-DD'"),
        (changelog("2026-11-22", "2026-11-31"), "CHANGELOG.md: the heading must be '## [0.1.0] - YYYY-MM-DD'"),
        (changelog("- Five games.\n", ""), "CHANGELOG.md: [0.1.0] lists no change"),
        (
            changelog("## [Unreleased]\n", "## [Unreleased]\n\n- More.\n"),
            "CHANGELOG.md: [Unreleased] still has text; move it to [0.1.0]",
        ),
    ],
)
def test_what_does_not_agree_is_refused(
    disturb: Callable[[Path], None], problem: str, repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    disturb(repository)
    before = git(repository, "tag")
    assert main(["0.1.0"]) == 1
    assert capsys.readouterr().err == f"release: {problem}\n"
    assert git(repository, "tag") == before


@pytest.mark.parametrize("version", ["", "1.0", "v0.1.0", "0.1.0rc1", "00.1.0", "0.1.0\n"])
def test_what_is_no_version_is_refused(version: str, repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([version]) == 1
    assert "is no version" in capsys.readouterr().err
    assert git(repository, "tag") == ""
