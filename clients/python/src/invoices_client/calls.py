"""The operations of the service: each has a method, a path and the type of its answer."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import Any, Generic, TypeVar, cast
from urllib.parse import quote

import httpx
from pydantic import TypeAdapter

from invoices_client.models import (
    AcceptedInvoice,
    ApprovalRequested,
    Chart,
    DeletedEvent,
    Event,
    EventList,
    Export,
    ExportList,
    FileLink,
    Invoice,
    InvoiceList,
    Mail,
    MailList,
    Me,
    OwnField,
    OwnFieldList,
    PageAnswer,
    PurchaseOrder,
    PurchaseOrderList,
    PurchaseOrderRules,
    QualityAnswer,
    ReviewAnswer,
    VendorList,
    WebhookEndpoint,
    WebhookEndpointList,
    WebhookEndpointWithSecret,
)

T = TypeVar("T")


@dataclass(frozen=True)
class Call(Generic[T]):
    """An operation; `answer` is what its response is read as."""

    method: str
    path: str
    answer: Any

    def url(self, *ids: object) -> str:
        """The path with the ids in their places."""
        parts = iter(quote(str(id), safe="") for id in ids)
        return "/".join(next(parts) if part.startswith("{") else part for part in self.path.split("/"))

    def read(self, response: httpx.Response) -> T:
        """The answer in a successful response."""
        if self.answer is None or self.answer is bytes:
            return cast(T, response.content if self.answer else None)
        return cast(T, parse(self.answer, response.content))


CREATE_INVOICE = Call[AcceptedInvoice]("POST", "/v1/invoices", AcceptedInvoice)
LIST_INVOICES = Call[InvoiceList]("GET", "/v1/invoices", InvoiceList)
GET_INVOICE = Call[Invoice]("GET", "/v1/invoices/{id}", Invoice)
AMEND_INVOICE = Call[Invoice]("PATCH", "/v1/invoices/{id}", Invoice)
DELETE_INVOICE = Call[None]("DELETE", "/v1/invoices/{id}", None)
EXTRACT_AGAIN = Call[Invoice]("POST", "/v1/invoices/{id}/extract", Invoice)
REQUEST_APPROVAL = Call[ApprovalRequested]("POST", "/v1/invoices/{id}/approval", ApprovalRequested)
GET_FILE_LINK = Call[FileLink]("GET", "/v1/invoices/{id}/file", FileLink)
GET_EINVOICE = Call[bytes]("GET", "/v1/invoices/{id}/einvoice", bytes)
DOWNLOAD_FILE = Call[bytes]("GET", "/v1/files/{token}", bytes)
GET_REVIEW = Call[ReviewAnswer]("GET", "/v1/invoices/{id}/review", ReviewAnswer)
CHANGE_REVIEW = Call[ReviewAnswer]("PUT", "/v1/invoices/{id}/review", ReviewAnswer)
CHANGE_CODING = Call[Invoice]("PUT", "/v1/invoices/{id}/coding", Invoice)
GET_CHART = Call[Chart]("GET", "/v1/chart", Chart)
REPLACE_CHART = Call[Chart]("PUT", "/v1/chart", Chart)
GET_PAGE = Call[PageAnswer]("GET", "/v1/invoices/{id}/pages/{n}", PageAnswer)
GET_PICTURE = Call[bytes]("GET", "/v1/invoices/{id}/pages/{n}/picture", bytes)
GET_QUALITY = Call[QualityAnswer]("GET", "/v1/quality", QualityAnswer)
LIST_VENDORS = Call[VendorList]("GET", "/v1/vendors", VendorList)
LIST_EVENTS = Call[EventList]("GET", "/v1/events", EventList)
GET_EVENT = Call[Event | DeletedEvent]("GET", "/v1/events/{id}", Event | DeletedEvent)
CREATE_WEBHOOK_ENDPOINT = Call[WebhookEndpointWithSecret]("POST", "/v1/webhook_endpoints", WebhookEndpointWithSecret)
LIST_WEBHOOK_ENDPOINTS = Call[WebhookEndpointList]("GET", "/v1/webhook_endpoints", WebhookEndpointList)
GET_WEBHOOK_ENDPOINT = Call[WebhookEndpoint]("GET", "/v1/webhook_endpoints/{id}", WebhookEndpoint)
AMEND_WEBHOOK_ENDPOINT = Call[WebhookEndpoint]("PATCH", "/v1/webhook_endpoints/{id}", WebhookEndpoint)
DELETE_WEBHOOK_ENDPOINT = Call[None]("DELETE", "/v1/webhook_endpoints/{id}", None)
ROTATE_WEBHOOK_SECRET = Call[WebhookEndpointWithSecret](
    "POST", "/v1/webhook_endpoints/{id}/rotate_secret", WebhookEndpointWithSecret
)
LIST_MAILS = Call[MailList]("GET", "/v1/mails", MailList)
GET_MAIL = Call[Mail]("GET", "/v1/mails/{id}", Mail)
CREATE_EXPORT = Call[Export]("POST", "/v1/exports", Export)
LIST_EXPORTS = Call[ExportList]("GET", "/v1/exports", ExportList)
GET_EXPORT = Call[Export]("GET", "/v1/exports/{id}", Export)
GET_EXPORT_FILE = Call[bytes]("GET", "/v1/exports/{id}/file", bytes)
UNLOCK_INVOICE = Call[Invoice]("POST", "/v1/invoices/{id}/unlock", Invoice)
CREATE_PURCHASE_ORDER = Call[PurchaseOrder]("POST", "/v1/purchase-orders", PurchaseOrder)
LIST_PURCHASE_ORDERS = Call[PurchaseOrderList]("GET", "/v1/purchase-orders", PurchaseOrderList)
GET_PURCHASE_ORDER = Call[PurchaseOrder]("GET", "/v1/purchase-orders/{id}", PurchaseOrder)
AMEND_PURCHASE_ORDER = Call[PurchaseOrder]("PATCH", "/v1/purchase-orders/{id}", PurchaseOrder)
RECEIVE_PURCHASE_ORDER = Call[PurchaseOrder]("POST", "/v1/purchase-orders/{id}/receive", PurchaseOrder)
DELETE_PURCHASE_ORDER = Call[None]("DELETE", "/v1/purchase-orders/{id}", None)
GET_ORDER_RULES = Call[PurchaseOrderRules]("GET", "/v1/order-rules", PurchaseOrderRules)
SET_ORDER_RULES = Call[PurchaseOrderRules]("PUT", "/v1/order-rules", PurchaseOrderRules)
LIST_FIELDS = Call[OwnFieldList]("GET", "/v1/fields", OwnFieldList)
PUT_FIELD = Call[OwnField]("PUT", "/v1/fields/{name}", OwnField)
POINT_AT_VALUE = Call[Invoice]("PUT", "/v1/invoices/{id}/custom/{name}", Invoice)
DELETE_FIELD = Call[None]("DELETE", "/v1/fields/{name}", None)
DESCRIBE_ME = Call[Me]("GET", "/v1/me", Me)


@cache
def _adapter(answer: Any) -> TypeAdapter[Any]:
    return TypeAdapter(answer)


def parse(answer: Any, text: bytes | str) -> Any:
    """JSON as an answer. Decimals keep every digit."""
    return _adapter(answer).validate_python(json.loads(text, parse_float=Decimal))


def query_text(value: object) -> str:
    """A parameter as the service reads it."""
    if isinstance(value, (list, tuple)):
        return ",".join(query_text(each) for each in cast("Sequence[object]", value))
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, date):
        return value.isoformat()
    return f"{value:f}" if isinstance(value, Decimal) else str(value)
