"""`invoices`: the command line of operators and engineers. Commands import what they need when they run."""

import errno
import importlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from serve_app.commands.account_limits import resume, set_limits, suspend
from serve_app.commands.account_reports import list_accounts, show_account, show_usage
from serve_app.commands.accounts import account_app, key_app
from serve_app.commands.backups import backup_app, restore, verify
from serve_app.commands.canaries import canary_app, diff
from serve_app.commands.charts import chart_app
from serve_app.commands.corrections import corrections_app
from serve_app.commands.data import data_app
from serve_app.commands.deploy import deploy
from serve_app.commands.doctor import doctor
from serve_app.commands.env import env
from serve_app.commands.erase import delete_account, invoice_app
from serve_app.commands.errors import CommandError
from serve_app.commands.evaluation import import_evaluation
from serve_app.commands.exports import export_app
from serve_app.commands.extract import extract
from serve_app.commands.files import files_app
from serve_app.commands.head import head
from serve_app.commands.keys import keys_app
from serve_app.commands.logs import logs
from serve_app.commands.mail import mail_app
from serve_app.commands.metrics import metrics_app
from serve_app.commands.migrate import migrate
from serve_app.commands.model_options import CalibrationOption, ModelOption, check_field, check_options
from serve_app.commands.models import models_app
from serve_app.commands.openapi import openapi
from serve_app.commands.operator_keys import operator_app
from serve_app.commands.orders import orders_app
from serve_app.commands.own_fields import field_app
from serve_app.commands.packages import package_app
from serve_app.commands.pins import list_pins, pin, unpin
from serve_app.commands.plan import plan
from serve_app.commands.plans import plans_app
from serve_app.commands.queue import queue
from serve_app.commands.registry import bind, card, fetch, list_versions, promote, roll_back, show
from serve_app.commands.render import render_app
from serve_app.commands.retention import archive, keep, receipts
from serve_app.commands.serve import serve
from serve_app.commands.terminal import complain
from serve_app.commands.training import DATA_PROGRAMS, MODEL_PROGRAMS, add_programs
from serve_app.commands.users import audit, user_app
from serve_app.commands.version import print_version
from serve_app.commands.watching import folder_app, watch
from serve_app.commands.webhooks import webhook_app
from serve_app.commands.why import why
from serve_app.domain.errors import ServiceError
from serve_app.domain.user_error import UserError

_OWN_PACKAGES = {"serve_app", "actors", "models"}
_OF_THE_MACHINE = frozenset(
    {errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC, errno.EROFS}
)
"""Errors of a disk or another resource that has come to its end, wherever a command meets them."""

