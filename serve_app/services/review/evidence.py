"""What runs saw, read back."""

import logging

from serve_app.domain.evidence import Evidence, unpack
from serve_app.domain.record import InvoiceRecord
from serve_app.store.base import Files
from serve_app.system.thread_pools import COMPUTING

log = logging.getLogger(__name__)

NOTHING_SEEN = Evidence()


async def evidence_of(files: Files, record: InvoiceRecord) -> Evidence:
    """What the invoice's last run saw; nothing if that was not kept, or by a version that this one does not know.
    Raises Unavailable."""
    if record.evidence_key is None:
        return NOTHING_SEEN
    try:
        data = await files.read(record.evidence_key)
        # Long documents take a while to unpack.
        return await COMPUTING.run(unpack, data) or NOTHING_SEEN
    except (FileNotFoundError, ValueError) as error:
        log.warning("evidence is gone: %r", error, extra={"invoice_id": str(record.invoice.id)})
        return NOTHING_SEEN
