"""`invoices head`: Ray's head, whose control store is started again by itself."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

from serve_app.commands.ray_start import ray_start

Options = Annotated[list[str] | None, typer.Argument(metavar="[OPTIONS]...", help="Of ray start, such as --port=6379")]

# A control store that ends within this time cannot read what it keeps, or has no port: then all of the head ends.
_SOON_S = 5.0
_CLIENT_SERVER = "ray_client_server"


def head(options: Options = None) -> None:
    """Run Ray's head on this machine until it is stopped, with the environment of the service.

    Like `invoices env ray start --head --block`, but a lost control store (GCS) is restarted while the rest keeps
    running. The control store must persist its data on disk or in Redis.
    """
    # Nobody is shown what replicas print, and while a head starts, every process delays the one that answers HTTP.
    defaults = ["--head", "--block", "--include-log-monitor=false"]
    ray_start([*defaults, *(options or [])], lambda start: keeping_control_store(binding_client_server(start)))


def binding_client_server(start: Callable[..., Any]) -> Callable[..., Any]:
    """Ray's function that starts one of its processes, with Ray's client server on the loopback address. By default it
    listens on all; the service has no clients of it."""

    def started(command: list[str], process_type: str, *others: Any, **more: Any) -> Any:
        if process_type == _CLIENT_SERVER:
            command = [*command, "--host=127.0.0.1"]
        return start(command, process_type, *others, **more)

    return started


def keeping_control_store(start: Callable[..., Any], soon_s: float = _SOON_S) -> Callable[..., Any]:
    """Ray's function that starts one of its processes, which keeps the control store running: `ray start --block` asks
    every second whether its processes have ended."""
    from serve_app.system.kept_process import KeptProcess

    def started(command: list[str], process_type: str, *others: Any, **more: Any) -> Any:
        def once() -> Any:
            return start(command, process_type, *others, **more)

        info = once()
        if process_type != "gcs_server":
            return info
        return info._replace(process=KeptProcess(info.process, lambda: once().process, soon_s))

    return started
