"""What a process needs to join this machine's Ray: sight of its sockets, without which Ray ends the process and raises
no error that could be caught, and the address on which it listens."""

import os
from collections.abc import Iterator, Mapping

import psutil

from serve_app.commands.errors import CommandError

_SOCKET = "--raylet_socket_name="
_HOST = "--node_ip_address="
_CONTROL_STORE = "--gcs-address="
_LOOPBACK = "127.0.0.1"


def check_sockets() -> None:
    """Raises CommandError if Ray runs here, but its sockets are out of sight: services of systemd have a /tmp of their
    own."""
    sockets = [*_options(_SOCKET)]
    if sockets and not any(map(os.path.exists, sockets)):
        raise CommandError(
            f"Ray's sockets are not in this {os.path.dirname(sockets[0])}; as a service of systemd, join the head's: "
            "systemd-run --property=JoinsNamespaceOf=invoices-head.service"
        )


def loopback_environment() -> Mapping[str, str]:
    """The environment variables with which a process finds a Ray of this machine that listens on the loopback address
    alone, as that of `invoices serve` does; must be set before the first import of Ray. By default Ray looks for the
    machine's other address, and waits for minutes."""
    hosts = {*_options(_HOST)}
    # Despite its name, on Linux as well.
    return {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"} if hosts == {_LOOPBACK} else {}


def local_address() -> str:
    """The address of the only Ray of this machine; "auto" if there are none or several. By itself, Ray takes the one
    that started last, which may have ended."""
    found = {*_options(_CONTROL_STORE)}
    return found.pop() if len(found) == 1 else "auto"


def _options(name: str) -> Iterator[str]:
    """The value of an option of each process of Ray on this machine."""
    for process in psutil.process_iter(["cmdline"]):
        for argument in process.info["cmdline"] or ():
            if argument.startswith(name):
                yield argument.removeprefix(name)
