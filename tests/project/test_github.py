"""What GitHub reads, in .github: valid by its schemas, safe by zizmor's rules, and in step with the project.

Both tools look at files only and ask no server.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
GITHUB = ROOT / ".github"
BIN = Path(sys.executable).parent
WORKFLOWS = sorted((GITHUB / "workflows").iterdir())
FORMS = sorted(file for file in (GITHUB / "ISSUE_TEMPLATE").iterdir() if file.name != "config.yml")

SCHEMAS = {
    "vendor.github-workflows": WORKFLOWS,
    "custom.github-workflows-require-timeout": WORKFLOWS,
    "vendor.dependabot": [GITHUB / "dependabot.yml"],
    "vendor.github-issue-forms": FORMS,
    "vendor.github-issue-config": [GITHUB / "ISSUE_TEMPLATE" / "config.yml"],
}


def run(tool: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """What a development tool says."""
    return subprocess.run([BIN / tool, *arguments], capture_output=True, text=True, timeout=120, check=False)


def checked_by(schema: str, *files: Path) -> int | str | None:
    """The exit code of `check-jsonschema`, run in this process: to import it takes longer than to check."""
    import check_jsonschema  # noqa: PLC0415  each worker collects this file, and one of them runs it

    with pytest.raises(SystemExit) as ended:
        check_jsonschema.main(["--builtin-schema", schema, *map(str, files)])
    return ended.value.code


def read(file: Path) -> Any:
    """A YAML file as plain data."""
    return YAML(typ="safe").load(file)


def name(file: Path) -> str:
    """A file's name, for a test's id."""
    return file.stem


def steps(workflow: Path) -> list[dict[str, Any]]:
    """All steps of a workflow."""
    return [step for job in read(workflow)["jobs"].values() for step in job["steps"]]


# ---------------------------------------------------------------------------------------------- by the tools


@pytest.mark.parametrize("schema", SCHEMAS)
def test_each_file_fits_its_schema(schema: str) -> None:
    assert checked_by(schema, *SCHEMAS[schema]) == 0


def test_zizmor_finds_nothing() -> None:
    checked = run("zizmor", "--offline", "--pedantic", "--strict-collection", "--no-progress", "--quiet", GITHUB)
    assert checked.returncode == 0, checked.stdout + checked.stderr


# ---------------------------------------------------------------------------------------------- by the project


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=name)
def test_every_action_is_named_by_its_commit_and_version(workflow: Path) -> None:
    uses = re.findall(r"uses: (.*)$", workflow.read_text(encoding="utf-8"), re.MULTILINE)
    assert uses
    for action in uses:
        assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=name)
def test_a_workflow_has_no_right_that_a_job_does_not_ask_for_and_keeps_no_token(workflow: Path) -> None:
    assert read(workflow)["permissions"] == {}
    checkouts = [step for step in steps(workflow) if step.get("uses", "").startswith("actions/checkout@")]
    assert checkouts
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)


def test_ci_runs_what_a_contributor_runs_on_the_oldest_and_the_newest_python() -> None:
    (job,) = read(GITHUB / "workflows" / "ci.yml")["jobs"].values()
    (run_step,) = [step for step in job["steps"] if "run" in step]
    assert run_step == {"run": ".ci/run", "env": {"PYTHON": "python${{ matrix.python }}"}}
    floor = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    choice = re.search(r"^PYTHON \?= python(\S+)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert choice is not None
    assert job["strategy"]["matrix"]["python"] == [floor.removeprefix(">="), choice[1]]


@pytest.mark.parametrize("form", FORMS, ids=name)
def test_the_forms_ask_for_the_game_and_list_none(form: Path) -> None:
    asked = [field["type"] for field in read(form)["body"] if field.get("id") == "game"]
    assert asked == (["input"] if form.name in {"bug.yml", "rule_question.yml"} else [])
    for rules in (ROOT / "docs" / "rules").glob("*.md"):
        title = rules.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        assert title not in form.read_text(encoding="utf-8")
