"""`invoices chart`: what accounts book their invoices on."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from serve_app.coding.codes_file import CodesFile, ImportPreview, decoded, parse_codes, previews_of
from serve_app.coding.starting_charts import STARTING_CHARTS, starting_chart
from serve_app.commands.changes import command_line_actor
from serve_app.commands.errors import CommandError
from serve_app.commands.stores import checked_settings, run_on_store
from serve_app.commands.terminal import say
from serve_app.domain.chart import ACCOUNT, Chart
from serve_app.domain.errors import ServiceError
from serve_app.services.coding.chart import ChartService
from serve_app.services.people.audit import AuditTrail

if TYPE_CHECKING:
    from serve_app.store.base import Store

chart_app = typer.Typer(no_args_is_help=True, help="Show and import the codes that an account books its invoices on.")

AccountArgument = Annotated[UUID, typer.Argument(metavar="ACCOUNT", help="The account's id.")]


@chart_app.command("show")
def show_chart(account: AccountArgument) -> None:
    """Print an account's codes: dimension, code, whether it is active, name."""

    async def work(store: "Store") -> Chart:
        return await store.charts.of_account(account)

    for dimension in run_on_store(checked_settings(), work).dimensions:
        for code in dimension.codes:
            say(f"{dimension.key}  {code.code}  {'active' if code.active else 'inactive'}  {code.name}")


@chart_app.command("import")
def import_chart(
    account: AccountArgument,
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help=f"A CSV file with a header, or one of {', '.join(STARTING_CHARTS)}."),
    ],
    dimension: Annotated[
        str, typer.Option(help="The dimension of lines that name none, such as cost_center.")
    ] = ACCOUNT,
    preview: Annotated[bool, typer.Option("--preview", help="Print what would change, and change nothing.")] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Make codes inactive that are not in the file.")] = False,
) -> None:
    """Add codes from a CSV file with the columns `code` and `name`, and perhaps `active` and `dimension`."""
    codes = _read(file, dimension)
    if codes.problems:
        raise CommandError("nothing was imported:\n" + "\n".join(codes.problems))

    async def work(store: "Store") -> list[ImportPreview]:
        if await store.accounts.get(account) is None:
            raise CommandError(f"there is no account {account}")
        previews = previews_of(await store.charts.of_account(account), codes)
        if not preview:
            charts = ChartService(store.charts, AuditTrail(store.audit))
            await charts.import_codes(account, codes, command_line_actor(), replaces=replace)
        return previews

    try:
        previews = run_on_store(checked_settings(), work)
    except ServiceError as error:
        raise CommandError(error.message) from error
    for each in previews:
        say(_text_of(each, replace))
    say("nothing was changed" if preview else "imported")


def _read(file: str, dimension: str) -> CodesFile:
    if file in STARTING_CHARTS:
        return starting_chart(file)
    try:
        return parse_codes(decoded(Path(file).read_bytes()), dimension)
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror}") from error


def _text_of(preview: ImportPreview, replaces: bool) -> str:
    missing = f", {len(preview.missing)} not in the file {'become inactive' if replaces else 'stay'}"
    return (
        f"{preview.key}  {len(preview.added)} new, {len(preview.changed)} changed, {preview.unchanged} unchanged"
        f"{missing if preview.missing else ''}"
    )
