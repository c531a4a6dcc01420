"""A forked program complains of nothing that a busy machine brings about."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fork_server import command_server


@pytest.mark.real_time
def test_that_a_callback_took_long_is_no_complaint_and_anything_else_is(tmp_path: Path) -> None:
    done = command_server().run("tests.slow_program", environ={}, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "another line\n")
