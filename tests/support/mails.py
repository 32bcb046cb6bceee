"""Mail in tests: a mailer that keeps what it is given, and what tests look for in messages."""

import re
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from email.message import EmailMessage
from uuid import UUID

from serve_app.domain.invoice import Confidence, Extraction, Field, Invoice
from serve_app.domain.vendor import NOTHING_KNOWN, VendorDetails
from serve_app.services.ports import MailError
from serve_app.store.base import Store
from tests.support import NOON, claim_next, queue_new

READ = Extraction(
    vendor_name="ACME GmbH",
    invoice_number="2026-17",
    amount=Decimal("1190.5"),
    currency="EUR",
    tax=Decimal("190"),
    issued_at=date(2026, 5, 2),
    due_at=date(2026, 6, 1),
    field_confidence={Field.AMOUNT: Confidence.HIGH},
)


@dataclass
class FakeMailer:
    """Keeps messages, or refuses them."""

    messages: list[EmailMessage] = field(default_factory=list)
    refuses: bool = False

    async def send(self, message: EmailMessage) -> None:
        if self.refuses:
            raise MailError("the mail server refused the recipient (550)")
        self.messages.append(message)


async def complete_invoice(
    store: Store, account_id: UUID, extraction: Extraction = READ, vendor: VendorDetails = NOTHING_KNOWN
) -> Invoice:
    """A complete invoice of which this was read."""
    await queue_new(store, account_id)
    saved = await store.queue.save_result(await claim_next(store), extraction, NOON, details=vendor)
    assert saved is not None
    return saved


def text_of(message: EmailMessage, kind: str = "plain") -> str:
    """The plain text of a message, or its HTML."""
    part = message.get_body((kind,))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def links_in(message: EmailMessage) -> tuple[str, str]:
    """The addresses that approve and that reject."""
    text = text_of(message)
    approve, reject = re.findall(r"^https?://\S+$", text, re.MULTILINE)
    return approve, reject


def token_in(message: EmailMessage) -> str:
    """What the links of a message carry."""
    return links_in(message)[0].partition("/approvals/")[2].partition("?")[0]
