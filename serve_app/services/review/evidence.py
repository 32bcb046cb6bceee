"""What runs saw, read back."""

import logging
from collections.abc import Callable, Mapping
from typing import TypeVar

from serve_app.domain.evidence import Evidence, FieldEvidence, FieldName, unpack, unpack_fields
from serve_app.domain.record import InvoiceRecord
from serve_app.store.base import Files
from serve_app.system.thread_pools import COMPUTING

T = TypeVar("T")

log = logging.getLogger(__name__)

NOTHING_SEEN = Evidence()


async def evidence_of(files: Files, record: InvoiceRecord) -> Evidence:
    """What the invoice's last run saw; nothing if that was not kept, or by a version that this one does not know.
    Raises Unavailable."""
    return await _unpacked(files, record, unpack) or NOTHING_SEEN


async def fields_of(files: Files, record: InvoiceRecord) -> Mapping[FieldName, FieldEvidence]:
    """What it saw of the fields; as above. Raises Unavailable."""
    return await _unpacked(files, record, unpack_fields) or {}


async def _unpacked(files: Files, record: InvoiceRecord, unpack: Callable[[bytes], T]) -> T | None:
    if record.evidence_key is None:
        return None
    try:
        data = await files.read(record.evidence_key)
        # Long documents take a while to unpack.
        return await COMPUTING.run(unpack, data)
    except (FileNotFoundError, ValueError) as error:
        log.warning("evidence is gone: %r", error, extra={"invoice_id": str(record.invoice.id)})
        return None
