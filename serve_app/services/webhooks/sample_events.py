"""Test events, with which receivers can try their code."""

import logging
from datetime import datetime, timedelta
from decimal import Decimal
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import WebhookEndpointNotFound
from serve_app.domain.event import ENDS_OF_RUNS, AnyEvent, DeletedEvent, Event, EventType, LoggedEvent
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import (
    Confidence,
    Extraction,
    Failure,
    FailureCode,
    Field,
    FileInfo,
    Invoice,
    InvoiceReview,
    LineItem,
    ModelRevisions,
    ReviewStatus,
    Source,
)
from serve_app.domain.record import completed, failed
from serve_app.domain.target_precision import TargetPrecision
from serve_app.domain.usage import Usage
from serve_app.domain.webhook import Delivery
from serve_app.services.webhooks.lookup import endpoint_of, paused_endpoint
from serve_app.store.base import Deliveries, Endpoints
from serve_app.store.base.webhooks import EndpointPaused

_NET, _TAX = Decimal("100.00"), Decimal("19.00")
_FAILURE = Failure(code=FailureCode.NO_TEXT_FOUND, message="This is a test event: there is no document.")
_HEADER = (Field.VENDOR, Field.INVOICE_NUMBER, Field.AMOUNT, Field.CURRENCY, Field.ISSUED_AT, Field.DUE_AT, Field.TAX)

log = logging.getLogger(__name__)


class SampleEvents:
    """Delivers an event about an invented invoice to one endpoint, signed and retried like any other.

    The event appears in no list of events.
    """

    def __init__(self, endpoints: Endpoints, deliveries: Deliveries, clock: Clock = utc_now) -> None:
        self._endpoints = endpoints
        self._deliveries = deliveries
        self._clock = clock

    async def send(self, account_id: UUID, endpoint_id: UUID, type: EventType | None = None) -> Delivery:
        """The delivery, which is due at once. Without `type` it is of the first type that the endpoint wants.

        Raises LookupError if the endpoint is unknown or another account's, InvalidParameter if it
        is paused.
        """
        endpoint = await endpoint_of(self._endpoints, account_id, endpoint_id)
        chosen = type or (endpoint.types or ENDS_OF_RUNS)[0]
        event = LoggedEvent.of(sample_event(chosen, self._clock()), account_id)
        try:
            delivery = await self._deliveries.add_test(event, endpoint_id)
        except EndpointPaused:
            raise paused_endpoint() from None
        if delivery is None:
            raise WebhookEndpointNotFound
        log.info("test event added", extra={"account_id": str(account_id), "endpoint_id": str(endpoint_id)})
        return delivery


def sample_event(type: EventType, now: datetime) -> AnyEvent:
    """An event of this type about an invented invoice."""
    if type is EventType.DELETED:
        return DeletedEvent.about(new_id(), now)
    return Event.about(sample_invoice(type, now), now, type)


def sample_invoice(type: EventType, now: datetime) -> Invoice:
    """A finished invoice for an event of this type; it belongs to no account."""
    file = FileInfo(name="test-event.pdf", mime_type="application/pdf", size_bytes=12345)
    queued = Invoice(id=new_id(), source=Source.API, created_at=now, updated_at=now, file=file)
    if type is EventType.FAILED:
        return failed(queued, _FAILURE, now)
    return completed(queued, _extraction(now), now).model_copy(update=_changes(type, now))


def _changes(type: EventType, now: datetime) -> dict[str, object]:
    """What people have done to the invoice, in an event of this type."""
    match type:
        case EventType.REVIEWED:
            return {"review": InvoiceReview(status=ReviewStatus.CONFIRMED, by="test@example.com", at=now)}
        case EventType.UPDATED:
            return {"paid": True, "paid_at": now}
        case _:
            return {}


def _extraction(now: datetime) -> Extraction:
    item = LineItem(description="Test item", quantity=Decimal(1), unit_price=_NET, confidence=Confidence.HIGH)
    return Extraction(
        vendor_name="Test Vendor",
        invoice_number="TEST-1",
        amount=_NET + _TAX,
        currency="EUR",
        issued_at=now.date(),
        due_at=now.date() + timedelta(days=30),
        tax=_TAX,
        line_items=[item],
        field_confidence=dict.fromkeys((*_HEADER, Field.LINE_ITEMS), Confidence.HIGH),
        quality_score=1.0,
        auto_verified=True,
        pages=1,
        models=ModelRevisions(extractor="test", verifier="test"),
        usage=Usage(pages=1, ocr_pages=0, cpu_ms=0, gpu_ms=None),
        target_precision=TargetPrecision.STANDARD,
    )
