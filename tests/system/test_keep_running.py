"""A program that is started again whenever it ends, as Ray's control store is."""

import inspect
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from serve_app.commands.head import keeping_control_store
from serve_app.system import keep_running

PROGRAM = Path(keep_running.__file__)


def kept(script: str, soon_s: float) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-I", "-S", PROGRAM, str(soon_s), "sh", "-c", script])


def test_a_program_that_is_killed_is_started_again_until_it_is_stopped(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    with kept(f"echo $$ >> {starts}; [ $(wc -l < {starts}) -lt 3 ] && kill -9 $$; exec sleep 60", soon_s=0) as process:
        while not starts.exists() or len(starts.read_text().split()) < 3:
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 128 + signal.SIGTERM
    assert len(starts.read_text().split()) == 3


def test_one_that_ends_at_once_is_not_started_again(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    with kept(f"echo $$ >> {starts}; exit 3", soon_s=30) as process:
        assert process.wait(30) == 3
    assert len(starts.read_text().split()) == 1


def test_ray_starts_its_control_store_so_and_nothing_else() -> None:
    from ray._private import ray_constants, services

    def note(command: list[str], process_type: str, **_: Any) -> None:
        started[process_type] = command

    started: dict[str, list[str]] = {}
    start = keeping_control_store(note)
    for name in (ray_constants.PROCESS_TYPE_GCS_SERVER, ray_constants.PROCESS_TYPE_RAYLET):
        start([name, "--option"], name, fate_share=True)
    assert started["gcs_server"][3:] == [str(PROGRAM), "5.0", "gcs_server", "--option"]
    assert started["raylet"] == ["raylet", "--option"]
    # Ray calls it so.
    assert list(inspect.signature(services.start_ray_process).parameters)[:2] == ["command", "process_type"]
    assert "start_ray_process(" in inspect.getsource(services.start_gcs_server)
