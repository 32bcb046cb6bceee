"""Running `invoices` as a user does."""

from collections.abc import Callable
from functools import cache
from unittest.mock import patch

import typer.testing
from typer.testing import CliRunner, Result

from serve_app.commands import cli

UNKNOWN = "00000000-0000-7000-8000-000000000000"
"""An id of the right form that nothing has."""
URL = "https://93.184.215.14/hook"
"""Of a receiver; an address, so that no name has to be looked up."""
Fails = Callable[..., str]
"""Runs a command that fails; gives the one line that it writes to stderr."""


# Else the runner makes all commands anew for each one, which takes half of its time.
patch.object(typer.testing, "_get_command", cache(typer.main.get_command)).start()


def run(*arguments: str, answer: str | None = None) -> str:
    """What a command that succeeds prints."""
    result = attempt(*arguments, answer=answer)
    assert result.exit_code == 0, result.output
    return result.stdout


def attempt(*arguments: str, answer: str | None = None) -> Result:
    """A command that may refuse; `answer` is what is typed at its questions."""
    return CliRunner().invoke(cli.app, arguments, input=answer, catch_exceptions=False)
