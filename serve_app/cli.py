"""`invoices`: the command line of operators and engineers. Commands import what they need when they run."""

import importlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from serve_app.commands.accounts import account_app, key_app
from serve_app.commands.corrections import corrections_app
from serve_app.commands.env import env
from serve_app.commands.erase import delete_account, invoice_app
from serve_app.commands.extract import extract
from serve_app.commands.mail import mail_app
from serve_app.commands.models import models
from serve_app.commands.openapi import openapi
from serve_app.commands.serve import serve
from serve_app.commands.terminal import complain
from serve_app.commands.users import audit, user_app
from serve_app.commands.webhooks import webhook_app
from serve_app.domain.errors import ServiceError
from serve_app.domain.user_error import UserError

app = typer.Typer(
    name="invoices",
    help="Invoices in, structured data with honest confidence out.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(serve)
app.command()(extract)
app.command()(models)
app.command()(openapi)
app.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})(env)
app.add_typer(account_app, name="account")
account_app.command("delete")(delete_account)
app.add_typer(key_app, name="key")
app.add_typer(invoice_app, name="invoice")
app.add_typer(corrections_app, name="corrections")
app.add_typer(webhook_app, name="webhook")
app.add_typer(user_app, name="user")
app.add_typer(mail_app, name="mail")
app.command()(audit)


_MODEL_HELP = "A checkpoint's folder, or a JSON or YAML file of its user_config; else the bundled model."


@app.command()
def evaluate(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Documents with their true values.")],
    out: Annotated[Path, typer.Option(help="Folder for the report.")] = Path("out"),
    sets: Annotated[list[str] | None, typer.Option("--set", "--sets", help="Only these sets; may be repeated.")] = None,
    extractor: Annotated[str | None, typer.Option(metavar="MODEL", help=_MODEL_HELP)] = None,
    verifier: Annotated[str | None, typer.Option(metavar="MODEL", help=_MODEL_HELP)] = None,
    calibration: Annotated[Path | None, typer.Option(help="Calibration that goes with the models.")] = None,
    compare: Annotated[Path | None, typer.Option(metavar="RUN", help="Earlier OUT folder to compare with.")] = None,
    cache: Annotated[Path | None, typer.Option(help="Keep what was read here; times then mean little.")] = None,
) -> None:
    """Measure the models on documents whose values are known."""
    # Imported by name, because the service must not depend on the code that evaluates it.
    command = importlib.import_module("models.evaluation.command")
    command.run(command.Options(folder, out, sets or [], extractor, verifier, calibration, compare, cache))


def main() -> None:
    """Entry point: what the user can mend is one line on stderr and exit code 1, Ctrl-C is 130. Any other error is a
    defect, and shows its traceback."""
    try:
        app()
    except (UserError, ServiceError) as error:
        complain(f"invoices: {' '.join(str(error).split())}")
    except KeyboardInterrupt:
        sys.exit(130)
    else:
        return
    sys.exit(1)
