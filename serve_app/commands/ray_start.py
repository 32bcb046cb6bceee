"""`ray start`, with what the service changes about it: `python -m serve_app.commands.ray_start [OPTIONS]`."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from serve_app.commands.agent_ports import choosing_ports, free_ports
from serve_app.commands.firewall import open_ports
from serve_app.commands.terminal import complain

Start = Callable[..., Any]
"""Ray's function that starts one of its processes."""
_RAYLET_PORTS = ("--node-manager-port", "--object-manager-port")


def ray_start(options: Sequence[str], change: Callable[[Start], Start] = lambda start: start) -> None:
    """Start Ray on this machine with these options, and with ports for its agents; ends this process. `change`: what
    else is changed about the start of a process."""
    from serve_app.keys.ray_environment import ray_environment
    from serve_app.telemetry.service_log import collect_logs

    collect_logs()
    complain(open_ports(options))
    # Ray reads them when it is imported.
    os.environ.update(ray_environment())
    from ray._private import services
    from ray.scripts import scripts

    services.start_ray_process = change(choosing_ports(services.start_ray_process, options))
    sys.argv = ["ray", "start", *raylet_ports(options), *options]
    scripts.main()  # type: ignore[no-untyped-call]


def raylet_ports(options: Sequence[str]) -> list[str]:
    """Options for the raylet's ports that `options` do not set. They are chosen in the range of its agents' ports,
    because a firewall cannot name those that Ray would choose."""
    given = {option.partition("=")[0] for option in options}
    return [
        f"{name}={port}"
        for name, port in zip(_RAYLET_PORTS, free_ports(len(_RAYLET_PORTS)), strict=True)
        if name not in given
    ]


if __name__ == "__main__":
    ray_start(sys.argv[1:])
