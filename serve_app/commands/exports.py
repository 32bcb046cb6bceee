"""`invoices export`: files for other bookkeeping programs."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from uuid import UUID

import typer

from serve_app.commands.accounts import AccountArgument
from serve_app.commands.changes import command_line_actor
from serve_app.commands.errors import CommandError
from serve_app.commands.stores import checked_settings, open_for_command, run_on_store
from serve_app.commands.terminal import say
from serve_app.domain.errors import ExportNotFound, NothingToExport
from serve_app.domain.export import Export, ExportFormat

if TYPE_CHECKING:
    from serve_app.services.exports.service import Draft, ExportRequest, ExportService
    from serve_app.settings import Settings

T = TypeVar("T")

export_app = typer.Typer(no_args_is_help=True, help="Export invoices to other bookkeeping programs.")

_MAILTO = "mailto:"
FormatArgument = Annotated[ExportFormat, typer.Argument(metavar="FORMAT", help=", ".join(ExportFormat))]
ExportArgument = Annotated[UUID, typer.Argument(metavar="EXPORT", help="The export's id, see: invoices export list.")]
SettingsOption = Annotated[
    Path | None,
    typer.Option("--settings", metavar="FILE", help="JSON of the format's settings [default: the last export's]."),
]
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
ToOption = Annotated[
    str,
    typer.Option(
        "--to", metavar="PLACE", help="A folder, s3://bucket/prefix, sftp://user@host/path or mailto:name@host."
    ),
]


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
    place = _canonical(to)

    async def work(exports: "ExportService") -> "tuple[Export, Draft, bytes] | None":
        request = await _request(exports, account, format, settings, since, until, invoice, again)
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
    _deliver(configured, place, export, content)
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
        say(f"{export.id}  {made}  {export.format}  {len(export.invoices)} invoices  {file}")


@export_app.command()
def file(account: AccountArgument, export: ExportArgument, to: ToOption) -> None:
    """Write the file of an export once more."""
    configured = checked_settings()
    place = _canonical(to)
    found, content = _with_exports(configured, lambda exports: exports.content(account, export))
    _deliver(configured, place, found, content)
    say(f"{found.file_name}  sha256 {found.sha256}")


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
    chosen = await exports.last_settings(account, format) if settings is None else _read(settings)
    return ExportRequest(format, chosen, _day(since), _day(until), tuple(invoices or ()), again)


def _day(moment: datetime | None) -> date | None:
    return None if moment is None else moment.date()


def _read(path: Path) -> Mapping[str, Any]:
    try:
        found = json.loads(path.read_text())
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise CommandError(f"{path} is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise CommandError(f"{path}: the settings are an object, such as {{}}")
    return found


def _canonical(place: str) -> str:
    """Raises CommandError or UserError if nothing can be sent there."""
    from serve_app.domain.email_address import mail_server_form
    from serve_app.watched.places import canonical_place

    if not place.startswith(_MAILTO):
        return canonical_place(place)
    if mail_server_form(place.removeprefix(_MAILTO)) is None:
        raise CommandError(f"{place}: this is no e-mail address")
    return place


def _deliver(settings: "Settings", place: str, export: Export, content: bytes) -> None:
    from serve_app.services.ports import MailError
    from serve_app.services.watching.ports import FolderProblem

    try:
        if place.startswith(_MAILTO):
            asyncio.run(_mail(settings, place.removeprefix(_MAILTO), export, content))
        else:
            _put(settings, place, export.file_name, content)
    except (FolderProblem, MailError) as problem:
        said = f"{str(problem).removesuffix('.')}. The export is kept: send its file with `invoices export file`."
        raise CommandError(said) from problem


async def _mail(settings: "Settings", address: str, export: Export, content: bytes) -> None:
    from serve_app.mail.export import ComposeExport
    from serve_app.mail.factory import open_mailer, sender_of

    await open_mailer(settings).send(ComposeExport(sender_of(settings))(export, content, address))


def _put(settings: "Settings", place: str, name: str, content: bytes) -> None:
    from serve_app.watched.places import open_place
    from serve_app.wiring.watching import sftp_access_of

    folder = open_place(place, sftp_access_of(settings))
    try:
        folder.put(name, content)
    finally:
        folder.close()


def _with_exports(settings: "Settings", work: "Callable[[ExportService], Awaitable[T]]") -> T:
    from serve_app.services.exports.service import ExportService
    from serve_app.services.people.audit import AuditTrail

    return run_on_store(
        settings, lambda store: work(ExportService(store.exports, store.invoices, AuditTrail(store.audit)))
    )
