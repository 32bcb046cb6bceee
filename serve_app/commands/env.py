"""`invoices env`: runs a Ray command in the service's environment."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from serve_app.commands import ray_start
from serve_app.commands.errors import CommandError

Command = Annotated[list[str], typer.Argument(metavar="COMMAND...", help="Such as: ray start --head")]


def env(command: Command) -> None:
    """Run a Ray command with the environment that the service needs, above all the token for Ray's ports.

    The token is kept in ~/.ray/auth_token, which is created if it is missing, unless RAY_AUTH_TOKEN or
    RAY_AUTH_TOKEN_PATH is set.
    """
    from serve_app.keys.ray_environment import ray_environment

    _check_configuration(command)
    environment = {**os.environ, **ray_environment()}
    if command[:2] == ["ray", "start"]:
        command = [sys.executable, "-m", ray_start.__name__, *command[2:]]
    try:
        os.execvpe(command[0], command, environment)  # noqa: S606 - the operator's own command
    except OSError as error:
        raise CommandError(f"cannot run {command[0]} ({error.strerror})") from error


def _check_configuration(command: list[str]) -> None:
    """Ray ignores what it does not know in the service's configuration. Raises CommandError if something there is
    misspelt."""
    file = Path(command[-1])
    if command[:2] == ["serve", "deploy"] and file.is_file() and "serve_app.app:build" in file.read_text():
        from serve_app.commands.local_graph import read_graph

        read_graph(file)
