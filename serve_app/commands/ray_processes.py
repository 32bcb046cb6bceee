"""Ray's own processes that a machine of one's own does without: 310 MB and three seconds of CPU at the start.

They collect logs, show a dashboard, answer `ray job` and `ray list`, export Ray's metrics, install what workers lack,
and start machines. The service has its own logs and metrics, its workers lack nothing, and there is one machine.
`ray.init` has no options for them.
"""

import contextlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from serve_app.commands import fork_worker
from serve_app.commands.worker_fork_server import ForkServer

_METHODS = ("start_log_monitor", "start_monitor", "start_api_server")
"""Of Ray's node, each of which starts one process."""
_AGENT = re.compile(r"(--(?:dashboard|runtime_env)_agent_command=).*", re.DOTALL)
# The raylet wants to start its agents, with options of its own, and ends with them.
_PLACEHOLDER = "sh -c 'exec sleep infinity'"
_WORKER = re.compile(r"(--python_worker_command=).*?/setup_worker\.py ", re.DOTALL)
# Up to the program that prepares the environment of a worker; then comes the command of the worker.


@contextlib.contextmanager
def only_needed_processes() -> Iterator[None]:
    """While the block runs, a Ray that this process starts has only the processes that run actors."""
    from ray._private import services
    from ray._private.node import Node

    start, methods = services.start_ray_process, {name: getattr(Node, name) for name in _METHODS}
    services.start_ray_process = without_agents(start)
    for name in _METHODS:
        setattr(Node, name, _start_nothing)
    try:
        yield
    finally:
        services.start_ray_process = start
        for name, method in methods.items():
            setattr(Node, name, method)


@contextlib.contextmanager
def forked_workers(server: ForkServer) -> Iterator[None]:
    """While the block runs, the workers of a Ray that this process starts are forks of one process, which ends with the
    block."""
    from ray._private import services

    start = services.start_ray_process
    with tempfile.TemporaryDirectory(prefix="invoices-") as folder, contextlib.closing(server):
        services.start_ray_process = with_forked_workers(start, server.listen(folder))
        try:
            yield
        finally:
            services.start_ray_process = start


def with_forked_workers(start: Callable[..., Any], path: str) -> Callable[..., Any]:
    """Ray's function that starts one of its processes; the raylet asks for its workers at the socket `path`."""
    program = [sys.executable, "-I", "-S", fork_worker.__file__, path]
    return _with_raylet(start, lambda argument: _WORKER.sub(rf"\g<1>{subprocess.list2cmdline(program)} ", argument))


def without_agents(start: Callable[..., Any]) -> Callable[..., Any]:
    """Ray's function that starts one of its processes; in the command of the raylet, the agents only wait."""
    return _with_raylet(start, lambda argument: _AGENT.sub(rf"\g<1>{_PLACEHOLDER}", argument))


def _with_raylet(start: Callable[..., Any], changed: Callable[[str], str]) -> Callable[..., Any]:
    """Ray's function that starts one of its processes, with changed arguments of the raylet."""

    def started(command: Sequence[str], process_type: str, *others: Any, **more: Any) -> Any:
        if process_type == "raylet":
            command = [changed(argument) for argument in command]
        return start(command, process_type, *others, **more)

    return started


def _start_nothing(_node: object, **_options: object) -> None:
    """In place of a method that starts a process."""
