"""What people decide that invoices are booked on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from serve_app.domain.audit import Actor
from serve_app.domain.booked_lines import booked_lines, whole_invoice
from serve_app.domain.chart import Chart
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.coding import MAX_POSTINGS, WHOLE, BookedLine, CodingDecision, DecidedPosting, share_of
from serve_app.domain.errors import InvalidParameter, InvoiceNotFound
from serve_app.domain.invoice import Invoice
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.review import CodingChange
from serve_app.services.review.change import ReviewChange
from serve_app.services.review.service import ReviewService
from serve_app.store.base import Charts, Invoices

_ROUNDING = Decimal("0.01")
"""Percent that the shares of a line may lack together: thirds have no exact share."""


@dataclass(frozen=True, slots=True)
class NewPosting:
    """A posting as somebody enters it. `line` is from 1; None: the whole invoice. `share` is in percent; with `amount`
    instead, it is the share that this amount is; with neither, the whole line."""

    codes: Mapping[str, str | None]
    line: int | None = None
    share: Decimal | None = None
    amount: Decimal | None = None


class CodingService:
    """Confirms and corrects codings. Every method raises InvoiceNotFound for an invoice that is unknown or another
    account's, NotComplete, and ReviewChanged if somebody changes the review at the same moment."""

    def __init__(self, charts: Charts, invoices: Invoices, reviews: ReviewService, clock: Clock = utc_now) -> None:
        self._charts = charts
        self._invoices = invoices
        self._reviews = reviews
        self._clock = clock

    async def decide(
        self, account_id: UUID, invoice_id: UUID, postings: Sequence[NewPosting] | None, actor: Actor
    ) -> Invoice:
        """Book the invoice on these, all of them; None takes the decision back. Raises InvalidParameter."""
        record = await self._record(account_id, invoice_id)
        change = ReviewChange(coding=await self.change_of(account_id, record.invoice, postings, actor))
        await self._reviews.change(account_id, invoice_id, record.review_revision, change, actor)
        return (await self._record(account_id, invoice_id)).invoice

    async def change_of(
        self, account_id: UUID, invoice: Invoice, postings: Sequence[NewPosting] | None, actor: Actor
    ) -> CodingChange:
        """The same as a part of a change of the review. Raises InvalidParameter."""
        if postings is None:
            return CodingChange(None)
        chart = await self._charts.of_account(account_id)
        return CodingChange(decision_of(invoice, chart, postings, actor, self._clock()))

    async def _record(self, account_id: UUID, invoice_id: UUID) -> InvoiceRecord:
        record = await self._invoices.find_record(account_id, invoice_id)
        if record is None:
            raise InvoiceNotFound
        return record


def decision_of(
    invoice: Invoice, chart: Chart, postings: Sequence[NewPosting], actor: Actor, now: datetime
) -> CodingDecision:
    """The postings as they are stored. Raises InvalidParameter."""
    if not 0 < len(postings) <= MAX_POSTINGS:
        raise InvalidParameter(f"postings: enter 1 to {MAX_POSTINGS} postings.", "postings")
    whole, lines = whole_invoice(invoice), booked_lines(invoice)
    known = {line.number: line for line in lines} | {None: whole}
    if len({posting.line is None for posting in postings}) > 1:
        raise InvalidParameter("postings: book either lines or the whole invoice.", "postings")
    by_line: dict[int | None, list[int]] = {}
    for index, posting in enumerate(postings):
        _check(posting, f"postings.{index}", known, chart)
        by_line.setdefault(posting.line, []).append(index)
    shares = {
        index: share
        for number, indexes in by_line.items()
        for index, share in zip(indexes, _shares(known[number], indexes, postings), strict=True)
    }
    decided = [
        DecidedPosting(line=posting.line, share=shares[index], codes=dict(posting.codes))
        for index, posting in enumerate(postings)
    ]
    return CodingDecision(postings=decided, by=actor.name, at=now)


def _check(posting: NewPosting, param: str, known: Mapping[int | None, BookedLine], chart: Chart) -> None:
    if posting.line not in known:
        raise InvalidParameter(f"{param}.line: the invoice has {len(known) - 1} line items.", f"{param}.line")
    if posting.share is not None and posting.amount is not None:
        raise InvalidParameter(f"{param}: enter a share or an amount, not both.", param)
    chart.check_codes(posting.codes, f"{param}.codes")


def _shares(line: BookedLine, indexes: Sequence[int], postings: Sequence[NewPosting]) -> list[Decimal]:
    """The shares of the postings of a line, which are all of it."""
    own, first = [postings[index] for index in indexes], f"postings.{indexes[0]}"
    if len(own) == 1 and own[0].share is None and own[0].amount is None:
        return [WHOLE]
    if all(posting.amount is not None for posting in own):
        return _shares_of_amounts(line, [posting.amount or Decimal(0) for posting in own], first)
    if any(posting.share is None for posting in own):
        raise InvalidParameter(f"{first}: enter the share of each posting of the line, or each amount.", first)
    shares = [posting.share or Decimal(0) for posting in own]
    if abs(sum(shares) - WHOLE) > _ROUNDING:
        raise InvalidParameter(f"{first}.share: the shares of the line add up to {sum(shares)}, not 100.", first)
    return [*shares[:-1], WHOLE - sum(shares[:-1], Decimal(0))]


def _shares_of_amounts(line: BookedLine, amounts: Sequence[Decimal], param: str) -> list[Decimal]:
    if not line.total:
        raise InvalidParameter(f"{param}.amount: the total of the line is unknown; enter shares.", f"{param}.amount")
    missing = line.total - sum(amounts, Decimal(0))
    if missing:
        raise InvalidParameter(
            f"{param}.amount: the amounts of the line differ from its total {line.total:f} by {missing:f}.",
            f"{param}.amount",
        )
    shares = [share_of(amount, line.total) for amount in amounts[:-1]]
    return [*shares, WHOLE - sum(shares, Decimal(0))]
