"""One service at a time works in a data folder, and the kernel frees it when that one is gone."""

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from serve_app import folder_lock
from serve_app.commands.local_graph import DEFAULT_CONFIG, local_numbers, read_graph
from serve_app.domain.user_error import UserError
from serve_app.folder_lock import NAME, held_folder
from serve_app.settings import Settings

_HOLD = """
import sys, time
from serve_app.folder_lock import held_folder
from serve_app.settings import Settings
with held_folder(Settings(database_url=sys.argv[1]), sys.argv[2]):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    graph = local_numbers(read_graph(DEFAULT_CONFIG), 8123)
    return Settings(database_url=f"sqlite:///{tmp_path}/data/invoices.db", graph=graph)


@pytest.fixture
def other(settings: Settings) -> Iterator[subprocess.Popen[str]]:
    """Another process, of the service `one`."""
    command = [sys.executable, "-c", _HOLD, settings.database_url, "one"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_another_service_is_refused_and_told_who_is_there(settings: Settings, tmp_path: Path) -> None:
    expected = rf"{tmp_path}/data is in use by the service on port 8123 \(process {os.getpid()} on "
    with held_folder(settings, "one"), pytest.raises(UserError, match=expected), held_folder(settings, "two"):
        pass


def test_every_process_of_one_service_may_have_it(
    settings: Settings, other: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_lock, "_PATIENCE_S", 0.5)
    with held_folder(settings, "one"), held_folder(settings, "one"):
        other.kill()
        other.wait()
        with pytest.raises(UserError, match="in use"), held_folder(settings, "two"):
            pass


def test_it_is_free_again_at_the_end(settings: Settings) -> None:
    for service in ("one", "two"):
        with held_folder(settings, service):
            pass


def test_it_is_free_again_after_a_crash(settings: Settings, other: subprocess.Popen[str]) -> None:
    with pytest.raises(UserError, match=f"process {other.pid}"), held_folder(settings, "two"):
        pass
    other.send_signal(signal.SIGKILL)
    other.wait()
    with held_folder(settings, "two"):
        pass


def test_the_rest_of_a_service_that_was_killed_is_waited_for(
    settings: Settings, other: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # What a replica looks like whose command was killed: it holds the lock, and the process that is named is gone.
    monkeypatch.setattr("psutil.pid_exists", lambda _: False)
    monkeypatch.setattr(folder_lock, "_PATIENCE_S", 0.5)
    began = time.monotonic()
    with pytest.raises(UserError, match="in use"), held_folder(settings, "two"):
        pass
    assert time.monotonic() - began > 0.5
    monkeypatch.setattr(folder_lock, "_PATIENCE_S", 30.0)
    monkeypatch.setattr("time.sleep", lambda _: other.kill())
    with held_folder(settings, "two"):
        pass


def test_a_link_to_the_folder_is_the_same_folder(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "data")
    linked = settings.model_copy(update={"database_url": f"sqlite:///{tmp_path}/link/invoices.db"})
    with held_folder(settings, "one"), pytest.raises(UserError, match="in use"), held_folder(linked, "two"):
        pass


def test_folder_and_lock_are_their_owners_only(settings: Settings, tmp_path: Path) -> None:
    with held_folder(settings, "one"):
        lock = tmp_path / "data" / NAME
        assert stat.S_IMODE(lock.stat().st_mode) == 0o600
        assert stat.S_IMODE(lock.parent.stat().st_mode) == 0o700


def test_a_server_may_have_any_number_of_services(settings: Settings, tmp_path: Path) -> None:
    server = settings.model_copy(update={"database_url": "mongodb://host/invoices"})
    with held_folder(server, "one"), held_folder(server, "two"):
        assert list(tmp_path.iterdir()) == []
