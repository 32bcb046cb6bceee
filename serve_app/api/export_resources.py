"""Exports as `/v1/exports` answers them, and what it is sent."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, model_validator

from serve_app.domain import export
from serve_app.domain.export import MAX_INVOICES, ExportFormat
from serve_app.domain.resource import Resource
from serve_app.http.bodies import Body
from serve_app.services.exports.service import ExportRequest, Refused

_ID = "019e2f3a-5b1c-7d4e-8f60-718293a4b5c6"


class NotReadyInvoice(Resource):
    """An invoice that the export left out."""

    invoice_id: Annotated[UUID, Field(examples=[_ID])]
    """Its id."""
    reason: Annotated[str, Field(examples=["nobody has confirmed or approved it"])]
    """Why it is not ready."""


class BookedInvoice(Resource):
    """What became of an invoice in the other program."""

    invoice_id: Annotated[UUID, Field(examples=[_ID])]
    """Its id."""
    booked_as: Annotated[str | None, Field(examples=["4711"])]
    """The id of its bill in the program; null: it was not booked."""
    reason: Annotated[str | None, Field(examples=["Odoo has no account '4980'"])]
    """Why it was not booked; null if it was."""


class ExportDelivery(Resource):
    """Where the file of a scheduled export goes, and how that went."""

    place: Annotated[str, Field(examples=["mailto:ledger@example.com"])]
    """A folder, bucket or SFTP server, an address of e-mail, or a program: `odoo:`, `xero:`, `quickbooks:`."""
    tries: Annotated[int, Field(examples=[1])]
    """How often it was tried."""
    problem: Annotated[str | None, Field(examples=[None])]
    """Why the last try failed; null if it did not."""
    next_try_at: Annotated[datetime | None, Field(examples=[None])]
    """When it is tried next; null: no more."""
    delivered_at: Annotated[datetime | None, Field(examples=["2026-05-17T12:00:09.123456Z"])]
    """When it was delivered."""
    invoices: Annotated[list[BookedInvoice], Field(examples=[[]])]
    """Of a program, the invoices that were booked, and those that were not; otherwise empty."""


class Export(Resource):
    """A file for another program, with its receipt."""

    id: Annotated[UUID, Field(examples=["019e2f3a-4a5b-7c6d-8e7f-8091a2b3c4d5"])]
    """The id."""
    object: Literal["export"] = "export"
    """Always `export`."""
    format: Annotated[ExportFormat, Field(examples=["datev"])]
    """The program that the file is for."""
    created_at: Annotated[datetime, Field(examples=["2026-05-17T12:00:07.123456Z"])]
    """When it was made."""
    created_by: Annotated[str, Field(examples=["ann@example.com"])]
    """The person's address, or the name of the API key."""
    file_name: Annotated[str, Field(examples=["EXTF_Buchungsstapel_20260517_120007.csv"])]
    """The name of the file."""
    sha256: Annotated[str, Field(examples=["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"])]
    """The SHA-256 of the file, in hexadecimal."""
    size_bytes: Annotated[int, Field(examples=[2048])]
    """The size of the file."""
    has_file: Annotated[bool, Field(examples=[True])]
    """False once one of its invoices was deleted; the file went with it."""
    invoices: Annotated[list[UUID], Field(examples=[[_ID]])]
    """The invoices in it, in the order of the file."""
    notes: Annotated[list[str], Field(examples=[[]])]
    """What could not be written as it is in the invoice."""
    settings: Annotated[dict[str, Any], Field(examples=[{"client": 7}])]
    """The settings of the format, as far as they differ from the defaults."""
    delivery: Annotated[ExportDelivery | None, Field(examples=[None])] = None
    """Of an export that a schedule has made; null otherwise."""
    not_ready: Annotated[list[NotReadyInvoice] | None, Field(examples=[None])] = None
    """The newest 500 of the invoices that are not ready, in the response to the creation; null later."""


class ExportList(Resource):
    """Exports, newest first."""

    object: Literal["list"] = "list"
    """Always `list`."""
    data: list[Export]
    """The exports."""
    has_more: Annotated[bool, Field(examples=[False])]
    """Whether more entries follow."""


class NewExportBody(Body):
    """What to export."""

    format: ExportFormat
    """The program that the file is for."""
    settings: dict[str, Any] = Field(default_factory=dict)
    """The settings of the format, such as the accounts; documented with each format."""
    issued_since: date | None = None
    """Only invoices issued on this day or later."""
    issued_until: date | None = None
    """Only invoices issued on this day or earlier."""
    ids: list[UUID] = Field(default_factory=list, max_length=MAX_INVOICES)
    """Only these invoices. Without them, all that are in no export."""
    again: bool = False
    """Also those of `ids` that were exported before."""

    @model_validator(mode="after")
    def _again_needs_ids(self) -> "NewExportBody":
        if self.again and not self.ids:
            raise ValueError("`again` needs the `ids` of invoices.")
        return self

    def request(self) -> ExportRequest:
        """The same for the service."""
        return ExportRequest(
            self.format, self.settings, self.issued_since, self.issued_until, tuple(self.ids), self.again
        )


def export_answer(made: export.Export, refused: Sequence[Refused] | None = None) -> Export:
    """The answer for an export; `refused` are the invoices that its creation left out."""
    values: dict[str, Any] = {
        name: getattr(made, name)
        for name in ("id", "format", "created_at", "created_by", "file_name", "sha256", "size_bytes", "has_file")
    }
    not_ready = None
    if refused is not None:
        not_ready = [NotReadyInvoice(invoice_id=each.invoice.id, reason=each.reason) for each in refused]
    return Export(
        **values,
        invoices=list(made.invoices),
        notes=list(made.notes),
        settings=dict(made.settings),
        delivery=_delivery(made.delivery),
        not_ready=not_ready,
    )


def _delivery(known: export.ExportDelivery | None) -> ExportDelivery | None:
    if known is None:
        return None
    return ExportDelivery(
        place=known.place,
        tries=known.tries,
        problem=known.problem or None,
        next_try_at=known.due_at,
        delivered_at=known.delivered_at,
        invoices=[
            *(BookedInvoice(invoice_id=id, booked_as=None, reason=reason) for id, reason in known.refused.items()),
            *(BookedInvoice(invoice_id=id, booked_as=booked, reason=None) for id, booked in known.booked.items()),
        ],
    )
