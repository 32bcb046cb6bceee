"""What documents of test mode are read as: the name of the file says it, and no reader or model is asked."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from decimal import Decimal

from serve_app.domain.batch import Interpreted, Section
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import (
    VERIFIED_BY,
    CheckKind,
    CheckSeverity,
    Confidence,
    Extraction,
    FailureCode,
    Field,
    LineItem,
    SupplierCheck,
)
from serve_app.domain.record import InvoiceRecord

LONGEST_SECONDS = 60
"""How long a run can be asked to take."""
_INVOICES_OF_BATCH = 3
_NAME = re.compile(r"(?P<what>[a-z]+)(?:-(?P<value>[a-z0-9_]+))?(?:\.[a-z]+)?", re.IGNORECASE)
_CHECK = SupplierCheck(
    kind=CheckKind.BANK_ACCOUNT_CHANGED,
    severity=CheckSeverity.ALERT,
    text="The bank account is new for this supplier.",
    since=None,
    evidence=[],
)
Sleep = Callable[[float], Awaitable[object]]


def magic_name(name: str | None) -> tuple[str, str]:
    """What the name of a file asks for, in lower case, such as `failed` and `no_text_found` for
    `failed-no_text_found.pdf`; two empty texts for any other name."""
    found = _NAME.fullmatch(name or "")
    return ("", "") if found is None else (found["what"].lower(), (found["value"] or "").lower())


async def simulate(claim: InvoiceRecord, sleep: Sleep = asyncio.sleep) -> Interpreted:
    """The invoices that the document of a test account is said to contain. Raises DocumentError if its name asks for a
    failure."""
    what, value = magic_name(claim.invoice.file.name)
    if what == "failed" and value in set(FailureCode):
        raise DocumentError(FailureCode(value), "Test mode: the name of the file asks for this failure.")
    if what == "slow" and value.isdigit():
        await sleep(min(int(value), LONGEST_SECONDS))
    # A part of a file stays a single invoice when it is read again.
    count = _INVOICES_OF_BATCH if what == "batch" and claim.invoice.batch is None else 1
    return Interpreted([Section(n, n, _extraction(claim, what, n)) for n in range(1, count + 1)], {}, {})


def _extraction(claim: InvoiceRecord, what: str, page: int) -> Extraction:
    # The last digits of an id are random, so that two documents differ.
    seed = 0 if what == "duplicate" else claim.invoice.id.int % 10**8 + page
    net = Decimal(100 + seed % 400)
    issued = _issued(claim.invoice.created_at.date(), what)
    level = Confidence(what) if what in set(Confidence) else Confidence.HIGH
    levels = {**dict.fromkeys(Field, Confidence.HIGH), Field.AMOUNT: level}
    item = LineItem(description="Test item", quantity=Decimal(1), unit_price=net, confidence=Confidence.HIGH, total=net)
    return Extraction(
        vendor_name="Test Supplier Ltd",
        invoice_number=f"TEST-{seed:08}",
        amount=net * Decimal("1.2"),
        currency="EUR",
        issued_at=issued,
        due_at=issued + timedelta(days=30),
        tax=net * Decimal("0.2"),
        line_items=[item],
        field_confidence=levels,
        quality_score=1.0 if level is Confidence.HIGH else 0.5,
        auto_verified=all(levels[field] is Confidence.HIGH for field in VERIFIED_BY),
        pages=1,
        checks=[_CHECK] if what == "checks" else [],
    )


def _issued(today: date, what: str) -> date:
    """Duplicates are issued on one day, whichever day they are sent on."""
    return today.replace(day=1) if what == "duplicate" else today
