"""Rows of both stores as account records."""

import hashlib
import zlib
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any
from uuid import UUID

from serve_app.domain.account_records import EndpointEntry, ExportEntry, InvoiceEntry, VendorEntry
from serve_app.domain.event import ENDS_OF_RUNS
from serve_app.domain.ids import first_id_at
from serve_app.domain.inbound_mail import MailState, mail_key_of
from serve_app.domain.webhook import WebhookEndpoint
from serve_app.store.rows.columns import Fields

_PASSING = (MailState.ARRIVING, MailState.PENDING_DELETION)


def invoice_entry(row: Fields, billed: Decimal, batch: Mapping[str, Any] | None, *, is_settled: bool) -> InvoiceEntry:
    """The entry of an invoice's row."""
    return InvoiceEntry(
        id=row["id"],
        status=row["status"],
        is_settled=is_settled,
        runs=row["runs"],
        file_key=row["file_key"],
        has_document=row["document_gone_at"] is None,
        evidence_key=row["evidence_key"],
        vendor_id=row["vendor_id"],
        vendor_key=row["vendor_key"],
        billed=billed,
        duplicate_key=row["duplicate_key"],
        duplicate_of=row["duplicate_of"],
        batch=None if batch is None else (batch["id"], batch["index"], batch["count"]),
        export_id=row["export_id"],
    )


def export_entry(id: str, sha256: str, content: bytes | None, invoices: Iterable[str]) -> ExportEntry:
    """The entry of an export; `content` is its compressed file, None if there is none any more."""
    return ExportEntry(id, frozenset(invoices), content is None or _has_hash(content, sha256))


def _has_hash(content: bytes, sha256: str) -> bool:
    try:
        return hashlib.sha256(zlib.decompress(content)).hexdigest() == sha256
    except zlib.error:
        return False


def vendor_entry(row: Fields) -> VendorEntry:
    """The entry of a vendor's row."""
    return VendorEntry(row["id"], row["key"], row["invoice_count"], Decimal(row["total"]), row["merged_into"])


def endpoint_entry(endpoint: WebhookEndpoint) -> EndpointEntry:
    """The entry of an endpoint."""
    since = f"evt_{first_id_at(endpoint.created_at)}"
    is_as_made = endpoint.revision == 0 and endpoint.is_active
    return EndpointEntry(str(endpoint.id), is_as_made, [str(type) for type in endpoint.types or ENDS_OF_RUNS], since)


def mail_files(account_id: UUID, mails: Iterable[tuple[str, str, bool]]) -> tuple[set[str], set[str]]:
    """The files that mails must have, and those that they may have for a moment; a mail is its id, its state and
    whether its bytes are kept."""
    kept, passing = set(), set()
    for id, state, has_raw in mails:
        if state in _PASSING:
            passing.add(mail_key_of(account_id, UUID(id)))
        elif has_raw:
            kept.add(mail_key_of(account_id, UUID(id)))
    return kept, passing
