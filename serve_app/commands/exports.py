"""`invoices export`: files for other bookkeeping programs."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar
from uuid import UUID

import typer

from serve_app.commands.accounts import AccountArgument
from serve_app.commands.changes import command_line_actor
from serve_app.commands.errors import CommandError
from serve_app.commands.export_connections import connect, disconnect
from serve_app.commands.export_options import FormatArgument, SettingsOption, ToOption, read_format_settings
from serve_app.commands.export_schedules import schedule_app
from serve_app.commands.stores import checked_settings, open_for_command, run_on_store
from serve_app.commands.terminal import say
from serve_app.domain.errors import ExportNotFound, NothingToExport
from serve_app.domain.export import Export, ExportFormat
from serve_app.domain.ledger_connection import ledger_of

if TYPE_CHECKING:
    from serve_app.services.exports.service import Draft, ExportRequest, ExportService
    from serve_app.settings import Settings

T = TypeVar("T")

export_app = typer.Typer(no_args_is_help=True, help="Export invoices to other bookkeeping programs.")
export_app.add_typer(schedule_app, name="schedule")
export_app.command("connect")(connect)
export_app.command("disconnect")(disconnect)

ExportArgument = Annotated[UUID, typer.Argument(metavar="EXPORT", help="The export's id, see: invoices export list.")]
SinceOption = Annotated[
    datetime | None, typer.Option(formats=["%Y-%m-%d"], help="Only invoices issued on this day or later.")
]
UntilOption = Annotated[
    datetime | None, typer.Option(formats=["%Y-%m-%d"], help="Only invoices issued on this day or earlier.")
]
InvoiceOption = Annotated[
    list[UUID] | None, typer.Option("--invoice", metavar="ID", help="Only this invoice; can be repeated.")
]
AgainOption = Annotated[bool, typer.Option("--again", help="With --invoice: also if it was exported before.")]


@export_app.command()
def preview(
    account: AccountArgument,
    format: FormatArgument,
    settings: SettingsOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    invoice: InvoiceOption = None,
    again: AgainOption = False,
) -> None:
    """Print what an export would contain, and why other invoices are not ready."""

    async def work(exports: "ExportService") -> "Draft":
        request = await _request(exports, account, format, settings, since, until, invoice, again)
        return await exports.preview(account, request)

    draft = _with_exports(checked_settings(), work)
    _say_draft(draft)
    for note in draft.notes:
        say(f"note: {note}")


@export_app.command()
def create(
    account: AccountArgument,
    format: FormatArgument,
    to: ToOption,
    settings: SettingsOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    invoice: InvoiceOption = None,
    again: AgainOption = False,
) -> None:
    """Write all invoices that are ready and in no export yet into a file, and lock them."""
    configured = checked_settings()
    place, ledger = _canonical(configured, to), ledger_of(to)
    if ledger is not None and str(format) != str(ledger):
        raise CommandError(f"{place} books exports in the format {ledger}")

    async def work(exports: "ExportService") -> "tuple[Export, Draft, bytes] | None":
        request = await _request(exports, account, format, settings, since, until, invoice, again)
        if ledger is not None:
            request = replace(request, place=place)
        try:
            export, draft = await exports.create(account, request, command_line_actor())
        except NothingToExport as nothing:
            say(str(nothing))
            return None
        _, content = await exports.content(account, export.id)
        return export, draft, content

    made = _with_exports(configured, work)
    if made is None:
        return
    export, draft, content = made
    # The id first: whatever happens to the place, the file can be written again.
    say(f"{export.id}  {export.file_name}  {len(export.invoices)} invoices  sha256 {export.sha256}")
    if ledger is None:
        _deliver(configured, place, export, content)
    else:
        say("booked in the next minutes; see: invoices export list")
    for note in export.notes:
        say(f"note: {note}")
    _say_draft(draft)


@export_app.command("list")
def list_exports(
    account: AccountArgument,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Maximum number of exports.")] = 50,
    after: Annotated[UUID | None, typer.Option(metavar="ID", help="Continue after this export.")] = None,
) -> None:
    """List an account's exports, newest first."""
    page = _with_exports(checked_settings(), lambda exports: exports.list(account, limit, after))
    for export in page.items:
        file = export.sha256 if export.has_file else "file removed"
        made = f"{export.created_at:%Y-%m-%d %H:%M}"
        say(f"{export.id}  {made}  {export.format}  {len(export.invoices)} invoices  {file}{_delivery(export)}")


