"""Whether this process sees the sockets of this machine's Ray. Ray ends a process that does not, without an error that
could be caught."""

import os
from collections.abc import Iterator

import psutil

from serve_app.commands.errors import CommandError

_OPTION = "--raylet_socket_name="


def check_sockets() -> None:
    """Raises CommandError if Ray runs here, but its sockets are out of sight: services of systemd have a /tmp of their
    own."""
    sockets = [*_sockets()]
    if sockets and not any(map(os.path.exists, sockets)):
        raise CommandError(
            f"Ray's sockets are not in this {os.path.dirname(sockets[0])}; as a service of systemd, join the head's: "
            "systemd-run --property=JoinsNamespaceOf=invoices-head.service"
        )


def _sockets() -> Iterator[str]:
    """Of each raylet of this machine."""
    for process in psutil.process_iter(["cmdline"]):
        for argument in process.info["cmdline"] or ():
            if argument.startswith(_OPTION):
                yield argument.removeprefix(_OPTION)
