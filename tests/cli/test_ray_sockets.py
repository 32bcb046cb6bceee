"""A command whose /tmp is not that of Ray says so, instead of being ended by Ray; one beside a Ray on the loopback
address finds it."""

import inspect
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from ray._private import services

from serve_app.commands.errors import CommandError
from serve_app.commands.ray_sockets import check_sockets, local_address, loopback_environment


def run_raylet(monkeypatch: pytest.MonkeyPatch, *sockets: Path) -> None:
    """Processes that others run, and a raylet with each of the sockets."""
    commands = [None, ["sh"], *(["raylet", f"--raylet_socket_name={socket}", "--port=1"] for socket in sockets)]
    run(monkeypatch, *commands)


def run(monkeypatch: pytest.MonkeyPatch, *commands: list[str] | None) -> None:
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


@pytest.mark.parametrize(
    ("hosts", "is_alone"),
    [(["127.0.0.1"], True), (["10.0.0.7"], False), (["127.0.0.1", "10.0.0.7"], False), ([], False)],
)
def test_a_ray_on_the_loopback_address_alone_is_looked_for_there(
    hosts: list[str], is_alone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(monkeypatch, ["sh"], *(["raylet", f"--node_ip_address={host}"] for host in hosts))
    assert bool(loopback_environment()) is is_alone


@pytest.mark.parametrize(
    ("stores", "address"), [(["10.0.0.7:6379"] * 2, "10.0.0.7:6379"), (["a:1", "b:1"], "auto"), ([], "auto")]
)
def test_the_only_ray_is_the_one_that_is_joined(
    stores: list[str], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(monkeypatch, ["sh"], *(["raylet", f"--gcs-address={store}"] for store in stores))
    assert local_address() == address


@pytest.mark.parametrize("option", ["raylet_socket_name", "node_ip_address", "gcs-address"])
def test_ray_starts_its_raylet_with_these_options(option: str) -> None:
    assert f'f"--{option}=' in inspect.getsource(services.start_raylet)
