"""Responses that are not domain resources: lists and errors. Only their schemas are used."""

from typing import Annotated, Literal

from pydantic import Field

from serve_app.domain.event import AnyEvent
from serve_app.domain.invoice import Invoice
from serve_app.domain.resource import Resource
from serve_app.domain.vendor import Vendor
from serve_app.http.error_table import ErrorType


class AcceptedInvoice(Invoice):
    """The accepted invoice."""

    # Optional in responses, but never null: `openapi` adds this to the schema.
    wait_timed_out: bool = False


class InvoiceList(Resource):
    """Invoices, newest first."""

    object: Literal["list"] = "list"
    data: list[Invoice]
    has_more: bool


class VendorList(Resource):
    """Vendors, highest spend first."""

    object: Literal["list"] = "list"
    data: list[Vendor]
    # Only with `starting_after`: `openapi` adds this to the schema.
    has_more: bool = False


class EventList(Resource):
    """Events, newest first. Without `type`, all are of the types `invoice.completed` and `invoice.failed`."""

    object: Literal["list"] = "list"
    data: list[AnyEvent]
    has_more: bool


class ErrorDetail(Resource):
    """The error: `code` for programs, `message` for people."""

    type: ErrorType
    """The kind of error."""
    code: str
    """The error code, for programs."""
    message: str
    """What happened and what to do, for people. The words can change."""
    param: str | None
    """The cause: a parameter, a header, a part of the form or the path of a property in the body."""
    doc_url: Annotated[str, Field(json_schema_extra={"format": "uri-reference"})]
    """The URL of the explanation, relative to this service."""


class ErrorEnvelope(Resource):
    """The body of every error."""

    error: ErrorDetail