@export_app.command()
def file(account: AccountArgument, export: ExportArgument, to: ToOption) -> None:
    """Write the file of an export once more."""
    if ledger_of(to) is not None:
        raise CommandError(f"{to} is no place for files; see: invoices export deliver")
    configured = checked_settings()
    place = _canonical(configured, to)
    found, content = _with_exports(configured, lambda exports: exports.content(account, export))
    _deliver(configured, place, found, content)
    say(f"{found.file_name}  sha256 {found.sha256}")


@export_app.command()
def deliver(account: AccountArgument, export: ExportArgument) -> None:
    """Try the delivery of a scheduled export again, in the next minute."""
    _with_exports(checked_settings(), lambda exports: exports.deliver_again(account, export, command_line_actor()))
    say("due")


@export_app.command()
def documents(
    account: AccountArgument,
    export: ExportArgument,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The package, such as documents.zip.")],
) -> None:
    """Write the documents of an export as DATEV imports them beside the bookings: document.xml and the files."""
    if not file.absolute().parent.is_dir():
        raise CommandError(f"{file.parent} is not a folder")
    for id in asyncio.run(_write_documents(account, export, file, checked_settings())):
        say(f"the document of invoice {id} was removed")
    say(str(file))


async def _write_documents(account: UUID, export: UUID, file: Path, settings: "Settings") -> list[UUID]:
    from serve_app.services.exports.documents import write_documents
    from serve_app.store.files.factory import open_files

    async with open_for_command(settings) as store:
        found = await store.exports.get(account, export)
        if found is None:
            raise ExportNotFound
        files = open_files(settings)
        try:
            return await write_documents(file, found, store.invoices, files)
        finally:
            await files.close()


@export_app.command()
def unlock(
    account: AccountArgument, invoice: Annotated[UUID, typer.Argument(metavar="INVOICE", help="The invoice's id.")]
) -> None:
    """Let the values of an exported invoice be changed; the next export contains it again."""
    _with_exports(checked_settings(), lambda exports: exports.unlock(account, invoice, command_line_actor()))
    say("unlocked")


def _say_draft(draft: "Draft") -> None:
    totals = ", ".join(f"{total:f} {currency}" for currency, total in draft.totals.items())
    say(f"ready: {len(draft.bills)} invoices{f' ({totals})' if totals else ''}")
    for refused in draft.refused:
        say(f"not ready: {refused.invoice.id}  {refused.invoice.invoice_number or '-'}  {refused.reason}")
    if draft.has_more:
        say("more invoices are ready; the next export contains them")


async def _request(
    exports: "ExportService",
    account: UUID,
    format: ExportFormat,
    settings: Path | None,
    since: datetime | None,
    until: datetime | None,
    invoices: list[UUID] | None,
    again: bool,
) -> "ExportRequest":
    from serve_app.services.exports.service import ExportRequest

    if again and not invoices:
        raise CommandError("--again needs --invoice ID")
    chosen = await exports.last_settings(account, format) if settings is None else read_format_settings(settings)
    return ExportRequest(format, chosen, _day(since), _day(until), tuple(invoices or ()), again)


def _delivery(export: Export) -> str:
    if export.delivery is None:
        return ""
    if export.delivery.delivered_at is not None:
        return f"  delivered {export.delivery.delivered_at:%Y-%m-%d %H:%M} to {export.delivery.place}"
    return f"  not delivered to {export.delivery.place}: {export.delivery.problem or 'waiting'}"


def _day(moment: datetime | None) -> date | None:
    return None if moment is None else moment.date()


def _canonical(settings: "Settings", place: str) -> str:
    """Raises UserError if nothing can be sent there."""
    from serve_app.wiring.exports import Places

    return Places(settings).canonical(place)


def _deliver(settings: "Settings", place: str, export: Export, content: bytes) -> None:
    from serve_app.services.exports.ports import DeliveryFailed
    from serve_app.wiring.exports import Places

    try:
        asyncio.run(Places(settings).deliver(place, export, content))
    except DeliveryFailed as failure:
        said = f"{failure}. The export is kept: send its file with `invoices export file`."
        raise CommandError(said) from failure


def _with_exports(settings: "Settings", work: "Callable[[ExportService], Awaitable[T]]") -> T:
    from serve_app.wiring.exports import build_exports

    return run_on_store(settings, lambda store: work(build_exports(store)))
