"""`invoices env`: runs a command of Ray in the service's environment."""

import os
from typing import Annotated

import typer

from serve_app.commands.errors import CommandError

Command = Annotated[list[str], typer.Argument(metavar="COMMAND...", help="Such as: ray start --head")]


def env(command: Command) -> None:
    """Run a command of Ray with what the service needs in its environment, above all the token that opens Ray's ports.

    The token is kept in ~/.ray/auth_token, which is made if it is missing, unless RAY_AUTH_TOKEN or RAY_AUTH_TOKEN_PATH
    is set.
    """
    from serve_app.ray_environment import ray_environment

    environment = {**os.environ, **ray_environment()}
    try:
        os.execvpe(command[0], command, environment)  # noqa: S606 - the operator's own command
    except OSError as error:
        raise CommandError(f"cannot run {command[0]} ({error.strerror})") from error
