"""Ports of Ray's agents that are chosen before the agents start.

By default the raylet waits for the ports that its agents choose, and aborts after a fixed 15 s, which a busy machine
exceeds (https://github.com/ray-project/ray/issues/65983). With ports in its command it starts at once, and reaches the
agents as soon as they answer. `ray.init` has no options for them, and `ray start` not for all.
"""

import contextlib
import random
import re
import socket
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

_LOOPBACK = "127.0.0.1"
# Below the ports that Linux hands out by itself, so that nothing gets one before the agent does.
RANGE = range(20_000, 32_000)
# One port a line, by the option of `ray start` for it, and by the names that the raylet and its agents, whose commands
# are among its arguments, have for it.
_OPTIONS = {
    "--dashboard-agent-grpc-port": ("metrics-agent-port", "grpc-port"),
    "--metrics-export-port": ("metrics_export_port", "metrics-export-port"),
    "--runtime-env-agent-port": ("runtime_env_agent_port", "runtime-env-agent-port"),
    "--dashboard-agent-listen-port": ("dashboard_agent_listen_port", "listen-port"),
}


@contextlib.contextmanager
def chosen_agent_ports() -> Iterator[None]:
    """While the block runs, a raylet that this process starts has agents on free ports that are chosen here."""
    from ray._private import services

    original = services.start_ray_process
    services.start_ray_process = choosing_ports(original)
    try:
        yield
    finally:
        services.start_ray_process = original


def choosing_ports(start: Callable[..., Any], options: Sequence[str] = ()) -> Callable[..., Any]:
    """Ray's function that starts one of its processes, with ports in the command of the raylet; those that `options` of
    `ray start` set stay."""
    own = frozenset(option.partition("=")[0] for option in options)

    def started(command: list[str], process_type: str, *others: Any, **more: Any) -> Any:
        if process_type == "raylet":
            command = with_ports(command, free_ports(len(_OPTIONS)), own)
        return start(command, process_type, *others, **more)

    return started


def with_ports(command: Sequence[str], ports: Sequence[int], own: Collection[str] = ()) -> list[str]:
    """The raylet's command with `ports` instead of those of Ray, of which most let the agents choose; without those
    that the options `own` set."""
    # Ray does not tell the raylet this one at all.
    changed = [*command, "--dashboard_agent_listen_port=0"]
    for (option, names), port in zip(_OPTIONS.items(), ports, strict=True):
        if option in own:
            continue
        port_of = re.compile(rf"(--(?:{'|'.join(names)})=)\d+\b")
        changed = [port_of.sub(rf"\g<1>{port}", argument) for argument in changed]
    return changed


def free_ports(count: int) -> list[int]:
    """Different ports of this machine on which nobody listens."""
    free = (port for port in random.sample(RANGE, len(RANGE)) if _is_free(port))
    return [next(free) for _ in range(count)]


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind((_LOOPBACK, port))
        except OSError:
            return False
    return True
