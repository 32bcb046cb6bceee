"""What is asked of the store at every size."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from uuid import UUID

from benchmarks.store.filling import id_at
from benchmarks.store.invoices import COMMON, FILE, RARE, VENDORS, vendor_id
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import ApprovalStatus, Status
from serve_app.domain.query import InvoiceQuery
from serve_app.domain.record import InvoiceRecord, Release
from serve_app.store.base import Store

_LIMIT = 25
_LEASE = timedelta(minutes=5)
_TODAY = date(2026, 6, 30)


async def _nothing() -> None:
    return


@dataclass(frozen=True, slots=True)
class Question:
    """One kind of call. `undo` puts back what it changed, outside of the time that is taken. Equal by name."""

    name: str
    ask: Callable[[], Awaitable[object]]
    must_not_grow: bool = False
    undo: Callable[[], Awaitable[None]] = _nothing

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Question) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


def questions(store: Store, account_id: UUID, middle: UUID) -> list[Question]:
    """All of them; `middle` is an invoice in the middle of the account's list."""

    def page(name: str, must_not_grow: bool = False, after: UUID | None = None, **wanted: object) -> Question:
        query = InvoiceQuery(**wanted)  # type: ignore[arg-type]
        return Question(name, lambda: store.invoices.page(account_id, query, _LIMIT, after), must_not_grow)

    march = {"issued_after": date(2026, 2, 28), "issued_before": date(2026, 4, 1)}
    return [
        page("newest 25", True),
        page("25 after one in the middle", True, middle),
        page("status complete", True, status=Status.COMPLETE),
        page("status failed", True, status=Status.FAILED),
        page("vendor, common", vendor=COMMON),
        page("vendor, rare (3 invoices)", vendor=RARE),
        page("vendor, none", vendor="no such vendor"),
        page("part of a vendor, common", vendor="thwind tr"),
        page("part of a vendor, rare", vendor="yx hold"),
        page("part of a number, rare", number="0000042"),
        page("part of a number, none", number="X-77"),
        page("amount, common", min_amount=Decimal(1000), max_amount=Decimal(2000)),
        page("amount, none", min_amount=Decimal(10**7)),
        page("overdue", overdue=True, overdue_on=_TODAY),
        page("vendor_id, common", True, vendor_id=vendor_id(0)),
        page("vendor_id, rare (3 invoices)", True, vendor_id=vendor_id(VENDORS - 1)),
        page("invoice_number, one", True, invoice_number="INV-0000042"),
        page("invoice_number, none", True, invoice_number="none"),
        page("currency, common", True, currency="EUR"),
        page("currency, rare (3 invoices)", True, currency="USD"),
        page("currency, none", True, currency="JPY"),
        page("entity_tag, common", True, entity_tag="north"),
        page("entity_tag, rare (3 invoices)", True, entity_tag="rare"),
        page("approval_status, common", True, approval_status=ApprovalStatus.REQUESTED),
        page("approval_status, rare (3 invoices)", True, approval_status=ApprovalStatus.REJECTED),
        page("duplicate", True, duplicate=True),
        page("no duplicate", True, duplicate=False),
        page("batch of 3", True, batch=id_at(FILE.start)),
        page("batch, none", True, batch=new_id()),
        page("issued in March", True, None, **march),
        page("issued after January", True, issued_after=date(2026, 1, 31)),
        page("issued before December", True, issued_before=date(2026, 12, 1)),
        page("issued, none", True, issued_after=date(2027, 1, 1)),
        page(
            "status complete, common currency, issued in March",
            True,
            None,
            status=Status.COMPLETE,
            currency="EUR",
            **march,
        ),
        Question("vendors by spend", lambda: store.vendors.by_spend(account_id, _LIMIT)),
        _claim(store),
    ]


def _claim(store: Store) -> Question:
    claimed: list[InvoiceRecord] = []

    async def claim() -> None:
        record = await store.queue.claim_due_invoice(_LEASE)
        assert record is not None, "nothing to claim"
        claimed.append(record)

    async def give_back() -> None:
        while claimed:
            await store.queue.release(claimed.pop(), timedelta(0), Release.HANDED_BACK)

    return Question("claim", claim, must_not_grow=True, undo=give_back)
