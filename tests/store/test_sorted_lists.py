"""Lists in other orders than the newest first, page by page, and their filters by level and models."""

from datetime import date
from decimal import Decimal
from uuid import UUID

import pytest

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Confidence, Extraction, Field, Invoice, ModelRevisions
from serve_app.domain.query import InvoiceQuery, Order, Position, SortKey, position_of
from serve_app.store.base import Store
from tests.support import claim_next, queue_new

OLD, NEW = (ModelRevisions(extractor=f"layout-{number}", verifier="verifier-1") for number in (1, 2))
READ = {
    "acme": Extraction(vendor_name="ACME", amount=Decimal("9.5"), due_at=date(2026, 5, 3), issued_at=date(2026, 5, 1)),
    "bolt": Extraction(vendor_name="Bolt", amount=Decimal(100), currency="EUR", issued_at=date(2026, 5, 2)),
    "acme again": Extraction(vendor_name="acme", amount=Decimal(-3), due_at=date(2026, 5, 2)),
    "none": Extraction(),
    "none again": Extraction(),
    "zeta": Extraction(vendor_name="Žeta", amount=Decimal("9.5"), due_at=date(2026, 5, 3), issued_at=date(2026, 5, 1)),
}
ORDERS = {
    Order(SortKey.AMOUNT): ["acme again", "acme", "zeta", "bolt", "none", "none again"],
    Order(SortKey.AMOUNT, descending=True): ["bolt", "zeta", "acme", "acme again", "none again", "none"],
    Order(SortKey.DUE): ["acme again", "acme", "zeta", "bolt", "none", "none again"],
    Order(SortKey.DUE, descending=True): ["zeta", "acme", "acme again", "none again", "none", "bolt"],
    Order(SortKey.ISSUED): ["acme", "zeta", "bolt", "acme again", "none", "none again"],
    Order(SortKey.VENDOR): ["acme", "acme again", "bolt", "zeta", "none", "none again"],
    Order(SortKey.VENDOR, descending=True): ["zeta", "bolt", "acme again", "acme", "none again", "none"],
}


async def add(store: Store, account: Account, read: Extraction) -> Invoice:
    await queue_new(store, account.id)
    saved = await store.queue.save_result(await claim_next(store), read, account.created_at)
    assert saved is not None
    return saved


@pytest.fixture
async def invoices(store: Store, account: Account) -> dict[UUID, str]:
    return {(await add(store, account, read)).id: name for name, read in READ.items()}


@pytest.mark.parametrize("order", ORDERS, ids=str)
@pytest.mark.parametrize("limit", [1, 2, 10])
async def test_pages_of_any_size_are_the_whole_list_in_order(
    store: Store, account: Account, invoices: dict[UUID, str], order: Order, limit: int
) -> None:
    names: list[str] = []
    place: Position | None = None
    has_more = True
    while has_more:
        page = await store.invoices.sorted_page(account.id, InvoiceQuery(), order, limit, place)
        names += [invoices[invoice.id] for invoice in page.items]
        place, has_more = position_of(page.items[-1], order.key), page.has_more
    assert names == ORDERS[order]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        (InvoiceQuery(vendor="acm"), ["acme", "acme again"]),
        (InvoiceQuery(min_amount=Decimal(9)), ["bolt", "zeta", "acme"]),
        (InvoiceQuery(currency="EUR"), ["bolt"]),
        (InvoiceQuery(due_after=date(2026, 5, 2)), ["zeta", "acme"]),
        (InvoiceQuery(entity_tag="x"), []),
    ],
)
async def test_a_sorted_list_is_filtered_as_any_other(
    store: Store, account: Account, invoices: dict[UUID, str], query: InvoiceQuery, names: list[str]
) -> None:
    page = await store.invoices.sorted_page(account.id, query, Order(SortKey.AMOUNT, descending=True), 10)
    assert [invoices[invoice.id] for invoice in page.items] == names
    assert (await store.invoices.sorted_page(new_id(), query, Order(SortKey.AMOUNT), 10)).items == ()


def levels(*confidences: Confidence) -> dict[Field, Confidence]:
    return dict(zip((Field.VENDOR, Field.AMOUNT), confidences, strict=False))


async def test_a_level_is_the_lowest_of_the_header_fields(store: Store, account: Account) -> None:
    all_high = levels(Confidence.HIGH, Confidence.HIGH) | {Field.LINE_ITEMS: Confidence.LOW}
    high = await add(store, account, Extraction(field_confidence=all_high))
    mid = await add(store, account, Extraction(field_confidence=levels(Confidence.MID, Confidence.HIGH)))
    low = await add(store, account, Extraction(field_confidence=levels(Confidence.MID, Confidence.LOW)))
    await add(store, account, Extraction())
    for level, invoice in ((Confidence.HIGH, high), (Confidence.MID, mid), (Confidence.LOW, low)):
        page = await store.invoices.page(account.id, InvoiceQuery(level=level), 10)
        assert [found.id for found in page.items] == [invoice.id]


async def test_the_models_that_read_an_invoice_find_it(store: Store, account: Account) -> None:
    old = await add(store, account, Extraction(models=OLD))
    new = [await add(store, account, Extraction(models=NEW)) for _ in range(2)]
    await add(store, account, Extraction())
    assert await store.invoices.models(account.id) == ["layout-1 verifier-1", "layout-2 verifier-1"]
    assert await store.invoices.models(new_id()) == []
    for models, ids in (("layout-1 verifier-1", [old.id]), ("layout-2 verifier-1", [new[1].id, new[0].id])):
        page = await store.invoices.page(account.id, InvoiceQuery(models=models), 10)
        assert [found.id for found in page.items] == ids
