"""Ray's workers forked from a process that has imported the service.

Each of them would import the same for itself: two seconds of CPU and 60 to 100 MB. The raylet starts `fork_worker.py`
in place of a worker; that asks the process here, at a socket, for a fork with its arguments, environment and output.

A command forks the process from itself, once it has imported everything (`fork_here`), so that both share it. Where
that is not possible, a process of its own imports it: `python -m ... FD`. It has no threads, so nothing is lost by the
fork. It ends with the command that started it, whose end of a pair of sockets is then closed.
"""

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from runpy import run_path
from typing import Any

import psutil

from serve_app.commands.fork_worker import FORKED, OUTPUTS

MODULES = (
    *("ray.serve._private.controller", "ray.serve._private.proxy", "ray.serve._private.replica"),
    *("serve_app.app", "actors.application", "serve_app.wiring.services", "models.loading"),
)
"""What workers import sooner or later."""
WORKER_VARIABLES = ("RAY_RAYLET_PID", "RAY_JOB_ID")
"""What the raylet gives to workers, and Ray reads only when it is imported: the process with which a worker ends, and
whose it is."""
_UNKNOWN_JOB = "ffffffff"
"""As in workers that the raylet starts before it knows whose they will be."""
_BACKLOG = 64
_INPUT, _OUTPUT = 0, 1


@dataclass(frozen=True, slots=True)
class ForkServer:
    """The process that forks workers, as the process sees it that started it."""

    process: psutil.Process | subprocess.Popen[bytes]
    control: socket.socket

    def listen(self, folder: str) -> str:
        """Fork workers for whoever asks at a socket in this folder: its path. Those that ask before everything is
        imported wait."""
        path = os.path.join(folder, "workers")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path)
            listener.listen(_BACKLOG)
            socket.send_fds(self.control, [FORKED], [listener.fileno()])
        return path

    def close(self) -> None:
        """End it. Workers that it has forked go on."""
        self.control.close()
        with contextlib.suppress(psutil.NoSuchProcess):
            self.process.kill()
        self.process.wait()


def fork_here() -> ForkServer:
    """A fork of this process, which imports everything first. It must have one thread, and must not have imported Ray
    yet. The fork never returns."""
    import_all(os.getpid())
    ours, theirs = socket.socketpair()
    if pid := os.fork():
        theirs.close()
        return ForkServer(psutil.Process(pid), ours)
    ours.close()
    os.setsid()
    _drop(_INPUT, _OUTPUT)
    fork_workers(theirs)
    sys.exit()


def start_program(program: Sequence[str] = ("-m", __name__)) -> ForkServer:
    """A process of its own, which runs this program of Python."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, *program, str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
        )
    return ForkServer(process, ours)


def main() -> None:
    import_all(os.getppid())
    fork_workers(socket.socket(fileno=int(sys.argv[1])))


def fork_workers(control: socket.socket) -> None:
    """Fork until the other end of `control` is closed."""
    # The kernel removes workers that have ended.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for asker in _askers(control):
        with asker, contextlib.suppress(OSError, ValueError):
            if worker := _forked(asker):
                break
    else:
        return
    control.close()
    _run(worker)


def _askers(control: socket.socket) -> Iterator[socket.socket]:
    _, listeners, _, _ = socket.recv_fds(control, 1, 1)
    for number in listeners:
        with socket.socket(fileno=number) as listener:
            while control not in select.select([listener, control], [], [])[0]:
                yield listener.accept()[0]


def _forked(asker: socket.socket) -> dict[str, Any] | None:
    """In a fork, what the asker wants run; None in this process."""
    first, descriptors, _, _ = socket.recv_fds(asker, 1 << 20, len(OUTPUTS))
    worker: dict[str, Any] = json.loads(first + b"".join(iter(lambda: asker.recv(1 << 20), b"")))
    try:
        if os.fork() == 0:
            for descriptor, output in zip(descriptors, OUTPUTS, strict=True):
                os.dup2(descriptor, output)
            return worker
        asker.sendall(FORKED)
    finally:
        for descriptor in descriptors:
            os.close(descriptor)
    return None


def import_all(owner: int) -> None:
    """Import what workers need. They end with the process `owner`.

    Without the use of Ray's generator of random ids, which would go on in each fork where it was: classes of actors are
    the only ones that draw an id when they are imported, and get one from the system.
    """
    os.environ.update(zip(WORKER_VARIABLES, (str(owner), _UNKNOWN_JOB), strict=True))
    from ray import ActorClassID

    actor: Any = importlib.import_module("ray.actor")

    class Drawn:
        @staticmethod
        def from_random() -> ActorClassID:
            return ActorClassID(os.urandom(ActorClassID.size()))

    actor.ActorClassID = Drawn
    try:
        for module in MODULES:
            importlib.import_module(module)
    finally:
        actor.ActorClassID = ActorClassID
    for name in WORKER_VARIABLES:
        del os.environ[name]
    # What is shared stays shared longer if the garbage collector does not touch it.
    gc.collect()
    gc.freeze()


def _run(worker: dict[str, Any]) -> None:
    """Be the worker that Ray's program in `arguments` makes of this process."""
    import ray

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    # When a worker has ended, the raylet kills what is left of its process group.
    os.setpgid(0, 0)
    os.environ.clear()
    os.environ.update(worker["environment"])
    # Ray has read the environment when it was imported.
    ray._config.initialize("")
    os.chdir(worker["folder"])
    sys.argv = worker["arguments"]
    sys.path[0] = os.path.dirname(sys.argv[0])
    run_path(sys.argv[0], run_name="__main__")


def _drop(*descriptors: int) -> None:
    with open(os.devnull, "r+b", buffering=0) as nothing:
        for descriptor in descriptors:
            os.dup2(nothing.fileno(), descriptor)


if __name__ == "__main__":
    main()
