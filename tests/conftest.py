"""The real program, started as a user would start it, with a state folder of its own."""

from __future__ import annotations

import _thread
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from threading import Timer

import pexpect
import pytest
from click.testing import CliRunner

from duels.cli import main
from program import DUELS

UNWANTED = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "INSPECT_EVAL_MODEL")

# A shell's background job ignores Ctrl-C, and so would every program that a test starts.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Two more than there are cores: a quarter of the time tests wait for other programs."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ or not hasattr(os, "sched_getaffinity"):
        return None
    return len(os.sched_getaffinity(0)) + (0 if config.option.ring == "quick" else 2)


pytest_plugins = ["rings"]

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Spawn = Callable[..., "pexpect.spawn"]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A plain terminal, with a state folder of the test's own."""
    kept = {name: value for name, value in os.environ.items() if name not in UNWANTED}
    state = str(tmp_path / "state")
    where = {"XDG_STATE_HOME": state, "WIN_PD_OVERRIDE_LOCAL_APPDATA": state}
    # Windows has an encoding of its own for pipes.
    return kept | where | {"TERM": "dumb", "PYTHONIOENCODING": "utf-8", "DUELS_COMMAND": "duels"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the program saves games, in the state folder of `environment`."""
    return tmp_path / "state" / "duels" / "matches"


@pytest.fixture
def run(environment: dict[str, str]) -> Run:
    """Run `duels` through pipes to its end."""

    def run_duels(*args: str, typed: str | bytes = "", **more: object) -> object:
        data = typed.encode() if isinstance(typed, str) else typed
        done = subprocess.run(
            [*DUELS, *args],
            input=data,
            capture_output=True,
            timeout=120,
            env=more.pop("env", environment),
            **more,
        )
        done.stdout, done.stderr = (
            said.decode().replace(os.linesep, "\n") for said in (done.stdout, done.stderr)
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done

    return run_duels


@pytest.fixture
def call(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Run:
    """Run `duels` in this process, for what needs no process of its own: it starts at once.

    In the long ring it gets one all the same, if a process can be given such words and the test
    changes nothing in this process.
    """
    changes = (
        "registered" in request.fixturenames
        or "monkeypatch" in signature(request.function).parameters
    )
    is_long = request.config.option.ring == "long" and not changes
    start = request.getfixturevalue("run") if is_long else None

    def call_duels(*args: str, typed: str = "") -> object:
        if start and not any("\0" in arg for arg in args):
            return start(*args, typed=typed)
        monkeypatch.setattr(sys, "argv", ["duels", *args])
        watch = Timer(120, _thread.interrupt_main)
        watch.start()
        try:
            done = CliRunner(env=dict.fromkeys(UNWANTED)).invoke(
                main, args, input=typed, env=environment, prog_name="duels"
            )
        finally:
            watch.cancel()
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return subprocess.CompletedProcess(args, done.exit_code, done.stdout, done.stderr)

    return call_duels


@pytest.fixture
def spawn(environment: dict[str, str]) -> Spawn:
    """Start `duels` on a pseudo-terminal."""
    children: list[pexpect.spawn] = []

    def spawn_duels(*args: str, size: tuple[int, int] = (24, 80), **more: str) -> pexpect.spawn:
        child = pexpect.spawn(
            DUELS[0],
            [*DUELS[1:], *args],
            env=environment | more,
            dimensions=size,
            encoding="utf-8",
            timeout=60,
        )
        child.delaybeforesend = None  # every test waits for the prompt by itself
        child.delayafterclose = child.ptyproc.delayafterclose = 0.01
        children.append(child)
        return child

    yield spawn_duels
    for child in children:
        child.close(force=True)
