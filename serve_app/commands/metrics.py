"""`invoices metrics`: where Prometheus finds the machines of a cluster."""

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from serve_app.commands.errors import CommandError
from serve_app.commands.terminal import say

metrics_app = typer.Typer(no_args_is_help=True, help="Targets for Prometheus.")


@metrics_app.callback()
def about() -> None:
    """A command of its own name, although it is the only one."""


@metrics_app.command("targets")
def targets(
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write to this file instead of the terminal.")
    ] = None,
    watch: Annotated[float | None, typer.Option(min=1, help="Repeat at this interval in seconds.")] = None,
) -> None:
    """Print the addresses of all machines of the running cluster for Prometheus (file_sd_configs)."""
    from serve_app.commands.models import reached_cluster
    from serve_app.settings.reading import read_settings

    place = read_settings().metrics_place
    if place is None:
        raise CommandError("METRICS_LISTEN is empty, so no machine serves metrics")
    with reached_cluster():
        while True:
            _write(targets_of(_machines(), *place), out)
            if watch is None:
                return
            time.sleep(watch)


def targets_of(machines: Sequence[str], host: str, port: int) -> str:
    """What Prometheus reads: each machine's address where it listens on all of them, else the one it listens on."""
    listens_everywhere = host in {"0.0.0.0", "::"}  # noqa: S104 - compared with, not listened on
    hosts = sorted(set(machines)) if listens_everywhere else [host]
    addresses = [f"[{each}]:{port}" if ":" in each else f"{each}:{port}" for each in hosts]
    return json.dumps([{"targets": addresses, "labels": {"service": "invoices"}}], indent=1) + "\n"


def _machines() -> list[str]:
    import ray

    nodes = ray.nodes()  # type: ignore[no-untyped-call]
    return [str(node["NodeManagerAddress"]) for node in nodes if node["Alive"]]


def _write(text: str, out: Path | None) -> None:
    if out is None:
        say(text.rstrip())
        return
    # Prometheus never reads half a file.
    partial = out.with_name(f".{out.name}.partial")
    partial.write_text(text, encoding="utf-8")
    partial.replace(out)
