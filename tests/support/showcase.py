"""An account with invoices as companies have them, in every state, for looking at the pages."""

import random
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

from serve_app.domain.account import Account
from serve_app.domain.batch import Section, records_of
from serve_app.domain.clock import month_start
from serve_app.domain.embedded_data import EInvoiceCheck, EInvoiceDifference, EInvoiceField
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import (
    Citation,
    Confidence,
    Detail,
    Details,
    DocumentType,
    Extraction,
    Failure,
    FailureCode,
    Field,
    FileInfo,
    Invoice,
    LineItem,
    ModelRevisions,
    Source,
    TaxLine,
)
from serve_app.domain.record import Amendment, InvoiceRecord, new_record
from serve_app.domain.supplier_checks import supplier_checks
from serve_app.store.base import Files, Store
from tests.support import claim_next
from tests.support.suppliers import alert

SAMPLE = Path(__file__).parents[2] / "samples" / "invoice.pdf"
VENDORS = (
    "Stadtwerke Musterstadt GmbH",
    "Nordlicht Hosting GmbH",
    "Cloudbank Services SARL",
    "Büroservice Köhler & Söhne KG",
    "Beispiel Telefon AG",
    "Schraubenhandel Werner",
    "Café Crème SARL",
    "Acme Supplies Ltd",
    "Northwind Traders Inc.",
    "Électricité du Lac",
    "Sandqvist & Partners AB",
)
_HOUR = timedelta(hours=1)
_LINES = (
    ("Licence fee", "40", "0.48", "19.20", 0.41),
    ("Monitor 27 inch", "1", "4.35", "4.35", 0.452),
    ("Cleaning of offices", "1.5", "14.90", "22.35", 0.505),
    ("SEO optimisation", "1", "239.00", "239.00", 0.548),
    ("Type A graphic design", "1", "2.39", "2.39", 0.579),
)


def _at(x0: float, y0: float, x1: float, y1: float, text: str = "") -> Citation:
    return Citation(page=1, box=(x0, y0, x1, y1), text=text)


_PLACES: Mapping[Field, Citation] = {
    Field.VENDOR: _at(0.122, 0.079, 0.475, 0.116),
    Field.INVOICE_NUMBER: _at(0.328, 0.268, 0.393, 0.289),
    Field.ISSUED_AT: _at(0.122, 0.303, 0.183, 0.317),
    Field.AMOUNT: _at(0.773, 0.676, 0.878, 0.694),
    Field.TAX: _at(0.81, 0.663, 0.878, 0.676),
    Field.CURRENCY: _at(0.19, 0.714, 0.221, 0.728),
}


def sample_read() -> Extraction:
    """What the sample says, each value with its place; the tax should be looked at."""
    levels = dict.fromkeys(_PLACES, Confidence.HIGH) | {Field.TAX: Confidence.MID, Field.VENDOR: Confidence.LOW}
    lines = [
        LineItem(
            description=name,
            quantity=Decimal(quantity),
            unit_price=Decimal(price),
            total=Decimal(total),
            confidence=Confidence.HIGH,
        )
        for name, quantity, price, total, _ in _LINES
    ]
    return Extraction(
        vendor_name="Ewing & Kennedy LLC",
        invoice_number="46380",
        amount=Decimal("380.34"),
        currency="USD",
        issued_at=date(2019, 4, 30),
        tax=Decimal("31.00"),
        line_items=lines,
        field_confidence=levels,
        citations={**_PLACES, Field.LINE_ITEMS: [_at(0.122, y, 0.84, y + 0.012) for *_, y in _LINES]},
        quality_score=0.91,
        pages=1,
        document_type=DocumentType.INVOICE,
        document_type_confidence=Confidence.HIGH,
        models=ModelRevisions(extractor="lilt@7c1e9a2", verifier="layoutlmv3@44d01be"),
        details=Details(
            subtotal=Decimal("287.29"),
            shipping=Decimal("62.05"),
            buyer_name="Digital Benson Co.",
            tax_lines=[TaxLine(rate=Decimal("8.875"), base=Decimal("349.34"), amount=Decimal("31.00"))],
            field_confidence={Detail.SUBTOTAL: Confidence.HIGH, Detail.SHIPPING: Confidence.HIGH},
            citations={
                Detail.SUBTOTAL: _at(0.802, 0.62, 0.878, 0.633),
                Detail.SHIPPING: _at(0.81, 0.634, 0.878, 0.647),
            },
        ),
        einvoice=EInvoiceCheck(
            profile="EN 16931",
            matches_page=False,
            differences=[EInvoiceDifference(field=EInvoiceField.TAX, einvoice="31.10", page="31.00")],
        ),
    )


