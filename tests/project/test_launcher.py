"""The launcher with a stand-in sandbox and a stand-in bot: what it starts, says and ends."""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from bot.launcher import DOORS, RestartLimit, pause_after
from bot.settings import EXIT_CONFIGURATION, EXIT_DATABASE, EXIT_UNREACHABLE

ROOT = Path(__file__).parents[2]

SANDBOX = """
import json, os, pathlib, socket, sys, time
secrets = {key: value for key, value in os.environ.items() if key.startswith("SANDBOX_")}
pathlib.Path("sandbox.started").write_text(json.dumps({"argv": sys.argv[1:], "pid": os.getpid(), "secrets": secrets}))
server = socket.create_server(("127.0.0.1", int(sys.argv[sys.argv.index("--port") + 1])))
time.sleep(60)
"""

BOT = """
import json, os, pathlib, socket, sys, time
environ = {key: value for key, value in os.environ.items() if key.startswith(("DISCORD_", "CARDROOM_"))}
started = json.dumps({"argv": sys.argv[1:], "pid": os.getpid(), "environ": environ})
pathlib.Path("bot.started").write_text(started)
with open("bot.starts", "a") as starts:
    print(started, file=starts)
pathlib.Path("data").mkdir(exist_ok=True)
pathlib.Path("data/heartbeat").write_text("alive")
while pathlib.Path("hold").exists():
    time.sleep(0.02)
if "NOTIFY_SOCKET" in os.environ:
    socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"READY=1", os.environ["NOTIFY_SOCKET"])
time.sleep(60)
"""
"""It answers once there is no file `hold`."""

DEAF = """
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
"""


