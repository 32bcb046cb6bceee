"""A child that is started again whenever it ends, as Ray's control store is."""

import inspect
import subprocess
from collections.abc import Callable
from typing import Any, cast

import pytest
from ray._private import ray_constants, services

from serve_app.commands.head import keeping_control_store
from serve_app.system.kept_process import KeptProcess

KILLED = -9
LONG_AGO = -1.0
"""No child has lived for less than this: every one is started again."""


class Child:
    """A process that runs until it ends."""

    args = ("/ray/gcs_server", "--port=6379")

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.code: int | None = None

    def poll(self) -> int | None:
        return self.code

    def terminate(self) -> None:
        self.code = -15

    def kill(self) -> None:
        self.code = KILLED


@pytest.fixture
def started() -> list[Child]:
    return []


@pytest.fixture
def start(started: list[Child]) -> Callable[[], "subprocess.Popen[bytes]"]:
    def next_one() -> "subprocess.Popen[bytes]":
        started.append(Child(len(started)))
        return cast("subprocess.Popen[bytes]", started[-1])

    return next_one


Start = Callable[[], "subprocess.Popen[bytes]"]


def test_a_child_that_is_killed_is_started_again(
    start: Start, started: list[Child], capsys: pytest.CaptureFixture[str]
) -> None:
    kept = KeptProcess(start(), start, LONG_AGO)
    for _ in range(2):
        assert kept.poll() is None
        started[-1].code = KILLED
        assert kept.poll() is None
    assert kept.pid == len(started) - 1 == 2
    assert capsys.readouterr().err.splitlines() == ["/ray/gcs_server ended with -9 and is restarted"] * 2


def test_one_that_ends_at_once_has_ended(start: Start, started: list[Child]) -> None:
    kept = KeptProcess(start(), start, soon_s=1e9)
    started[-1].code = 3
    assert kept.poll() == 3
    assert len(started) == 1


@pytest.mark.parametrize("stop", [KeptProcess.terminate, KeptProcess.kill])
def test_one_that_is_stopped_has_ended(start: Start, started: list[Child], stop: Callable[[KeptProcess], None]) -> None:
    kept = KeptProcess(start(), start, LONG_AGO)
    stop(kept)
    assert kept.poll() is not None
    assert len(started) == 1


def test_ray_has_its_control_store_kept_and_nothing_else(start: Start, started: list[Child]) -> None:
    """Started by Ray itself both times, with the same command and options: no process stands between them."""
    commands: list[tuple[list[str], dict[str, Any]]] = []

    def note(command: list[str], _: str, **more: Any) -> Any:
        commands.append((command, more))
        return services.ProcessInfo(start(), None, None, False, False, False, False, False)

    changed = keeping_control_store(note, LONG_AGO)
    store, raylet = (
        changed([name], name, fate_share=True)
        for name in (ray_constants.PROCESS_TYPE_GCS_SERVER, ray_constants.PROCESS_TYPE_RAYLET)
    )
    for child in started:
        child.code = KILLED
    assert (store.process.poll(), raylet.process.poll()) == (None, KILLED)
    assert commands[2] == commands[0] == (["gcs_server"], {"fate_share": True})


def test_ray_starts_its_processes_by_the_function_that_is_changed_and_polls_them() -> None:
    assert list(inspect.signature(services.start_ray_process).parameters)[:2] == ["command", "process_type"]
    assert "start_ray_process(" in inspect.getsource(services.start_gcs_server)
    from ray._private.node import Node

    assert "process_info.process.poll()" in inspect.getsource(Node.dead_processes)
