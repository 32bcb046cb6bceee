"""Ray's workers forked from one process that has imported the service: `python -m ... FD`.

Each of them would import the same for itself: two seconds of CPU and 60 to 100 MB. The raylet starts `fork_worker.py`
in place of a worker; that asks the process here, which listens on FD, for a fork with its arguments, environment and
output. The process has no threads, so nothing is lost by the fork, and no secrets. It ends with the command that
started it, whose end of its standard input is then closed.
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
from runpy import run_path
from typing import Any

from serve_app.commands.fork_worker import FORKED, OUTPUTS

MODULES = ("models.loading", "models.pipeline", "serve_app.wiring.services")
"""What workers import sooner or later."""
RAY_MODULES = (
    *("ray.serve._private.controller", "ray.serve._private.proxy", "ray.serve._private.replica"),
    *("serve_app.app", "actors.application"),
)
"""The same; these import Ray."""
RAYLET = "RAY_RAYLET_PID"
"""The raylet's process. A worker ends with it."""
JOB = {"RAY_JOB_ID": "ffffffff"}
"""As in workers that the raylet starts before it knows whose they will be. Ray reads both only when it is imported."""
_BACKLOG = 64


@contextlib.contextmanager
def worker_fork_server(folder: str, program: Sequence[str] = ("-m", __name__)) -> Iterator[tuple[int, str]]:
    """The process, which runs this program of Python, for the block: its id, and where it listens, a socket in this
    folder. Workers that ask before it has imported everything wait. If it is lost, they import for themselves."""
    path = os.path.join(folder, "workers")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(_BACKLOG)
        process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, *program, str(listener.fileno())],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            pass_fds=(listener.fileno(),),
            start_new_session=True,
        )
    try:
        yield process.pid, path
    finally:
        process.kill()
        process.communicate()


def main() -> None:
    """Fork until standard input ends."""
    listener = socket.socket(fileno=int(sys.argv[1]))
    _import(MODULES)
    # The kernel removes workers that have ended.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for asker in _askers(listener):
        with asker, contextlib.suppress(OSError, ValueError):
            if worker := _forked(asker):
                listener.close()
                break
    else:
        return
    _run(worker)


def _import(modules: Sequence[str]) -> None:
    for module in modules:
        importlib.import_module(module)
    # What is shared stays shared longer if the garbage collector does not touch it.
    gc.collect()
    gc.freeze()


def _askers(listener: socket.socket) -> Iterator[socket.socket]:
    while sys.stdin not in (ready := select.select([listener, sys.stdin], [], [])[0]):
        if ready:
            yield listener.accept()[0]


def _forked(asker: socket.socket) -> dict[str, Any] | None:
    """In a fork, what the asker wants run; None in this process."""
    first, descriptors, _, _ = socket.recv_fds(asker, 1 << 20, len(OUTPUTS))
    worker: dict[str, Any] = json.loads(first + b"".join(iter(lambda: asker.recv(1 << 20), b"")))
    try:
        if _has_ray_of(worker["environment"][RAYLET]):
            if os.fork() == 0:
                for descriptor, output in zip(descriptors, OUTPUTS, strict=True):
                    os.dup2(descriptor, output)
                return worker
            asker.sendall(FORKED)
    finally:
        for descriptor in descriptors:
            os.close(descriptor)
    return None


def _has_ray_of(raylet: str) -> bool:
    """Whether this process has imported Ray for this raylet: for the first one that asks, it does."""
    if "ray" not in sys.modules:
        import_ray(raylet)
    return os.environ[RAYLET] == raylet


def import_ray(raylet: str) -> None:
    """Without the use of Ray's generator of random ids, which would go on in each fork where it was. Classes of actors
    are the only ones that draw an id when they are imported: they get one from the system."""
    os.environ.update({RAYLET: raylet, **JOB})
    from ray import ActorClassID

    actor: Any = importlib.import_module("ray.actor")

    class Drawn:
        @staticmethod
        def from_random() -> ActorClassID:
            return ActorClassID(os.urandom(ActorClassID.size()))

    actor.ActorClassID = Drawn
    try:
        _import(RAY_MODULES)
    finally:
        actor.ActorClassID = ActorClassID


def _run(worker: dict[str, Any]) -> None:
    """Be the worker that Ray's program in `arguments` makes of this process."""
    import ray

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    # When a worker has ended, the raylet kills what is left of its process group.
    os.setpgid(0, 0)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), sys.stdin.fileno())
    os.environ.clear()
    os.environ.update(worker["environment"])
    # Ray has read the environment when it was imported.
    ray._config.initialize("")
    os.chdir(worker["folder"])
    sys.argv = worker["arguments"]
    sys.path[0] = os.path.dirname(sys.argv[0])
    run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
