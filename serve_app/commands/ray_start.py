"""`ray start`, with what the service changes about it: `python -m serve_app.commands.ray_start [OPTIONS]`."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from serve_app.commands.agent_ports import choosing_ports

Start = Callable[..., Any]
"""Ray's function that starts one of its processes."""


def ray_start(options: Sequence[str], change: Callable[[Start], Start] = lambda start: start) -> None:
    """Start Ray on this machine with these options, and with ports for its agents; ends this process. `change`: what
    else is changed about the start of a process."""
    from serve_app.keys.ray_environment import ray_environment
    from serve_app.telemetry.service_log import collect_logs

    collect_logs()
    # Ray reads them when it is imported.
    os.environ.update(ray_environment())
    from ray._private import services
    from ray.scripts import scripts

    services.start_ray_process = change(choosing_ports(services.start_ray_process, options))
    sys.argv = ["ray", "start", *options]
    scripts.main()  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    ray_start(sys.argv[1:])
