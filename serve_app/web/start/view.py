"""What waits for a person."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal

from serve_app.domain.account import Account, QuotaInfo
from serve_app.domain.budget import BudgetInfo
from serve_app.domain.inbound_mail import HeldFor, MailQuery
from serve_app.domain.invoice import Status
from serve_app.domain.query import InvoiceQuery, ReviewFilter, Total
from serve_app.services.bundle import Services
from serve_app.web.invoices.view import COUNTED, Row, row_of

_NEWEST = 100
_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Count:
    """How many there are; `is_cut` if there may be more than were counted."""

    number: int

    @property
    def is_cut(self) -> bool:
        return self.number >= COUNTED


@dataclass(frozen=True, slots=True)
class StartView:
    """The figures of the first page. `today` counts what arrived today among the newest invoices, `newest` are some
    of these."""

    to_check: Count
    failed: Count
    on_the_way: Count
    overdue: Count
    alerts: Count
    overdue_sums: Sequence[tuple[Decimal, str]]
    today: int
    newest: Sequence[Row]
    quota: QuotaInfo
    budget: BudgetInfo | None
    held_mails: Count

    @property
    def is_new(self) -> bool:
        """Whether the account has no invoice yet."""
        return not self.newest

    @property
    def today_is_cut(self) -> bool:
        return self.today >= _NEWEST


async def start_view(services: Services, account: Account) -> StartView:
    """What waits for a person in the account now."""
    now = datetime.now(UTC)
    newest = (await services.invoices.list(account.id, InvoiceQuery(), _NEWEST)).items

    async def totals(query: InvoiceQuery) -> Sequence[Total]:
        return await services.invoices.totals(account.id, query, COUNTED)

    overdue = await totals(InvoiceQuery(overdue=True, overdue_on=now.date(), review=ReviewFilter.NOT_REJECTED))
    waiting = [await totals(InvoiceQuery(status=status)) for status in (Status.QUEUED, Status.PROCESSING)]
    held = await services.mailroom.mails.page(account.id, MailQuery(held_for=HeldFor.SENDER), COUNTED)
    return StartView(
        to_check=_count(await totals(InvoiceQuery(to_check=True))),
        failed=_count(await totals(InvoiceQuery(status=Status.FAILED))),
        on_the_way=Count(sum(_count(each).number for each in waiting)),
        overdue=_count(overdue),
        alerts=_count(await totals(InvoiceQuery(has_alerts=True, paid=False, review=ReviewFilter.NOT_REJECTED))),
        overdue_sums=[(total.amount, total.currency) for total in overdue if total.currency],
        today=sum(invoice.created_at.date() == now.date() for invoice in newest),
        newest=[row_of(invoice, now.date()) for invoice in newest[:_SHOWN]],
        quota=await services.monthly_limits.quota(account),
        budget=await services.monthly_limits.budget(account),
        held_mails=Count(len(held.items)),
    )


def _count(totals: Sequence[Total]) -> Count:
    return Count(sum(total.count for total in totals))
