"""Watched folders on the command line."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from serve_app.commands.side_thread import running_in_thread
from serve_app.commands.watching import watching
from serve_app.settings.reading import read_settings
from tests.cli.command_line import UNKNOWN, Fails, run
from tests.support.watching import pdf


def test_operators_add_pause_and_remove_folders(account: str, folder: Path, fails: Fails) -> None:
    (folder / "in").mkdir()
    id = run("folder", "add", "in").strip()
    assert run("folder", "list") == f"{id}  {account}  0/0/0  {folder}/in  ok\n"
    assert run("folder", "pause", id) == "paused\n"
    assert run("folder", "list").endswith("paused\n")
    assert run("folder", "resume", id) == "watched\n"
    assert run("folder", "remove", id) == "removed\n"
    assert run("folder", "list") == ""
    assert "no such watched folder" in fails("folder", "remove", UNKNOWN)
    run("account", "create")
    assert "--account ID is needed" in fails("folder", "add", "in")


def test_watching_is_a_process_that_ends_on_request(account: str, folder: Path) -> None:
    (folder / "in").mkdir()
    (folder / "in/a.pdf").write_bytes(pdf("a"))
    (folder / "in/b.txt").write_bytes(b"no document")
    quick = {"WATCH_SETTLE_SECONDS": "0", "WATCH_POLL_SECONDS": "0.1", "METRICS_LISTEN": ""}
    with subprocess.Popen(
        (sys.executable, "-c", "from serve_app.commands.cli import main; main()", "watch", "in"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=folder,
        env=os.environ | quick | {"PYTHONPATH": str(Path(__file__).parents[2])},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"Watching {folder}/in (stop with Ctrl-C)\n"
        end = time.monotonic() + 60
        while not (folder / "in/failed/b.txt").exists() and time.monotonic() < end:
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        assert process.stdout.read() == "Stopped.\n"
    assert process.returncode == 0
    assert "oldest waiting: none" not in run("queue", "--once")
    assert (folder / "in/a.pdf").exists()
    assert (folder / "in/failed/b.txt.json").exists()


def test_a_command_that_waits_watches_folders_beside_it(account: str, folder: Path) -> None:
    (folder / "in").mkdir()
    (folder / "in/b.txt").write_bytes(b"no document")
    run("folder", "add", "in")
    quick = read_settings().model_copy(update={"watch_settle_seconds": 0.0, "watch_poll_seconds": 0.05})
    with running_in_thread("watch", lambda: watching(quick)):
        end = time.monotonic() + 60
        while not (folder / "in/failed/b.txt").exists() and time.monotonic() < end:
            time.sleep(0.05)
    assert (folder / "in/failed/b.txt.json").exists()
    assert "0/0/1" in run("folder", "list")