app = typer.Typer(
    name="invoices",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def invoices(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Extract structured data from invoices, with a confidence for each value."""


app.command()(serve)
app.command()(extract)
app.command()(watch)
app.command()(queue)
app.command()(logs)
app.command()(why)
app.command()(doctor)
app.command()(deploy)
app.command()(migrate)
app.add_typer(backup_app, name="backup")
app.command()(restore)
app.command()(verify)
app.command()(openapi)
app.command()(plan)
app.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})(env)
app.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})(head)
app.add_typer(models_app, name="models")
models_app.command("list")(list_versions)
models_app.command("show")(show)
models_app.command("card")(card)
models_app.command("fetch")(fetch)
models_app.command("promote")(promote)
models_app.command("rollback")(roll_back)
models_app.command()(bind)
models_app.add_typer(canary_app, name="canary")
models_app.command()(diff)
app.add_typer(data_app, name="data")
add_programs(models_app, "models", MODEL_PROGRAMS)
add_programs(data_app, "data", DATA_PROGRAMS)
app.add_typer(account_app, name="account")
account_app.command("list")(list_accounts)
account_app.command("limit")(set_limits)
account_app.add_typer(plans_app, name="plans")
account_app.command("suspend")(suspend)
account_app.command("resume")(resume)
account_app.command("show")(show_account)
account_app.command("usage")(show_usage)
account_app.command("delete")(delete_account)
account_app.command("keep")(keep)
account_app.command("pin")(pin)
account_app.command("unpin")(unpin)
account_app.command("pins")(list_pins)
account_app.command("archive")(archive)
app.add_typer(key_app, name="key")
app.add_typer(operator_app, name="operator")
app.add_typer(invoice_app, name="invoice")
app.add_typer(corrections_app, name="corrections")
app.add_typer(webhook_app, name="webhook")
app.add_typer(user_app, name="user")
app.add_typer(keys_app, name="keys")
app.add_typer(mail_app, name="mail")
app.add_typer(folder_app, name="folder")
app.add_typer(export_app, name="export")
app.add_typer(package_app, name="package")
app.add_typer(chart_app, name="chart")
app.add_typer(field_app, name="field")
app.add_typer(orders_app, name="orders")
app.add_typer(metrics_app, name="metrics")
app.add_typer(files_app, name="files")
app.add_typer(render_app, name="render")
app.command()(audit)
app.command()(receipts)


@app.command()
def evaluate(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder with labelled documents.")],
    out: Annotated[Path, typer.Option(help="Folder for the report.")] = Path("out"),
    sets: Annotated[list[str] | None, typer.Option("--set", "--sets", help="Only these sets; can be repeated.")] = None,
    extractor: ModelOption = None,
    verifier: ModelOption = None,
    calibration: CalibrationOption = None,
    compare: Annotated[Path | None, typer.Option(metavar="RUN", help="Earlier OUT folder to compare with.")] = None,
    cache: Annotated[Path | None, typer.Option(help="Cache for the readings; times are then not meaningful.")] = None,
) -> None:
    """Measure the models on labelled documents."""
    check_options(folder, extractor=extractor, verifier=verifier, calibration=calibration)
    command = import_evaluation("models.evaluation.command")
    command.run(command.Options(folder, out, sets or [], extractor, verifier, calibration, compare, cache))


@app.command()
def label_next(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder with documents.")],
    out: Annotated[Path, typer.Option(help="Folder for the chosen documents; must be empty or new.")] = Path("label"),
    count: Annotated[int, typer.Option(min=1, help="How many to choose.")] = 50,
    labelled: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Documents that are labelled already: those like them wait.")
    ] = None,
    cache: Annotated[Path, typer.Option(help="What was read, for a run that goes on.")] = Path("build/label-next"),
) -> None:
    """Choose the documents to label next: those that together resemble all others most."""
    check_options(folder, *([labelled] if labelled else []))
    command = import_evaluation("models.evaluation.labelling.command")
    command.label_next(command.Options(folder, out, count, cache, labelled))


@app.command()
def explain(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An invoice.")],
    field: Annotated[str | None, typer.Option(help="Only this field, such as amount.")] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Also draw the pages.")] = None,
    extractor: ModelOption = None,
    verifier: ModelOption = None,
    calibration: CalibrationOption = None,
) -> None:
    """Explain the values of a file: model output, candidates and the reason for each level."""
    check_options(file, extractor=extractor, verifier=verifier, calibration=calibration)
    if field is not None:
        check_field(field)
    command = importlib.import_module("models.explain.command")
    try:
        command.run(command.Options(file, field, html, extractor, verifier, calibration))
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror or error}") from error


def main() -> None:
    """Entry point: what the user can repair, a full disk and a missing package included, is one line on stderr and exit
    code 1, Ctrl-C is 130. Any other error is a defect, and shows its traceback."""
    try:
        app()
    except (UserError, ServiceError) as error:
        complain(f"invoices: {' '.join(str(error).split())}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in _OWN_PACKAGES:
            raise
        complain(f"invoices: {error}; scripts/setup.sh train installs what training and checking models need")
    except OSError as error:
        if error.errno not in _OF_THE_MACHINE:
            raise
        complain(f"invoices: {': '.join(str(part) for part in (error.filename, error.strerror) if part)}")
    except KeyboardInterrupt:
        sys.exit(130)
    else:
        return
    sys.exit(1)
