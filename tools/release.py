"""Release a version: check that everything agrees, build the wheels into `dist/`, then make an annotated tag with the
changelog's section as its text.

`make release VERSION=0.1.0` runs it, and `DRY=1` makes it stop before anything is written. It pushes nothing. The
wheels are built twice, and are the same bytes, so anybody who builds a version's commit gets its wheels
(https://reproducible-builds.org/docs/source-date-epoch/). Exit codes: 0 done, 1 something does not agree (each problem
on a line of its own), 2 the command was not understood.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Final

BRANCH: Final = "main"
VERSION: Final = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
"""Major, minor and patch, as https://semver.org has them; we make no releases before a release."""

SECTION: Final = re.compile(r"^## \[([^\]]+)\](.*)\n((?:(?!^## ).*\n?)*)", re.MULTILINE)
"""A section of the changelog: its name, the rest of its heading, and its text."""


PIP: Final = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")


def git(root: Path, *arguments: str, text: str | None = None) -> str:
    """The output of a git command. Raises CalledProcessError."""
    done = subprocess.run(["git", *arguments], cwd=root, input=text, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def sections(changelog: str) -> dict[str, tuple[str, str]]:
    """The changelog's sections by name: the rest of the heading, and the text."""
    return {name: (rest.strip(), text.strip()) for name, rest, text in SECTION.findall(changelog)}


def dated(rest: str) -> bool:
    """Whether the rest of a section's heading is a dash and a day that exists."""
    found = re.fullmatch(r"- (\d{4}-\d{2}-\d{2})", rest)
    try:
        return found is not None and bool(date.fromisoformat(found[1]))
    except ValueError:
        return False


def tree_problems(root: Path, tag: str) -> Iterator[str]:
    """What is wrong with the state of the repository."""
    branch = git(root, "rev-parse", "--abbrev-ref", "HEAD")
    if branch != BRANCH:
        yield f"the branch is {branch}; releases are made on {BRANCH}"
    if git(root, "status", "--porcelain"):
        yield "the working tree has changes; commit them first"
    if git(root, "tag", "--list", tag):
        yield f"the tag {tag} exists already"


def changelog_problems(changelog: str, version: str) -> Iterator[str]:
    """What is wrong with the changelog, for a release of this version."""
    found = sections(changelog)
    if found.get("Unreleased", ("", ""))[1]:
        yield f"CHANGELOG.md: [Unreleased] still has text; move it to [{version}]"
    if version not in found:
        yield f"CHANGELOG.md: there is no section [{version}]"
        return
    rest, text = found[version]
    if not dated(rest):
        yield f"CHANGELOG.md: the heading must be '## [{version}] - YYYY-MM-DD'"
    if not re.search(r"^- ", text, re.MULTILINE):
        yield f"CHANGELOG.md: [{version}] lists no change"


def problems(root: Path, version: str) -> Iterator[str]:
    """Everything that stands against the release, a line each."""
    if not VERSION.fullmatch(version):
        yield f"{version!r} is no version; it must look like 1.2.3"
        return
    yield from tree_problems(root, f"v{version}")
    declared = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    if declared != version:
        yield f"pyproject.toml: the version is {declared}"
    yield from changelog_problems((root / "CHANGELOG.md").read_text(encoding="utf-8"), version)


def built(root: Path) -> dict[str, bytes]:
    """The wheels of what is committed, by their names: built in a folder of their own, and dated by the commit.

    Raises CalledProcessError.
    """
    epoch = git(root, "log", "-1", "--format=%ct")
    with tempfile.TemporaryDirectory() as name:
        source, out = Path(name, "source"), Path(name, "out")
        git(root, "clone", "--quiet", str(root), str(source))
        for folder in (source, source / "sandbox"):
            if (folder / "pyproject.toml").is_file():
                subprocess.run(
                    [*PIP, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", out, folder],
                    env={**os.environ, "SOURCE_DATE_EPOCH": epoch},
                    capture_output=True,
                    check=True,
                )
        return {file.name: file.read_bytes() for file in sorted(out.iterdir())}


def make_tag(root: Path, version: str) -> None:
    """Make the annotated tag. Raises CalledProcessError, for instance when git knows no name for its author."""
    _, text = sections((root / "CHANGELOG.md").read_text(encoding="utf-8"))[version]
    # Verbatim, or git would take the headings for comments.
    git(
        root,
        "tag",
        "--annotate",
        "--cleanup=verbatim",
        "--file=-",
        f"v{version}",
        text=f"Cardroom {version}\n\n{text}\n",
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Check and tag. Returns the exit code; see the head of this file."""
    parser = argparse.ArgumentParser(prog="release", description="Check and tag a version.")
    parser.add_argument("version", help="such as 0.1.0")
    parser.add_argument("--dry-run", action="store_true", help="check only")
    given = parser.parse_args(arguments)
    root = Path.cwd()
    found = list(problems(root, given.version))
    for problem in found:
        print(f"release: {problem}", file=sys.stderr)
    if found:
        return 1
    try:
        wheels, again = built(root), built(root)
    except subprocess.CalledProcessError as error:
        print(f"release: the wheels can't be built: {error.stderr.decode().strip()}", file=sys.stderr)
        return 1
    if wheels != again:
        print("release: the wheels are other bytes when they are built again", file=sys.stderr)
        return 1
    if given.dry_run:
        print(f"{given.version} can be released. Nothing was changed.")
        return 0
    for name, content in wheels.items():
        (root / "dist").mkdir(exist_ok=True)
        (root / "dist" / name).write_bytes(content)
    try:
        make_tag(root, given.version)
    except subprocess.CalledProcessError as error:
        print(f"release: git made no tag: {error.stderr.strip()}", file=sys.stderr)
        return 1
    print(f"Made the tag v{given.version}, and in dist: {', '.join(wheels)}. Look at both, then publish them:")
    print(f"  git show v{given.version}")
    print(f"  git push origin {BRANCH} v{given.version}")
    files = " ".join(f"dist/{name}" for name in wheels)
    print(f"  gh release create v{given.version} --verify-tag --notes-from-tag {files}")
    print(f"To take it back before you push: git tag --delete v{given.version}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
