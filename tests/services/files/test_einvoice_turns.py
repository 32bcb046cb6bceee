"""Who writes many electronic invoices does not delay the one of another account."""

import asyncio

from serve_app.domain.account import Account, Plan
from serve_app.domain.einvoice import EInvoice
from serve_app.domain.einvoice_order import EInvoiceFormat, EInvoiceMade, EInvoiceOrder
from serve_app.domain.einvoice_validation import Validation
from serve_app.domain.ids import new_id
from serve_app.services.files.einvoices import EInvoiceFiles
from serve_app.store.base import Files, Store
from tests.support import NOON, FakeCutter
from tests.support.mails import complete_invoice


class SlowWriter:
    """Writes one after the other, and notes for whom."""

    def __init__(self) -> None:
        self.countries: list[str | None] = []
        self.is_writing = asyncio.Event()

    async def write(self, _data: bytes, _record: EInvoice | None, order: EInvoiceOrder) -> EInvoiceMade:
        self.countries.append(order.seller_country)
        self.is_writing.set()
        await asyncio.sleep(0.01)
        return EInvoiceMade(b"<Invoice/>", validation=Validation(None, ("EN 16931",)))

    def close(self) -> None:
        """It holds nothing."""


async def test_another_accounts_call_waits_for_one_of_many(store: Store, files: Files) -> None:
    accounts = [Account(new_id(), Plan.UNLIMITED, NOON) for _ in range(2)]
    invoices = []
    for account in accounts:
        await store.accounts.add(account)
        invoices.append(await complete_invoice(store, account.id))
    writer = SlowWriter()
    service = EInvoiceFiles(store.invoices, files, FakeCutter(), writer)

    async def write(owner: int, country: str) -> None:
        order = EInvoiceOrder(EInvoiceFormat.UBL, seller_country=country)
        await service.write(accounts[owner].id, invoices[owner].id, order)

    many = [asyncio.create_task(write(0, "DE")) for _ in range(8)]
    await writer.is_writing.wait()
    await write(1, "FR")
    await asyncio.gather(*many)
    assert writer.countries.index("FR") <= 2
    assert len(writer.countries) == 9
