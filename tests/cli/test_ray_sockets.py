"""A command whose /tmp is not that of Ray says so, instead of being ended by Ray."""

import inspect
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from ray._private import services

from serve_app.commands.errors import CommandError
from serve_app.commands.ray_sockets import check_sockets


def run_raylet(monkeypatch: pytest.MonkeyPatch, *sockets: Path) -> None:
    """Processes that others run, and a raylet with each of the sockets."""
    commands = [None, ["sh"], *(["raylet", f"--raylet_socket_name={socket}", "--port=1"] for socket in sockets)]
    found = [SimpleNamespace(info={"cmdline": command}) for command in commands]
    monkeypatch.setattr(psutil, "process_iter", lambda _: iter(found))


def test_sockets_in_another_folder_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_raylet(monkeypatch, tmp_path / "gone" / "raylet")
    with pytest.raises(CommandError, match="JoinsNamespaceOf") as caught:
        check_sockets()
    assert str(tmp_path / "gone") in str(caught.value)


def test_one_that_is_there_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "raylet").touch()
    run_raylet(monkeypatch, tmp_path / "gone", tmp_path / "raylet")
    check_sockets()


def test_without_a_ray_there_is_nothing_to_say(monkeypatch: pytest.MonkeyPatch) -> None:
    run_raylet(monkeypatch)
    check_sockets()


def test_ray_starts_its_raylet_with_this_option() -> None:
    assert 'f"--raylet_socket_name=' in inspect.getsource(services.start_raylet)
