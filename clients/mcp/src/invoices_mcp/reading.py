"""Tools that change nothing."""

import base64
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, ImageContent
from pydantic import Field

from invoices_client.models.parameters import ListInvoicesQuery, ListVendorsQuery
from invoices_client.models.reviews import ReviewAnswer, ReviewField, ReviewTable, ReviewTaxTable
from invoices_mcp.access import access_of
from invoices_mcp.answers import (
    Candidate,
    FieldAnswer,
    FieldValues,
    InvoiceAnswer,
    InvoicesAnswer,
    PageAnswer,
    VendorsAnswer,
    invoice_answer,
    result,
    summary,
    text_of,
    vendor_answer,
)
from invoices_mcp.untrusted import META, visible

InvoiceId = Annotated[str, Field(description="The id of an invoice.", min_length=1, max_length=64)]
_Limit = Annotated[int, Field(ge=1, le=50)]


async def get_invoice(invoice_id: InvoiceId, ctx: Context[Any, Any]) -> Annotated[CallToolResult, InvoiceAnswer]:
    """Read an invoice: each value with its level of confidence, and what a person should look at."""
    answer = invoice_answer(await access_of(ctx).client.invoices.retrieve(invoice_id))
    return result(answer, said=summary(answer))


async def search_invoices(
    ctx: Context[Any, Any],
    vendor: Annotated[str | None, Field(description="Part of the vendor's name.")] = None,
    invoice_number: Annotated[str | None, Field(description="Exactly this number.")] = None,
    status: Literal["queued", "processing", "complete", "failed"] | None = None,
    review: Literal["open", "confirmed", "rejected", "not_rejected"] | None = None,
    paid: bool | None = None,
    overdue: Annotated[bool | None, Field(description="Complete, unpaid and past the due date.")] = None,
    has_alerts: Annotated[bool | None, Field(description="With an alert, such as a new bank account.")] = None,
    min_amount: Decimal | None = None,
    max_amount: Decimal | None = None,
    currency: Annotated[str | None, Field(description="ISO 4217, such as EUR.")] = None,
    issued_after: Annotated[date | None, Field(description="Strictly after.")] = None,
    issued_before: Annotated[date | None, Field(description="Strictly before.")] = None,
    due_before: Annotated[date | None, Field(description="Strictly before.")] = None,
    tag: str | None = None,
    batch: Annotated[str | None, Field(description="The invoices of one file.")] = None,
    limit: _Limit = 20,
    starting_after: Annotated[str | None, Field(description="`next` of the page before.")] = None,
) -> Annotated[CallToolResult, InvoicesAnswer]:
    """Find invoices by any of the filters, newest first."""
    filters = {
        "vendor": vendor,
        "invoice_number": invoice_number,
        "status": status,
        "review": review,
        "paid": paid,
        "overdue": overdue,
        "has_alerts": has_alerts,
        "min_amount": min_amount,
        "max_amount": max_amount,
        "currency": currency,
        "issued_after": issued_after,
        "issued_before": issued_before,
        "due_before": due_before,
        "entity_tag": tag,
        "batch": batch,
        "limit": limit,
        "starting_after": starting_after,
    }
    query = ListInvoicesQuery(**{name: value for name, value in filters.items() if value is not None})  # type: ignore[typeddict-item]  # pyright: ignore
    pages = access_of(ctx).client.invoices.list(**query).pages()
    found = [invoice_answer(each) for each in await anext(pages)]
    answer = InvoicesAnswer(invoices=found, next=found[-1].id if len(found) == limit else None)
    return result(answer, said=f"{len(found)} invoices{', and maybe more' if answer.next else ''}.")


async def list_vendors(
    ctx: Context[Any, Any],
    limit: _Limit = 20,
    starting_after: Annotated[str | None, Field(description="`next` of the page before.")] = None,
) -> Annotated[CallToolResult, VendorsAnswer]:
    """List vendors, highest spend first, with their totals by currency."""
    query: ListVendorsQuery = {"limit": limit, "include": "totals"}
    if starting_after is not None:
        query["starting_after"] = starting_after
    pages = access_of(ctx).client.vendors.list(**query).pages()
    found = [vendor_answer(each) for each in await anext(pages)]
    answer = VendorsAnswer(vendors=found, next=found[-1].id if len(found) == limit else None)
    return result(answer, said=f"{len(found)} vendors{', and maybe more' if answer.next else ''}.")


async def explain_field(
    invoice_id: InvoiceId,
    field: Annotated[str, Field(description="Such as `amount`, `vendor`, `iban`, `line_items` or `tax_lines`.")],
    ctx: Context[Any, Any],
) -> Annotated[CallToolResult, FieldAnswer]:
    """Explain a value: where it is printed, what speaks for it, why it is not certain, and what else it may be."""
    review = await access_of(ctx).client.invoices.review(invoice_id)
    answer = _field_answer(review, field)
    doubt = f" It is not certain: {answer.doubt}." if answer.doubt else ""
    return result(
        answer,
        said=f"`{field}` of invoice {invoice_id} has {f'level {answer.level}' if answer.level else 'no level'}.{doubt}",
    )


async def invoice_page(
    invoice_id: InvoiceId,
    ctx: Context[Any, Any],
    page: Annotated[int, Field(ge=1, description="From 1.")] = 1,
) -> Annotated[CallToolResult, PageAnswer]:
    """Look at a page of an invoice, as a picture."""
    client = access_of(ctx).client
    invoice = await client.invoices.retrieve(invoice_id)
    picture = base64.b64encode(await client.invoices.picture(invoice_id, page)).decode()
    answer = PageAnswer(invoice_id=invoice_id, page=page, pages=invoice.pages)
    said = f"Page {page} of invoice {invoice_id}. {answer.notice}"
    return result(
        answer, said=said, more=[ImageContent(type="image", data=picture, mime_type="image/jpeg", _meta=META)]
    )


def _field_answer(review: ReviewAnswer, name: str) -> FieldAnswer:
    tables: dict[str, ReviewTable | ReviewTaxTable] = {"line_items": review.line_items, "tax_lines": review.tax_lines}
    field = review.fields.get(name) or tables.get(name)
    if field is None:
        raise ToolError(f"This invoice has the fields {', '.join([*review.fields, *tables])}.")
    place = field.citation if isinstance(field, ReviewField) else None
    return FieldAnswer(
        invoice_id=review.id,
        field=name,
        level=field.confidence,
        doubt=field.doubt.code if field.doubt else None,
        decided_by=field.decision.by if field.decision else None,
        evidence=[*field.evidence] if isinstance(field, ReviewField) else [],
        review=review.status,
        page=place.page if place else None,
        box=place.box if place else None,
        untrusted=_field_values(field) if isinstance(field, ReviewField) else FieldValues(),
    )


def _field_values(field: ReviewField) -> FieldValues:
    candidates = [
        Candidate(value=visible(each.value), score=each.score, sources=[*each.sources], page=each.citation.page)
        for each in field.candidates
    ]
    return FieldValues(value=text_of(field.value), read=text_of(field.read), candidates=candidates)
