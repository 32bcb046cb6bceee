"""One service a port, though Serve's proxy would share it."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from serve_app.domain.user_error import UserError
from serve_app.system import ports
from serve_app.system.ports import held_port, refuse_shared_port

HOST = "127.0.0.1"
# As Serve's proxy does.
_LISTEN = """
import socket, sys, time
with socket.socket() as proxy:
    proxy.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    proxy.bind(("127.0.0.1", int(sys.argv[2])))
    proxy.listen()
    print("listening", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def proxy(port: int) -> Iterator[subprocess.Popen[str]]:
    """The proxy of another service, whose command line says `serve`."""
    command = [sys.executable, "-c", _LISTEN, "serve", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "listening\n"
        yield process
        process.kill()


def listen_as_the_proxy(port: int) -> socket.socket:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listening.bind((HOST, port))
    listening.listen()
    return listening


def test_a_port_that_is_held_is_still_free_for_the_proxy(port: int) -> None:
    with held_port(HOST, port), listen_as_the_proxy(port):
        pass


def test_a_second_service_is_refused_before_the_first_one_listens(port: int) -> None:
    with held_port(HOST, port), pytest.raises(UserError, match=f"by process {os.getpid()} "), held_port(HOST, port):
        pass


def test_a_second_service_on_another_address_of_the_port_is_refused(port: int) -> None:
    with held_port(HOST, port), pytest.raises(UserError, match="cannot listen"), held_port("0.0.0.0", port):  # noqa: S104
        pass


def test_no_other_program_gets_a_port_that_is_held(port: int) -> None:
    with held_port(HOST, port), socket.socket() as program, pytest.raises(OSError, match="in use"):
        program.bind((HOST, port))


def test_a_service_that_listens_is_named(port: int, proxy: subprocess.Popen[str]) -> None:
    named = rf"cannot listen on {HOST}:{port} \(Address already in use\) by process {proxy.pid} \(.*python.*, in /"
    with pytest.raises(UserError, match=named), held_port(HOST, port):
        pass


def test_the_port_is_free_again_at_the_end(port: int) -> None:
    for _ in range(2):
        with held_port(HOST, port):
            pass


def test_a_deployment_refuses_a_port_that_another_service_listens_on(port: int, proxy: subprocess.Popen[str]) -> None:
    # The proxy of the test is started by this process, as this process's own would be.
    refuse_shared_port(port)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ports, "_family", lambda: 1 << 30)
        with pytest.raises(UserError, match=f"port {port} is in use by process {proxy.pid}"):
            refuse_shared_port(port)


def test_a_deployment_refuses_a_port_that_another_service_holds(port: int) -> None:
    with held_port(HOST, port), pytest.MonkeyPatch.context() as patch:
        patch.setattr(ports, "_family", lambda: 1 << 30)
        with pytest.raises(UserError, match=f"port {port} is in use by process {os.getpid()}"):
            refuse_shared_port(port)


def test_a_deployment_may_have_a_free_port(port: int) -> None:
    refuse_shared_port(port)
