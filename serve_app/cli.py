"""`invoices`: the command line of operators and engineers. Commands import what they need when they run."""

import importlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from serve_app.commands.accounts import account_app, key_app
from serve_app.commands.errors import CommandError
from serve_app.commands.extract import extract
from serve_app.commands.serve import serve
from serve_app.commands.terminal import complain
from serve_app.domain.errors import ServiceError

app = typer.Typer(
    name="invoices",
    help="Invoices in, structured data with honest confidence out.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(serve)
app.command()(extract)
app.add_typer(account_app, name="account")
app.add_typer(key_app, name="key")


@app.command()
def evaluate(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Documents with their true values.")],
    out: Annotated[Path, typer.Option(help="Folder for the report.")],
    sets: Annotated[list[str] | None, typer.Option("--set", help="Only these sets; may be repeated.")] = None,
) -> None:
    """Measure the models on documents whose values are known."""
    # By name: the service itself must not depend on what measures it.
    importlib.import_module("models.evaluation.command").run(folder, out, sets or [])


def main() -> None:
    """Entry point: errors are one line on stderr and exit code 1, Ctrl-C is 130."""
    try:
        app()
    except (CommandError, ServiceError) as error:
        complain(f"invoices: {error}")
    except ValueError as error:
        complain(f"invoices: {' '.join(str(error).split())}")
    except KeyboardInterrupt:
        sys.exit(130)
    else:
        return
    sys.exit(1)
