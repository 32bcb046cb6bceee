"""`invoices doctor`: whether everything works that the service needs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.error import HTTPError
from urllib.request import urlopen

import typer

from serve_app.commands.checks import SECONDS, Doubt, checks, tried
from serve_app.commands.terminal import say
from serve_app.domain.user_error import UserError

if TYPE_CHECKING:
    from serve_app.settings import Settings


def doctor(
    port: Annotated[int, typer.Option(help="Port on which the service listens.")] = 8000,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Serve configuration (default: config/serve.yaml).")
    ] = None,
) -> None:
    """Check the requirements of the service, one line each; exit code 1 if a check fails.

    Nothing is made or changed. Loading and testing both models takes some seconds.
    """
    from serve_app.commands.local_graph import DEFAULT_CONFIG
    from serve_app.settings.reading import read_settings

    settings = read_settings()
    is_well = True
    for name, check in (*checks(config or DEFAULT_CONFIG), ("ports", lambda settings: _ports(settings, port))):
        verdict, text = tried(check, settings)
        is_well = is_well and verdict != "FAILS"
        say(f"{verdict:<6} {name:<8} {text}")
    if not is_well:
        raise typer.Exit(1)


def _ports(settings: "Settings", port: int) -> str:
    found = [f"the service is ready on {port}"]
    try:
        _get(f"http://127.0.0.1:{port}/readyz")
    except HTTPError as error:
        raise UserError(f"the service on port {port} is not ready ({error.code} from /readyz)") from None
    except OSError:
        raise Doubt(f"no service answers on 127.0.0.1:{port} (choose another with --port)") from None
    if settings.metrics_place is not None:
        host, metrics_port = settings.metrics_place
        local = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)  # noqa: S104 - compared with, not listened on
        try:
            is_ours = b"invoices_" in _get(f"http://{local}:{metrics_port}/metrics")
        except OSError:
            is_ours = False
        if not is_ours:
            raise Doubt(f"{found[0]}, but nothing answers scrapes on {settings.metrics_listen}")
        found.append(f"scrapes are answered on {settings.metrics_listen}")
    return ", ".join(found)


def _get(url: str) -> bytes:
    with urlopen(url, timeout=SECONDS) as answer:  # noqa: S310 - an address of this machine
        return bytes(answer.read())
