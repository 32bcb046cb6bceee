"""The filters of `GET /v1/invoices`."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import Query

from serve_app.domain.invoice import ApprovalStatus, Source, Status
from serve_app.domain.order_match import OrderMatchStatus
from serve_app.domain.query import InvoiceQuery, ReviewFilter
from serve_app.http.parameters import Amount, Day, Flag, Identifier, Identifiers, Moment


async def invoice_query(
    status: Annotated[Status | None, Query()] = None,
    source: Annotated[Source | None, Query(description="The channel: `app`, `email` or `api`.")] = None,
    created_after: Annotated[Moment | None, Query(description="Strictly after; without an offset in UTC.")] = None,
    created_before: Annotated[Moment | None, Query(description="Strictly before; without an offset in UTC.")] = None,
    vendor: Annotated[
        str | None,
        Query(max_length=255, description="Part of the vendor's name; case and accents are ignored."),
    ] = None,
    paid: Annotated[Flag | None, Query()] = None,
    overdue: Annotated[
        Flag | None, Query(description="Only complete, unpaid invoices past their due date; false: all others.")
    ] = None,
    min_amount: Annotated[Amount | None, Query(description="Inclusive.")] = None,
    max_amount: Annotated[Amount | None, Query(description="Inclusive.")] = None,
    due_before: Annotated[Day | None, Query(description="Strictly before.")] = None,
    due_after: Annotated[Day | None, Query(description="Strictly after.")] = None,
    vendor_id: Annotated[Identifier | None, Query(description="The id of a vendor.")] = None,
    invoice_number: Annotated[str | None, Query(max_length=255, description="Exactly this number.")] = None,
    currency: Annotated[str | None, Query(pattern=r"^[A-Z]{3}$", description="Exactly this code, e.g. `EUR`.")] = None,
    entity_tag: Annotated[str | None, Query(max_length=60, description="Exactly this tag.")] = None,
    approval_status: Annotated[ApprovalStatus | None, Query()] = None,
    duplicate: Annotated[
        Flag | None, Query(description="Only duplicates of an older invoice; false: all others.")
    ] = None,
    batch: Annotated[
        Identifier | None, Query(description="Only the invoices of one file, by the `id` of `batch`.")
    ] = None,
    issued_after: Annotated[Day | None, Query(description="Strictly after.")] = None,
    issued_before: Annotated[Day | None, Query(description="Strictly before.")] = None,
    updated_after: Annotated[
        Moment | None,
        Query(description="Strictly after; with `sort` and `starting_after`, the position to continue from."),
    ] = None,
    review: Annotated[
        ReviewFilter | None,
        Query(description="The status of the review; `not_rejected`: all except rejected ones."),
    ] = None,
    has_alerts: Annotated[
        Flag | None, Query(description="Only invoices with an alert among their `checks`; false: all others.")
    ] = None,
    order_match: Annotated[
        OrderMatchStatus | None,
        Query(description="How the invoice matches purchase orders: `matched`, `differs` or `not_found`."),
    ] = None,
    order_id: Annotated[
        Identifier | None, Query(description="Only invoices that bill this purchase order, by its id.")
    ] = None,
    custom: Annotated[
        str | None,
        Query(max_length=550, description="Only invoices with this value of an own field: `delivery_date:2026-03-01`."),
    ] = None,
    ids: Annotated[
        Identifiers | None,
        Query(description="Only these invoices, separated by commas. Unknown ids are left out."),
    ] = None,
) -> InvoiceQuery:
    """The query that the parameters describe; "today" is the current day in UTC."""
    return InvoiceQuery(
        status=status,
        source=source,
        created_after=created_after,
        created_before=created_before,
        vendor=vendor,
        paid=paid,
        overdue=overdue,
        overdue_on=datetime.now(UTC).date(),
        min_amount=min_amount,
        max_amount=max_amount,
        due_before=due_before,
        due_after=due_after,
        vendor_id=vendor_id,
        invoice_number=invoice_number,
        currency=currency,
        entity_tag=entity_tag,
        approval_status=approval_status,
        duplicate=duplicate,
        batch=batch,
        issued_after=issued_after,
        issued_before=issued_before,
        updated_after=updated_after,
        review=review,
        has_alerts=has_alerts,
        order_match=order_match,
        order_id=order_id,
        custom=custom,
        ids=ids,
    )