async def add_showcase(store: Store, files: Files, account: Account, now: datetime, count: int = 20) -> Invoice:
    """Adds invoices of the weeks before `now`; returns the newest that is complete, which is the sample's."""
    chance = random.Random(4)  # noqa: S311
    for number in range(count):
        at = now - (count - number + 1) * 9 * _HOUR
        vendor = chance.choice(VENDORS)
        await _queue(
            store, files, account, f"{vendor.split()[0].lower()}-{1000 + number}.pdf", at, chance.choice(list(Source))
        )
        claim = await claim_next(store, _HOUR)
        if number % 9 == 5:
            failure = Failure(code=FailureCode.DOCUMENT_ENCRYPTED, message="The PDF is protected with a password.")
            await store.queue.fail(claim, failure, at)
            continue
        saved = await store.queue.save_result(claim, _invented(chance, number, vendor, at), at)
        await _touch(store, account, saved, chance, now)
    await _add_batch(store, files, account, now - 8 * _HOUR)
    await _queue(store, files, account, "invoice.pdf", now - 7 * _HOUR, Source.APP)
    read = sample_read()
    checks = [alert(), *supplier_checks(read, [], now.date())]
    read = read.model_copy(update={"checks": checks})
    newest = await store.queue.save_result(await claim_next(store, _HOUR), read, now - 7 * _HOUR)
    await _queue(store, files, account, "scan-of-the-week.pdf", now - timedelta(minutes=4), Source.APP)
    await claim_next(store, _HOUR)
    await _queue(store, files, account, "telephone-november.pdf", now - timedelta(minutes=2), Source.APP)
    while (await store.outbox.spread_pending(100)).invoices:
        pass
    assert newest is not None
    return newest


def _invented(chance: random.Random, number: int, vendor: str, at: datetime) -> Extraction:
    amount = Decimal(chance.randrange(900, 900_000)) / 100
    tax = (amount * 19 / 119).quantize(Decimal("0.01"))
    issued = (at - timedelta(days=chance.randrange(1, 20))).date()
    is_good = chance.random() < 0.6
    level = Confidence.HIGH if is_good else Confidence.MID
    read = Extraction(
        vendor_name=vendor,
        invoice_number=f"{chance.choice(('RE', 'INV', 'F'))}-{20260000 + number * 37}",
        amount=amount,
        currency=chance.choice(("EUR", "EUR", "EUR", "USD", "GBP")),
        issued_at=issued,
        due_at=issued + timedelta(days=14),
        tax=tax,
        pages=1,
        auto_verified=is_good,
        field_confidence=dict.fromkeys((Field.VENDOR, Field.AMOUNT), level),
        document_type=DocumentType.INVOICE,
        details=Details(iban=f"DE8820080000097037{1000 + VENDORS.index(vendor)}", vendor_tax_id="DE136695976"),
    )
    if number % 8 != 1:
        return read
    return read.model_copy(
        update={
            "vendor_name": "Acme Supplies Ltd",
            "invoice_number": "INV-7788",
            "amount": Decimal("1190.50"),
            "currency": "EUR",
        }
    )


async def _touch(store: Store, account: Account, invoice: Invoice | None, chance: random.Random, now: datetime) -> None:
    """Some are paid, tagged, or waiting for approval."""
    assert invoice is not None
    if chance.random() < 0.4:
        await store.invoices.amend(account.id, invoice.id, Amendment(paid=True), now)
    if chance.random() < 0.4:
        tag = chance.choice(("north", "Berlin office", "2026-Q4"))
        await store.invoices.amend(account.id, invoice.id, Amendment(sets_tag=True, entity_tag=tag), now)
    if chance.random() < 0.2:
        await store.invoices.request_approval(account.id, invoice.id, "boss@example.com", "hash", now)


async def _add_batch(store: Store, files: Files, account: Account, at: datetime) -> None:
    await _queue(store, files, account, "scanned-pile.pdf", at, Source.APP)
    claim = await claim_next(store, _HOUR)
    sections = [
        Section(1, 1, Extraction(vendor_name="Café Crème SARL", amount=Decimal("18.40"), currency="EUR", pages=1)),
        Section(
            2, 3, Extraction(vendor_name="Sandqvist & Partners AB", amount=Decimal("2210"), currency="EUR", pages=2)
        ),
    ]
    first, others = records_of(claim, sections, at)
    await store.queue.save_result(claim, first, at, others)


async def _queue(
    store: Store, files: Files, account: Account, name: str, at: datetime, source: Source
) -> InvoiceRecord:
    data = SAMPLE.read_bytes()
    file = FileInfo(name=name, mime_type="application/pdf", size_bytes=len(data))
    record = new_record(Invoice(id=new_id(), source=source, created_at=at, updated_at=at, file=file), account.id)
    await files.write(record.file_key, data)
    await store.intake.reserve(record, month_start(at), None)
    await store.intake.add(record)
    return record
