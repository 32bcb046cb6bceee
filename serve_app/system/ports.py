"""One service a port. Serve's proxy listens with SO_REUSEPORT: two of them on one port would answer in turn, without an
error."""

import contextlib
import itertools
import os
import socket
from collections.abc import Iterator

import psutil

from serve_app.domain.user_error import UserError

# Characters of a command line that are enough to recognise it.
_SHOWN = 120
_HINT = (
    "stop the other program, or choose another port (invoices serve --port 8010, or http_options.port in "
    "config/serve.yaml)"
)


@contextlib.contextmanager
def held_port(host: str, port: int) -> Iterator[None]:
    """Hold the port: Serve's proxy of this process can still listen on it, but no other program or service. Released at
    the end, also by a crash. Raises UserError, which names the other one, if the port is taken."""
    with socket.socket(socket.AF_UNIX) as mark, socket.socket() as place:
        try:
            # Abstract, so there is no file to remove, and valid where the port is: in this network namespace.
            # Port 0 is any free one, so nobody shares it.
            if port:
                mark.bind(f"\0{_mark(port)}")
        except OSError as error:
            raise _taken(host, port, error, _starting(port)) from error
        try:
            # As the server does, so that a closing connection from an earlier run does not block the port.
            place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            place.bind((host, port))
            # Only now, so that the port was free: the proxy is the one that may join.
            place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        except OSError as error:
            raise _taken(host, port, error, _listening(port)) from error
        yield


def refuse_shared_port(port: int) -> None:
    """Raises UserError, which names it, if another service or program than this one's proxy has the port."""
    ours = _family()
    others = [described for described in [*_starting(port, ours), *_listening(port, ours)] if described]
    if others:
        raise UserError(f"port {port} is in use by {others[0]}; {_HINT}")


def _taken(host: str, port: int, error: OSError, others: Iterator[str]) -> UserError:
    by = "".join(f" by {other}" for other in itertools.islice(others, 1))
    return UserError(f"cannot listen on {host}:{port} ({error.strerror}){by}; {_HINT}")


def _mark(port: int) -> str:
    return f"invoices-port-{port}"


def _starting(port: int, ours: int = 0) -> Iterator[str]:
    """The `invoices serve` that holds the port; it may not listen yet."""
    for connection in psutil.net_connections("unix"):
        if str(connection.laddr) == f"@{_mark(port)}" and not _belongs(connection.pid, ours):
            yield _described(connection.pid)


def _listening(port: int, ours: int = 0) -> Iterator[str]:
    for connection in psutil.net_connections("tcp"):
        is_here = connection.status == psutil.CONN_LISTEN and connection.laddr[1:] == (port,)
        if is_here and not _belongs(connection.pid, ours):
            yield _described(connection.pid)


def _family() -> int:
    """The process from which all of this service descend: Ray's of this node, or this one, which starts it."""
    parent = psutil.Process().parent()
    return parent.pid if parent and parent.name() == "raylet" else os.getpid()


def _belongs(pid: int | None, family: int) -> bool:
    return pid is not None and family in {pid, *(ancestor.pid for ancestor in _ancestors(pid))}


def _ancestors(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).parents()
    except psutil.Error:
        return []


def _described(pid: int | None) -> str:
    """The process that was started by hand: the `invoices serve` above a proxy, for one."""
    if pid is None:
        return "a process of another user"
    try:
        chain = [psutil.Process(pid), *_ancestors(pid)]
        started = next((each for each in chain if "serve" in each.cmdline()), chain[0])
        command = " ".join(" ".join(started.cmdline()).split()) or started.name()
        return f"process {started.pid} ({command[:_SHOWN]}, in {started.cwd()})"
    except psutil.Error:
        return f"process {pid}"
