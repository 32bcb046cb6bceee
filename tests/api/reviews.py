"""An invoice to review, and calls about its review."""

from datetime import date
from decimal import Decimal
from typing import Any

import httpx

from serve_app.domain.account import Account
from serve_app.domain.evidence import Candidate, Doubt, DoubtCode, Evidence, FieldEvidence, PageWords, ReadBy, pack
from serve_app.domain.invoice import Citation, Confidence, Detail, Details, Extraction, Field, LineItem, TaxLine
from serve_app.domain.record import InvoiceRecord, evidence_key_of, file_key_of
from serve_app.domain.vendor import NOTHING_KNOWN
from serve_app.store.base import Files, Store
from tests.support import NOON, PDF_BYTES, claim_next, queue_new

READ = Extraction(
    vendor_name="Acme Ltd",
    amount=Decimal("100.50"),
    tax=Decimal("19.00"),
    currency="EUR",
    issued_at=date(2026, 5, 1),
    pages=1,
    line_items=[
        LineItem(description="Bolt", quantity=Decimal(2), unit_price=Decimal("40.75"), confidence=Confidence.HIGH)
    ],
    field_confidence={Field.AMOUNT: Confidence.LOW},
    citations={Field.AMOUNT: Citation(page=1, box=(0.1, 0.2, 0.3, 0.4), text="100.50")},
    details=Details(
        tax_lines=[TaxLine(rate=Decimal(19), base=Decimal("81.50"), amount=Decimal("15.49"))],
        field_confidence={Detail.TAX_LINES: Confidence.MID},
        citations={Detail.TAX_LINES: [Citation(page=1, box=(0.1, 0.5, 0.3, 0.6), text="19 % 81.50 15.49")]},
    ),
)


SEEN = Evidence(
    (PageWords(1, 595.0, 842.0, "Total 1,190.50", (0, 0, 1000, 200, 1500, 0, 3000, 200), (99, 74)),),
    {
        "amount": FieldEvidence(
            (Candidate("1190.50", "1,190.50", (ReadBy.VERIFIER,), 0.7, 1, (1500, 0, 3000, 200)),),
            Doubt(DoubtCode.MODELS_DIFFER, "The models differ: 100.50 and 1,190.50."),
        )
    },
)


async def read_one(store: Store, files: Files, account: Account, evidence: Evidence | None = SEEN) -> InvoiceRecord:
    """A complete invoice with its file and what the run saw."""
    await queue_new(store, account.id)
    claim = await claim_next(store)
    await files.write(file_key_of(account.id, claim.invoice.id), PDF_BYTES)
    key = evidence_key_of(account.id, claim.invoice.id, claim.attempt)
    if evidence is not None:
        await files.write(key, pack(evidence))
    await store.queue.save_result(claim, READ, NOON, (), NOTHING_KNOWN, key if evidence else None)
    return claim


async def put(client: httpx.AsyncClient, record: InvoiceRecord, **body: Any) -> httpx.Response:
    return await client.put(f"/v1/invoices/{record.invoice.id}/review", json=body)


async def review_of(client: httpx.AsyncClient, record: InvoiceRecord) -> Any:
    return (await client.get(f"/v1/invoices/{record.invoice.id}/review")).json()


async def invoice_of(client: httpx.AsyncClient, record: InvoiceRecord) -> Any:
    return (await client.get(f"/v1/invoices/{record.invoice.id}")).json()