@dataclass
class Stage:
    """A folder with the launcher's own modules and stand-ins for the programs it starts."""

    folder: Path
    port: int
    running: list[subprocess.Popen[str]]

    def put(self, module: str, program: str) -> None:
        """Let `python -m module` be this program."""
        package = self.folder / "tree" / module
        package.mkdir(exist_ok=True)
        (package / "__init__.py").touch()
        (package / "__main__.py").write_text(program)

    def launch(self, *arguments: str, **environ: str) -> subprocess.Popen[str]:
        """Start the launcher in the folder."""
        inherited = {key: value for key, value in os.environ.items() if not key.startswith(("DISCORD_", "CARDROOM_"))}
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "bot.launcher", *arguments],
            cwd=self.folder,
            env={
                **inherited,
                "PYTHONPATH": str(self.folder / "tree"),
                "CARDROOM_PORT": str(self.port),
                **environ,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.running.append(process)
        return process

    def started(self, name: str) -> dict[str, object]:
        """What a stand-in noted of its start, waited for."""
        note = self.folder / f"{name}.started"
        wait_for(lambda: note.exists() and note.read_text() != "")
        found: dict[str, object] = json.loads(note.read_text())
        return found

    def starts(self) -> list[dict[str, object]]:
        """What the bot's stand-in noted of each of its starts."""
        return [json.loads(line) for line in (self.folder / "bot.starts").read_text().splitlines()]

    def order_end(self, code: int) -> None:
        """Let a stand-in that waits for it end with this exit code."""
        unfinished = self.folder / "code.unfinished"
        unfinished.write_text(str(code))
        unfinished.rename(self.folder / "code")

    def pid(self, name: str) -> int:
        """The number of a stand-in's process."""
        pid = self.started(name)["pid"]
        assert isinstance(pid, int)
        return pid

    def is_gone(self, name: str) -> bool:
        """Whether a stand-in's process has ended."""
        try:
            os.kill(self.pid(name), 0)
        except ProcessLookupError:
            return True
        return False


def wait_for(true: Callable[[], bool]) -> None:
    """Wait until something holds, ten seconds at most."""
    deadline = time.monotonic() + 10
    while not true():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def read_until(process: subprocess.Popen[str], text: str) -> str:
    """The launcher's output up to the line that holds a text."""
    assert process.stdout is not None
    lines = ""
    for line in process.stdout:
        lines += line
        if text in line:
            return lines
    pytest.fail(f"the output ended without {text!r}: {lines}")


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """A stage with both stand-ins, cleared afterwards."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    stage = Stage(tmp_path, port, [])
    shutil.copytree(ROOT / "bot", tmp_path / "tree" / "bot", ignore=shutil.ignore_patterns("__main__.py"))
    shutil.copytree(ROOT / "engines", tmp_path / "tree" / "engines")  # what the commands on a database read facts with
    stage.put("bot", BOT)
    stage.put("discord_sandbox", SANDBOX)
    former = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup it is ignored, and the launcher inherits that
    yield stage
    signal.signal(signal.SIGHUP, former)
    for process in stage.running:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.communicate(timeout=120)


def test_run_without_a_token_starts_both_and_a_signal_ends_both(stage: Stage) -> None:
    """Here SIGHUP, and in the next ones SIGINT and SIGTERM."""
    launcher = stage.launch("run", DISCORD_API_BASE="https://proxy.example/api/v10")
    said = read_until(launcher, "Bob")
    secrets = stage.started("sandbox")["secrets"]
    assert isinstance(secrets, dict)
    key = secrets["SANDBOX_PAGE_KEY"]
    assert f"Cardroom is ready: http://127.0.0.1:{stage.port}/?person=Alice#key={key}\n" in said
    assert f"http://127.0.0.1:{stage.port}/?person=Bob#key={key}\n" in said
    assert len({key, secrets["SANDBOX_TOKEN"]}) == 2
    assert min(len(key), len(secrets["SANDBOX_TOKEN"])) >= 32

    state = str(stage.folder / "data" / "sandbox.json")
    assert stage.started("sandbox")["argv"] == [
        "--host",
        "127.0.0.1",
        "--port",
        str(stage.port),
        "--name",
        "Cardroom",
        "--state",
        state,
        "--locale",
        "en-US",
        *(f"--example={label}={command}" for label, command in DOORS.items()),
    ]
    bot = stage.started("bot")
    assert bot["argv"] == [
        "--local"
    ]  # the token is in the environment, where other people of this machine cannot read it
    environ = bot["environ"]
    assert isinstance(environ, dict)
    assert environ["DISCORD_TOKEN"] == secrets["SANDBOX_TOKEN"]
    assert environ["DISCORD_API_BASE"] == f"http://127.0.0.1:{stage.port}/api/v10"

    asked = time.monotonic()
    launcher.send_signal(signal.SIGHUP)
    assert launcher.wait(timeout=120) == 0
    assert time.monotonic() - asked < 5
    assert stage.is_gone("bot")
    assert stage.is_gone("sandbox")


def test_processes_that_do_not_listen_are_ended_within_five_seconds(stage: Stage) -> None:
    stage.put("bot", DEAF + BOT)
    stage.put("discord_sandbox", DEAF + SANDBOX)
    launcher = stage.launch()
    read_until(launcher, "Bob")
    asked = time.monotonic()
    launcher.send_signal(signal.SIGTERM)
    assert launcher.wait(timeout=120) == 0
    assert time.monotonic() - asked < 5
    assert stage.is_gone("bot")
    assert stage.is_gone("sandbox")


def test_when_the_sandbox_dies_the_bot_is_ended_and_said_so(stage: Stage) -> None:
    launcher = stage.launch()
    read_until(launcher, "Bob")
    os.kill(stage.pid("sandbox"), signal.SIGKILL)
    _, errors = launcher.communicate(timeout=120)
    assert launcher.returncode == 1
    assert errors == "cardroom: the sandbox ended by itself (signal SIGKILL), so everything else was stopped\n"
    assert stage.is_gone("bot")


def test_a_bot_that_dies_is_started_again_beside_the_same_sandbox(stage: Stage) -> None:
    launcher = stage.launch("run", "--accept-older")
    read_until(launcher, "Bob")
    sandbox, bot = stage.pid("sandbox"), stage.pid("bot")
    os.kill(bot, signal.SIGKILL)
    said = read_until(launcher, "back")
    assert said == "The bot is back.\n"
    first, second = stage.starts()
    assert (first["pid"], second["pid"]) == (bot, stage.pid("bot"))
    assert first["environ"] == second["environ"]
    assert (first["argv"], second["argv"]) == (["--local", "--accept-older"], ["--local"])  # an exception, once
    assert stage.pid("sandbox") == sandbox
    assert not stage.is_gone("sandbox")
    launcher.send_signal(signal.SIGINT)
    _, errors = launcher.communicate(timeout=120)
    assert launcher.returncode == 0
    assert errors == "cardroom: the bot ended by itself (signal SIGKILL); starting it again\n"
    assert stage.is_gone("bot")
    assert stage.is_gone("sandbox")


ENDS_ON_DEMAND = """
while not pathlib.Path("code").exists():
    time.sleep(0.02)
code = int(pathlib.Path("code").read_text())
pathlib.Path("code").unlink()
sys.exit(code)
"""


@pytest.mark.nightly  # starts three processes each
@pytest.mark.parametrize("code", [73, 78])
@pytest.mark.parametrize("restarts", [0, 1])
def test_a_bot_that_no_restart_helps_ends_everything_with_its_exit_code(stage: Stage, code: int, restarts: int) -> None:
    stage.put("bot", BOT.replace("time.sleep(60)", ENDS_ON_DEMAND))
    launcher = stage.launch()
    read_until(launcher, "Bob")
    if restarts:
        stage.order_end(1)
        read_until(launcher, "back")
    stage.order_end(code)
    _, errors = launcher.communicate(timeout=120)
    assert launcher.returncode == code
    last = errors.splitlines()[-1]
    assert last == f"cardroom: the bot ended by itself (exit code {code}), so everything else was stopped"
    assert stage.is_gone("sandbox")
    assert len(stage.starts()) == 1 + restarts


def test_a_bot_that_fails_at_each_start_is_started_five_times_a_minute(stage: Stage) -> None:
    launcher = stage.launch()
    read_until(launcher, "Bob")
    bot = stage.pid("bot")
    stage.put("bot", BOT.replace("time.sleep(60)", "sys.exit(1)"))
    os.kill(bot, signal.SIGKILL)
    assert launcher.stderr is not None
    told = [launcher.stderr.readline() for _ in range(6)]
    again = "cardroom: the bot ended by itself (exit code 1); starting it again\n"
    assert told[1:5] == [again] * 4
    waits = re.fullmatch(re.escape(again.rstrip()) + r" in (\d+) s\n", told[5])
    assert waits is not None
    assert 30 < int(waits[1]) <= 60
    time.sleep(1)
    assert len(stage.starts()) == 1 + 5
    assert not stage.is_gone("sandbox")
    launcher.send_signal(signal.SIGINT)
    assert launcher.wait(timeout=120) == 0
    assert stage.is_gone("sandbox")


def test_the_next_restart_is_due_a_minute_after_the_fifth_last() -> None:
    at = 1000.0
    limit = RestartLimit(lambda: at)
    for moment in (1000.0, 1001.0, 1010.0, 1011.0, 1012.0):
        at = moment
        assert limit.delay() == 0
        limit.note()
    assert limit.delay() == 48
    at = 1060.0
    assert limit.delay() == 0
    limit.note()
    assert limit.delay() == 1
    at = 1200.0
    assert limit.delay() == 0


def test_a_bot_that_fails_at_start_passes_its_exit_code_on(stage: Stage) -> None:
    stage.put("bot", "raise SystemExit(73)")
    launcher = stage.launch()
    output, errors = launcher.communicate(timeout=120)
    assert launcher.returncode == 73
    assert output == ""
    assert errors == "cardroom: the bot ended by itself (exit code 73), so everything else was stopped\n"
    assert stage.is_gone("sandbox")


def test_a_signal_during_the_start_ends_it_too(stage: Stage) -> None:
    stage.put("discord_sandbox", SANDBOX.replace("server = ", "time.sleep(60) or "))
    launcher = stage.launch()
    stage.started("sandbox")
    launcher.send_signal(signal.SIGTERM)
    assert launcher.wait(timeout=120) == 0
    assert stage.is_gone("sandbox")


def test_an_old_heartbeat_is_not_taken_for_the_new_bot(stage: Stage) -> None:
    (stage.folder / "data").mkdir()
    (stage.folder / "data" / "heartbeat").touch()
    stage.put("bot", "import time; time.sleep(1); raise SystemExit(1)")
    launcher = stage.launch()
    output, _ = launcher.communicate(timeout=120)
    assert output == ""
    assert launcher.returncode == 1


def test_a_bot_that_lives_is_not_said_to_be_ready_before_it_answers(stage: Stage) -> None:
    hold = stage.folder / "hold"
    hold.touch()
    launcher = stage.launch()
    wait_for((stage.folder / "data" / "heartbeat").exists)
    assert launcher.stdout is not None
    said, _, _ = select.select([launcher.stdout], [], [], 1.0)
    assert said == []
    hold.unlink()
    read_until(launcher, "Bob")


def test_a_taken_port_is_said_by_the_settings_name(stage: Stage) -> None:
    with socket.create_server(("127.0.0.1", stage.port)):
        launcher = stage.launch()
        _, errors = launcher.communicate(timeout=120)
    assert launcher.returncode == 78
    assert errors.startswith(f"cardroom: CARDROOM_PORT: port {stage.port} cannot be used")
    assert errors.count("\n") == 1
    assert not (stage.folder / "sandbox.started").exists()


def test_port_zero_takes_a_free_one(stage: Stage) -> None:
    launcher = stage.launch(CARDROOM_PORT="0")
    said = read_until(launcher, "Bob")
    arguments = stage.started("sandbox")["argv"]
    assert isinstance(arguments, list)
    assert arguments[3] != "0"
    assert f"http://127.0.0.1:{arguments[3]}/?person=Bob#key=" in said


@pytest.mark.parametrize("command", ["run", "bot"])
def test_with_a_token_the_launcher_becomes_the_bot(stage: Stage, command: str) -> None:
    launcher = stage.launch(command, "--accept-older", DISCORD_TOKEN="given")
    bot = stage.started("bot")
    assert (bot["pid"], bot["argv"]) == (launcher.pid, ["--accept-older"])
    environ = bot["environ"]
    assert isinstance(environ, dict)
    assert environ["DISCORD_TOKEN"] == "given"
    assert "DISCORD_API_BASE" not in environ
    assert not (stage.folder / "sandbox.started").exists()


def test_a_folder_named_bot_in_the_way_is_not_ours(stage: Stage) -> None:
    (stage.folder / "bot").mkdir()
    (stage.folder / "bot" / "__init__.py").write_text("raise SystemExit('not this one')")
    launcher = stage.launch()
    read_until(launcher, "Bob")


# ---------------------------------------------------------------------------------------------- supervised


ENDS = """
import pathlib, sys, time
with open("bot.starts", "a") as starts:
    print("{}", file=starts)
code = pathlib.Path("codes").read_text().split()[len(pathlib.Path("bot.starts").read_text().splitlines()) - 1]
if code != "stays":
    sys.exit(int(code))
pathlib.Path("stays").touch()
time.sleep(60)
"""
"""It ends with one code after the other, as they stand in a file."""
DAY: Final = 86_400.0


def supervise(stage: Stage, *codes: str, quick: bool = True) -> subprocess.Popen[str]:
    """Start a supervised bot that ends with these codes; with `quick` the pauses are a hundredth as long."""
    stage.put("bot", ENDS)
    (stage.folder / "codes").write_text(" ".join(codes))
    launcher = stage.folder / "tree" / "bot" / "launcher.py"
    if quick:
        pauses = launcher.read_text().replace("first * 2.0", "first / 100 * 2.0").replace("min(most", "min(most / 100")
        launcher.write_text(pauses)
    return stage.launch("bot", "--supervised", DISCORD_TOKEN="sample")


def test_a_supervised_bot_comes_back_after_any_number_of_ends(stage: Stage) -> None:
    codes = ("75", "73", "1")
    launcher = supervise(stage, *codes, *codes, "stays")
    wait_for((stage.folder / "stays").exists)
    assert len(stage.starts()) == 7
    launcher.send_signal(signal.SIGTERM)
    _, errors = launcher.communicate(timeout=120)
    assert launcher.returncode == 0
    for code in codes:
        assert errors.count(f"the bot ended by itself (exit code {code}); starting it again in ") == 2


def test_a_supervised_bot_that_ends_well_ends_the_command(stage: Stage) -> None:
    launcher = supervise(stage, "0")
    assert launcher.wait(timeout=120) == 0
    assert len(stage.starts()) == 1


def test_with_a_wrong_setting_a_supervised_bot_waits_and_a_signal_ends_the_wait(stage: Stage) -> None:
    launcher = supervise(stage, "78", "stays", quick=False)
    assert launcher.stderr is not None
    assert launcher.stderr.readline() == "cardroom: the bot ended by itself (exit code 78); starting it again in 60 s\n"
    time.sleep(2)
    assert len(stage.starts()) == 1
    assert launcher.poll() is None
    asked = time.monotonic()
    launcher.send_signal(signal.SIGTERM)
    assert launcher.wait(timeout=120) == 0
    assert time.monotonic() - asked < 5
    assert not (stage.folder / "stays").exists()


def starts_in_a_day(code: int) -> int:
    passed, starts = 0.0, 1
    while passed < DAY:
        passed += pause_after(code, starts)
        starts += 1
    return starts


def test_a_wrong_setting_does_not_use_up_the_days_identifies() -> None:
    assert starts_in_a_day(EXIT_CONFIGURATION) < 200


@pytest.mark.parametrize("code", [EXIT_DATABASE, EXIT_UNREACHABLE, 1])
def test_a_cause_that_goes_is_noticed_within_a_minute_however_long_it_lasted(code: int) -> None:
    assert pause_after(code, 1) <= 5
    assert max(pause_after(code, failures) for failures in (*range(1, 30), 10_000)) <= 60
