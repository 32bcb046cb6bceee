"""One service at a time works in each folder, and the kernel frees it when that one is gone."""

import asyncio
import errno
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from serve_app.commands.local_graph import DEFAULT_CONFIG, local_numbers, read_graph
from serve_app.domain.user_error import UserError
from serve_app.settings import Settings
from serve_app.store.factory import open_files
from serve_app.system import folder_lock
from serve_app.system.folder_lock import NAME, lock_folders, port_of_service

_HOLD = """
import sys, time
from serve_app.system.folder_lock import lock_folders
from serve_app.settings import Settings
with lock_folders(Settings(database_url=sys.argv[1]).local_folders, sys.argv[2], 8123):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    graph = local_numbers(read_graph(DEFAULT_CONFIG), 8123)
    data = tmp_path / "data"
    return Settings(
        database_url=f"sqlite:///{data}/invoices.db", files_url=f"{data}/files", mail_folder=f"{data}/mail", graph=graph
    )


@pytest.fixture
def other(settings: Settings, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process, of the service `one`."""
    command = [sys.executable, "-c", _HOLD, settings.database_url, "one"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_another_service_is_refused_and_learns_who_is_there(settings: Settings, tmp_path: Path) -> None:
    expected = rf"{tmp_path}/data of DATABASE_URL is in use by the service on port 8123 \(process {os.getpid()} on "
    folders = settings.local_folders
    with (
        lock_folders(folders, "one", settings.port),
        pytest.raises(UserError, match=expected),
        lock_folders(folders, "two"),
    ):
        pass


def test_every_process_of_one_service_may_have_it(
    settings: Settings, other: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_lock, "_TIMEOUT_S", 0.5)
    with lock_folders(settings.local_folders, "one"), lock_folders(settings.local_folders, "one"):
        other.kill()
        other.wait()
        with pytest.raises(UserError, match="in use"), lock_folders(settings.local_folders, "two"):
            pass


def test_it_is_free_again_at_the_end(settings: Settings) -> None:
    for service in ("one", "two"):
        with lock_folders(settings.local_folders, service):
            pass


def test_it_is_free_again_after_a_crash(settings: Settings, other: subprocess.Popen[str]) -> None:
    with pytest.raises(UserError, match=f"process {other.pid}"), lock_folders(settings.local_folders, "two"):
        pass
    other.send_signal(signal.SIGKILL)
    other.wait()
    with lock_folders(settings.local_folders, "two"):
        pass


def test_the_rest_of_a_service_that_was_killed_is_waited_for(
    settings: Settings, other: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # What a replica looks like whose command was killed: it holds the lock, and the process that is named is gone.
    monkeypatch.setattr("psutil.pid_exists", lambda _: False)
    monkeypatch.setattr(folder_lock, "_TIMEOUT_S", 0.5)
    began = time.monotonic()
    with pytest.raises(UserError, match="in use"), lock_folders(settings.local_folders, "two"):
        pass
    assert time.monotonic() - began > 0.5
    monkeypatch.setattr(folder_lock, "_TIMEOUT_S", 30.0)
    monkeypatch.setattr("time.sleep", lambda _: other.kill())
    with lock_folders(settings.local_folders, "two"):
        pass


def test_the_port_of_the_service_is_known_while_it_runs(
    settings: Settings, other: subprocess.Popen[str], tmp_path: Path
) -> None:
    assert port_of_service([tmp_path / "empty"]) is None
    assert port_of_service(settings.local_folders) == 8123
    other.kill()
    other.wait()
    assert port_of_service(settings.local_folders) is None


def test_a_link_to_the_folder_is_the_same_folder(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "data")
    linked = settings.model_copy(update={"database_url": f"sqlite:///{tmp_path}/link/invoices.db"})
    with (
        lock_folders(settings.local_folders, "one"),
        pytest.raises(UserError, match="in use"),
        lock_folders(linked.local_folders, "two"),
    ):
        pass


@pytest.mark.parametrize(("name", "folder"), [("FILES_URL", "files"), ("MAIL_FOLDER", "mail")])
def test_every_local_folder_has_one_service(settings: Settings, tmp_path: Path, name: str, folder: str) -> None:
    """Also where the databases are different ones."""
    own = {
        "database_url": f"sqlite:///{tmp_path}/other/invoices.db",
        "files_url": f"{tmp_path}/other/files",
        "mail_folder": f"{tmp_path}/other/mail",
    }
    shared = settings.model_copy(update={**own, name.lower(): getattr(settings, name.lower())})
    expected = f"{tmp_path}/data/{folder} of {name} is in use by the service on port 8123"
    with (
        lock_folders(settings.local_folders, "one", settings.port),
        pytest.raises(UserError, match=expected),
        lock_folders(shared.local_folders, "two"),
    ):
        pass
    with (
        lock_folders(settings.local_folders, "one"),
        lock_folders(settings.model_copy(update=own).local_folders, "two"),
    ):
        pass


def test_the_lock_in_a_folder_of_files_is_no_file(settings: Settings) -> None:
    async def keys() -> list[str]:
        return [file.key async for file in open_files(settings).list_all()]

    with lock_folders(settings.local_folders, "one"):
        assert asyncio.run(keys()) == []


def test_files_on_a_network_file_system_without_locks_can_be_used(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(descriptor: int, operation: int) -> None:
        if "/files/" in os.readlink(f"/proc/self/fd/{descriptor}"):
            raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.flock", refuse)
    with lock_folders(settings.local_folders, "one"):
        pass


def test_folder_and_lock_are_their_owners_only(settings: Settings, tmp_path: Path) -> None:
    with lock_folders(settings.local_folders, "one"):
        lock = tmp_path / "data" / NAME
        assert stat.S_IMODE(lock.stat().st_mode) == 0o600
        assert stat.S_IMODE(lock.parent.stat().st_mode) == 0o700


def test_a_server_may_have_any_number_of_services(settings: Settings, tmp_path: Path) -> None:
    server = settings.model_copy(update={"database_url": "mongodb://host/invoices"})
    with lock_folders(server.local_folders, "one"), lock_folders(server.local_folders, "two"):
        assert list(tmp_path.iterdir()) == []
