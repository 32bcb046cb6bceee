"""Ray's own processes that a machine of one's own does without: 310 MB and three seconds of CPU at the start.

They collect logs, show a dashboard, answer `ray job` and `ray list`, export Ray's metrics, install what workers lack,
and start machines. The service has its own logs and metrics, its workers lack nothing, and there is one machine.
`ray.init` has no options for them.
"""

import contextlib
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

_METHODS = ("start_log_monitor", "start_monitor", "start_api_server")
"""Of Ray's node, each of which starts one process."""
_AGENT = re.compile(r"(--(?:dashboard|runtime_env)_agent_command=).*", re.DOTALL)
# The raylet wants to start its agents, with options of its own, and ends with them.
_PLACEHOLDER = "sh -c 'exec sleep infinity'"


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


def without_agents(start: Callable[..., Any]) -> Callable[..., Any]:
    """Ray's function that starts one of its processes; in the command of the raylet, the agents only wait."""

    def started(command: Sequence[str], process_type: str, *others: Any, **more: Any) -> Any:
        if process_type == "raylet":
            command = [_AGENT.sub(rf"\g<1>{_PLACEHOLDER}", argument) for argument in command]
        return start(command, process_type, *others, **more)

    return started


def _start_nothing(_node: object, **_options: object) -> None:
    """In place of a method that starts a process."""
