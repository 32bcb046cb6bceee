"""`invoices head`: Ray's head, whose control store is started again by itself."""

import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from serve_app.commands.ray_start import ray_start

Options = Annotated[list[str] | None, typer.Argument(metavar="[OPTIONS]...", help="Of ray start, such as --port=6379")]

# A control store that ends within this time cannot read what it keeps, or has no port: then all of the head ends.
_SOON_S = "5.0"


def head(options: Options = None) -> None:
    """Run Ray's head on this machine until it is stopped, with the environment of the service.

    Like `invoices env ray start --head --block`, but a lost control store (GCS) is restarted while the rest keeps
    running. The control store must persist its data on disk or in Redis.
    """
    # Nobody is shown what replicas print, and while a head starts, every process delays the one that answers HTTP.
    ray_start(["--head", "--block", "--include-log-monitor=false", *(options or [])], keeping_control_store)


def keeping_control_store(start: Callable[..., Any]) -> Callable[..., Any]:
    """Ray's function that starts one of its processes, with a restarting wrapper around the control store."""
    from serve_app.system import keep_running

    def started(command: list[str], process_type: str, *others: Any, **more: Any) -> Any:
        if process_type == "gcs_server":
            # Without the packages of this service, of which it needs none: it takes no memory to speak of.
            command = [sys.executable, "-I", "-S", keep_running.__file__, _SOON_S, *command]
        return start(command, process_type, *others, **more)

    return started
